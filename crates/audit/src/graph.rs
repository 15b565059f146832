//! Searches in the graph of files: cycles of redirects, and files that no reference reaches.

use rustc_hash::FxHashSet;

use super::files::FileNumber;

/// Finds the cycles of pages that redirect to each other. `redirects_to` gives the target of a page.
/// Each cycle comes once, from its page with the lowest number.
pub(super) fn cycles(
    pages: impl IntoIterator<Item = FileNumber>,
    redirects_to: impl Fn(FileNumber) -> Option<FileNumber>,
) -> Vec<Vec<FileNumber>> {
    let mut done = FxHashSet::default();
    let mut found = Vec::new();
    for page in pages {
        let mut chain = Vec::new();
        let mut next = Some(page);
        while let Some(current) = next {
            if let Some(start) = chain.iter().position(|&earlier| earlier == current) {
                let mut cycle = chain.split_off(start);
                let first = cycle.iter().min();
                let first = cycle.iter().position(|page| Some(page) == first);
                cycle.rotate_left(first.unwrap_or(0));
                found.push(cycle);
                break;
            }
            if !done.insert(current) {
                break;
            }
            chain.push(current);
            next = redirects_to(current);
        }
    }
    found
}

/// Returns the files that a chain of references reaches from `entries`, with these. `targets` gives
/// the files that a file refers to.
pub(super) fn reachable<'t>(
    entries: impl IntoIterator<Item = FileNumber>,
    targets: impl Fn(FileNumber) -> &'t [FileNumber],
) -> FxHashSet<FileNumber> {
    let mut reached = FxHashSet::default();
    let mut pending: Vec<FileNumber> = entries.into_iter().collect();
    while let Some(file) = pending.pop() {
        if reached.insert(file) {
            pending.extend_from_slice(targets(file));
        }
    }
    reached
}

/// The names of files that servers and other programs read without a link to them, in any folder.
#[rustfmt::skip]
const CONVENTIONAL_NAMES: &[&str] = &[
    ".htaccess", ".nojekyll", "404.html", "CNAME", "_headers", "_redirects", "ads.txt",
    "apple-touch-icon.png", "browserconfig.xml", "favicon.ico", "humans.txt", "robots.txt",
    "security.txt", "sitemap.xml", "sitemap.xml.gz",
];

/// Returns true if servers or other programs read the file at `path` without a link to it: by its name, or
/// because it is in `.well-known` (RFC 8615).
pub(super) fn is_conventional(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    path.starts_with(".well-known/") || CONVENTIONAL_NAMES.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_cycle_is_found_once() {
        // 0 -> 1 -> 2 -> 1; 3 -> 3; 4 -> 5; 6 -> 2
        let sends = [Some(1), Some(2), Some(1), Some(3), Some(5), None, Some(2)];
        let found = cycles(0..7, |page| sends[page as usize]);
        assert_eq!(found, [vec![1, 2], vec![3]]);
    }

    #[test]
    fn only_chains_from_the_entries_reach_files() {
        let targets: [&[u32]; 5] = [&[1], &[0, 2], &[], &[4], &[3]];
        let found = reachable([0], |file| targets[file as usize]);
        assert_eq!(found, FxHashSet::from_iter([0, 1, 2]));
    }

    #[test]
    fn conventional_files_are_at_their_places() {
        for (path, expected) in [
            ("robots.txt", true),
            ("a/.htaccess", true),
            (".well-known/x/y", true),
            ("a/.well-known/x", false),
            ("page.html", false),
        ] {
            assert_eq!(is_conventional(path), expected, "{path}");
        }
    }
}
