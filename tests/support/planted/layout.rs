//! Where the pages of the site are, and how they refer to each other.

use super::random::Random;

/// Files that are no documents, and documents that every site has.
pub const ASSETS: &[&str] = &[
    "all.html", "img/logo.png", "img/a.png", "img/b,c.png", "img/sprite.svg", "css/main.css",
    "js/app.js", "media/film.mp4", "media/words.vtt", "doc/manual.pdf", "my page.html",
    "100%.html", "größe.html",
];

/// The ids that every ordinary page has.
pub const IDS: &[&str] = &["s0", "s1", "s2", "s3", "grüße", "a b", "impl-Borrow%3CT%3E", "x:y.z"];

/// Fragments that lead to one of [`IDS`], to the name that ordinary pages have, or to their top.
pub const FRAGMENTS: &[&str] = &[
    "#s0", "#s1", "#%73%32", "#grüße", "#gr%C3%BC%C3%9Fe", "#a%20b", "#impl-Borrow%3CT%3E",
    "#x:y.z", "#named", "#", "#top", "#TOP", "#:~:text=words%20of%20it", "#s3:~:text=words,more",
];

/// The folders and ordinary pages of a site.
pub struct Layout {
    /// With a slash at the end; the root is empty.
    pub folders: Vec<Folder>,
    /// Paths of pages, without the index pages.
    pub pages: Vec<String>,
}

pub struct Folder {
    pub path: String,
    pub has_index: bool,
}

impl Layout {
    /// A layout of so many pages, index pages included.
    pub fn of(pages: usize) -> Layout {
        let mut folders: Vec<Folder> = Vec::new();
        for number in 0..(pages / 8).max(8) {
            let path = match number {
                0 => String::new(),
                _ => format!("{}f{number}/", folders[(number - 1) / 3].path),
            };
            let has_index = number % 7 != 4;
            folders.push(Folder { path, has_index });
        }
        let rest = pages - folders.iter().filter(|folder| folder.has_index).count();
        let pages = (0..rest)
            .map(|number| format!("{}p{number}.html", folders[number % folders.len()].path))
            .collect();
        Layout { folders, pages }
    }

    /// The path of a page that has [`IDS`].
    pub fn page(&self, random: &mut Random) -> &str {
        random.one_of::<String>(&self.pages)
    }

    /// A folder below the root that has an index page, or has none.
    pub fn folder(&self, has_index: bool, random: &mut Random) -> &str {
        let fitting: Vec<&Folder> = self
            .folders
            .iter()
            .filter(|folder| folder.has_index == has_index && !folder.path.is_empty())
            .collect();
        &random.one_of(&fitting).path
    }
}

/// A reference to `path` (as the file system has it), relative to what the path `from` is the URL
/// of.
pub fn reference(from: &str, path: &str, random: &mut Random) -> String {
    match random.below(5) {
        0 => format!("/{}", encode(path)),
        1 => format!("./{}", relative(from, path)),
        2 => format!("no-such/../{}", relative(from, path)),
        _ => match relative(from, path) {
            empty if empty.is_empty() => "./".to_owned(),
            reference => reference,
        },
    }
}

/// The path from one to the other, encoded.
pub fn relative(from: &str, path: &str) -> String {
    let folders = |path: &str| -> Vec<String> {
        let end = path.rfind('/').map_or(0, |slash| slash + 1);
        path[..end].split_inclusive('/').map(str::to_owned).collect()
    };
    let (own, other) = (folders(from), folders(path));
    let shared = own.iter().zip(&other).take_while(|(a, b)| a == b).count();
    let rest: usize = other[..shared].iter().map(String::len).sum();
    let up = "../".repeat(own.len() - shared);
    format!("{up}{}", encode(&path[rest..]))
}

/// How many folders a path is below the root.
pub fn depth(path: &str) -> usize {
    path.matches('/').count()
}

/// A path as URLs have it.
pub fn encode(path: &str) -> String {
    let mut encoded = String::new();
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => encoded.push(byte.into()),
            b'-' | b'_' | b'.' | b'/' | b',' => encoded.push(byte.into()),
            _ => encoded.push_str(&format!("%{byte:02X}")),
        }
    }
    encoded
}
