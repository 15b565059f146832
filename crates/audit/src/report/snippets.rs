//! The snippets of many findings: each document is read once, and each line passed over once.

use super::super::finding::{Finding, ReportedFile};
use super::super::line_index::spots;
use super::snippet::{Mark, Snippet, snippet};
use rehref_document::Position;

/// The snippets of `findings` where they are reported, in their order; `None` for a finding without a place, and
/// if the file has no such line. `source` returns a file, decoded; `room` is the width for a line, given its
/// number.
pub(super) fn snippets(
    findings: &[&Finding],
    source: &dyn Fn(ReportedFile<'_>) -> Option<String>,
    room: impl Fn(usize) -> usize,
) -> Vec<Option<Snippet>> {
    let mut places: Vec<FindingPlace<'_>> = findings
        .iter()
        .enumerate()
        .filter_map(|(at, finding)| {
            let place = finding.reported();
            Some(FindingPlace { file: place.file, position: place.position?, finding, at })
        })
        .collect();
    places.sort_unstable_by_key(|place| (place.file, place.position, place.at));
    let mut snippets = vec![None; findings.len()];
    for places in places.chunk_by(|one, other| one.file == other.file) {
        let text = places.first().and_then(|place| source(place.file));
        let Some(text) = text else { continue };
        let positions: Vec<Position> = places.iter().map(|place| place.position).collect();
        for (place, spot) in places.iter().zip(spots(&text, &positions)) {
            let Some(spot) = spot else { continue };
            let before = text.get(spot.line.start..spot.at).unwrap_or_default();
            let rest = text.get(spot.at..spot.line.end).unwrap_or_default();
            let room = room(place.position.line);
            if let Some(found) = snippets.get_mut(place.at) {
                let mark = match &place.finding.source {
                    Some(source) => Mark::Characters(source.width),
                    None => Mark::Reference(place.finding.reference.as_deref()),
                };
                *found = Some(snippet(before, rest, mark, room));
            }
        }
    }
    snippets
}

/// The place of a finding.
struct FindingPlace<'f> {
    file: ReportedFile<'f>,
    position: Position,
    finding: &'f Finding,
    /// The number of the finding.
    at: usize,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Check;
    use rehref_document::Position;
    use rehref_site::Location;
    use std::cell::RefCell;

    #[test]
    fn every_finding_has_its_snippet_and_every_document_is_read_once() {
        let finding = |document: &str, line, column| {
            let position = Some(Position { line, column });
            let location = Location::new(document, position, "", "");
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
        let source = |file: ReportedFile<'_>| {
            let (ReportedFile::Document(document) | ReportedFile::Source(document)) = file;
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
