//! A parsed document: its charset, containers, references and scopes.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8};

use super::TemplateDialects;
use super::container::{Container, ContainerKind, span_in};
use super::document_error::DocumentError;
use super::encoding::{self, Charset};
use super::fetch_option::FetchOption;
use super::message::Part;
use super::message::parts::entities;
use super::metadata::Metadata;
use super::reference::{Class, Reference, sort_references};
use super::scope::Scope;
use super::simple::SimpleReference;
use rehref_url::{AbsoluteUrl, Edit, Span, TextEdit, splice};

/// A parsed document: its containers, references and base URLs.
#[derive(Clone, Debug, Default)]
pub struct Document<'a> {
    /// Of its own for a transcoded document.
    pub(super) working: Cow<'a, [u8]>,
    /// The working bytes as text, where they are the document's own bytes, in UTF-8.
    pub(super) text: Option<&'a str>,
    /// The charset with which the texts of the document are decoded.
    pub charset: Charset,
    /// The pieces of text that hold references; parents come first.
    pub containers: Vec<Container>,
    /// All references that are not in `simple`, in the order of their places.
    pub references: Vec<Reference>,
    /// The simple references, in the order of their places; only with
    /// [`ParseOptions::simple`](super::ParseOptions::simple).
    pub simple: Vec<SimpleReference>,
    /// The values that control how browsers load a file: its digests and its CORS mode.
    pub fetch_options: Vec<FetchOption>,
    /// The containers with a Content Security Policy.
    pub policies: Vec<usize>,
    /// The parts with a base URL of their own, parents first; the first is the document itself.
    pub scopes: Vec<Scope>,
    /// The parts of a message, each after the part around it; the first is the message itself.
    /// Empty for other documents.
    pub parts: Vec<Part>,
    /// The containers that cannot be decoded or parsed, so that their references are unknown.
    pub unreadable: Vec<UnreadableContainer>,
    /// The offset at which a new `base` element would come first in the head; `None` for a document that is not
    /// HTML.
    pub head_start: Option<usize>,
    /// The template languages whose markup makes a reference unknown.
    pub templates: TemplateDialects,
    /// True if the document has no URL: see [`ParseOptions`](super::ParseOptions).
    pub no_url: bool,
    /// See [`Document::at_page`].
    pub(super) page: Option<AbsoluteUrl>,
    /// Metadata that the audit collects; only with
    /// [`ParseOptions::metadata`](super::ParseOptions::metadata).
    pub metadata: Option<Metadata>,
}

/// A container whose references are unknown, because it is malformed, encrypted or in an unknown encoding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnreadableContainer {
    /// The index of the container in [`Document::containers`].
    pub container: usize,
    /// The offset of the error in the decoded text.
    pub at: usize,
    pub message: String,
}

