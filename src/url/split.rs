//! Splitting text at the delimiters of components.

/// Splits `input` before its first byte that `is_delimiter`; if it has none, the second part is
/// empty. Delimiters are ASCII.
pub(super) fn split_before(input: &str, is_delimiter: impl Fn(u8) -> bool) -> (&str, &str) {
    input
        .bytes()
        .position(is_delimiter)
        .and_then(|end| input.split_at_checked(end))
        .unwrap_or((input, ""))
}
