//! Where one file leads to the next: pages that send their readers round in circles, and files that
//! nobody reaches.

use super::files::FileNumber;

/// The circles of pages that each send their readers on at once: `sends_to` says where a page sends
/// them. Each circle once, from its first page in the order of numbers.
pub(super) fn cycles(
    pages: impl IntoIterator<Item = FileNumber>,
    redirects_to: impl Fn(FileNumber) -> Option<FileNumber>,
) -> Vec<Vec<FileNumber>> {
    let mut done = std::collections::HashSet::new();
    let mut found = Vec::new();
    for page in pages {
        let mut way = Vec::new();
        let mut next = Some(page);
        while let Some(current) = next {
            if let Some(start) = way.iter().position(|&earlier| earlier == current) {
                let mut circle = way.split_off(start);
                let first = circle.iter().enumerate().min_by_key(|(_, page)| **page);
                let first = first.map_or(0, |(at, _)| at);
                circle.rotate_left(first);
                found.push(circle);
                break;
            }
            if !done.insert(current) {
                break;
            }
            way.push(current);
            next = redirects_to(current);
        }
    }
    found
}

/// Which files are reached from `entries`: `targets` says where a file leads.
pub(super) fn reachable<'t>(
    files: usize,
    entries: impl IntoIterator<Item = FileNumber>,
    targets: impl Fn(FileNumber) -> &'t [FileNumber],
) -> Vec<bool> {
    let mut reached = vec![false; files];
    let mut waiting: Vec<FileNumber> = entries.into_iter().collect();
    while let Some(file) = waiting.pop() {
        let place = usize::try_from(file)
            .ok()
            .and_then(|at| reached.get_mut(at));
        if let Some(place) = place.filter(|place| !**place) {
            *place = true;
            waiting.extend_from_slice(targets(file));
        }
    }
    reached
}

/// Files that are read by convention, not by reference: the last name of their path, or a folder
/// that they are in.
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

/// Whether a file is read though nothing refers to it.
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
    fn circles_are_found_once() {
        // 0 -> 1 -> 2 -> 1; 3 -> 3; 4 -> 5; 6 -> 2
        let sends = [Some(1), Some(2), Some(1), Some(3), Some(5), None, Some(2)];
        let found = cycles(0..7, |page| sends[page as usize]);
        assert_eq!(found, [vec![1, 2], vec![3]]);
    }

    #[test]
    fn what_is_reached() {
        let targets: [&[u32]; 5] = [&[1], &[0, 2], &[], &[4], &[3]];
        let found = reachable(5, [0], |file| targets[file as usize]);
        assert_eq!(found, [true, true, true, false, false]);
    }

    #[test]
    fn conventional_files() {
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
