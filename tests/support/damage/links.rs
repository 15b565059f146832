//! Links that lead elsewhere, are gone, or are new.

use std::ops::Range;

use super::{Plant, Random, Tree, another_letter, find, page, replaced};

type Files = Option<Vec<(String, Option<Vec<u8>>)>>;

pub(super) const KINDS: &[(&str, Plant)] = &[
    ("a link has another path", path),
    ("a link has another fragment", fragment),
    ("a link has another query", query),
    ("a link has a letter in another case", letter_case),
    ("a link has another host", host),
    ("a link lost its parent directory", parent),
    ("two links are exchanged", exchanged),
    ("a link is no link", attribute),
    ("a link is gone with its tag", removed),
    ("a link is new", added),
    ("an image candidate is another", candidate),
    ("a style sheet's URL is another", style_url),
    ("a page got a base", base_added),
    ("a base has another URL", base_changed),
    ("an address in plain text is another", plain),
];

/// The attributes of HTML that every browser reads as one URL, quoted.
const VALUE: &str =
    r#"<[a-z][^<>]*?\s(?:href|src|action|poster|cite|background)\s*=\s*["']([^"'<>{}]+)["']"#;

fn value<'t>(tree: &'t Tree, random: &mut Random) -> Option<(&'t str, &'t [u8], Range<usize>)> {
    let (path, text) = page(tree, random);
    Some((path, text, find(text, VALUE, random)?))
}

fn end_of_path(text: &[u8], value: &Range<usize>) -> usize {
    let length = text[value.clone()].iter().position(|b| b"?#".contains(b));
    length.map_or(value.end, |length| value.start + length)
}

fn path(tree: &Tree, random: &mut Random) -> Files {
    let (path, text, value) = value(tree, random)?;
    let at = end_of_path(text, &value);
    Some(replaced(path, text, at..at, b"zz"))
}

fn fragment(tree: &Tree, random: &mut Random) -> Files {
    let (path, text, value) = value(tree, random)?;
    let with = if text[value.clone()].contains(&b'#') { "zz" } else { "#zz" };
    Some(replaced(path, text, value.end..value.end, with.as_bytes()))
}

fn query(tree: &Tree, random: &mut Random) -> Files {
    let (path, text, value) = value(tree, random)?;
    let at = end_of_path(text, &value);
    let with = if text.get(at) == Some(&b'?') { "?zz=1;" } else { "?zz=1" };
    let end = at + usize::from(text.get(at) == Some(&b'?'));
    Some(replaced(path, text, at..end, with.as_bytes()))
}

fn letter_case(tree: &Tree, random: &mut Random) -> Files {
    let (path, text, value) = value(tree, random)?;
    let end = end_of_path(text, &value);
    let name = text[value.start..end].iter().rposition(|&b| b == b'/');
    let start = name.map_or(value.start, |at| value.start + at + 1);
    // Schemes, hosts and percent-encoding are the same in both cases.
    let is_plain = text[start..end].iter().all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(b));
    let is_file = text[value.start..end].contains(&b'.') && !text[start..end].starts_with(b".");
    let letter = (start..end).find(|&at| text[at].is_ascii_lowercase())?;
    let is_host = text[value.start..start].ends_with(b"//");
    let upper = [text[letter].to_ascii_uppercase()];
    (is_plain && is_file && !is_host).then(|| replaced(path, text, letter..letter + 1, &upper))
}

fn host(tree: &Tree, random: &mut Random) -> Files {
    let (path, text) = page(tree, random);
    let host = find(text, r#"["'=]https?://([^/"'<>:]+)"#, random)?;
    Some(replaced(path, text, host, b"elsewhere.example"))
}

fn parent(tree: &Tree, random: &mut Random) -> Files {
    let (path, text) = page(tree, random);
    let pattern = r#"<[a-z][^<>]*?\s(?:href|src)\s*=\s*["'](\.\./)[a-z]"#;
    Some(replaced(path, text, find(text, pattern, random)?, b""))
}

fn exchanged(tree: &Tree, random: &mut Random) -> Files {
    let (path, text, one) = value(tree, random)?;
    let other = find(text, VALUE, random)?;
    let (first, last) = if one.start < other.start { (one, other) } else { (other, one) };
    let stem = |value: &Range<usize>| {
        let name = text[value.clone()].rsplit(|&b| b == b'/').next().unwrap_or_default();
        name.split(|b| !b.is_ascii_alphabetic()).next().unwrap_or_default().to_vec()
    };
    let (one, other) = (stem(&first), stem(&last));
    if first.end > last.start || one == other || one.is_empty() || other.is_empty() {
        return None;
    }
    let bytes = [
        &text[..first.start],
        &text[last.clone()],
        &text[first.end..last.start],
        &text[first],
        &text[last.end..],
    ];
    Some(vec![(path.to_owned(), Some(bytes.concat()))])
}

fn attribute(tree: &Tree, random: &mut Random) -> Files {
    let (path, text) = page(tree, random);
    let name = find(text, r#"<[a-z][^<>]*?\s(href|src|srcset|action)\s*="#, random)?;
    Some(replaced(path, text, name, b"data-was"))
}

fn removed(tree: &Tree, random: &mut Random) -> Files {
    let (path, text) = page(tree, random);
    let tag = find(text, r"(<(?:a|img|link|script|area)\s[^<>]*(?:href|src)\s*=[^<>]*>)", random)?;
    Some(replaced(path, text, tag, b""))
}

fn added(tree: &Tree, random: &mut Random) -> Files {
    let (path, text) = page(tree, random);
    let at = find(text, r"<p[^<>]*(>)", random)?.end;
    Some(replaced(path, text, at..at, b"<a href=\"zz.html\"></a>"))
}

fn candidate(tree: &Tree, random: &mut Random) -> Files {
    let (path, text) = page(tree, random);
    let url = find(text, r#"\ssrcset\s*=\s*["']\s*([^"'\s,]+)"#, random)?;
    Some(replaced(path, text, url.end..url.end, b"zz"))
}

fn style_url(tree: &Tree, random: &mut Random) -> Files {
    let sheets = tree.iter().filter(|(path, _)| path.ends_with(".css") || path.ends_with(".html"));
    let sheets: Vec<_> = sheets.collect();
    let (path, text) = *random.one_of(&sheets);
    let url = find(text, r#"url\(\s*["']?([^"'()\s#]+)"#, random)?;
    Some(replaced(path, text, url.end..url.end, b"zz"))
}

fn base_added(tree: &Tree, random: &mut Random) -> Files {
    let (path, text) = page(tree, random);
    let head = find(text, r"(<head[^<>]*>)", random)?.end;
    Some(replaced(path, text, head..head, b"<base href=\"zz/\">"))
}

fn base_changed(tree: &Tree, random: &mut Random) -> Files {
    let (path, text) = page(tree, random);
    let url = find(text, r#"<base\s[^<>]*href\s*=\s*["']([^"']*)["']"#, random)?;
    another_letter(path, text, url, random)
}

fn plain(tree: &Tree, random: &mut Random) -> Files {
    let names = ["robots.txt", "sitemap.xml", "feed.xml", "site.webmanifest"];
    let (path, text) = tree.get_key_value(*random.one_of(&names))?;
    let url = find(text, r#"(?:<loc>|<link>|Sitemap: |"start_url": ")([^<"\n]+)"#, random)?;
    Some(replaced(path, text, url.end..url.end, b"zz"))
}
