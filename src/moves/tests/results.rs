use super::*;

/// `old>new` for each file and link that moves.
fn files(moves: &Moves) -> String {
    let files: Vec<String> =
        moves.files().map(|(old, new)| format!("{}>{}", old.display(), new.display())).collect();
    files.join(" ")
}

#[test]
fn files_that_move() {
    for (paths, wanted, expected) in [
        ("a", "a=b", "a>b"),
        ("a", "./a=/x/y", "a>x/y"),
        ("a x/y", "a=x/", "a>x/a"),
        ("a x/y", "a=new/", "a>new/a"),
        ("x/a", "x/a=./", "x/a>a"),
        ("a", "a/=b/", "a>b"),
        ("a", "a=a", ""),
        ("a", "a=b a=b a=./b", "a>b"),
        ("a@ b", "a=c b=d", "a>c b>d"),
        // Folders.
        ("d/a d/e/b", "d=f", "d/a>f/a d/e/b>f/e/b"),
        ("d/a d/e/b", "d/=f/", "d/a>f/a d/e/b>f/e/b"),
        ("d/a d/e/b", "d=x/f", "d/a>x/f/a d/e/b>x/f/e/b"),
        ("d/e/b", "d/e=e", "d/e/b>e/b"),
        // The deepest counts.
        ("a/x a/y", "a=b a/x=c", "a/x>c a/y>b/y"),
        ("a/x a/y", "a/x=c a=b", "a/x>c a/y>b/y"),
        ("a/s/x a/y", "a=b a/s=c", "a/s/x>c/x a/y>b/y"),
        ("a/s/t/x a/s/y", "a=b a/s=a/s a/s/t=t", "a/s/t/x>t/x"),
        ("a/x a/y", "a=b a/x=a/x", "a/y>b/y"),
        ("a b/c b/d", "a=x b=a b/c=b/c", "a>x b/d>a/d"),
        ("a/s/x", "a=old a/s=a", "a/s/x>a/x"),
        ("a/s/x", "a/s=a", "a/s/x>a/x"),
        // Swaps and chains.
        ("a b", "a=b b=a", "a>b b>a"),
        ("a b", "a=b b=c", "a>b b>c"),
        ("a/x b/x b/y", "a=b b=a", "a/x>b/x b/x>a/x b/y>a/y"),
        ("a/x b/x", "a=b b=c", "a/x>b/x b/x>c/x"),
        ("a/x b", "a=b b=a", "a/x>b/x b>a"),
        ("a/x b", "a=b b=a/y", "a/x>b/x b>a/y"),
        // A folder that is emptied makes place.
        ("a/x b/y", "a=b b/y=c", "a/x>b/x b/y>c"),
        ("b/y", "b/y=b", "b/y>b"),
        ("b", "b=b/y", "b>b/y"),
        ("a/x y", "a=b y=b/y", "a/x>b/x y>b/y"),
        // Patterns.
        (
            "blog/1999/a blog/x",
            r"regex:blog/(\d{4})/(.*)=archive/$1/$2",
            "blog/1999/a>archive/1999/a",
        ),
        ("a.htm b.htm c", r"regex:(.*)\.htm=$1.html", "a.htm>a.html b.htm>b.html"),
        ("a/x b/x@", "regex:(.)/(.)=$2/$1", "a/x>x/a b/x>x/b"),
        ("a/x b", "regex:.*x=into/", "a/x>into/x"),
        ("a b", "regex:a=c regex:.=d", "a>c b>d"),
        ("a b", "regex:.=d a=c", "a>c b>d"),
        ("d/a b", "regex:.*=e d=f", "b>e d/a>f/a"),
    ] {
        let moves = planned(paths, wanted, true).unwrap_or_else(|it| panic!("{wanted}: {it:?}"));
        assert_eq!(files(&moves), expected, "{paths}: {wanted}");
    }
}

#[test]
fn a_path_moves_with_its_deepest_folder_unless_a_request_pins_it() {
    let moves = planned(
        "a/x a/keep/x a/out/x a/pin b",
        "a=z/a a/keep=a/keep a/out=out a/pin=a/pin b=c",
        false,
    )
    .unwrap();
    let folders: Vec<_> = moves.folders().collect();
    let pair = |old, new| (Path::new(old), Path::new(new));
    assert_eq!(folders, [pair("a", "z/a"), pair("a/keep", "a/keep"), pair("a/out", "out")]);
    for (path, expected) in [
        ("a/no", "z/a/no"),
        ("a/x", "z/a/x"),
        ("a/out/no", "out/no"),
        ("a/out/x", "out/x"),
        ("a/keep", "a/keep"),
        ("a/keep/no", "a/keep/no"),
        ("a/keep/x", "a/keep/x"),
        ("a/pin", "a/pin"),
        ("no", "no"),
        ("b", "c"),
    ] {
        let counterpart = moves.counterpart(Path::new(path));
        assert_eq!(counterpart, Path::new(expected), "{path}");
    }
    for (old, new) in [("a", "z/a"), ("a/out", "out"), ("a/x", "z/a/x"), ("b", "c")] {
        assert_eq!(moves.new_path(Path::new(old)), Some(Path::new(new)));
    }
    for unmoved in ["a/keep", "a/keep/x", "a/pin", "no"] {
        assert_eq!(moves.new_path(Path::new(unmoved)), None);
    }
}

