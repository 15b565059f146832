//! Extraction from Markdown: its own links, and the HTML in it.

#[cfg(test)]
mod tests;

use std::borrow::Cow;

use super::document_metadata::outer;
use super::extractor::{Extractor, Place};
use crate::container::{ContainerKind, Syntax, span_in};
use crate::html::engine;
use crate::html::raw::Wanted;
use crate::reference::{BaseOf, Class, Constraints, PageLink, PathRule, Reference};
use crate::scope::Scope;
use crate::value_rules::Usage;
use rehref_generators::markdown::rows;
use rehref_generators::markdown::{
    self, DataValue, Lookup, MarkdownDialect, MarkdownFindings, MarkdownValue, PathReading,
    destination,
};
use rehref_generators::markdown::{is_content_path, is_short_module};
use rehref_url::Span;

/// `source` as text of the same length: malformed bytes are replaced, one character for each.
fn one_byte_for_each(source: &[u8]) -> Cow<'_, str> {
    let mut text = String::new();
    for chunk in source.utf8_chunks() {
        if chunk.valid().len() == source.len() {
            return Cow::Borrowed(chunk.valid());
        }
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|_| '?'));
    }
    Cow::Owned(text)
}

impl Extractor {
    /// Adds a document in Markdown, in UTF-8.
    pub(super) fn markdown(&mut self, place: Place<'_>, dialect: MarkdownDialect) {
        let text = one_byte_for_each(place.source);
        let mut findings = markdown::find(place.source, &text, dialect, self.options.metadata);
        let data = markdown::front_matter_values(&text, dialect, self.options.front_matter);
        let page = dialect.row().page_of_links().map(|page| {
            let (parent, page) = (Some(place.scope), Some(page));
            self.scope(Scope { parent, page, ..Scope::default() })
        });
        let place = Place { page, ..place };
        self.markdown_values(place, dialect, std::mem::take(&mut findings.values));
        self.data_values(place, dialect, &data.values);
        for value in data.markdown {
            self.nested_markdown(place, dialect, value);
        }
        if let Some((span, error)) = data.error {
            let kind = ContainerKind::Markdown(&rows::FRONT_MATTER);
            let container = self.container(place, span, Syntax::Verbatim, kind);
            // The source of a template need not be data.
            if !self.options.templates.is_in(&self.text_of(container)) {
                self.cannot_read(container, error.at, error.message);
            }
        }
        self.html_in_markdown(place, dialect, &findings);
        if self.options.metadata {
            if dialect.row().is_repository {
                self.collector.names.push("readme".to_owned());
            }
            self.collector.found.makers = std::mem::take(&mut findings.makers);
            self.markdown_metadata(place.source, findings);
        }
    }

    /// Adds the links in shortcodes and tags of a document in HTML, and returns it without them.
    pub(super) fn shortcodes(
        &mut self,
        place: Place<'_>,
        dialect: MarkdownDialect,
    ) -> MarkdownFindings {
        let text = one_byte_for_each(place.source);
        let mut findings = markdown::find_in_html(&text, dialect);
        // Simple references are not looked at again.
        self.options.simple &= findings.words.is_empty();
        self.collector.found.unread.append(&mut findings.unread);
        self.collector.found.makers.append(&mut findings.makers);
        self.markdown_values(place, dialect, std::mem::take(&mut findings.values));
        findings
    }

    /// Adds a value of front matter that is Markdown.
    fn nested_markdown(&mut self, place: Place<'_>, dialect: MarkdownDialect, value: DataValue) {
        let kind = ContainerKind::Markdown(value.row);
        let container = self.container(place, value.span, Syntax::Scalar(value.syntax), kind);
        let text = self.text_of(container);
        let source = text.as_bytes();
        if self.is_over() {
            return;
        }
        let mut findings = markdown::find(source, &text, dialect, false);
        let inner = Place {
            parent: Some(container),
            source,
            depth: place.depth + 1,
            is_document: false,
            is_fragment: true,
            ..place
        };
        self.markdown_values(inner, dialect, std::mem::take(&mut findings.values));
        self.html_in_markdown(inner, dialect, &findings);
    }

    /// Adds what Markdown itself has at `place`.
    fn markdown_values(
        &mut self,
        place: Place<'_>,
        dialect: MarkdownDialect,
        values: Vec<MarkdownValue>,
    ) {
        let row = dialect.row();
        for value in values {
            if self.is_over() {
                return;
            }
            let text = destination::decode(value.span.of(place.source), value.form);
            let Some(before) = row.before_url(value.row, text.as_str()) else { continue };
            let value = MarkdownValue { row: row.row_of(value.row, text.as_str()), ..value };
            // What may come before the URL has no escapes.
            let span = Span::from(value.span.start + before..value.span.end);
            let kind = ContainerKind::Markdown(value.row);
            let container = self.container(place, span, Syntax::Markdown(value.form), kind);
            let text = self.text_of(container);
            let reading = row.path_reading();
            let is_name = reading == PathReading::Names && value.row.is_destination();
            let is_of_page = row.is_relative_to_page(value.row, &text) && !is_name;
            let scope = if is_of_page { place.page.unwrap_or(place.scope) } else { place.scope };
            let is_url = row.reads_as_url(value.row, &text);
            let is_module = *value.row == rows::IMPORT && is_short_module(&text);
            let constraints = Constraints {
                absolute: value.row.absolute,
                // A module may be a file with a longer name.
                known_file: !is_module,
                unsure: is_module || value.row.is_unused,
                from_root: row.is_from_root(value.row, text.as_str()) || is_name,
                // Snippets are looked up in the base paths of their extension.
                roots_first: row.is_from_slash(value.row, text.as_str())
                    || *value.row == rows::SNIPPET && !text.starts_with('.'),
                source_path: value.row.is_of_file() || row.is_repository,
                base_path: row.base_path(value.row),
                of_root: value.row.of_root,
                of_includes: !value.row.folder.is_empty(),
                page_link: row.leads_to_pages(value.row, &text).then_some(match reading {
                    _ if row.renames_links => PageLink::Renamed,
                    PathReading::None => PageLink::Url,
                    PathReading::Paths if is_url => PageLink::Url,
                    PathReading::Paths => PageLink::File,
                    PathReading::Names => PageLink::Name,
                }),
                lookup: row.lookup(value.row, text.as_str()),
                may_leave_site: value.row.is_raw,
                path: if value.row.is_path() || value.row.lookup == Lookup::Wiki {
                    PathRule::AsWritten
                } else {
                    PathRule::Any
                },
                ..Constraints::default()
            };
            if constraints.lookup == Lookup::Label {
                self.refer_whole(container, Class::RelativeOnly, &BaseOf::Unknown, constraints)
            } else {
                self.refer(container, &BaseOf::Scope(scope), constraints)
            }
        }
    }

