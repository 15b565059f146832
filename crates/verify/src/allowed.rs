//! The changes that rewriting a reference may make to the bytes around it.

use std::borrow::Cow;

use rehref_generators::Text;

/// Returns true if `after` is `before` with no other change than those that are allowed between two references.
/// `quote`: the quote that is escaped in AFTER, because the value got quotes. `closer`: a semicolon may follow a
/// character reference at the end, because letters follow it in AFTER.
pub(super) fn is_allowed(before: &[u8], after: &[u8], quote: Option<u8>, closer: bool) -> bool {
    let escaped: Cow<'_, [u8]> = match quote {
        None => before.into(),
        Some(quote) => {
            let escape: &[u8] = if quote == b'"' { b"&quot;" } else { b"&#39;" };
            let pieces: Vec<&[u8]> = before.split(|&b| b == quote).collect();
            pieces.join(escape).into()
        }
    };
    *escaped == *after || closer && is_closed(&escaped, after)
}

/// Returns whether `after` is `before` with a semicolon that ends a character reference.
fn is_closed(before: &[u8], after: &[u8]) -> bool {
    if after.strip_suffix(b";") != Some(before) {
        return false;
    }
    let start = memchr::memrchr(b'&', before).unwrap_or(before.len());
    let Ok(open) = std::str::from_utf8(before.get(start..).unwrap_or_default()) else {
        return false;
    };
    let mut texts = [open.to_owned(), format!("{open};")];
    // The character reference may be escaped once per level of nested documents.
    for _ in 0..=MOST_NESTED {
        let decode =
            |text: &String| Text::decode(text.as_bytes(), encoding_rs::UTF_8).into_string();
        let decoded = texts.each_ref().map(decode);
        if decoded[0] == decoded[1] {
            return true;
        }
        if decoded == texts {
            return false;
        }
        texts = decoded;
    }
    false
}

/// More levels than the parser follows nested documents.
const MOST_NESTED: usize = 20;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_escaped_quotes_and_semicolons_are_allowed() {
        for (quote, closer, before, after, expected) in [
            (None, false, "a", "a", true),
            (None, true, "a", "a;", false),
            (None, true, "a &#x20", "a &#x20;", true),
            (None, false, "a &#x20", "a &#x20;", false),
            (None, true, "a &#x20", "b &#x20;", false),
            (None, true, "&amp;#x20", "&amp;#x20;", true),
            (None, true, "&not", "&not;", true),
            (None, true, "&none", "&none;", false),
            (Some(b'"'), false, "a\"b'", "a&quot;b'", true),
            (Some(b'"'), false, "a\"b'", "a\"b&#39;", false),
            (Some(b'\''), true, "a\"b'&#9", "a\"b&#39;&#9;", true),
            (None, false, "\"", "&quot;", false),
        ] {
            let found = is_allowed(before.as_bytes(), after.as_bytes(), quote, closer);
            assert_eq!(found, expected, "{before} {after}");
        }
    }
}