#[test]
fn nothing_moves() {
    for wanted in ["", "a=a", "d=d", "d/=d regex:a=a", ".=/"] {
        assert!(planned("a d/x", wanted, true).unwrap().is_empty());
    }
    assert!(!planned("a", "a=b", true).unwrap().is_empty());
    // An empty folder moves too.
    assert!(!planned("d/", "d=e", true).unwrap().is_empty());
    // Nothing in an empty folder can be lost.
    assert!(!planned("d/x e/", "d=e", true).unwrap().is_empty());
    assert!(!planned("d/f/x e/f/", "d=e", true).unwrap().is_empty());
    assert!(planned("x e/", "x=e", true).is_err());
    assert!(planned("d/f e/f/", "d=e", true).is_err());
}

#[test]
fn directories() {
    // `path<old`, or `path` if it is new.
    for (paths, wanted, expected) in [
        ("a/x b/", "", "a<a b<b"),
        ("a/x b/c/", "a/x=y", "b<b b/c<b/c"),
        ("a/x a/y", "a/x=n/m/x", "a<a n n/m"),
        ("a/s/x", "a=b", "b<a b/s<a/s"),
        ("a/s/x", "a=b a/s/x=x", ""),
        ("a/s/x a/y", "a=b a/s/x=x", "b<a"),
        ("a/x b/y", "a=b b=a", "a<b b<a"),
        ("a/x b", "a=c b=a/b", "a c<a"),
        ("a/x b", "a/x=c b=a/b", "a<a"),
        ("a/s/x", "a=old a/s=a", "a<a/s"),
        ("a/s/x a/y", "a=old a/s=a", "a<a/s old<a"),
        ("a/x", "regex:a/(.*)=b/$1", "b"),
        ("a/e/ a/x", "a=b", "b<a b/e<a/e"),
        ("a/e/ a/x", "a=b a/e=c", "b<a c<a/e"),
        ("a/e/", "a=b a/e=c", "c<a/e"),
        ("a/x b/y", "a=b b/y=c", "b<a"),
        ("a/x b/y z", "a/x=w b/y=v z=a/s/z", "a<a a/s"),
    ] {
        let moves = planned(paths, wanted, true).unwrap();
        let found: Vec<String> = moves
            .directories(&tree(paths.split_whitespace()))
            .iter()
            .map(|directory| match &directory.old {
                Some(old) => format!("{}<{}", directory.path.display(), old.display()),
                None => directory.path.display().to_string(),
            })
            .collect();
        assert_eq!(found.join(" "), expected, "{paths}: {wanted}");
    }
}

#[test]
fn leftovers_are_nothing() {
    let leftover = Entry { path: "a/.rehref-x.tmp".into(), kind: EntryKind::Leftover };
    let entries = [&tree(["a/x"])[..], &[leftover]].concat();
    let moves = plan(&entries, &requests(["a/x=a"]), true).unwrap();
    assert_eq!(files(&moves), "a/x>a");
    assert_eq!(moves.directories(&entries), []);
}

#[test]
fn maps_and_their_size() {
    const FILES: usize = 100_000;
    let paths: Vec<String> = (0..FILES).map(|n| format!("d{}/p{n}", n % 500)).collect();
    let entries = tree(paths.iter().map(String::as_str));
    // Everything changes place with the next one.
    let lines: Vec<String> =
        (0..FILES).map(|n| format!("{}\t{}\n", paths[n], paths[(n + 1) % FILES])).collect();
    let requests = Request::map("map.tsv", lines.concat().as_bytes()).unwrap();
    let moves = plan(&entries, &requests, true).unwrap();
    assert_eq!(moves.files().count(), FILES);
    let last = Path::new(&paths[FILES - 1]);
    assert_eq!(moves.new_path(last), Some(Path::new("d0/p0")));
}

#[cfg(unix)]
#[test]
fn names_that_are_not_utf8() {
    use std::os::unix::ffi::OsStrExt;
    let path = |bytes: &'static [u8]| Path::new(OsStr::from_bytes(bytes));
    let entry = |bytes| Entry { path: path(bytes).to_owned(), kind: EntryKind::File };
    let entries = [entry(b"\xFC.htm"), entry(b"\xFD.htm")];
    let mut requests = requests([r"regex:(.*)\.htm=$1.html"]);
    requests.extend(Request::map("m", b"\xFD.htm\t\xFE").unwrap());
    let moves = plan(&entries, &requests, true).unwrap();
    assert_eq!(moves.new_path(path(b"\xFC.htm")), Some(path(b"\xFC.html")));
    assert_eq!(moves.new_path(path(b"\xFD.htm")), Some(path(b"\xFE")));
}
