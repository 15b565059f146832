//! The text of a heading as VitePress takes it out of markdown-it's tokens: text and code, without emoji and
//! attribute lists, and with entities as the source has them.

use pulldown_cmark::{Event, Tag, TagEnd};

use super::attributes::markdown_it_list;
use super::emoji;
use super::heading::Heading;

/// The text of the heading.
pub(super) fn text(heading: &Heading<'_>) -> String {
    let mut text = String::new();
    let mut images = 0_usize;
    let mut start = 0;
    // An attribute list may follow code, an image, or the end of an element.
    let mut takes_attributes = false;
    while let Some((event, _)) = heading.events.get(start) {
        let mut end = start + 1;
        match event {
            Event::Start(Tag::Image { .. }) => images += 1,
            Event::End(TagEnd::Image) => images = images.saturating_sub(1),
            _ if images > 0 => (),
            Event::Code(code) => text.push_str(code),
            Event::FootnoteReference(_) => {
                text.push_str(heading.source_of(&heading.events[start].1));
            }
            Event::Text(_) => {
                let texts = heading.events[start..].iter();
                let texts = texts.take_while(|(event, _)| matches!(event, Event::Text(_)));
                end = start + texts.count();
                push_texts(&mut text, heading, start..end, takes_attributes);
            }
            _ => (),
        }
        takes_attributes = matches!(event, Event::Code(_) | Event::End(_));
        start = end;
    }
    text
}

/// Adds the text of consecutive events: tokens of literal text, with escapes and entities between them.
fn push_texts(
    text: &mut String,
    heading: &Heading<'_>,
    range: std::ops::Range<usize>,
    takes_attributes: bool,
) {
    let events = &heading.events[range];
    let mut rest = events;
    let mut is_first = true;
    while let Some(((event, place), after)) = rest.split_first() {
        let Event::Text(part) = event else { return };
        if !heading.is_literal(&rest[0]) {
            // The token of an entity that stands alone is not joined with another, and stays decoded.
            let is_alone = events.len() == 1;
            text.push_str(match is_alone {
                true => part,
                false => heading.source_of(place),
            });
            rest = after;
            is_first = false;
            continue;
        }
        let mut end = place.end;
        let mut count = 1;
        for spanned in after {
            if spanned.1.start != end || !heading.is_literal(spanned) {
                break;
            }
            end = spanned.1.end;
            count += 1;
        }
        let mut token = heading.source_of(&(place.start..end));
        if takes_attributes && is_first {
            token = after_attributes(token);
        }
        emoji::push_without(text, token);
        rest = &rest[count..];
        is_first = false;
    }
}

/// What follows the attribute list that `token` starts with.
fn after_attributes(token: &str) -> &str {
    let list = token.strip_prefix('{').and_then(|rest| {
        let first = rest.chars().next()?.len_utf8();
        let end = first + rest.get(first..)?.find('}')?;
        Some((&rest[..end], &rest[end + 1..]))
    });
    match list {
        Some((list, rest)) if !rest.starts_with('}') && markdown_it_list(list).is_some() => rest,
        _ => token,
    }
}
