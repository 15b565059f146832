//! Finds the name that is nearest to a misspelt one, by edit distance.

/// Finds the candidate whose text is the fewest edits away from `wanted`, and at most `limit`. Returns the
/// number of edits and the candidate. If several are equally near, returns the smallest one. An edit inserts,
/// deletes or replaces a character, or swaps two neighbors.
pub fn nearest<S: AsRef<str>, T: Ord>(
    candidates: impl IntoIterator<Item = (S, T)>,
    wanted: &str,
    limit: usize,
) -> Option<(usize, T)> {
    let mut best: Option<(usize, T)> = None;
    for (text, candidate) in candidates {
        let text = text.as_ref();
        let limit = best.as_ref().map_or(limit, |(edits, _)| *edits);
        if !has_similar_length(text, wanted, limit) {
            continue;
        }
        let found = (distance(text, wanted), candidate);
        if found.0 <= limit && best.as_ref().is_none_or(|best| found < *best) {
            best = Some(found);
        }
    }
    best
}

/// The number of edits between two texts. What both begin or end with needs none, and names in one folder
/// have much of that: the time grows with the product of what is left.
fn distance(one: &str, other: &str) -> usize {
    let start = common_length(one.chars().zip(other.chars()));
    let one = one.get(start..).unwrap_or_default();
    let other = other.get(start..).unwrap_or_default();
    let end = common_length(one.chars().rev().zip(other.chars().rev()));
    let one = one.get(..one.len() - end).unwrap_or_default();
    let other = other.get(..other.len() - end).unwrap_or_default();
    strsim::osa_distance(one, other)
}

/// The length in bytes of the equal pairs at the start of `pairs`.
fn common_length(pairs: impl Iterator<Item = (char, char)>) -> usize {
    let same = pairs.take_while(|(one, other)| one == other);
    same.map(|(c, _)| c.len_utf8()).sum()
}

/// Returns true if the lengths of two texts allow a distance of at most `limit` edits. An edit changes the
/// length by at most one character, of at most four bytes.
pub fn has_similar_length(one: &str, other: &str, limit: usize) -> bool {
    one.len().abs_diff(other.len()) <= limit.saturating_mul(4)
}

/// The letters of a text, as a set of classes; letter case does not matter. It serves as a fast filter before
/// edits are counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Letters(u64);

impl Letters {
    pub fn of(text: &str) -> Letters {
        let classes = text.chars().map(|c| u32::from(c.to_ascii_lowercase()) % 64);
        Letters(classes.fold(0, |set, class| set | 1 << class))
    }

    /// Returns true if texts with these letters may be at most `limit` edits apart: an edit removes at most one
    /// letter and adds at most one.
    pub fn may_be_near(self, other: Letters, limit: usize) -> bool {
        let different = (self.0 ^ other.0).count_ones();
        usize::try_from(different).is_ok_and(|different| different <= limit.saturating_mul(2))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_common_start_and_end_need_no_edits(one in "[aä]{0,6}[abc]{0,6}", other in "[aä]{0,6}[abc]{0,6}") {
            prop_assert_eq!(distance(&one, &other), strsim::osa_distance(&one, &other));
        }
    }

    #[test]
    fn near_texts_have_nearly_the_same_letters() {
        for (one, other, limit, expected) in [
            ("install", "Install", 0, true),
            ("install", "instlal", 0, true),
            ("install", "instal", 0, true),
            ("install", "instull", 0, false),
            ("install", "instull", 1, true),
            ("install", "unistall", 1, true),
            ("install", "unstuck", 1, false),
            ("grüße", "grusse", 2, true),
            ("", "abc", 1, false),
        ] {
            let found = Letters::of(one).may_be_near(Letters::of(other), limit);
            assert_eq!(found, expected, "{one} {other} {limit}");
        }
    }

    #[test]
    fn the_fewest_edits_win_and_then_the_least_name() {
        for (wanted, limit, expected) in [
            ("install", 0, Some((0, "install"))),
            ("instal", 1, Some((1, "install"))),
            ("isntall", 1, Some((1, "install"))),
            ("x", 1, Some((1, "a"))),
            ("x", 0, None),
            ("uninstall", 1, None),
        ] {
            let candidates = ["install", "b", "a", "installs"].map(|name| (name, name));
            assert_eq!(nearest(candidates, wanted, limit), expected, "{wanted}");
        }
    }
}
