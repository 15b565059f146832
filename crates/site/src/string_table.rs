//! Many different strings in little memory, as the URLs of a crawl.

use std::hash::BuildHasher;

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

/// The number of a string in a list or a table, in the order of their insertion.
pub type StringNumber = u32;

/// A list of strings in one buffer, each with a number. A string takes 8 bytes in addition to its text, and no
/// allocation.
#[derive(Clone, Debug, Default)]
pub struct StringList {
    text: String,
    /// The end of each string in `text`.
    ends: Vec<usize>,
}

impl StringList {
    /// Returns the number of strings.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Adds `string`, and returns its number; `None` if the list is full, with four billion strings.
    pub fn push(&mut self, string: &str) -> Option<StringNumber> {
        let number = StringNumber::try_from(self.ends.len()).ok()?;
        self.text.push_str(string);
        self.ends.push(self.text.len());
        Some(number)
    }

    /// Returns the string with the number `number`; empty if there is none.
    pub fn get(&self, number: StringNumber) -> &str {
        let number = number as usize;
        let start = number.checked_sub(1).and_then(|before| self.ends.get(before));
        let end = self.ends.get(number).copied().unwrap_or_default();
        self.text.get(start.copied().unwrap_or_default()..end).unwrap_or_default()
    }

    /// Returns all strings, in order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        (0..).zip(&self.ends).map(|(number, _)| self.get(number))
    }
}

/// A set of strings, each with a number. A string takes about 20 bytes in addition to its text, and no
/// allocation.
#[derive(Clone, Debug, Default)]
pub struct StringTable {
    strings: StringList,
    numbers: HashTable<StringNumber>,
}

impl StringTable {
    /// Returns the number of strings.
    pub fn len(&self) -> usize {
        self.strings.len()
    }

    /// Returns the number of `string`, which is added unless the table has it; `None` if the table is full.
    pub fn insert(&mut self, string: &str) -> Option<StringNumber> {
        if let Some(known) = self.number(string) {
            return Some(known);
        }
        let number = self.strings.push(string)?;
        let hash_of = |&number: &StringNumber| hash(self.strings.get(number));
        self.numbers.insert_unique(hash(string), number, hash_of);
        Some(number)
    }

    /// Adds `string`. Returns true if the table did not contain it.
    pub fn insert_new(&mut self, string: &str) -> bool {
        let before = self.len();
        self.insert(string).is_none() || self.len() > before
    }

    /// Returns the number of `string`, if the table has it.
    pub fn number(&self, string: &str) -> Option<StringNumber> {
        let is_same = |&number: &StringNumber| self.get(number) == string;
        self.numbers.find(hash(string), is_same).copied()
    }

    /// Returns the string with the number `number`; empty if there is none.
    pub fn get(&self, number: StringNumber) -> &str {
        self.strings.get(number)
    }
}

fn hash(string: &str) -> u64 {
    FxBuildHasher.hash_one(string)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;

    proptest! {
        #[test]
        fn equal_strings_have_one_number(strings in proptest::collection::vec("[ab]{0,3}|é", 0..80)) {
            let mut table = StringTable::default();
            let mut expected: HashMap<&str, StringNumber> = HashMap::new();
            for string in &strings {
                let next = StringNumber::try_from(expected.len()).unwrap();
                let number = *expected.entry(string).or_insert(next);
                prop_assert_eq!(table.insert(string), Some(number));
            }
            prop_assert_eq!(table.len(), expected.len());
            for (string, number) in expected {
                prop_assert_eq!(table.get(number), string);
                prop_assert_eq!(table.number(string), Some(number));
            }
            prop_assert_eq!(table.number("c"), None);
            prop_assert_eq!(table.get(StringNumber::MAX), "");
        }
    }
}
