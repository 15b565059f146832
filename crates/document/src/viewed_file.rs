//! The file that a link to the viewer of pdf.js names in its query: `viewer.html?file=../a.pdf`, a URL that counts
//! from the viewer.

use encoding_rs::UTF_8;

use rehref_url::{AbsoluteUrl, Span, percent_decoded};

/// The end of the path of the viewer's page.
const PAGE: &str = "viewer.html";
/// The parameter that names the file, with its sign.
const PARAMETER: &str = "file=";

/// Returns the span of the file's URL in the query of `url`, a URL of a viewer.
pub fn viewed_file(url: &str) -> Option<Span> {
    let end = url.find('#').unwrap_or(url.len());
    let question_mark = url.get(..end)?.find('?')?;
    if !url.get(..question_mark)?.ends_with(PAGE) {
        return None;
    }
    let mut start = question_mark + 1;
    for parameter in url.get(start..end)?.split('&') {
        if let Some(value) = parameter.strip_prefix(PARAMETER).filter(|it| !it.is_empty()) {
            let value_start = start + PARAMETER.len();
            return Some(Span::from(value_start..value_start + value.len()));
        }
        start += parameter.len() + 1;
    }
    None
}

/// Returns the URL of the file that `viewer`, the URL of a viewer, names in its query.
pub fn viewed_file_url(viewer: &AbsoluteUrl) -> Option<AbsoluteUrl> {
    let value = viewed_file(viewer.as_str())?.of_str(viewer.as_str());
    let text = String::from_utf8(percent_decoded(value)).ok()?;
    viewer.resolve(&text, UTF_8).ok()
}

/// Returns `url`, a URL of a viewer, with `file` as the URL of the file, in the same spelling as before.
pub fn with_viewed_file(url: &str, file: &str) -> Option<String> {
    let span = viewed_file(url)?;
    let (before, after) = (url.get(..span.start)?, url.get(span.end..)?);
    let old = span.of_str(url).to_ascii_lowercase();
    let escapes = |byte: u8| match byte {
        b'/' => old.contains("%2f"),
        b':' => old.contains("%3a"),
        b'?' => old.contains("%3f"),
        b'=' => old.contains("%3d"),
        _ => !byte.is_ascii_alphanumeric() && !b"-._~!*'(),;@$".contains(&byte),
    };
    let mut value = String::with_capacity(file.len());
    for byte in file.bytes() {
        match escapes(byte) {
            true => value += &format!("%{byte:02X}"),
            false => value.push(byte.into()),
        }
    }
    Some([before, &value, after].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_is_the_value_of_its_parameter() {
        for (url, expected) in [
            ("web/viewer.html?file=../a.pdf", Some("../a.pdf")),
            ("viewer.html?x=1&file=a%20b.pdf&y#page=2", Some("a%20b.pdf")),
            ("viewer.html?profile=a.pdf", None),
            ("viewer.html?file=", None),
            ("viewer.html#?file=a.pdf", None),
            ("other.html?file=a.pdf", None),
        ] {
            assert_eq!(viewed_file(url).map(|it| it.of_str(url)), expected, "{url}");
        }
    }

    #[test]
    fn a_file_is_written_as_the_one_before() {
        for (url, file, expected) in [
            ("viewer.html?file=../a.pdf#p", "../b/c.pdf", "viewer.html?file=../b/c.pdf#p"),
            ("viewer.html?file=..%2Fa.pdf", "../b/c.pdf", "viewer.html?file=..%2Fb%2Fc.pdf"),
            ("viewer.html?file=a&b", "c d&e.pdf", "viewer.html?file=c%20d%26e.pdf&b"),
        ] {
            assert_eq!(with_viewed_file(url, file).as_deref(), Some(expected), "{url}");
        }
    }
}
