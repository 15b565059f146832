use super::*;

fn errors(paths: &str, wanted: &str, ignores_case: bool) -> Vec<String> {
    let errors = planned(paths, wanted, ignores_case).unwrap_err();
    errors.iter().map(ToString::to_string).collect()
}

#[test]
fn every_error_has_its_message() {
    for (paths, wanted, expected) in [
        // The source does not exist.
        (
            "about-me.html daily.html",
            "about.html=daily.html",
            "argument `about.html=daily.html`: `about.html` does not exist in the site, but `daily.html` does\nhelp: if it moved before, add --already-moved to update the links, and for redirects compare with the old site: rehref compare OLD SITE\nhelp: if the two paths are swapped, write daily.html=about.html",
        ),
        (
            "a",
            "old.uni.example=new.uni.example",
            "argument `old.uni.example=new.uni.example`: `old.uni.example` does not exist in the site; moves are by path\nhelp: for another URL of the site, add --url OLD --new-url NEW",
        ),
        (
            "a",
            "x-file=b",
            "argument `x-file=b`: `x-file` does not exist in the site\nhelp: paths are relative to the site, which has `a`; for a part of its URL, use --url OLD --new-url NEW; move renames files, not labels or words",
        ),
        (
            "d/e/x y",
            "x=b",
            "argument `x=b`: `x` does not exist in the site; the nearest name is `d/e/x`\nhelp: write d/e/x=d/e/b",
        ),
        (
            "about.html",
            "abuot.html=b",
            "argument `abuot.html=b`: `abuot.html` does not exist in the site; the nearest name is `about.html`\nhelp: write about.html=b",
        ),
        (
            "a",
            "regex:b.*=c",
            "--regex `b.*=c`: no file matches the pattern, which has to match whole paths below the root, \
             like `blog/a\\.html`",
        ),
        (
            "a/x b/x",
            "a=c regex:a/(.*)=$1",
            "--regex `a/(.*)=$1`: an OLD=NEW already moves every file this pattern matches\nhelp: run --regex separately, or remove the OLD=NEW",
        ),
        // Two things in one place.
        ("a", "a=b a=c", "argument `a=c`: `a` cannot move to both `c` and `b` (argument `a=b`)"),
        (
            "a b",
            "a=x b=x",
            "argument `b=x`: `b` cannot move to `x`: `a` moves to the same path (argument `a=x`)\nhelp: choose another name for one of them",
        ),
        (
            "a/x a/y b/x b/s/y",
            "a=n b=n",
            "argument `b=n`: `b` cannot move to `n`: `a` moves to the same path (argument `a=n`)\nhelp: to move both into it, write a=n/a b=n/b",
        ),
        (
            "a/x b",
            "a=n b=n/x",
            "argument `b=n/x`: `b` cannot move to `n/x`: `a/x` moves to the same path (argument `a=n`)\nhelp: choose another name for one of them",
        ),
        (
            "a/x b/x",
            "regex:./x=x",
            "--regex `./x=x`: `b/x` cannot move to `x`: `a/x` moves to the same path (--regex `./x=x`)\nhelp: choose another name for one of them",
        ),
        // The target exists.
        (
            "a b",
            "a=b",
            "argument `a=b`: `a` cannot move to `b`: a file exists there and does not move\nhelp: choose another name",
        ),
        (
            "a b",
            "a=b b=b",
            "argument `a=b`: `a` cannot move to `b`: a file exists there and does not move\nhelp: choose another name",
        ),
        (
            "a d/x",
            "a=d",
            "argument `a=d`: `a` cannot move to `d`: a directory exists there and does not move\nhelp: to move into it, write a=d/",
        ),
        (
            "a d/a",
            "a=d",
            "argument `a=d`: `a` cannot move to `d`: a directory exists there, and d/a in it, too\nhelp: choose another name",
        ),
        (
            "a/x a/y d/z",
            "a=d",
            "argument `a=d`: `a` cannot move to `d`: a directory exists there and does not move\nhelp: to move into it, write a=d/a\nhelp: to merge the two, use --regex 'a/(.*)=d/$1'",
        ),
        (
            "a/x a/y d/x",
            "a=d",
            "argument `a=d`: `a` cannot move to `d`: a directory exists there and does not move\nhelp: to move into it, write a=d/a; to merge the two is impossible, because d/x exists",
        ),
        (
            "a/s/x a/y",
            "a/s=a",
            "argument `a/s=a`: `a/s` cannot move to `a`: a directory exists there and does not move\nhelp: choose another name",
        ),
        (
            "a/x",
            "a=.",
            "argument `a=.`: `a` cannot move to the root of the site: a directory exists there and does not move\nhelp: to move the files of a there, use --regex 'a/(.*)=$1'",
        ),
        (
            "a/x",
            "regex:a/x()=$1",
            "--regex `a/x()=$1`: `a/x` cannot move to the root of the site: a directory exists there and does not move\nhelp: write a/x=x",
        ),
        (
            "a b",
            "regex:a()=$1",
            "--regex `a()=$1`: `a` cannot move to the root of the site: a directory exists there and does not move\nhelp: choose another name",
        ),
        // A move that was made before.
        (
            "b",
            "a=b",
            "argument `a=b`: `a` does not exist in the site, but `b` does\nhelp: if it moved before, add --already-moved to update the links, and for redirects compare with the old site: rehref compare OLD SITE\nhelp: if the two paths are swapped, write b=a",
        ),
        (
            "b/a",
            "a=b/",
            "argument `a=b/`: `a` does not exist in the site, but `b/a` does\nhelp: if it moved before, add --already-moved to update the links, and for redirects compare with the old site: rehref compare OLD SITE\nhelp: if the two paths are swapped, write b/a=a",
        ),
        (
            "a d/e",
            "a=d/e",
            "argument `a=d/e`: `a` cannot move to `d/e`: a file exists there and does not move\nhelp: choose another name",
        ),
        // A file where a folder has to be.
        (
            "a f",
            "a=f/s/a",
            "argument `a=f/s/a`: `a` cannot move to `f/s/a`: `f` is not a directory, but a file\nhelp: choose another name",
        ),
        (
            "d/x f",
            "d=f/d",
            "argument `d=f/d`: `d` cannot move to `f/d`: `f` is not a directory, but a file\nhelp: choose another name",
        ),
        (
            "a b",
            "a=n/a b=n",
            "argument `a=n/a`: `a` cannot move to `n/a`: `n` is not a directory, but a file that moves there from `b` (argument `b=n`)\nhelp: choose another name",
        ),
        (
            "a b/c",
            "a=b b/c=b/c b=a",
            "argument `b/c=b/c`: `b/c` cannot move to `b/c`: `b` is not a directory, but a file that moves there from `a` (argument `a=b`)\nhelp: choose another name",
        ),
        // A folder into itself.
        (
            "a/x",
            "a=a/b",
            "argument `a=a/b`: `a` cannot move into itself, to `a/b`\nhelp: to move its files, write --regex 'a/(.*)=a/b/$1'",
        ),
        (
            "a/x",
            ".=b",
            "argument `.=b`: the root of the site cannot move into itself, to `b`\nhelp: to move its files, write --regex '(.*)=b/$1'",
        ),
        // Outside the tree.
        ("a", "a=../b", "argument `a=../b`: `../b` is outside the site"),
        ("a", "../a=b", "argument `../a=b`: `../a` is outside the site"),
        ("d/a", "regex:d/(.)=../$1", "--regex `d/(.)=../$1`: `../a` is outside the site"),
    ] {
        assert_eq!(errors(paths, wanted, false), [expected], "{paths}: {wanted}");
    }
}

