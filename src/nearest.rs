//! Finds the name that is nearest to a misspelt one, by edit distance.

/// Finds the candidate whose text is the fewest edits away from `wanted`, and at most `limit`. Returns
/// the number of edits and the candidate; of several, the least. An edit inserts, deletes or replaces
/// a character, or swaps two neighbours.
pub(crate) fn nearest<S: AsRef<str>, T: Ord>(
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
        let found = (strsim::osa_distance(text, wanted), candidate);
        if found.0 <= limit && best.as_ref().is_none_or(|best| found < *best) {
            best = Some(found);
        }
    }
    best
}

/// Whether two texts may be `limit` edits apart, by their lengths alone. An edit changes the length by
/// at most one character, of at most four bytes.
pub(crate) fn has_similar_length(one: &str, other: &str, limit: usize) -> bool {
    one.len().abs_diff(other.len()) <= limit.saturating_mul(4)
}

#[cfg(test)]
mod tests {
    use super::*;

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
