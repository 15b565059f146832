//! `robots.txt`: the `Sitemap` lines (RFC 9309 section 2.2.4 allows such other records; sitemaps.org,
//! "Specifying the Sitemap location in your robots.txt file").

use crate::document::Span;

/// The values of the `Sitemap` lines, white space around them stripped; lines without a value are
/// left out.
pub fn sitemaps(text: &str) -> Vec<Span> {
    let mut found = Vec::new();
    let mut start = 0;
    for line in text.split(['\n', '\r']) {
        let line_start = start;
        start += line.len() + 1;
        // RFC 9309 section 2.2: comments run from "#" to the end of the line.
        let record = line.split('#').next().unwrap_or_default();
        let Some((name, value)) = record.split_once(':') else {
            continue;
        };
        let name = name.trim_start_matches('\u{FEFF}').trim_ascii();
        let stripped = value.trim_ascii();
        if !name.eq_ignore_ascii_case("sitemap") || stripped.is_empty() {
            continue;
        }
        let leading = value.len() - value.trim_ascii_start().len();
        let value_start = line_start + record.len() - value.len() + leading;
        found.push(Span::from(value_start..value_start + stripped.len()));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::sitemaps;
    use proptest::prelude::*;

    #[test]
    fn sitemap_lines_are_found() {
        for (text, expected) in [
            ("", vec![]),
            ("Sitemap: https://a/s.xml", vec!["https://a/s.xml"]),
            ("\u{FEFF}sitemap:/s.xml\r\n", vec!["/s.xml"]),
            (
                "User-agent: *\nDisallow: /x\n\nSITEMAP :  a.xml # why\rSiteMap:b.xml",
                vec!["a.xml", "b.xml"],
            ),
            ("# Sitemap: a\nSitemap: # b\nSitemap\nSitemaps: c", vec![]),
            ("  Sitemap:\thttp://a:80/ä.xml\t", vec!["http://a:80/ä.xml"]),
        ] {
            let found: Vec<&str> = sitemaps(text)
                .into_iter()
                .map(|at| &text[at.range()])
                .collect();
            assert_eq!(found, expected, "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn values_are_in_order_and_stripped(text in "([sS]itemap|[:# \r\n\tä\u{FEFF}]|[a-z]{0,3}){0,20}") {
            let mut end = 0;
            for range in sitemaps(&text) {
                prop_assert!(end <= range.start && range.start < range.end);
                prop_assert_eq!(text[range.range()].trim_ascii(), &text[range.range()]);
                end = range.end;
            }
        }
    }
}
