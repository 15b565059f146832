use super::*;

fn refused(paths: &str, wanted: &str, ignores_case: bool) -> Vec<String> {
    let refusals = planned(paths, wanted, ignores_case).unwrap_err();
    refusals.iter().map(ToString::to_string).collect()
}

#[test]
fn each_with_its_message() {
    for (paths, wanted, expected) in [
        // Not there.
        (
            "a",
            "x-file=b",
            "argument `x-file=b`: `x-file` is not there",
        ),
        (
            "d/e/x y",
            "x=b",
            "argument `x=b`: `x` is not there; the nearest name is `d/e/x`",
        ),
        (
            "about.html",
            "abuot.html=b",
            "argument `abuot.html=b`: `abuot.html` is not there; the nearest name is `about.html`",
        ),
        (
            "a",
            "regex:b.*=c",
            "--regex `b.*=c`: matches no file; a pattern has to match the whole path below the root, \
             like `blog/a\\.html`",
        ),
        // Two things in one place.
        (
            "a",
            "a=b a=c",
            "argument `a=c`: `a` cannot become both `c` and `b` (argument `a=b`)",
        ),
        (
            "a b",
            "a=x b=x",
            "argument `b=x`: `b` would move to `x`, and so would `a` (argument `a=x`)",
        ),
        (
            "a/x a/y b/x b/s/y",
            "a=n b=n",
            "argument `b=n`: `b` would move to `n`, and so would `a` (argument `a=n`)",
        ),
        (
            "a/x b",
            "a=n b=n/x",
            "argument `b=n/x`: `b` would move to `n/x`, and so would `a/x` (argument `a=n`)",
        ),
        (
            "a/x b/x",
            "regex:./x=x",
            "--regex `./x=x`: `b/x` would move to `x`, and so would `a/x` (--regex `./x=x`)",
        ),
        // Target exists.
        (
            "a b",
            "a=b",
            "argument `a=b`: `a` cannot move to `b`: target exists, a file that does not move itself",
        ),
        (
            "a b",
            "a=b b=b",
            "argument `a=b`: `a` cannot move to `b`: target exists, a file that does not move itself",
        ),
        (
            "a d/x",
            "a=d",
            "argument `a=d`: `a` cannot move to `d`: target exists, a folder that does not move \
             itself; to move into it, write a slash behind it",
        ),
        (
            "a/x a/y d/x",
            "a=d",
            "argument `a=d`: `a` cannot move to `d`: target exists, a folder that does not move itself",
        ),
        (
            "a/x e/",
            "a=e",
            "argument `a=e`: `a` cannot move to `e`: target exists, a folder that does not move itself",
        ),
        (
            "a/s/x a/y",
            "a/s=a",
            "argument `a/s=a`: `a/s` cannot move to `a`: target exists, a folder that does not move \
             itself",
        ),
        (
            "a/x",
            "a=.",
            "argument `a=.`: `a` cannot move to the root of the site: target exists, a folder that does \
             not move itself",
        ),
        (
            "a/x",
            "regex:a/x()=$1",
            "--regex `a/x()=$1`: `a/x` cannot move to the root of the site: target exists, a folder \
             that does not move itself; to move into it, write a slash behind it",
        ),
        (
            "a d/e",
            "a=d/e",
            "argument `a=d/e`: `a` cannot move to `d/e`: target exists, a file that does not move \
             itself",
        ),
        // A file where a folder has to be.
        (
            "a f",
            "a=f/s/a",
            "argument `a=f/s/a`: `a` cannot move to `f/s/a`: `f` would have to be a folder, and is a \
             file",
        ),
        (
            "d/x f",
            "d=f/d",
            "argument `d=f/d`: `d` cannot move to `f/d`: `f` would have to be a folder, and is a file",
        ),
        (
            "a b",
            "a=n/a b=n",
            "argument `a=n/a`: `a` cannot move to `n/a`: `n` would have to be a folder, and is a file \
             that comes from `b` (argument `b=n`)",
        ),
        (
            "a b/c",
            "a=b b/c=b/c b=a",
            "argument `b/c=b/c`: `b/c` cannot move to `b/c`: `b` would have to be a folder, and is a file \
             that comes from `a` (argument `a=b`)",
        ),
        // A folder into itself.
        (
            "a/x",
            "a=a/b",
            "argument `a=a/b`: the folder `a` cannot move into itself, to `a/b`; move what is in it, \
             with --regex",
        ),
        (
            "a/x",
            ".=b",
            "argument `.=b`: the folder the root of the site cannot move into itself, to `b`; move what \
             is in it, with --regex",
        ),
        // Out of the tree.
        (
            "a",
            "a=../b",
            "argument `a=../b`: `../b` is a path out of the tree",
        ),
        (
            "a",
            "../a=b",
            "argument `../a=b`: `../a` is a path out of the tree",
        ),
        (
            "d/a",
            "regex:d/(.)=../$1",
            "--regex `d/(.)=../$1`: `../a` is a path out of the tree",
        ),
    ] {
        assert_eq!(
            refused(paths, wanted, false),
            [expected],
            "{paths}: {wanted}"
        );
    }
}

