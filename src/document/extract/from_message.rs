//! Extraction from messages: their headers, and the documents that their parts are.

use encoding_rs::{Encoding, ISO_2022_JP, REPLACEMENT, UTF_8, UTF_16BE, UTF_16LE};

use super::extractor::{Extraction, Extractor, MetadataCollector, Place, byte_order_mark};
use crate::document::container::{Container, ContainerKind, Syntax};
use crate::document::encoding::{self, Charset, CharsetSource};
use crate::document::html::ValueKind;
use crate::document::html::raw::TooComplex;
use crate::document::json::JsonKind;
use crate::document::message::Part;
use crate::document::message::body::DecodedBody;
use crate::document::message::comments::content_id;
use crate::document::message::headers::HeaderField;
use crate::document::message::http_coding::remaining_coding;
use crate::document::message::media_type::MediaType;
use crate::document::message::parts::{Entity, EntityContent, entities};
use crate::document::message::reference_headers::{HeaderRole, REFERENCE_HEADERS, ReferenceHeader};
use crate::document::message::transfer::TransferEncoding;
use crate::document::options::{DocumentKind, ParseOptions};
use crate::document::reference::{BaseOf, Constraints};
use crate::document::text::Text;
use crate::document::value_rules::ValueRules;
use crate::document::xml;
use crate::url::scheme;

/// Extracts what the message `source` holds. `options.kind` says what its body is where no header
/// does.
pub(in crate::document) fn message(source: &[u8], options: &ParseOptions) -> Extraction {
    let mut extractor = Extractor::new(options);
    let default = MediaType::of_document(options.kind);
    let entities = entities(source, &default);
    for entity in &entities {
        extractor.entity(source, entity);
    }
    extractor.in_order()
}

/// What the headers of an entity give.
struct Headed {
    scope: usize,
    location: Option<usize>,
}

impl Extractor {
    fn entity(&mut self, source: &[u8], entity: &Entity) {
        let parent = entity.parent.and_then(|at| self.found.parts.get(at));
        let enclosing = parent.map_or(0, |parent| parent.scope);
        let headed = self.headers(source, entity, enclosing);
        let value = |name: &str| entity.headers.get(source, name).map(|field| field.value);
        let length = value("Content-Length").filter(|value| {
            let digits = value.of(source);
            let digits = std::str::from_utf8(digits).unwrap_or_default();
            digits.parse() == Ok(entity.body.end - entity.body.start)
        });
        let id = entity.headers.value(source, "Content-ID");
        self.found.parts.push(Part {
            parent: entity.parent,
            number: entity.number.clone(),
            media_type: entity.media_type.clone(),
            content_id: id.map(|id| content_id(&id)),
            scope: headed.scope,
            location: headed.location,
            document: None,
            container: None,
            body: entity.body,
            length,
            digest: value("Content-MD5"),
            is_signed: entity.media_type.essence == "multipart/signed",
        });
        // The metadata of each part are its own.
        let outer = std::mem::take(&mut self.collector);
        let made = self.body(source, entity, headed.scope);
        let own = std::mem::replace(&mut self.collector, outer);
        self.collector.take_in(own);
        if let Some((container, document)) = made
            && let Some(part) = self.found.parts.last_mut()
        {
            part.container = Some(container);
            part.document = document;
        }
    }

    /// The references in the headers of an entity, whose enclosing base URL is that of a scope.
    fn headers(&mut self, source: &[u8], entity: &Entity, enclosing: usize) -> Headed {
        let mut headed = Headed {
            scope: enclosing,
            location: None,
        };
        // What is absolute comes first, since the location may be relative to it.
        let mut strongest = None;
        for row in REFERENCE_HEADERS
            .iter()
            .rev()
            .filter(|row| row.role.must_be_absolute())
        {
            let Some(field) = entity.headers.get(source, row.name) else {
                continue;
            };
            let container = self.header(source, entity, row, field, enclosing);
            if !self.is_base(row, container) {
                continue;
            }
            match row.role {
                HeaderRole::Base => strongest = Some(container),
                _ => headed.scope = self.based_scope(headed.scope, container),
            }
        }
        for row in REFERENCE_HEADERS
            .iter()
            .filter(|row| row.role == HeaderRole::Location)
        {
            let Some(field) = entity.headers.get(source, row.name) else {
                continue;
            };
            let own_base = match strongest {
                Some(base) => self.based_scope(headed.scope, base),
                None => headed.scope,
            };
            let container = self.header(source, entity, row, field, own_base);
            if self.is_base(row, container) {
                headed.scope = self.based_scope(own_base, container);
                headed.location = Some(headed.scope);
            }
        }
        // The strongest is the innermost scope.
        if let Some(base) = strongest {
            headed.scope = self.based_scope(headed.scope, base);
        }
        for row in REFERENCE_HEADERS
            .iter()
            .filter(|row| !row.role.gives_base())
        {
            for field in &entity.headers.fields {
                if field.is(source, row.name) {
                    let container = self.header(source, entity, row, field, headed.scope);
                    if entity.content == EntityContent::Redirect && row.name == "Location" {
                        headed.scope = self.based_scope(headed.scope, container);
                    }
                }
            }
        }
        headed
    }

