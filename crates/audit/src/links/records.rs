//! Links as lines of JSON and CSV. They stand here, and not in the command, since there are millions of them: this crate
//! is compiled for speed.

use std::io;

use rehref_site::diagnostic::{escape_json, escaped, is_unseen, place_in_words};

use super::Link;

/// Adds `link` to `text` as a line of JSON.
///
/// # Errors
/// Never, for a link is text and numbers.
pub fn add_json_line(text: &mut Vec<u8>, link: &Link) -> io::Result<()> {
    let start = text.len();
    serde_json::to_writer(&mut *text, link)?;
    escape_json(text, start);
    text.push(b'\n');
    Ok(())
}

/// Adds `link` to `text` as a line for people: its place, the reference and the target.
pub fn add_text_line(text: &mut Vec<u8>, link: &Link) {
    let Link { document, line, column, reference, kind, file, found, .. } = link;
    let place = place_in_words(document, &link.element, &link.attribute);
    let place = if place.is_empty() { place } else { format!(" in {place}") };
    let target = match (file, found) {
        (Some(file), _) => file,
        (None, Some(false)) => "the file does not exist",
        (None, _) => kind,
    };
    let shown = format!("{document}:{line}:{column}: {reference}{place}: {target}");
    text.extend_from_slice(escaped(&shown).as_bytes());
    text.push(b'\n');
}

/// A writer of CSV, with one line for each link.
#[derive(Debug)]
pub struct CsvRecords(Box<csv::Writer<Vec<u8>>>);

impl Default for CsvRecords {
    fn default() -> CsvRecords {
        let mut writer = csv::WriterBuilder::new();
        let writer = writer.has_headers(false).from_writer(Vec::new());
        CsvRecords(Box::new(writer))
    }
}

impl CsvRecords {
    /// Adds a line of CSV for `link`.
    ///
    /// # Errors
    /// Never, for a link is text and numbers.
    pub fn add(&mut self, link: &Link) -> io::Result<()> {
        if texts(link).any(is_quoted) {
            self.0.serialize(quoted(link))?
        } else {
            self.0.serialize(link)?
        }
        Ok(())
    }

    /// Returns the CSV text.
    ///
    /// # Errors
    /// Never, for memory takes all of them.
    pub fn finish(self) -> io::Result<Vec<u8>> {
        self.0.into_inner().map_err(|error| error.into_error())
    }
}

/// The names of the fields of a [`Link`], in order. They form the first line of the CSV, even without links.
#[rustfmt::skip]
pub const FIELDS: [&str; 13] = [
    "document", "line", "column", "element", "attribute", "carrier", "reference",
    "base", "target", "fragment", "kind", "file", "found",
];

/// Returns true if a spreadsheet would compute `text`: whoever opens the file would run what the author of a page
/// wrote.
fn is_formula(text: &str) -> bool {
    text.starts_with(['=', '+', '-', '@', '\t', '\r'])
}

/// Returns true if `text` is not written as it is: spreadsheets would compute it, or it could steer a terminal or
/// begin a line of a log, where CI servers read commands.
fn is_quoted(text: &str) -> bool {
    is_formula(text) || text.contains(is_unseen)
}

/// The fields that hold text of pages.
fn texts(link: &Link) -> impl Iterator<Item = &str> {
    let texts = [&*link.document, &*link.element, &*link.attribute, &*link.reference];
    let optional = [&link.base, &link.target, &link.fragment, &link.file];
    let optional = optional.into_iter().flatten().map(String::as_str);
    texts.into_iter().chain(optional)
}

/// The record with a `'` before each formula, and with control characters escaped.
fn quoted(link: &Link) -> Link {
    let quoted = |text: &str| {
        if is_formula(text) { format!("'{}", escaped(text)) } else { escaped(text).into_owned() }
    };
    let quoted_if_any = |text: &Option<String>| text.as_deref().map(quoted);
    Link {
        document: quoted(&link.document),
        element: quoted(&link.element).into(),
        attribute: quoted(&link.attribute).into(),
        reference: quoted(&link.reference),
        base: quoted_if_any(&link.base),
        target: quoted_if_any(&link.target),
        fragment: quoted_if_any(&link.fragment),
        file: quoted_if_any(&link.file),
        ..link.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_for_people_has_the_place_and_the_target() {
        let link = Link {
            document: "a.html".to_owned(),
            line: 1,
            column: 9,
            element: "a".into(),
            attribute: "href".into(),
            reference: "x\u{1b}#y".to_owned(),
            kind: "internal",
            ..Link::default()
        };
        for (file, found, kind, expected) in [
            (Some("b/x"), Some(true), "internal", "b/x"),
            (None, Some(false), "internal", "the file does not exist"),
            (None, Some(true), "part", "part"),
            (None, None, "external", "external"),
        ] {
            let mut text = Vec::new();
            let file = file.map(str::to_owned);
            add_text_line(&mut text, &Link { file, found, kind, ..link.clone() });
            let text = String::from_utf8(text).unwrap();
            assert_eq!(text, format!("a.html:1:9: x\\u{{1b}}#y in <a> href: {expected}\n"));
        }
    }

    #[test]
    fn spreadsheets_find_no_formulas() {
        let link = |reference: &str, fragment: Option<&str>| Link {
            reference: reference.to_owned(),
            fragment: fragment.map(str::to_owned),
            ..Link::default()
        };
        for (reference, fragment, expected) in [
            ("a=b", Some("c"), ",a=b,,,c,"),
            ("=cmd|'/C calc'!A0", None, ",'=cmd|'/C calc'!A0,,"),
            ("#@x", Some("@x"), ",#@x,,,'@x,"),
            ("a\n::error::b", None, ",a\\n::error::b,,"),
            ("\t=a\x1b[1m", None, ",'\\t=a\\u{1b}[1m,,"),
        ] {
            let mut records = CsvRecords::default();
            records.add(&link(reference, fragment)).unwrap();
            let text = String::from_utf8(records.finish().unwrap()).unwrap();
            assert!(text.contains(expected), "{text}");
        }
    }
}
