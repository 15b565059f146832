//! Playlists of HTTP Live Streaming (RFC 8216 section 4): their lines that are not tags or comments, and the URLs in tags.

use rehref_url::Span;

/// The spans of the URLs of `text`, without the white space around them: whole lines, and the attributes `URI="..."`
/// and the like of tags.
pub fn urls(text: &str) -> Vec<Span> {
    let lines =
        text.split(['\n', '\r']).map(|line| line.trim_start_matches('\u{FEFF}').trim_ascii());
    let urls = lines.flat_map(|line| {
        let is_url = !line.is_empty() && !line.starts_with('#');
        let attributes = line.starts_with("#EXT-X-").then(|| line.split("URI=\"").skip(1));
        let values = attributes.into_iter().flatten();
        let values = values.filter_map(|after| after.split_once('"').map(|(value, _)| value));
        is_url.then_some(line).into_iter().chain(values.filter(|value| !value.is_empty()))
    });
    urls.filter_map(|url| Span::within(text, url)).collect()
}

#[cfg(test)]
mod tests {
    use super::urls;

    #[test]
    fn lines_and_attributes_are_found() {
        for (text, expected) in [
            ("", vec![]),
            (
                "\u{FEFF}#EXTM3U\r\n# a comment\r\n#EXTINF:4,URI=\"no\"\r\n a.ts \r\n\nb/c.ts?x",
                vec!["a.ts", "b/c.ts?x"],
            ),
            (
                "#EXT-X-MAP:URI=\"init.mp4\",BYTERANGE=\"1@0\"\n#EXT-X-KEY:METHOD=AES-128,URI=\"k\"\ns.m4s",
                vec!["init.mp4", "k", "s.m4s"],
            ),
            (
                "#EXT-X-MEDIA:URI=\"\",NAME=\"URI\"\n#EXT-X-DATERANGE:X-ASSET-URI=\"a\",URI=\"b\"\n#EXT-X-KEY:URI=\"c",
                vec!["a", "b"],
            ),
        ] {
            let found: Vec<&str> = urls(text).into_iter().map(|at| &text[at.range()]).collect();
            assert_eq!(found, expected, "{text:?}");
        }
    }
}
