//! `rehref links`: every reference of a site, as data.

use std::io;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::exit::{CliError, Exit};
use super::opened::ReadingArguments;
use super::place;
use super::progress::Listing;
use super::terminal;
use crate::audit::links::{Link, of_document};

/// Print every link of a site, as data
///
/// Prints one record per link, in the order of the tree and of each document: document, line,
/// column, element, attribute, carrier, the reference as written, its base URL, target, fragment and
/// kind, and for a link into the site the file that serves it.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[arg(value_name = "SITE", help = place::help(""))]
    place: PathBuf,
    /// Format of the records
    #[arg(long, value_name = "FORMAT", default_value = "jsonl")]
    format: Format,
    #[command(flatten)]
    reading: ReadingArguments,
}

/// `--format`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// One JSON object per line
    Jsonl,
    /// Comma-separated values with a header line; text that spreadsheets would read as a formula gets a
    /// ' before it
    Csv,
}

pub(super) fn run(arguments: Arguments) -> Result<Exit, CliError> {
    let site = arguments.reading.open(&arguments.place)?;
    let records = match arguments.format {
        Format::Jsonl => jsonl,
        Format::Csv => {
            terminal::print(FIELDS.join(",") + "\n")?;
            csv
        }
    };
    site.each_document(
        Listing::Names,
        |index, document| Ok(records(&of_document(index, document)?)),
        |text| terminal::write_stdout(&text?),
    )
}

fn jsonl(links: &[Link]) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    for link in links {
        serde_json::to_writer(&mut text, link)?;
        text.push(b'\n');
    }
    Ok(text)
}

/// The fields of a [`Link`], in order: the header of CSV, also without records.
#[rustfmt::skip]
const FIELDS: [&str; 13] = [
    "document", "line", "column", "element", "attribute", "carrier", "reference",
    "base", "target", "fragment", "kind", "file", "found",
];

fn csv(links: &[Link]) -> io::Result<Vec<u8>> {
    let mut writer = csv::WriterBuilder::new()
        .has_headers(false)
        .from_writer(Vec::new());
    for link in links {
        match texts(link).any(is_formula) {
            true => writer.serialize(quoted(link))?,
            false => writer.serialize(link)?,
        }
    }
    writer.into_inner().map_err(|error| error.into_error())
}

/// Whether a spreadsheet would compute `text`: whoever opens the file would run what the author of a page
/// wrote.
fn is_formula(text: &str) -> bool {
    text.starts_with(['=', '+', '-', '@', '\t', '\r'])
}

/// The fields that hold text of pages.
fn texts(link: &Link) -> impl Iterator<Item = &str> {
    let texts = [
        &*link.document,
        &*link.element,
        &*link.attribute,
        &*link.reference,
    ];
    let optional = [&link.base, &link.target, &link.fragment, &link.file];
    let optional = optional.into_iter().flatten().map(String::as_str);
    texts.into_iter().chain(optional)
}

/// The record with a `'` before each formula.
fn quoted(link: &Link) -> Link {
    let quoted = |text: &str| match is_formula(text) {
        true => format!("'{text}"),
        false => text.to_owned(),
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
        ] {
            let text = String::from_utf8(csv(&[link(reference, fragment)]).unwrap()).unwrap();
            assert!(text.contains(expected), "{text}");
        }
    }
}
