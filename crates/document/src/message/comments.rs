//! RFC 822 comments in the values of headers: `text/html (a comment)`.

use std::borrow::Cow;

use rehref_url::{Span, TextEdit, splice_text};

/// The spans of the comments in `value`. A comment begins with `(` at the start, after white space or after
/// `;`. Parentheses in a word are not comments; nor are those in quotes, if `has_quotes`. In a URL a quote is a
/// character like any other, perhaps without a partner.
fn comments(value: &[u8], has_quotes: bool) -> Vec<Span> {
    let mut found = Vec::new();
    let mut at = 0;
    let mut is_quoted = false;
    let mut before = b' ';
    while let Some(&byte) = value.get(at) {
        let may_begin = before.is_ascii_whitespace() || before == b';';
        match byte {
            b'\\' if is_quoted => at += 1,
            b'"' => is_quoted = has_quotes && !is_quoted,
            b'(' if may_begin && !is_quoted => {
                let Some(length) = value.get(at..).and_then(comment) else { break };
                found.push(Span::from(at..at + length));
                at += length - 1;
            }
            _ => {}
        }
        before = byte;
        at += 1;
    }
    found
}

/// `value` without its comments.
pub(super) fn without_comments(value: &str) -> Cow<'_, str> {
    let comments = comments(value.as_bytes(), true);
    if comments.is_empty() {
        return Cow::Borrowed(value);
    }
    let removals: Vec<TextEdit> =
        comments.into_iter().map(|comment| TextEdit::new(comment, "")).collect();
    Cow::Owned(splice_text(value, &removals))
}

/// The length of the comment at the start of `rest`; `None` if it does not end.
fn comment(rest: &[u8]) -> Option<usize> {
    let mut depth = 0_usize;
    let mut is_escaped = false;
    for (at, &byte) in rest.iter().enumerate() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b'(' => depth += 1,
            b')' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}

/// Returns the end of `value`, a URL, without the comments at its end. White space stands before each of them.
pub(super) fn end_without_comments(value: &[u8]) -> usize {
    let mut end = value.trim_ascii_end().len();
    for comment in comments(value, false).into_iter().rev() {
        let kept = Span::from(0..comment.start).of(value).trim_ascii_end().len();
        if comment.end != end || kept == 0 || kept == comment.start {
            break;
        }
        end = kept;
    }
    end
}

/// Returns the value of a `Content-ID` without brackets and comments.
pub(crate) fn content_id(value: &str) -> String {
    let value = without_comments(value);
    let in_brackets = value.split_once('<').map(|(_, rest)| rest);
    let id = match in_brackets.and_then(|rest| rest.split_once('>')) {
        Some((id, _)) => id,
        None => &*value,
    };
    id.trim_matches(['<', '>', ' ', '\t']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_removed() {
        for (value, expected) in [
            ("text/html", "text/html"),
            ("(a) text/html; (b (c\\)) d) x=y (e)", " text/html;  x=y "),
            ("a/b; x=\"y (z)\" (c)", "a/b; x=\"y (z)\" "),
            ("a/b; x=\"\\\" (z)\"", "a/b; x=\"\\\" (z)\""),
            ("a/b; x=\"y (z)", "a/b; x=\"y (z)"),
            ("a/b;(c) x=y(z)", "a/b; x=y(z)"),
            ("a (open (x)", "a (open (x)"),
            ("", ""),
        ] {
            assert_eq!(without_comments(value), expected, "{value}");
        }
    }

    #[test]
    fn a_content_id_has_no_brackets() {
        for (value, expected) in [
            ("<a@b>", "a@b"),
            ("(c <d>) <a@b> (e)", "a@b"),
            ("< a@b >", "a@b"),
            ("a@b", "a@b"),
            ("<a(b)c@d>", "a(b)c@d"),
            ("<a@b", "a@b"),
        ] {
            assert_eq!(content_id(value), expected, "{value}");
        }
    }

    #[test]
    fn a_comment_at_the_end_needs_space_before_it() {
        for (value, expected) in [
            ("http://h/", "http://h/"),
            ("http://h/ (a) (b (c))", "http://h/"),
            ("http://h/\r\n\t(a b) ", "http://h/"),
            ("http://h/a(b)", "http://h/a(b)"),
            ("http://h/ (a) b", "http://h/ (a) b"),
            ("http://h/ a)", "http://h/ a)"),
            ("x\"y (a comment)", "x\"y"),
            ("x\" (a \"quoted\" comment) (b)", "x\""),
            ("\"http://h/\" (a)", "\"http://h/\""),
            ("(a)", "(a)"),
            ("", ""),
        ] {
            let end = end_without_comments(value.as_bytes());
            assert_eq!(&value[..end], expected, "{value}");
        }
    }
}
