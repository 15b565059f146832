//! The emoji that generators make of `:name:` and of emoticons before they look for the text of a heading.

use std::sync::LazyLock;

use rustc_hash::FxHashSet;

use super::unicode::is_emoticon_boundary;

/// The names that markdown-it-emoji's `full` preset knows, which are GitHub's.
static NAMES: LazyLock<FxHashSet<&str>> =
    LazyLock::new(|| include_str!("emoji_names.txt").lines().collect());

/// The emoticons with a letter or digit; the others are punctuation, which no anchor has anyway.
const EMOTICONS: &[&str] = &[
    "</3", "<\\3", "<3", "o:)", "O:)", "o:-)", "O:-)", "0:)", "0:-)", ":'D", ":'-D", ":,D", ":,-D",
    "x-)", "X-)", ":o", ":-o", ":O", ":-O", ":D", ":-D", ":P", ":-P", "8-)", "B-)", ":s", ":-S",
    ":z", ":-Z",
];

/// Adds `token` to `text` without the emoji of markdown-it-emoji.
pub(super) fn push_without_emoji(text: &mut String, token: &str) {
    let mut place = 0;
    while let Some(character) = token[place..].chars().next() {
        let rest = &token[place..];
        match name_length(rest).or_else(|| emoticon_length(&token[..place], rest)) {
            Some(length) => place += length,
            None => {
                text.push(character);
                place += character.len_utf8();
            }
        }
    }
}

/// The starts of the names of the icons of Material for MkDocs.
const ICONS: &[&str] = &["material-", "fontawesome-", "octicons-", "simple-"];

/// `text` without the emoji and icons of PyMdown Extensions, and their attribute lists.
pub(super) fn without_icons(text: &str) -> String {
    let mut kept = String::new();
    let mut rest = text;
    while let Some(colon) = rest.find(':') {
        let (before, from) = rest.split_at(colon);
        kept.push_str(before);
        let icon = icon_length(from).or_else(|| name_length(from));
        let Some(after) = icon.and_then(|length| from.get(length..)) else {
            kept.push(':');
            rest = from.get(1..).unwrap_or_default();
            continue;
        };
        let list = after.strip_prefix('{').and_then(|list| list.split_once('}'));
        rest = list.map_or(after, |(_, rest)| rest);
    }
    kept + rest
}

/// The length of the icon that `rest` starts with.
fn icon_length(rest: &str) -> Option<usize> {
    let (name, _) = rest.strip_prefix(':')?.split_once(':')?;
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    let is_icon = ICONS.iter().any(|start| name.starts_with(start));
    (is_icon && name.bytes().all(is_name)).then_some(name.len() + 2)
}

/// The length of the `:name:` that `rest` starts with.
fn name_length(rest: &str) -> Option<usize> {
    let (name, _) = rest.strip_prefix(':')?.split_once(':')?;
    NAMES.contains(name).then_some(name.len() + 2)
}

/// The length of the emoticon that `rest` starts with, and that stands apart from words.
fn emoticon_length(before: &str, rest: &str) -> Option<usize> {
    let emoticon = EMOTICONS.iter().find(|&&emoticon| rest.starts_with(emoticon))?;
    let stands_apart = before.chars().next_back().is_none_or(is_emoticon_boundary)
        && rest[emoticon.len()..].chars().next().is_none_or(is_emoticon_boundary);
    stands_apart.then_some(emoticon.len())
}