#[test]
fn letter_case() {
    for (paths, wanted, expected) in [
        ("A.html", "A.html=a.html", &[][..]),
        ("Docs/x", "Docs=docs", &[]),
        // Such pairs existed before.
        ("x X y", "y=z", &[]),
        ("d/x d/X", "d=e", &[]),
        ("d/x d/X", "d/x=e/X d/X=e/x", &[]),
        ("a b", "a=n/A b=n/b", &[]),
        (
            "a b",
            "a=B",
            &[
                "argument `a=B`: `B` and `b` differ only in letter case, which this file system ignores\nhelp: choose another name",
            ],
        ),
        (
            "a b",
            "a=n b=N",
            &[
                "argument `b=N`: `N` and `n` differ only in letter case, which this file system ignores\nhelp: choose another name",
            ],
        ),
        (
            "a Ä",
            "a=ä",
            &[
                "argument `a=ä`: `ä` and `Ä` differ only in letter case, which this file system ignores\nhelp: choose another name",
            ],
        ),
        // One error for a folder and its entries.
        (
            "d/x d/y a",
            "d/x=D/y",
            &[
                "argument `d/x=D/y`: `D` and `d` differ only in letter case, which this file system ignores\nhelp: choose another name",
            ],
        ),
        (
            "a d/x",
            "a=D/x",
            &[
                "argument `a=D/x`: `D` and `d` differ only in letter case, which this file system ignores\nhelp: choose another name",
            ],
        ),
        (
            "d/x D/y z",
            "z=D/x",
            &[
                "argument `z=D/x`: `D/x` and `d/x` differ only in letter case, which this file system ignores\nhelp: choose another name",
            ],
        ),
    ] {
        let errors = planned(paths, wanted, true).err().unwrap_or_default();
        let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
        assert_eq!(errors, expected, "{paths}: {wanted}");
        assert!(planned(paths, wanted, false).is_ok(), "{paths}: {wanted}");
    }
}

