//! The URL template of the documents' sources, on a code host.

use std::path::Path;
use std::str::FromStr;

use crate::finding::ReportedFile;
use rehref_site::path_in_url;

/// The URL of a document's source, or of a file that documents were built from, with `{path}` for its path and
/// `{line}` for the line: `https://github.com/me/site/blob/main/public/{path}#L{line}`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceUrl {
    pub(super) template: String,
    /// True if it is that of the files the site was built from, and not of its documents.
    pub(super) is_of_sources: bool,
}

const PATH: &str = "{path}";
const LINE: &str = "{line}";

impl FromStr for SourceUrl {
    type Err = &'static str;

    fn from_str(template: &str) -> Result<SourceUrl, &'static str> {
        if !["https://", "http://"].iter().any(|scheme| template.starts_with(scheme)) {
            return Err("pass a URL that begins with https:// or http://");
        }
        if !template.contains(PATH) {
            return Err(
                "the URL has no {path}; write {path} for the path of the document, and {line} for the line",
            );
        }
        Ok(SourceUrl { template: template.to_owned(), is_of_sources: false })
    }
}

impl SourceUrl {
    /// Returns the URL, marked as one for the sources from which the documents were built.
    #[must_use]
    pub fn for_sources(self) -> SourceUrl {
        SourceUrl { is_of_sources: true, ..self }
    }

    /// Returns true if `file` has such a URL.
    pub(super) fn is_for(&self, file: ReportedFile<'_>) -> bool {
        matches!(file, ReportedFile::Source(_)) == self.is_of_sources
    }

    /// Returns the URL of a document, at a line; the first if the finding has none.
    pub(super) fn of(&self, document: &str, line: Option<usize>) -> String {
        let line = line.unwrap_or(1).to_string();
        // The path last: it may hold `{line}`.
        let url = self.template.replace(LINE, &line);
        url.replace(PATH, &path_in_url(Path::new(document)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_has_a_url() {
        let template = "https://example.org/blob/main/{path}#L{line}";
        let url: SourceUrl = template.parse().unwrap();
        for (document, line, expected) in [
            ("a/b.html", Some(7), "a/b.html#L7"),
            ("a b#?.html", None, "a%20b%23%3F.html#L1"),
            ("{line}.html", Some(2), "%7Bline%7D.html#L2"),
        ] {
            let expected = format!("https://example.org/blob/main/{expected}");
            assert_eq!(url.of(document, line), expected);
        }
        for (template, error) in [
            ("javascript:{path}", "begins with https://"),
            ("example.org/{path}", "begins with https://"),
            ("https://example.org/", "has no {path}"),
        ] {
            assert!(template.parse::<SourceUrl>().unwrap_err().contains(error), "{template}");
        }
    }
}
