//! Maps the URLs that a browser reports: those of BEFORE to what they should be in AFTER, and those of a
//! tree on disk to the site.

use crate::expected_targets::ExpectedTargets;
use rehref_site::SiteUrl;
use rehref_url::{AbsoluteUrl, Standard, Url};

/// The URLs of the two trees of a run.
pub(super) struct UrlMap<'m> {
    pub(super) targets: &'m ExpectedTargets<'m>,
    /// The `file:` URL of AFTER, if its pages are opened from disk.
    pub(super) disk: Option<&'m SiteUrl>,
    /// The base URL that the user asked for.
    pub(super) base: Option<&'m str>,
    /// The URL of AFTER that servers answer with the page, and the page's own, which it stands for.
    pub(super) answered: Option<(&'m str, &'m str)>,
}

impl UrlMap<'_> {
    /// Returns the text for a URL of BEFORE that [`UrlMap::found`] gives for its counterpart.
    pub(super) fn expected(&self, url: &str) -> String {
        match parse(url) {
            Some(url) => self.targets.canonical(&self.targets.follow(&url)),
            None => url.to_owned(),
        }
    }

    /// Returns the URL of AFTER for one of BEFORE.
    pub(super) fn after(&self, url: &str) -> Option<String> {
        Some(self.targets.follow(&parse(url)?).to_string())
    }

    /// Returns the text for a URL of AFTER that is the same for all URLs of a file.
    pub(super) fn found(&self, url: &str) -> String {
        match self.of_site(url) {
            Some(url) => self.targets.canonical(&url),
            None => url.to_owned(),
        }
    }

    /// Returns whether `after` is the URL that `before` should be in AFTER, or names the same file.
    pub(super) fn is_same(&self, before: &str, after: &str) -> bool {
        match (parse(before), self.of_site(after)) {
            (Some(before), Some(after)) => {
                let expected = self.targets.follow(&before);
                self.targets.is_same(&expected, &after)
                    || self.targets.canonical(&expected) == self.targets.canonical(&after)
            }
            _ => before == after,
        }
    }

    /// Returns whether `url`, of AFTER, is that of the page itself, sent with the status of what is missing.
    pub(super) fn is_answer(&self, url: &str) -> bool {
        self.answered.is_some_and(|(answered, _)| answered == url)
    }

    /// The URL of the site for a URL of AFTER, which may be one on disk, or an answered one.
    fn of_site(&self, url: &str) -> Option<AbsoluteUrl> {
        let own = self.answered.and_then(|(answered, own)| {
            let rest = url.strip_prefix(answered)?;
            (rest.is_empty() || rest.starts_with(['?', '#'])).then(|| format!("{own}{rest}"))
        });
        let url = own.as_deref().unwrap_or(url);
        match self.disk.and_then(|disk| disk.below(url)) {
            Some(rest) => parse(&format!("{}{rest}", self.targets.after.url())),
            None => parse(url),
        }
    }
}

fn parse(url: &str) -> Option<AbsoluteUrl> {
    let url = Url::parse(url).ok()?;
    Some(AbsoluteUrl::new(Standard::Whatwg, url))
}

/// `text` with every URL in it replaced by what `map` makes of it. Line and column numbers after a URL
/// are dropped, since they move with the lengths of URLs.
pub(super) fn with_mapped_urls(text: &str, map: impl Fn(&str) -> String) -> String {
    const SCHEMES: &[&str] = &["https://", "http://", "file://"];
    let mut mapped = String::with_capacity(text.len());
    let mut rest = text;
    loop {
        let starts = SCHEMES.iter().filter_map(|scheme| rest.find(scheme));
        let Some((before, from)) = starts.min().and_then(|at| rest.split_at_checked(at)) else {
            mapped.push_str(rest);
            return mapped;
        };
        let is_end = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`' | '<' | '>' | ')');
        let end = from.find(is_end).unwrap_or(from.len());
        let (url, after) = from.split_at(end);
        let is_position = |c: char| c == ':' || c.is_ascii_digit();
        let bare = url.trim_end_matches(['.', ',', ';', ':']);
        // Digits at the end of a name stay: only what begins with a colon is a position.
        let last = bare.rfind(|c| !is_position(c));
        let colon = last.and_then(|last| Some(last + bare.get(last..)?.find(':')?));
        let bare = colon.and_then(|colon| bare.get(..colon)).unwrap_or(bare);
        mapped.push_str(before);
        mapped.push_str(&map(bare));
        rest = after;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_in_messages_are_mapped_without_their_positions() {
        let map = |url: &str| format!("<{url}>");
        for (text, expected) in [
            ("no URL", "no URL"),
            ("at https://h/a.js:12:3.", "at <https://h/a.js>"),
            ("url(\"http://h/a1\") x", "url(\"<http://h/a1>\") x"),
            ("'file:///a/b.css' and https://h/", "'<file:///a/b.css>' and <https://h/>"),
            ("http://h:80/x", "<http://h:80/x>"),
        ] {
            assert_eq!(with_mapped_urls(text, map), expected, "{text}");
        }
    }
}