#[test]
fn all_errors_are_reported_in_the_order_of_the_requests() {
    let wanted = "no=x a=../x regex:zz=y b=c d=d/e a=q e=f/";
    assert_eq!(
        errors("a b c d/x e f", wanted, true),
        [
            "argument `no=x`: `no` does not exist in the site\nhelp: paths are relative to the site, which has `a`, `b`, `c`, ...; for a part of its URL, use --url OLD --new-url NEW; move renames files, not labels or words",
            "argument `a=../x`: `../x` is outside the site",
            "--regex `zz=y`: no file matches the pattern, which has to match whole paths below the root, \
             like `blog/a\\.html`",
            "argument `b=c`: `b` cannot move to `c`: a file exists there and does not move\nhelp: choose another name",
            "argument `d=d/e`: `d` cannot move into itself, to `d/e`\nhelp: to move its files, write --regex 'd/(.*)=d/e/$1'",
            "argument `e=f/`: `e` cannot move to `f/e`: `f` is not a directory, but a file\nhelp: choose another name",
        ]
    );
}

#[test]
fn an_error_that_follows_from_another_is_not_reported() {
    // `a` would have moved away.
    assert_eq!(errors("a b", "a=../x b=a", true).len(), 1);
    assert_eq!(errors("a/x b", "a=a/b b=a/x", true).len(), 1);
}

#[cfg(unix)]
#[test]
fn a_name_that_the_system_does_not_allow_is_an_error() {
    let requests = Request::map("m", b"a\tb\0c").unwrap();
    let errors = plan(&tree(["a"]), &requests, false).unwrap_err();
    assert_eq!(
        errors[0].to_string(),
        "m:1: `b\0c` has the name `b\0c`, which contains '\\0', which this system does not allow in names\nhelp: choose another name"
    );
}

#[test]
fn every_missing_source_is_an_error() {
    const MISSING: usize = 1_000;
    let paths: Vec<String> = (0..MISSING).map(|n| format!("folder/page-{n}.html")).collect();
    let entries = tree(paths.iter().map(String::as_str));
    let lines: Vec<String> = (0..MISSING).map(|n| format!("f/side-{n}.htm\tx{n}\n")).collect();
    let requests = Request::map("map.tsv", lines.concat().as_bytes()).unwrap();
    assert_eq!(plan(&entries, &requests, true).unwrap_err().len(), MISSING);
}
