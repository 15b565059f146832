//! Brackets to which a document has no definition: wiki links, code, and references whose definitions are missing.

use std::collections::HashSet;

use pulldown_cmark::{BrokenLink, LinkType};

use super::definitions::folded;
use super::destination::DestinationForm;
use super::rows::{self, MarkdownValue};
use rehref_url::Span;

/// Returns true if an author means brackets as a link: after a letter or a bracket, they are an index in code.
pub(super) fn is_reference(text: &str, link: &BrokenLink<'_>) -> bool {
    let before = text.get(..link.span.start).unwrap_or_default();
    let last = before.trim_end_matches('!').chars().next_back();
    !last.is_some_and(|it| it.is_alphanumeric() || matches!(it, ']' | ')' | '_' | '`'))
}

/// Returns the target of the wiki link (`[[target#heading|text]]`) that a `link` without a definition is in.
pub(super) fn wiki_link(text: &str, link: &BrokenLink<'_>) -> Option<MarkdownValue> {
    let before = text.get(..link.span.start)?.strip_suffix('[')?;
    let after = text.get(link.span.end..)?.strip_prefix(']')?;
    // Brackets about brackets, and what is meant as a definition, are text.
    let is_wiki = link.link_type == LinkType::Shortcut
        && !after.starts_with(['(', '[', ']', ':'])
        && !before.ends_with('[');
    let inner = text.get(link.span.start + 1..link.span.end - 1).filter(|_| is_wiki)?;
    let target = inner.split(['|', '#', '\\']).next().unwrap_or_default();
    let first = target.chars().next()?;
    let is_name = target == target.trim()
        && (first.is_alphanumeric() || matches!(first, '_' | '.' | '/'))
        && target.contains(|it: char| it.is_alphabetic())
        // The table of contents.
        && !target.eq_ignore_ascii_case("toc")
        && !target.contains(['\n', '[', '=', '<', '>', '*', '"', ':']);
    let is_code =
        before.ends_with(|it: char| it.is_alphanumeric() || matches!(it, '\\' | ']' | ')'));
    let start = link.span.start + 1;
    (is_name && !is_code).then(|| MarkdownValue {
        span: Span::from(start..start + target.len()),
        form: DestinationForm::Path,
        row: if before.ends_with('!') { &rows::WIKI_IMAGE } else { &rows::WIKI },
    })
}

/// Returns the labels whose definitions CommonMark cannot read until a template in them is rendered.
pub(super) fn template_definitions(source: &str) -> HashSet<String> {
    let label = |line: &str| {
        let (label, url) = line.trim_start().strip_prefix('[')?.split_once("]:")?;
        url.contains("{{").then(|| folded(label))
    };
    source.lines().filter_map(label).collect()
}
