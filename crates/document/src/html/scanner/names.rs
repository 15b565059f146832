//! Reads the names of tags and attributes, and finds them in a table of known names.

use super::lanes::Lanes;
use rehref_url::Span;

// The classes of bytes in a tag, as bits.

/// White space.
pub(super) const SPACE: u8 = 1;
/// Ends the name of a tag.
pub(super) const TAG_NAME_END: u8 = 2;
/// Ends the name of an attribute.
pub(super) const ATTRIBUTE_NAME_END: u8 = 4;
/// Ends a value without quotes.
pub(super) const VALUE_END: u8 = 8;
/// May differ between source and tree: NUL, which the tree replaces, and bytes that may not be UTF-8.
const ODD: u8 = 16;

static CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let mut at = 0;
    while at < 256 {
        let byte = at as u8;
        classes[at] = match byte {
            b'\t' | b'\n' | b'\x0C' | b'\r' | b' ' => {
                SPACE | TAG_NAME_END | ATTRIBUTE_NAME_END | VALUE_END
            }
            b'/' => TAG_NAME_END | ATTRIBUTE_NAME_END,
            b'>' => TAG_NAME_END | ATTRIBUTE_NAME_END | VALUE_END,
            b'=' => ATTRIBUTE_NAME_END,
            0 | 0x80..=0xFF => ODD,
            _ => 0,
        };
        at += 1;
    }
    classes
};

/// Returns true if a byte is of one of these classes.
#[inline]
pub(super) fn is(byte: u8, classes: u8) -> bool {
    CLASSES[usize::from(byte)] & classes != 0
}

/// Returns true if the tree may have other bytes for a name: the name has NUL, or bytes that may not be UTF-8.
pub(super) fn is_odd(name: &[u8]) -> bool {
    name.iter().any(|&byte| is(byte, ODD))
}

/// A name in the source.
#[derive(Clone, Copy)]
pub(crate) struct SourceName {
    /// One past its last byte.
    pub(super) end: usize,
    /// The number of its bytes.
    length: usize,
    /// The first eight bytes; after a shorter name, what follows it.
    word: u64,
}

impl SourceName {
    #[inline]
    pub(crate) fn span(self) -> Span {
        Span { start: self.end - self.length, end: self.end }
    }

    /// The first eight bytes in lower case, which differ from those of most other names.
    fn key(self) -> u64 {
        let lower = to_lower(self.word);
        match self.length {
            length @ 0..8 => lower & !(u64::MAX << (8 * length)),
            _ => lower,
        }
    }
}

/// The bytes with ASCII letters in lower case.
#[inline]
fn to_lower(word: u64) -> u64 {
    const ONES: u64 = u64::from_le_bytes([1; 8]);
    const HIGH: u64 = u64::from_le_bytes([0x80; 8]);
    let rest = word & !HIGH;
    let from_a = rest + ONES * u64::from(0x80 - b'A');
    let after_z = rest + ONES * u64::from(0x7F - b'Z');
    let is_upper = (from_a ^ after_z) & !word & HIGH;
    word | is_upper >> 2
}

/// Reads the name from `start` up to a byte of one of the classes `ends`. The first byte is part of
/// the name whatever it is. Returns `None` where the source ends within the name.
#[inline]
pub(super) fn scan(source: &[u8], start: usize, ends: u8) -> Option<SourceName> {
    if let Some(lanes) = Lanes::at(source, start) {
        let length = match ends & ATTRIBUTE_NAME_END {
            0 => lanes.find_end(*b"/>"),
            _ => lanes.find_end(*b"/>="),
        };
        if let Some(length) = length
            && let Some(&byte) = source.get(start + length)
            && is(byte, ends)
            && let Some(word) = source.get(start..).and_then(<[u8]>::first_chunk)
        {
            let end = start + length;
            let word = u64::from_le_bytes(*word);
            return Some(SourceName { end, length, word });
        }
    }
    scan_bytes(source, start, ends)
}

/// A tag up to the end of its name.
#[derive(Clone, Copy)]
pub(in crate::html) struct SourceTag {
    pub(in crate::html) name: SourceName,
    pub(in crate::html) is_end: bool,
}

