//! The fast path for simple references, which are most references: their target needs no parsing.
//!
//! A path of ordinary names, with `../` only at its start, is appended to a folder of the base URL. A
//! fragment is a place in the document. An absolute URL of ordinary characters is its own target. All
//! other references take the general path, [`AbsoluteUrl::resolve`]; the results are the same, which the
//! tests below prove.

use memchr::{memchr, memchr2, memrchr};

use super::absolute::AbsoluteUrl;
use super::ordinary::{IN_HOST, IN_TAIL, IN_TAIL_OF_VALUE, is};
pub use super::ordinary::{is_path, path_end};
use super::standard::Standard;

/// The form of a simple reference, which needs no full parser.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SimpleShape {
    /// A path, perhaps with a query and a fragment.
    Path(SimplePath),
    /// A fragment and nothing else.
    Fragment,
    /// An `http:` or `https:` URL, which is its own target under every base.
    Absolute,
}

/// The parts of a simple path: offsets into the reference, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SimplePath {
    /// The number of `../` at its start.
    pub parents: usize,
    /// The end of the path.
    end: usize,
}

const PARENT: &str = "../";

impl SimpleShape {
    /// Returns the kind of simple reference that `reference` (in any ASCII-compatible encoding) is: characters of RFC
    /// 3986 that no standard changes, and no dot segments but `../` at the start. The empty reference is not simple,
    /// nor is a query alone.
    pub fn of(reference: impl AsRef<[u8]>) -> Option<SimpleShape> {
        SimpleShape::with(reference.as_ref(), IN_TAIL)
    }

    /// As [`SimpleShape::of`], for an attribute value in HTML source. Returns `None` for a value with a `&`,
    /// which may start a character reference.
    pub fn of_value(value: &[u8]) -> Option<SimpleShape> {
        SimpleShape::with(value, IN_TAIL_OF_VALUE)
    }

    fn with(reference: &[u8], in_tail: u8) -> Option<SimpleShape> {
        if reference.starts_with(b"#") {
            return is_simple_tail(reference, in_tail).then_some(SimpleShape::Fragment);
        }
        match SimplePath::of(reference, in_tail) {
            Some(path) => Some(SimpleShape::Path(path)),
            None => is_simple_url(reference, in_tail).then_some(SimpleShape::Absolute),
        }
    }
}

impl SimplePath {
    fn of(reference: &[u8], in_tail: u8) -> Option<SimplePath> {
        let mut rest = reference;
        let mut parents = 0;
        while let Some(after) = rest.strip_prefix(PARENT.as_bytes()) {
            rest = after;
            parents += 1;
        }
        let length = path_end(rest)?;
        let end = parents * PARENT.len() + length;
        let is_simple = end > 0 && is_simple_tail(rest.get(length..)?, in_tail);
        is_simple.then_some(SimplePath { parents, end })
    }

    /// Returns the length of the leading `../` in bytes.
    pub fn parents_length(self) -> usize {
        self.parents * PARENT.len()
    }

    /// Returns the path after the `../`, which may be empty, and the query and fragment, each of which may be missing.
    /// `reference` is the one that this was made from.
    pub fn parts(self, reference: &str) -> Option<(&str, &str)> {
        reference.get(self.parents_length()..)?.split_at_checked(self.end - self.parents_length())
    }
}

/// Returns true if a query and a fragment, or one of them, have only characters that RFC 3986 allows there, and
/// no escapes of control characters or of characters outside ASCII. `set`: [`IN_TAIL`] or [`IN_TAIL_OF_VALUE`].
fn is_simple_tail(tail: &[u8], set: u8) -> bool {
    let mut in_fragment = false;
    let mut at = 0;
    while let Some(&byte) = tail.get(at) {
        if !is(byte, set) {
            match byte {
                b'#' if !in_fragment => in_fragment = true,
                // The URL Standard escapes it in queries.
                b'\'' if in_fragment => {}
                b'%' => match (tail.get(at + 1), tail.get(at + 2)) {
                    (Some(b'2'..=b'6'), Some(low)) if low.is_ascii_hexdigit() => at += 2,
                    _ => return false,
                },
                _ => return false,
            }
        }
        at += 1;
    }
    true
}

