//! A whole tree: read, rewritten and written, beside a plain copy of the same tree.

#![allow(missing_docs)]

mod support;

use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use rehref::corpus::Selection;
use rehref::document::ParseOptions;
use rehref::moves::Moves;
use rehref::output::Destination;
use rehref::rewrite::archive::Archives;
use rehref::rewrite::plan::{Mode, Observer, Plan};
use rehref::rewrite::{Policy, run};
use rehref::site::{SiteUrl, walk};
use rehref::url::Standard;
use support::Group;

struct Silent;

impl Observer for Silent {}

fn rewrite(site: &Path, out: &Path) {
    let site_url = SiteUrl::parse("https://example.org/docs/").unwrap().0;
    let plan = Plan {
        new_site_url: site_url.clone(),
        moves: Moves::default(),
        walk: walk(site),
        root: site.to_owned(),
        policy: Policy::absolute(),
        site_url,
        mode: Mode::Copy(Destination::check(site, out, false).unwrap()),
        selection: Selection::default(),
        standard: Standard::Whatwg,
        options: ParseOptions::default(),
        threads: 0,
        archives: Archives::default(),
        cancel: Arc::default(),
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