#[test]
fn letter_case() {
    for (paths, wanted, expected) in [
        ("A.html", "A.html=a.html", &[][..]),
        ("Docs/x", "Docs=docs", &[]),
        // Such pairs were there before.
        ("x X y", "y=z", &[]),
        ("d/x d/X", "d=e", &[]),
        ("d/x d/X", "d/x=e/X d/X=e/x", &[]),
        ("a b", "a=n/A b=n/b", &[]),
        (
            "a b",
            "a=B",
            &[
                "argument `a=B`: `B` and `b` differ in letter case only, which this file system ignores",
            ],
        ),
        (
            "a b",
            "a=n b=N",
            &[
                "argument `b=N`: `N` and `n` differ in letter case only, which this file system ignores",
            ],
        ),
        (
            "a Ä",
            "a=ä",
            &[
                "argument `a=ä`: `ä` and `Ä` differ in letter case only, which this file system ignores",
            ],
        ),
        // Folders too, said once.
        (
            "d/x d/y a",
            "d/x=D/y",
            &[
                "argument `d/x=D/y`: `D` and `d` differ in letter case only, which this file system ignores",
            ],
        ),
        (
            "a d/x",
            "a=D/x",
            &[
                "argument `a=D/x`: `D` and `d` differ in letter case only, which this file system ignores",
            ],
        ),
        (
            "d/x D/y z",
            "z=D/x",
            &[
                "argument `z=D/x`: `D/x` and `d/x` differ in letter case only, which this file system ignores",
            ],
        ),
    ] {
        let refusals = planned(paths, wanted, true).err().unwrap_or_default();
        let refusals: Vec<String> = refusals.iter().map(ToString::to_string).collect();
        assert_eq!(refusals, expected, "{paths}: {wanted}");
        assert!(planned(paths, wanted, false).is_ok(), "{paths}: {wanted}");
    }
}

#[test]
fn all_at_once_in_the_order_of_the_requests() {
    let wanted = "no=x a=../x regex:zz=y b=c d=d/e a=q e=f/";
    assert_eq!(
        refused("a b c d/x e f", wanted, true),
        [
            "argument `no=x`: `no` is not there",
            "argument `a=../x`: `../x` is a path out of the tree",
            "--regex `zz=y`: matches no file; a pattern has to match the whole path below the root, \
             like `blog/a\\.html`",
            "argument `b=c`: `b` cannot move to `c`: target exists, a file that does not move itself",
            "argument `d=d/e`: the folder `d` cannot move into itself, to `d/e`; move what is in it, \
             with --regex",
            "argument `e=f/`: `e` cannot move to `f/e`: `f` would have to be a folder, and is a file",
        ]
    );
}

#[test]
fn what_comes_of_a_refusal_is_not_refused_too() {
    // `a` would have made place.
    assert_eq!(refused("a b", "a=../x b=a", true).len(), 1);
    assert_eq!(refused("a/x b", "a=a/b b=a/x", true).len(), 1);
}

#[cfg(unix)]
#[test]
fn names_that_no_file_can_have() {
    let requests = Request::map("m", b"a\tb\0c").unwrap();
    let refusals = plan(&tree(["a"]), &requests, false).unwrap_err();
    assert_eq!(
        refusals[0].to_string(),
        "m line 1: `b\0c` holds a name that no file can have on this system"
    );
}

#[test]
fn many_that_are_not_there() {
    const MISSING: usize = 50_000;
    let paths: Vec<String> = (0..MISSING)
        .map(|n| format!("folder/page-{n}.html"))
        .collect();
    let entries = tree(paths.iter().map(String::as_str));
    let lines: Vec<String> = (0..MISSING)
        .map(|n| format!("f/side-{n}.htm\tx{n}\n"))
        .collect();
    let requests = Request::map("map.tsv", lines.concat().as_bytes()).unwrap();
    let started = std::time::Instant::now();
    assert_eq!(plan(&entries, &requests, true).unwrap_err().len(), MISSING);
    // Far from the billions of comparisons that it could be.
    assert!(started.elapsed().as_secs() < 60);
}
