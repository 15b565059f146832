//! An independent count of broken references, before and after a tree has been moved or its links
//! made relative.
//!
//! It shares no code with `rehref`: references are found and resolved by the witness, looked up in
//! what is on disk, and taken through the moves by a map of its own.

// Each test program uses a part of it; without Rust's harness (`tests/corpora`), none of its tests.
#![allow(dead_code, unreachable_pub, unused_imports)]

mod files;
mod moves;
mod tests;

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use url::Url;

use crate::witness::{Link, LinkPair, document_url, list_links, pair_links};

pub use {
    files::{Files, Place},
    moves::{Map, judge_move},
};

/// How many references there are before and after, by what they lead to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// To a file or a folder of the tree.
    pub whole: usize,
    /// Into the tree, where nothing is.
    pub broken: usize,
    /// Anywhere else.
    pub outside: usize,
}

impl Counts {
    fn count(&mut self, place: &Place) {
        match place {
            Place::File(_) | Place::Folder { .. } => self.whole += 1,
            Place::Missing => self.broken += 1,
            Place::Outside => self.outside += 1,
        }
    }
}

/// The result of a judge. No failures: all is as it should be.
#[derive(Debug, Default)]
pub struct Judgement {
    pub documents: usize,
    pub other_files: usize,
    pub before: Counts,
    pub after: Counts,
    /// References that are spelled otherwise.
    pub respelled: usize,
    /// The broken ones: document (its path afterwards) and carrier, counted.
    pub broken_before: BTreeMap<(String, String), usize>,
    pub broken_after: BTreeMap<(String, String), usize>,
    /// One line each, beginning with the path inside the tree.
    pub failures: Vec<String>,
}

impl fmt::Display for Judgement {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(
            f,
            "{} documents, {} other files, {} links respelled, before {:?}, after {:?}",
            self.documents, self.other_files, self.respelled, self.before, self.after
        )
    }
}

impl Judgement {
    fn fail(&mut self, path: &str, problem: impl fmt::Display) {
        self.failures.push(format!("{path}: {problem}"));
    }

    fn add(&mut self, mut other: Judgement) {
        self.documents += other.documents;
        self.other_files += other.other_files;
        self.respelled += other.respelled;
        for (counts, more) in [(&mut self.before, other.before), (&mut self.after, other.after)] {
            counts.whole += more.whole;
            counts.broken += more.broken;
            counts.outside += more.outside;
        }
        self.broken_before.append(&mut other.broken_before);
        self.broken_after.append(&mut other.broken_after);
        self.failures.append(&mut other.failures);
    }

    /// Panics with the first failures, if there are any.
    #[track_caller]
    pub fn assert(self, what: &str) {
        println!("{what}: {self}");
        let count = self.failures.len();
        let shown = self.failures[..count.min(40)].join("\n");
        assert!(count == 0, "{what}: {count} failures:\n{shown}");
        assert_eq!(self.broken_before, self.broken_after, "{what}");
        assert_eq!(self.before, self.after, "{what}");
    }
}

/// Whether a file is to be judged as a document, by its path and contents.
pub type IsDocument<'a> = &'a (dyn Fn(&Path, &[u8]) -> bool + Sync);

/// Judges a tree whose links were made relative, each document against itself in `before`: the same
/// targets, and no reference to the site's own files that is spelled with a scheme, a host or from
/// the root. The contents of `base` elements are not judged.
pub fn judge_relative(
    before: &Path,
    after: &Path,
    site: &Url,
    is_document: IsDocument,
) -> Judgement {
    let (files, files_after) = (Files::of(before), Files::of(after));
    let mut judgement = in_parallel(files.paths(), &|path, found| {
        if files.is_symbolic_link(path) {
            if std::fs::read_link(before.join(path)).ok()
                != std::fs::read_link(after.join(path)).ok()
            {
                found.fail(path, "not the same symbolic link");
            }
            return;
        }
        let (Ok(bytes), Ok(bytes_after)) =
            (std::fs::read(before.join(path)), std::fs::read(after.join(path)))
        else {
            return found.fail(path, "cannot be read on both sides");
        };
        if !is_document(Path::new(path), &bytes) {
            found.other_files += 1;
            if bytes != bytes_after {
                found.fail(path, "the bytes differ");
            }
            return;
        }
        found.documents += 1;
        let url = document_url(site, Path::new(path));
        let pairs = match pairs_of(path, (&bytes, &url), (&bytes_after, &url)) {
            Ok(pairs) => pairs,
            Err(problems) => return problems.iter().for_each(|p| found.fail(path, p)),
        };
        for pair in pairs {
            judge_relative_pair(path, &pair, site, (&files, &files_after), found);
        }
    });
    for path in files_after.paths() {
        if !files.contains(path) {
            judgement.fail(path, "was not there before");
        }
    }
    judgement
}

