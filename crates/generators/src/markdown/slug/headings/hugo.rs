//! The text of a heading as Hugo takes it out of goldmark's tree (`render.TextPlain`): bytes of the source, and of
//! an element only the first child.

use pulldown_cmark::{Event, LinkType, Tag};

use super::heading::{Heading, Spanned};
use super::linkify;
use super::text::dashes;
use crate::markdown::destination::named_entity;

/// Returns the text of the heading: the last of its lines.
pub(crate) fn text(heading: &Heading<'_>) -> String {
    let mut text = String::new();
    let mut rest = heading.events.as_slice();
    while !rest.is_empty() {
        push_node(&mut text, heading, rest);
        rest = &rest[node_length(rest)..];
    }
    let text = resolve_entities(&text);
    text.rsplit('\n').next().unwrap_or_default().to_owned()
}

/// Returns the text of the heading where the configuration leaves hyphens as they are.
pub(crate) fn text_with_hyphens(heading: &Heading<'_>) -> String {
    text(heading).replace('\u{2014}', "--")
}

/// How much of a run of text counts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extent {
    All,
    /// Up to where goldmark starts another node.
    FirstNode,
    /// As `FirstNode`, in a link, where no URL becomes a link.
    FirstNodeOfLink,
}

/// The number of events of the node that `events` start with. Text that the parser gives in parts is one node.
fn node_length(events: &[Spanned<'_>]) -> usize {
    let texts = events.iter().take_while(|(event, _)| matches!(event, Event::Text(_)));
    let texts = texts.count();
    if texts > 0 {
        return texts;
    }
    let mut depth = 0_usize;
    let end = events.iter().position(|(event, _)| {
        match event {
            Event::Start(_) => depth += 1,
            Event::End(_) => depth = depth.saturating_sub(1),
            _ => (),
        }
        depth == 0
    });
    end.map_or(events.len(), |end| end + 1)
}

/// Adds the text of the node that `events` start with.
fn push_node(text: &mut String, heading: &Heading<'_>, events: &[Spanned<'_>]) {
    let mut extent = Extent::All;
    let mut rest = events;
    // The first child of the first child, and so on.
    while let [(Event::Start(tag), _), inner @ ..] = rest {
        extent = match tag {
            // `<https://…>` is a node without children.
            Tag::Link { link_type: LinkType::Autolink | LinkType::Email, .. } => return,
            Tag::Link { .. } => Extent::FirstNodeOfLink,
            _ if extent == Extent::FirstNodeOfLink => extent,
            _ => Extent::FirstNode,
        };
        rest = inner;
    }
    match rest.first() {
        Some((Event::Text(_), range)) => {
            let last = rest[..node_length(rest)].last();
            let end = last.map_or(range.end, |(_, range)| range.end);
            let start = range.start - usize::from(heading.is_escaped(range.start));
            push_source(text, heading.source_of(&(start..end)), extent);
        }
        Some((Event::Code(code), _)) => text.push_str(code),
        Some((Event::SoftBreak | Event::HardBreak, _)) => text.push('\n'),
        _ => (),
    }
}

/// Adds text of the source without URLs and addresses, which become links without text, and with dashes for
/// hyphens.
fn push_source(text: &mut String, source: &str, extent: Extent) {
    let is_limited = extent != Extent::All;
    let mut place = 0;
    // goldmark looks for URLs at the start, after white space and some punctuation, and after every other node.
    let mut can_link = true;
    while let Some(character) = source[place..].chars().next() {
        let rest = &source[place..];
        if can_link
            && extent != Extent::FirstNodeOfLink
            && let Some(length) = linkify::goldmark(rest)
        {
            if is_limited {
                return;
            }
            place += length;
            continue;
        }
        let run = || rest.len() - rest.trim_start_matches(character).len();
        let is_node = match character {
            '\'' | '"' | '`' => true,
            '-' | '<' | '>' => rest[1..].starts_with(character),
            _ => rest.starts_with("..."),
        };
        let is_delimiter = matches!(character, '*' | '_' | '~' | '[');
        let length = match character {
            '\\' => 1 + rest[1..].chars().next().map_or(0, char::len_utf8),
            '-' => run(),
            '.' if is_node => 3,
            _ if is_delimiter => run(),
            _ => character.len_utf8(),
        };
        if is_node && is_limited && place > 0 {
            return;
        }
        match character {
            '-' => text.push_str(&dashes(length, |hyphens| hyphens % 3)),
            _ => text.push_str(&rest[..length]),
        }
        if (is_node || is_delimiter) && is_limited {
            return;
        }
        place += length;
        can_link = character.is_ascii_whitespace() || "*_~(".contains(character) || is_node;
    }
}

/// `text` with the characters of named entities, which goldmark resolves in code too. Numeric ones stay as they
/// are.
fn resolve_entities(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        result.push_str(before);
        let end = after.find(|character: char| !character.is_ascii_alphanumeric());
        let name = end.and_then(|end| after.get(..=end)).filter(|name| name.ends_with(';'));
        match name.and_then(|name| Some((named_entity(name)?, name.len()))) {
            Some((characters, length)) => {
                result.push_str(&characters);
                rest = &after[length..];
            }
            None => {
                result.push('&');
                rest = after;
            }
        }
    }
    result + rest
}
