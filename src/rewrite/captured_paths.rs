//! The files that the URLs of a crawl become.

use std::collections::HashMap;

use crate::site::REDIRECT_LIMIT;
use crate::url::Url;

/// The files of an extracted crawl, by URL.
#[derive(Clone, Debug, Default)]
pub struct CapturedPaths {
    /// The URL of each file, by the URL of its content.
    files: HashMap<Box<str>, Url>,
    /// The targets of URLs that only redirect.
    redirects: HashMap<Box<str>, Box<str>>,
}

impl CapturedPaths {
    /// Adds the file at `file` with the content of `url`.
    pub(super) fn add_file(&mut self, url: &Url, file: Url) {
        self.files.insert(url.as_str().into(), file);
    }

    /// Adds a redirect from `url` to `to`.
    pub(super) fn add_redirect(&mut self, url: &Url, to: &Url) {
        self.redirects
            .insert(url.as_str().into(), to.as_str().into());
    }

    /// The URL of the file for `url`, after redirects, with the fragment of `url`; `None` if the crawl has no content
    /// for `url`. Archives do not distinguish `http:` and `https:`.
    pub(super) fn file(&self, url: &str) -> Option<Url> {
        let (start, fragment) = url.split_at(url.find('#').unwrap_or(url.len()));
        let mut at = start;
        for _ in 0..REDIRECT_LIMIT {
            if let Some(file) = found(&self.files, at) {
                return match fragment {
                    "" => Some(file.clone()),
                    _ => Url::parse(&format!("{file}{fragment}")).ok(),
                };
            }
            at = found(&self.redirects, at)?;
        }
        None
    }
}

fn found<'m, T>(map: &'m HashMap<Box<str>, T>, url: &str) -> Option<&'m T> {
    map.get(url).or_else(|| {
        let other = match url.strip_prefix("https:") {
            Some(rest) => format!("http:{rest}"),
            None => format!("https:{}", url.strip_prefix("http:")?),
        };
        map.get(other.as_str())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn redirects_lead_to_files_and_keep_the_fragment() {
        let url = |text: &str| Url::parse(text).unwrap();
        let mut paths = CapturedPaths::default();
        paths.add_file(&url("http://h/a?q"), url("https://x/h/a@q.html"));
        paths.add_redirect(&url("http://h/old"), &url("https://h/a?q"));
        paths.add_redirect(&url("http://h/loop"), &url("http://h/loop"));
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
