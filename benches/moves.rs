//! The cost of a big map: 100,000 entries over 30,000 documents against one entry, whole runs.
//!
//! The trees are in `TMPDIR`, best a file system in memory (`TMPDIR=/dev/shm`): a disk that is busy with
//! 100,000 files hides everything else.

#![allow(missing_docs)]

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Command;

use rehref_benches::Group;

const FOLDERS: usize = 300;
const DOCUMENTS: usize = 100;
const PICTURES: usize = 233;

/// 30,000 documents and 69,900 pictures. Each document has links to others and to pictures.
fn make_site(root: &Path) {
    for folder in 0..FOLDERS {
        let path = root.join(format!("old/{folder}"));
        fs::create_dir_all(&path).unwrap();
        for document in 0..DOCUMENTS {
            let mut html = String::from("<!DOCTYPE html>\n<title>A page</title>\n");
            for link in 0..20 {
                let (other, page) = ((folder + link) % FOLDERS, (document + link) % DOCUMENTS);
                let _ = writeln!(
                    html,
                    "<p>Words <a href=\"../{other}/{page}.html#part\">to a page</a> and more words."
                );
                let _ = writeln!(html, "<img src=\"{page}.png\" alt=\"\">");
            }
            fs::write(path.join(format!("{document}.html")), html).unwrap();
        }
        for picture in 0..PICTURES {
            fs::write(path.join(format!("{picture}.png")), b"").unwrap();
        }
    }
}

fn move_by(root: &Path, out: &Path, map: &Path) {
    let run = Command::new(rehref_benches::program())
        .args(["move", "--quiet", "--map"])
        .args([map, root])
        .arg("-o")
        .arg(out)
        .status();
    assert!(run.unwrap().success());
}

fn main() {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path().join("site");
    make_site(&root);
    let mut all = String::new();
    for folder in 0..FOLDERS {
        let documents = (0..DOCUMENTS).map(|number| format!("{number}.html"));
        let pictures = (0..PICTURES).map(|number| format!("{number}.png"));
        for name in documents.chain(pictures) {
            let _ = writeln!(all, "old/{folder}/{name}\tnew/{folder}/{name}");
        }
    }
    let group = Group::new("30,000 documents", 10);
    let one = "old/0/0.html\told/0/zero.html\n";
    for lines in [one, &all] {
        let map = directory.path().join("map");
        fs::write(&map, lines).unwrap();
        group.measure_with(
            format!("{} map entries", lines.lines().count()),
            || tempfile::tempdir().unwrap(),
            |out| move_by(&root, &out.path().join("out"), &map),
        );
    }
}
