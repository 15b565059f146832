//! Keeping the author's spelling: the smallest edit that gives a reference the wanted target.
//!
//! The wanted reference is a serialization: escaped and normalized. The author may have written
//! `grüße.html` where it has `gr%C3%BC%C3%9Fe.html`; both resolve to the same target. So as much of the
//! author's reference as possible stays. It is cut at the borders of components and path segments, and
//! every cut is proved by resolving the result.

use encoding_rs::Encoding;

use super::components::Components;
use super::form::ReferenceForm;
use super::grammar;
use super::record::Url;
use super::segment::dot_segment;
use super::standard::Standard;
use crate::Span;
use crate::TextEdit;

impl Url {
    /// Returns the smallest edit that gives the reference `author` the target and the form (absolute, relative to the
    /// root, ...) of the reference `wanted`. Both resolve against this URL, the base URL after the edit.
    ///
    /// `query_encoding` is the encoding of the document, with which the query of `author` is resolved.
    pub fn respell(
        &self,
        author: &str,
        wanted: &str,
        query_encoding: &'static Encoding,
    ) -> TextEdit {
        // Browsers drop C0 controls and spaces at both ends, so they are not part of the reference.
        let start = author.len() - author.trim_start_matches(|c: char| c <= ' ').len();
        let core = author.trim_matches(|c: char| c <= ' ');
        if core.contains(['\t', '\n', '\r']) {
            return TextEdit::new(start..start + core.len(), wanted);
        }
        let edit = match self.resolve(wanted, query_encoding) {
            Ok(target) => respell(core, wanted, |reference| {
                // A serialization parses to itself.
                reference == target.as_str() || self.resolves_to(reference, query_encoding, &target)
            }),
            Err(_) => TextEdit::new(0..core.len(), wanted),
        };
        edit.shifted(start)
    }
}

impl Standard {
    /// As `Url::respell`, under another standard.
    #[doc(hidden)]
    pub fn respell(
        self,
        base: &str,
        author: &str,
        wanted: &str,
        query_encoding: &'static Encoding,
    ) -> TextEdit {
        match (self, Url::parse(base)) {
            (Self::Whatwg, Ok(base)) => base.respell(author, wanted, query_encoding),
            _ => match self.resolve(base, wanted, query_encoding) {
                Ok(target) => respell(author, wanted, |reference| {
                    let resolved = self.resolve(base, reference, query_encoding);
                    resolved.is_ok_and(|resolved| resolved == target)
                }),
                Err(_) => TextEdit::new(0..author.len(), wanted),
            },
        }
    }
}

fn respell(author: &str, wanted: &str, resolves: impl Fn(&str) -> bool) -> TextEdit {
    if author == wanted {
        return TextEdit::new(0..0, "");
    }
    let is_as_wanted = |candidate: &str| {
        ReferenceForm::of(candidate) == ReferenceForm::of(wanted) && resolves(candidate)
    };
    let (mine, theirs) = (Cuts::new(author), Cuts::new(wanted));
    let tail = longest(&tails(&mine, &theirs), |(from, to)| {
        let head = wanted.get(..to).unwrap_or_default();
        let tail = author.get(from..).unwrap_or_default();
        is_as_wanted(&format!("{head}{tail}"))
    });
    let (from, to) = tail.unwrap_or((author.len(), wanted.len()));
    let edit = |(start, middle): Cut| {
        TextEdit::new(start..from, wanted.get(middle..to).unwrap_or_default())
    };
    let head =
        longest(&heads(&mine, &theirs, from, to), |cut| is_as_wanted(&edit(cut).apply(author)));
    edit(head.unwrap_or((0, 0)))
}

/// An offset in the author's reference and the corresponding one in the wanted reference.
type Cut = (usize, usize);

/// The first of `cuts` that `works`. Each cut keeps less of the author's reference than the one before
/// it. The first cut nearly always works, so it is tried alone. After a cut that works nearly all work,
/// so a binary search finds the first of the others.
fn longest(cuts: &[Cut], works: impl Fn(Cut) -> bool) -> Option<Cut> {
    let (&first, rest) = cuts.split_first()?;
    if works(first) {
        return Some(first);
    }
    let at = rest.partition_point(|&cut| !works(cut));
    rest.get(at).copied()
}

/// The cuts after which the author's bytes may stay, the longest tail first.
fn tails(mine: &Cuts<'_>, theirs: &Cuts<'_>) -> Vec<Cut> {
    let mut tails: Vec<Cut> = mine
        .segments
        .iter()
        .rev()
        .zip(theirs.segments.iter().rev())
        .take_while(|(one, other)| may_be_equal(mine.slice(**one), theirs.slice(**other)))
        .map(|(one, other)| (one.start, other.start))
        .collect();
    if let (Some(one), Some(other)) = (mine.authority_start, theirs.authority_start) {
        tails.push((one, other));
    }
    tails.reverse();
    tails.push((mine.path_end, theirs.path_end));
    tails.push((mine.query_end, theirs.query_end));
    tails
}