fn judge_relative_pair(
    path: &str,
    pair: &LinkPair,
    site: &Url,
    (files, files_after): (&Files, &Files),
    found: &mut Judgement,
) {
    let (Some(target), Some(target_after)) = (&pair.before.target, &pair.after.target) else {
        if pair.before != pair.after {
            found.fail(path, Spelled(pair, "one of them is no URL"));
        }
        return;
    };
    found.respelled += usize::from(pair.before.reference != pair.after.reference);
    let (place, place_after) = (files.place(site, target), files_after.place(site, target_after));
    count_both(path, pair, (&place, &place_after), found);
    if target != target_after {
        found.fail(path, Spelled(pair, "leads elsewhere"));
    } else if place != Place::Outside
        && is_absolute(&pair.after.reference)
        && !(pair.before.reference == pair.after.reference
            && (pair.optional || readers_want_absolute(path, pair)))
    {
        found.fail(path, Spelled(pair, "is not relative"));
    }
}

fn count_both(
    path: &str,
    pair: &LinkPair,
    (place, place_after): (&Place, &Place),
    found: &mut Judgement,
) {
    found.before.count(place);
    found.after.count(place_after);
    let key = (path.to_string(), pair.carrier.clone());
    if *place == Place::Missing {
        *found.broken_before.entry(key.clone()).or_default() += 1;
    }
    if *place_after == Place::Missing {
        *found.broken_after.entry(key).or_default() += 1;
    }
}

/// Whether it has a scheme, a host, or begins at the root.
fn is_absolute(reference: &str) -> bool {
    let reference = reference.trim_matches(|character| character <= ' ');
    reference.starts_with(['/', '\\']) || Url::parse(reference).is_ok()
}

/// Carriers of links whose readers have no document to count from: Open Graph and the like, RSS,
/// sitemaps.
const READ_FROM_AFAR: &[&str] = &["meta content", "link page", "link text", "loc text"];

fn readers_want_absolute(path: &str, pair: &LinkPair) -> bool {
    READ_FROM_AFAR.contains(&pair.carrier.as_str()) || path.ends_with("robots.txt")
}

/// The links of a document before and after, without those that only say what others count from.
/// A document that had a `base` element is compared link by link, as the element may be gone; any
/// other one node by node.
fn pairs_of(
    path: &str,
    (before, url): (&[u8], &Url),
    (after, url_after): (&[u8], &Url),
) -> Result<Vec<LinkPair>, Vec<String>> {
    let path = Path::new(path);
    let has_base = |bytes: &[u8]| bytes.windows(5).any(|b| b.eq_ignore_ascii_case(b"<base"));
    let mut pairs = if has_base(before) {
        let links = |bytes, url| {
            let mut links = list_links(path, bytes, url);
            links.retain(|(carrier, _)| !counts_others(carrier));
            links
        };
        let (links, links_after) = (links(before, url), links(after, url_after));
        if !(links.iter().map(|(carrier, _)| carrier))
            .eq(links_after.iter().map(|(carrier, _)| carrier))
        {
            return Err(vec!["not the same carriers in the same order".to_string()]);
        }
        let pairs = links.into_iter().zip(links_after);
        pairs
            .map(|((carrier, before), (_, after))| LinkPair {
                carrier,
                optional: false,
                before,
                after,
            })
            .collect()
    } else {
        pair_links(path, (before, url), (after, url_after))?
    };
    pairs.retain(|pair| !counts_others(&pair.carrier));
    Ok(pairs)
}

/// `base href`, `xml:base`, `codebase`: what other references count from, no links themselves.
fn counts_others(carrier: &str) -> bool {
    carrier == "base href" || carrier.ends_with(" base") || carrier.ends_with(" codebase")
}

/// A pair with what is wrong with it, for people.
struct Spelled<'a>(&'a LinkPair, &'a str);

impl fmt::Display for Spelled<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let target = |link: &Link| link.target.as_ref().map_or("nothing", Url::as_str).to_owned();
        let Spelled(pair, problem) = self;
        write!(
            f,
            "{} {:?} -> {:?}: {problem} ({} -> {})",
            pair.carrier,
            pair.before.reference,
            pair.after.reference,
            target(&pair.before),
            target(&pair.after)
        )
    }
}

/// Runs `judge` on every path, on all processors.
fn in_parallel<'a>(
    paths: impl Iterator<Item = &'a str>,
    judge: &(dyn Fn(&str, &mut Judgement) + Sync),
) -> Judgement {
    let paths: Vec<&str> = paths.collect();
    let (next, all) = (AtomicUsize::new(0), Mutex::new(Judgement::default()));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(path) = paths.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let mut found = Judgement::default();
                    judge(path, &mut found);
                    all.lock().expect("no judge panics").add(found);
                }
            });
        }
    });
    let mut all = all.into_inner().expect("no judge panics");
    all.failures.sort();
    all
}
