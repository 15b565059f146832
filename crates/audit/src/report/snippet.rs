//! Lines of source, cut to the width of the report, with the references marked. For many findings, each document is
//! read once, and each line passed over once.

use unicode_width::UnicodeWidthChar;

use super::super::finding::{Finding, ReportedFile};
use super::super::line_index::spots;
use super::escape::is_unseen;
use rehref_document::Position;

/// The text for a tab. Lines are cut anywhere, so tab stops would be lost.
const TAB: &str = "    ";

/// A line in three printable parts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Snippet {
    /// The text before the mark.
    pub(super) before: String,
    /// The marked text; empty at the end of a line or for an empty reference.
    pub(super) marked: String,
    /// The text after the mark.
    pub(super) after: String,
    /// The width of `before` in columns.
    pub(super) offset: usize,
    /// The width of the mark in columns; at least one.
    pub(super) width: usize,
}

/// Cuts a line to at most `room` columns around the mark at the start of `rest`, which comes after
/// `before` in it. Reads no more of the line than it shows: the line may be a whole minified document.
pub(super) fn snippet(before: &str, rest: &str, mark: Mark<'_>, room: usize) -> Snippet {
    let length = extent(before.chars().next_back(), rest, mark);
    let (marked, after) = rest.split_at_checked(length).unwrap_or((rest, ""));

    // The mark comes first. A third of the room that is left goes to the text before it; room that
    // one side does not need goes to the other.
    let marked = fit(marked.chars(), room);
    let left = room.saturating_sub(marked.width);
    let front = fit(before.chars().rev(), left);
    let back = fit(after.chars(), left);
    let (front, back) = if front.width + back.width <= left {
        (front, back)
    } else {
        let for_front = (left / 3).max(left.saturating_sub(back.width));
        let front = fit(before.chars().rev(), for_front);
        let for_back = left.saturating_sub(front.width);
        (front, fit(after.chars(), for_back))
    };
    Snippet {
        before: printable(front.shown.iter().rev()),
        offset: front.width,
        width: marked.width.max(1),
        marked: printable(marked.shown.iter()),
        after: printable(back.shown.iter()),
    }
}

/// The start of a text that fits.
struct Fitted {
    /// The characters, not yet printable.
    shown: Vec<char>,
    /// The columns of their printable forms.
    width: usize,
}

/// Takes as many characters as fit into `room` columns, and an ellipsis if some do not.
fn fit(chars: impl Iterator<Item = char>, room: usize) -> Fitted {
    let mut shown = Vec::new();
    let mut width = 0;
    for c in chars {
        width += columns(c);
        shown.push(c);
        if width > room {
            while width + 1 > room
                && let Some(c) = shown.pop()
            {
                width -= columns(c);
            }
            if width < room {
                shown.push('…');
                width += 1;
            }
            break;
        }
    }
    Fitted { shown, width }
}

/// The width of a character's printable form in columns.
fn columns(c: char) -> usize {
    match c {
        ' '..='~' => 1,
        '\t' => TAB.len(),
        _ if is_unseen(c) => c.escape_default().count(),
        _ => c.width().unwrap_or(0),
    }
}

/// The printable forms of characters.
fn printable<'c>(chars: impl Iterator<Item = &'c char>) -> String {
    let mut text = String::new();
    for &c in chars {
        match c {
            '\t' => text.push_str(TAB),
            _ if is_unseen(c) => text.extend(c.escape_default()),
            _ => text.push(c),
        }
    }
    text
}

/// The marked part of a line.
#[derive(Clone, Copy, Debug)]
pub(super) enum Mark<'m> {
    /// The reference; a word if there is none.
    Reference(Option<&'m str>),
    /// A number of characters.
    Characters(u32),
}

/// The length of the mark at the start of `rest`, in bytes. If the source has character
/// references or escapes, the reference ends with its value: at the quote `before` it, if any.
fn extent(before: Option<char>, rest: &str, mark: Mark<'_>) -> usize {
    let reference = match mark {
        Mark::Reference(reference) => reference,
        Mark::Characters(number) => {
            let number = usize::try_from(number).unwrap_or(usize::MAX);
            return rest.char_indices().nth(number).map_or(rest.len(), |(end, _)| end);
        }
    };
    let end = match (reference, before) {
        (Some(reference), _) if rest.starts_with(reference) => Some(reference.len()),
        (Some(_), Some(quote @ ('"' | '\''))) => rest.find(quote),
        _ => rest.find(ends_word),
    };
    end.unwrap_or(rest.len())
}

