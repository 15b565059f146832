//! Text files whose lines name URLs: `robots.txt`, the `_headers` of a host, playlists, and lists or notes with absolute URLs.

use super::link_header;
use rehref_url::Span;

/// The syntax of a text file whose lines name URLs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LineSyntax {
    /// `robots.txt`: its `Sitemap` lines (RFC 9309 section 2.2.4 allows such other records; sitemaps.org, "Specifying the
    /// Sitemap location in your robots.txt file"), and the paths without wildcards of its rules.
    Robots,
    /// `_headers` of Netlify, Cloudflare Pages and others: its paths without wildcards, and the URLs of `Link` headers.
    Headers,
    /// A playlist of HTTP Live Streaming (RFC 8216 section 4): its lines that are not tags or comments, and the attributes
    /// `URI="..."` and the like of tags.
    Playlist,
    /// Any text that contains absolute URLs: `sitemap.txt`, `llms.txt`, `security.txt`.
    Urls,
}

/// The role of a URL in a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LineRole {
    /// A link.
    Link,
    /// A link that its readers expect to be absolute.
    Listed,
    /// A path from the root of the host, or the start of other paths.
    Path,
}

use LineRole::{Link, Listed, Path};

/// Records of `robots.txt`, and the roles of their values.
const RECORDS: [(&str, LineRole); 3] = [("sitemap", Listed), ("allow", Path), ("disallow", Path)];

impl LineSyntax {
    /// Hands the URLs of `text` to `found`, in order, without the white space around them and without empty ones.
    pub(crate) fn urls(self, text: &str, mut found: impl FnMut(Span, LineRole)) {
        let mut add = |url: &str, role: LineRole| {
            let is_wanted = if role == Path { is_literal_path(url) } else { !url.is_empty() };
            if let Some(span) = Span::within(text, url).filter(|_| is_wanted) {
                found(span, role);
            }
        };
        for line in text.split(['\n', '\r']) {
            let line = line.trim_start_matches('\u{FEFF}');
            match self {
                LineSyntax::Robots => {
                    // RFC 9309 section 2.2: comments run from "#" to the end of the line.
                    let record = line.split('#').next().and_then(|record| record.split_once(':'));
                    let Some((name, value)) = record else { continue };
                    let name = name.trim_ascii();
                    let mut records = RECORDS.iter();
                    if let Some((_, it)) = records.find(|(it, _)| name.eq_ignore_ascii_case(it)) {
                        add(value.trim_ascii(), *it);
                    }
                }
                LineSyntax::Headers if !line.starts_with([' ', '\t']) => {
                    add(line.trim_ascii(), Path);
                }
                LineSyntax::Headers => match line.split_once(':') {
                    Some((name, value)) if name.trim_ascii().eq_ignore_ascii_case("link") => {
                        for url in link_header::urls(value) {
                            add(url.of_str(value).trim_ascii(), Path);
                        }
                    }
                    _ => {}
                },
                LineSyntax::Playlist if line.trim_ascii().starts_with("#EXT-X-") => {
                    let values = line.split("URI=\"").skip(1).filter_map(|it| it.split_once('"'));
                    values.for_each(|(value, _)| add(value, Link));
                }
                LineSyntax::Playlist if line.trim_ascii().starts_with('#') => {}
                LineSyntax::Playlist => add(line.trim_ascii(), Link),
                LineSyntax::Urls => absolute_urls(line).for_each(|url| add(url, Listed)),
            }
        }
    }
}

/// Returns true if `url` is a path from the root of the host, or an absolute URL, without wildcards and placeholders.
fn is_literal_path(url: &str) -> bool {
    let path = match url.split_once("://") {
        Some((scheme, rest)) if scheme.bytes().all(|b| b.is_ascii_alphabetic()) => {
            rest.trim_start_matches(|c| c != '/')
        }
        _ => url,
    };
    path.starts_with('/') && !path.contains(['*', '$', ':']) && !url.contains(char::is_whitespace)
}

