//! Searches that compare many bytes at once: the compiler makes vector instructions of loops without an early
//! exit.

use crate::document::{InlineCode, SCRIPTS, inline_code};

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

/// The scripts in `html`, as [`inline_code`] finds them.
pub(super) fn inline_scripts(html: &[u8]) -> impl Iterator<Item = InlineCode> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = next_script(html, at)?;
        let script = inline_code(html.get(start..)?, SCRIPTS).next()?;
        let script = InlineCode {
            attributes: script.attributes.shifted(start),
            content: script.content.shifted(start),
        };
        at = script.content.end;
        Some(script)
    })
}

/// The place of the first `<script` in `html` from `at` on, in any letter case.
fn next_script(html: &[u8], mut at: usize) -> Option<usize> {
    const TAG: &[u8] = b"<script";
    let is_tag = |start: &usize| {
        let tag = html.get(*start..start + TAG.len());
        tag.is_some_and(|tag| tag.eq_ignore_ascii_case(TAG))
    };
    while at < html.len() {
        let end = html.len().min(at + BLOCK);
        let rest = html.get(at..).unwrap_or_default();
        let first = rest.get(..end - at).unwrap_or_default();
        let second = rest.get(1..).unwrap_or_default();
        let third = rest.get(2..).unwrap_or_default();
        let mut is_found = 0;
        for ((first, second), third) in first.iter().zip(second).zip(third) {
            let is_tag = (*first == b'<') & (*second | 0x20 == b's') & (*third | 0x20 == b'c');
            is_found |= u8::from(is_tag);
        }
        if is_found != 0
            && let Some(start) = memchr::memchr_iter(b'<', first)
                .map(|it| at + it)
                .find(is_tag)
        {
            return Some(start);
        }
        at = end;
    }
    None
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::sample::select;

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

        #[test]
        fn scripts_are_those_of_the_slow_search(
            pieces in proptest::collection::vec(select(vec![
                "<script", "<SCRIPT", "<Scr", "<s", "</script", "</SCRIPT>", ">", "<", "a", "scriptscript",
                "0123456789012345678901234567890123456789012345678901234567890123456789",
            ]), 0..60),
        ) {
            let html = pieces.concat();
            let spans = |it: InlineCode| (it.attributes, it.content);
            let found: Vec<_> = inline_scripts(html.as_bytes()).map(spans).collect();
            let expected: Vec<_> = inline_code(html.as_bytes(), SCRIPTS).map(spans).collect();
            prop_assert_eq!(found, expected);
        }
    }
}
