//! Keeping the author's spelling: the smallest change to a reference that makes it absolute.

use std::ops::Range;

use encoding_rs::Encoding;

use super::Url;

/// A change to a reference: replace the bytes `replace` of it with `with`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Respelling {
    /// Byte range of the author's reference.
    pub replace: Range<usize>,
    /// What stands there afterwards.
    pub with: String,
}

/// The change that makes `author`, a reference that resolves to `target`, absolute.
///
/// The author's bytes of path tail, query and fragment stay wherever the result still resolves to
/// `target` (`query_encoding`: the document's); otherwise all but white space around the
/// reference is replaced by the target's serialization. That also happens where the tail holds
/// inner dot segments, backslashes, tabs or newlines, which only a URL parser would put right.
pub fn respell(author: &str, target: &Url, query_encoding: &'static Encoding) -> Respelling {
    let stripped_start = author.trim_start_matches(|c: char| c <= ' ');
    let stripped = stripped_start.trim_end_matches(|c: char| c <= ' ');
    let start = author.len() - stripped_start.len();
    let end = start + stripped.len();
    if let Some((cut, prefix)) = keep_tail(stripped, target) {
        let tail = stripped.get(cut..).unwrap_or("");
        let same = target.as_str().len() == prefix.len() + tail.len()
            && target.as_str().ends_with(tail)
            || Url::parse_encoded(&format!("{prefix}{tail}"), query_encoding)
                .is_ok_and(|kept| kept == *target);
        if same {
            return Respelling {
                replace: start..start + cut,
                with: prefix.to_owned(),
            };
        }
    }
    Respelling {
        replace: start..end,
        with: target.as_str().to_owned(),
    }
}

/// Where `reference` can be cut, and the part of `target` that takes the place of what is before
/// the cut. `None` where the reference's own spelling is not worth keeping or has a scheme.
fn keep_tail<'t>(reference: &str, target: &'t Url) -> Option<(usize, &'t str)> {
    if reference.contains(['\\', '\t', '\n', '\r']) || target.is_opaque() {
        return None;
    }
    let whole = target.as_str();
    let path = target.path_range();
    let path_end = reference.find(['?', '#']).unwrap_or(reference.len());
    let (reference_path, rest) = reference.split_at(path_end);
    if reference_path.is_empty() {
        // Empty, query-only and fragment-only references.
        let before_tail = match rest.as_bytes().first() {
            Some(b'?') => whole.get(..path.end)?,
            _ => target.without_fragment(),
        };
        return Some((0, before_tail));
    }
    if reference_path.starts_with("//") {
        return Some((0, whole.get(..=target.scheme().len())?));
    }
    let mut cut = 0;
    if reference_path.starts_with('/') {
        return (!has_dot_segment(reference_path)).then_some((0, whole.get(..path.start)?));
    }
    if reference_path
        .split('/')
        .next()
        .is_some_and(|segment| segment.contains(':'))
    {
        return None;
    }
    // Leading dot segments go; `..` at the very end stands for a directory and goes as well.
    while let Some(segment) = reference_path.get(cut..)?.split('/').next() {
        if !is_dot_segment(segment) {
            break;
        }
        cut = (cut + segment.len() + 1).min(reference_path.len());
        if cut == reference_path.len() {
            break;
        }
    }
    let tail = reference_path.get(cut..)?;
    if has_dot_segment(tail) {
        return None;
    }
    // The target's path ends with as many segments as the tail has; what is before them is the
    // directory that the reference climbed to.
    let target_path = target.path();
    let tail_segments = tail.matches('/').count() + 1;
    let slash = target_path
        .char_indices()
        .rev()
        .filter(|&(_, c)| c == '/')
        .nth(tail_segments - 1)?
        .0;
    Some((cut, whole.get(..path.start + slash + 1)?))
}

fn has_dot_segment(path: &str) -> bool {
    path.split('/').any(is_dot_segment)
}

/// Single- and double-dot URL path segments (URL Standard section 4.1).
fn is_dot_segment(segment: &str) -> bool {
    const DOT_SEGMENTS: [&str; 6] = [".", "%2e", "..", ".%2e", "%2e.", "%2e%2e"];
    DOT_SEGMENTS
        .iter()
        .any(|dots| segment.eq_ignore_ascii_case(dots))
}

#[cfg(test)]
mod tests {
    use super::*;
    use encoding_rs::{UTF_8, WINDOWS_1252};

    fn absolute(base: &str, author: &str, encoding: &'static Encoding) -> String {
        let target = Url::parse(base).unwrap().resolve(author, encoding).unwrap();
        let respelling = respell(author, &target, encoding);
        let mut result = author.to_owned();
        result.replace_range(respelling.replace, &respelling.with);
        assert_eq!(Url::parse_encoded(&result, encoding).unwrap(), target);
        result
    }

    #[test]
    fn the_authors_tail_is_kept() {
        let base = "https://h:8/d/e/p.html?q";
        for (author, expected) in [
            ("x.html", "https://h:8/d/e/x.html"),
            ("./x.html", "https://h:8/d/e/x.html"),
            ("../a/grüße.html?x#y", "https://h:8/d/a/grüße.html?x#y"),
            ("../../../../x", "https://h:8/x"),
            ("..", "https://h:8/d/"),
            ("../", "https://h:8/d/"),
            (".", "https://h:8/d/e/"),
            ("..?a", "https://h:8/d/?a"),
            ("/r/my file", "https://h:8/r/my file"),
            ("/", "https://h:8/"),
            ("//other/x y", "https://other/x y"),
            ("//other", "https://other"),
            ("?z", "https://h:8/d/e/p.html?z"),
            ("?", "https://h:8/d/e/p.html?"),
            ("#ä", "https://h:8/d/e/p.html?q#ä"),
            ("", "https://h:8/d/e/p.html?q"),
            ("  x  ", "  https://h:8/d/e/x  "),
            ("%7Ea/%41", "https://h:8/d/e/%7Ea/%41"),
            ("a//b", "https://h:8/d/e/a//b"),
            ("a/", "https://h:8/d/e/a/"),
            ("%2E./x", "https://h:8/d/x"),
            ("https:x", "https://h:8/d/e/x"),
        ] {
            assert_eq!(absolute(base, author, UTF_8), expected, "{author:?}");
        }
    }

    #[test]
    fn what_only_a_parser_puts_right_is_serialized() {
        let base = "https://h/d/e/p";
        for (author, expected) in [
            ("a/./ä/../b", "https://h/d/e/a/b"),
            ("a\\ä", "https://h/d/e/a/%C3%A4"),
            ("ä\nb", "https://h/d/e/%C3%A4b"),
            ("a/..", "https://h/d/e/"),
            ("/../x", "https://h/x"),
        ] {
            assert_eq!(absolute(base, author, UTF_8), expected, "{author:?}");
        }
        assert_eq!(
            absolute("https://h/", "ä?ä", WINDOWS_1252),
            "https://h/ä?ä",
            "the document stays in its charset, so does the query"
        );
    }
}
