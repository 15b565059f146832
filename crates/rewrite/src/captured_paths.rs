//! The files that the URLs of a crawl become.

use std::path::Path;

use rehref_site::string_table::{StringList, StringNumber, StringTable};
use rehref_site::{REDIRECT_LIMIT, SiteUrl};
use rehref_url::Url;
use rehref_url::scheme::with_other_scheme;

/// The files of an extracted crawl, by URL.
#[derive(Debug)]
pub struct CapturedPaths {
    urls: StringTable,
    captured: Vec<Captured>,
    /// The paths of all files.
    paths: StringList,
    /// The URL of the directory of the files.
    output: SiteUrl,
}

/// What the crawl has of a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Captured {
    Nothing,
    /// Content, whose file has this number; [`StringNumber::MAX`] while it has none.
    Content(StringNumber),
    /// A redirect to the URL with this number.
    Redirect(StringNumber),
}

impl CapturedPaths {
    /// The URLs `urls`, of which nothing is captured yet. The files will be below `output`.
    pub fn new(urls: StringTable, output: SiteUrl) -> CapturedPaths {
        CapturedPaths {
            captured: vec![Captured::Nothing; urls.len()],
            urls,
            paths: StringList::default(),
            output,
        }
    }

    fn set(&mut self, url: StringNumber, captured: Captured) {
        if let Some(of_url) = self.captured.get_mut(url as usize) {
            *of_url = captured;
        }
    }

    /// Adds the content of a URL, which has no file yet.
    pub fn add_content(&mut self, url: StringNumber) {
        self.set(url, Captured::Content(StringNumber::MAX));
    }

    /// Adds a redirect from a URL to another one.
    pub fn add_redirect(&mut self, url: StringNumber, to: StringNumber) {
        self.set(url, Captured::Redirect(to));
    }

    /// Adds the paths of all files, after all content.
    pub fn set_paths(&mut self, paths: StringList) {
        self.paths = paths;
    }

    /// Gives the content of a URL the file with the path of this number.
    pub fn set_file(&mut self, url: StringNumber, path: StringNumber) {
        self.set(url, Captured::Content(path));
    }

    /// The path with this number.
    pub fn path(&self, number: StringNumber) -> &str {
        self.paths.get(number)
    }

    /// The path of the file with the content of a URL.
    pub fn path_of(&self, url: StringNumber) -> Option<&str> {
        match self.captured(url) {
            Captured::Content(path) => Some(self.path(path)),
            Captured::Redirect(_) | Captured::Nothing => None,
        }
    }

    /// The URL of the file with the content of a URL.
    pub fn file_of(&self, url: StringNumber) -> Option<Url> {
        let path = self.path_of(url)?;
        self.output.file_url(Path::new(path)).ok()
    }

    /// The URL with this number.
    pub fn url(&self, number: StringNumber) -> &str {
        self.urls.get(number)
    }

    /// The number of the URL with the content for `url`, after redirects; `None` if the crawl has none. `url` has no
    /// fragment. Archives do not distinguish `http:` and `https:`.
    pub fn target(&self, url: &str) -> Option<StringNumber> {
        let mut at = url;
        for _ in 0..REDIRECT_LIMIT {
            let number = self.urls.number(at);
            let captured = self.captured_if_any(number);
            if let Captured::Content(_) = captured {
                return number;
            }
            let other = with_other_scheme(at).and_then(|other| self.urls.number(&other));
            let to = match (captured, self.captured_if_any(other)) {
                (_, Captured::Content(_)) => return other,
                (Captured::Redirect(to), _) | (_, Captured::Redirect(to)) => to,
                _ => return None,
            };
            at = self.url(to);
        }
        None
    }

    /// The URL of the file for `url`, after redirects, with the fragment of `url`; `None` if the crawl has no content
    /// for `url`.
    pub(super) fn file(&self, url: &str) -> Option<Url> {
        let (start, fragment) = url.split_at(url.find('#').unwrap_or(url.len()));
        let file = self.file_of(self.target(start)?)?;
        match fragment {
            "" => Some(file),
            _ => Url::parse(&format!("{file}{fragment}")).ok(),
        }
    }

    fn captured(&self, url: StringNumber) -> Captured {
        let captured = self.captured.get(url as usize).copied();
        captured.unwrap_or(Captured::Nothing)
    }

    fn captured_if_any(&self, url: Option<StringNumber>) -> Captured {
        url.map_or(Captured::Nothing, |url| self.captured(url))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn redirects_lead_to_files_and_keep_the_fragment() {
        let url = |text: &str| Url::parse(text).unwrap();
        let mut urls = StringTable::default();
        let texts = ["http://h/a?q", "http://h/old", "https://h/a?q", "http://h/loop"];
        let numbers = texts.map(|text| urls.insert(text).unwrap());
        let output = SiteUrl::parse("https://x/").unwrap().0;
        let mut paths = CapturedPaths::new(urls, output);
        let [content, old, secure, cycle] = numbers;
        paths.add_content(content);
        paths.add_redirect(old, secure);
        paths.add_redirect(cycle, cycle);
        let mut list = StringList::default();
        let path = list.push("h/a@q.html").unwrap();
        paths.set_paths(list);
        paths.set_file(content, path);
        for (from, to) in [
            ("http://h/a?q", Some("https://x/h/a@q.html")),
            ("https://h/a?q#f", Some("https://x/h/a@q.html#f")),
            ("http://h/old#f", Some("https://x/h/a@q.html#f")),
            ("http://h/loop", None),
            ("http://h/a", None),
        ] {
            assert_eq!(paths.file(from), to.map(url), "{from}");
        }
    }
}
