//! FNV-1a: a hash that is the same on every machine and in every version, unlike the hashes of std.

/// The FNV hash of the empty sequence of bytes, with which to start.
pub const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0000_0100_0000_01b3;

/// Returns the hash of the bytes whose hash is `hash`, followed by `bytes`.
pub fn absorb(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(hash, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(PRIME))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of the authors' test suite.
    #[test]
    fn hashes_are_those_of_the_authors() {
        assert_eq!(absorb(OFFSET, b""), OFFSET);
        assert_eq!(absorb(OFFSET, b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(absorb(OFFSET, b"foobar"), 0x8594_4171_f739_67e8);
        assert_eq!(absorb(absorb(OFFSET, b"foo"), b"bar"), absorb(OFFSET, b"foobar"));
    }
}
