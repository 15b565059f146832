//! What a big map costs: 100,000 entries over 30,000 documents against one entry, whole runs.
//!
//! The trees are in `TMPDIR`, best a file system in memory (`TMPDIR=/dev/shm`): a disk that is busy with
//! 100,000 files hides everything else.

#![allow(missing_docs)]

mod support;

use std::fmt::Write;
use std::fs;
use std::path::Path;

use rehref::corpus::Corpus;
use rehref::moves::MovedUrls;
use rehref::moves::{self, Request};
use rehref::output::Destination;
use rehref::rewrite::plan::Archives;
use rehref::rewrite::plan::{Mode, Observer, Plan};
use rehref::rewrite::pretty_urls::PrettyUrls;
use rehref::rewrite::targets::SiteMapping;
use rehref::rewrite::{Policy, SitePolicy, run};
use rehref::site::{FileIndex, PLACEHOLDER_URL, SiteUrl, walk};
use support::Group;

const FOLDERS: usize = 300;
const DOCUMENTS: usize = 100;
const PICTURES: usize = 233;

struct Silent;

impl rehref::corpus::Observer for Silent {}
impl Observer for Silent {}

/// 30,000 documents and 69,900 pictures. Each document has links to others and to pictures.
fn make_site(root: &Path) {
    for folder in 0..FOLDERS {
        let path = root.join(format!("old/{folder}"));
        fs::create_dir_all(&path).unwrap();
        for document in 0..DOCUMENTS {
            let mut html = String::from("<!DOCTYPE html>\n<title>A page</title>\n");
            for link in 0..20 {
                let (other, page) = ((folder + link) % FOLDERS, (document + link) % DOCUMENTS);
                let _ = writeln!(
                    html,
                    "<p>Words <a href=\"../{other}/{page}.html#part\">to a page</a> and more words."
                );
                let _ = writeln!(html, "<img src=\"{page}.png\" alt=\"\">");
            }
            fs::write(path.join(format!("{document}.html")), html).unwrap();
        }
        for picture in 0..PICTURES {
            fs::write(path.join(format!("{picture}.png")), b"").unwrap();
        }
    }
}

fn move_by(root: &Path, out: &Path, map: &str) -> usize {
    let walk = walk(root);
    let requests = Request::map("map", map.as_bytes()).unwrap();
    let moves = moves::plan(&walk.entries, &requests, false).unwrap();
    let site_url = SiteUrl::parse(PLACEHOLDER_URL).unwrap().0;
    let files = FileIndex::new(root, &walk.entries);
    let plan = Plan {
        corpus: Corpus::new(root.to_owned(), self::walk(root), site_url.clone()),
        new_site_url: site_url.clone(),
        policy: Policy::site(SitePolicy {
            form: None,
            drop_base: false,
            mapping: SiteMapping {
                before: site_url.clone(),
                also: Vec::new(),
                after: site_url,
                moved: MovedUrls::of(&moves, &walk.entries, &files),
                files,
                pretty: PrettyUrls::default(),
            },
        }),
        moves,
        mode: Mode::Copy(Destination::check(root, out, false).unwrap()),
        archives: Archives::default(),
    };
    let report = run(&plan, &Silent).unwrap();
    assert_eq!(report.documents.seen, FOLDERS * DOCUMENTS);
    report.moved.len()
}

fn main() {
    let directory = tempfile::tempdir().unwrap();
    let root = &directory.path().canonicalize().unwrap();
    make_site(root);
    let mut all = String::new();
    for entry in walk(root).entries {
        let path = entry.path.to_string_lossy().into_owned();
        if let Some(rest) = path.strip_prefix("old/").filter(|rest| rest.contains('/')) {
            let _ = writeln!(all, "{path}\tnew/{rest}");
        }
    }
    let entries = all.lines().count();
    let group = Group::new("30,000 documents", 10);
    let one = "old/0/0.html\told/0/zero.html\n";
    for (map, entries) in [(one, 1), (&all, entries)] {
        group.measure_with(
            format!("{entries} map entries"),
            || tempfile::tempdir().unwrap(),
            |out| assert_eq!(move_by(root, out.path(), map), entries),
        );
    }
}
