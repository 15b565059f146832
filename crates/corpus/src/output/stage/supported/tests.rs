use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};

use super::*;
use crate::output::atomic::{copy_file, replace_file};

/// A directory with a small tree in it, and the tree's canonical path.
fn old_tree() -> (tempfile::TempDir, PathBuf) {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path().canonicalize().unwrap().join("my site");
    fs::create_dir_all(root.join("d")).unwrap();
    fs::write(root.join("a.html"), "<a href=d/b.html>").unwrap();
    fs::write(root.join("d/b.html"), "<p>b").unwrap();
    symlink("nowhere", root.join("link")).unwrap();
    (directory, root)
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

fn mode(path: &Path) -> u32 {
    fs::symlink_metadata(path).unwrap().mode() & 0o7777
}

fn inode(path: &Path) -> u64 {
    fs::symlink_metadata(path).unwrap().ino()
}

/// The names in a directory, sorted.
fn names(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).unwrap();
    let mut names: Vec<_> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// The old tree with `d` renamed to `e` and `a.html` rewritten.
fn fill(stage: &Stage, root: &Path) {
    let p = Path::new;
    let path = &root.join("a.html");
    let metadata = &fs::metadata(path).unwrap();
    let like = Original { path, metadata };
    stage.write_file(p("a.html"), b"<a href=e/b.html>"[..].into(), like).unwrap();
    stage.make_directory(&root.join("d"), p("e")).unwrap();
    for (from, to) in [("d/b.html", "e/b.html"), ("link", "link")] {
        stage.copy_file(&root.join(from), p(to)).unwrap();
    }
    stage.finish_directory(&root.join("d"), p("e")).unwrap();
}

/// Names a tree to a test that is run once more as another user.
const TREE_OF_ANOTHER: &str = "REHREF_TEST_TREE_OF_ANOTHER";

/// Runs the test of this name once more as a user who owns nothing; what it printed.
fn rerun(test: &str, tree: &Path) -> String {
    let directory = tempfile::tempdir().unwrap();
    set_mode(directory.path(), 0o755);
    // A copy, since the build directory may be closed to others. Made by another process: a file that this
    // one has open for writing cannot be run, and another test may start a program just then.
    let binary = directory.path().join("tests");
    let copied = Command::new("cp").arg(std::env::current_exe().unwrap()).arg(&binary).status();
    assert!(copied.unwrap().success());
    set_mode(&binary, 0o755);
    let output = Command::new(binary)
        .args(["--nocapture", "--exact", &format!("output::stage::supported::tests::{test}")])
        .env(TREE_OF_ANOTHER, tree)
        .current_dir("/")
        .uid(65534)
        .gid(65534)
        .output()
        .unwrap();
    let stdout = String::from_utf8_lossy(&output.stdout);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{stdout}{stderr}");
    assert!(stdout.contains("1 passed"), "{stdout}");
    stdout.into_owned()
}

/// Runs the test once more as an ordinary user when this one is root, for whom no permissions
/// count. Says whether it did.
fn rerun_as_ordinary_user(test: &str) -> bool {
    let (_directory, root) = old_tree();
    let is_root = fs::metadata(&root).unwrap().uid() == 0;
    if is_root {
        rerun(test, &root);
    }
    is_root
}

#[test]
fn a_new_tree_takes_the_place_of_the_old_one() {
    let (directory, root) = old_tree();
    set_mode(&root.join("a.html"), 0o4640);
    set_mode(&root.join("d"), 0o2750);
    set_mode(&root, 0o1751);
    let long_ago = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
    for path in [root.join("d"), root.clone()] {
        fs::File::open(path).unwrap().set_modified(long_ago).unwrap();
    }
    let (kept, link) = (inode(&root.join("d/b.html")), inode(&root.join("link")));

    let stage = Stage::beside(&root).unwrap();
    assert_eq!(stage.root().parent(), root.parent());
    assert_eq!(mode(stage.root()), 0o700);
    let name = stage.root().file_name().unwrap().to_str().unwrap();
    assert!(name.starts_with(".rehref-my site-") && name.ends_with(".tmp"));
    fill(&stage, &root);
    assert_eq!(names(&root), ["a.html", "d", "link"], "old until exchanged");
    let warnings = stage.exchange().unwrap();
    assert!(warnings.is_empty(), "{warnings:?}");

    assert_eq!(names(&root), ["a.html", "e", "link"]);
    assert_eq!(names(&root.join("e")), ["b.html"]);
    assert_eq!(fs::read(root.join("a.html")).unwrap(), b"<a href=e/b.html>");
    assert_eq!(inode(&root.join("e/b.html")), kept, "the same file");
    assert_eq!(inode(&root.join("link")), link);
    assert_eq!(fs::metadata(root.join("e/b.html")).unwrap().nlink(), 1);
    for (path, expected) in [("a.html", 0o4640), ("e", 0o2750), ("", 0o1751)] {
        assert_eq!(mode(&root.join(path)), expected, "{path}");
    }
    for path in [root.join("e"), root.clone()] {
        assert_eq!(fs::metadata(path).unwrap().modified().unwrap(), long_ago);
    }
    assert_eq!(names(directory.path()), ["my site"], "nothing is left");
}

#[test]
fn a_dropped_stage_leaves_nothing() {
    let (directory, root) = old_tree();
    let stage = Stage::beside(&root).unwrap();
    fill(&stage, &root);
    drop(stage);
    assert_eq!(names(directory.path()), ["my site"]);
    assert_eq!(names(&root), ["a.html", "d", "link"]);
    assert_eq!(fs::read(root.join("a.html")).unwrap(), b"<a href=d/b.html>");
    assert_eq!(fs::read(root.join("d/b.html")).unwrap(), b"<p>b");
}

#[test]
fn read_only_directories_are_no_hindrance() {
    if rerun_as_ordinary_user("read_only_directories_are_no_hindrance") {
        return;
    }
    for exchanged in [false, true] {
        let (directory, root) = old_tree();
        fs::create_dir(root.join("d/deep")).unwrap();
        fs::write(root.join("d/deep/c"), "c").unwrap();
        for path in ["d/deep", "d", ""] {
            set_mode(&root.join(path), 0o555);
        }
        let stage = Stage::beside(&root).unwrap();
        fill(&stage, &root);
        assert_eq!(mode(&stage.root().join("e")), 0o555);
        if exchanged {
            let warnings = stage.exchange().unwrap();
            assert!(warnings.is_empty(), "{warnings:?}");
        } else {
            drop(stage);
        }
        assert_eq!(names(directory.path()), ["my site"]);
        assert_eq!(names(&root).contains(&"e".to_owned()), exchanged);
        assert_eq!(mode(&root), 0o555);
        set_mode(&root, 0o755);
        set_mode(&root.join(if exchanged { "e" } else { "d" }), 0o755);
        if !exchanged {
            set_mode(&root.join("d/deep"), 0o755);
        }
    }
}

#[test]
fn changing_one_tree_does_not_change_the_other() {
    let (_directory, root) = old_tree();
    let stage = Stage::beside(&root).unwrap();
    let (old, new) = (root.join("d/b.html"), Path::new("b.html"));
    stage.copy_file(&old, new).unwrap();
    let new = stage.root().join(new);
    assert_eq!(inode(&old), inode(&new));
    let metadata = &fs::metadata(&new).unwrap();
    let staged = Original { path: &new, metadata };
    replace_file(staged, b"changed"[..].into()).unwrap();
    assert_eq!(fs::read(&old).unwrap(), b"<p>b");
    stage.copy_file(&old, Path::new("c.html")).unwrap();
    let copy = stage.root().join("c.html");
    copy_file(&root.join("a.html"), &Place::open(&copy).unwrap(), Keep::Permissions).unwrap();
    assert_eq!(fs::read(&old).unwrap(), b"<p>b");
}

#[test]
fn a_file_that_cannot_be_linked_is_copied() {
    let (_directory, root) = old_tree();
    let elsewhere = Path::new("/dev/shm");
    let device = |path: &Path| fs::metadata(path).map(|metadata| metadata.dev()).ok();
    if device(elsewhere).is_none_or(|other| Some(other) == device(&root)) {
        println!("skipped: /dev/shm is on the same file system");
        return;
    }
    let elsewhere = tempfile::tempdir_in(elsewhere).unwrap();
    let (file, link) = (elsewhere.path().join("f"), elsewhere.path().join("l"));
    fs::write(&file, "far").unwrap();
    set_mode(&file, 0o4711);
    symlink("f", &link).unwrap();
    let is_root = fs::metadata(&file).unwrap().uid() == 0;
    if is_root {
        for path in [&file, &link] {
            std::os::unix::fs::lchown(path, Some(1234), Some(2345)).unwrap();
        }
        set_mode(&file, 0o4711);
    }
    let stage = Stage::beside(&root).unwrap();
    for (from, to) in [(&file, "f"), (&link, "l")] {
        stage.copy_file(from, Path::new(to)).unwrap();
        let (from, to) = (
            fs::symlink_metadata(from).unwrap(),
            fs::symlink_metadata(stage.root().join(to)).unwrap(),
        );
        assert_eq!((from.mode(), from.uid(), from.gid()), (to.mode(), to.uid(), to.gid()));
        assert_ne!(from.dev(), to.dev());
    }
    let modified = |path: &Path| fs::metadata(path).unwrap().modified().unwrap();
    assert_eq!(modified(&file), modified(&stage.root().join("f")));
    assert_eq!(fs::read(stage.root().join("f")).unwrap(), b"far");
    assert_eq!(fs::read_link(stage.root().join("l")).unwrap(), Path::new("f"));
}

#[test]
fn errors_name_the_final_place_of_an_obstacle_or_a_missing_file() {
    let (_directory, root) = old_tree();
    let stage = Stage::beside(&root).unwrap();
    fill(&stage, &root);
    let b = root.join("d/b.html");
    let error = |from: &Path, to: &str| {
        let error = stage.copy_file(from, Path::new(to)).unwrap_err();
        error.to_string()
    };
    let place = |to: &str| format!("cannot write {}: ", root.join(to).display());
    assert!(error(&b, "e/b.html").starts_with(&place("e/b.html")));
    assert!(error(&b, "x/b.html").starts_with(&place("x/b.html")));
    assert!(error(&root.join("gone"), "x").starts_with("cannot read the file: "));
    for outside in ["../x", "/x", "e/../../x"] {
        assert!(error(&b, outside).ends_with(": not a path below the root"));
    }
    let taken = stage.make_directory(&root.join("d"), Path::new("e")).unwrap_err();
    assert!(taken.to_string().starts_with(&place("e")), "{taken}");
    let (path, metadata) = (&*b, &fs::metadata(&b).unwrap());
    let like = Original { path, metadata };
    let taken = stage.write_file(Path::new("e"), b""[..].into(), like).unwrap_err();
    assert!(taken.to_string().contains(&root.join("e").display().to_string()));
}

#[test]
fn one_run_at_a_time() {
    let (_directory, root) = old_tree();
    let stage = Stage::beside(&root).unwrap();
    assert!(leftovers(&root).is_empty(), "it is in use");
    let error = Stage::beside(&root).unwrap_err();
    assert!(error.to_string().starts_with("another run of rehref is changing "), "{error}");
    drop(stage);
    // A process that another test starts has the lock as well until it runs its program, which may
    // take long on a busy machine.
    let again = (0..6_000).find_map(|_| {
        let stage = Stage::beside(&root).ok();
        std::thread::sleep(std::time::Duration::from_millis(u64::from(stage.is_none()) * 10));
        stage
    });
    assert!(again.is_some());
}

#[test]
fn leftovers_are_found() {
    let (directory, root) = old_tree();
    let names = [
        ".rehref-my site-AbC123.tmp",
        ".rehref-my site-zzzzzz.tmp",
        ".rehref-my site-abc.tmp",
        ".rehref-my site-2-AbC123.tmp",
        ".rehref-site-AbC123.tmp",
        ".rehref-my site-AbC123",
    ];
    let path = |name: &str| root.parent().unwrap().join(name);
    for name in names {
        fs::create_dir(path(name)).unwrap();
    }
    fs::write(path(".rehref-my site-aaaaaa.tmp"), "").unwrap();
    symlink(directory.path(), path(".rehref-my site-bbbbbb.tmp")).unwrap();
    assert_eq!(leftovers(&root), [path(names[0]), path(names[1])]);
    assert!(leftovers(Path::new("/")).is_empty());

    let long = root.parent().unwrap().join("é".repeat(100));
    fs::create_dir(&long).unwrap();
    let stage = Stage::beside(&long).unwrap();
    let left = stage.root().to_owned();
    assert!(left.file_name().unwrap().len() <= 143);
    drop(stage);
    fs::create_dir(&left).unwrap();
    assert_eq!(leftovers(&long), [left], "no run works on it");
}

#[test]
fn a_tree_replaced_by_another_program_is_not_exchanged() {
    let (directory, root) = old_tree();
    let stage = Stage::beside(&root).unwrap();
    fill(&stage, &root);
    fs::rename(&root, root.with_file_name("moved away")).unwrap();
    fs::create_dir(&root).unwrap();
    let error = stage.exchange().unwrap_err();
    assert!(error.to_string().starts_with("another program replaced "), "{error}");
    assert_eq!(names(directory.path()), ["moved away", "my site"]);
}

#[test]
fn a_tree_that_changes_meanwhile_is_not_exchanged() {
    type Change = fn(&Path);
    let changes: [(Change, &str); 5] = [
        (|root| fs::write(root.join("d/b.html"), "new").unwrap(), "d/b.html"),
        (|root| fs::write(root.join("d/c.html"), "new").unwrap(), "d"),
        (|root| fs::remove_file(root.join("d/b.html")).unwrap(), "d"),
        (|root| symlink("x", root.join("new")).unwrap(), ""),
        (|root| set_mode(&root.join("d"), 0o700), "d"),
    ];
    for (change, named) in changes {
        let (directory, root) = old_tree();
        let future = SystemTime::now() + Duration::from_secs(86_400);
        let file = fs::File::create(root.join("future.html")).unwrap();
        file.set_modified(future).unwrap();
        let stage = Stage::beside(&root).unwrap();
        fill(&stage, &root);
        wait_for_the_clock(directory.path());
        change(&root);
        let error = stage.exchange().unwrap_err();
        let changed = if named.is_empty() { root.clone() } else { root.join(named) };
        let message = format!("another program changed {} during the run", changed.display());
        assert!(error.to_string().starts_with(&message), "{error}");
        assert_eq!(names(directory.path()), ["my site"]);
    }
}

/// Waits until the clock of the file system is later than now; its steps are longer than a test.
fn wait_for_the_clock(directory: &Path) {
    let now = || {
        let made = tempfile::tempfile_in(directory).unwrap();
        changed_at(&made.metadata().unwrap())
    };
    let start = now();
    while now() <= start {
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn refusals_say_what_to_do() {
    let refusal = |root: &str| Stage::beside(Path::new(root)).unwrap_err().to_string();
    assert_eq!(
        refusal("/"),
        "/ has no parent directory to build the new tree in\nhelp: use --out instead of --in-place"
    );
    if cfg!(target_os = "linux") {
        assert_eq!(
            refusal("/proc"),
            "/proc is a mount point or a volume of its own, which cannot be exchanged with a new tree\nhelp: use --out instead of --in-place"
        );
        // The reason depends on the user and the kernel.
        let error = refusal("/proc/self/fd");
        assert!(error.contains("use --out instead of --in-place"), "{error}");
    }
}

#[test]
fn a_parent_that_cannot_be_written_is_refused() {
    if rerun_as_ordinary_user("a_parent_that_cannot_be_written_is_refused") {
        return;
    }
    let (directory, root) = old_tree();
    set_mode(directory.path(), 0o555);
    let error = Stage::beside(&root).unwrap_err().to_string();
    set_mode(directory.path(), 0o755);
    let parent = root.parent().unwrap().display();
    assert!(
        error.starts_with(&format!("cannot build the new tree beside the old one, in {parent}: "))
            && error.ends_with("allow writing there, or use --out instead of --in-place")
            && error.contains("denied")
            && !error.contains(".rehref-"),
        "{error}"
    );
}

#[test]
fn a_tree_of_another_user_is_refused() {
    if let Some(root) = std::env::var_os(TREE_OF_ANOTHER) {
        let error = Stage::beside(Path::new(&root)).unwrap_err();
        println!("{error}");
        return;
    }
    let (directory, root) = old_tree();
    if fs::metadata(&root).unwrap().uid() != 0 {
        println!("skipped: needs root");
        return;
    }
    std::os::unix::fs::chown(&root, Some(1234), Some(1234)).unwrap();
    for (mode, expected) in
        [(0o777, "the owner and group of "), (0o1777, " belongs to another user, and ")]
    {
        set_mode(directory.path(), mode);
        let stdout = rerun("a_tree_of_another_user_is_refused", &root);
        assert!(
            stdout.contains(expected)
                && stdout.contains("run the command as the owner, or use --out"),
            "{stdout}"
        );
        assert_eq!(names(directory.path()), ["my site"]);
    }
    let stage = Stage::beside(&root).unwrap();
    fill(&stage, &root);
    assert!(stage.exchange().unwrap().is_empty());
    assert_eq!(fs::metadata(&root).unwrap().uid(), 1234, "root can keep the owner");
}

/// A shell in the tree, and a server that has a directory open, go on.
#[test]
fn directories_stay_the_same() {
    let (_directory, root) = old_tree();
    fs::create_dir_all(root.join("kept/deep")).unwrap();
    fs::write(root.join("kept/deep/c"), "c").unwrap();
    let kept = [root.clone(), root.join("kept"), root.join("kept/deep")];
    let before = kept.each_ref().map(|it| inode(it));
    let stage = Stage::beside(&root).unwrap();
    fill(&stage, &root);
    stage.keep_tree(&root.join("kept"), Path::new("kept")).unwrap();
    assert!(stage.exchange().unwrap().is_empty());
    assert_eq!(kept.each_ref().map(|it| inode(it)), before);
    assert_eq!(names(&root), ["a.html", "e", "kept", "link"]);
    assert_eq!(fs::read(root.join("a.html")).unwrap(), b"<a href=e/b.html>");
}

/// A file takes the place of a directory, and a directory that of a file.
#[test]
fn files_become_directories_and_directories_files() {
    let (directory, root) = old_tree();
    let stage = Stage::beside(&root).unwrap();
    let metadata = &fs::metadata(root.join("a.html")).unwrap();
    let like = Original { path: &root.join("a.html"), metadata };
    stage.write_file(Path::new("d"), b"d"[..].into(), like).unwrap();
    stage.make_directory(&root.join("d"), Path::new("a.html")).unwrap();
    stage.copy_file(&root.join("d/b.html"), Path::new("a.html/b.html")).unwrap();
    stage.finish_directory(&root.join("d"), Path::new("a.html")).unwrap();
    assert!(stage.exchange().unwrap().is_empty());
    assert_eq!(names(&root), ["a.html", "d"]);
    assert_eq!(fs::read(root.join("a.html/b.html")).unwrap(), b"<p>b");
    assert_eq!(fs::read(root.join("d")).unwrap(), b"d");
    assert_eq!(names(directory.path()), ["my site"]);
}
