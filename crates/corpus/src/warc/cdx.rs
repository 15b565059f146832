//! Indexes of archives: CDXJ (as pywb and the WACZ specification have it) and CDX (its letters name the columns).
//!
//! An index in a directory of archives says which URLs a crawl has in archives that are not there.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;
use serde::Deserialize;

use super::gzip;
use crate::ContainerError;
use crate::files::open_file;
use rehref_site::{CaptureIndex, CaptureStatus};
use rehref_url::Url;

/// The largest length of a line, in bytes.
const LONGEST_LINE: u64 = 1 << 20;

/// The size of the buffer in front of the file, in bytes.
const BUFFER: usize = 128 << 10;

/// The columns of a CDX file without a first line that names them, as most programs write them.
const COLUMNS: &str = "N b a m s k r M S V g";

/// Returns the error of the line `line`, which is not one of an index.
pub(crate) fn not_a_line(line: usize) -> ContainerError {
    ContainerError::Other(format!("line {line} is not a line of a CDX or CDXJ index"))
}

/// The fields of a line of CDXJ that say what a capture is.
#[derive(Deserialize)]
struct Fields {
    url: String,
    #[serde(default)]
    status: Option<serde_json::Value>,
}

/// Adds the captures in the index at `path`, compressed or not, to `index`.
///
/// # Errors
/// Returns an error if the file cannot be read, or a line is malformed; the captures before it are added.
pub fn captures(path: &Path, index: &mut CaptureIndex) -> Result<(), ContainerError> {
    let (file, _) = open_file(path)?;
    let mut file = BufReader::with_capacity(BUFFER, file);
    if file.fill_buf()?.starts_with(&gzip::MAGIC) {
        lines(BufReader::new(MultiGzDecoder::new(file)), index)
    } else {
        lines(file, index)
    }
}

fn lines(mut file: impl BufRead, index: &mut CaptureIndex) -> Result<(), ContainerError> {
    let mut columns = Columns::default();
    let (mut text, mut line) = (Vec::new(), 0);
    loop {
        line += 1;
        if !next_line(&mut file, line, &mut text)? {
            return Ok(());
        }
        let text = String::from_utf8_lossy(&text);
        let Some(fields) = columns.fields(&text) else { continue };
        let (url, status) = capture(fields, columns).ok_or_else(|| not_a_line(line))?;
        if let Ok(url) = Url::parse(&url)
            && !url.is_opaque()
        {
            index.add(&url, status);
        }
    }
}

/// Reads the next line of an index, the one with the number `line`, with its line end into `text`. Returns `false` at the
/// end of the file.
///
/// # Errors
/// Returns an error if the file cannot be read, or the line is longer than 1 MiB.
pub fn next_line(
    file: &mut impl BufRead,
    line: usize,
    text: &mut Vec<u8>,
) -> Result<bool, ContainerError> {
    text.clear();
    let read = file.take(LONGEST_LINE).read_until(b'\n', text)?;
    if u64::try_from(read).is_ok_and(|read| read == LONGEST_LINE) && !text.ends_with(b"\n") {
        return Err(ContainerError::Other(format!("line {line} is longer than 1 MiB")));
    }
    Ok(read > 0)
}

/// The columns of a CDX file, counted from 0.
#[derive(Clone, Copy)]
pub struct Columns {
    /// `a`: the URL.
    url: Option<usize>,
    /// `s`: the status code.
    status: Option<usize>,
    /// `k`: the digest of the payload.
    pub digest: Option<usize>,
    /// `S`: the length of the record in its archive.
    pub length: Option<usize>,
    /// `V`: the offset of the record in its archive.
    pub offset: Option<usize>,
    /// `g`: the name of the archive.
    pub archive: Option<usize>,
}

impl Default for Columns {
    /// The columns that most programs write, for files without a line that names them.
    fn default() -> Columns {
        Columns::of(COLUMNS)
    }
}

impl Columns {
    /// Returns the columns that the first line names, after its `CDX`.
    pub fn of(names: &str) -> Columns {
        let place = |name: &str| names.split_whitespace().position(|it| it == name);
        Columns {
            url: place("a"),
            status: place("s"),
            digest: place("k"),
            length: place("S"),
            offset: place("V"),
            archive: place("g"),
        }
    }

    /// Returns the fields of the line `text`; `None` if it is not about a capture. Takes over the columns that it
    /// names.
    pub fn fields<'t>(&mut self, text: &'t str) -> Option<LineFields<'t>> {
        if let Some(names) = text.trim_start().strip_prefix("CDX ") {
            *self = Columns::of(names);
            return None;
        }
        if text.trim().is_empty() || text.starts_with('!') {
            return None;
        }
        // The key has no spaces: `com,example)/ 20240101000000 {…}`.
        let json = text.splitn(3, ' ').nth(2).filter(|rest| rest.starts_with('{'));
        Some(json.map_or(LineFields::Columns(text), LineFields::Json))
    }
}

