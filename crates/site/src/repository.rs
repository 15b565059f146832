//! The URLs of the files of a repository on a code host, for Markdown that is shown elsewhere: a README on the page of
//! a package.

use crate::with_slash;

/// The parts of URLs before the name of a branch, tag or commit, and the number of names between them and the files.
const REVISIONS: [(&str, usize); 7] = [
    ("/-/blob/", 1),
    ("/-/raw/", 1),
    ("/src/branch/", 1),
    ("/raw/branch/", 1),
    ("/blob/", 1),
    ("/raw/", 1),
    ("//raw.githubusercontent.com/", 3),
];

/// The URLs that replace the relative links of Markdown files in a repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RepositoryUrls {
    /// The URL of the root of the repository, with a slash at its end, from which a path with a slash at its start
    /// counts; `None` if the URL of the site is not that of a code host.
    root: Option<String>,
    /// The start of the URLs of files, and the start of the URLs of images in its place.
    images: Option<(String, String)>,
}

impl RepositoryUrls {
    /// Creates the URLs of a repository. `site` is the URL of the directory SITE, `images` the URL of the same
    /// directory for images.
    pub fn new(site: &str, images: Option<&str>) -> RepositoryUrls {
        RepositoryUrls {
            root: root_of(site).map(str::to_owned),
            images: images
                .map(|images| different_starts(site, &with_slash(images.trim_end_matches('/')))),
        }
    }

    /// Returns the URL at which the host of the repository serves the `target` of a relative reference; `None` if this
    /// URL equals `target`. `is_from_root`: the reference starts with a slash. `is_image`: the reference is to an image,
    /// for which the host has another URL.
    pub fn url(&self, target: &str, is_from_root: bool, is_image: bool) -> Option<String> {
        let from_root = is_from_root.then(|| {
            let root = self.root.as_deref()?;
            let (_, rest) = target.split_once("://")?.1.split_once('/')?;
            Some(format!("{root}{rest}"))
        });
        let from_root = from_root.flatten();
        let file = from_root.as_deref().unwrap_or(target);
        let image = self.images.as_ref().filter(|_| is_image).and_then(|(old, new)| {
            let rest = file.strip_prefix(old.as_str())?;
            Some(format!("{new}{rest}"))
        });
        image.or(from_root)
    }

    /// Returns true if `found` may be the URL for a reference to `target`.
    pub fn may_be_url(&self, target: &str, found: &str) -> bool {
        let mut kinds = [(true, true), (true, false), (false, true)].into_iter();
        kinds.any(|(is_from_root, is_image)| {
            self.url(target, is_from_root, is_image).is_some_and(|url| url == found)
        })
    }
}

/// The start of `url` that is the URL of the root of a repository, with a slash at its end.
fn root_of(url: &str) -> Option<&str> {
    REVISIONS.iter().find_map(|(before, names)| {
        let start = url.find(before)? + before.len();
        let mut slashes = url.get(start..)?.match_indices('/');
        let (end, _) = slashes.nth(names - 1)?;
        url.get(..=start + end)
    })
}

/// The starts of two URLs, with a slash at their ends, before the last names that both have.
fn different_starts(one: &str, other: &str) -> (String, String) {
    let [mut one, mut other] = [one, other];
    // Hosts stay.
    let last = |url: &'_ str| {
        let start = url.strip_suffix('/')?.rfind('/')? + 1;
        url.split_at_checked(start).filter(|(rest, _)| !rest.ends_with("//")).map(|_| start)
    };
    while let (Some(start), Some(other_start)) = (last(one), last(other))
        && one.get(start..) == other.get(other_start..)
    {
        one = one.get(..start).unwrap_or_default();
        other = other.get(..other_start).unwrap_or_default();
    }
    (one.to_owned(), other.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_root_of_a_repository_ends_with_its_revision() {
        for (url, expected) in [
            ("https://github.com/o/r/blob/main/docs/", Some("https://github.com/o/r/blob/main/")),
            ("https://gitlab.com/g/s/r/-/blob/v1/", Some("https://gitlab.com/g/s/r/-/blob/v1/")),
            (
                "https://codeberg.org/o/r/src/branch/main/a/",
                Some("https://codeberg.org/o/r/src/branch/main/"),
            ),
            (
                "https://raw.githubusercontent.com/o/r/main/a/",
                Some("https://raw.githubusercontent.com/o/r/main/"),
            ),
            ("https://example.org/docs/", None),
            ("https://github.com/o/r/", None),
        ] {
            assert_eq!(root_of(url), expected, "{url}");
        }
    }

    #[test]
    fn images_have_the_path_of_the_same_file() {
        let blob = "https://github.com/o/r/blob/main/";
        let raw = "https://raw.githubusercontent.com/o/r/main/";
        for (site, images, target, is_from_root, is_image, expected) in [
            (blob, raw, "blob/main/a/i.png", false, true, Some("main/a/i.png")),
            (blob, raw, "blob/main/a.md", false, false, None),
            (
                "https://github.com/o/r/blob/main/d/",
                "https://raw.githubusercontent.com/o/r/main/d",
                "blob/main/i.png",
                false,
                true,
                Some("main/i.png"),
            ),
            (blob, "https://cdn.example/x", "blob/main/i.png", false, true, None),
        ] {
            let urls = RepositoryUrls::new(site, Some(images));
            let target = format!("https://github.com/o/r/{target}");
            let expected = match expected {
                Some(path) => Some(format!("https://raw.githubusercontent.com/o/r/{path}")),
                None if images.contains("cdn") => Some("https://cdn.example/x/i.png".to_owned()),
                None => None,
            };
            assert_eq!(urls.url(&target, is_from_root, is_image), expected, "{target}");
        }
        let urls = RepositoryUrls::new(blob, Some(raw));
        let host = "https://github.com/i.png";
        assert_eq!(urls.url(host, true, true), Some(format!("{raw}i.png")));
        assert_eq!(urls.url(host, true, false), Some(format!("{blob}i.png")));
        assert!(urls.may_be_url(host, &format!("{raw}i.png")));
        assert!(!urls.may_be_url(host, host));
    }
}
