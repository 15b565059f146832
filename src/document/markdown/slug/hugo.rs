//! The text of a heading as Hugo takes it out of goldmark's tree (`render.TextPlain`): bytes of the source, and of
//! an element only the first child.

use pulldown_cmark::{Event, Parser, TagEnd};

use super::heading::{Heading, Spanned};
use super::linkify;
use super::text::dashes;

/// The text of the heading: the last of its lines.
pub(super) fn text(heading: &Heading<'_>) -> String {
    let mut text = String::new();
    let mut rest = heading.events.as_slice();
    while let Some((node, after)) = split_node(rest) {
        push_node(&mut text, heading, node, Extent::All);
        rest = after;
    }
    let text = resolve_entities(&text);
    text.rsplit('\n').next().unwrap_or_default().to_owned()
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

type Nodes<'e, 'a> = &'e [Spanned<'a>];

/// The events of the first node, and those after it. Text that the parser gives in parts is one node.
fn split_node<'e, 'a>(events: Nodes<'e, 'a>) -> Option<(Nodes<'e, 'a>, Nodes<'e, 'a>)> {
    if matches!(events.first()?.0, Event::Text(_)) {
        let texts = events
            .iter()
            .take_while(|(event, _)| matches!(event, Event::Text(_)));
        return Some(events.split_at(texts.count()));
    }
    let mut depth = 0_usize;
    for (index, (event, _)) in events.iter().enumerate() {
        match event {
            Event::Start(_) => depth += 1,
            Event::End(_) => depth = depth.saturating_sub(1),
            _ => (),
        }
        if depth == 0 {
            return Some(events.split_at(index + 1));
        }
    }
    Some((events, &[]))
}

fn push_node(text: &mut String, heading: &Heading<'_>, node: Nodes<'_, '_>, extent: Extent) {
    let [(event, range), inner @ ..] = node else {
        return;
    };
    match event {
        Event::Text(_) => {
            let end = node.last().map_or(range.end, |(_, range)| range.end);
            let is_escaped = heading.source_of(&(0..range.start)).ends_with('\\');
            let start = range.start - usize::from(is_escaped);
            push_source(text, heading.source_of(&(start..end)), extent);
        }
        Event::Code(code) => text.push_str(code),
        Event::SoftBreak | Event::HardBreak => text.push('\n'),
        Event::Start(_) => {
            let is_link = matches!(node.last(), Some((Event::End(TagEnd::Link), _)));
            let is_autolink = is_link && heading.source_of(range).starts_with('<');
            if let Some((first, _)) = split_node(inner)
                && !is_autolink
            {
                let extent = match is_link || extent == Extent::FirstNodeOfLink {
                    true => Extent::FirstNodeOfLink,
                    false => Extent::FirstNode,
                };
                push_node(text, heading, first, extent);
            }
        }
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
        let run = rest.len() - rest.trim_start_matches(character).len();
        let is_node = match character {
            '\'' | '"' | '`' => true,
            '-' | '<' | '>' => run > 1,
            '.' => run > 2,
            _ => false,
        };
        let is_delimiter = matches!(character, '*' | '_' | '~' | '[');
        let length = match character {
            '\\' => 1 + rest[1..].chars().next().map_or(0, char::len_utf8),
            '-' => run,
            '.' if is_node => 3,
            _ if is_delimiter => run,
            _ => character.len_utf8(),
        };
        if is_node && is_limited && place > 0 {
            return;
        }
        match character {
            '-' => text.push_str(&dashes(run, |hyphens| hyphens % 3)),
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
        match end.filter(|&end| end > 0 && after[end..].starts_with(';')) {
            Some(end) => {
                result.push_str(&entity(&after[..end]));
                rest = &after[end + 1..];
            }
            None => {
                result.push('&');
                rest = after;
            }
        }
    }
    result.push_str(rest);
    result
}

/// The characters of the entity `name`, or its source. The table is the Markdown parser's.
fn entity(name: &str) -> String {
    let source = format!("&{name};");
    let mut events = Parser::new(&source).into_offset_iter();
    let text = events.find_map(|(event, range)| match event {
        Event::Text(text) if range.len() == source.len() => Some(text.into_string()),
        _ => None,
    });
    text.unwrap_or(source)
}
