//! Downlevel-hidden conditional comments: `<!--[if IE]> ... <![endif]-->`.
//!
//! Internet Explorer up to version 9 treated their content as part of the document; pages of that time
//! load style sheets and scripts from there. (A downlevel-revealed one, `<![if !IE]>`, is not a
//! comment: its content is part of the document for all parsers.)

use super::ascii::starts_with_ignore_case;
use rehref_url::Span;

/// Returns the span of the content in `comment`, which goes from `<!--` to `-->`. `None` if it is not a conditional
/// comment.
pub(super) fn content(comment: &[u8]) -> Option<Span> {
    const OPENER: &[u8] = b"<!--[if";
    const CLOSER: &[u8] = b"<![endif]";
    if !starts_with_ignore_case(comment, OPENER) {
        return None;
    }
    let start = memchr::memmem::find(comment, b"]>")? + b"]>".len();
    // `<!--[if !IE]><!-->` has no content: the comment ends there, and all browsers read the rest.
    let rest = comment.get(start..)?;
    let end = rest.windows(CLOSER.len()).rposition(|window| window.eq_ignore_ascii_case(CLOSER))?;
    Some(Span::from(start..start + end))
}

#[cfg(test)]
mod tests {
    use super::content;

    #[test]
    fn only_a_hidden_conditional_comment_has_a_content() {
        for (comment, expected) in [
            ("<!--[if IE]><link href=x><![endif]-->", Some("<link href=x>")),
            ("<!--[IF lt IE 9]>a<![ENDIF]-->", Some("a")),
            ("<!--[if (gt IE 5)&(lt IE 7)]>\n b \n<![endif]-->", Some("\n b \n")),
            ("<!--[if !IE]><!-->", None),
            ("<!--<![endif]-->", None),
            ("<!-- [if IE]>x<![endif]-->", None),
            ("<!-- x -->", None),
            ("<!--[if IE]-->", None),
            ("<!---->", None),
        ] {
            let found = content(comment.as_bytes()).map(|range| &comment[range.range()]);
            assert_eq!(found, expected, "{comment}");
        }
    }
}
