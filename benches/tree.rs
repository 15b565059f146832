//! A whole tree: read, rewritten and written, beside a plain copy of the same tree.

#![allow(missing_docs)]

mod support;

use std::path::Path;
use std::process::Command;

use rehref::corpus::Corpus;
use rehref::moves::Moves;
use rehref::output::Destination;
use rehref::rewrite::plan::Archives;
use rehref::rewrite::plan::{Mode, Observer, Plan};
use rehref::rewrite::{Policy, run};
use rehref::site::{SiteUrl, walk};
use support::Group;

struct Silent;

impl rehref::corpus::Observer for Silent {}
impl Observer for Silent {}

fn rewrite(site: &Path, out: &Path) {
    let site_url = SiteUrl::parse("https://example.org/docs/").unwrap().0;
    let plan = Plan {
        new_site_url: site_url.clone(),
        moves: Moves::default(),
        corpus: Corpus::new(site.to_owned(), walk(site), site_url),
        policy: Policy::absolute(),
        mode: Mode::Copy(Destination::check(site, out, false).unwrap()),
        archives: Archives::default(),
    };
    let report = run(&plan, &Silent).unwrap();
    assert_eq!(report.errors, []);
}

fn main() {
    let site = support::tree().canonicalize().unwrap();
    let group = Group::new("tree", 10);
    group.measure_with(
        "rewrite",
        || tempfile::tempdir().unwrap(),
        |out| rewrite(&site, &out.path().join("out")),
    );
    group.measure_with(
        "peer: cp -r",
        || tempfile::tempdir().unwrap(),
        |out| {
            let copy = Command::new("cp")
                .arg("-r")
                .arg(&site)
                .arg(out.path())
                .status();
            assert!(copy.unwrap().success());
        },
    );
}
