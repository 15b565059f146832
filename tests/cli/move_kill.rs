//! `move --in-place`, killed at any moment: the tree at SITE is the old one or the new one, whole.

use std::collections::BTreeMap;
use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::TestDir;

/// How often the process is killed; two times of three near the exchange.
const KILLS: u32 = 50;

/// The tree that is moved: folders with folders in them, every document with links to others.
const FOLDERS: [&str; 6] = ["", "a", "a/deep", "a/deep/er", "b", "c"];
const DOCUMENTS_IN_FOLDER: usize = 60;

/// A permutation, so that every folder that moves has something in its way.
const MOVES: [&str; 2] = ["a=b", "b=a"];

/// What is at a path: its mode, and the bytes of a file or the words of a link.
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
    paths
        .into_iter()
        .filter(|path| one.get(*path) != other.get(*path))
        .take(5)
        .cloned()
        .collect()
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
                    format!(
                        "<p><a href=\"{up}{}#x{step}\">{step}</a>\n",
                        target.display()
                    )
                })
                .collect();
            let document = format!("<!DOCTYPE html><title>{f}/{n}</title>\n{links}");
            fs::write(root.join(name(f, n)), document).unwrap();
        }
        fs::write(root.join(folder).join("image.png"), [f as u8; 4096]).unwrap();
        set_mode(&root.join(folder).join("image.png"), 0o604);
    }
    fs::create_dir(root.join("b/empty")).unwrap();
    symlink("image.png", root.join("a/link.png")).unwrap();
    for (directory, mode) in [
        ("a", 0o750),
        ("a/deep", 0o711),
        ("b/empty", 0o700),
        ("", 0o751),
    ] {
        set_mode(&root.join(directory), mode);
    }
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

fn start(site: &Path) -> Child {
    Command::new(env!("CARGO_BIN_EXE_rehref"))
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

/// Runs to the end; how long it took in all, and until the new tree was in its place.
fn undisturbed(site: &Path) -> (Duration, Duration) {
    let old = inode(site);
    let begin = Instant::now();
    let mut child = start(site);
    let mut exchanged = None;
    let status = loop {
        if exchanged.is_none() && inode(site) != old {
            exchanged = Some(begin.elapsed());
        }
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        std::thread::sleep(Duration::from_micros(50));
    };
    let whole = begin.elapsed();
    let mut stderr = String::new();
    std::io::Read::read_to_string(&mut child.stderr.take().unwrap(), &mut stderr).unwrap();
    assert!(status.success(), "{stderr}");
    assert_ne!(inode(site), old, "SITE is the tree that was staged");
    (whole, exchanged.unwrap_or(whole))
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

fn seed() -> u64 {
    let given = std::env::var("REHREF_SEED").ok();
    given.map_or(1, |seed| seed.parse().expect("REHREF_SEED is a number"))
}

#[test]
fn a_killed_move_leaves_a_whole_tree() {
    let seed = seed();
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
    let mut times: Vec<_> = (0..5)
        .map(|_| {
            fresh();
            undisturbed(&site)
        })
        .collect();
    times.sort();
    let (whole, exchange) = times[times.len() / 2];
    let new = snapshot(&site);
    assert_eq!(fs::read_dir(&parent).unwrap().count(), 1, "nothing is left");
    assert_eq!(old.len(), new.len());
    for path in ["a/deep/er/000.html", "b/deep/er/000.html", "000.html"] {
        let path = Path::new(path);
        assert_ne!(old.get(path), new.get(path), "the move changes {path:?}");
    }
    println!("undisturbed: {whole:?}, the exchange after {exchange:?}");

    let (mut olds, mut news, mut left, mut ended) = (0, 0, 0, 0);
    for kill in 0..KILLS {
        fresh();
        let portion = random.next();
        let (watched, after) = match kill % 3 {
            0 => (false, whole.mul_f64(portion * 1.05)),
            1 => (false, exchange.mul_f64(0.9 + 0.2 * portion)),
            // From the moment when the exchange is seen, over the removal of the old tree.
            _ => (true, whole.saturating_sub(exchange).mul_f64(portion)),
        };
        let before = inode(&site);
        let mut begin = Instant::now();
        let mut child = start(&site);
        while watched && inode(&site) == before && child.try_wait().unwrap().is_none() {
            begin = Instant::now();
        }
        std::thread::sleep(after.saturating_sub(begin.elapsed()));
        child.kill().unwrap();
        ended += u32::from(child.wait().unwrap().success());
        let found = snapshot(&site);
        if found == old {
            olds += 1;
        } else if found == new {
            news += 1;
        } else {
            panic!(
                "killed after {after:?} (kill {kill} of seed {seed}): not the old tree ({:?}), \
                 nor the new one ({:?})",
                differences(&found, &old),
                differences(&found, &new)
            );
        }
        for beside in fs::read_dir(&parent).unwrap() {
            let name = beside.unwrap().file_name().into_string().unwrap();
            if name != "site" {
                assert!(
                    name.starts_with(".rehref-site-") && name.ends_with(".tmp"),
                    "{name}"
                );
                left += 1;
            }
        }
    }
    println!("{olds} times the old tree, {news} times the new one; {ended} runs had ended;");
    println!("{left} stages were left beside the tree");
    assert_eq!(olds + news, KILLS);
    assert!(
        olds > 0 && news > 0 && ended < KILLS,
        "the kills came at the wrong time"
    );

    // What a killed run left is no hindrance to the next one.
    fresh();
    let left = parent.join(".rehref-site-AbC123.tmp/a");
    fs::create_dir_all(&left).unwrap();
    undisturbed(&site);
    assert_eq!(differences(&snapshot(&site), &new), Vec::<PathBuf>::new());
    assert!(left.is_dir(), "it is the user's to remove");
}
