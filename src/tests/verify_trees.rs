//! Trees and the differences between them.

use std::os::unix::fs::symlink;
use std::path::Path;

use crate::moves::{self, Request};
use rehref_corpus::parallel;
use rehref_corpus::{Corpus, Observer, SiteDigests};
use rehref_site::Moves;
use rehref_site::{FileIndex, Server, SiteUrl, walk};
use rehref_verify::expected_targets::{ExpectedTargets, SiteFiles};
use rehref_verify::{AddedText, Report, TreePlan, verify_tree};

/// Two documents swap their places, and the links follow.
#[test]
fn moved_files_are_compared_with_their_counterparts() {
    struct Silent;
    impl Observer for Silent {}

    let dir = tempfile::tempdir().unwrap();
    let (before, after) = (dir.path().join("before"), dir.path().join("after"));
    for (root, files) in [
        (&before, [("a.html", "<a href=d/b.html>"), ("d/b.html", "<a href=../a.html>b")]),
        (&after, [("d/b.html", "<a href=../a.html>"), ("a.html", "<a href=d/b.html>b")]),
    ] {
        std::fs::create_dir_all(root.join("d")).unwrap();
        for (path, contents) in files {
            std::fs::write(root.join(path), contents).unwrap();
        }
    }
    symlink("d/b.html", before.join("link")).unwrap();
    symlink("a.html", after.join("link")).unwrap();
    std::fs::write(after.join("extra"), "").unwrap();

    let map = Request::map("map.tsv", b"a.html\td/b.html\nd/b.html\ta.html").unwrap();
    let (site_url, _) = SiteUrl::parse("http://h/").unwrap();
    let corpus = |root: &Path| Corpus {
        threads: 2,
        ..Corpus::new(root.to_owned(), walk(root), site_url.clone(), Server::default())
    };
    let (before, after) = (corpus(&before), corpus(&after));
    let moves = moves::plan(&before.walk.entries, &map, false).unwrap();
    let files = |corpus: &Corpus| FileIndex::new(&corpus.root, &corpus.walk.entries);
    let mut plan = TreePlan {
        repository: None,
        base: None,
        before: &before,
        after: &after,
        moves: &moves,
        file_after: None,
        targets: ExpectedTargets {
            before: &site_url,
            also: &[],
            after: &site_url,
            files: Some(SiteFiles::new(files(&before), files(&after), &moves)),
            same_file: true,
        },
        digests_before: SiteDigests::new(&before),
        digests_after: SiteDigests::new(&after),
        offline: false,
        may_be_extra: true,
        added: AddedText::new(),
        limit: usize::MAX,
    };
    let paths = |report: &Report| -> Vec<String> {
        let files = report.different.iter();
        files.map(|file| file.path.clone()).collect()
    };
    let report = verify_tree(&plan, &Silent).unwrap();
    assert_eq!(paths(&report), [""; 0]);
    let counts = (report.documents, report.files, report.symlinks);
    assert_eq!(counts, (2, 0, 1));
    assert_eq!(report.references.compared, 2);

    // With no map, all differs; the limit holds for all files together.
    let unmoved = Moves::default();
    plan.moves = &unmoved;
    plan.targets.files = None;
    plan.may_be_extra = false;
    plan.limit = 1;
    let report = verify_tree(&plan, &Silent).unwrap();
    assert_eq!(paths(&report), ["a.html", "d/b.html", "link", "extra"]);
    let reported = report.different.iter().map(|file| file.differences.len());
    assert_eq!(reported.sum::<usize>(), 1);
    assert_eq!(report.differences, 4);

    before.cancel.store(true, std::sync::atomic::Ordering::Relaxed);
    let interrupted = verify_tree(&plan, &Silent);
    assert!(matches!(interrupted, Err(parallel::Error::Interrupted { done: 0, files: 3 })));
}
