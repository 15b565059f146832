//! `move --in-place`, killed at any moment: the tree at SITE is the old one or the new one, whole.
//!
//! The moments are states of the file system, not times, so that they are the same steps of the run on
//! a slow machine.

use std::collections::BTreeMap;
use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::support::{TestDir, variable};

/// How often the process is killed at least; `REHREF_KILLS` sets another number.
const KILLS: u32 = 16;

/// The tree that is moved: folders with folders in them, every document with links to others.
const FOLDERS: [&str; 6] = ["", "a", "a/deep", "a/deep/er", "b", "c"];
const DOCUMENTS_IN_FOLDER: usize = 20;

/// A permutation, so that every folder that moves has something in its way.
const MOVES: [&str; 2] = ["a=b", "b=a"];

/// The entry at a path: its mode, and the bytes of a file or the target of a link.
#[derive(Debug, PartialEq, Eq)]
struct Entry {
    mode: u32,
    contents: Option<Vec<u8>>,
}

type Tree = BTreeMap<PathBuf, Entry>;

/// The whole tree with its root, directories, empty ones too.
fn snapshot(root: &Path) -> Tree {
    walkdir::WalkDir::new(root)
        .into_iter()
        .map(|entry| {
            let entry = entry.unwrap();
            let metadata = entry.metadata().unwrap();
            let contents = if metadata.is_symlink() {
                let target = fs::read_link(entry.path()).unwrap();
                Some(target.into_os_string().into_encoded_bytes())
            } else if metadata.is_file() {
                Some(fs::read(entry.path()).unwrap())
            } else {
                None
            };
            let path = entry.path().strip_prefix(root).unwrap().to_owned();
            let mode = metadata.permissions().mode();
            (path, Entry { mode, contents })
        })
        .collect()
}

/// The first paths where two trees differ.
fn differences(one: &Tree, other: &Tree) -> Vec<PathBuf> {
    let mut paths: Vec<_> = one.keys().chain(other.keys()).collect();
    paths.sort();
    paths.dedup();
    paths.into_iter().filter(|path| one.get(*path) != other.get(*path)).take(5).cloned().collect()
}

fn generate(root: &Path) {
    let name = |folder: usize, n: usize| {
        Path::new(FOLDERS[folder % FOLDERS.len()]).join(format!("{n:03}.html"))
    };
    let mut directories = vec![root.to_owned()];
    for (f, folder) in FOLDERS.iter().enumerate() {
        let up = "../".repeat(Path::new(folder).components().count());
        fs::create_dir_all(root.join(folder)).unwrap();
        directories.push(root.join(folder));
        for n in 0..DOCUMENTS_IN_FOLDER {
            let links: String = (1..8)
                .map(|step| {
                    let target = name(f + step, (n * step) % DOCUMENTS_IN_FOLDER);
                    format!("<p><a href=\"{up}{}#x{step}\">{step}</a>\n", target.display())
                })
                .collect();
            let padding = " ".repeat(if (f, n) == (3, 0) { 1 << 16 } else { 0 });
            let document = format!("<!DOCTYPE html><title>{f}/{n}</title>\n{links}{padding}");
            fs::write(root.join(name(f, n)), document).unwrap();
        }
        fs::write(root.join(folder).join("image.png"), [f as u8; 4096]).unwrap();
        set_mode(&root.join(folder).join("image.png"), 0o604);
    }
    fs::create_dir(root.join("b/empty")).unwrap();
    symlink("image.png", root.join("a/link.png")).unwrap();
    for (directory, mode) in [("a", 0o750), ("a/deep", 0o711), ("b/empty", 0o700), ("", 0o751)] {
        set_mode(&root.join(directory), mode);
    }
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

/// Starts the move. With `limit` the system kills it when it writes into a file beyond about 16 KiB, which
/// only one document takes.
fn start(site: &Path, limit: bool) -> Child {
    let script =
        if limit { "ulimit -c 0; ulimit -f 32; exec \"$0\" \"$@\"" } else { "exec \"$0\" \"$@\"" };
    Command::new("sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_rehref")])
        .args(["move", "--in-place"])
        .arg(site)
        .args(MOVES)
        .arg("--quiet")
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

fn inode(path: &Path) -> u64 {
    fs::metadata(path).unwrap().ino()
}

/// Runs to the end, without being killed.
fn undisturbed(site: &Path) {
    let old = inode(site);
    let output = start(site, false).wait_with_output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{stderr}");
    assert_eq!(inode(site), old, "SITE is the same directory");
}

/// A state of the file system in which the process is killed.
#[derive(Clone, Copy, Debug)]
enum Moment {
    /// A large document is half written beside SITE.
    LargeDocument,
    /// The new tree has at least so many entries beside SITE, which is the old tree.
    Staged(usize),
    /// SITE is the new tree, and the old directories beside it, which get its contents, have at most so many entries.
    Exchanged(usize),
    /// SITE is the old directory with the new contents, and the tree beside it has at most so many entries left.
    Removed(usize),
}

/// The part of a run that the file system shows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Phase {
    Staged,
    Exchanged,
    Removed,
}

