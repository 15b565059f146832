//! Templates of URLs: names after colons stand for values.

use rehref_url::percent;

/// `template` with the values of its placeholders, of which a part in brackets may be the end; `None` if one of them is not
/// known.
pub(super) fn expanded(template: &str, value: impl Fn(&str) -> Option<String>) -> Option<String> {
    let mut url = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once(':') {
        url.push_str(before);
        let is_of_name = |it: char| it.is_ascii_alphanumeric() || it == '_';
        let length = after.find(|it| !is_of_name(it)).unwrap_or(after.len());
        let (name, part) = after.split_at_checked(length)?;
        let part = part.strip_prefix('[').and_then(|it| it.find(']')).map_or(0, |end| end + 2);
        let (whole, after) = after.split_at_checked(length + part)?;
        match name {
            "" => {
                url.push(':');
                url.push_str(whole);
            }
            _ => url.push_str(&value(whole)?),
        }
        rest = after;
    }
    url.push_str(rest);
    Some(url)
}

/// Returns the bytes of `path` that cannot stand in the path of a URL, percent-encoded.
pub(in crate::markdown) fn encoded(path: &str) -> String {
    let mut encoded = String::with_capacity(path.len());
    percent::encode(&mut encoded, path, percent::EncodeSet::PATH);
    encoded
}
