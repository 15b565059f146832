//! The files that the URLs of a crawl become.

use std::path::Path;

use rehref_site::string_table::{StringList, StringNumber, StringTable};
use rehref_site::{REDIRECT_LIMIT, SiteUrl};
use rehref_url::Url;
use rehref_url::scheme::with_other_scheme;

/// The files of an extracted crawl, by URL.
#[derive(Debug)]
pub struct CapturedPaths {
    /// The URLs of the crawl.
    pub urls: StringTable,
    /// The capture of each URL in `urls`, in the same order.
    pub captured: Vec<Captured>,
    /// The paths of all files.
    pub paths: StringList,
    /// The URL of the directory of the files.
    pub output: SiteUrl,
}

/// The result of the capture of a URL: content, a redirect, or nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Captured {
    Nothing,
    /// Content, whose file has the path with this number; [`StringNumber::MAX`] while it has none.
    Content(StringNumber),
    /// A redirect to the URL with this number.
    Redirect(StringNumber),
}

impl CapturedPaths {
    /// Returns the file path with the number `number`.
    pub fn path(&self, number: StringNumber) -> &str {
        self.paths.get(number)
    }

    /// Returns the path of the file with the content of a URL.
    pub fn path_of(&self, url: StringNumber) -> Option<&str> {
        match self.captured(url) {
            Captured::Content(path) => Some(self.path(path)),
            Captured::Redirect(_) | Captured::Nothing => None,
        }
    }

    /// Returns the URL of the file with the content of a URL.
    pub fn file_of(&self, url: StringNumber) -> Option<Url> {
        let path = self.path_of(url)?;
        self.output.file_url(Path::new(path)).ok()
    }

    /// Returns the URL with the number `number` in this crawl.
    pub fn url(&self, number: StringNumber) -> &str {
        self.urls.get(number)
    }

    /// Returns the number of the URL that has the content for `url`, after redirects; `None` if the crawl has
    /// no content for it. `url` has no fragment. Archives do not distinguish `http:` and `https:`.
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

    /// Returns the URL of the file for `url`, after redirects, with the fragment of `url`; `None` if the crawl has no
    /// content for `url`.
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
        let [_, _, secure, cycle] = numbers;
        let mut list = StringList::default();
        let path = list.push("h/a@q.html").unwrap();
        use Captured::{Content, Nothing, Redirect};
        let captured = vec![Content(path), Redirect(secure), Nothing, Redirect(cycle)];
        let paths = CapturedPaths { urls, captured, paths: list, output };
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