/// Returns true if `reference` is an `http:` or `https:` URL whose host is a domain of lower case letters, digits
/// and hyphens that no standard refuses: its last label is not a number, which would make it an IP
/// address, and no label is Punycode.
fn is_simple_url(reference: &[u8], in_tail: u8) -> bool {
    let schemes: [&[u8]; 2] = [b"https://", b"http://"];
    let Some(rest) = schemes.iter().find_map(|scheme| reference.strip_prefix(*scheme)) else {
        return false;
    };
    let end = rest.iter().position(|&byte| !is(byte, IN_HOST)).unwrap_or(rest.len());
    let (host, tail) = rest.split_at(end);
    let mut is_number = true;
    for label in host.split(|&byte| byte == b'.') {
        if label.is_empty() || label.starts_with(b"xn--") {
            return false;
        }
        is_number = !label.first().is_some_and(u8::is_ascii_lowercase);
    }
    !is_number
        && matches!(tail.first(), None | Some(b'/' | b'?' | b'#'))
        && is_simple_tail(tail, in_tail)
}

/// The folders in the path of a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Folders<'b> {
    /// The URL up to the last slash of its path.
    text: &'b str,
    /// The offset of the first slash of its path.
    root: usize,
}

impl<'b> Folders<'b> {
    /// Returns the folders of `base`; `None` for schemes with rules of their own and for standards other than the URL
    /// Standard.
    pub fn of(base: &'b AbsoluteUrl) -> Option<Folders<'b>> {
        if base.standard() != Standard::Whatwg {
            return None;
        }
        let text = base.as_str();
        let bytes = text.as_bytes();
        let root = if let Some(path) = text.strip_prefix("file:///") {
            // A segment with a colon may be a drive letter.
            if memchr2(b':', b'|', path.as_bytes()).is_some() {
                return None;
            }
            "file://".len()
        } else {
            let host =
                ["https://", "http://"].into_iter().find(|scheme| text.starts_with(scheme))?.len();
            host + memchr(b'/', bytes.get(host..)?)?
        };
        let end = memchr2(b'?', b'#', bytes).unwrap_or(bytes.len());
        let last = memrchr(b'/', bytes.get(..end)?)?;
        let text = text.get(..=last).filter(|_| last >= root)?;
        Some(Folders { text, root })
    }

    /// Returns the URL of the folder `parents` levels above the folder of the URL, with its slash; `None` if
    /// that escapes the root.
    pub fn above(&self, parents: usize) -> Option<&'b str> {
        self.upwards().nth(parents)
    }

