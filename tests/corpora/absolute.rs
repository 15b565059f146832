//! `rehref absolute` on real trees, judged by the independent witness.

use std::borrow::Cow;
use std::fs;
use std::path::Path;

use libtest_mimic::Trial;
use rehref::PageOptions;

use crate::kinds::document_kind;
use crate::support::{TestDir, tree};
use crate::witness::{Expectation, FileType, compare_trees, document_url, file_type};
use crate::{over_more_trees, over_trees};

const URL: &str = "https://example.org/docs/";

pub fn trials() -> Vec<Trial> {
    let all = "apache2-doc cppreference-doc-en-html erlang-doc git-doc gnucash-docs \
        libboost1.74-doc maint-guide-ja mpich-doc python3.11-doc rust-doc sqlite3-doc";
    vec![
        Trial::test("absolute::sample_site", || {
            check(&Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-site"));
            Ok(())
        }),
        over_trees("absolute::python", "python3.11-doc", check),
        over_trees("absolute::apache", "apache2-doc", check),
        over_trees("absolute::boost", "libboost1.74-doc", check),
        over_trees("absolute::erlang", "erlang-doc", check),
        over_trees("absolute::git", "git-doc", check),
        over_more_trees("absolute::more", check),
        // It reads all trees, and gives figures on the witness, not on rehref.
        over_trees("absolute::no_false_alarms", all, no_false_alarms).with_ignored_flag(true),
    ]
}

fn check(site: &Path) {
    let dir = TestDir::new();
    let (once, twice) = (dir.path("once"), dir.path("twice"));
    let run = |from: &Path, to: &Path| {
        let (from, to) = (from.to_str().unwrap(), to.to_str().unwrap());
        // The witness knows no servers: to it, an index page is at its own name.
        let site = ["--url", URL, "--no-index-files", "--in-page-links", "absolute"];
        dir.rehref(&[&["absolute", from, "-o", to, "--format", "json"], &site[..]].concat())
            .stdout()
    };
    let report: serde_json::Value = serde_json::from_str(&run(site, &once)).unwrap();
    // No document is given up but XML that is none.
    assert_eq!(report["errors"].as_array().unwrap().len(), 0);
    for problem in report["diagnostics"].as_array().unwrap() {
        let id = problem["id"].as_str().unwrap();
        let is_given_up = ["skipped-document", "too-complex", "wrong-charset"].contains(&id);
        assert!(!is_given_up, "{problem}");
    }

    let url = url::Url::parse(URL).unwrap();
    let comparison = compare_trees(site, &once, &url, true, &|path, bytes| {
        if document_kind(path, bytes).is_some() {
            Expectation::Document
        } else {
            Expectation::SameBytes
        }
    });
    println!(
        "{}: {} documents, {} other files, {} links, {:?}",
        site.display(),
        comparison.documents,
        comparison.other_files,
        comparison.symbolic_links,
        comparison.stats
    );
    let failures = comparison.failures.len();
    assert!(failures == 0, "{failures}:\n{}", comparison.failures[..failures.min(50)].join("\n"));
    assert_eq!(report["documents"]["seen"], comparison.documents);

    // The library gives the bytes that the command writes.
    for (path, after) in tree(&once) {
        let before_path = site.join(&path);
        if before_path.is_symlink() {
            continue;
        }
        let before = fs::read(&before_path).unwrap();
        if let Some(kind) = document_kind(&path, &before) {
            let document_url = document_url(&url, &path).as_str().parse().unwrap();
            let absolute = rehref::absolute(&before, &document_url, &PageOptions::from(kind));
            let expected = absolute.unwrap_or(Cow::Borrowed(&before));
            assert!(after == *expected, "{}", path.display());
        }
    }

    run(&once, &twice);
    assert!(tree(&once) == tree(&twice), "a second run changes bytes");
}

/// What no run has touched raises no alarm, whatever it is.
fn no_false_alarms(root: &Path) {
    let site = url::Url::parse(URL).unwrap();
    let start = std::time::Instant::now();
    let comparison =
        compare_trees(root, root, &site, false, &|path, bytes| match file_type(path, bytes) {
            FileType::Other => Expectation::SameBytes,
            _ => Expectation::Document,
        });
    println!(
        "{}: {} documents, {} other files, {:?}, {:.1?}",
        root.display(),
        comparison.documents,
        comparison.other_files,
        comparison.stats,
        start.elapsed()
    );
    assert_eq!(comparison.failures, [""; 0]);
}
