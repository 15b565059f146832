//! The key by which a link of a built page finds the same link in a source: generators change `../x.md#y`
//! into `../../x/#y`, and keep the name of the file and the fragment.

use super::letters;
use super::syntax::is_page;
use crate::finding::Finding;
use crate::suggest::readable;

/// The names of files that stand for their directory.
const INDEXES: &[&str] = &["index", "_index", "readme"];

/// Returns the name of the last file or directory of a reference and its fragment, without what generators change.
/// References with different keys are never the same link.
pub(super) fn key(reference: &str) -> Box<str> {
    let (path, fragment) = reference.split_once('#').unwrap_or((reference, ""));
    let path = path.split('?').next().unwrap_or(path);
    let mut key = name(&readable(path));
    if !fragment.is_empty() {
        key.push('#');
        letters::push(&mut key, &readable(fragment));
    }
    // The path alone may be `../` or empty.
    if key.is_empty() { format!("={reference}").into() } else { key.into() }
}

/// Returns the key of the reference of a finding that has a place; `None` for others.
pub(super) fn finding_key(finding: &Finding) -> Option<Box<str>> {
    finding.location.position?;
    finding.reference.as_deref().map(key)
}

/// The letters of the last segment of `path` that names something.
fn name(path: &str) -> String {
    let segments = path.rsplit(['/', '\\', ':']).map(segment);
    let mut names = segments.filter(|name| !name.is_empty() && !is_index(name));
    names.next().unwrap_or_default()
}

/// The names of directories that generators add to paths, or leave out of them.
const UNSEEN: &[&str] = &["_posts", "_drafts", "_images", "_static", "_downloads"];

/// Returns the directories of `reference`, last first: what [`key`] leaves out.
pub(super) fn reference_directories(reference: &str) -> Vec<String> {
    let path = reference.split(['?', '#']).next().unwrap_or(reference);
    let path = match path.split_once("//") {
        Some((before, rest)) if before.is_empty() || before.ends_with(':') => {
            rest.split_once('/').map_or("", |(_, path)| path)
        }
        _ => path.strip_prefix("file:").unwrap_or(path),
    };
    let path = readable(path);
    let names = path.rsplit(['/', '\\', ':']).filter(|name| is_seen(name));
    let names = names.map(segment).filter(|name| !name.is_empty() && !is_index(name));
    names.skip(1).collect()
}

/// Returns true if the directory `name` of a source is one in the paths of a site as well.
pub(super) fn is_seen(name: &str) -> bool {
    !UNSEEN.contains(&name)
}

/// Returns true if `source` and `page`, directories from the last on, may be the same: up to the root that one of them
/// has and the other not, and up to the date that generators make directories of.
pub(super) fn agree(source: &[String], page: &[String]) -> bool {
    let is_number = |name: &str| name.bytes().all(|byte| byte.is_ascii_digit());
    let is_year = |name: &str| {
        name.len() == 4 && is_number(name) && (name.starts_with("19") || name.starts_with("20"))
    };
    let is_date = |name: &str| is_year(name) || name.len() == 2 && is_number(name);
    let has_year = |names: &[String]| names.iter().any(|name| is_year(name));
    let is_dated = has_year(page) && !has_year(source);
    let page = page.iter().filter(|name| !is_dated || !is_date(name));
    source.iter().zip(page).all(|(one, other)| one == other)
}

/// Returns the letters of a name in a path, without the suffix of a page and without the number or date that
/// generators sort by (`01-intro.md`). The name of an index is kept as it is.
pub(super) fn segment(name: &str) -> String {
    let stem = match name.rsplit_once('.') {
        Some((stem, suffix)) if is_page(suffix) => stem,
        _ => name,
    };
    if is_index(stem) {
        return stem.to_ascii_lowercase();
    }
    let is_number = |c: char| c.is_ascii_digit() || "-_. ".contains(c);
    let rest = stem.trim_start_matches(is_number);
    let number = stem.strip_suffix(rest).unwrap_or_default();
    let is_numbered = number.starts_with(|c: char| c.is_ascii_digit())
        && !number.ends_with(|c: char| c.is_ascii_digit());
    letters::letters(if is_numbered && !rest.is_empty() { rest } else { stem })
}

/// Returns true if a reference leads to a file that is not a page.
pub(super) fn is_asset(reference: &str) -> bool {
    let path = reference.split(['?', '#']).next().unwrap_or(reference);
    let name = path.rsplit('/').next().unwrap_or(path);
    let suffix = name.rsplit_once('.').map(|(_, suffix)| suffix);
    suffix.is_some_and(|suffix| !suffix.is_empty() && !is_page(suffix))
}

/// Returns true if `name` stands for its directory.
pub(super) fn is_index(name: &str) -> bool {
    INDEXES.iter().any(|index| name.eq_ignore_ascii_case(index))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_has_one_key_before_and_after_the_build() {
        for (source, built) in [
            ("../install.md", "../../install/"),
            ("install.md#on-linux", "/docs/install/#on-linux"),
            ("install/README.md", "../install/"),
            ("/install", "install/index.html"),
            ("01-install.mdx", "/docs/install"),
            ("_posts/2020-01-02-hello.md", "/2020/01/02/hello.html"),
            ("My Page.md#One_Two", "my-page.html#one-two"),
            ("img/a%20b.png", "../../_images/a b.png"),
            ("#top", "#top"),
            ("Gr%C3%BC%C3%9Fe.rst", "../grüße.html"),
            ("404.html", "/404.html"),
            ("x.md?raw=true", "x/"),
            ("about.njk", "/about/"),
            ("file:x.org", "x.html"),
        ] {
            assert_eq!(key(source), key(built), "{source}");
        }
    }

    #[test]
    fn directories_agree_unless_they_contradict() {
        for (source, built, expected) in [
            ("../v1/install.md", "v2/install.html", false),
            ("../v1/install.md", "v1/install.html", true),
            ("v1/install.md#a", "../x/v1/install/#a", true),
            ("x/v1/install/index.md", "../y/v1/install/", false),
            ("install.md", "v1/install.html", true),
            ("_posts/2020-01-02-hello.md", "/2020/01/02/hello.html", true),
            ("cat/hello.md", "/cat/2020/01/02/hello.html", true),
            ("2019/hello.md", "/2020/hello.html", false),
            ("img/a.png", "../_images/a.png", true),
            ("file:v1/x.org", "../v1/x.html", true),
            ("v1/x.md", "https://example.org/v1/x/", true),
            ("v1/x.md", "//example.org/x/", true),
            ("v1/x.md", "https://example.org/v2/x/", false),
        ] {
            let [source, built] = [source, built].map(reference_directories);
            assert_eq!(agree(&source, &built), expected, "{source:?} {built:?}");
        }
    }

    #[test]
    fn other_links_have_other_keys() {
        let keys = ["install.md", "install.md#a", "install.png", "3d-install", "", "../", "#a"];
        let mut found: Vec<_> = keys.map(key).into();
        found.sort_unstable();
        found.dedup();
        assert_eq!(found.len(), keys.len(), "{found:?}");
    }
}
