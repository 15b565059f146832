//! Finds the ends of comments, and of content in which nothing is markup.

use memchr::{memchr, memchr2, memmem};

use super::names::{self, TAG_NAME_END};

/// The kind of an element's content that is not markup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ContentModel {
    /// RCDATA or RAWTEXT, which ends at the end tag.
    RawText,
    /// A script.
    Script,
    /// PLAINTEXT, which goes on to the end of the source.
    Plaintext,
}

/// Returns the end of the comment that starts with `<!--` at `start` (HTML Standard sections 13.2.5.43 to 13.2.5.52).
pub(super) fn comment_end(source: &[u8], start: usize) -> usize {
    let text = start + b"<!--".len();
    let rest = source.get(text..).unwrap_or_default();
    if rest.starts_with(b">") {
        return text + 1;
    }
    if rest.starts_with(b"->") {
        return text + 2;
    }
    let ends = memmem::find_iter(rest, b"--").map(|at| at + 2);
    // Of more than two dashes in a row the last two count.
    let mut from = 0;
    for end in ends {
        let mut end = end;
        if end < from {
            continue;
        }
        while rest.get(end) == Some(&b'-') {
            end += 1;
        }
        from = end;
        match rest.get(end..) {
            Some([b'>', ..]) => return text + end + 1,
            Some([b'!', b'>', ..]) => return text + end + 2,
            _ => {}
        }
    }
    source.len()
}

/// Returns the end of a bogus comment or a doctype: after the next `>`.
pub(super) fn bogus_end(source: &[u8], start: usize) -> usize {
    let rest = source.get(start..).unwrap_or_default();
    memchr(b'>', rest).map_or(source.len(), |at| start + at + 1)
}

/// Returns the end of the CDATA section whose content starts at `start`.
pub(super) fn cdata_end(source: &[u8], start: usize) -> usize {
    let rest = source.get(start..).unwrap_or_default();
    memmem::find(rest, b"]]>").map_or(source.len(), |at| start + at + 3)
}

/// Returns the start of the end tag `</name` of the raw text that starts at `start`; `None` where it has no end tag.
pub(in crate::html) fn raw_text_end(source: &[u8], start: usize, name: &[u8]) -> Option<usize> {
    let rest = source.get(start..)?;
    memchr::memchr_iter(b'<', rest).map(|at| start + at).find(|&at| is_tag(source, at, b"</", name))
}

/// Like [`raw_text_end`] for a script, whose comments may hold another script (HTML Standard sections
/// 13.2.5.15 to 13.2.5.31).
pub(super) fn script_end(source: &[u8], start: usize) -> Option<usize> {
    const NAME: &[u8] = b"script";
    let mut at = start;
    let mut is_escaped = false;
    let mut is_doubly = false;
    loop {
        let rest = source.get(at..)?;
        at += if is_escaped { memchr2(b'<', b'-', rest)? } else { memchr(b'<', rest)? };
        let here = source.get(at..)?;
        if is_escaped && here.starts_with(b"-->") {
            is_escaped = false;
            is_doubly = false;
            at += 3;
        } else if is_doubly && is_tag(source, at, b"</", NAME) {
            is_doubly = false;
            at += 3 + NAME.len();
        } else if !is_doubly && is_tag(source, at, b"</", NAME) {
            return Some(at);
        } else if is_escaped && !is_doubly && is_tag(source, at, b"<", NAME) {
            is_doubly = true;
            at += 2 + NAME.len();
        } else if !is_escaped && here.starts_with(b"<!--") {
            // The two dashes may also be the ones before a `>`.
            is_escaped = true;
            at += 2;
        } else {
            at += 1;
        }
    }
}

/// Returns true if a tag starts at `at` that opens with `open` and has exactly this name.
fn is_tag(source: &[u8], at: usize, open: &[u8], name: &[u8]) -> bool {
    let tag = source.get(at..).and_then(|rest| rest.strip_prefix(open));
    let Some((found, rest)) = tag.and_then(|tag| tag.split_at_checked(name.len())) else {
        return false;
    };
    found.eq_ignore_ascii_case(name)
        && rest.first().is_some_and(|&byte| names::is(byte, TAG_NAME_END))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_ends_as_in_browsers() {
        for (comment, length) in [
            ("<!-->x-->", 5),
            ("<!--->x-->", 6),
            ("<!---->x", 7),
            ("<!--a-->x", 8),
            ("<!--a--->x", 9),
            ("<!--a--!>x", 9),
            ("<!---!>x-->", 11),
            ("<!----!>x", 8),
            ("<!--a--!-->x", 11),
            ("<!--a-- -->x", 11),
            ("<!--<!-->x", 9),
            ("<!--a", 5),
            ("<!--a-", 6),
            ("<!--a--", 7),
            ("<!--", 4),
        ] {
            assert_eq!(comment_end(comment.as_bytes(), 0), length, "{comment}");
        }
    }

    #[test]
    fn a_script_in_a_comment_hides_its_end_tag() {
        for (script, end) in [
            ("a</script>", Some(1)),
            ("a</SCRIPT\n", Some(1)),
            ("a</scripts></script/", Some(11)),
            ("</script", None),
            ("<!--</script>", Some(4)),
            ("<!--<script></script></script>", Some(21)),
            ("<!--<script></script>", None),
            ("<!--<script>--></script>", Some(15)),
            ("<!--><script></script>", Some(13)),
            ("<!---><script></script>", Some(14)),
            ("<!--<scripts></script>", Some(13)),
            ("<!--<script/</script/</script>", Some(21)),
            ("<script></script>", Some(8)),
        ] {
            assert_eq!(script_end(script.as_bytes(), 0), end, "{script}");
        }
    }

    #[test]
    fn raw_text_ends_at_its_own_end_tag() {
        for (text, end) in [
            ("a</title>", Some(1)),
            ("a<!--</tItLe >", Some(5)),
            ("</titles></title", None),
            ("</title", None),
        ] {
            assert_eq!(raw_text_end(text.as_bytes(), 0, b"title"), end, "{text}");
        }
    }
}
