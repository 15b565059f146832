//! Selectors that match elements by the text of their references, as `a[href^="http"]`: rewritten, a
//! reference may look different.

use rehref_url::Span;

/// The attributes with references that style sheets select by.
const ATTRIBUTES: &[&str] = &["href", "src", "action", "cite", "data", "poster"];

/// The longest selector, in bytes.
const LONGEST: usize = 256;

/// Returns the attribute selectors of the style sheet `css` that compare the start or the whole text of a link,
/// such as `[href^="/"]`, in order.
pub fn link_selectors(css: &[u8]) -> impl Iterator<Item = Span> {
    memchr::memchr_iter(b'[', css).filter_map(|start| {
        let rest = css.get(start..)?;
        let rest = rest.get(..LONGEST.min(rest.len()))?;
        let end = memchr::memchr(b']', rest)? + 1;
        let selector = rest.get(1..end - 1)?;
        is_link_selector(selector).then(|| Span::from(start..start + end))
    })
}

fn is_link_selector(selector: &[u8]) -> bool {
    let Some(equals) = memchr::memchr(b'=', selector) else { return false };
    let (name, value) = selector.split_at(equals);
    // A reference keeps its end: `$=` selects by it.
    let name = match name.split_last() {
        Some((b'^' | b'*' | b'|' | b'~', name)) => name,
        Some((b'$', _)) => return false,
        _ => name,
    };
    let name = name.trim_ascii();
    let value = value.get(1..).unwrap_or_default().trim_ascii_start();
    // In a string of a script, quotes may be escaped.
    let value = value.strip_prefix(b"\\").unwrap_or(value);
    let value = value.strip_prefix(b"\"").unwrap_or(value);
    let value = value.strip_prefix(b"'").unwrap_or(value);
    let scheme = value.split(|b| *b == b':').next().unwrap_or_default();
    // References with these schemes stay as they are.
    let is_opaque = ["javascript", "mailto", "tel", "data"]
        .iter()
        .any(|known| scheme.eq_ignore_ascii_case(known.as_bytes()) && scheme.len() < value.len());
    let mut attributes = ATTRIBUTES.iter();
    attributes.any(|known| name.eq_ignore_ascii_case(known.as_bytes())) && !is_opaque
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selectors_by_the_text_of_references() {
        for (css, expected) in [
            (
                "a[href*='://']::after { b: c } img[src=\"x\"] {}",
                &["[href*='://']", "[src=\"x\"]"][..],
            ),
            ("a[ HREF ^= http ] {}", &["[ HREF ^= http ]"]),
            ("a[href^='#'] {}", &["[href^='#']"]),
            ("a[href] [title='x'] [href$='.pdf'] [data-href=x] {}", &[]),
            ("a[href^='mailto:'], a[href^=\"javascript:\"] {}", &[]),
            ("a[href^='mail'] [href", &["[href^='mail']"]),
        ] {
            let found: Vec<&str> =
                link_selectors(css.as_bytes()).map(|span| span.of_str(css)).collect();
            assert_eq!(found, expected, "{css}");
        }
    }
}
