//! Names of files for the URLs of a crawl, as `wget --adjust-extension --restrict-file-names=windows` gives them:
//! every system can hold them, and a browser that opens a file from disk knows its type by its extension.

use std::collections::{HashMap, HashSet};

use rehref_site::{REPOSITORIES, WINDOWS, fnv, folded_text, is_device, string_table::StringList};
use rehref_url::{Url, percent_decoded};

/// The extensions of files by their media type: the one that is added, and all that need none.
const EXTENSIONS: &[(&str, &str, &[&str])] = &[
    ("text/html", "html", &["html", "htm"]),
    ("application/xhtml+xml", "xhtml", &["xhtml", "xht"]),
    ("text/css", "css", &["css"]),
    ("image/svg+xml", "svg", &["svg", "svgz"]),
    ("text/javascript", "js", &["js", "mjs"]),
    ("application/javascript", "js", &["js", "mjs"]),
    ("application/x-javascript", "js", &["js", "mjs"]),
    ("application/pdf", "pdf", &["pdf"]),
    ("image/png", "png", &["png"]),
    ("image/jpeg", "jpg", &["jpg", "jpeg", "jpe", "jfif"]),
    ("image/gif", "gif", &["gif"]),
    ("image/webp", "webp", &["webp"]),
    ("font/woff", "woff", &["woff"]),
    ("font/woff2", "woff2", &["woff2"]),
];

/// The largest length of a name in bytes; file systems hold 255, and encrypted ones 143.
const LONGEST_NAME: usize = 140;

/// The largest length of the directories of a path in bytes, and the largest number of them, without one more for all
/// others. Systems hold paths of 1,024 to 4,096 bytes, that of the output among these.
const LONGEST_DIRECTORIES: usize = 600;
const MOST_DIRECTORIES: usize = 40;

/// Gives each of `urls`, which are different, with its media type, a path of its own, with `/` between names. No path is a
/// directory of another one, also where letter case or the form of an accent does not count. The paths are in the order of
/// the URLs.
pub(super) fn paths<'u>(urls: impl IntoIterator<Item = (&'u str, &'u str)>) -> StringList {
    let mut wanted = StringList::default();
    // Hashes of folded paths. Where two have one by chance, a name gets a number without need.
    let mut taken: HashSet<u64> = HashSet::new();
    for (url, media_type) in urls {
        // The URLs are serializations, which never fail.
        let path = Url::parse(url).map_or_else(|_| String::new(), |url| path_of(&url, media_type));
        wanted.push(&path);
        // The hash of each directory continues that of the one above it.
        let mut directory = fnv::OFFSET;
        for (at, name) in folded(&path).split('/').enumerate() {
            if at > 0 {
                taken.insert(directory);
                directory = fnv::absorb(directory, b"/");
            }
            directory = fnv::absorb(directory, name.as_bytes());
        }
    }
    let mut paths = StringList::default();
    // The numbers that folded paths have got.
    let mut numbers: HashMap<u64, usize> = HashMap::new();
    for path in wanted.iter() {
        let mut free = path.to_owned();
        let wanted = hash(&folded(&free));
        if !taken.insert(wanted) {
            let number = numbers.entry(wanted).or_default();
            loop {
                *number += 1;
                free = numbered(path, *number);
                if taken.insert(hash(&folded(&free))) {
                    break;
                }
            }
        }
        paths.push(&free);
    }
    paths
}

/// The key of a path on every system: the output may be copied to another.
fn folded(path: &str) -> String {
    folded_text(path, true)
}

/// A hash that is the same in every run, so that names are.
fn hash(path: &str) -> u64 {
    fnv::absorb(fnv::OFFSET, path.as_bytes())
}

/// `dir/a.1.html` for `dir/a.html`.
fn numbered(path: &str, number: usize) -> String {
    let name = path.rfind('/').map_or(0, |at| at + 1);
    match path.rfind('.').filter(|&dot| dot > name) {
        Some(dot) => format!("{}.{number}{}", &path[..dot], &path[dot..]),
        None => format!("{path}.{number}"),
    }
}

