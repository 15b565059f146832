//! The memory that a text may take.

/// The bytes that any text may take, and the number of further ones per byte of it.
const BYTES: usize = 64 << 20;
const BYTES_PER_BYTE: usize = 30;

/// Returns the number of bytes of memory that parsing a text of `size` bytes may use.
pub fn memory_budget(size: usize) -> usize {
    size.saturating_mul(BYTES_PER_BYTE).saturating_add(BYTES)
}
