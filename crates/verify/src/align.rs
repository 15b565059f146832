//! Pairs the references of two documents, of which some may be missing and others extra.

use std::ops::Range;

/// A step of the pairing; the numbers are indices of references.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum AlignmentStep {
    /// A reference of BEFORE and its counterpart in AFTER.
    Pair(usize, usize),
    /// References of BEFORE without a counterpart.
    Missing(Range<usize>),
    /// References of AFTER without a counterpart.
    Extra(Range<usize>),
}

/// The number of references that the search for a common continuation looks ahead.
const LOOK_AHEAD: usize = 48;

/// The most comparisons that all these searches in a document may cost.
const BUDGET: usize = 1 << 20;

/// Pairs `before` references with `after` others, in order. `is_alike`: two references could be
/// counterparts, since they are in the same carrier. `is_equal`: they are alike and have the same
/// meaning. Without a difference, this costs one comparison per pair.
pub(super) fn align(
    before: usize,
    after: usize,
    is_alike: impl Fn(usize, usize) -> bool,
    is_equal: impl Fn(usize, usize) -> bool,
) -> Vec<AlignmentStep> {
    let mut aligner = Aligner { before, after, is_equal, budget: BUDGET };
    let mut steps = Vec::with_capacity(before);
    let (mut i, mut j) = (0, 0);
    while i < before && j < after {
        if (aligner.is_equal)(i, j) {
            steps.push(AlignmentStep::Pair(i, j));
            (i, j) = (i + 1, j + 1);
            continue;
        }
        let alike_run = |length: usize| (0..length).all(|k| is_alike(i + k, j + k));
        let (skip_i, skip_j) = match aligner.next_common(i, j, alike_run) {
            Some(skip) => skip,
            None if is_alike(i, j) => (1, 1),
            None => (before - i, after - j),
        };
        let pairs = (0..skip_i.min(skip_j)).take_while(|k| is_alike(i + k, j + k)).count();
        steps.extend((0..pairs).map(|k| AlignmentStep::Pair(i + k, j + k)));
        push_rest(&mut steps, i + pairs..i + skip_i, j + pairs..j + skip_j);
        (i, j) = (i + skip_i, j + skip_j);
    }
    push_rest(&mut steps, i..before, j..after);
    steps
}

fn push_rest(steps: &mut Vec<AlignmentStep>, missing: Range<usize>, extra: Range<usize>) {
    if !missing.is_empty() {
        steps.push(AlignmentStep::Missing(missing));
    }
    if !extra.is_empty() {
        steps.push(AlignmentStep::Extra(extra));
    }
}

struct Aligner<E> {
    before: usize,
    after: usize,
    is_equal: E,
    budget: usize,
}

impl<E: Fn(usize, usize) -> bool> Aligner<E> {
    /// Returns how many references to skip on each side, from the unequal pair `i`, `j`, until the
    /// sides are equal again; `None` if no such place is near. `alike_run(n)`: the `n` pairs from
    /// here on are in the same carriers.
    fn next_common(
        &mut self,
        i: usize,
        j: usize,
        alike_run: impl Fn(usize) -> bool,
    ) -> Option<(usize, usize)> {
        if self.before - i == self.after - j {
            // Both sides have equally many left: a change is likelier than a loss and an addition.
            for skip in 1..=LOOK_AHEAD {
                if !alike_run(skip.min(self.before - i)) {
                    break;
                }
                let is_end = i + skip == self.before;
                if is_end || self.is_common(i + skip, j + skip, 2) {
                    return Some((skip, skip));
                }
            }
        }
        for total in 1..=2 * LOOK_AHEAD {
            // One pair may be equal by chance, two rarely are.
            for (run, total) in [(2, total), (1, total.saturating_sub(2))] {
                for skip_i in 0..=total {
                    self.budget = self.budget.checked_sub(1)?;
                    if self.is_common(i + skip_i, j + total - skip_i, run) {
                        return Some((skip_i, total - skip_i));
                    }
                }
            }
        }
        None
    }

    /// Returns whether `run` equal pairs follow, or fewer up to the end of a side.
    fn is_common(&self, i: usize, j: usize, run: usize) -> bool {
        let left = self.before.saturating_sub(i).min(self.after.saturating_sub(j));
        left > 0 && (0..run.min(left)).all(|k| (self.is_equal)(i + k, j + k))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pairs letters; those that differ only in case are alike.
    fn pairing(before: &str, after: &str) -> String {
        let (b, a) = (before.as_bytes(), after.as_bytes());
        align(b.len(), a.len(), |i, j| b[i].eq_ignore_ascii_case(&a[j]), |i, j| b[i] == a[j])
            .into_iter()
            .map(|step| match step {
                AlignmentStep::Pair(i, j) if b[i] == a[j] => "=".to_owned(),
                AlignmentStep::Pair(..) => "x".to_owned(),
                AlignmentStep::Missing(range) => format!("-{}", &before[range]),
                AlignmentStep::Extra(range) => format!("+{}", &after[range]),
            })
            .collect()
    }

    #[test]
    fn references_are_paired_across_missing_and_extra_ones() {
        for (before, after, expected) in [
            ("", "", ""),
            ("abc", "abc", "==="),
            ("abc", "aBc", "=x="),
            ("aaa", "Aaa", "x=="),
            ("aaa", "aAA", "=xx"),
            ("xaaa", "xAaa", "=x=="),
            ("xaaaQ", "xAaaR", "=x==-Q+R"),
            ("zXaaa", "zaaaY", "=-X===+Y"),
            ("abcd", "acd", "=-b=="),
            ("acd", "abcd", "=+b=="),
            ("abcd", "abc", "===-d"),
            ("abc", "abcd", "===+d"),
            ("abcde", "", "-abcde"),
            ("abxcd", "abyzcd", "==-x+yz=="),
            ("aabcd", "abCd", "=-a=x="),
            ("abc", "xyz", "-abc+xyz"),
            ("zabc", "zxyz", "=-abc+xyz"),
        ] {
            assert_eq!(pairing(before, after), expected, "{before} {after}");
        }
    }

    #[test]
    fn documents_without_an_equal_pair_are_paired_quickly() {
        let count = 100_000;
        let steps = align(count, count, |_, _| true, |_, _| false);
        assert_eq!(steps.len(), count);
        let steps = align(count, count + 1, |_, _| true, |_, _| false);
        assert_eq!(steps.last(), Some(&AlignmentStep::Extra(count..count + 1)));
    }
}
