//! Extraction: takes a document apart into containers and references, carrier by carrier.

mod custom_properties;
mod document_metadata;
mod extractor;
mod from_markdown;
mod from_message;
mod from_navigation;
mod from_xml;
mod metadata_collector;

use std::sync::Arc;

use encoding_rs::{Encoding, UTF_8};

use super::budget::PIECE;
use super::container::{Container, ContainerKind, MarkupContainer, Syntax};
use super::css::{self, CssUrl};
use super::document_error::DocumentError;
use super::document_kind::DocumentKind;
use super::encoding::byte_order_mark;
use super::fetch_option::FetchOption;
use super::html::raw::{RawContent, RawDocument, RawValue, TooComplex};
use super::html::{Element, Namespace, engine};
use super::json::{self, JsonKind, JsonRole, NotJson};
use super::lines::{LineRole, LineSyntax};
use super::redirects::escape::RuleEscape;
use super::redirects::{RedirectSyntax, RuleUrl};
use super::reference::{BaseOf, Class, Constraints, ServerPath};
use super::scope::Scope;
use super::simple::{self, SimpleReference};
use super::value_rules::{FetchOptionKind, ValueBase, ValueKind, ValueRules};
use super::xml::{self, NotWellFormed, XmlPlace};
use super::{conditional_comment, placeholders, server_include};
use extractor::NESTING;
pub(super) use extractor::{Extractor, Place};
pub(super) use from_message::decoded_body;
use rehref_generators::{READS_MARKDOWN, Text};
use rehref_url::{Span, scheme};

