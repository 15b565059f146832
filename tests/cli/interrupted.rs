//! Runs that are interrupted: what they leave, and what the next run makes of it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use rehref_corpus::Corpus;
use rehref_corpus::output::Destination;
use rehref_corpus::run::plan::Archives;
use rehref_corpus::run::plan::{Mode, Observer, Plan, RunError};
use rehref_corpus::run::run;
use rehref_rewrite::Policy;
use rehref_site::{IndexFiles, Server, SiteUrl, walk};
use rehref_site::{Moves, Projects};

use crate::integrity::sha256;
use crate::interrupt::{URL, site_of};
use crate::support::{TestDir, tree};

/// Calls the run off after a number of files.
struct After {
    files: usize,
    seen: AtomicUsize,
    cancel: Arc<AtomicBool>,
}

impl Observer for After {
    fn progress(&self) {
        if self.seen.fetch_add(1, Ordering::SeqCst) + 1 == self.files {
            self.cancel.store(true, Ordering::SeqCst);
        }
    }
}

fn run_until(dir: &TestDir, mode: Mode, files: usize) -> RunError {
    let cancel = Arc::new(AtomicBool::new(false));
    let root = dir.path("site").canonicalize().unwrap();
    let site_url = SiteUrl::parse(URL).unwrap().0;
    let plan = Plan {
        policies: Projects::default(),
        origins: None,
        new_index_files: IndexFiles::default(),
        corpus: Corpus {
            threads: 1,
            cancel: Arc::clone(&cancel),
            ..Corpus::new(root.clone(), walk(&root), site_url, Server::default())
        },
        policy: Policy::absolute(),
        moves: Moves::default(),
        mode,
        archives: Archives::default(),
    };
    let observer = After { files, seen: AtomicUsize::new(0), cancel };
    run(&plan, &observer).unwrap_err()
}

#[test]
fn files_are_whole_or_not_there() {
    let dir = site_of(40);
    let site = dir.path("site").canonicalize().unwrap();
    let mode = Mode::Copy(Destination::check(&site, &dir.path("out"), false).unwrap());
    let error = run_until(&dir, mode, 7);
    assert_eq!(
        error.to_string(),
        "interrupted after 7 of 40 files: the output is incomplete, but each file in it is complete\nhelp: run the command again with --force"
    );
    let RunError::Interrupted(interrupted) = error else {
        panic!("{error}");
    };
    assert_eq!(interrupted.report.documents.rewritten, 7);
    let written = tree(&dir.path("out"));
    assert_eq!(written.len(), 7);
    assert!(written.iter().all(|(_, contents)| contents.ends_with(b"</a>\n")));

    dir.rehref(&["absolute", "site", "-o", "out", "--force", "--url", URL]).status(0);
    assert_eq!(tree(&dir.path("out")).len(), 40);

    let before = tree(&dir.path("site"));
    let error = run_until(&dir, Mode::DryRun, 3).to_string();
    assert_eq!(error, "interrupted after 3 of 40 files: nothing was written");
    assert!(tree(&dir.path("site")) == before);

    let error = run_until(&dir, Mode::InPlace, 5).to_string();
    assert!(error.contains("either rewritten or unchanged"), "{error}");
    dir.rehref(&["absolute", "site", "--in-place", "--url", URL]).status(0);
    assert!(tree(&dir.path("site")) == tree(&dir.path("out")));
}

/// Else the digest would be wrong for good: the next run does not change the style sheet.
#[test]
fn an_interrupted_run_leaves_no_digest_of_bytes_that_are_gone() {
    for name in ["a.css", "a.php"] {
        let css = "a { b: url(/i.png) }";
        let digest = sha256(css);
        let page = format!("<link rel=stylesheet href={name} integrity={digest}>");
        let dir = TestDir::with_site(&[(name, css), ("b.html", &page)]);
        run_until(&dir, Mode::InPlace, 1);
        assert_eq!(dir.read(&format!("site/{name}")), css);
        dir.rehref(&["absolute", "site", "--in-place", "--url", URL]).status(0);
        let digest = sha256(&dir.read(&format!("site/{name}")));
        assert!(dir.read("site/b.html").contains(&digest), "{name}");
    }
}

#[test]
fn leftovers_are_not_copied() {
    let dir = TestDir::with_site(&[
        ("a.html", "<a href=y>"),
        ("d/.rehref-AbC123.tmp", "half a doc"),
        (".rehref-notes.txt", ""),
    ]);
    let run = dir.rehref(&["absolute", "site", "-o", "out", "--url", URL]).status(0);
    assert!(
        run.stderr().contains(
            "warning: d/.rehref-AbC123.tmp: an interrupted run left this temporary file, which rehref did not copy\nhelp: delete the file\n"
        ),
        "{}",
        run.stderr()
    );
    let written: Vec<_> = tree(&dir.path("out")).into_iter().map(|f| f.0).collect();
    assert_eq!(written, [".rehref-notes.txt", "a.html"].map(std::path::PathBuf::from));
}
