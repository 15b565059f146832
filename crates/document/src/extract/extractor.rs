//! The state that extraction from every kind of document shares: the text being read, and the
//! containers, references and metadata found so far.

use encoding_rs::Encoding;

use super::custom_properties::CustomProperties;
use super::metadata_collector::MetadataCollector;
use crate::budget::{Budget, CONTAINER, PIECE};
use crate::container::{Container, ContainerKind, Syntax};
use crate::html::raw::TooComplex;
use crate::metadata::Rel;
use crate::options::ParseOptions;
use crate::reference::{BaseOf, Class, Constraints, Reference, sort_references, urls_of};
use crate::scope::Scope;
use crate::xml::{self, Entities, UnknownEntity};
use crate::{Document, UnreadableContainer};
use rehref_generators::Text;
use rehref_generators::data::scalar;
use rehref_generators::markdown::destination;
use rehref_url::Span;

/// The deepest level of documents in documents. Each level of `srcdoc` is escaped once more, so real
/// documents have only a few.
pub(super) const NESTING: usize = 16;

/// A text with carriers, and the circumstances of its references.
#[derive(Clone, Copy)]
pub(crate) struct Place<'p> {
    /// The container of the text; `None` for the working bytes of the document.
    pub(super) parent: Option<usize>,
    /// The text, in `encoding`.
    pub(super) source: &'p [u8],
    pub(super) encoding: &'static Encoding,
    pub(super) query_encoding: &'static Encoding,
    pub(super) scope: usize,
    /// The scope of the page that a generator makes of Markdown, if it has one of its own.
    pub(super) page: Option<usize>,
    /// The number of documents and fragments around it; at most [`NESTING`].
    pub(super) depth: usize,
    /// True if it is the document itself, or the document in a part of a message.
    pub(super) is_document: bool,
    /// True if a `base` element here does not affect the scope's base URL.
    pub(super) is_fragment: bool,
    /// See [`Constraints::absolute`].
    pub(super) needs_absolute: bool,
}

impl<'p> Place<'p> {
    /// Returns the document itself.
    pub(crate) fn of_document(
        source: &'p [u8],
        encoding: &'static Encoding,
        query_encoding: &'static Encoding,
    ) -> Place<'p> {
        Place {
            parent: None,
            source,
            encoding,
            query_encoding,
            scope: 0,
            page: None,
            depth: 0,
            is_document: true,
            is_fragment: false,
            needs_absolute: false,
        }
    }
}

/// Collects the contents of a document.
pub(crate) struct Extractor {
    /// The document, without what is not extracted: its bytes and its charset.
    pub(super) found: Document<'static>,
    pub(super) options: ParseOptions,
    pub(super) collector: MetadataCollector,
    pub(super) custom_properties: CustomProperties,
    /// The entities that the XML document declares.
    pub(super) entities: Entities,
    /// Once it is exceeded, nothing more is added.
    pub(super) budget: Budget,
    /// The reason the document cannot be read to its end.
    pub(super) error: Option<TooComplex>,
}

impl Extractor {
    /// Starts with the scope of the document itself, which has `size` bytes.
    pub(crate) fn new(size: usize, options: &ParseOptions) -> Extractor {
        let mut extractor = Extractor {
            found: Document::default(),
            options: *options,
            collector: MetadataCollector::default(),
            custom_properties: CustomProperties::default(),
            entities: Entities::default(),
            budget: Budget::new(size, options.memory),
            error: None,
        };
        extractor.scope(Scope::default());
        extractor
    }

    /// Ends the reading of the document with an error.
    pub(super) fn fail(&mut self, error: TooComplex) {
        self.error.get_or_insert(error);
    }

    /// Returns true if nothing more is added.
    pub(super) fn is_over(&self) -> bool {
        self.error.is_some() || self.budget.result().is_err()
    }

    /// Adds a scope, and returns its index.
    pub(super) fn scope(&mut self, scope: Scope) -> usize {
        self.found.scopes.push(scope);
        self.found.scopes.len() - 1
    }

