//! The fast path of [`Url::resolve`]: a simple reference, as most references of real documents are,
//! becomes a prefix of the base URL and the reference, without parsing. An absolute URL of the base's own
//! host is as simple as its path.
//!
//! The fast path declines (`None`) whatever it cannot resolve exactly as the basic URL parser does:
//! another scheme or authority, a backslash, a dot segment that is not at the start, anything that would
//! be percent-encoded, and the drive letters of `file:` URLs. Without it `relative` needs 12 % more
//! instructions.

use super::record::{Offsets, Url};
use super::segment::drive_prefix;

/// The byte may occur in a path, and means nothing there but itself.
const PATH: u8 = 1;
/// The byte may occur in a query or a fragment of any URL, and means nothing there but itself.
const TAIL: u8 = 2;

/// The classes of each byte. Neither `:` nor `|` is in [`PATH`]: a scheme or a drive letter needs one. After
/// a slash there is no scheme, and a `:` means nothing.
static PLAIN: [u8; 256] = {
    let mut plain = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        plain[byte] = match byte as u8 {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => PATH | TAIL,
            b'-' | b'.' | b'_' | b'~' | b'!' | b'$' | b'&' | b'(' | b')' | b'*' | b'+' | b','
            | b';' | b'=' | b'@' | b'/' | b'%' => PATH | TAIL,
            b':' | b'?' | b'|' => TAIL,
            _ => 0,
        };
        byte += 1;
    }
    plain
};

fn is(byte: u8, class: u8) -> bool {
    PLAIN.get(usize::from(byte)).is_some_and(|classes| classes & class != 0)
}

/// A target in three pieces: the first is of the base URL, the others are of the reference.
struct Pieces<'a> {
    prefix: &'a str,
    path: &'a str,
    tail: &'a str,
    /// The offsets into the three pieces together.
    at: Offsets,
}

/// Resolves `reference` against `base` as the parser would, or declines.
pub(super) fn resolve(base: &Url, reference: &str) -> Option<Url> {
    let pieces = pieces(base, reference)?;
    let length = pieces.prefix.len() + pieces.path.len() + pieces.tail.len();
    let mut serialization = String::with_capacity(length);
    serialization.push_str(pieces.prefix);
    serialization.push_str(pieces.path);
    serialization.push_str(pieces.tail);
    let at = pieces.at;
    Some(Url { serialization, at })
}

/// Whether `reference` resolves to `target` against `base`, or declines. Builds nothing.
pub(super) fn resolves_to(base: &Url, reference: &str, target: &Url) -> Option<bool> {
    let pieces = pieces(base, reference)?;
    let rest = target.as_str().strip_prefix(pieces.prefix);
    let tail = rest.and_then(|rest| rest.strip_prefix(pieces.path));
    Some(tail == Some(pieces.tail))
}

fn pieces<'a>(base: &'a Url, reference: &'a str) -> Option<Pieces<'a>> {
    let reference = from_root(base, reference).unwrap_or(reference);
    let bytes = reference.as_bytes();
    let mut path_end = end_of_path(bytes, 0);
    while bytes.get(path_end) == Some(&b':')
        && base.scheme() != "file"
        && memchr::memchr(b'/', bytes.get(..path_end)?).is_some()
    {
        path_end = end_of_path(bytes, path_end + 1);
    }
    let (path, tail) = reference.split_at_checked(path_end)?;
    let (has_query, fragment) = tail_marks(tail)?;
    let (prefix, path, path_start, inherited_query) = if path.is_empty() {
        if base.is_opaque() {
            return None;
        }
        let keep = if has_query { base.path_range().end } else { base.without_fragment().len() };
        let prefix = base.as_str().get(..keep)?;
        (prefix, path, base.at.path_start, base.at.query_start)
    } else {
        // Without an authority the path might come to start with two slashes.
        if !base.has_authority() {
            return None;
        }
        let (prefix, path) = join(base, path)?;
        (prefix, path, base.at.authority_end, None)
    };
    let tail_start = prefix.len() + path.len();
    u32::try_from(tail_start + tail.len()).ok()?;
    let tail_start = u32::try_from(tail_start).ok()?;
    let at = Offsets {
        path_start,
        query_start: has_query.then_some(tail_start).or(inherited_query),
        fragment_start: fragment.map(|at| tail_start + at),
        ..base.at
    };
    Some(Pieces { prefix, path, tail, at })
}

/// The offset of the first byte from `start` on that is not in [`PATH`].
fn end_of_path(bytes: &[u8], start: usize) -> usize {
    let rest = bytes.get(start..).unwrap_or_default();
    let length = rest.iter().position(|&byte| !is(byte, PATH));
    start + length.unwrap_or(rest.len())
}

/// An absolute `reference` with the scheme and the authority of `base`, without both: it has the same
/// target, since a serialized authority parses to itself.
fn from_root<'a>(base: &Url, reference: &'a str) -> Option<&'a str> {
    let rest = reference.strip_prefix(base.slice(0, base.at.authority_end))?;
    let is_web = matches!(base.scheme(), "http" | "https");
    (is_web && rest.starts_with('/')).then_some(rest)
}

/// Whether `tail`, which is empty or starts with `?` or `#`, has a query; the offset of its `#`.
fn tail_marks(tail: &str) -> Option<(bool, Option<u32>)> {
    let bytes = tail.as_bytes();
    let has_query = bytes.starts_with(b"?");
    let hash = bytes.iter().position(|&byte| !is(byte, TAIL));
    match hash {
        None if has_query || bytes.is_empty() => Some((has_query, None)),
        Some(at) if (has_query || at == 0) && bytes.get(at) == Some(&b'#') => {
            let plain = bytes.get(at + 1..)?.iter().all(|&byte| is(byte, TAIL));
            plain.then_some((has_query, Some(u32::try_from(at).ok()?)))
        }
        _ => None,
    }
}

