//! A site that is generated with every kind of defect at known places, and much beside them that
//! nothing is wrong with. What is expected is said by what was planted, with no look at any code
//! that audits.

#![allow(dead_code, unreachable_pub, missing_docs)]

mod carriers;
pub mod compare;
mod defects;
mod doubtful;
mod layout;
mod pages;
pub mod random;
mod special;
mod whole;
mod writer;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use layout::{ASSETS, Layout};
use pages::Pages;
use random::Random;
use special::{LOST, SYMLINKS};
use writer::Writer;

/// A defect planted at a place, as a finding has it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Row {
    pub check: String,
    pub document: String,
    pub line: Option<usize>,
    pub column: Option<usize>,
    pub element: String,
    pub attribute: String,
    pub reference: Option<String>,
}

impl Row {
    /// A finding about a file.
    fn of_file(check: &str, path: &str) -> Row {
        Row {
            check: check.to_owned(),
            document: path.to_owned(),
            line: None,
            column: None,
            element: String::new(),
            attribute: String::new(),
            reference: None,
        }
    }
}

/// The defects planted in a site.
#[derive(Default)]
pub struct Planted {
    pub rows: Vec<Row>,
    /// The files that cannot be reached from `index.html`.
    pub orphans: Vec<Row>,
    /// The defects that the authors ignore.
    pub muted: Vec<Row>,
    /// How many documents there are.
    pub documents: usize,
}

/// Every URL of the site begins with this.
pub const URL: &str = "https://example.org/";

/// Files besides [`ASSETS`] that `all.html` refers to.
const MORE_FILES: &[&str] = &["packed.html.gz"];

/// Makes a site of so many documents in the folder `root`, the same for the same `seed`.
pub fn generate(root: &Path, documents: usize, seed: u64) -> Planted {
    let specials = special::specials();
    let mut planted = Planted::default();
    let names: BTreeSet<&str> = specials.iter().map(|special| special.path).collect();
    let assets = ASSETS.iter().chain(MORE_FILES).copied();
    for path in assets.filter(|path| !names.contains(path) && !path.ends_with(".html")) {
        write(root, path, b"");
    }
    write(root, "lost/leftover.png", b"");
    write(root, "../outside.js", b"");
    for special in &specials {
        let mut writer = Writer::new(special.path, "\n");
        writer.piece(&special.text);
        let bytes = special::encoded(writer.text(), special.charset);
        write(root, special.path, &bytes);
        planted.take(writer);
        let fault = special.fault;
        let fault = fault.map(|check| Row::of_file(check, special.path));
        planted.rows.extend(fault);
    }
    let mut links: Vec<String> = specials.iter().map(|it| it.path.to_owned()).collect();
    links.retain(|path| !path.starts_with("lost/"));
    links.extend(ASSETS.iter().chain(MORE_FILES).map(|path| (*path).to_owned()));
    let html_assets = ASSETS.iter().filter(|path| path.ends_with(".html"));
    let layout = Layout::of(documents - specials.len() - html_assets.clone().count());
    let mut pages = Pages::new(&layout, Random::new(seed));
    for (number, folder) in layout.folders.iter().enumerate() {
        let own = layout.pages.iter().skip(number).step_by(layout.folders.len());
        let mut below: Vec<String> = own.cloned().collect();
        let children = layout.folders.iter().skip(3 * number + 1).take(3);
        for path in &below {
            planted.page(root, path, pages.page(path, &[]));
        }
        below.extend(children.filter(|it| it.has_index).map(|it| it.path.clone()));
        if !folder.has_index {
            links.extend(below);
            continue;
        }
        if number == 0 {
            below.push("all.html".to_owned());
        }
        let path = format!("{}index.html", folder.path);
        planted.page(root, &path, pages.page(&path, &below));
    }
    for path in html_assets {
        let links = if *path == "all.html" { &links[..] } else { &[] };
        let page = match links.is_empty() {
            // A page that the others are not.
            true => {
                let mut page = Writer::new(path, "\n");
                page.piece("<p id=\"s0\"><a href=\"/\">x</a>\n");
                page
            }
            false => pages.page(path, links),
        };
        planted.page(root, path, page);
    }
    assert!(pages.is_complete(), "too few documents for every defect");
    symlinks(root, &mut planted);
    let lost = LOST.iter().map(|name| format!("lost/{name}"));
    planted.orphans = lost.map(|path| Row::of_file("orphan", &path)).collect();
    planted.documents += specials.len();
    planted
}

impl Planted {
    fn take(&mut self, writer: Writer) {
        self.rows.extend(writer.rows);
        self.muted.extend(writer.muted);
    }

    fn page(&mut self, root: &Path, path: &str, page: Writer) {
        write(root, path, page.text().as_bytes());
        self.documents += 1;
        self.take(page);
    }
}

fn symlinks(root: &Path, planted: &mut Planted) {
    for (path, to, is_whole) in SYMLINKS {
        let link = root.join(path);
        fs::create_dir_all(link.parent().unwrap()).unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink(to, link).unwrap();
        if !is_whole {
            planted.rows.push(Row {
                reference: Some((*to).to_owned()),
                ..Row::of_file("dangling-symlink", path)
            });
        }
    }
}

fn write(root: &Path, path: &str, contents: &[u8]) {
    let path = root.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, contents).unwrap();
}