/// The inodes of SITE and of a document that the move changes.
type Inodes = [Option<u64>; 2];

fn inodes(site: &Path) -> Inodes {
    let inode = |path: &Path| fs::metadata(path).ok().map(|it| it.ino());
    [inode(site), inode(&site.join("000.html"))]
}

impl Phase {
    fn of(site: &Path, old: Inodes) -> Phase {
        match inodes(site) {
            [root, _] if root != old[0] => Phase::Exchanged,
            found if found == old => Phase::Staged,
            _ => Phase::Removed,
        }
    }
}

impl Moment {
    /// A moment of every part of a run in turn: the first four before the exchange, two before the other one.
    fn of(kill: u32, entries: usize, random: &mut Random) -> Moment {
        let portion = (entries as f64 * random.next()) as usize;
        match kill % 8 {
            0 => Moment::LargeDocument,
            1 => Moment::Staged(0),
            2 => Moment::Staged(portion),
            3 => Moment::Staged(entries),
            4 => Moment::Exchanged(entries),
            5 => Moment::Exchanged(portion),
            6 => Moment::Removed(entries),
            _ => Moment::Removed(portion),
        }
    }

    fn is_reached(self, site: &Path, old: Inodes) -> bool {
        let phase = Phase::of(site, old);
        match self {
            Moment::LargeDocument => false,
            Moment::Staged(entries) => phase > Phase::Staged || entries_beside(site) >= entries,
            Moment::Exchanged(entries) => {
                let has_room = || entries_beside(site) <= entries;
                phase > Phase::Exchanged || phase == Phase::Exchanged && has_room()
            }
            Moment::Removed(entries) => phase == Phase::Removed && entries_beside(site) <= entries,
        }
    }
}

/// Entries in the folders beside SITE: the stage, in which the run writes and removes meanwhile.
fn entries_beside(site: &Path) -> usize {
    walkdir::WalkDir::new(site.parent().unwrap())
        .min_depth(2)
        .into_iter()
        .filter_entry(|entry| entry.path() != site)
        .flatten()
        .count()
}

/// A random sequence of the kind that is called SplitMix64.
struct Random(u64);

impl Random {
    /// From 0 to below 1.
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((bits ^ (bits >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }
}

#[test]
fn a_killed_move_leaves_a_whole_tree() {
    let seed = variable("REHREF_SEED", 1);
    println!("seed {seed} (REHREF_SEED)");
    let mut random = Random(seed);
    let dir = TestDir::new();
    let parent = dir.path("parent");
    let site = parent.join("site");
    let fresh = || {
        let _ = fs::remove_dir_all(&parent);
        fs::create_dir(&parent).unwrap();
        generate(&site);
    };

    fresh();
    let old = snapshot(&site);
    undisturbed(&site);
    let new = snapshot(&site);
    assert_eq!(fs::read_dir(&parent).unwrap().count(), 1, "nothing is left");
    assert_eq!(old.len(), new.len());
    for path in ["a/deep/er/000.html", "b/deep/er/000.html", "000.html"] {
        let path = Path::new(path);
        assert_ne!(old.get(path), new.get(path), "the move changes {path:?}");
    }

    let kills = variable("REHREF_KILLS", u64::from(KILLS)) as u32;
    let (mut olds, mut news, mut left, mut ended) = (0_u32, 0_u32, 0, 0);
    for kill in 0..kills {
        fresh();
        let moment = Moment::of(kill, new.len() - 1, &mut random);
        let old_inodes = inodes(&site);
        let mut child = start(&site, matches!(moment, Moment::LargeDocument));
        let mut status = None;
        while status.is_none() && !moment.is_reached(&site, old_inodes) {
            status = child.try_wait().unwrap();
        }
        child.kill().unwrap();
        // A busy machine may let the process run on after its moment, to its end.
        ended += u32::from(child.wait().unwrap().success());
        let found = snapshot(&site);
        if found == old {
            olds += 1;
        } else if found == new {
            news += 1;
        } else {
            panic!(
                "killed at {moment:?} (kill {kill} of seed {seed}): not the old tree ({:?}), \
                 nor the new one ({:?})",
                differences(&found, &old),
                differences(&found, &new)
            );
        }
        for beside in fs::read_dir(&parent).unwrap() {
            let name = beside.unwrap().file_name().into_string().unwrap();
            if name != "site" {
                assert!(name.starts_with(".rehref-site-") && name.ends_with(".tmp"), "{name}");
                left += 1;
            }
        }
    }
    println!("{olds} times the old tree, {news} times the new one; {ended} runs had ended;");
    println!("{left} stages were left beside the tree");
    assert!(left > 0, "the large document is half written");

    // The next run succeeds despite the stage that a killed run left.
    fresh();
    let left = parent.join(".rehref-site-AbC123.tmp/a");
    fs::create_dir_all(&left).unwrap();
    undisturbed(&site);
    assert_eq!(differences(&snapshot(&site), &new), Vec::<PathBuf>::new());
    assert!(left.is_dir(), "it is the user's to remove");
}
