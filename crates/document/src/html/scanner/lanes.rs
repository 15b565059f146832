//! Looks at sixteen bytes at once. Most names and values are short, so that this beats the call of a search
//! function.

use memchr::memchr;
use wide::u8x16;

/// The number of bytes of [`Lanes`].
const LANES: usize = 16;

/// Sixteen bytes of a source, side by side.
#[derive(Clone, Copy)]
pub(super) struct Lanes(u8x16);

impl Lanes {
    /// Returns the bytes from `at` on, if there are enough.
    #[inline]
    pub(super) fn at(source: &[u8], at: usize) -> Option<Lanes> {
        let bytes = source.get(at..)?.first_chunk::<LANES>()?;
        Some(Lanes(u8x16::new(*bytes)))
    }

    /// Returns the first of the bytes that equals `byte`.
    #[inline]
    pub(super) fn find(self, byte: u8) -> Option<usize> {
        let found = self.0.simd_eq(u8x16::splat(byte)).to_bitmask();
        (found != 0).then(|| found.trailing_zeros() as usize)
    }

    /// The first of the bytes after the first one that is white space, a control character or one of `others`.
    #[inline]
    pub(super) fn find_end<const N: usize>(self, others: [u8; N]) -> Option<usize> {
        let low = self.0.min(u8x16::splat(b' ')).simd_eq(self.0);
        let others = others.map(|byte| self.0.simd_eq(u8x16::splat(byte)));
        let found = others.into_iter().fold(low, |found, other| found | other);
        let found = found.to_bitmask() & !1;
        (found != 0).then(|| found.trailing_zeros() as usize)
    }
}

/// Returns the first `byte` from `start` on.
#[inline]
pub(super) fn find(source: &[u8], start: usize, byte: u8) -> Option<usize> {
    let mut at = start;
    for _ in 0..2 {
        let Some(lanes) = Lanes::at(source, at) else { break };
        if let Some(found) = lanes.find(byte) {
            return Some(at + found);
        }
        at += LANES;
    }
    Some(at + memchr(byte, source.get(at..)?)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_is_found_at_any_place() {
        for length in 0..80 {
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
    fn the_end_of_a_name_is_found_after_its_first_byte() {
        for byte in 0..=255 {
            for place in 1..LANES {
                let mut source = [b'x'; LANES];
                source[0] = b'/';
                source[place] = byte;
                let lanes = Lanes::at(&source, 0).unwrap();
                let is_end = byte <= b' ' || matches!(byte, b'/' | b'>');
                assert_eq!(lanes.find_end(*b"/>"), is_end.then_some(place), "{byte}");
            }
        }
        assert!(Lanes::at(b"fifteen bytes .", 0).is_none());
    }
}
