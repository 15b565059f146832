//! Trees and the differences between them.

use std::collections::HashMap;
use std::os::unix::fs::symlink;

use super::*;
use crate::site::{SiteUrl, walk};
use crate::url::{Standard, Url};

fn url(text: &str) -> AbsoluteUrl {
    AbsoluteUrl::new(Standard::Whatwg, Url::parse(text).unwrap())
}

/// Two documents that change places, and the links to them.
#[test]
fn trees_in_which_files_move() {
    struct Silent;
    impl Observer for Silent {}

    let dir = tempfile::tempdir().unwrap();
    let (before, after) = (dir.path().join("before"), dir.path().join("after"));
    for (root, files) in [
        (
            &before,
            [
                ("a.html", "<a href=d/b.html>"),
                ("d/b.html", "<a href=../a.html>b"),
            ],
        ),
        (
            &after,
            [
                ("d/b.html", "<a href=../a.html>"),
                ("a.html", "<a href=d/b.html>b"),
            ],
        ),
    ] {
        std::fs::create_dir_all(root.join("d")).unwrap();
        for (path, contents) in files {
            std::fs::write(root.join(path), contents).unwrap();
        }
    }
    symlink("d/b.html", before.join("link")).unwrap();
    symlink("a.html", after.join("link")).unwrap();
    std::fs::write(after.join("_redirects"), "").unwrap();
    std::fs::write(after.join("extra"), "").unwrap();

    let map: HashMap<&str, &str> = HashMap::from([("a.html", "d/b.html"), ("d/b.html", "a.html")]);
    let moved = |path: &str| {
        map.get(path)
            .copied()
            .map_or(path.to_owned(), str::to_owned)
    };
    let (site_url, _) = SiteUrl::parse("http://h/").unwrap();
    let follow = |target: &AbsoluteUrl| {
        let path = target.as_str().strip_prefix("http://h/").unwrap();
        url(&format!("http://h/{}", moved(path)))
    };
    let counterpart = |path: &Path| PathBuf::from(moved(path.to_str().unwrap()));
    let corpus = |root: &Path| Corpus {
        threads: 2,
        ..Corpus::new(root.to_owned(), walk(root), site_url.clone())
    };
    let (before, after) = (corpus(&before), corpus(&after));
    let mut plan = TreePlan {
        before: &before,
        after: &after,
        counterpart: &counterpart,
        follow: &follow,
        same: &PartialEq::eq,
        may_be_extra: &|path| path == Path::new("_redirects"),
        limit: usize::MAX,
    };
    let paths = |report: &Report| -> Vec<String> {
        let files = report.different.iter();
        files.map(|file| file.path.clone()).collect()
    };
    let report = verify_tree(&plan, &Silent).unwrap();
    assert_eq!(paths(&report), ["extra"]);
    let counts = (report.documents, report.files, report.symlinks);
    assert_eq!(counts, (2, 0, 1));
    assert_eq!(report.references.compared, 2);

    // With no map, all differs; the limit holds for all files together.
    plan.counterpart = &Path::to_path_buf;
    plan.follow = &AbsoluteUrl::clone;
    plan.limit = 1;
    let report = verify_tree(&plan, &Silent).unwrap();
    assert_eq!(paths(&report), ["a.html", "d/b.html", "link", "extra"]);
    let reported = report.different.iter().map(|file| file.differences.len());
    assert_eq!(reported.sum::<usize>(), 1);
    assert_eq!(report.differences, 4);

    before
        .cancel
        .store(true, std::sync::atomic::Ordering::Relaxed);
    let interrupted = verify_tree(&plan, &Silent);
    assert!(matches!(
        interrupted,
        Err(parallel::Error::Interrupted { done: 0, files: 3 })
    ));
}
