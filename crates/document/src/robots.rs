//! `robots.txt`: the `Sitemap` lines (RFC 9309 section 2.2.4 allows such other records; sitemaps.org,
//! "Specifying the Sitemap location in your robots.txt file").

use rehref_url::Span;

/// The spans of the values of the `Sitemap` lines of `text`, without the white space around them and
/// without empty values.
pub fn sitemaps(text: &str) -> Vec<Span> {
    let value_of = |line| {
        // RFC 9309 section 2.2: comments run from "#" to the end of the line.
        let record = str::split(line, '#').next()?;
        let (name, value) = record.split_once(':')?;
        let name = name.trim_start_matches('\u{FEFF}').trim_ascii();
        let value = value.trim_ascii();
        let is_sitemap = name.eq_ignore_ascii_case("sitemap") && !value.is_empty();
        Span::within(text, value).filter(|_| is_sitemap)
    };
    text.split(['\n', '\r']).filter_map(value_of).collect()
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
            let found: Vec<&str> = sitemaps(text).into_iter().map(|at| &text[at.range()]).collect();
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
