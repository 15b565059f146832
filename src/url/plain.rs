//! Plain references: the many whose target can be told without making a URL.
//!
//! A path of ordinary names, with `../` at most at its start, leads from a hierarchical URL to its
//! folder, that many steps up, and on. Whatever is not as plain as that is resolved as the standards
//! have it; the results are the same.

use memchr::{memchr, memchr2, memrchr};

use super::absolute::AbsoluteUrl;
use super::standard::Standard;

/// A plain reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plain<'r> {
    /// How many `../` it begins with.
    pub steps: usize,
    /// What follows: a path that goes down only, perhaps empty.
    pub path: &'r str,
    /// What follows the path: a query, a fragment, or nothing.
    pub tail: &'r str,
}

const STEP: &str = "../";

impl<'r> Plain<'r> {
    /// `reference`, if it is plain: characters of RFC 3986 that no standard changes, and no dots to
    /// be taken out. One without a path is not.
    pub fn of(reference: &'r str) -> Option<Plain<'r>> {
        let mut rest = reference;
        let mut steps = 0;
        while let Some(after) = rest.strip_prefix(STEP) {
            rest = after;
            steps += 1;
        }
        let end = path_end(rest)?;
        let (path, tail) = (rest.get(..end)?, rest.get(end..)?);
        let has_path = steps > 0 || !path.is_empty();
        (has_path && is_plain_tail(tail)).then_some(Plain { steps, path, tail })
    }

    /// The fragment of a reference that is nothing else, without its `#`, if it is plain.
    pub fn own_fragment(reference: &str) -> Option<&str> {
        let fragment = reference.strip_prefix('#')?;
        is_plain_tail(reference).then_some(fragment)
    }

    /// How many bytes of the reference its steps take.
    pub fn steps_length(&self) -> usize {
        self.steps * STEP.len()
    }

    /// The fragment without its `#`, if there is one.
    pub fn fragment(&self) -> Option<&'r str> {
        let at = self.tail.find('#')?;
        self.tail.get(at + 1..)
    }

    /// Whether it has a query.
    pub fn has_query(&self) -> bool {
        self.tail.starts_with('?')
    }
}

/// The end of a path made of ordinary names with a slash between, none of which begins with a dot
/// or has two side by side; `None` where it is not so.
fn path_end(text: &str) -> Option<usize> {
    let mut previous = b'/';
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'~' => {}
            b'/' | b'.' if matches!(previous, b'/' | b'.') => return None,
            b'/' | b'.' => {}
            b'?' | b'#' => return (previous != b'.').then_some(at),
            _ => return None,
        }
        previous = byte;
    }
    (previous != b'.').then_some(text.len())
}

/// Whether a query and a fragment, or one of them, have only characters that RFC 3986 allows there;
/// escapes of control characters and of letters beyond ASCII are for a closer look.
fn is_plain_tail(tail: &str) -> bool {
    let bytes = tail.as_bytes();
    let mut in_fragment = false;
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => {}
            b'-' | b'.' | b'_' | b'~' | b'!' | b'$' | b'&' | b'(' | b')' | b'*' | b'+' | b','
            | b';' | b'=' | b':' | b'@' | b'/' | b'?' => {}
            b'#' if !in_fragment => in_fragment = true,
            // The URL Standard escapes it in queries.
            b'\'' if in_fragment => {}
            b'%' => match (bytes.get(at + 1), bytes.get(at + 2)) {
                (Some(b'2'..=b'6'), Some(low)) if low.is_ascii_hexdigit() => at += 2,
                _ => return false,
            },
            _ => return false,
        }
        at += 1;
    }
    true
}

/// The folders that the path of a URL goes through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Folders<'b> {
    /// The URL up to the last slash of its path.
    text: &'b str,
    /// Where the first slash of its path stands.
    root: usize,
}

impl<'b> Folders<'b> {
    /// Those of `base`; `None` where they are not simple: for schemes with rules of their own, and
    /// standards other than the URL Standard.
    pub fn of(base: &'b AbsoluteUrl) -> Option<Folders<'b>> {
        if base.standard() != Standard::Whatwg {
            return None;
        }
        let text = base.as_str();
        let bytes = text.as_bytes();
        let root = if let Some(path) = text.strip_prefix("file:///") {
            // What has a colon may be a drive letter.
            if memchr2(b':', b'|', path.as_bytes()).is_some() {
                return None;
            }
            "file://".len()
        } else {
            let host = ["https://", "http://"]
                .into_iter()
                .find(|scheme| text.starts_with(scheme))?
                .len();
            host + memchr(b'/', bytes.get(host..)?)?
        };
        let end = memchr2(b'?', b'#', bytes).unwrap_or(bytes.len());
        let last = memrchr(b'/', bytes.get(..end)?)?;
        let text = text.get(..=last).filter(|_| last >= root)?;
        Some(Folders { text, root })
    }

    /// The URL up to the slash of the folder that is `steps` above its own; `None` where there is
    /// none.
    pub fn above(&self, steps: usize) -> Option<&'b str> {
        let mut folder = self.text;
        for _ in 0..steps {
            let above = folder.get(..folder.len() - 1)?;
            let slash = memrchr(b'/', above.as_bytes()).filter(|slash| *slash >= self.root)?;
            // An empty name is one, too; leave that to the parser.
            if slash + 1 == above.len() {
                return None;
            }
            folder = folder.get(..=slash)?;
        }
        Some(folder)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::url::Url;
    use encoding_rs::UTF_8;
    use proptest::prelude::*;

    #[test]
    fn plain_references() {
        for (reference, expected) in [
            ("a/b.html", Some((0, "a/b.html", ""))),
            ("../../a.b/c#x", Some((2, "a.b/c", "#x"))),
            ("../", Some((1, "", ""))),
            ("../#x", Some((1, "", "#x"))),
            ("a/?q='", None),
            ("a/?q=1#'x", Some((0, "a/", "?q=1#'x"))),
            (
                "a#impl-Borrow%3CT%3E",
                Some((0, "a", "#impl-Borrow%3CT%3E")),
            ),
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
            ("%61", None),
            ("a#%0A", None),
            ("a#%7F", None),
            ("a#%E2%80%8B", None),
            ("a#%4", None),
            ("a#b#c", None),
            ("a#\u{fc}", None),
        ] {
            let found = Plain::of(reference);
            let found = found.map(|plain| (plain.steps, plain.path, plain.tail));
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
        for (base, steps, expected) in [
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
            let found = Folders::of(&base).and_then(|folders| folders.above(steps));
            assert_eq!(found, expected, "{base} {steps}");
        }
    }

    proptest! {
        #[test]
        fn what_is_plain_leads_where_the_standard_says(
            base in prop::sample::select(BASES),
            reference in "(\\.\\./){0,3}[a-zA-Z0-9_.~/-]{0,8}(\\?[a-z=&'/?]{0,3})?(#[a-z%0-9A-F'./?:@]{0,6})?",
        ) {
            let base = AbsoluteUrl::new(Standard::Whatwg, Url::parse(base).unwrap());
            if let Some(plain) = Plain::of(&reference)
                && let Some(folder) = Folders::of(&base).and_then(|it| it.above(plain.steps))
            {
                let target = base.resolve(&reference, UTF_8).unwrap();
                let found = format!("{folder}{}{}", plain.path, plain.tail);
                prop_assert_eq!(target.as_str(), found);
            }
        }
    }
}