/// Returns the tag with its `<` at `at`; `None` if no name follows, or the source ends within the name.
#[inline]
pub(in crate::html) fn scan_tag(source: &[u8], at: usize) -> Option<SourceTag> {
    let is_end = *source.get(at + 1)? == b'/';
    let start = at + 1 + usize::from(is_end);
    if !source.get(start)?.is_ascii_alphabetic() {
        return None;
    }
    let name = scan(source, start, TAG_NAME_END)?;
    Some(SourceTag { name, is_end })
}

/// Like [`scan`], byte by byte.
fn scan_bytes(source: &[u8], start: usize, ends: u8) -> Option<SourceName> {
    let (&first, rest) = source.get(start..)?.split_first()?;
    let mut word = u64::from(first);
    for (length, &byte) in (1..).zip(rest) {
        if is(byte, ends) {
            let end = start + length;
            return Some(SourceName { end, length, word });
        }
        if length < 8 {
            word |= u64::from(byte) << (8 * length);
        }
    }
    None
}

/// Tells at once that a name is not one of a few: by its first two letters and its length.
pub(super) struct NameFilter {
    /// For each pair of letters the lengths of the names that begin with it, as bits.
    lengths: Box<[u32; PAIRS]>,
}

/// A pair of letters has five bits of each, in which upper and lower case are the same.
const PAIRS: usize = 1 << 10;

impl NameFilter {
    fn new<'n>(names: impl IntoIterator<Item = &'n str>) -> NameFilter {
        let mut lengths = Box::new([0; PAIRS]);
        for name in names {
            let bit = NameFilter::bit(name.len());
            match name.as_bytes() {
                // What follows a name of one letter is not its own.
                [first] => (0..32)
                    .map(|next| NameFilter::pair(*first, next))
                    .for_each(|pair| lengths[pair] |= bit),
                [first, second, ..] => lengths[NameFilter::pair(*first, *second)] |= bit,
                [] => {}
            }
        }
        NameFilter { lengths }
    }

    /// Returns true if the name may be in the table, in any letter case; `false` is certain.
    #[inline]
    pub(super) fn may_have(&self, name: SourceName) -> bool {
        let [first, second, ..] = name.word.to_le_bytes();
        self.lengths[NameFilter::pair(first, second)] & NameFilter::bit(name.length) != 0
    }

    #[inline]
    fn pair(first: u8, second: u8) -> usize {
        usize::from(first & 31) << 5 | usize::from(second & 31)
    }

    #[inline]
    fn bit(length: usize) -> u32 {
        1 << length.min(31)
    }
}

/// A table of known names, numbered from 0 on.
pub(in crate::html) struct NameTable {
    names: Vec<&'static str>,
    /// A hash table with linear probing.
    slots: Box<[Slot; SLOTS]>,
    filter: NameFilter,
}

/// A name in the hash table.
#[derive(Clone, Copy)]
struct Slot {
    key: u64,
    /// The number of its bytes; 0 for a free slot.
    length: u16,
    number: u16,
}

const SLOT_BITS: u32 = 10;
const SLOTS: usize = 1 << SLOT_BITS;
const FREE: Slot = Slot { key: 0, length: 0, number: 0 };

