//! How a generator tells headings of the same text apart.

use rustc_hash::FxHashMap;

/// The rule by which an id that is taken gets a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Numbering {
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
pub(crate) struct Ids {
    /// Each id, and the last number that was tried for a repetition of it, or after its own: numbers are never given
    /// back.
    taken: FxHashMap<String, u64>,
    anonymous: u64,
}

impl Ids {
    /// Takes an id that the author chose.
    pub(crate) fn reserve(&mut self, id: &str) {
        self.taken.entry(id.to_owned()).or_insert(0);
    }

    pub(crate) fn contains(&self, id: &str) -> bool {
        self.taken.contains_key(id)
    }

    /// Takes `id`, with a number if it is taken.
    pub(crate) fn take(&mut self, id: String, numbering: Numbering) -> String {
        let needs_text = matches!(numbering, Numbering::Underscore | Numbering::Anonymous);
        let is_taken = self.contains(&id) || (needs_text && id.is_empty());
        if !is_taken {
            self.reserve(&id);
            return id;
        }
        match numbering {
            Numbering::Anonymous => self.next_anonymous(),
            Numbering::Blind => {
                let count = self.next_number(&id);
                format!("{id}-{count}")
            }
            Numbering::Underscore => {
                let (base, count) = split_number(&id);
                self.after(&id, base, count)
            }
            Numbering::UntilFree => self.numbered(&id),
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

    fn numbered(&mut self, id: &str) -> String {
        loop {
            let number = self.next_number(id);
            let numbered = format!("{id}-{number}");
            if !self.contains(&numbered) {
                self.reserve(&numbered);
                return numbered;
            }
        }
    }

    /// Takes `base` with the first number after `start` that is free. `id` is the base with `start`.
    fn after(&mut self, id: &str, base: &str, start: u64) -> String {
        let mut passed = vec![id.to_owned()];
        let mut number = start;
        loop {
            let last = passed.last().and_then(|it| self.taken.get(it));
            number = number.max(last.copied().unwrap_or(0)).saturating_add(1);
            let numbered = format!("{base}_{number}");
            if !self.contains(&numbered) {
                // The next one need not try the same numbers.
                for id in passed {
                    self.taken.insert(id, number);
                }
                self.reserve(&numbered);
                return numbered;
            }
            passed.push(numbered);
        }
    }

    fn next_number(&mut self, id: &str) -> u64 {
        let Some(last) = self.taken.get_mut(id) else {
            self.taken.insert(id.to_owned(), 1);
            return 1;
        };
        *last = last.saturating_add(1);
        *last
    }
}

/// The number after the last underscore of `id`, and what is before it.
fn split_number(id: &str) -> (&str, u64) {
    let split = id.rsplit_once('_');
    let split = split.filter(|(_, number)| number.bytes().all(|byte| byte.is_ascii_digit()));
    split.and_then(|(base, number)| Some((base, number.parse().ok()?))).unwrap_or((id, 0))
}
