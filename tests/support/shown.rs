//! Compares the output of a command with the lines that a document or a case shows of it.

use std::sync::LazyLock;

use regex::Regex;

use super::with_durations;

/// The output, with all durations replaced.
pub fn timeless(printed: &str) -> String {
    static SECONDS: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r#""seconds": *[0-9.e-]+"#).unwrap());
    SECONDS.replace_all(&with_durations(printed, "0.00 s"), "\"seconds\": 0.0").into_owned()
}

/// Whether these lines, of which `...` stands for any lines, are what is printed, up to durations.
pub fn is_shown(shown: &[impl std::borrow::Borrow<str>], printed: &str) -> bool {
    let printed = timeless(printed);
    let printed: Vec<&str> = printed.lines().map(str::trim_end).collect();
    let shown = timeless(shown.join("\n").trim_end());
    let shown: Vec<&str> = shown.lines().map(str::trim_end).collect();
    let chunks: Vec<&[&str]> = shown.split(|&line| line == "...").collect();
    let (first, others) = chunks.split_first().expect("split gives at least one");
    let Some(mut rest) = printed.strip_prefix(*first) else { return false };
    let Some((last, middle)) = others.split_last() else { return rest.is_empty() };
    for chunk in middle {
        let found = (0..=rest.len()).find_map(|at| rest[at..].strip_prefix(*chunk));
        match found {
            Some(after) => rest = after,
            None => return false,
        }
    }
    rest.ends_with(last)
}