impl NameTable {
    /// Returns the table of these names, all in lower case. Repeated names count once.
    pub(super) fn new(all: impl IntoIterator<Item = &'static str>) -> NameTable {
        let mut names: Vec<&'static str> = Vec::new();
        for name in all {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let mut slots = Box::new([FREE; SLOTS]);
        for (number, name) in (0..).zip(&names) {
            let key = (0..8).zip(name.bytes());
            let key = key.fold(0, |key, (at, byte)| key | u64::from(byte) << (8 * at));
            let mut slot = slot_of(key, name.len());
            while slots[slot].length != 0 {
                slot = (slot + 1) % SLOTS;
            }
            slots[slot] =
                Slot { key, length: u16::try_from(name.len()).unwrap_or(u16::MAX), number };
        }
        NameTable { filter: NameFilter::new(names.iter().copied()), names, slots }
    }

    /// Returns the filter for those of the names that `fits` chooses by their numbers.
    pub(super) fn filter(&self, mut fits: impl FnMut(usize) -> bool) -> NameFilter {
        let names = self.names.iter().enumerate();
        NameFilter::new(names.filter(|(at, _)| fits(*at)).map(|(_, name)| *name))
    }

    /// Returns the number of a name that [`scan`] has read in `source`.
    #[inline]
    pub(super) fn find(&self, source: &[u8], wanted: SourceName) -> Option<usize> {
        if self.filter.may_have(wanted) { self.look_up(source, wanted) } else { None }
    }

    fn look_up(&self, source: &[u8], wanted: SourceName) -> Option<usize> {
        let SourceName { end, length, .. } = wanted;
        let key = wanted.key();
        let mut at = slot_of(key, length);
        loop {
            let slot = self.slots[at];
            if slot.length == 0 {
                return None;
            }
            let number = usize::from(slot.number);
            let is_equal = slot.key == key && usize::from(slot.length) == length;
            if is_equal && (length <= 8 || self.is_name(number, source.get(end - length..end))) {
                return Some(number);
            }
            at = (at + 1) % SLOTS;
        }
    }

    fn is_name(&self, number: usize, found: Option<&[u8]>) -> bool {
        let name = self.name(number).map(str::as_bytes);
        found.is_some_and(|found| name.is_some_and(|name| found.eq_ignore_ascii_case(name)))
    }

    /// Returns all names, in the order of their numbers.
    pub(in crate::html) fn all(&self) -> &[&'static str] {
        &self.names
    }

    /// Returns the name of this number.
    pub(super) fn name(&self, number: usize) -> Option<&'static str> {
        self.names.get(number).copied()
    }

    /// Returns the number of this name.
    pub(super) fn number(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|known| *known == name)
    }
}

#[inline]
fn slot_of(key: u64, length: usize) -> usize {
    // Four bits of the length: longer names may share their slot with shorter ones.
    let mixed = (key ^ (length as u64) << 60).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed >> (u64::BITS - SLOT_BITS)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_in_any_case() {
        let all = ["a", "b", "blockquote", "blockquota", "annotation-xml", "a"];
        let names = NameTable::new(all);
        assert_eq!(names.all().len(), 5);
        for (source, expected) in [
            ("a ", Some("a")),
            ("A>", Some("a")),
            ("c>", None),
            ("ab>", None),
            ("BlockQuote/", Some("blockquote")),
            ("blockquota\t", Some("blockquota")),
            ("blockquotes>", None),
            ("blockquot>", None),
            ("annotation-xml>", Some("annotation-xml")),
            ("annotation-xmk>", None),
            ("a\0>", None),
            ("\0>", None),
        ] {
            let source = source.as_bytes();
            let scanned = scan(source, 0, TAG_NAME_END).unwrap();
            assert_eq!(scanned.end, source.len() - 1);
            let found = names.find(source, scanned);
            assert_eq!(found.and_then(|number| names.name(number)), expected);
            assert_eq!(expected.and_then(|name| names.number(name)), found);
        }
        assert!(scan(b"abc", 0, TAG_NAME_END).is_none());
        assert!(scan(b"", 0, TAG_NAME_END).is_none());
    }

    #[test]
    fn a_filter_tells_names_apart_and_hides_none() {
        let scan = |source: &str| scan(source.as_bytes(), 0, TAG_NAME_END).unwrap();
        let long = "a-name-of-more-than-thirty-one-bytes";
        let filter = NameFilter::new(["a", "td", "template", "annotation-xml", long]);
        for name in ["a", "A", "td", "Td", "TEMPLATE", "Annotation-XML", long] {
            for rest in [">", " b=c>", "/>", "\n       >"] {
                assert!(filter.may_have(scan(&format!("{name}{rest}"))), "{name}");
            }
        }
        for name in ["b", "tr", "tda", "div", "abbr", "templates"] {
            assert!(!filter.may_have(scan(&format!("{name} class=x>"))), "{name}");
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

    #[test]
    fn a_name_ends_at_a_byte_of_its_classes() {
        let end = |source: &str, ends| scan(source.as_bytes(), 0, ends).map(|found| found.end);
        assert_eq!(end("a=b>", TAG_NAME_END), Some(3));
        assert_eq!(end("a=b>", ATTRIBUTE_NAME_END), Some(1));
        assert_eq!(end("=b/", ATTRIBUTE_NAME_END), Some(2));
        assert_eq!(end("b/c d", VALUE_END), Some(3));
        assert!(is_odd("é".as_bytes()) && is_odd(b"a\0") && !is_odd(b"a-b:c\"<"));
    }
}
