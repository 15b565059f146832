//! The text of a heading as VitePress takes it out of markdown-it's tokens: text and code, without emoji and
//! attribute lists, and with entities as the source has them.

use pulldown_cmark::{Event, Tag, TagEnd};

use super::attributes::after_markdown_it_lists;
use super::heading::Heading;
use crate::markdown::slug::emoji;

/// Returns the text of the heading.
pub(crate) fn text(heading: &Heading<'_>) -> String {
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

/// Adds the text of consecutive events: tokens of literal text, with escapes and entities between them. Beside
/// strong text, markdown-it leaves an empty token.
fn push_texts(
    text: &mut String,
    heading: &Heading<'_>,
    range: std::ops::Range<usize>,
    takes_attributes: bool,
) {
    let is_alone = range.len() == 1
        && !matches!(heading.events.get(range.end), Some((Event::Start(Tag::Strong), _)))
        && !matches!(
            range.start.checked_sub(1).map(|before| &heading.events[before]),
            Some((Event::End(TagEnd::Strong), _))
        );
    let events = &heading.events[range];
    let mut rest = events;
    let mut is_first = true;
    while let Some(((event, place), after)) = rest.split_first() {
        let Event::Text(part) = event else { return };
        if !heading.is_literal(&rest[0]) {
            // An entity that is not joined with another token stays decoded.
            text.push_str(if is_alone { part } else { heading.source_of(place) });
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
        if token.starts_with('&') && heading.is_escaped(place.start) && !(is_alone && token == "&")
        {
            text.push_str("&amp;");
            token = &token[1..];
        }
        if takes_attributes && is_first {
            token = after_markdown_it_lists(token);
        }
        emoji::push_without_emoji(text, token);
        rest = &rest[count..];
        is_first = false;
    }
}