/// The fields of a line of an index: a JSON object, or columns.
pub enum LineFields<'t> {
    /// The object.
    Json(&'t str),
    /// The whole line.
    Columns(&'t str),
}

/// The URL, without its fragment, and the status of the capture of a line; `None` if the line is malformed.
fn capture(fields: LineFields<'_>, columns: Columns) -> Option<(String, CaptureStatus)> {
    let (url, status) = match fields {
        LineFields::Json(json) => {
            let fields: Fields = serde_json::from_str(json).ok()?;
            let status = fields.status.map(|it| match it {
                serde_json::Value::String(text) => text,
                other => other.to_string(),
            });
            (fields.url, status.unwrap_or_default())
        }
        LineFields::Columns(line) => {
            let value = |column| line.split_whitespace().nth(column);
            let status = columns.status.and_then(value).unwrap_or_default();
            (value(columns.url?)?.to_owned(), status.to_owned())
        }
    };
    let url = url.split('#').next().unwrap_or_default().to_owned();
    // Where its columns are others, the third one is hardly a URL.
    url.contains(':').then_some(())?;
    let status = match status.parse() {
        Ok(status @ 400..=999) => CaptureStatus::Error(status),
        // Without a status: resources and revisits. Most indexes do not have the targets of redirects.
        _ => CaptureStatus::Listed,
    };
    Some((url, status))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rehref_site::CaptureTarget;

    fn index(text: &str) -> (CaptureIndex, Result<(), ContainerError>) {
        let mut index = CaptureIndex::default();
        let read = lines(text.as_bytes(), &mut index);
        (index, read)
    }

    #[test]
    fn lines_of_all_kinds_are_captures() {
        for text in [
            "!meta 0 {\"format\": \"cdxj\"}\n\
             h)/a 20240101000000 {\"url\": \"http://h/a#f\", \"status\": \"200\", \"mime\": \"text/html\"}\n\
             h)/b 20240101000000 {\"url\": \"http://h/b\", \"status\": 301}\n\
             h)/c 20240101000000 {\"url\": \"http://h/c\", \"status\": \"404\"}\n\
             h)/r 20240101000000 {\"url\": \"http://h/r\"}\n\
             x 20240101000000 {\"url\": \"urn:x\", \"status\": \"200\"}\n",
            " CDX N b a m s k r M S V g\n\
             h)/a 20240101000000 http://h/a text/html 200 K - - 1 2 a.warc.gz\n\
             h)/b 20240101000000 http://h/b text/html 301 K - - 1 2 a.warc.gz\n\
             h)/c 20240101000000 http://h/c text/html 404 K - - 1 2 a.warc.gz\n\
             h)/r 20240101000000 http://h/r warc/revisit - K - - 1 2 a.warc.gz\n",
            "h)/a 20240101000000 http://h/a text/html 200 K - - 1 2 a.warc.gz\r\n\
             h)/b 20240101000000 http://h/b text/html 301 K - - 1 2 a.warc.gz\r\n\
             h)/c 20240101000000 http://h/c text/html 404 K - - 1 2 a.warc.gz\r\n\
             h)/r 20240101000000 http://h/r warc/revisit - K - - 1 2 a.warc.gz\r\n",
            " CDX a b s g\n\
             http://h/a 2024 200 x\nhttp://h/b 2024 301 x\nhttp://h/c 2024 404 x\nhttp://h/r 2024 - x",
        ] {
            let (index, read) = index(text);
            read.unwrap();
            for (url, target) in [
                ("http://h/a", CaptureTarget::Listed),
                ("https://h/b", CaptureTarget::Listed),
                ("http://h/c", CaptureTarget::Error(404)),
                ("http://h/r", CaptureTarget::Listed),
                ("http://h/d", CaptureTarget::NotArchived),
            ] {
                assert_eq!(index.target(url), target, "{url}\n{text}");
            }
        }
    }

    #[test]
    fn what_is_no_index_is_an_error_with_its_line() {
        for (text, line) in [
            ("<!DOCTYPE html>", 1),
            ("h)/a 2024 http://h/a text/html 200\n\nh)/b 2024 {\"url\": 1}", 3),
            ("a b c", 1),
        ] {
            let (_, read) = index(text);
            assert_eq!(read.unwrap_err().to_string(), not_a_line(line).to_string());
        }
        let (_, read) = index(&"x".repeat(3 << 20));
        assert_eq!(read.unwrap_err().to_string(), "line 1 is longer than 1 MiB");
    }
}
