//! Path segments with a special meaning: dot segments and Windows drive letters (URL Standard,
//! section 4.1).

/// A dot segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DotSegment {
    /// `.`
    Single,
    /// `..`
    Double,
}

/// Returns the kind of dot segment that `segment` is, if any. `%2e` counts as a dot.
pub(super) fn dot_segment(segment: &str) -> Option<DotSegment> {
    match segment.as_bytes() {
        b"." | [b'%', b'2', b'e' | b'E'] => Some(DotSegment::Single),
        b".."
        | [b'.', b'%', b'2', b'e' | b'E']
        | [b'%', b'2', b'e' | b'E', b'.']
        | [b'%', b'2', b'e' | b'E', b'%', b'2', b'e' | b'E'] => Some(DotSegment::Double),
        _ => None,
    }
}

/// `path` up to its last slash, with it; empty if there is none.
pub(super) fn directory(path: &str) -> &str {
    let slash = path.rfind('/');
    slash.and_then(|slash| path.get(..=slash)).unwrap_or_default()
}

/// Returns true if `input` is a Windows drive letter: a letter and `:` or `|`.
pub(super) fn is_drive_letter(input: &str) -> bool {
    matches!(input.as_bytes(), [letter, b':' | b'|'] if letter.is_ascii_alphabetic())
}

/// Returns true if `input` starts with a Windows drive letter.
pub(super) fn starts_with_drive_letter(input: &str) -> bool {
    input.get(..2).is_some_and(is_drive_letter)
        && matches!(input.as_bytes(), [_, _] | [_, _, b'/' | b'\\' | b'?' | b'#', ..])
}

/// `/C:` if the first segment of the serialized `path` is a normalized Windows drive letter.
pub(super) fn drive_prefix(path: &str) -> Option<&str> {
    match path.as_bytes() {
        [b'/', letter, b':'] | [b'/', letter, b':', b'/', ..] if letter.is_ascii_alphabetic() => {
            path.get(..3)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dot_segments() {
        for (segment, expected) in [
            (".", Some(DotSegment::Single)),
            ("%2E", Some(DotSegment::Single)),
            ("..", Some(DotSegment::Double)),
            (".%2e", Some(DotSegment::Double)),
            ("%2e.", Some(DotSegment::Double)),
            ("%2E%2e", Some(DotSegment::Double)),
            ("...", None),
            ("", None),
            (".a", None),
            ("%2", None),
            ("%2f", None),
            ("%é", None),
        ] {
            assert_eq!(dot_segment(segment), expected, "{segment}");
        }
    }

    #[test]
    fn drive_letters() {
        assert!(is_drive_letter("C|") && is_drive_letter("c:") && !is_drive_letter("1:"));
        for (input, expected) in
            [("c:", true), ("c|/x", true), ("c:\\", true), ("c:x", false), ("é:", false)]
        {
            assert_eq!(starts_with_drive_letter(input), expected, "{input}");
        }
        assert_eq!(drive_prefix("/C:/x"), Some("/C:"));
        assert_eq!(drive_prefix("/C:x"), None);
        assert_eq!(drive_prefix("/C|/x"), None);
    }
}
