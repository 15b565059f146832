//! The targets that AFTER should have, after moves.

use std::ffi::OsStr;
use std::path::Path;

use crate::moves::{Request, plan};
use rehref_site::{Entry, EntryKind, FileIndex, SiteUrl};
use rehref_url::{AbsoluteUrl, Standard, Url};
use rehref_verify::expected_targets::{ExpectedTargets, SiteFiles};
use std::sync::Arc;

fn entries(paths: &[&str]) -> Vec<Entry> {
    let entry = |path: &&str| Entry {
        path: path.trim_end_matches('/').into(),
        kind: if path.ends_with('/') { EntryKind::Directory } else { EntryKind::File },
    };
    paths.iter().map(entry).collect()
}

/// The files of two trees, the second of which is the first after the moves `requests`.
fn site_files(before: &[&str], after: &[&str], requests: &[&str]) -> Arc<SiteFiles> {
    let (before, after) = (entries(before), entries(after));
    let request = |it: &&str| Request::argument(OsStr::new(it)).unwrap();
    let requests: Vec<Request> = requests.iter().map(request).collect();
    let moves = plan(&before, &requests, false).unwrap();
    let index = |entries: &[Entry]| FileIndex::new(Path::new(""), entries);
    SiteFiles::new(index(&before), index(&after), &moves)
}

fn site_url(url: &str) -> SiteUrl {
    SiteUrl::parse(url).unwrap().0
}

fn targets<'s>(
    before: &'s SiteUrl,
    after: &'s SiteUrl,
    files: Option<Arc<SiteFiles>>,
) -> ExpectedTargets<'s> {
    ExpectedTargets { before, also: &[], after, same_file: files.is_some(), files }
}

fn url(path: &str) -> AbsoluteUrl {
    let url = Url::parse(&format!("https://h/{path}")).unwrap();
    AbsoluteUrl::new(Standard::Whatwg, url)
}

/// Checks which `found` of AFTER is as good as the target that AFTER should have for `old`.
fn check(site: &ExpectedTargets<'_>, cases: &[(&str, &str, bool)]) {
    for (old, found, expected) in cases {
        let target = site.follow(&url(old));
        assert_eq!(site.is_same(&target, &url(found)), *expected, "{old} {found}");
    }
}

#[test]
fn folders_may_be_spelled_differently() {
    let own = site_url("https://h/");
    let files = site_files(&["a/", "a/x.html"], &["b/", "b/x.html"], &["a=b"]);
    check(
        &targets(&own, &own, Some(files)),
        &[
            ("%61/#f", "b/#f", true),
            ("%61/#f", "b/#g", false),
            ("%61/nix", "b/nix", true),
            ("%6Eix", "nix", true),
            ("%61/nix", "a/nix", false),
            ("%61/", "a/", false),
        ],
    );
}

#[test]
fn the_innermost_moved_folder_decides() {
    let own = site_url("https://h/");
    let before = ["a/", "a/c/", "a/c/y.html", "a/x.html"];
    let after = ["b/", "b/x.html", "d/", "d/y.html"];
    let files = site_files(&before, &after, &["a=b", "a/c=d"]);
    check(
        &targets(&own, &own, Some(files)),
        &[("a/nix", "b/nix", true), ("a/c/nix", "d/nix", true), ("a/c/nix", "b/c/nix", false)],
    );
}

#[test]
fn a_folder_moved_only_if_all_its_files_did() {
    let own = site_url("https://h/");
    let before = ["a/", "a/x.html", "a/y.html"];
    let after = ["b/", "b/x.html", "c/", "c/y.html"];
    for (moved_y, after, expected) in [
        ("a/y.html=c/y.html", after, false),
        ("a/y.html=b/y.html", ["b/", "b/x.html", "b/y.html", "c/"], true),
    ] {
        let files = site_files(&before, &after, &["a/x.html=b/x.html", moved_y]);
        check(&targets(&own, &own, Some(files)), &[("a/", "b/", expected)]);
    }
}

#[test]
fn targets_outside_the_site_are_compared_as_urls() {
    let own = site_url("https://h/d/");
    let paths = ["x.html"];
    let files = site_files(&paths, &paths, &[]);
    check(
        &targets(&own, &own, Some(files)),
        &[("x", "x", true), ("%78", "x", false), ("d/%78.html", "d/x.html", true)],
    );
}

#[test]
fn what_only_an_older_standard_reads_has_one_spelling() {
    let own = site_url("https://h/");
    let base = AbsoluteUrl::new(Standard::Rfc3986, Url::parse("http://h/").unwrap());
    let url = |text: &str| base.resolve(text, encoding_rs::UTF_8).unwrap();
    let site = targets(&own, &own, None);
    for (expected, found, is_same) in [
        ("http://[x/a", "http://[x/a", true),
        ("http://[x/a", "http://[x/b", false),
        ("http://x/a b", "http://x/a%20b", true),
        ("http://x/./a", "http://x/a", true),
        ("http://x/a", "http://x/b", false),
    ] {
        let (expected, found) = (url(expected), url(found));
        assert_eq!(site.is_same(&expected, &found), is_same, "{found}");
    }
}

#[test]
fn a_query_may_go_only_where_it_is_in_the_name_of_the_file() {
    let own = site_url("https://h/");
    let paths = ["a.html", "b.html?x=1"];
    let files = site_files(&paths, &paths, &[]);
    check(
        &targets(&own, &own, Some(files)),
        &[
            ("a.html?y", "a.html?y", true),
            ("a.html?y", "a.html", false),
            ("a.html", "a.html?y", false),
            ("b.html?x=1", "b.html%3Fx=1", true),
            ("b.html%3Fx=1", "b.html?x=1", true),
            ("b.html?x=1", "b.html%3Fx=1?x=1", false),
        ],
    );
}

#[test]
fn without_files_urls_are_compared() {
    let own = site_url("https://h/");
    check(
        &targets(&own, &own, None),
        &[("a/", "a/", true), ("a/", "a", false), ("%61", "a", false)],
    );
}

#[test]
fn urls_are_kept_only_where_nothing_can_have_another_one() {
    let (own, other) = (site_url("https://h/"), site_url("https://h/d/"));
    let also = [site_url("https://i/")];
    let files = || Some(site_files(&["a.html"], &["a.html"], &[]));
    assert!(targets(&own, &own, None).keeps_urls());
    assert!(!targets(&own, &other, None).keeps_urls());
    assert!(!targets(&own, &own, files()).keeps_urls());
    let aliased = ExpectedTargets { also: &also, ..targets(&own, &own, None) };
    assert!(!aliased.keeps_urls());
}
