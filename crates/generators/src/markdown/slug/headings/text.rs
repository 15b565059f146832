//! The text of a heading that its anchor is made of, as each generator takes it.

use std::borrow::Cow;

use pulldown_cmark::{Event, Tag, TagEnd};

use super::heading::{Heading, Spanned};
use crate::markdown::slug::emoji::without_icons;
use crate::markdown::slug::unicode::is_python_space;

/// Text and code without markup, as a browser shows them.
pub(crate) fn visible(heading: &Heading<'_>) -> String {
    let mut text = String::new();
    each(heading, false, |(event, _)| {
        text.push_str(match event {
            Event::SoftBreak | Event::HardBreak => "\n",
            _ => own_text(event),
        });
    });
    text
}

/// Docusaurus (`mdast-util-to-string`): the alternative text of images counts, directives (`:name`) do not.
pub(crate) fn docusaurus(heading: &Heading<'_>) -> String {
    let mut text = String::new();
    each_run(heading, true, |run| match run {
        Run::Text(run) => text.push_str(&without_directives(run)),
        Run::Other(Event::SoftBreak) => text.push('\n'),
        Run::Other(event) => text.push_str(own_text(event)),
    });
    text
}

/// Python-Markdown (`strip_tags`): white space is collapsed, unless an entity says it.
pub(crate) fn python_markdown(heading: &Heading<'_>) -> String {
    python_text(heading, |literal| literal.into())
}

/// Returns the same with the extension `emoji` of PyMdown Extensions: icons are elements.
pub(crate) fn with_icons(heading: &Heading<'_>) -> String {
    python_text(heading, |literal| without_icons(literal).into())
}

fn python_text(heading: &Heading<'_>, read: fn(&str) -> Cow<'_, str>) -> String {
    let mut text = String::new();
    let mut literal = String::new();
    let mut after_element = false;
    each(heading, false, |spanned| {
        let event = &spanned.0;
        if heading.is_literal(spanned) {
            literal.push_str(own_text(event));
            return;
        }
        push_python_text(&mut text, &read(&literal), after_element);
        literal.clear();
        match event {
            Event::Text(part) => text.push_str(part),
            Event::FootnoteReference(label) => text.push_str(label),
            Event::SoftBreak | Event::HardBreak => push_collapsed(&mut text, " "),
            _ => push_collapsed(&mut text, own_text(event)),
        }
        after_element = match event {
            Event::End(end) => *end != TagEnd::Strikethrough,
            _ => matches!(event, Event::Code(_)),
        };
    });
    push_python_text(&mut text, &read(&literal), after_element);
    text.trim_end_matches(' ').to_owned()
}

/// Adds literal text without the attribute list after an element.
fn push_python_text(text: &mut String, literal: &str, after_element: bool) {
    let list = literal.strip_prefix('{').and_then(|list| list.split_once('}'));
    push_collapsed(text, list.filter(|_| after_element).map_or(literal, |(_, after)| after));
}

fn push_collapsed(text: &mut String, part: &str) {
    for character in part.chars() {
        if !is_python_space(character) {
            text.push(character);
        } else if !text.is_empty() && !text.ends_with(' ') {
            text.push(' ');
        }
    }
}

/// MyST-Parser (`compute_unique_slug`): text and code only, so that lines run together, and neither roles nor
/// footnotes.
pub(super) fn myst(heading: &Heading<'_>) -> String {
    without_roles(heading, false)
}

/// docutils (`astext`): roles count with their title, footnotes with a number that the author gave. Without the
/// extension `strikethrough`, its tildes are text.
pub(crate) fn docutils(heading: &Heading<'_>) -> String {
    without_roles(heading, true)
}

fn without_roles(heading: &Heading<'_>, is_docutils: bool) -> String {
    let is_kept = |label: &str| is_docutils && label.bytes().all(|byte| byte.is_ascii_digit());
    let mut text = String::new();
    each_run(heading, false, |run| match run {
        Run::Text(run) => push_without_footnotes(&mut text, run, is_kept),
        Run::Other(Event::Code(code)) => match role_start(&text) {
            Some(start) => {
                text.truncate(start);
                text.push_str(if is_docutils { role_title(code) } else { "" });
            }
            None => text.push_str(code),
        },
        Run::Other(Event::FootnoteReference(label)) if is_kept(label) => text.push_str(label),
        Run::Other(Event::SoftBreak) if is_docutils => text.push('\n'),
        Run::Other(Event::Start(Tag::Strikethrough) | Event::End(TagEnd::Strikethrough))
            if is_docutils =>
        {
            text.push_str("~~");
        }
        Run::Other(event) => text.push_str(own_text(event)),
    });
    text
}

/// mdBook: hyphens became dashes before, and the numbers of footnotes count.
pub(crate) fn mdbook(heading: &Heading<'_>) -> String {
    let mut text = String::new();
    each(heading, false, |(event, _)| match event {
        Event::Text(part) => text.push_str(&with_dashes(part, |hyphens| hyphens)),
        Event::FootnoteReference(name) => {
            if let Some(number) = heading.footnotes.get(&**name) {
                text.push_str(&number.to_string());
            }
        }
        Event::SoftBreak => text.push('\n'),
        _ => text.push_str(own_text(event)),
    });
    text
}

