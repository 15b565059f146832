//! Fragments: which anchors one may mean (HTML Standard section 7.4.6.4, "select the indicated
//! part").

use std::borrow::Cow;

use encoding_rs::UTF_8;

use crate::url::percent;

/// What begins the fragment directive, which names no anchor (URL Fragment Text Directives, section
/// 3.3).
const DIRECTIVE: &str = ":~:";

/// The fragment without its directive.
pub fn without_directive(fragment: &str) -> &str {
    // Few have any tilde, and this is asked of every fragment of a site.
    if memchr::memchr(b'~', fragment.as_bytes()).is_none() {
        return fragment;
    }
    match fragment.find(DIRECTIVE) {
        Some(at) => fragment.get(..at).unwrap_or(fragment),
        None => fragment,
    }
}

/// The anchors that a fragment may mean, in the order in which they are looked for: as it is, then
/// percent-decoded. None for a fragment that is empty, which always means the top.
///
/// `fragment` is what follows `#` in a URL that is parsed; the characters that parsing encodes may
/// stand in it as they are.
pub fn candidates(fragment: &str) -> impl Iterator<Item = Cow<'_, str>> {
    let raw = without_directive(fragment);
    let decoded = Some(decoded(raw)).filter(|decoded| *decoded != raw);
    let raw = (!raw.is_empty()).then_some(Cow::Borrowed(raw));
    raw.into_iter().chain(decoded)
}

/// Whether a fragment means the top of the document where it has no anchor that the fragment may
/// mean: an empty one, and `top`.
pub fn is_top(fragment: &str) -> bool {
    let raw = without_directive(fragment);
    raw.is_empty() || decoded(raw).eq_ignore_ascii_case("top")
}

fn decoded(fragment: &str) -> Cow<'_, str> {
    if memchr::memchr(b'%', fragment.as_bytes()).is_none() {
        return Cow::Borrowed(fragment);
    }
    let bytes = percent::decode(fragment);
    let (text, _) = UTF_8.decode_without_bom_handling(&bytes);
    Cow::Owned(text.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn candidates_and_tops() {
        for (fragment, expected, top) in [
            ("", &[][..], true),
            (":~:text=a%20b", &[], true),
            ("a:~:text=b", &["a"], false),
            ("a:~:b:~:c", &["a"], false),
            ("a~:b", &["a~:b"], false),
            ("top", &["top"], true),
            ("TOP", &["TOP"], true),
            ("t%6Fp", &["t%6Fp", "top"], true),
            ("top:~:text=x", &["top"], true),
            ("topp", &["topp"], false),
            ("a", &["a"], false),
            ("A", &["A"], false),
            ("a%20b", &["a%20b", "a b"], false),
            ("gr%C3%BC%C3%9Fe", &["gr%C3%BC%C3%9Fe", "grüße"], false),
            ("grüße%21", &["grüße%21", "grüße!"], false),
            ("%ff", &["%ff", "\u{FFFD}"], false),
            ("%EF%BB%BFa", &["%EF%BB%BFa", "\u{FEFF}a"], false),
            ("100%", &["100%"], false),
            ("%zz%", &["%zz%"], false),
            // Decoded once, and a directive only where it is not encoded.
            ("%2541", &["%2541", "%41"], false),
            ("%3A~:x", &["%3A~:x", ":~:x"], false),
            ("a+b", &["a+b"], false),
        ] {
            let found: Vec<_> = candidates(fragment).collect();
            assert_eq!(found, expected, "{fragment}");
            assert_eq!(is_top(fragment), top, "{fragment}");
        }
    }
}
