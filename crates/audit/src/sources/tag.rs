//! Tags of HTML, in a built page as in the markup of a source: names, attributes, and whether they end a block.

use std::ops::Range;

/// The elements that do not end a block. All others do: most of those that people name are sections.
const INLINE: &[&str] = &[
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "br", "button", "circle", "cite", "code",
    "data", "del", "dfn", "em", "font", "g", "i", "img", "input", "ins", "kbd", "label", "line",
    "mark", "nobr", "object", "path", "picture", "polygon", "polyline", "q", "rect", "ruby", "s",
    "samp", "small", "source", "span", "strike", "strong", "sub", "sup", "svg", "time", "tt", "u",
    "use", "var", "wbr",
];

/// The elements whose content is not text of the page.
const RAW: &[&str] = &["script", "style", "template", "textarea", "title"];

/// A tag or a comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Markup<'t> {
    /// A start tag; `end` of the markup is after the content, if that is no text.
    Start(Tag<'t>),
    /// The name of the element that ends.
    End(&'t str),
    /// A comment, a doctype, or a processing instruction: what it holds.
    Other(&'t str),
}

/// A start tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tag<'t> {
    pub(super) name: &'t str,
    /// The attributes that have a value: the name, and the value as a byte range of the text.
    pub(super) attributes: Vec<(&'t str, Range<usize>)>,
}

impl Tag<'_> {
    /// Returns the value of the attribute `name` in `text`.
    pub(super) fn attribute<'t>(&self, text: &'t str, name: &str) -> Option<&'t str> {
        let mut attributes = self.attributes.iter();
        let (_, value) = attributes.find(|(it, _)| it.eq_ignore_ascii_case(name))?;
        text.get(value.clone())
    }
}

/// Returns true if the element `name` stands within a block. Components of template languages (`Link`, `my-link`) may.
pub(super) fn is_inline(name: &str) -> bool {
    let is_component = name.contains('-')
        || name.starts_with(|c: char| c.is_ascii_uppercase())
            && name.contains(|c: char| c.is_ascii_lowercase());
    is_component || INLINE.iter().any(|inline| name.eq_ignore_ascii_case(inline))
}

/// Returns the markup that starts at `at`, and where it ends; `None` if none does. With `is_page`, the content of
/// elements that hold no text belongs to their start tag.
pub(super) fn markup(text: &str, at: usize, is_page: bool) -> Option<(Markup<'_>, usize)> {
    let rest = text.get(at..)?.strip_prefix('<')?;
    if let Some(comment) = rest.strip_prefix("!--") {
        let length = memchr::memmem::find(comment.as_bytes(), b"-->").unwrap_or(comment.len());
        let content = comment.get(..length).unwrap_or_default();
        let end = (at + "<!---->".len() + length).min(text.len());
        return Some((Markup::Other(content), end));
    }
    match rest.bytes().next()? {
        b'!' | b'?' => {
            let length = rest.find('>').unwrap_or(rest.len());
            let content = rest.get(..length).unwrap_or_default();
            Some((Markup::Other(content), (at + 2 + length).min(text.len())))
        }
        b'/' => {
            let Some(length) = memchr::memchr(b'>', rest.as_bytes()) else {
                return unfinished(text, is_page);
            };
            let name = rest.get(1..length)?.trim();
            Some((Markup::End(name), at + 2 + length))
        }
        first if first.is_ascii_alphabetic() => {
            let Some((tag, mut end)) = start_tag(text, at) else {
                return unfinished(text, is_page);
            };
            if is_page && let Some(raw) = RAW.iter().find(|raw| tag.name.eq_ignore_ascii_case(raw))
            {
                end = end_of_raw(text, end, raw);
            }
            Some((Markup::Start(tag), end))
        }
        _ => None,
    }
}

/// A tag without an end is dropped, with all that is left of a page.
fn unfinished(text: &str, is_page: bool) -> Option<(Markup<'_>, usize)> {
    is_page.then_some((Markup::Other(""), text.len()))
}

/// The start of the end tag of the element `name`, whose content starts at `at`.
fn end_of_raw(text: &str, at: usize, name: &str) -> usize {
    let rest = text.as_bytes().get(at..).unwrap_or_default();
    let mut ends = memchr::memmem::find_iter(rest, b"</");
    let end = ends.find(|end| {
        let after = rest.get(end + 2..end + 2 + name.len());
        after.is_some_and(|after| after.eq_ignore_ascii_case(name.as_bytes()))
    });
    end.map_or(text.len(), |end| at + end)
}

/// The start tag at `at`, and where it ends.
fn start_tag(text: &str, at: usize) -> Option<(Tag<'_>, usize)> {
    let bytes = text.as_bytes();
    let run = |from: usize, ends: fn(u8) -> bool| {
        let rest = bytes.get(from..).unwrap_or_default();
        from + rest.iter().position(|byte| ends(*byte)).unwrap_or(rest.len())
    };
    let space = |from: usize| run(from, |byte| !byte.is_ascii_whitespace());
    let mut end = run(at + 1, |byte| byte.is_ascii_whitespace() || matches!(byte, b'/' | b'>'));
    let mut tag = Tag { name: text.get(at + 1..end)?, attributes: Vec::new() };
    loop {
        end = run(end, |byte| !byte.is_ascii_whitespace() && byte != b'/');
        if *bytes.get(end)? == b'>' {
            return Some((tag, end + 1));
        }
        let start = end;
        // An equals sign at the start belongs to the name.
        end =
            run(start + 1, |byte| byte.is_ascii_whitespace() || matches!(byte, b'/' | b'>' | b'='));
        let name = text.get(start..end).unwrap_or_default();
        if bytes.get(space(end)) != Some(&b'=') {
            continue;
        }
        let value = space(space(end) + 1);
        let range = match *bytes.get(value)? {
            quote @ (b'"' | b'\'') => {
                let rest = bytes.get(value + 1..)?;
                let length = memchr::memchr(quote, rest)?;
                end = value + 1 + length + 1;
                value + 1..value + 1 + length
            }
            _ => {
                end = run(value, |byte| byte.is_ascii_whitespace() || byte == b'>');
                value..end
            }
        };
        tag.attributes.push((name, range));
    }
}

/// Returns the character that the character reference at `at` stands for, and where it ends. Names stand for no
/// letter: generators write letters as they are. `None` if there is no character reference.
pub(super) fn character_reference(text: &str, at: usize) -> Option<(Option<char>, usize)> {
    /// The longest name in use: `&CounterClockwiseContourIntegral;`.
    const LONGEST: usize = 33;
    let rest = text.as_bytes().get(at..)?.strip_prefix(b"&")?;
    let window = rest.get(..LONGEST.min(rest.len())).unwrap_or_default();
    let length = memchr::memchr(b';', window)?;
    let name = text.get(at + 1..at + 1 + length)?;
    let end = at + 1 + length + 1;
    if let Some(number) = name.strip_prefix('#') {
        let code = match number.strip_prefix(['x', 'X']) {
            Some(digits) => u32::from_str_radix(digits, 16),
            None => number.parse(),
        };
        return Some((char::from_u32(code.ok()?), end));
    }
    let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric());
    is_name.then_some((None, end))
}
