//! Properties of maps of moves, redirect rules, ignore rules, globs and baselines.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use encoding_rs::UTF_8;

use super::input::Input;
use crate::audit::Baseline;
use crate::audit::ignore::{IgnoreRule, IgnoreRules};
use crate::document::redirects::RedirectSyntax;
use crate::moves::redirects::{FORMATS, Redirect, RedirectText, read};
use crate::moves::{Moves, Request, plan};
use crate::site::{Entry, EntryKind, Globs, PatternBudget, RedirectTarget, normalized_path};
use crate::url::{Url, percent_decoded};

/// All properties.
pub(super) fn all(data: &[u8]) {
    let mut input = Input::new(data);
    let ignores_case = input.pick(&[false, true]);
    let lists = [moves, rules, redirects, others];
    let list = input.pick(&lists);
    list(&input.text(), ignores_case);
}

/// Requests are refused, or can be carried out.
fn moves(text: &str, ignores_case: bool) {
    let folders = ["a", "b", "b/a"].map(|path| (path, EntryKind::Directory));
    let files = ["b/c.html", "b/a/x", "c", "#", "é"].map(|path| (path, EntryKind::File));
    let entries = folders.into_iter().chain(files).map(|(path, kind)| Entry {
        path: path.into(),
        kind,
    });
    let mut entries: Vec<Entry> = entries.collect();
    entries.sort_by(|one, other| one.path.cmp(&other.path));
    let lines = || text.split('\n').filter(|line| !line.contains('\0'));
    let arguments = lines().filter_map(|line| Request::argument(OsStr::new(line)).ok());
    let patterns = lines().filter_map(|line| Request::regex(line).ok());
    let map = Request::map("map", text.as_bytes());
    let all = [
        Some(arguments.collect()),
        Some(patterns.collect()),
        map.ok(),
    ];
    for requests in all.into_iter().flatten() {
        match plan(&entries, &requests, ignores_case) {
            Ok(moves) => is_possible(&entries, &moves, ignores_case),
            Err(refusals) => assert!(!refusals.is_empty()),
        }
    }
}

/// The tree after moves, naively: new path to old path of everything but directories.
fn carried_out(entries: &[Entry], moves: &Moves) -> BTreeMap<PathBuf, PathBuf> {
    let mut result = BTreeMap::new();
    for entry in entries.iter().filter(|it| it.kind != EntryKind::Directory) {
        let new = moves.new_path(&entry.path).unwrap_or(&entry.path);
        if let Some(other) = result.insert(new.to_owned(), entry.path.clone()) {
            panic!("{other:?} and {:?} both at {new:?}", entry.path);
        }
    }
    result
}

/// Paths and all folders above them.
fn with_folders<'a>(paths: impl Iterator<Item = &'a Path>) -> BTreeSet<&'a Path> {
    paths
        .flat_map(Path::ancestors)
        .filter(|path| !path.as_os_str().is_empty())
        .collect()
}

/// The moves can be carried out in the tree of `entries`: each file has a place of its own below folders that
/// are made.
pub(crate) fn is_possible(entries: &[Entry], moves: &Moves, ignores_case: bool) {
    let result = carried_out(entries, moves);
    let directories = moves.directories(entries);
    for directory in &directories {
        if let Some(old) = &directory.old {
            assert!(
                entries
                    .iter()
                    .any(|it| it.path == *old && it.kind == EntryKind::Directory)
            );
        }
    }
    let folders: BTreeSet<&Path> = directories.iter().map(|it| it.path.as_path()).collect();
    assert_eq!(folders.len(), directories.len());
    for path in folders
        .iter()
        .copied()
        .chain(result.keys().map(PathBuf::as_path))
    {
        // Within the tree, and below folders only.
        let mut components = path.components();
        assert!(components.all(|it| matches!(it, std::path::Component::Normal(_))));
        assert!(!path.as_os_str().is_empty());
        for above in path.ancestors().skip(1) {
            assert!(above.as_os_str().is_empty() || folders.contains(above));
            assert!(!result.contains_key(above), "{above:?} is above {path:?}");
        }
    }
    for file in result.keys() {
        assert!(
            !folders.contains(file.as_path()),
            "{file:?} is a directory too"
        );
    }
    if ignores_case {
        let clashes = |paths: BTreeSet<&Path>| {
            let folded: BTreeSet<String> = paths
                .iter()
                .map(|path| path.to_string_lossy().to_lowercase())
                .collect();
            paths.len() - folded.len()
        };
        let before = with_folders(entries.iter().map(|it| it.path.as_path()));
        if clashes(before) == 0 {
            let after = result.keys().map(PathBuf::as_path).chain(folders);
            assert_eq!(clashes(with_folders(after)), 0);
        }
    }
}

const PATHS: &[&str] = &["", "a", "a/", "b/c.html", "a//b", "x/y/z", "é", "a%20b"];