/// The path for `url`, whose content has this media type: `host/dir/name@query.html`.
fn path_of(url: &Url, media_type: &str) -> String {
    let host = url.as_str().split_once("://").map_or("", |(_, rest)| rest);
    let host = host.split(['/', '?', '#']).next().unwrap_or_default();
    // Without a user and a password.
    let host = host.rsplit('@').next().unwrap_or_default();
    let mut path = name_of(&host.replace(':', "+"), "");
    if path.is_empty() {
        path = "localhost".to_owned();
    }
    let mut names: Vec<&str> = url.path().split('/').skip(1).collect();
    let last = names.pop().unwrap_or_default();
    names.retain(|name| !name.is_empty());
    let mut left = names.as_slice();
    while let [name, rest @ ..] = left {
        path.push('/');
        if path.len() > LONGEST_DIRECTORIES || names.len() - left.len() == MOST_DIRECTORIES {
            path += &name_of(&decoded(&left.join("/")), "");
            break;
        }
        path += &name_of(&decoded(name), "");
        left = rest;
    }
    let mut last = match last {
        "" => "index".to_owned(),
        name => decoded(name),
    };
    if let Some(query) = url.query() {
        last = format!("{last}@{}", decoded(query));
    }
    let row = EXTENSIONS.iter().find(|(known, ..)| *known == media_type);
    let extension = row.map_or("", |(_, extension, known)| {
        let has = last.rsplit_once('.').map_or("", |(_, extension)| extension);
        let is_known = known.iter().any(|it| it.eq_ignore_ascii_case(has));
        if is_known { "" } else { extension }
    });
    path.push('/');
    path + &name_of(&last, extension)
}

/// `text` without percent-escapes; a text in another charset than UTF-8 stays escaped.
fn decoded(text: &str) -> String {
    String::from_utf8(percent_decoded(text)).unwrap_or_else(|_| text.to_owned())
}

/// `name` as a file name of every system, with `extension` added if that is not empty.
fn name_of(name: &str, extension: &str) -> String {
    let mut safe = String::with_capacity(name.len());
    for character in name.chars() {
        if WINDOWS.allows(character) && character != '\x7F' {
            safe.push(character)
        } else {
            safe.push_str(&format!("%{:02X}", u32::from(character)))
        }
    }
    // A stranger's `.git/config` names programs that git runs, and `.htaccess` configures a server.
    let is_read_by_programs = REPOSITORIES.iter().any(|it| safe.eq_ignore_ascii_case(it))
        || safe.to_ascii_lowercase().starts_with(".ht");
    if is_device(&safe) || is_read_by_programs {
        safe.insert(0, '_');
    }
    let dotted = match extension {
        "" => String::new(),
        extension => format!(".{extension}"),
    };
    if safe.len() + dotted.len() > LONGEST_NAME {
        safe = shortened(&safe, LONGEST_NAME - dotted.len());
    }
    safe += &dotted;
    // Windows drops dots and spaces at the end of a name; `..` is the directory above.
    if let Some(last @ ('.' | ' ')) = safe.chars().next_back() {
        safe.pop();
        safe.push_str(&format!("%{:02X}", u32::from(last)));
    }
    safe
}