/// The absolute URLs of HTTP in `line`, up to white space, a quote or a bracket, without the punctuation after them.
/// Parentheses in pairs belong to the URL.
fn absolute_urls(line: &str) -> impl Iterator<Item = &str> {
    let mut rest = line;
    std::iter::from_fn(move || {
        loop {
            let url = rest.get(rest.find("http")?..)?;
            let after_scheme = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"));
            let Some(after_scheme) = after_scheme else {
                rest = url.strip_prefix("http")?;
                continue;
            };
            let mut depth = 0_usize;
            let end = after_scheme.find(|c: char| match c {
                '(' => {
                    depth += 1;
                    false
                }
                ')' if depth > 0 => {
                    depth -= 1;
                    false
                }
                _ => c.is_whitespace() || "\"'`<>)[]{}|".contains(c),
            });
            rest = after_scheme.get(end.unwrap_or(after_scheme.len())..)?;
            let url = url.get(..url.len() - rest.len())?;
            let url = url.trim_end_matches(['.', ',', ';', ':', '!', '?']);
            if !url.ends_with("://") {
                return Some(url);
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const SYNTAXES: [LineSyntax; 4] =
        [LineSyntax::Robots, LineSyntax::Headers, LineSyntax::Playlist, LineSyntax::Urls];

    fn urls(syntax: LineSyntax, text: &str) -> Vec<(Span, LineRole)> {
        let mut found = Vec::new();
        syntax.urls(text, |span, role| found.push((span, role)));
        found
    }

    #[test]
    fn urls_are_found_by_line() {
        use LineSyntax::{Headers, Playlist, Robots, Urls};
        for (syntax, text, expected) in [
            (Robots, "", &[][..]),
            (Robots, "Sitemap: https://a/s.xml", &["https://a/s.xml"]),
            (Robots, "\u{FEFF}sitemap:/s.xml\r\n", &["/s.xml"]),
            (
                Robots,
                "User-agent: *\nDisallow: /x\n\nSITEMAP :  a.xml # why\rSiteMap:b.xml",
                &["/x", "a.xml", "b.xml"],
            ),
            (Robots, "# Sitemap: a\nSitemap: # b\nSitemap\nSitemaps: c", &[]),
            (Robots, "  Sitemap:\thttp://a:80/ä.xml\t", &["http://a:80/ä.xml"]),
            (Robots, "Disallow:\nAllow: /a*\nallow: /b$\nDisallow: c\nAllow: /d/", &["/d/"]),
            (
                Headers,
                "# x\n# see https://g.org/x\n#https://g.org/x\nx https://g.org/x\n/a.html\n  Link: </b.css>; rel=preload, <c.css>\n  X: /d\n/e/*\n/:f\nhttps://g.org/h",
                &["/a.html", "/b.css", "https://g.org/h"],
            ),
            (
                Playlist,
                "\u{FEFF}#EXTM3U\r\n# a comment\r\n#EXTINF:4,URI=\"no\"\r\n a.ts \r\n\nb/c.ts?x",
                &["a.ts", "b/c.ts?x"],
            ),
            (
                Playlist,
                "#EXT-X-MAP:URI=\"init.mp4\",BYTERANGE=\"1@0\"\n#EXT-X-KEY:METHOD=AES-128,URI=\"k\"\ns.m4s",
                &["init.mp4", "k", "s.m4s"],
            ),
            (
                Playlist,
                "#EXT-X-MEDIA:URI=\"\",NAME=\"URI\"\n#EXT-X-DATERANGE:X-ASSET-URI=\"a\",URI=\"b\"\n#EXT-X-KEY:URI=\"c",
                &["a", "b"],
            ),
            (
                Urls,
                "- [a](https://a.org/b): see <http://c/d>, https://e/f.\n/g https:// x:http://h/i http",
                &["https://a.org/b", "http://c/d", "https://e/f", "http://h/i"],
            ),
            (
                Urls,
                "https://a/b_(c).html\n(https://d/e_(f)),(http://g)\nhttps://h/web/http://i/ https://j/?u=http://k",
                &[
                    "https://a/b_(c).html", "https://d/e_(f)", "http://g",
                    "https://h/web/http://i/", "https://j/?u=http://k",
                ],
            ),
        ] {
            let found = urls(syntax, text);
            let found: Vec<&str> = found.into_iter().map(|(at, _)| at.of_str(text)).collect();
            assert_eq!(found, expected, "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn values_are_in_order_and_stripped(
            text in "([sS]itemap|https?://|Link|[:</> \r\n\tä\u{FEFF}]|[a-z]{0,3}){0,20}"
        ) {
            for syntax in SYNTAXES {
                let mut end = 0;
                for (span, _) in urls(syntax, &text) {
                    prop_assert!(end <= span.start && span.start < span.end);
                    prop_assert_eq!(span.of_str(&text).trim_ascii(), span.of_str(&text));
                    end = span.end;
                }
            }
        }
    }
}