    /// Whether what a header holds counts as a base URL.
    fn is_base(&self, row: &ReferenceHeader, container: usize) -> bool {
        self.found.containers.get(container).is_some_and(|it| {
            let text = it.text.as_str();
            !text.is_empty() && (!row.role.must_be_absolute() || scheme::split(text).is_some())
        })
    }

    /// A scope within another, whose base URL is what a container holds.
    fn based_scope(&mut self, parent: usize, container: usize) -> usize {
        let scope = self.scope(Some(parent));
        if let Some(data) = self.found.scopes.get_mut(scope) {
            data.base = Some(container);
        }
        scope
    }

    /// A header and its references.
    fn header(
        &mut self,
        source: &[u8],
        entity: &Entity,
        row: &ReferenceHeader,
        field: &HeaderField,
        scope: usize,
    ) -> usize {
        let span = row.role.span(source, field);
        let raw = span.of(source);
        let text = row.role.text(raw);
        // An encoded word (RFC 2047), which nobody writes URLs in.
        let is_readable = !text.as_str().starts_with("=?");
        let is_empty = text.as_str().is_empty();
        let container = self.push(Container {
            parent: None,
            span,
            text,
            syntax: Syntax::Header,
            kind: ContainerKind::Header {
                part: entity.number.clone(),
                name: row.name.to_owned(),
                rules: rules(row.role),
            },
            query_encoding: UTF_8,
            is_readable,
        });
        if !is_readable {
            self.cannot_read(container, 0, "an encoded word in place of a URL".to_owned());
            return container;
        }
        // Made absolute it would count from then on.
        if row.role.must_be_absolute() && !is_empty && !self.is_base(row, container) {
            self.cannot_read(
                container,
                0,
                "not an absolute URL: does not count as base".to_owned(),
            );
            return container;
        }
        let constraints = Constraints {
            absolute: row.role.wants_absolute(),
            ..Constraints::default()
        };
        self.refer(container, &BaseOf::Scope(scope), constraints);
        container
    }

    /// What the body of an entity holds: its container, and the scope of the document that it is.
    fn body(
        &mut self,
        source: &[u8],
        entity: &Entity,
        enclosing: usize,
    ) -> Option<(usize, Option<usize>)> {
        let message = match entity.content {
            EntityContent::Single => return self.single(source, entity, enclosing),
            EntityContent::Parts | EntityContent::Redirect => return None,
            EntityContent::Encrypted => "encrypted: cannot be looked into",
            EntityContent::Unbounded => {
                "its Content-Type names no boundary: parts cannot be told apart"
            }
            EntityContent::TooDeep => "parts in parts, too deep to follow",
        };
        Some((self.closed(entity, message.to_owned()), None))
    }

    /// A body that is not looked into, and why.
    fn closed(&mut self, entity: &Entity, message: String) -> usize {
        let container = self.push(Container {
            parent: None,
            span: entity.body,
            text: Text::default(),
            syntax: Syntax::Verbatim,
            kind: ContainerKind::Part(entity.number.clone()),
            query_encoding: UTF_8,
            is_readable: false,
        });
        self.cannot_read(container, 0, message);
        container
    }

    fn single(
        &mut self,
        source: &[u8],
        entity: &Entity,
        enclosing: usize,
    ) -> Option<(usize, Option<usize>)> {
        if entity.media_type.is_message() {
            let message = "a message in a transfer encoding, which mail forbids: not looked into";
            return Some((self.closed(entity, message.to_owned()), None));
        }
        let kind = entity.media_type.document_kind()?;
        let body = entity.body.of(source);
        let closed = |extractor: &mut Extractor, message: String| {
            Some((extractor.closed(entity, message), None))
        };
        if let Some(message) = remaining_coding(source, &entity.headers, body) {
            return closed(self, message);
        }
        let encoding = match &entity.encoding {
            Ok(encoding) => *encoding,
            Err(name) => {
                return closed(self, format!("in the encoding {name}, which is not known"));
            }
        };
        let decoded = match encoding.decode(body) {
            Ok(decoded) => decoded,
            Err(error) => return closed(self, error.to_string()),
        };
        let given = entity.media_type.parameter("charset");
        let given = given.and_then(|label| Encoding::for_label(label.trim().as_bytes()));
        let given = self.options.charset.or(given);
        let charset = encoding::sniff_charset(kind, &decoded.bytes, given);
        self.document(entity, kind, encoding, &decoded, charset, enclosing)
    }

