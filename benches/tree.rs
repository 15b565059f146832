//! A whole tree: read, rewritten and written, beside a plain copy of the same tree.

#![allow(missing_docs)]

mod support;

use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use rehref::corpus::Selection;
use rehref::document::ParseOptions;
use rehref::moves::Moves;
use rehref::output::Destination;
use rehref::rewrite::archive::Archives;
use rehref::rewrite::plan::{Mode, Observer, Plan};
use rehref::rewrite::{Policy, run};
use rehref::site::{SiteUrl, walk};
use rehref::url::Standard;

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

fn bench(criterion: &mut Criterion) {
    let site = support::tree().canonicalize().unwrap();
    let mut group = criterion.benchmark_group("tree");
    group.sample_size(10);
    group.bench_function("rewrite", |bencher| {
        bencher.iter_batched_ref(
            || tempfile::tempdir().unwrap(),
            |out| rewrite(&site, &out.path().join("out")),
            BatchSize::PerIteration,
        );
    });
    group.bench_function("peer: cp -r", |bencher| {
        bencher.iter_batched_ref(
            || tempfile::tempdir().unwrap(),
            |out| {
                let copy = Command::new("cp")
                    .arg("-r")
                    .arg(&site)
                    .arg(out.path())
                    .status();
                assert!(copy.unwrap().success());
            },
            BatchSize::PerIteration,
        );
    });
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