impl<'a> Document<'a> {
    /// Sets the URL of the page that a generator makes of a Markdown document, if it does not follow from the
    /// URL of the document. Browsers resolve URLs that the generator does not change against this URL.
    #[must_use]
    pub fn at_page(self, page: Option<&AbsoluteUrl>) -> Document<'a> {
        Document { page: page.cloned(), ..self }
    }

    /// Returns the text of a simple reference.
    pub fn text_of_simple(&self, simple: &SimpleReference) -> &str {
        let span = simple.span();
        match self.text {
            Some(text) => span.of_str(text),
            // Its characters are ASCII.
            None => std::str::from_utf8(span.of(&self.working)).unwrap_or(""),
        }
    }

    /// Removes the simple references from the document and returns them.
    pub fn take_simple(&mut self) -> Vec<SimpleReference> {
        std::mem::take(&mut self.simple)
    }

    /// Moves simple references of the document to its ordinary references.
    pub fn put_back(&mut self, simple: impl IntoIterator<Item = SimpleReference>) {
        let before = self.references.len();
        for simple in simple {
            let index = self.containers.len();
            let (container, reference) =
                simple.into_reference(&self.working, self.charset.encoding, index);
            self.containers.push(container);
            self.references.push(reference);
        }
        if self.references.len() > before {
            sort_references(&mut self.references, &self.containers);
        }
    }

    /// Returns the bytes that a container stands in: the text of its parent, or the working bytes.
    pub(super) fn source_of(&self, container: &Container) -> Option<&[u8]> {
        match container.parent {
            None => Some(&self.working),
            Some(parent) => Some(self.containers.get(parent)?.text.as_str().as_bytes()),
        }
    }

    /// Returns the container that holds a reference.
    pub fn container_of(&self, reference: &Reference) -> Option<&Container> {
        self.containers.get(reference.container)
    }

    /// Returns the decoded reference as the author wrote it.
    pub fn text_of(&self, reference: &Reference) -> &str {
        let container = self.container_of(reference);
        container.map_or("", |it| reference.span.of_str(it.text.as_str()))
    }

    /// Returns the encoding of the bytes around the container at `index`.
    pub fn encoding_around(&self, mut index: usize) -> &'static Encoding {
        while let Some(container) = self.containers.get(index) {
            match (container.parent, &container.kind) {
                (Some(parent), _) => index = parent,
                (None, ContainerKind::Part(_)) => return container.query_encoding,
                (None, _) => break,
            }
        }
        if self.transcoded().is_some() { UTF_8 } else { self.charset.encoding }
    }

    /// Returns the text of a reference before the first template markup or placeholder in it.
    pub fn known_part(&self, reference: &Reference) -> &str {
        let text = self.text_of(reference);
        if reference.class != Class::TemplateMarkup {
            return text;
        }
        let end = self.templates.find(text).or_else(|| text.find('{'));
        end.and_then(|end| text.get(..end)).unwrap_or("")
    }

    /// Returns the span of a reference in the working bytes.
    pub fn span_of(&self, reference: &Reference) -> Span {
        span_in(&self.containers, reference.container, reference.span)
    }

    /// Returns the bytes to which spans refer: the source, or UTF-8 for a transcoded document.
    pub fn working_bytes(&self) -> &[u8] {
        &self.working
    }

    /// Returns the working bytes of a transcoded document.
    pub fn transcoded(&self) -> Option<&[u8]> {
        matches!(self.working, Cow::Owned(_)).then_some(&*self.working)
    }

    /// Returns true if applying edits to the source gives the same bytes as [`Document::with_edits`], which
    /// then cannot fail.
    pub fn is_plain(&self) -> bool {
        self.transcoded().is_none() && self.parts.len() < 2
    }

    /// Turns `changes` of the decoded texts of its containers (one list for each, in the same order; parents first)
    /// into edits of its working bytes. Replacements have to be ASCII.
    ///
    /// Bytes outside the edits do not change. Replacements are escaped by the syntax of each level; an
    /// unquoted attribute value gets quotes if it now needs them.
    pub fn edits(&self, changes: Vec<Vec<TextEdit>>) -> Vec<Edit> {
        self.visit_changes(changes, |_, _| {})
    }

    /// As [`Document::edits`], and also calls `visit` for each container with all changes of its text, in
    /// order: its own changes and those of the containers within it. Visits inner containers before outer ones,
    /// and otherwise the last container first.
    pub fn visit_changes(
        &self,
        mut changes: Vec<Vec<TextEdit>>,
        mut visit: impl FnMut(&Container, &[TextEdit]),
    ) -> Vec<Edit> {
        let mut edits = Vec::new();
        for (index, container) in self.containers.iter().enumerate().rev() {
            let mut own = changes.get_mut(index).map(std::mem::take).unwrap_or_default();
            own.sort_by_key(|change| change.span);
            visit(container, &own);
            let Some(source) = self.source_of(container).filter(|_| !own.is_empty()) else {
                continue;
            };
            let outer = container.raise(source, own);
            match container.parent.and_then(|at| changes.get_mut(at)) {
                None => edits.extend(outer.into_iter().map(Edit::from)),
                Some(parent_changes) => parent_changes.extend(outer),
            }
        }
        edits.sort_by_key(|edit| edit.span);
        edits
    }

    /// Returns the document with `edits` (sorted, not overlapping) applied, in its own encoding.
    ///
    /// # Errors
    /// Returns an error if a replacement holds a character that the encoding does not have (never in URLs, which are
    /// ASCII), or when it would divide a part of a message.
    pub fn with_edits(&self, edits: &[Edit]) -> Result<Vec<u8>, DocumentError> {
        let spliced = splice(&self.working, edits);
        if let [message, _, ..] = self.parts.as_slice()
            && entities(&spliced, &message.media_type, usize::MAX).len() != self.parts.len()
        {
            return Err(DocumentError::Delimiter);
        }
        match self.working {
            Cow::Borrowed(_) => Ok(spliced),
            Cow::Owned(_) => Ok(encoding::original_bytes(&spliced, self.charset.encoding)?),
        }
    }

    /// Returns the offset of the container at `index` in the working bytes.
    pub fn start_of(&self, index: usize) -> usize {
        span_in(&self.containers, index, Span::at(0)).start
    }

    /// Returns the decoded text of the container at `index`.
    pub fn text_at(&self, index: usize) -> &str {
        let container = self.containers.get(index);
        container.map_or("", |container| container.text.as_str())
    }
}