/// The cuts up to which the author's bytes may stay when the tail begins at `from` and `to`, the
/// longest head first.
fn heads(mine: &Cuts<'_>, theirs: &Cuts<'_>, from: usize, to: usize) -> Vec<Cut> {
    let start = (mine.names_start, theirs.names_start);
    if mine.text.get(..start.0) != theirs.text.get(..start.1) || start.0 > from || start.1 > to {
        return Vec::new();
    }
    let mut heads = vec![start];
    let segments = mine.segments.iter().zip(&theirs.segments);
    heads.extend(
        segments
            .take_while(|(one, other)| {
                // A segment with its slash, before the tail.
                one.end < from
                    && other.end < to
                    && may_be_equal(mine.slice(**one), theirs.slice(**other))
            })
            .map(|(one, other)| (one.end + 1, other.end + 1)),
    );
    heads.reverse();
    heads
}

/// Returns true if two segments may resolve to the same: they are equal, or one has characters that parsing may
/// change.
fn may_be_equal(one: &str, other: &str) -> bool {
    one == other || !grammar::is_path(one) || !grammar::is_path(other)
}

/// The offsets at which a reference may be cut.
struct Cuts<'a> {
    text: &'a str,
    /// The start of the two slashes before the authority.
    authority_start: Option<usize>,
    /// The start of the path after the scheme, the authority, the slash of the root and leading dot
    /// segments.
    names_start: usize,
    path_end: usize,
    query_end: usize,
    /// The segments from `names_start` to `path_end`; none if the path has further dot segments or
    /// backslashes.
    segments: Vec<Span>,
}

impl<'a> Cuts<'a> {
    fn new(text: &'a str) -> Self {
        let parts = Components::split_rfc3986(text);
        let path_start = parts.path_start();
        let authority_start = parts.authority.map(|authority| path_start - authority.len() - 2);
        let path_end = path_start + parts.path.len();
        let query_end = path_end + parts.query.map_or(0, |query| query.len() + 1);
        let mut names_start = path_start;
        if parts.path.starts_with('/') {
            names_start += 1;
        }
        let mut segments = Vec::new();
        let mut start = names_start;
        let names = text.get(names_start..path_end).unwrap_or_default();
        for segment in names.split('/') {
            let end = start + segment.len();
            let leading = segments.is_empty();
            match dot_segment(segment) {
                Some(_) if leading => names_start = (end + 1).min(path_end),
                None if !segment.contains('\\') => segments.push(Span { start, end }),
                _ => {
                    segments.clear();
                    break;
                }
            }
            start = end + 1;
        }
        if names_start == path_end && !text.get(..path_end).unwrap_or_default().ends_with('/') {
            segments.clear();
        }
        Self { text, authority_start, names_start, path_end, query_end, segments }
    }

