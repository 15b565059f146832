//! How a generator tells headings of the same text apart.

use rustc_hash::FxHashMap;

/// The rule by which an id that is taken gets a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Numbering {
    /// `-1`, `-2`, … until the id is free: `a`, `a`, `a-1` are `a`, `a-1`, `a-1-1`.
    UntilFree,
    /// kramdown: the repetitions of the text are counted, and `a`, `a`, `a-1` are `a`, `a-1`, `a-1`.
    Blind,
    /// Python-Markdown: `_1`, or the number that the id ends with and one more; an empty id always gets a number.
    Underscore,
    /// docutils with the settings of Sphinx: `id1`, `id2`, … over all that has no id of its own.
    Anonymous,
}

/// The ids of a document that are taken.
#[derive(Debug, Default)]
pub(super) struct Ids {
    /// Each id, and the last number that was tried for a repetition of it: numbers are never given back.
    taken: FxHashMap<String, u64>,
    anonymous: u64,
}

impl Ids {
    /// Takes an id that the author chose.
    pub(super) fn reserve(&mut self, id: &str) {
        self.taken.entry(id.to_owned()).or_insert(0);
    }

    pub(super) fn contains(&self, id: &str) -> bool {
        self.taken.contains_key(id)
    }

    /// Takes `id`, with a number if it is taken.
    pub(super) fn take(&mut self, id: String, numbering: Numbering) -> String {
        let needs_text = matches!(numbering, Numbering::Underscore | Numbering::Anonymous);
        let is_taken = self.contains(&id) || (needs_text && id.is_empty());
        if !is_taken {
            self.reserve(&id);
            return id;
        }
        match numbering {
            Numbering::Anonymous => self.next_anonymous(),
            Numbering::Blind => {
                let count = self.next_number(&id, 0);
                format!("{id}-{count}")
            }
            Numbering::Underscore => {
                let (base, count) = split_number(&id);
                self.numbered(&id, base, '_', count)
            }
            Numbering::UntilFree => self.numbered(&id, &id, '-', 0),
        }
    }

    /// Takes the next id of what has no name.
    pub(super) fn next_anonymous(&mut self) -> String {
        loop {
            self.anonymous += 1;
            let id = format!("id{}", self.anonymous);
            if !self.contains(&id) {
                self.reserve(&id);
                return id;
            }
        }
    }

    fn numbered(&mut self, id: &str, base: &str, separator: char, start: u64) -> String {
        loop {
            let number = self.next_number(id, start);
            let numbered = format!("{base}{separator}{number}");
            if !self.contains(&numbered) {
                self.reserve(&numbered);
                return numbered;
            }
        }
    }

    fn next_number(&mut self, id: &str, start: u64) -> u64 {
        let last = self.taken.entry(id.to_owned()).or_insert(0);
        *last = (*last).max(start).saturating_add(1);
        *last
    }
}

/// The number after the last underscore of `id`, and what is before it.
fn split_number(id: &str) -> (&str, u64) {
    match id.rsplit_once('_') {
        Some((base, number)) if number.bytes().all(|byte| byte.is_ascii_digit()) => {
            match number.parse() {
                Ok(number) => (base, number),
                Err(_) => (id, 0),
            }
        }
        _ => (id, 0),
    }
}