    /// A body that is a document of a kind.
    fn document(
        &mut self,
        entity: &Entity,
        kind: DocumentKind,
        encoding: TransferEncoding,
        decoded: &DecodedBody,
        charset: Charset,
        enclosing: usize,
    ) -> Option<(usize, Option<usize>)> {
        if [UTF_16BE, UTF_16LE, ISO_2022_JP, REPLACEMENT].contains(&charset.encoding) {
            let name = charset.encoding.name();
            let message = format!("in {name}, which is not worked on in messages");
            return Some((self.closed(entity, message), None));
        }
        let text = Text::decode_verbatim(&decoded.bytes, charset.encoding)
            .carried(decoded.offsets.clone());
        let source = text.as_str().to_owned();
        let container = self.push(Container {
            parent: None,
            span: entity.body,
            text,
            syntax: match encoding {
                TransferEncoding::Identity => Syntax::Verbatim,
                encoding => Syntax::Transfer(encoding),
            },
            kind: ContainerKind::Part(entity.number.clone()),
            query_encoding: charset.encoding,
            is_readable: true,
        });
        let scope = self.scope(Some(enclosing));
        let place = Place {
            parent: Some(container),
            is_document: true,
            scope,
            ..Place::of_document(source.as_bytes(), UTF_8, charset.encoding)
        };
        let first = (self.found.containers.len(), self.found.references.len());
        let unreadable = self.found.unreadable.len();
        match self.read(kind, container, place) {
            Ok(None) => {}
            // The document was read by the charset it declares, far from its start.
            Ok(Some(declared)) if charset.source == CharsetSource::Fallback => {
                if declared != charset.encoding {
                    self.found.containers.truncate(first.0 - 1);
                    self.found.references.truncate(first.1);
                    self.found.scopes.truncate(scope);
                    self.found.unreadable.truncate(unreadable);
                    self.collector = MetadataCollector::default();
                    let charset = Charset {
                        encoding: declared,
                        source: CharsetSource::Meta,
                    };
                    return self.document(entity, kind, encoding, decoded, charset, enclosing);
                }
            }
            Ok(Some(_)) => {}
            Err(message) => self.cannot_read(container, 0, message),
        }
        Some((container, Some(scope)))
    }

    /// What a document holds that is the text of a container. The charset that it declares, where
    /// that is HTML.
    fn read(
        &mut self,
        kind: DocumentKind,
        container: usize,
        place: Place<'_>,
    ) -> Result<Option<&'static Encoding>, String> {
        let too_complex = |error: TooComplex| error.to_string();
        let start = byte_order_mark(place.source);
        match kind {
            DocumentKind::Css => self.css(container, place),
            DocumentKind::WebManifest => self.json(JsonKind::WebManifest, container, place),
            DocumentKind::Xml | DocumentKind::Xhtml => {
                match xml::find(place.source, start, self.options.metadata) {
                    Ok(findings) => self.xml(place, findings).map_err(too_complex)?,
                    Err(_) if kind == DocumentKind::Xhtml => {
                        return self.read(DocumentKind::Html, container, place);
                    }
                    Err(error) => return Err(format!("not well-formed XML: {}", error.message)),
                }
            }
            DocumentKind::Html => {
                let engine = self.options.engine;
                let findings = engine
                    .find_values(place.source, start, self.options.metadata)
                    .map_err(too_complex)?;
                let declared = findings.declared_encoding;
                self.findings(place, findings).map_err(too_complex)?;
                return Ok(declared);
            }
            DocumentKind::Robots | DocumentKind::Message => {}
        }
        Ok(None)
    }
}

/// The rules of a header's value; `None` for `Link`, whose syntax no attribute has.
fn rules(role: HeaderRole) -> Option<ValueRules> {
    match role {
        HeaderRole::Link => None,
        HeaderRole::Refresh => Some(ValueRules::of(ValueKind::Refresh)),
        HeaderRole::Base | HeaderRole::Bracketed | HeaderRole::Location | HeaderRole::Reference => {
            Some(ValueRules::of(ValueKind::Url))
        }
    }
}
