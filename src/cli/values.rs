//! Values of options that several subcommands share: their choices, parsers and help.

use std::num::NonZeroUsize;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use encoding_rs::Encoding;

use rehref_rewrite::BaseElements;
use rehref_url::{RelativeForm, Standard};

/// Parses the number of threads.
pub(super) fn threads(number: &str) -> Result<NonZeroUsize, String> {
    let number = number.parse();
    number.map_err(|_| "pass a number, 1 or more; remove the option for one thread per core".into())
}

/// Help for `--format parquet`.
pub(super) const PARQUET_HELP: &str = "Apache Parquet, for DuckDB, Spark and data frames";

/// Help for `--standard`.
pub(super) const STANDARD_HELP: &str = "Standard that defines how links resolve";

/// Parses the name of a standard; help lists them all.
pub(super) fn standard() -> impl TypedValueParser<Value = Standard> {
    PossibleValuesParser::new(standard_names()).try_map(|name| name.parse::<Standard>())
}

/// Returns the names of all standards.
pub(super) fn standard_names() -> impl Iterator<Item = PossibleValue> {
    Standard::all().map(|standard| {
        PossibleValue::new(standard.name()).aliases(standard.aliases()).help(standard.description())
    })
}

/// Help for `--charset`.
pub(super) const CHARSET_HELP: &str =
    "Charset of documents without a byte order mark, whatever they declare";

/// Parses the label of a charset.
pub(super) fn charset(label: &str) -> Result<&'static Encoding, String> {
    Encoding::for_label(label.as_bytes()).ok_or_else(|| {
        "unknown charset\nhelp: pass a label like utf-8, windows-1252 or shift_jis".into()
    })
}

/// Help for `--max-document-size`.
pub(super) const MAX_SIZE_HELP: &str =
    "Skip larger documents, with an error for each [default: no limit]";
pub(super) const MAX_SIZE_LONG_HELP: &str = "Skip larger documents, with an error for each: 500K, 16M or 2G (powers of 1024), or a number of bytes [default: no limit]

For a compressed page or a record of an archive, the limit applies to the decompressed size. Without this option, a document may use all free memory.";

/// The units of sizes, each with its number of bytes.
const UNITS: [(&str, u64); 4] = [("", 1), ("K", 1 << 10), ("M", 1 << 20), ("G", 1 << 30)];

/// Parses a size in bytes, with a unit.
pub(super) fn size(given: &str) -> Result<u64, String> {
    let digits = given.trim_end_matches(|c: char| !c.is_ascii_digit());
    let unit = given.get(digits.len()..).unwrap_or_default();
    // MB, MiB and m, as other programs write them.
    let short = unit.to_ascii_uppercase();
    let short = short.strip_suffix("IB").or(short.strip_suffix('B')).unwrap_or(&short);
    let unit = UNITS.iter().find(|(name, _)| *name == short);
    let size = unit.zip(digits.parse::<u64>().ok());
    let size = size.and_then(|((_, bytes), count)| count.checked_mul(*bytes));
    size.filter(|size| *size > 0)
        .ok_or_else(|| "pass a number of bytes, or one with a unit: 500K, 16M or 2G".into())
}

/// The format of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReportFormat {
    Text,
    Json,
}

/// `--format` of commands whose report is one object; the first is the default.
pub(super) const REPORT_FORMATS: [Choice<ReportFormat>; 2] = [
    ("text", "Human-readable text", ReportFormat::Text),
    ("json", "One JSON object", ReportFormat::Json),
];

/// `--format` of commands whose result is a list; the first is the default.
pub(super) const LIST_FORMATS: [Choice<ReportFormat>; 2] = [
    ("text", "Human-readable text", ReportFormat::Text),
    ("json", "One JSON object per line", ReportFormat::Json),
];

/// A value of an option: its name on the command line, its help (may be empty), and its meaning.
pub(super) type Choice<T> = (&'static str, &'static str, T);

/// Parses the name of one of `choices`; help lists them all.
pub(super) fn one_of<T: Copy + Send + Sync + 'static>(
    choices: impl IntoIterator<Item = Choice<T>>,
) -> impl TypedValueParser<Value = T> {
    let choices: Vec<Choice<T>> = choices.into_iter().collect();
    let names = choices.iter().map(|&(name, help, _)| {
        PossibleValue::new(name).help(Some(help).filter(|help| !help.is_empty()))
    });
    PossibleValuesParser::new(names.collect::<Vec<_>>()).try_map(move |given| {
        let choice = choices.iter().find(|(name, ..)| *name == given);
        choice.map(|(_, _, value)| *value).ok_or("unknown value")
    })
}

/// `--base-element` of `relative` and `move`.
#[rustfmt::skip]
pub(super) const BASE_CHOICES: [Choice<BaseElements>; 3] = [
    ("auto", "Remove base elements, except in documents with scripts, which may create links that resolve \
              against them",
        BaseElements::DropWithoutScripts),
    ("keep", "Keep base elements, and update their URLs", BaseElements::Keep),
    ("drop", "Remove base elements, and make links relative to the document's own URL", BaseElements::Drop),
];

/// The target form of rewritten references; `None` keeps the author's. The alias hides the `Option` from
/// clap, which would treat the argument as optional.
pub(super) type Form = Option<RelativeForm>;

/// `--form` of `relative` and `move`.
#[rustfmt::skip]
pub(super) const FORMS: [Choice<Form>; 4] = [
    ("path", "Relative to the document: ../a/b.html", Some(RelativeForm::Path)),
    ("root", "Relative to the root of the host: /docs/a/b.html", Some(RelativeForm::Root)),
    ("scheme", "Relative to the scheme: //example.org/docs/a/b.html", Some(RelativeForm::Scheme)),
    ("shortest", "The shortest of path, root and scheme", Some(RelativeForm::Shortest)),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_is_a_number_with_a_unit() {
        for (text, bytes) in [
            ("1", Some(1)),
            ("500K", Some(500 << 10)),
            ("16M", Some(16 << 20)),
            ("16m", Some(16 << 20)),
            ("16MiB", Some(16 << 20)),
            ("16MB", Some(16 << 20)),
            ("2G", Some(2 << 30)),
            ("12b", Some(12)),
            ("0", None),
            ("0M", None),
            ("", None),
            ("M", None),
            ("1.5M", None),
            ("-1", None),
            ("16 M", None),
            ("16T", None),
            ("18446744073709551615K", None),
        ] {
            assert_eq!(size(text).ok(), bytes, "{text}");
        }
    }
}