    /// Returns the URLs, with their slashes, of the URL's own folder and of all folders above it.
    pub fn upwards(self) -> impl Iterator<Item = &'b str> {
        std::iter::successors(Some(self.text), move |folder| {
            let above = folder.get(..folder.len() - 1)?;
            let slash = memrchr(b'/', above.as_bytes()).filter(|slash| *slash >= self.root)?;
            // An empty segment counts as a folder, too; the parser handles it.
            let is_empty = slash + 1 == above.len();
            folder.get(..=slash).filter(|_| !is_empty)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Url;
    use encoding_rs::UTF_8;
    use proptest::prelude::*;

    #[test]
    fn simple_paths_are_split_into_parents_path_and_tail() {
        let path = |parents, path, tail| Some((parents, path, tail));
        for (reference, expected) in [
            ("a/b.html", path(0, "a/b.html", "")),
            ("../../a.b/c#x", path(2, "a.b/c", "#x")),
            ("../", path(1, "", "")),
            ("../#x", path(1, "", "#x")),
            ("c++/a+b#x", path(0, "c++/a+b", "#x")),
            ("a/?q='", None),
            ("a/?q=1#'x", path(0, "a/", "?q=1#'x")),
            ("a#impl-Borrow%3CT%3E", path(0, "a", "#impl-Borrow%3CT%3E")),
            ("", None),
            ("#x", None),
            ("?x", None),
            ("/a", None),
            ("a//b", None),
            ("./a", None),
            ("..", None),
            ("a/../b", None),
            ("a/.b", None),
            ("a.", None),
            ("a.#x", None),
            ("a b", None),
            ("a:b", None),
            ("a+b:c", None),
            ("%61", None),
            ("a#%0A", None),
            ("a#%7F", None),
            ("a#%E2%80%8B", None),
            ("a#%4", None),
            ("a#b#c", None),
            ("a#\u{fc}", None),
        ] {
            let found = match SimpleShape::of(reference) {
                Some(SimpleShape::Path(path)) => {
                    path.parts(reference).map(|(down, tail)| (path.parents, down, tail))
                }
                _ => None,
            };
            assert_eq!(found, expected, "{reference}");
        }
    }

    #[test]
    fn simple_fragments_and_urls_are_recognized() {
        let (fragment, absolute) = (Some(false), Some(true));
        for (reference, expected) in [
            ("#", fragment),
            ("#a'(%20)", fragment),
            ("#a#", None),
            ("#{{x}}", None),
            ("https://a.example", absolute),
            ("http://a-b.1x.org/x//../y?q&r#z'", absolute),
            ("http://localhost/", absolute),
            ("https://A.example/", None),
            ("https://a.example:80/", None),
            ("https://u@a.example/", None),
            ("https://1.2.3.4/", None),
            ("https://a.0x7f", None),
            ("https://a..b/", None),
            ("https://a.b./", None),
            ("https://.b/", None),
            ("https:///b/", None),
            ("https://a.xn--80ak6aa92e.com/", None),
            ("https://a_b.org/", None),
            ("https:a", None),
            ("ftp://a.example/", None),
            ("https://a.example/{x}", None),
            ("https://a.example/a b", None),
        ] {
            let found = SimpleShape::of(reference).map(|it| matches!(it, SimpleShape::Absolute));
            assert_eq!(found, expected, "{reference}");
        }
    }

    const BASES: &[&str] = &[
        "https://h/",
        "https://h/d/e/p.html",
        "http://h:8080/d/e/",
        "https://u:p@h/d/e/p?x/y#z/w",
        "https://h/d//e/p",
        "file:///home/x/p.html",
        "file:///C:/x/p.html",
        "file://host/x/p.html",
        "https://h/d/%2E./p;x/q",
        "ftp://h/x/y",
        "foo:/a/b/c",
        "mailto:x",
    ];

    #[test]
    fn folders_above() {
        for (base, parents, expected) in [
            ("https://h/", 0, Some("https://h/")),
            ("https://h/", 1, None),
            ("https://h/d/e/p", 2, Some("https://h/")),
            ("https://h/d/e/p", 3, None),
            ("https://h/d//e/p", 1, Some("https://h/d//")),
            ("https://h/d//e/p", 2, None),
            ("https://h/d/?x/y", 0, Some("https://h/d/")),
            ("file:///a/b", 1, Some("file:///")),
            ("file:///a/b", 2, None),
            ("file:///C:/b", 0, None),
            ("mailto:x", 0, None),
        ] {
            let base = AbsoluteUrl::new(Standard::Whatwg, Url::parse(base).unwrap());
            let found = Folders::of(&base).and_then(|folders| folders.above(parents));
            assert_eq!(found, expected, "{base} {parents}");
        }
    }

    proptest! {
        #[test]
        fn simple_references_resolve_as_the_standard_resolves_them(
            base in prop::sample::select(BASES),
            reference in "(\\.\\./){0,3}[a-zA-Z0-9_.~/-]{0,8}(\\?[a-z=&'/?]{0,3})?(#[a-z%0-9A-F'./?:@]{0,6})?",
        ) {
            let base = AbsoluteUrl::new(Standard::Whatwg, Url::parse(base).unwrap());
            match SimpleShape::of(&reference) {
                Some(SimpleShape::Path(path)) => {
                    if let Some(folder) = Folders::of(&base).and_then(|it| it.above(path.parents)) {
                        let target = base.resolve(&reference, UTF_8).unwrap();
                        let (down, tail) = path.parts(&reference).unwrap();
                        prop_assert_eq!(target.as_str(), format!("{folder}{down}{tail}"));
                    }
                }
                Some(SimpleShape::Fragment) => {
                    let whole = base.as_str();
                    let document = whole.split('#').next().unwrap_or(whole);
                    let target = base.resolve(&reference, UTF_8).unwrap();
                    prop_assert_eq!(target.as_str(), format!("{document}{reference}"));
                }
                Some(SimpleShape::Absolute) | None => {}
            }
        }

        #[test]
        fn simple_absolute_urls_are_their_own_targets_under_every_base(
            base in prop::sample::select(BASES),
            reference in "https?://[a-z0-9.-]{1,8}(\\.(org|xn--a|a1|1a|0xa))?(/[a-zA-Z.%2/]{0,6})?(\\?[a-z=&'/?]{0,3})?(#[a-z%0-9A-F'./?:@]{0,6})?",
        ) {
            let base = AbsoluteUrl::new(Standard::Whatwg, Url::parse(base).unwrap());
            if SimpleShape::of(&reference) == Some(SimpleShape::Absolute) {
                let target = base.resolve(&reference, UTF_8).unwrap();
                prop_assert!(base.is_absolute_form(&reference, &target, UTF_8));
                prop_assert!(target.is_hierarchical());
            }
        }
    }
}
