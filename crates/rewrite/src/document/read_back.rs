//! Reads a changed document of a generator again: names that are files anywhere may mean something else in its syntax, such as
//! `[b]/a` in a `toctree`, `*` in navigation, or a name without an extension in front matter.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use crate::bases::DocumentUrls;
use rehref_document::container::{Container, ContainerKind};
use rehref_document::reference::BaseOf;
use rehref_document::{Document, DocumentKind, ParseOptions, Reference};
use rehref_url::{TextEdit, percent_decoded, splice, splice_text};

/// Returns the containers of Markdown and navigation that, after `changes` of the containers of `document`, do not
/// hold the links that they should. `is_again`: without those of a first time; then it is all or none, so that there
/// is no third time.
pub(super) fn unread(
    document: &Document<'_>,
    own: DocumentUrls<'_>,
    options: &ParseOptions,
    changes: &[Vec<TextEdit>],
    is_again: bool,
) -> BTreeSet<usize> {
    let is_source = matches!(options.kind, DocumentKind::Markdown(_) | DocumentKind::Navigation(_));
    let is_changed = |it: &&Reference| changes.get(it.container).is_some_and(|it| !it.is_empty());
    let changed = document.references.iter().filter(is_changed);
    let changed: Vec<&Reference> = changed.filter(|it| is_value(document, it)).collect();
    if !is_source || changed.is_empty() {
        return BTreeSet::new();
    }
    let made = document.edits(changes.to_vec());
    let bytes = splice(document.working_bytes(), &made);
    let mut found = FxHashMap::default();
    let parsed = Document::parse(&bytes, options).map(|it| it.at_page(own.page_after));
    if let Ok(parsed) = &parsed {
        let values = parsed.references.iter().filter(|it| is_value(parsed, it));
        found.extend(values.map(|it| (parsed.span_of(it).start, (parsed, it))));
    }
    // The bytes that the edits up to each one add and remove.
    let mut sums = vec![(0, 0)];
    for edit in &made {
        let (added, removed) = sums.last().copied().unwrap_or_default();
        sums.push((added + edit.replacement.len(), removed + edit.span.len()));
    }
    let is_read = |reference: &Reference| {
        let start = document.span_of(reference).start;
        let before = made.partition_point(|it| it.span.start < start);
        let (added, removed) = sums.get(before).copied().unwrap_or_default();
        let start = start + added - removed;
        let container = document.container_of(reference);
        let text = container.map_or("", |it| it.text.as_str());
        let own = changes.get(reference.container);
        let text = splice_text(text, own.map_or(&[], Vec::as_slice));
        // Quotes may come before it.
        let mut now = [start, start + 1].into_iter();
        now.any(|start| {
            found.get(&start).is_some_and(|(parsed, it)| {
                // A link to a place in the page resolves against nothing else.
                let is_in_page = text.starts_with('#');
                let is_same =
                    || is_same_base(&it.base, &reference.base) && it.class == reference.class;
                (is_in_page || is_same())
                    && parsed.container_of(it).map(|it| &it.kind) == container.map(|it| &it.kind)
                    && percent_decoded(parsed.text_of(it)) == percent_decoded(&text)
            })
        })
    };
    let containers = |references: Vec<&Reference>| {
        let containers = references.into_iter().map(|it| it.container);
        containers.collect()
    };
    let unread = changed.iter().copied().filter(|it| !is_read(it));
    let unread: Vec<&Reference> = unread.collect();
    if is_again && !unread.is_empty() { containers(changed) } else { containers(unread) }
}

/// Returns true if two references resolve against the same place. The name of a directory may change, too.
fn is_same_base(one: &BaseOf, other: &BaseOf) -> bool {
    match (one, other) {
        (BaseOf::Codebase(one, _), BaseOf::Codebase(other, _)) => one == other,
        _ => one == other,
    }
}

/// Returns true if `reference` is one whole value of the document itself, in Markdown or in data.
fn is_value(document: &Document<'_>, reference: &Reference) -> bool {
    let is_of_markdown =
        |it: &Container| matches!(it.kind, ContainerKind::Markdown(_)) && it.parent.is_none();
    document.container_of(reference).is_some_and(is_of_markdown)
}
