//! A search that compares many bytes at once: the compiler makes vector instructions of a loop without an early
//! exit.

/// The number of bytes that a loop compares before it looks at the results.
const BLOCK: usize = 256;

/// Calls `found` for every byte of `bytes` that `is_wanted`, a test without branches, with its place.
#[inline(always)]
pub(super) fn each_byte(
    bytes: &[u8],
    is_wanted: impl Fn(u8) -> bool,
    mut found: impl FnMut(usize, u8),
) {
    let mut marks = [0; BLOCK];
    for (number, block) in bytes.chunks(BLOCK).enumerate() {
        for (mark, it) in marks.iter_mut().zip(block) {
            *mark = u8::from(is_wanted(*it));
        }
        let (words, _) = marks.as_chunks::<8>();
        for (word_number, word) in words.iter().enumerate() {
            let mut word = u64::from_le_bytes(*word);
            while word != 0 {
                let at = word_number * 8 + word.trailing_zeros() as usize / 8;
                word &= word - 1;
                // The marks after the end are those of the block before.
                let Some(byte) = block.get(at) else { return };
                found(number * BLOCK + at, *byte);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn every_wanted_byte_is_found_in_its_place(bytes in "[a-e\"'`$\n]{0,600}") {
            let is_wanted = |byte| (byte == b'"') | (byte == b'$') | (byte | 1 == b'a');
            let mut found = Vec::new();
            each_byte(bytes.as_bytes(), is_wanted, |at, byte| found.push((at, byte)));
            let all = bytes.bytes().enumerate();
            let expected: Vec<_> = all.filter(|(_, byte)| is_wanted(*byte)).collect();
            prop_assert_eq!(found, expected);
        }
    }
}
