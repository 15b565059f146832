//! Searches in the graph of files: cycles of redirects, and files that no reference reaches.

use super::files::FileNumber;

/// The cycles of pages that redirect to each other. `redirects_to` gives the target of a page. Each
/// cycle comes once, from its page with the lowest number.
pub(super) fn cycles(
    pages: impl IntoIterator<Item = FileNumber>,
    redirects_to: impl Fn(FileNumber) -> Option<FileNumber>,
) -> Vec<Vec<FileNumber>> {
    let mut done = std::collections::HashSet::new();
    let mut found = Vec::new();
    for page in pages {
        let mut chain = Vec::new();
        let mut next = Some(page);
        while let Some(current) = next {
            if let Some(start) = chain.iter().position(|&earlier| earlier == current) {
                let mut cycle = chain.split_off(start);
                let first = cycle.iter().enumerate().min_by_key(|(_, page)| **page);
                let first = first.map_or(0, |(at, _)| at);
                cycle.rotate_left(first);
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

/// For each file whether a chain of references reaches it from `entries`. `targets` gives the files
/// that a file refers to.
pub(super) fn reachable<'t>(
    files: usize,
    entries: impl IntoIterator<Item = FileNumber>,
    targets: impl Fn(FileNumber) -> &'t [FileNumber],
) -> Vec<bool> {
    let mut reached = vec![false; files];
    let mut pending: Vec<FileNumber> = entries.into_iter().collect();
    while let Some(file) = pending.pop() {
        let place = usize::try_from(file)
            .ok()
            .and_then(|at| reached.get_mut(at));
        if let Some(place) = place.filter(|place| !**place) {
            *place = true;
            pending.extend_from_slice(targets(file));
        }
    }
    reached
}

/// Files that programs read by convention, without a reference: the last name of the path, or a
/// folder at the root.
const CONVENTIONAL: &[&str] = &[
    ".htaccess",
    ".nojekyll",
    ".well-known/",
    "404.html",
    "CNAME",
    "_headers",
    "_redirects",
    "ads.txt",
    "apple-touch-icon.png",
    "browserconfig.xml",
    "favicon.ico",
    "humans.txt",
    "robots.txt",
    "security.txt",
    "sitemap.xml",
    "sitemap.xml.gz",
];

/// Whether programs read the file by convention.
pub(super) fn is_conventional(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    CONVENTIONAL.iter().any(|known| match known.ends_with('/') {
        true => path.starts_with(known),
        false => name == *known,
    })
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
        let found = reachable(5, [0], |file| targets[file as usize]);
        assert_eq!(found, [true, true, true, false, false]);
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