    /// Adds the HTML in Markdown at `place`.
    fn html_in_markdown(
        &mut self,
        place: Place<'_>,
        dialect: MarkdownDialect,
        findings: &MarkdownFindings,
    ) {
        let Some(html) = findings.html.as_deref().filter(|_| !self.is_over()) else { return };
        // Simple references are not looked at again.
        let row = dialect.row();
        self.options.simple &= findings.words.is_empty() && !row.is_strict && !row.is_repository;
        let wanted = Wanted { further: self.options.component_attributes, ..self.options.wanted() };
        let mut raw = match engine::find_values_in_fragment(html, wanted) {
            Ok(raw) => raw,
            Err(error) => return self.fail(error),
        };
        let end_of = |span: Span| {
            let next = findings.html_ends.partition_point(|end| *end < span.start);
            findings.html_ends.get(next).map_or(span.end, |end| span.end.min(*end))
        };
        raw.values.retain(|value| value.span.end == end_of(value.span));
        let contents = raw.contents.iter_mut().map(|content| &mut content.span);
        contents.chain(&mut raw.comments).for_each(|span| span.end = end_of(*span));
        let first = self.found.references.len();
        let scope = place.page.unwrap_or(place.scope);
        let html = Place { source: html, scope, is_fragment: true, ..place };
        self.findings(html, raw);
        self.settle_html(first, dialect);
        self.without_words(first, place, &findings.words);
    }

    /// Adds the values of data, of front matter or a file, that may be links.
    pub(super) fn data_values(
        &mut self,
        place: Place<'_>,
        dialect: MarkdownDialect,
        values: &[DataValue],
    ) {
        for value in values {
            if self.is_over() {
                return;
            }
            let kind = ContainerKind::Markdown(value.row);
            let container = self.container(place, value.span, Syntax::Scalar(value.syntax), kind);
            let is_content_path = is_content_path(&self.text_of(container));
            let constraints = Constraints {
                known_file: true,
                from_root: is_content_path,
                unsure: is_content_path,
                base_path: dialect.row().base_path(value.row),
                path: PathRule::AsWritten,
                ..Constraints::default()
            };
            self.refer(container, &BaseOf::Scope(place.scope), constraints);
        }
    }

    /// Removes the references from index `first` on that hold one of `words` of `place`: the paths in the shortcodes that
    /// these stand for are references of their own.
    pub(super) fn without_words(&mut self, first: usize, place: Place<'_>, words: &[Span]) {
        if words.is_empty() {
            return;
        }
        let containers = &self.found.containers;
        let words: Vec<Span> = words.iter().map(|word| outer(containers, place, *word)).collect();
        let references = self.found.references.split_off(first);
        let is_kept = |it: &Reference| {
            let span = span_in(containers, it.container, it.span);
            let next = words.partition_point(|word| word.end <= span.start);
            words.get(next).is_none_or(|word| word.start >= span.end)
        };
        let kept = references.into_iter().filter(is_kept);
        self.found.references.extend(kept);
    }

    /// Corrects the references of HTML from index `first` on: a fragment is one of the document itself, in JSX a value in
    /// braces is code, a strict generator leaves all as they are, and in a repository a path with a slash at its start counts
    /// from the root.
    fn settle_html(&mut self, first: usize, dialect: MarkdownDialect) {
        let row = dialect.row();
        let containers = &self.found.containers;
        for reference in self.found.references.iter_mut().skip(first) {
            let container = containers.get(reference.container);
            let text = container.map_or("", |it| it.text.as_str());
            // What a component does with a word is not known.
            let is_of_component = container.is_some_and(|it| match &it.kind {
                ContainerKind::Attribute { row, .. } => row.elements.is_empty(),
                _ => false,
            });
            let usage = container.and_then(|it| it.kind.rules()).and_then(|it| it.usage);
            let is_embedded = matches!(usage, Some(Usage::Image | Usage::Resource));
            reference.constraints.base_path = row.html_base_path(is_embedded);
            if is_of_component && !text.starts_with(['/', '.', '#']) && !text.contains("://") {
                reference.class = Class::RelativeOnly;
            }
            if text.starts_with('#') || text.is_empty() {
                reference.base = BaseOf::Scope(0);
            } else if row.html_leads_to_pages(text) {
                let renames = row.renames_links;
                reference.constraints.page_link =
                    Some(if renames { PageLink::Renamed } else { PageLink::Url });
            }
            reference.constraints.source_path |= row.is_repository;
            // Generators import what begins with a dot.
            reference.constraints.url_like |= text.starts_with("./");
            if row.has_expressions() && text.starts_with('{') {
                reference.class = Class::RelativeOnly;
            }
        }
    }
}