/// The spans of rules are within their text, and each rule has an answer for any path.
fn rules(text: &str, _: bool) {
    let _ = RedirectSyntax::of_content(text);
    for (_, syntax) in WRITTEN_SYNTAXES {
        for rule in syntax.rules(text).rules {
            assert!(text.get(rule.start..).is_some());
            if let Some(url) = rule.to {
                assert!(text.get(url.span.range()).is_some());
            }
        }
        let read = read(*syntax, "rules", text, &mut PatternBudget::default());
        let lines = text.split('\n').count();
        let of_errors = read.errors.iter().map(|error| error.line);
        let mut of_errors = of_errors.chain(read.unreadable.iter().map(|(line, _)| *line));
        assert!(of_errors.all(|line| (1..=lines).contains(&line)), "{text}");
        for rule in read.rules {
            assert!((1..=lines).contains(&rule.place.line));
            for path in PATHS {
                if let Some(RedirectTarget::Path(path)) = rule.target(path) {
                    assert!(!path.starts_with('/'));
                }
            }
            let _ = (rule.fixed_target(), rule.is_for("h"), rule.is_redirect());
        }
    }
}

/// Redirects that a format expresses are read back.
fn redirects(text: &str, _: bool) {
    const SITE: &str = "https://h.example/";
    let site = Url::parse(SITE).expect("a URL");
    let url = |reference: &str| site.resolve(reference, UTF_8).ok();
    let redirects = text.split('\n').filter_map(|line| {
        let (from, to) = line.split_once(' ')?;
        let (from, to) = (url(from)?, url(to)?);
        // No file has such a name, and so no URL of a file.
        let is_name = |url: &Url| {
            !["%00", "%2F", "%2f"]
                .iter()
                .any(|it| url.as_str().contains(it))
        };
        let has_names = ![&from, &to].iter().any(|url| url.path().contains("//"));
        let is_plain = has_names && from.query().is_none() && from.fragment().is_none();
        let is_of_site = from.as_str().starts_with(SITE) && is_name(&from) && is_name(&to);
        (is_plain && is_of_site).then_some(Redirect { from, to })
    });
    let mut redirects: Vec<Redirect> = redirects.collect();
    // A move has one redirect from each path; servers ignore a slash after it.
    let mut seen = BTreeSet::new();
    redirects.retain(|redirect| {
        seen.insert(percent_decoded(redirect.from.path().trim_end_matches('/')))
    });
    for (format, _) in WRITTEN_SYNTAXES {
        written_is_read_back(format, &redirects, SITE);
    }
}

/// The formats of redirects by their names, and the syntaxes that they write.
pub(crate) const WRITTEN_SYNTAXES: &[(&str, RedirectSyntax)] = &[
    ("netlify", RedirectSyntax::Netlify),
    ("apache", RedirectSyntax::Apache),
    ("nginx", RedirectSyntax::Nginx),
    ("json", RedirectSyntax::Json),
];

/// Writes `redirects` in the format of this name. Each that the format can express is read back: the rules
/// lead from its old path to its new URL. `site` is the URL of the root of the host.
pub(crate) fn written_is_read_back<'r>(
    format: &str,
    redirects: &'r [Redirect],
    site: &str,
) -> RedirectText<'r> {
    let (_, syntax) = WRITTEN_SYNTAXES
        .iter()
        .find(|(name, _)| *name == format)
        .expect("a format");
    let row = FORMATS
        .iter()
        .find(|row| row.name == format)
        .expect("a format");
    let written = row.write(redirects);
    // Servers compare bytes; rehref reads rules in UTF-8 only.
    let Ok(text) = String::from_utf8(written.text.clone()) else {
        return written;
    };
    let has_rules = written.unsupported.len() < redirects.len();
    if has_rules {
        assert_eq!(
            RedirectSyntax::of_content(&text),
            *syntax,
            "{format}: {text}"
        );
    }
    let read = read(*syntax, "rules", &text, &mut PatternBudget::default());
    assert_eq!(read.errors, [], "{format}: {text}");
    assert_eq!(read.unreadable, [], "{format}: {text}");
    for redirect in redirects {
        if written.unsupported.iter().any(|it| it.redirect == redirect) {
            continue;
        }
        let below = |url: &Url| {
            let path = url.path().trim_start_matches('/');
            normalized_path(path).into_owned()
        };
        let from = below(&redirect.from);
        let found = read.rules.iter().find_map(|rule| rule.target(&from));
        let found = match found.unwrap_or_else(|| panic!("{format}: no rule for {from}: {text}")) {
            RedirectTarget::Path(path) => normalized_path(&path).into_owned(),
            other => format!("{other:?}"),
        };
        let expected = match redirect.to.as_str().starts_with(site) {
            true => below(&redirect.to),
            false => "External".to_owned(),
        };
        assert_eq!(found, expected, "{format}: {text}");
    }
    written
}

/// Ignore rules, globs and baselines are refused, or can be used.
fn others(text: &str, _: bool) {
    if let Ok(rule) = text.parse::<IgnoreRule>() {
        let rules = IgnoreRules::new(&[rule]).expect("one rule is not too many");
        let _ = rules.paths();
    }
    let globs: Vec<String> = text.split('\n').map(str::to_owned).collect();
    if let Ok(globs) = Globs::new(&globs) {
        for path in PATHS {
            globs.is_match(Path::new(path));
        }
    }
    if let Ok(baseline) = Baseline::parse(text.as_bytes()) {
        let written = baseline.to_json();
        let again = Baseline::parse(&written).expect("just written");
        assert_eq!(again.to_json(), written);
    }
}
