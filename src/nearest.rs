//! The nearest of many names to one that does not exist, by edit distance.

/// The candidate with the fewest edits between its text and `wanted`, at most `limit`; the least of
/// several. An edit inserts, deletes or replaces a character, or swaps two neighbours.
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

/// Whether the lengths of two texts allow for at most `limit` edits; cheap. An edit changes the
/// length by at most one character, of at most four bytes.
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
