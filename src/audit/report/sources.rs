//! The snippets of many findings: each document is read once, and each line passed over once.

use super::super::finding::Finding;
use super::snippet::{Snippet, snippet};

/// The snippets of `findings`, in their order; `None` for a finding without a place, and if the document
/// has no such line. `source` returns a document, decoded; `room` is the width for a line, given its
/// number.
pub(super) fn snippets(
    findings: &[&Finding],
    source: &dyn Fn(&str) -> Option<String>,
    room: impl Fn(usize) -> usize,
) -> Vec<Option<Snippet>> {
    let mut places: Vec<Place<'_>> = findings
        .iter()
        .enumerate()
        .filter_map(|(at, finding)| {
            Some(Place {
                document: &finding.location.path,
                line: finding.line()?,
                column: finding.column()?,
                reference: finding.reference.as_deref(),
                at,
            })
        })
        .collect();
    places.sort_unstable();
    let mut snippets = vec![None; findings.len()];
    for places in places.chunk_by(|one, other| one.document == other.document) {
        let text = places.first().and_then(|place| source(place.document));
        let Some(text) = text else { continue };
        let ends = memchr::memchr_iter(b'\n', text.as_bytes()).chain([text.len()]);
        let starts = std::iter::once(0).chain(ends.clone().map(|end| end + 1));
        let mut lines = starts.zip(ends).zip(1..);
        for places in places.chunk_by(|one, other| one.line == other.line) {
            let number = places.first().map_or(0, |place| place.line);
            let Some(((start, end), _)) = lines.find(|(_, line)| *line == number) else {
                break;
            };
            let line = text.get(start..end).unwrap_or_default();
            in_line(line, places, room(number), &mut snippets);
        }
    }
    snippets
}

/// The place of a finding.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Place<'f> {
    document: &'f str,
    line: usize,
    column: usize,
    reference: Option<&'f str>,
    /// The number of the finding.
    at: usize,
}

/// Sets the snippets of findings in one line, by column.
fn in_line(line: &str, places: &[Place<'_>], room: usize, snippets: &mut [Option<Snippet>]) {
    let line = line.trim_end();
    let mut ends = line.char_indices().map(|(at, _)| at);
    let (mut column, mut start) = (0, 0);
    for place in places {
        let further = place.column.saturating_sub(column);
        if let Some(last) = further.checked_sub(1) {
            start = ends.nth(last).unwrap_or(line.len());
            column = place.column;
        }
        let (before, rest) = line.split_at_checked(start).unwrap_or((line, ""));
        if let Some(found) = snippets.get_mut(place.at) {
            *found = Some(snippet(before, rest, place.reference, room));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::Check;
    use crate::diagnostic::Location;
    use crate::document::Position;
    use std::cell::RefCell;

    #[test]
    fn every_finding_has_its_snippet_and_every_document_is_read_once() {
        let finding = |document: &str, line, column| {
            let location = Location {
                path: document.into(),
                position: Some(Position { line, column }),
                ..Location::default()
            };
            Finding::new(Check::BrokenTarget, location, String::new())
        };
        let findings = [
            finding("b", 2, 3),
            finding("a", 1, 6),
            finding("b", 2, 3),
            finding("b", 2, 1),
            finding("a", 1, 4),
            finding("b", 9, 1),
            finding("none", 1, 1),
            finding("b", 1, 9),
            finding("b", 3, 1),
            Finding::of_file(Check::Orphan, "b".to_owned(), String::new()),
        ];
        let read = RefCell::new(Vec::new());
        let source = |document: &str| {
            read.borrow_mut().push(document.to_owned());
            match document {
                "a" => Some("äö ü ß".to_owned()),
                "b" => Some("one\r\nx yz w  \r\n".to_owned()),
                _ => None,
            }
        };
        let found = snippets(&findings.each_ref(), &source, |_| 80);
        let parts = found.iter().map(|snippet| {
            let snippet = snippet.as_ref()?;
            Some((&*snippet.before, &*snippet.marked, &*snippet.after))
        });
        assert_eq!(
            parts.collect::<Vec<_>>(),
            [
                Some(("x ", "yz", " w")),
                Some(("äö ü ", "ß", "")),
                Some(("x ", "yz", " w")),
                Some(("", "x", " yz w")),
                Some(("äö ", "ü", " ß")),
                None,
                None,
                Some(("one", "", "")),
                Some(("", "", "")),
                None,
            ]
        );
        assert_eq!(*read.borrow(), ["a", "b", "none"]);
    }
}