/// A name of at most `length` bytes that begins and ends like `name`, with a number that tells it from others.
fn shortened(name: &str, length: usize) -> String {
    let hash = hash(name);
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    let extension =
        if (1..=8).contains(&extension.len()) { format!(".{extension}") } else { String::new() };
    let tail = format!("-{hash:016x}{extension}");
    let mut end = length.saturating_sub(tail.len());
    while !name.is_char_boundary(end) {
        end -= 1;
    }
    format!("{}{tail}", &name[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(url: &str, media_type: &str) -> String {
        path_of(&Url::parse(url).unwrap(), media_type)
    }

    #[test]
    fn names_are_those_of_wget() {
        for (url, media_type, expected) in [
            ("http://h.example/", "text/html", "h.example/index.html"),
            ("https://H.example:8080/a/", "text/html", "h.example+8080/a/index.html"),
            ("http://h/a", "text/html", "h/a.html"),
            ("http://h/a.php?id=3&x=a/b", "text/html", "h/a.php@id=3&x=a%2Fb.html"),
            ("http://h/a.HTM", "text/html", "h/a.HTM"),
            ("http://h/s.css?v=1", "text/css", "h/s.css@v=1.css"),
            ("http://h/i.svg?v=1", "image/svg+xml", "h/i.svg@v=1.svg"),
            ("http://h/feed", "application/rss+xml", "h/feed"),
            ("http://h/?q", "text/html", "h/index@q.html"),
            ("http://h/a%20b/%C3%A9.html", "text/html", "h/a b/é.html"),
            ("http://h/%E9.html", "text/html", "h/%E9.html"),
            ("http://h/a//b", "", "h/a/b"),
            ("http://h/con.txt", "", "h/_con.txt"),
            ("http://h/com1", "", "h/_com1"),
            ("http://h/.Git/config", "text/plain", "h/_.Git/config"),
            ("http://h/.htaccess", "", "h/_.htaccess"),
            ("http://h/.well-known/x", "", "h/.well-known/x"),
            ("http://h/a.", "", "h/a%2E"),
            ("http://h/a%3Ab%2Fc", "", "h/a%3Ab%2Fc"),
            ("http://u:p@h/", "text/html", "h/index.html"),
        ] {
            assert_eq!(path(url, media_type), expected, "{url}");
        }
    }

    #[test]
    fn long_names_are_shortened_and_stay_different() {
        let long = "x".repeat(300);
        let one = path(&format!("http://h/{long}a.png"), "image/png");
        let other = path(&format!("http://h/{long}b.png"), "image/png");
        assert!(one != other && one.len() <= "h/".len() + LONGEST_NAME);
        assert!(one.ends_with(".png"));
        let page = path(&format!("http://h/é{}?{long}", "é".repeat(90)), "text/html");
        assert!(page.ends_with(".html") && page.len() <= "h/".len() + LONGEST_NAME);
    }

    #[test]
    fn long_paths_are_shortened_and_stay_different() {
        let (segments, names) = ("a/".repeat(8000), format!("{}/", "n".repeat(100)).repeat(80));
        let urls = [
            format!("http://h/{segments}x.html"),
            format!("http://h/{segments}y/x.html"),
            format!("http://h/{names}x.html"),
            format!("http://h/{names}y/x.html"),
        ];
        let paths = paths(urls.iter().map(|url| (&**url, "text/html")));
        let unique: HashSet<&str> = paths.iter().collect();
        assert_eq!(unique.len(), urls.len());
        for path in paths.iter() {
            assert!(path.ends_with("/x.html") && path.len() < 900, "{path}");
            assert!(path.matches('/').count() <= MOST_DIRECTORIES + 2, "{path}");
        }
    }

    #[test]
    fn many_names_that_differ_in_letter_case_get_numbers() {
        let name = |number: u32| -> String {
            let letter = |bit: u32| if number >> bit & 1 == 1 { 'A' } else { 'a' };
            (0..13).map(letter).collect()
        };
        let urls: Vec<String> = (0..8000).map(|it| format!("http://h/{}.png", name(it))).collect();
        let paths = paths(urls.iter().map(|url| (&**url, "image/png")));
        let lower: HashSet<String> = paths.iter().map(str::to_lowercase).collect();
        assert_eq!(lower.len(), urls.len());
        assert_eq!(paths.get(7999).to_lowercase(), format!("h/{}.7999.png", "a".repeat(13)));
    }

    #[test]
    fn no_two_urls_have_one_path() {
        let urls = [
            ("http://h/a", "application/json"),
            ("http://h/a/b", "application/json"),
            ("http://h/p", "text/html"),
            ("http://h/P", "text/html"),
            ("https://h/p", "text/html"),
            ("http://h/p.html", "text/html"),
            ("http://h/p.1.html", "text/html"),
            ("http://h/caf%C3%A9", "text/html"),
            ("http://h/cafe%CC%81", "text/html"),
        ];
        let paths = paths(urls);
        let path = |at: usize| paths.get(u32::try_from(at).unwrap());
        assert_eq!(paths.len(), urls.len());
        let keys: HashSet<String> = paths.iter().map(folded).collect();
        assert_eq!(keys.len(), urls.len(), "{paths:?}");
        assert_eq!(path(8), "h/cafe\u{301}.1.html");
        assert_eq!(path(1), "h/a/b");
        assert_eq!(path(0), "h/a.1");
    }
}