/// kramdown-parser-gfm (`update_raw_text`): `---` and `--` became dashes before.
pub(crate) fn kramdown_gfm(heading: &Heading<'_>) -> String {
    let mut text = String::new();
    let mut after_element = false;
    each(heading, false, |(event, _)| {
        match event {
            Event::Text(part) => {
                let list = part.strip_prefix("{:").and_then(|rest| rest.split_once('}'));
                let list = list.filter(|(list, _)| after_element && !list.is_empty());
                let part = list.map_or(&**part, |(_, after)| after);
                text.push_str(&with_dashes(part, |hyphens| hyphens % 3));
            }
            Event::SoftBreak => text.push('\n'),
            _ => text.push_str(own_text(event)),
        }
        after_element = matches!(event, Event::Code(_) | Event::End(_));
    });
    text
}

/// `text` with dashes for hyphens.
fn with_dashes(text: &str, remainder: fn(usize) -> usize) -> String {
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, run)) = rest.split_once('-') {
        let after = run.trim_start_matches('-');
        result.push_str(before);
        result.push_str(&dashes(1 + run.len() - after.len(), remainder));
        rest = after;
    }
    result + rest
}

/// Replaces a run of hyphens as a typographer does: dashes, which no anchor has, and a hyphen if one is the
/// `remainder`.
pub(super) fn dashes(hyphens: usize, remainder: fn(usize) -> usize) -> String {
    let dash = if hyphens > 1 { "\u{2014}" } else { "" };
    let hyphen = if remainder(hyphens) == 1 { "-" } else { "" };
    format!("{dash}{hyphen}")
}

/// `text` without the directives of remark-directive: `:name`, neither after a colon nor before one. A label in
/// brackets stays.
pub(super) fn without_directives(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    // Looked for once only.
    let last_close = text.len() - text.rfind('}').unwrap_or(0);
    while let Some((before, after)) = rest.split_once(':') {
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        let name = &after[..after.find(|c| !is_name(c)).unwrap_or(after.len())];
        let follows_colon = before.is_empty() && result.ends_with(':');
        let is_directive = name.starts_with(|c: char| c.is_ascii_alphabetic())
            && !name.ends_with(['-', '_'])
            && !after[name.len()..].starts_with(':');
        result.push_str(before);
        rest = after;
        if is_directive && !follows_colon {
            rest = &after[name.len()..];
            let list = rest.strip_prefix('{').filter(|it| it.len() >= last_close);
            let list = list.and_then(|list| list.split_once('}'));
            rest = list.map_or(rest, |(_, after)| after);
        } else {
            result.push(':')
        }
    }
    result + rest
}

/// Adds `text` without the references to footnotes that have no definition, which MyST-Parser takes for references too;
/// a label that `is_kept` stays.
fn push_without_footnotes(result: &mut String, text: &str, is_kept: impl Fn(&str) -> bool) {
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("[^") {
        result.push_str(before);
        let end = after.find(|c: char| c == ']' || c.is_whitespace());
        let end = end.unwrap_or(after.len());
        match after.split_at(end) {
            (label, after) if !label.is_empty() && after.starts_with(']') => {
                result.push_str(if is_kept(label) { label } else { "" });
                rest = &after[1..];
            }
            // No label begins before this end either.
            (label, after) => {
                result.push_str("[^");
                result.push_str(label);
                rest = after;
            }
        }
    }
    result.push_str(rest);
}

/// Where the name of a role, `{name}`, starts that `text` ends with.
fn role_start(text: &str) -> Option<usize> {
    let text = text.strip_suffix('}')?;
    let is_name = |c: char| c.is_ascii_alphanumeric() || "_-+:".contains(c);
    let before = text.trim_end_matches(is_name).strip_suffix('{')?;
    (before.len() + 1 < text.len()).then_some(before.len())
}

/// The title of `title <target>`, or all of it.
fn role_title(content: &str) -> &str {
    match content.strip_suffix('>').and_then(|rest| rest.rsplit_once('<')) {
        Some((title, _)) if !title.trim().is_empty() => title.trim(),
        _ => content,
    }
}

/// The text of one event.
fn own_text<'e>(event: &'e Event<'_>) -> &'e str {
    match event {
        Event::Text(text)
        | Event::Code(text)
        | Event::InlineMath(text)
        | Event::DisplayMath(text) => text,
        _ => "",
    }
}

/// Calls `use_event` for the events of the heading, those in images only if `alternatives`.
fn each<'h>(
    heading: &'h Heading<'_>,
    alternatives: bool,
    mut use_event: impl FnMut(&'h Spanned<'h>),
) {
    let mut images = 0_usize;
    for spanned in &heading.events {
        match spanned.0 {
            Event::Start(Tag::Image { .. }) => images += 1,
            Event::End(TagEnd::Image) => images = images.saturating_sub(1),
            _ => (),
        }
        if images == 0 || alternatives {
            use_event(spanned);
        }
    }
}

/// Text that the parser gives in parts, as one; or another event.
enum Run<'h> {
    Text(&'h str),
    Other(&'h Event<'h>),
}

fn each_run(heading: &Heading<'_>, alternatives: bool, mut use_run: impl FnMut(Run<'_>)) {
    let mut text = String::new();
    each(heading, alternatives, |(event, _)| {
        if let Event::Text(part) = event {
            text.push_str(part);
            return;
        }
        if !text.is_empty() {
            use_run(Run::Text(&text));
            text.clear();
        }
        use_run(Run::Other(event));
    });
    use_run(Run::Text(&text));
}