    /// Adds the container of the bytes `span` of `place`, decoded by its syntax.
    pub(super) fn container(
        &mut self,
        place: Place<'_>,
        span: Span,
        syntax: Syntax,
        kind: ContainerKind,
    ) -> usize {
        let decoded = self.decode(span.of(place.source), syntax, place);
        let error = decoded.as_ref().err().map(ToString::to_string);
        if let Ok(text) = &decoded {
            self.budget.take_expansion(text.as_str(), span.len());
        }
        let text = decoded.unwrap_or_default();
        let container = self.push(Container {
            query_encoding: place.query_encoding,
            is_readable: error.is_none(),
            ..Container::new(place.parent, span, text, syntax, kind)
        });
        if let Some(error) = error {
            self.cannot_read(container, 0, error);
        }
        container
    }

    /// Returns the text of `raw`, bytes of `place` in this syntax.
    ///
    /// # Errors
    /// Returns an error if it refers to an unknown entity.
    pub(super) fn decode(
        &self,
        raw: &[u8],
        syntax: Syntax,
        place: Place<'_>,
    ) -> Result<Text, UnknownEntity> {
        match syntax {
            Syntax::Attribute(_) => Ok(Text::decode(raw, place.encoding)),
            Syntax::Markdown(form) => Ok(destination::decode(raw, form)),
            Syntax::Scalar(syntax) => Ok(scalar::decode(raw, syntax)),
            Syntax::Xml(xml_place) => xml::decode(raw, xml_place, place.encoding, &self.entities),
            _ => Ok(Text::decode_verbatim(raw, place.encoding)),
        }
    }

    /// Reports that a container cannot be read, from the byte `at` of its decoded text on.
    pub(super) fn cannot_read(&mut self, container: usize, at: usize, message: String) {
        self.found.unreadable.push(UnreadableContainer { container, at, message });
    }

    /// Adds a container, and returns its index. If there is no room for the container, returns an index that no container
    /// has.
    pub(super) fn push(&mut self, container: Container) -> usize {
        self.budget.take(CONTAINER);
        if self.budget.result().is_err() {
            return usize::MAX;
        }
        self.found.containers.push(container);
        self.found.containers.len() - 1
    }

    /// Adds a URL in CSS or JSON as a container of its own. Both read their URLs in UTF-8 whatever
    /// their charset (CSS Values 4 section 4.5).
    pub(super) fn piece(&mut self, parent: usize, span: Span, text: Text, syntax: Syntax) -> usize {
        self.budget.take(PIECE);
        self.push(Container::new(Some(parent), span, text, syntax, ContainerKind::Piece))
    }

    /// Adds the references of a container.
    pub(super) fn refer(&mut self, container: usize, base: &BaseOf, constraints: Constraints) {
        let data = self.found.containers.get(container);
        let templates = self.options.templates;
        let urls = data.map(|data| urls_of(data, data.text.as_str(), templates));
        self.refer_to(container, urls.unwrap_or_default(), base, constraints);
    }

    /// Adds one reference for the whole text of a container.
    pub(super) fn refer_whole(
        &mut self,
        container: usize,
        class: Class,
        base: &BaseOf,
        constraints: Constraints,
    ) {
        let whole = Span::from(0..self.text_of(container).len());
        self.refer_to(container, vec![(whole, class)], base, constraints);
    }

    fn refer_to(
        &mut self,
        container: usize,
        urls: Vec<(Span, Class)>,
        base: &BaseOf,
        constraints: Constraints,
    ) {
        self.budget.take_references(urls.len());
        if self.budget.result().is_err() {
            return;
        }
        let references = urls.into_iter().map(|(span, class)| Reference {
            container,
            span,
            class,
            base: base.clone(),
            constraints,
            rel: Rel::NONE,
        });
        self.found.references.extend(references);
    }

    /// Returns the decoded text of a container.
    pub(super) fn text_of(&self, container: usize) -> String {
        let container = self.found.containers.get(container);
        container.map_or_else(String::new, |container| container.text.as_str().to_owned())
    }

    /// Returns the document with its references in the order of their places.
    ///
    /// # Errors
    /// Returns an error if its budget is exceeded.
    pub(crate) fn in_order(self) -> Result<Document<'static>, TooComplex> {
        self.budget.result()?;
        let mut found = self.found;
        self.custom_properties.settle(&mut found.references);
        sort_references(&mut found.references, &found.containers);
        if found.scopes.iter().any(|scope| scope.base.is_some()) {
            found.settle_bases();
        }
        if self.options.metadata {
            found.metadata = Some(self.collector.metadata(&found, self.options.templates));
        }
        Ok(found)
    }
}
