//! Searches in bytes that ignore the case of ASCII letters.

/// Returns true if `bytes` begin with `start`.
pub(super) fn starts_with_ignore_case(bytes: &[u8], start: &[u8]) -> bool {
    let found = bytes.get(..start.len());
    found.is_some_and(|found| found.eq_ignore_ascii_case(start))
}

/// Returns the first byte of the first `part`, which is not empty, in `bytes`.
pub fn find_ignore_case(bytes: &[u8], part: &[u8]) -> Option<usize> {
    let first = *part.first()?;
    let (lower, upper) = (first.to_ascii_lowercase(), first.to_ascii_uppercase());
    memchr::memchr2_iter(lower, upper, bytes)
        .find(|&at| starts_with_ignore_case(bytes.get(at..).unwrap_or_default(), part))
}