impl Extractor {
    /// Adds the document of this `kind` in `place`. Returns the encoding that it declares, if it is HTML.
    ///
    /// # Errors
    /// Returns an error if it is malformed, or would cost too much.
    pub(super) fn read(
        &mut self,
        kind: DocumentKind,
        place: Place<'_>,
    ) -> Result<Option<&'static Encoding>, DocumentError> {
        let start = byte_order_mark(place.source);
        let mut declared = None;
        match kind {
            // Scripts read it, and an edit of an element in it would break it.
            DocumentKind::Html if place.parent.is_none() && self.is_json(place.source) => {}
            DocumentKind::Html => {
                let wanted = self.options.wanted();
                let rendered = self.options.rendered.filter(|_| place.parent.is_none());
                let rendered = rendered.map(|dialect| self.shortcodes(place, dialect));
                let html = rendered.as_ref().and_then(|it| it.html.as_deref());
                let findings = engine::find_values(html.unwrap_or(place.source), start, wanted)?;
                let first = self.found.references.len();
                if place.parent.is_none() {
                    self.found.head_start = Some(findings.head_start);
                }
                declared = findings.declared_encoding;
                self.findings(place, findings);
                if let Some(rendered) = rendered {
                    self.without_words(first, place, &rendered.words);
                }
            }
            DocumentKind::Xml | DocumentKind::Xhtml => {
                match xml::find(place.source, start, self.budget.wanted(&self.options)) {
                    Ok(findings) => self.xml(place, findings),
                    // Browsers show an error in place of XHTML that is not well-formed, but saved pages in
                    // messages often have the wrong type.
                    Err(_) if kind == DocumentKind::Xhtml && place.parent.is_some() => {
                        return self.read(DocumentKind::Html, place);
                    }
                    Err(NotWellFormed { offset, message }) => {
                        let source = place.source;
                        return Err(DocumentError::not_well_formed("XML", source, offset, message));
                    }
                }
            }
            DocumentKind::Markdown(_) | DocumentKind::Navigation(_) if !READS_MARKDOWN => {
                return Err(DocumentError::WithoutMarkdown);
            }
            DocumentKind::Markdown(dialect) => self.markdown(place, dialect),
            DocumentKind::Navigation(kind) => self.navigation(place, kind)?,
            DocumentKind::Message => {}
            DocumentKind::Css
            | DocumentKind::WebManifest
            | DocumentKind::JsonFeed
            | DocumentKind::Lines(_)
            | DocumentKind::Redirects(_) => {
                let whole = place.parent.unwrap_or_else(|| {
                    let span = Span::from(start..place.source.len());
                    self.container(place, span, Syntax::Verbatim, ContainerKind::File(kind))
                });
                match kind {
                    DocumentKind::Css => self.css(whole, place),
                    DocumentKind::Redirects(syntax) => self.redirects(syntax, whole),
                    DocumentKind::Lines(syntax) => self.lines(syntax, whole),
                    DocumentKind::JsonFeed => {
                        let place = Place { needs_absolute: true, ..place };
                        self.json(JsonKind::JsonFeed, whole, place);
                    }
                    _ => self.json(JsonKind::WebManifest, whole, place),
                }
            }
        }
        match self.error.take() {
            Some(error) => Err(error.into()),
            None => Ok(declared),
        }
    }

    fn findings(&mut self, place: Place<'_>, findings: RawDocument) {
        let mut base = None;
        if self.options.metadata {
            self.html_metadata(place, findings.metadata, &findings.comments);
        }
        // With a `base`, the base URL of a reference depends on more than its value.
        let may_be_simple = self.options.simple
            && place.parent.is_none()
            && findings.base.is_none()
            && place.scope == 0;
        if may_be_simple {
            self.found.simple.reserve(findings.values.len());
        }
        for (index, value) in findings.values.into_iter().enumerate() {
            if value.row.rules.rdfa && !self.options.rdfa {
                continue;
            }
            if may_be_simple
                && let Some(shape) = simple::of_value(place.source, &value, self.options.templates)
            {
                if self.options.metadata {
                    let text = value.span.of(place.source);
                    self.collector.sign_of(&value.element.name, text);
                }
                self.found.simple.push(SimpleReference { value, shape });
                continue;
            }
            // The audit reads only URLs; rewriting and verifying also ask for inline code.
            if value.row.rules.kind == ValueKind::Css
                && self.options.metadata
                && self.options.simple
                && !css::may_have_urls(value.span.of(place.source))
            {
                continue;
            }
            if self.is_over() {
                return;
            }
            let rel = value.rel;
            let in_noscript = value.in_noscript;
            let is_base = value.row.rules.base == ValueBase::Fallback && value.in_document;
            let first = self.found.references.len();
            let container = self.html_value(place, value);
            // `--base-element` decides on the others.
            if !is_base {
                self.relate(first, rel);
            }
            if is_base && !place.is_fragment {
                self.collector.base_elements.push((place.scope, container));
                if let Some(scope) = self.found.scopes.get_mut(place.scope)
                    && in_noscript
                {
                    scope.noscript_base.get_or_insert(container);
                }
            }
            if findings.base == Some(index) {
                base = Some(container);
            }
        }
        // A conditional comment within the document does not affect its base URL.
        if let Some(scope) = self.found.scopes.get_mut(place.scope)
            && !place.is_fragment
        {
            if scope.base.is_none() {
                scope.base = base;
                scope.base_tag = findings.base_tag;
            }
            scope.has_script |= findings.has_script;
        }
        for content in findings.contents {
            self.content(place, content);
        }
        for comment in findings.comments {
            self.comment(place, comment);
        }
    }

    /// Adds an attribute value of HTML.
    fn html_value(&mut self, place: Place<'_>, value: RawValue) -> usize {
        let row = value.row;
        let needs_absolute = place.needs_absolute || Constraints::need_absolute(row, value.rel);
        let place = Place { needs_absolute, ..place };
        let kind = ContainerKind::Attribute { element: value.element, row };
        let syntax = Syntax::Attribute(value.quote);
        let container = self.container(place, value.span, syntax, kind);
        self.value(place, place.scope, container, row.rules, value.beside);
        container
    }

    /// Adds what the value or content `container` of an element holds, in the document whose scope is `document`.
    /// `beside`: the value of the attribute [`ValueRules::beside`].
    fn value(
        &mut self,
        place: Place<'_>,
        document: usize,
        container: usize,
        rules: ValueRules,
        beside: Option<Span>,
    ) {
        let Some(Container { syntax, is_readable: true, .. }) =
            self.found.containers.get(container)
        else {
            return;
        };
        let beside = beside.map(|span| self.decode(span.of(place.source), *syntax, place));
        let beside = beside.map(|text| text.map(Text::into_string));
        match rules.kind {
            ValueKind::Css => self.css(container, place),
            ValueKind::Json(kind) => self.json(kind, container, place),
            // HTML Standard, "an iframe srcdoc document".
            ValueKind::Html => self.nested(container, place, false),
            ValueKind::HtmlFragment => self.nested(container, place, true),
            ValueKind::Base64Html => self.base64_fragment(container, place),
            ValueKind::Policy => self.found.policies.push(container),
            ValueKind::FetchOption(kind) => {
                if let Some(Ok(url)) = beside {
                    let base = BaseOf::Scope(place.scope);
                    self.found.fetch_options.push(FetchOption { container, kind, url, base });
                }
            }
            _ => {
                let base = match (rules.base, beside) {
                    (ValueBase::Fallback | ValueBase::BeforeBase, _) => BaseOf::Fallback(document),
                    (ValueBase::Parent, _) => {
                        BaseOf::Codebase(document, Arc::new("..".to_owned().into()))
                    }
                    (ValueBase::Codebase, Some(Ok(codebase))) => {
                        BaseOf::Codebase(place.scope, Arc::new(codebase.into()))
                    }
                    (ValueBase::Codebase, Some(Err(_))) => BaseOf::Unknown,
                    _ => BaseOf::Scope(place.scope),
                };
                self.refer(container, &base, Constraints::of(rules, place.needs_absolute));
            }
        }
    }

    /// Adds the HTML in a container: a whole document, or a fragment that has no base URL of its own.
    fn nested(&mut self, container: usize, place: Place<'_>, is_fragment: bool) {
        if self.is_over() {
            return;
        }
        if place.depth >= NESTING {
            return self.fail(TooComplex::Tree);
        }
        let text = self.text_of(container);
        let source = text.as_bytes();
        let wanted = self.options.wanted();
        let findings = if is_fragment {
            engine::find_values_in_fragment(source, wanted)
        } else {
            engine::find_values(source, 0, wanted)
        };
        let findings = match findings {
            Ok(findings) => findings,
            Err(error) => return self.fail(error),
        };
        let (scope, query_encoding) = if is_fragment {
            (place.scope, place.query_encoding)
        } else {
            let (parent, srcdoc) = (Some(place.scope), Some(container));
            (self.scope(Scope { parent, srcdoc, ..Scope::default() }), UTF_8)
        };
        let inner = Place {
            parent: Some(container),
            source,
            encoding: UTF_8,
            query_encoding,
            scope,
            depth: place.depth + 1,
            is_document: false,
            is_fragment,
            ..place
        };
        self.findings(inner, findings);
    }

    fn content(&mut self, place: Place<'_>, content: RawContent) {
        if content.kind == ValueKind::Json(JsonKind::JsonLd) && !self.options.json_ld {
            return;
        }
        // Raw text in HTML. In SVG, character references, CDATA sections and comments have their
        // meaning of XML.
        let syntax = match content.element.namespace {
            Namespace::Html => Syntax::Verbatim,
            _ => Syntax::Xml(XmlPlace::Mixed),
        };
        let rules = ValueRules::of(content.kind);
        let kind = MarkupContainer { element: content.element, attribute: None, rules };
        let kind = ContainerKind::Markup(Box::new(kind));
        let container = self.container(place, content.span, syntax, kind);
        self.value(place, place.scope, container, rules, None);
    }

    /// Adds a downlevel-hidden conditional comment, whose content old browsers treat as part of the
    /// document.
    fn comment(&mut self, place: Place<'_>, span: Span) {
        let raw = span.of(place.source);
        if self.options.server_includes && raw.starts_with(b"<!--#") {
            self.server_include(place, span);
        } else if let Some(content) = conditional_comment::content(raw) {
            let span = content.shifted(span.start);
            let container = self.container(place, span, Syntax::Verbatim, ContainerKind::Comment);
            self.nested(container, place, true);
        }
    }

    /// Adds the paths of the server-side include in the comment at `span`. The server resolves them
    /// before any browser sees a `base`.
    fn server_include(&mut self, place: Place<'_>, span: Span) {
        for path in server_include::paths(span.of(place.source)) {
            let kind = ContainerKind::Include(path.row);
            let syntax = Syntax::Attribute(path.quote);
            let container = self.container(place, path.span.shifted(span.start), syntax, kind);
            let constraints = Constraints { path: path.row.path, ..Constraints::default() };
            // mod_include replaces variables.
            let has_variable = self.text_of(container).contains('$');
            let base = BaseOf::Fallback(place.scope);
            if has_variable {
                self.refer_whole(container, Class::TemplateMarkup, &base, constraints)
            } else {
                self.refer(container, &base, constraints)
            }
        }
    }

    fn css(&mut self, container: usize, place: Place<'_>) {
        let text = self.text_of(container);
        let most = self.budget.room_for(size_of::<CssUrl>());
        let (urls, used) = css::urls_and_uses(&text, most);
        if urls.len() > most {
            return self.budget.exceed();
        }
        self.custom_properties.use_in(place.scope, used);
        let list = self.budget.take_list(&urls);
        for url in urls {
            let base = BaseOf::Scope(place.scope);
            let piece = self.piece(container, url.span, url.text, Syntax::Css(url.syntax));
            if let Some(name) = url.custom_property {
                self.custom_properties.define(place.scope, name, piece);
            }
            let constraints = Constraints {
                absolute: place.needs_absolute,
                more_than_fragment: true,
                ..Constraints::default()
            };
            self.refer(piece, &base, constraints);
        }
        self.budget.give_back(list);
    }

    fn redirects(&mut self, syntax: RedirectSyntax, container: usize) {
        let text = self.text_of(container);
        syntax.urls(&text, &mut |url, path| {
            let constraints = Constraints { server_path: Some(path), ..Constraints::default() };
            self.rule(container, &text, url, ContainerKind::Piece, constraints);
        });
    }

    fn lines(&mut self, syntax: LineSyntax, container: usize) {
        let text = self.text_of(container);
        syntax.urls(&text, |span, role| {
            let server_path = (role == LineRole::Path).then_some(ServerPath::Pattern);
            let absolute = role == LineRole::Listed;
            let constraints = Constraints { absolute, server_path, ..Constraints::default() };
            let url = RuleUrl::new(&text, span, RuleEscape::Verbatim);
            self.rule(container, &text, url, ContainerKind::Line, constraints);
        });
    }

    /// Adds a URL of a line of `text`, the text of the container `parent`.
    fn rule(
        &mut self,
        parent: usize,
        text: &str,
        url: RuleUrl,
        kind: ContainerKind,
        constraints: Constraints,
    ) {
        self.budget.take(PIECE);
        let (mapped, syntax) = (url.mapped(text), Syntax::Rule(url.syntax));
        let piece = self.push(Container::new(Some(parent), url.span, mapped, syntax, kind));
        let is_template = self.options.templates.is_in(&self.text_of(piece));
        let class = if is_template { Class::TemplateMarkup } else { Class::Ordinary };
        self.refer_whole(piece, class, &BaseOf::Scope(0), constraints);
    }

    /// Returns true if `source`, a page by its name, is the JSON of a host's API that a tool saved so.
    fn is_json(&self, source: &[u8]) -> bool {
        let text = source.trim_ascii_start();
        matches!(text.first(), Some(b'{' | b'['))
            && std::str::from_utf8(text).is_ok_and(|text| {
                json::memory(text) <= self.budget.room_for(1) && json::Tree::parse(text).is_ok()
            })
    }

    fn json(&mut self, kind: JsonKind, container: usize, place: Place<'_>) {
        let text = self.text_of(container);
        if json::memory(&text) > self.budget.room_for(1) {
            return self.budget.exceed();
        }
        let urls = match json::urls(kind, &text) {
            Ok(urls) => urls,
            // Many a `manifest.json` is not a web app manifest, and `feed.json` not a feed.
            Err(NotJson::Shape { .. })
                if matches!(kind, JsonKind::WebManifest | JsonKind::JsonFeed) =>
            {
                return;
            }
            Err(error) => {
                let (NotJson::Syntax { at } | NotJson::Shape { at }) = error;
                return self.cannot_read(container, at, error.to_string());
            }
        };
        let list = self.budget.take_list(&urls);
        let first = self.found.containers.len();
        let mut contents = Vec::new();
        for (span, role) in urls {
            if let JsonRole::Html { link } = role {
                contents.push((span, link));
                continue;
            }
            let decoded = json::string_at(span, &text);
            let value = decoded.as_str();
            let has_host = || scheme::split(value).is_some_and(|(_, rest)| rest.starts_with("//"));
            let base = match role {
                JsonRole::OtherBase => BaseOf::Unknown,
                // An absolute URL is parsed alone, which differs from resolving it: `https:a` is
                // `https://a/` whatever the base ("resolve a URL-like module specifier"). With a host
                // both give the same.
                JsonRole::UrlLike if !json::is_relative(value) && !has_host() => BaseOf::Unknown,
                _ => BaseOf::Scope(place.scope),
            };
            let constraints = Constraints {
                absolute: place.needs_absolute,
                url_like: role == JsonRole::UrlLike,
                prefix: matches!(role, JsonRole::UrlLike | JsonRole::Prefix),
                placeholders: role == JsonRole::Placeholders,
                ..Constraints::default()
            };
            let is_unknown = constraints.placeholders && placeholders::is_at_start(value);
            let piece = self.piece(container, span, decoded, Syntax::Json);
            match role {
                JsonRole::Integrity { key } => self.found.fetch_options.push(FetchOption {
                    container: piece,
                    kind: FetchOptionKind::Integrity,
                    url: json::string_at(key, &text).into_string(),
                    base: BaseOf::Scope(place.scope),
                }),
                _ if is_unknown => {
                    self.refer_whole(piece, Class::TemplateMarkup, &base, constraints)
                }
                _ => self.refer(piece, &base, constraints),
            }
        }
        let pieces = first..self.found.containers.len();
        for (span, link) in contents {
            // The pieces are in the order of the text.
            let base = link.and_then(|link| {
                let pieces = self.found.containers.get(pieces.clone())?;
                Some(first + pieces.binary_search_by_key(&link.start, |it| it.span.start).ok()?)
            });
            let scope = self.scope(Scope { parent: Some(place.scope), base, ..Scope::default() });
            let kind = ContainerKind::Markup(Box::new(MarkupContainer {
                element: Element { namespace: Namespace::None, name: "content_html".into() },
                attribute: None,
                rules: ValueRules::of(ValueKind::HtmlFragment),
            }));
            let decoded = json::string_at(span, &text);
            let content =
                self.push(Container::new(Some(container), span, decoded, Syntax::Json, kind));
            self.nested(content, Place { scope, ..place }, true);
        }
        self.budget.give_back(list);
    }
}
