//! Slips that only a run over files shows: each run says the right next step, and not the wrong one.

use std::process::Command;

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

#[test]
fn compare_names_the_trees_and_reads_lists() {
    let dir = site();
    dir.write("site-old/a.html", b"");
    dir.write("site-old/old.html", b"");
    let list = "https://e.org/docs/a.html\nhttps://e.org/docs/x.html\n";
    dir.write("list.txt", list.as_bytes());
    let wide: Vec<u8> = list.encode_utf16().flat_map(u16::to_le_bytes).collect();
    dir.write("wide.txt", &[b"\xFF\xFE", &wide[..]].concat());
    dir.write("quoted.csv", b"\"Address\",\"Status\"\n\"https://e.org/docs/a.html\",\"200\"\n");
    dir.write("table.csv", b"Address;Status\nhttps://e.org/docs/a.html;200\n");
    let lost = &["1 error in 2 URLs and 0 anchors of OLD"][..];
    let table = &["this seems to be a table", "one URL on each line"][..];
    let is_old = &["pass the list as OLD: rehref compare list.txt SITE --url URL"][..];
    check(
        &dir,
        &[
            (
                "compare site site-old",
                1,
                &[
                    "of OLD (site) that NEW (site-old) must have",
                    "swap the two: rehref compare site-old site",
                ],
                &[],
            ),
            ("compare site-old site", 1, &["of OLD (site-old)"], &["swap"]),
            ("compare wide.txt site", 1, lost, &["%00"]),
            ("compare quoted.csv site", 2, table, &[]),
            ("compare table.csv site", 2, table, &[]),
            ("audit list.txt", 2, is_old, &["--kind"]),
            ("compare site list.txt", 2, is_old, &["--kind"]),
        ],
    );
    let compare = ["compare", "-", "site", "--url", "https://e.org/docs/"];
    let run = dir.rehref_with_stdin(&compare, list.as_bytes()).status(1);
    assert!(run.stdout().contains(lost[0]), "{}", run.stdout());
}

#[test]
fn settings_that_are_not_read_are_named() {
    let dir = site();
    dir.write(".lycheeignore", b"x");
    check(&dir, &[("audit site", 0, &["rehref does not read .lycheeignore"], &[])]);
    dir.write("rehref.toml", b"[audit]\nminLevel = 'error'\n");
    check(&dir, &[("audit site", 2, &["use `audit.min-level`"], &[])]);
    dir.write("rehref.toml", b"[[overrides]]\n");
    check(&dir, &[("audit site", 2, &["write [[site]]"], &[])]);
    dir.write("hugo.toml", b"");
    check(&dir, &[("audit site --config hugo.toml", 2, &["hugo.toml configures Hugo"], &[])]);
    let dir = site();
    let mut command = Command::new(env!("CARGO_BIN_EXE_rehref"));
    command.args(["audit", "site"]).env("REHREF_MIN_LEVEL", "error").current_dir(dir.path(""));
    let stderr = String::from_utf8(command.output().unwrap().stderr).unwrap();
    assert!(stderr.contains("does not read the variable REHREF_MIN_LEVEL"), "{stderr}");
}

#[test]
fn a_move_is_corrected_on_both_sides() {
    let dir = site();
    dir.write("sources/docs/guide/a.md", b"");
    check(
        &dir,
        &[
            ("move site b.html=c.html -n", 2, &["write folder/b.html=folder/c.html"], &[]),
            ("move site folder/b=folder/d -n", 2, &["write folder/b.html=folder/d.html"], &[]),
            ("move sources guide/a.md=guide/b.md -n", 2, &["docs/guide/a.md=docs/guide/b.md"], &[]),
        ],
    );
}

#[test]
fn one_document_has_one_output() {
    let dir = site();
    dir.write("saved.mht", b"MIME-Version: 1.0\r\n\r\n<p>");
    check(
        &dir,
        &[
            ("relative saved.mht --extract -o out", 2, &["reads WARC and WACZ archives only"], &[]),
            ("relative saved.mht -o out/", 2, &["this is the name of a directory"], &[]),
        ],
    );
}

#[test]
fn a_part_of_a_site_is_said_to_be_one() {
    let dir = site();
    dir.write("book/book.toml", b"");
    dir.write("book/src/SUMMARY.md", b"");
    dir.write("a.html", b"");
    check(
        &dir,
        &[
            ("audit book/src/SUMMARY.md", 0, &["to check the chapters: rehref audit book"], &[]),
            ("audit site --include site/a.html", 2, &["a file in the working directory"], &[]),
            ("audit site --exclude a.html;b.html", 0, &["a glob is not a list"], &[]),
        ],
    );
}
