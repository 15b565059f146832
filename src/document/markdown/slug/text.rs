//! The text of a heading that its anchor is made of, as each generator takes it.

use pulldown_cmark::{Event, Tag, TagEnd};

use super::heading::Heading;

/// What the text has for a line break in the source and for one that the author forced.
#[derive(Clone, Copy)]
struct Breaks {
    soft: &'static str,
    hard: &'static str,
}

/// Text and code without markup, as a browser shows them.
pub(super) fn visible(heading: &Heading<'_>) -> String {
    collect(
        heading,
        Breaks {
            soft: "\n",
            hard: "\n",
        },
        false,
    )
}

/// Docusaurus (`mdast-util-to-string`): the alternative text of images counts.
pub(super) fn with_alternatives(heading: &Heading<'_>) -> String {
    collect(
        heading,
        Breaks {
            soft: "\n",
            hard: "",
        },
        true,
    )
}

/// MyST-Parser and markdown-it: text and code only, so that lines run together, and no role.
pub(super) fn tokens(heading: &Heading<'_>) -> String {
    without_roles(heading, Breaks { soft: "", hard: "" }, |_| "")
}

/// docutils (`astext`): a role counts with its title.
pub(super) fn docutils(heading: &Heading<'_>) -> String {
    without_roles(
        heading,
        Breaks {
            soft: "\n",
            hard: "",
        },
        role_title,
    )
}

/// kramdown (`raw_text`): the source.
pub(super) fn source(heading: &Heading<'_>) -> String {
    heading.raw().to_owned()
}

/// mdBook: hyphens became dashes before, and the numbers of footnotes count.
pub(super) fn mdbook(heading: &Heading<'_>) -> String {
    let mut text = String::new();
    each(heading, false, |event| match event {
        Event::Text(part) => {
            text.push_str(&without_dashes(part, |hyphens| usize::from(hyphens == 1)))
        }
        Event::FootnoteReference(name) => {
            if let Some(number) = heading.footnotes.get(&**name) {
                text.push_str(&number.to_string());
            }
        }
        Event::SoftBreak => text.push('\n'),
        Event::Code(part) | Event::InlineMath(part) | Event::DisplayMath(part) => {
            text.push_str(part);
        }
        _ => (),
    });
    text
}

/// kramdown-parser-gfm (`update_raw_text`): `---` and `--` became dashes before.
pub(super) fn kramdown_gfm(heading: &Heading<'_>) -> String {
    let mut text = String::new();
    let mut after_element = false;
    each(heading, false, |event| {
        match event {
            Event::Text(part) => {
                let part = match after_element {
                    true => after_attributes(part),
                    false => part,
                };
                text.push_str(&without_dashes(part, |hyphens| {
                    usize::from(hyphens % 3 == 1)
                }));
            }
            Event::SoftBreak => text.push('\n'),
            Event::Code(part) | Event::InlineMath(part) | Event::DisplayMath(part) => {
                text.push_str(part);
            }
            _ => (),
        }
        after_element = matches!(event, Event::Code(_) | Event::End(_));
    });
    text
}

/// What follows the attributes of a span, `{: …}`, that `text` starts with.
fn after_attributes(text: &str) -> &str {
    match text
        .strip_prefix("{:")
        .and_then(|rest| rest.split_once('}'))
    {
        Some((list, rest)) if !list.is_empty() => rest,
        _ => text,
    }
}

/// `text` with as many hyphens of each run as `kept` says; the others are parts of dashes, which no anchor has.
fn without_dashes(text: &str, kept: fn(usize) -> usize) -> String {
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, run)) = rest.split_once('-') {
        let after = run.trim_start_matches('-');
        result.push_str(before);
        result.push_str(&"-".repeat(kept(1 + run.len() - after.len())));
        rest = after;
    }
    result.push_str(rest);
    result
}

/// Calls `use_event` for the events of the heading, those in images only if `alternatives`.
fn each(heading: &Heading<'_>, alternatives: bool, mut use_event: impl FnMut(&Event<'_>)) {
    let mut images = 0_usize;
    for (event, _) in &heading.events {
        match event {
            Event::Start(Tag::Image { .. }) => images += 1,
            Event::End(TagEnd::Image) => images = images.saturating_sub(1),
            _ => (),
        }
        if images == 0 || alternatives {
            use_event(event);
        }
    }
}

fn collect(heading: &Heading<'_>, breaks: Breaks, alternatives: bool) -> String {
    let mut text = String::new();
    each(heading, alternatives, |event| match event {
        Event::Text(part)
        | Event::Code(part)
        | Event::InlineMath(part)
        | Event::DisplayMath(part) => text.push_str(part),
        Event::SoftBreak => text.push_str(breaks.soft),
        Event::HardBreak => text.push_str(breaks.hard),
        _ => (),
    });
    text
}

/// Text and code, with `title` of the code of a role.
fn without_roles(heading: &Heading<'_>, breaks: Breaks, title: fn(&str) -> &str) -> String {
    let mut text = String::new();
    each(heading, false, |event| match event {
        Event::Text(part) => text.push_str(part),
        Event::Code(part) => match role_start(&text) {
            Some(start) => {
                text.truncate(start);
                text.push_str(title(part));
            }
            None => text.push_str(part),
        },
        Event::SoftBreak => text.push_str(breaks.soft),
        Event::HardBreak => text.push_str(breaks.hard),
        _ => (),
    });
    text
}

/// Where the name of a role, `{name}`, starts that `text` ends with.
fn role_start(text: &str) -> Option<usize> {
    let start = text.strip_suffix('}')?.rfind('{')?;
    let name = &text[start + 1..text.len() - 1];
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || b"_-+:".contains(&byte);
    (!name.is_empty() && name.bytes().all(is_name)).then_some(start)
}

/// The title of `title <target>`, or all of it.
fn role_title(content: &str) -> &str {
    match content
        .strip_suffix('>')
        .and_then(|rest| rest.rsplit_once('<'))
    {
        Some((title, _)) if !title.trim().is_empty() => title.trim(),
        _ => content,
    }
}
