//! The fast test of a string against the full one.

use std::path::{Path, PathBuf};

use proptest::prelude::*;
use proptest::sample::select;

use crate::moves::plan;
use crate::moves::tests::{requests, tree};
use rehref_corpus::stale_paths::StalePathFinder;
use rehref_corpus::stale_paths::strings::{PathString, StringKind, StringSyntax};
use rehref_site::MovedUrls;
use rehref_site::PathNames;
use rehref_site::{EntryKind, FileIndex, SitePath, SiteUrl, normalized_path};
use rehref_url::{AbsoluteUrl, Span, Standard, Url};

const ROOT: &str = "https://h/docs/";

/// Names of files and folders, some of which servers send for the URLs of others.
fn name() -> impl Strategy<Value = &'static str> {
    select(vec!["a", "b", "c", "a.html", "b.html", "a.htm", "c.x", "a b", "c+d", "é", "docs", "h"])
}

fn path() -> impl Strategy<Value = String> {
    let index = select(vec!["", "", "", "/index.html", "/index.htm"]);
    let names = proptest::collection::vec(name(), 1..4);
    (names, index).prop_map(|(names, index)| names.join("/") + index)
}

/// A string, written in one of the ways in which URLs name files.
fn string() -> impl Strategy<Value = String> {
    let start = select(vec![
        "", "", "", "./", "../", "../../", "/", "/docs/", "https://h/docs/", "//h/docs/", "https:",
        "HTTPS://H:443/docs/", "https:///h/docs/", "https:/docs/", "\\docs\\", "/\\h/docs/", " ",
        "https://h", "../docs", "../docs/", "/docs", "a:",
    ]);
    let name = prop_oneof![
        6 => name(),
        1 => select(vec!["index.html", "index", "%61", "a%20b", "%C3%A9", ".", "..", "%2e", "", "a\\b"]),
    ];
    let end = select(vec![
        "", "", "", "/", "//", "#x", "/#", "?q", "?", " ", ".html", "/.", "/..", "\\",
        "/index.html", "\n",
    ]);
    let names = proptest::collection::vec(name, 0..4);
    (start, names, end).prop_map(|(start, names, end)| format!("{start}{}{end}", names.join("/")))
}

/// The URL after the moves of what `target` names before.
fn follow(
    site_url: &SiteUrl,
    files: &FileIndex,
    moved: &MovedUrls,
    target: &AbsoluteUrl,
) -> AbsoluteUrl {
    let followed = || {
        let rest = site_url.below(target.as_str())?;
        let (rest, _) = rest.split_at(rest.find('#').unwrap_or(rest.len()));
        let (path, query) = rest.split_at(rest.find('?').unwrap_or(rest.len()));
        let path = SitePath { path: path.into(), query: query.into() };
        let new = moved.follow(files, &path)?;
        let fragment =
            target.as_str().split_once('#').map_or(String::new(), |(_, it)| format!("#{it}"));
        Url::parse(&format!("{ROOT}{}{}{fragment}", new.path, new.query)).ok()
    };
    followed().map_or_else(|| target.clone(), |url| AbsoluteUrl::new(Standard::Whatwg, url))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]

    #[test]
    fn the_fast_tests_tell_no_stale_path_from_others(
        paths in proptest::collection::vec(path(), 1..9),
        picks in proptest::collection::vec((any::<prop::sample::Index>(), path()), 1..4),
        aliases in proptest::collection::vec((any::<prop::sample::Index>(), path()), 0..3),
        strings in proptest::collection::vec((string(), any::<bool>()), 1..40),
    ) {
        let is_below = |one: &String, other: &String| Path::new(one).starts_with(other);
        let mut accepted: Vec<String> = Vec::new();
        for path in paths {
            if accepted.iter().all(|it| !is_below(it, &path) && !is_below(&path, it)) {
                accepted.push(path);
            }
        }
        let entries = tree(accepted.iter().map(String::as_str));
        let wanted = picks.iter().map(|(old, new)| {
            format!("{}={new}", old.get(&entries).path.display())
        });
        let wanted: Vec<String> = wanted.collect();
        let moves = plan(&entries, &requests(wanted.iter().map(String::as_str)), false);
        let Ok(moves) = moves else { return Ok(()) };
        let site_url = SiteUrl::parse(ROOT).unwrap().0;
        let mut files = FileIndex::new(Path::new("/nowhere"), &entries);
        // They are kept as symbolic links are.
        let aliases = aliases.iter().map(|(target, alias)| (&*target.get(&entries).path, alias.into()));
        let is_free = |alias: &PathBuf| {
            entries.iter().all(|it| {
                let is_below_file = it.kind == EntryKind::File && alias.starts_with(&it.path);
                !it.path.starts_with(alias) && !is_below_file
            })
        };
        files.add_compressed(aliases.filter(|(_, alias)| is_free(alias)));
        let moved = MovedUrls::of(&moves, &entries, &files);
        let names = PathNames::of(&site_url, &files, &moved, Standard::Whatwg).unwrap();
        let root = AbsoluteUrl::new(Standard::Whatwg, site_url.url().clone());
        let comparable = |url: &AbsoluteUrl| normalized_path(url.as_str()).into_owned();
        let finder = StalePathFinder {
            before: root.clone(),
            after: root.clone(),
            from_disk: false,
            root_from_file: "",
            site_urls: vec![&site_url],
            files: &files,
            follow: Box::new(|target| follow(&site_url, &files, &moved, target)),
            is_same: &|one, other| comparable(one) == comparable(other),
        };
        for entry in entries.iter().filter(|it| it.kind == EntryKind::File) {
            let new = moves.new_path(&entry.path).unwrap_or(&entry.path);
            let url = |path| AbsoluteUrl::new(Standard::Whatwg, site_url.file_url(path).unwrap());
            let (before, after) = (url(&entry.path), url(new));
            let own = || Some([&before, &after]);
            for (text, is_name) in &strings {
                let string = PathString {
                    span: Span::from(0..0),
                    text: text.into(),
                    kind: if *is_name { StringKind::Name } else { StringKind::Path },
                    may_be_reference: false,
                };
                for syntax in [StringSyntax::Script, StringSyntax::Html, StringSyntax::Text] {
                    if finder.stale_target(&string, syntax, &own).is_some() {
                        let has_moved = before != after;
                        prop_assert!(names.may_be_stale(text, has_moved), "{text:?} in {entry:?}");
                    }
                }
            }
        }
    }
}
