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
