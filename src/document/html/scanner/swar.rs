//! Searches eight bytes at once in a machine word (SWAR). Most names and values are short, so that
//! this beats the call of a search function.

use memchr::memchr;

const LOW: u64 = u64::from_le_bytes([1; 8]);
const HIGH: u64 = u64::from_le_bytes([0x80; 8]);

/// The eight bytes from `at` on, the first as the lowest byte of the word.
#[inline]
pub(super) fn at(source: &[u8], at: usize) -> Option<u64> {
    let bytes = source.get(at..)?.first_chunk::<8>()?;
    Some(u64::from_le_bytes(*bytes))
}

/// Sets the highest bit of each byte that equals `byte`. Only the lowest set bit is reliable.
#[inline]
pub(super) fn equal(word: u64, byte: u8) -> u64 {
    below(word ^ (LOW * u64::from(byte)), 1)
}

/// Like [`equal`] for the bytes below `limit`, which is at most 128.
#[inline]
pub(super) fn below(word: u64, limit: u8) -> u64 {
    word.wrapping_sub(LOW * u64::from(limit)) & !word & HIGH
}

/// The index of the byte of the lowest set bit.
#[inline]
pub(super) fn first(bits: u64) -> usize {
    (bits.trailing_zeros() / 8) as usize
}

/// The bytes with ASCII letters in lower case.
#[inline]
pub(super) fn to_lower(word: u64) -> u64 {
    let rest = word & !HIGH;
    let from_a = rest + LOW * u64::from(0x80 - b'A');
    let after_z = rest + LOW * u64::from(0x7F - b'Z');
    let is_upper = (from_a ^ after_z) & !word & HIGH;
    word | is_upper >> 2
}

/// The first `byte` from `start` on.
#[inline]
pub(super) fn find(source: &[u8], start: usize, byte: u8) -> Option<usize> {
    let mut at = start;
    for _ in 0..2 {
        let Some(word) = self::at(source, at) else {
            break;
        };
        let bits = equal(word, byte);
        if bits != 0 {
            return Some(at + first(bits));
        }
        at += 8;
    }
    Some(at + memchr(byte, source.get(at..)?)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_is_found_at_any_place() {
        for length in 0..40 {
            for place in 0..length {
                let mut source = vec![b'<' - 1; length];
                source[place] = b'<';
                for start in 0..length {
                    let expected = (place >= start).then_some(place);
                    assert_eq!(find(&source, start, b'<'), expected);
                }
            }
            assert_eq!(find(&vec![b'x'; length], 0, b'<'), None);
            assert_eq!(find(&vec![b'x'; length], length + 1, b'<'), None);
        }
    }

    #[test]
    fn the_lowest_set_bit_is_reliable() {
        for byte in 0..=255 {
            let word = u64::from_le_bytes([0xFF, b'x', byte, byte, 0, byte, b'=', b' ']);
            let bytes = word.to_le_bytes();
            for wanted in [0, 1, b' ', b'=', b'x', 0x7F, 0x80, 0xFF, byte] {
                let bits = equal(word, wanted);
                let expected = bytes.iter().position(|&byte| byte == wanted);
                assert_eq!((bits != 0).then(|| first(bits)), expected);
            }
            let bits = below(word, 0x21);
            let expected = bytes.iter().position(|&byte| byte < 0x21);
            assert_eq!((bits != 0).then(|| first(bits)), expected);
        }
    }

    #[test]
    fn only_ascii_letters_get_lower_case() {
        for byte in 0..=255_u8 {
            let bytes = [byte, b'A', byte, b'z', byte, 0xC1, b'@', byte];
            let lower = to_lower(u64::from_le_bytes(bytes));
            assert_eq!(lower.to_le_bytes(), bytes.map(|b| b.to_ascii_lowercase()));
        }
    }
}
