//! The two sides of a comparison in messages: BEFORE and AFTER.

/// For `map_err`: what in BEFORE cannot be compared.
pub(super) fn in_before(error: impl ToString) -> String {
    format!("in BEFORE: {}", error.to_string())
}

/// For `map_err`: what in AFTER cannot be compared.
pub(super) fn in_after(error: impl ToString) -> String {
    error.to_string()
}
