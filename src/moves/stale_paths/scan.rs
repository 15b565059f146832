//! A search that compares many bytes at once: the compiler makes vector instructions of a loop without an early
//! exit.

/// The number of bytes that a loop compares before it looks at the results.
const BLOCK: usize = 256;

/// Calls `found` for every byte of `bytes` that is one of `wanted`, with its place.
#[inline(always)]
pub(super) fn each_of(wanted: [u8; 5], bytes: &[u8], mut found: impl FnMut(usize, u8)) {
    let [a, b, c, d, e] = wanted;
    let mut marks = [0; BLOCK];
    for (number, block) in bytes.chunks(BLOCK).enumerate() {
        for (mark, it) in marks.iter_mut().zip(block) {
            *mark = u8::from((*it == a) | (*it == b) | (*it == c) | (*it == d) | (*it == e));
        }
        let (words, _) = marks.as_chunks::<8>();
        for (word_number, word) in words.iter().enumerate() {
            let mut word = u64::from_le_bytes(*word);
            while word != 0 {
                let at = word_number * 8 + word.trailing_zeros() as usize / 8;
                word &= word - 1;
                // The marks after the end are those of the block before.
                let Some(byte) = block.get(at) else {
                    return;
                };
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
            let wanted = *b"\"'`$\n";
            let mut found = Vec::new();
            each_of(wanted, bytes.as_bytes(), |at, byte| found.push((at, byte)));
            let all = bytes.bytes().enumerate();
            let expected: Vec<_> = all.filter(|(_, byte)| wanted.contains(byte)).collect();
            prop_assert_eq!(found, expected);
        }
    }
}