/// The part of `base` that is kept, and the part of `path` that follows it.
fn join<'a>(base: &'a Url, path: &'a str) -> Option<(&'a str, &'a str)> {
    let file = base.scheme() == "file";
    if path.starts_with('/') {
        let plain = !file && !path.starts_with("//") && !has_dot_segment(path);
        return plain.then_some((base.slice(0, base.at.authority_end), path));
    }
    let base_path = base.path();
    let last_slash = memchr::memrchr(b'/', base_path.as_bytes())?;
    let mut directory = base_path.get(..=last_slash)?;
    let drive = file && drive_prefix(base_path).is_some();
    if drive && directory == "/" {
        return None;
    }
    let mut rest = path;
    loop {
        match rest.as_bytes() {
            [b'.', b'/', ..] => rest = rest.get(2..)?,
            [b'.'] => rest = "",
            [b'.', b'.'] | [b'.', b'.', b'/', ..] => {
                if drive {
                    return None;
                }
                rest = rest.get(3..).unwrap_or_default();
                let parent = directory.strip_suffix('/')?;
                if let Some(slash) = parent.rfind('/') {
                    directory = parent.get(..=slash)?;
                }
            }
            _ => break,
        }
    }
    if has_dot_segment(rest) {
        return None;
    }
    let start = base.at.path_start as usize;
    let prefix = base.as_str().get(..start + directory.len())?;
    Some((prefix, rest))
}

/// Whether a segment of `path` is a dot segment, or might be one in escaped form.
fn has_dot_segment(path: &str) -> bool {
    let bytes = path.as_bytes();
    let from = |at: usize| bytes.get(at..).unwrap_or_default();
    let is_segment = |at: usize| {
        let is_start = at.checked_sub(1).is_none_or(|before| from(before).starts_with(b"/"));
        is_start && matches!(from(at), b"." | b".." | [b'.', b'/', ..] | [b'.', b'.', b'/', ..])
    };
    let is_escaped = |at: usize| matches!(from(at), [_, b'2', b'e' | b'E', ..]);
    memchr::memchr_iter(b'.', bytes).any(is_segment)
        || memchr::memchr_iter(b'%', bytes).any(is_escaped)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fuzzing::pieces::BASE_URLS;
    use crate::parse::parse;
    use encoding_rs::UTF_8;

    /// Every string of up to `tokens` of these against every base.
    #[test]
    fn agrees_with_the_parser_on_every_short_reference() {
        const TOKENS: &[&str] =
            &["a", ".", "/", "?", "#", ":", "%2e", "C", "|", "'", "%20", "\\", " ", "é"];
        let bases: Vec<Url> = BASE_URLS.iter().filter_map(|base| Url::parse(base).ok()).collect();
        assert_eq!(bases.len(), BASE_URLS.len());
        let mut references = vec![String::new()];
        let mut from = 0;
        for _ in 0..4 {
            let to = references.len();
            for at in from..to {
                for token in TOKENS {
                    let longer = format!("{}{token}", references[at]);
                    references.push(longer);
                }
            }
            from = to;
        }
        let mut taken = 0;
        for base in &bases {
            let origin = base.slice(0, base.at.authority_end);
            let absolute = references.iter().map(|it| format!("{origin}{it}"));
            let absolute: Vec<String> = absolute.collect();
            for reference in references.iter().chain(&absolute) {
                if let Some(url) = resolve(base, reference) {
                    taken += 1;
                    let slow = parse(reference, Some(base), UTF_8);
                    assert_eq!(resolves_to(base, reference, &url), Some(true), "{reference:?}");
                    assert_eq!(
                        format!("{:?}", Ok::<_, crate::ParseError>(url)),
                        format!("{slow:?}"),
                        "{reference:?} against {base}"
                    );
                }
            }
        }
        assert!(taken > 20_000, "the fast path took only {taken}");
    }

    #[test]
    fn references_of_documents_are_simple() {
        let base = Url::parse("https://docs.example/3/library/os.html?x#y").unwrap();
        for (reference, expected) in [
            ("re.html#module-re", "https://docs.example/3/library/re.html#module-re"),
            ("../_static/a.css?v=1", "https://docs.example/3/_static/a.css?v=1"),
            ("../../../../x", "https://docs.example/x"),
            ("./", "https://docs.example/3/library/"),
            ("..", "https://docs.example/3/"),
            ("/", "https://docs.example/"),
            ("#top", "https://docs.example/3/library/os.html?x#top"),
            ("?z", "https://docs.example/3/library/os.html?z"),
            ("", "https://docs.example/3/library/os.html?x"),
            ("https://docs.example/3/a.html?b#c", "https://docs.example/3/a.html?b#c"),
            (".", "https://docs.example/3/library/"),
            ("./a:b", "https://docs.example/3/library/a:b"),
            ("../file:///x", "https://docs.example/3/file:///x"),
            ("a%20b/.hidden/..c", "https://docs.example/3/library/a%20b/.hidden/..c"),
        ] {
            let url = resolve(&base, reference).map(Url::into_string);
            assert_eq!(url.as_deref(), Some(expected), "{reference}");
        }
        for reference in [
            "a/../b",
            "a:b",
            "//h/x",
            "é",
            "a b",
            "%2e/x",
            "\\x",
            "a\tb",
            "https://docs.example",
            "https://docs.example//x",
            "https://docs.example/../x",
            "https://docs.example:443/x",
            "https://docs.examples/x",
        ] {
            assert_eq!(resolve(&base, reference), None, "{reference}");
        }
    }
}