    fn slice(&self, span: Span) -> &'a str {
        span.of_str(self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use encoding_rs::{UTF_8, WINDOWS_1252};

    /// Base, author, wanted, the kept result.
    #[rustfmt::skip]
    const CASES: &[(&str, &str, &str, &str)] = &[
        ("https://h/d/b/c", "../a/grüße.html?x#y", "https://h/d/a/gr%C3%BC%C3%9Fe.html?x#y",
         "https://h/d/a/grüße.html?x#y"),
        ("https://h/d/b/c", "ä/ö#ü", "https://h/d/b/%C3%A4/%C3%B6#%C3%BC", "https://h/d/b/ä/ö#ü"),
        ("https://h/d/b/c", "https://h/d/ä b.html", "../%C3%A4%20b.html", "../ä b.html"),
        ("https://h/d/b/c", "../ä/old.html?ö#ü", "../%C3%A4/new.html?%C3%B6#%C3%BC",
         "../ä/new.html?ö#ü"),
        ("https://h/d/b/c", "a/../ä.html#ü", "https://h/d/b/%C3%A4.html#%C3%BC",
         "https://h/d/b/%C3%A4.html#ü"),
        ("https://h/d/b/c", "x\\ä.html?ö", "https://h/d/b/x/%C3%A4.html?%C3%B6",
         "https://h/d/b/x/%C3%A4.html?ö"),
        ("https://h/d/b/c", "a\tä.html", "https://h/d/b/a%C3%A4.html", "https://h/d/b/a%C3%A4.html"),
        ("https://h/d/b/c", "  ä.html ", "https://h/d/b/%C3%A4.html", "  https://h/d/b/ä.html "),
        ("https://h/d/b/c", "#ü", "https://h/d/b/c#%C3%BC", "https://h/d/b/c#ü"),
        ("https://h/d/b/c", "?ü", "https://h/d/b/c?%C3%BC", "https://h/d/b/c?ü"),
        ("https://h/d/b/c", "", "https://h/d/b/c", "https://h/d/b/c"),
        ("https://h/d/b/c", "https://h/d/b/this:that", "./this:that", "./this:that"),
        ("https://h/d/b/c", "/d/b/ä:ö", "./%C3%A4:%C3%B6", "./ä:ö"),
        ("https://h/d/b/c", "/d/ä/", "../%C3%A4/", "../ä/"),
        ("https://h/d/b/c", "../x/ä", "https://h/d/y/%C3%A4", "https://h/d/y/ä"),
        ("https://h/d/b/c", "../x/a%20b", "../y/a%20b", "../y/a%20b"),
        ("https://h/d/b/c", "../%7ex/a", "https://h/d/%7ex/a", "https://h/d/%7ex/a"),
        ("https://h/d/b/c", ".", "https://h/d/b/", "https://h/d/b/"),
        ("https://h/d/b/c", "..#ü", "https://h/d/#%C3%BC", "https://h/d/#ü"),
        ("https://h/d/b/c", "http://other/ä", "https://h/z", "https://h/z"),
        ("https://h/d/b/c", "//Other", "https://other/", "https://Other"),
        ("https://h/d/b/c", "//ä.example/x", "https://xn--4ca.example/x", "https://ä.example/x"),
        ("https://h/d/b/c", "https://h/", "//h/", "//h/"),
        ("https://h/d/b/c", "//h/d/ä", "https://h/d/%C3%A4", "https://h/d/ä"),
        ("https://h/d/b/c", "mailto:ä@b", "mailto:%C3%A4@b", "mailto:ä@b"),
        ("file:///C:/a/b", "ä", "file:///C:/a/%C3%A4", "file:///C:/a/ä"),
        ("file:///C:/a/b", "/C|/ä", "file:///C:/%C3%A4", "file:///C|/ä"),
        ("https://h/d/b/c", "//h/%7ex?ö", "https://h/~x?%C3%B6", "https://h/~x?ö"),
        ("https://h/d/b/c", "//h/ä/%7ex", "//h/%C3%A4/~x", "//h/ä/~x"),
    ];

    #[test]
    fn the_author_s_spelling_is_kept() {
        for (base, author, wanted, expected) in CASES {
            let base = Url::parse(base).unwrap();
            let edit = base.respell(author, wanted, UTF_8);
            assert_eq!(edit.apply(author), *expected, "{author} to {wanted}: {edit:?}");
        }
    }

    #[test]
    fn the_edit_is_small() {
        let base = Url::parse("https://h/d/b/c").unwrap();
        for (author, wanted, replace, with) in [
            (CASES[0].1, CASES[0].2, 0..3, "https://h/d/"),
            ("../x/ä.html", "../y/%C3%A4.html", 3..5, "y/"),
            ("../ä/old.html#t", "../%C3%A4/new.html#t", 6..14, "new.html"),
            ("../ä.html", "../%C3%A4.html", 3..3, ""),
            ("//h/d/ä", "https://h/d/%C3%A4", 0..0, "https:"),
            ("a.html", "a.html", 0..0, ""),
        ] {
            let edit = base.respell(author, wanted, UTF_8);
            assert_eq!(edit, TextEdit::new(replace, with), "{author}");
        }
    }

    #[test]
    fn queries_are_read_in_the_charset_of_the_document() {
        let base = Url::parse("https://h/d/").unwrap();
        for (encoding, expected) in
            [(WINDOWS_1252, "https://h/d/a?ä"), (UTF_8, "https://h/d/a?%E4")]
        {
            let edit = base.respell("a?ä", "https://h/d/a?%E4", encoding);
            assert_eq!(edit.apply("a?ä"), expected);
        }
    }

    #[test]
    fn the_other_standards_compare_bytes() {
        for (standard, author, wanted, expected) in [
            (Standard::Rfc3986, "../ä;x?y", "http://a/b/ä;x?y", "http://a/b/ä;x?y"),
            (Standard::Rfc1808, ";x", "http://a/b/c/d;x", "http://a/b/c/d;x"),
            (Standard::Rfc1630, "../g", "http://a/b/g", "http://a/b/g"),
        ] {
            let edit = standard.respell("http://a/b/c/d;p?q", author, wanted, UTF_8);
            assert_eq!(edit.apply(author), expected, "{standard}");
        }
    }
}
