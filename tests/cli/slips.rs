//! Slips that only a run over files shows: each run says the right next step, and not the wrong one.

use crate::support::TestDir;

/// A command line, its exit status, what it says, and what it does not say.
type Slip = (&'static str, i32, &'static [&'static str], &'static [&'static str]);

/// Runs each command line in `dir`, and reports all that say the wrong thing.
#[track_caller]
fn check(dir: &TestDir, slips: &[Slip]) {
    let mut wrong = Vec::new();
    for (line, status, says, hides) in slips {
        let arguments: Vec<&str> = line.split(' ').collect();
        let run = dir.rehref(&arguments);
        let said = (run.stdout() + &run.stderr()).replace('\\', "/");
        let is_right = run.code() == Some(*status)
            && says.iter().all(|it| said.contains(it))
            && !hides.iter().any(|it| said.contains(it));
        if !is_right {
            wrong.push(format!("{line} ({:?}, {status}): {said}", run.code()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A site at `https://e.org/docs/`, by its canonical links.
fn site() -> TestDir {
    let dir = TestDir::new();
    for (name, link) in [("a", "folder/b"), ("folder/b", "a"), ("folder/c", "folder/b")] {
        let page = format!(
            "<link rel=canonical href=https://e.org/docs/{name}.html><a href=/docs/{link}.html>"
        );
        dir.write(&format!("site/{name}.html"), page.as_bytes());
    }
    dir
}

#[test]
fn a_url_that_the_site_contradicts_is_said_first_and_last() {
    let dir = site();
    dir.write(
        "app/index.html",
        b"<a href=/app/about/>a</a><a href=/app/gone/>g</a><img src=/app/i.png>",
    );
    dir.write("app/about/index.html", b"<a href=/app/>");
    dir.write("app/i.png", b"");
    dir.write("holder/readme.html", b"<p>");
    for (name, link) in [("a", "folder/b"), ("folder/b", "a")] {
        let page = format!(
            "<link rel=canonical href=https://e.org/docs/{name}.html><a href=/docs/{link}.html>"
        );
        dir.write(&format!("holder/site/{name}.html"), page.as_bytes());
        dir.write(&format!("holder/site-old/{name}.html"), page.as_bytes());
    }
    let wrong = &["suggestion", "can fix", "--generated", "--also"][..];
    let docs = &[
        "warning: --url is https://e.org/, but 3",
        "use --url https://e.org/docs/",
        "the site seems to be at https://e.org/docs/",
    ][..];
    check(
        &dir,
        &[
            ("audit site --url https://e.org/ --only broken", 1, docs, wrong),
            ("audit site --url https://e.org/ --min-level error", 1, docs, wrong),
            ("audit site --url https://e.org/docs/", 0, &["No findings"], &["seems to be"]),
            ("audit app --url https://e.org/", 1, &["pass --url https://e.org/app/"], wrong),
            ("audit app", 1, &["pass --url https://HOST/app/"], wrong),
            ("audit app --url https://e.org/app/", 1, &["1 error"], &["seems to be"]),
            (
                "audit holder",
                1,
                &["its directory site/, and not", "with --url https://e.org/docs/"],
                wrong,
            ),
            (
                "audit holder --url https://e.org/docs/",
                1,
                &["its directory site/, and not", "the site seems to be in its directory site/"],
                wrong,
            ),
        ],
    );
}
