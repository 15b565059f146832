//! Fragments: the anchors that one may indicate (HTML Standard section 7.4.6.4, "select the indicated
//! part").

use std::borrow::Cow;

use encoding_rs::UTF_8;

use rehref_url::percent;

/// The start of the fragment directive, which does not indicate an anchor (URL Fragment Text
/// Directives, section 3.3).
const DIRECTIVE: &str = ":~:";

/// Returns the fragment without its directive, such as a text fragment (`:~:text=`).
pub fn without_directive(fragment: &str) -> &str {
    if is_verbatim(fragment) {
        return fragment;
    }
    fragment.split(DIRECTIVE).next().unwrap_or(fragment)
}

/// Returns true if a fragment has neither a directive nor percent-encoding, as most have. It is asked for every
/// fragment of a site, and most are so short that the end is not worth finding out early.
fn is_verbatim(fragment: &str) -> bool {
    let others = |others, byte| others | (byte == b'~') | (byte == b'%');
    !fragment.bytes().fold(false, others)
}

/// Returns the names of the anchors that a fragment may indicate, in the order of precedence: the fragment verbatim,
/// then percent-decoded. Without a name for an empty fragment, which always means the top.
///
/// `fragment` is the part after `#` of a parsed URL, with or without the percent-encoding of the
/// parser.
pub fn candidates(fragment: &str) -> impl Iterator<Item = Cow<'_, str>> {
    let (raw, decoded) = if is_verbatim(fragment) {
        (fragment, None)
    } else {
        let raw = without_directive(fragment);
        (raw, Some(decoded(raw)).filter(|decoded| *decoded != raw))
    };
    let raw = (!raw.is_empty()).then_some(Cow::Borrowed(raw));
    raw.into_iter().chain(decoded)
}

/// Returns true if a fragment means the top of a document even without an anchor of this name: the empty
/// fragment, and `top`.
pub fn is_top(fragment: &str) -> bool {
    let first = fragment.as_bytes().first();
    if !matches!(first, None | Some(b'T' | b't' | b':' | b'%')) {
        return false;
    }
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
    fn a_fragment_has_candidates_or_means_the_top() {
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