fn ends_word(c: char) -> bool {
    c.is_whitespace() || matches!(c, '"' | '\'' | '<' | '>' | '`')
}

/// Returns the snippets of `findings` where they are reported, in their order; `None` for a finding without a place,
/// and if the file has no such line. `source` returns a file, decoded; `room` is the width for a line, given its
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

    /// The snippet and, below it, its mark.
    fn drawn(line: &str, column: usize, reference: Option<&str>, room: usize) -> String {
        let line = line.trim_end();
        let start = line.char_indices().nth(column - 1);
        let (before, rest) = line.split_at(start.map_or(line.len(), |(at, _)| at));
        let s = snippet(before, rest, Mark::Reference(reference), room);
        let shown: usize = (s.before.clone() + &s.marked + &s.after)
            .chars()
            .filter_map(UnicodeWidthChar::width)
            .sum();
        assert!(shown <= room, "{shown} columns of {room}: {s:?}");
        let mark = " ".repeat(s.offset) + &"^".repeat(s.width);
        format!("{}{}{}\n{mark}", s.before, s.marked, s.after)
    }

    #[test]
    fn the_mark_is_under_the_reference() {
        for (line, column, reference, room, expected) in [
            ("<a href=x>", 9, Some("x"), 40, "<a href=x>\n        ^"),
            ("<a href=\"x y\">", 10, Some("x y"), 40, "<a href=\"x y\">\n         ^^^"),
            // Written with a character reference, with quotes and without.
            ("<a href='a&amp;b' c>", 10, Some("a&b"), 40, "<a href='a&amp;b' c>\n         ^^^^^^^"),
            ("<a href=a&amp;b c>", 9, Some("a&b"), 40, "<a href=a&amp;b c>\n        ^^^^^^^"),
            ("<a href=\"\">", 10, Some(""), 40, "<a href=\"\">\n         ^"),
            // The value continues on the next line.
            ("<a href=\"x", 10, Some("x\ny"), 40, "<a href=\"x\n         ^"),
            ("\t<a\thref=x>  ", 10, Some("x"), 40, "    <a    href=x>\n               ^"),
            (
                "漢字 <img src=絵.png>",
                13,
                Some("絵.png"),
                40,
                "漢字 <img src=絵.png>\n              ^^^^^^",
            ),
            ("e\u{301}<a href=x>", 11, Some("x"), 40, "e\u{301}<a href=x>\n         ^"),
            (
                "\x1b[1m<a href=x\0y>",
                13,
                Some("x\0y"),
                40,
                "\\u{1b}[1m<a href=x\\u{0}y>\n                 ^^^^^^^",
            ),
            ("<base>", 2, None, 40, "<base>\n ^^^^"),
            // Nothing there: the file is another by now.
            ("ab", 9, Some("x"), 40, "ab\n  ^"),
            ("", 1, Some("x"), 40, "\n^"),
        ] {
            assert_eq!(drawn(line, column, reference, room), expected, "{line}");
        }
    }

    #[test]
    fn no_more_of_a_line_is_read_than_shown() {
        let mut read = 0;
        let line = std::iter::repeat_n('a', 1000).inspect(|_| read += 1);
        let fitted = fit(line, 10);
        assert_eq!((fitted.shown.len(), fitted.width), (10, 10));
        assert_eq!(read, 11);
    }

    #[test]
    fn long_lines_are_cut_around_the_mark() {
        let line = format!("{}XYZ{}", "a".repeat(50), "b".repeat(50));
        for (line, column, reference, room, expected) in [
            (line.as_str(), 51, "XYZ", 20, "…aaaaXYZbbbbbbbbbbb…\n     ^^^"),
            (&line[45..], 6, "XYZ", 20, "aaaaaXYZbbbbbbbbbbb…\n     ^^^"),
            (&line[..60], 51, "XYZ", 20, "…aaaaaaaaaXYZbbbbbbb\n          ^^^"),
            (&line[..53], 51, "XYZ", 20, "…aaaaaaaaaaaaaaaaXYZ\n                 ^^^"),
            ("<a href=0123456789>", 9, "0123456789", 8, "0123456…\n^^^^^^^^"),
            ("漢字漢字漢字漢字", 4, "字", 7, "…字漢…\n ^^"),
        ] {
            assert_eq!(drawn(line, column, Some(reference), room), expected, "{line}");
        }
    }

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
