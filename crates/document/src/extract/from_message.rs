//! Extraction from messages: their headers, and the documents that their parts are.

use std::collections::HashSet;

use encoding_rs::{Encoding, ISO_2022_JP, REPLACEMENT, UTF_8, UTF_16BE, UTF_16LE};

use super::extractor::{Extractor, Place};
use super::metadata_collector::MetadataCollector;
use crate::Document;
use crate::budget::most_parts;
use crate::container::{Container, ContainerKind, HeaderContainer, Syntax};
use crate::document_kind::DocumentKind;
use crate::encoding::{self, Charset, CharsetSource};
use crate::html::raw::TooComplex;
use crate::link_header::link_types;
use crate::message::Part;
use crate::message::body::DecodedBody;
use crate::message::comments::content_id;
use crate::message::headers::HeaderField;
use crate::message::http_coding::remaining_coding;
use crate::message::media_type::MediaType;
use crate::message::parts::{Entity, EntityContent, entities};
use crate::message::reference_headers::{HeaderRole, REFERENCE_HEADERS, ReferenceHeader};
use crate::message::transfer::TransferEncoding;
use crate::reference::{BaseOf, Constraints};
use crate::scope::Scope;
use crate::value_rules::{ValueKind, ValueRules};
use rehref_generators::Text;
use rehref_url::{percent_decoded, scheme};

impl Extractor {
    /// Adds the message `source`. The kind of the document is that of its body where no header names one.
    ///
    /// # Errors
    /// Returns an error if it has so many parts that they would take far more memory than the message.
    pub(crate) fn message(&mut self, source: &[u8]) -> Result<(), TooComplex> {
        let default = MediaType::of_document(self.options.kind);
        let most = most_parts(source.len());
        let entities = entities(source, &default, most);
        if entities.len() > most {
            return Err(TooComplex::Parts);
        }
        for entity in &entities {
            self.entity(source, entity);
            self.budget.result()?;
        }
        self.mark_parts_named_by_cid();
        Ok(())
    }

    fn entity(&mut self, source: &[u8], entity: &Entity) {
        let parent = entity.parent.and_then(|at| self.found.parts.get(at));
        let enclosing = parent.map_or(0, |parent| parent.scope);
        let (scope, location) = self.headers(source, entity, enclosing);
        let value = |name: &str| entity.headers.get(source, name).map(|field| field.value);
        let length = value("Content-Length").filter(|value| {
            let digits = std::str::from_utf8(value.of(source)).unwrap_or_default();
            digits.parse() == Ok(entity.body.end - entity.body.start)
        });
        let id = entity.headers.value(source, "Content-ID");
        // Each part has metadata of its own.
        let outer = std::mem::take(&mut self.collector);
        let (container, document) = self.body(source, entity, scope);
        let own = std::mem::replace(&mut self.collector, outer);
        self.collector.take_in(own, self.options.templates);
        self.found.parts.push(Part {
            parent: entity.parent,
            number: entity.number.clone(),
            media_type: entity.media_type.clone(),
            content_id: id.map(|id| content_id(&id)),
            is_named_by_cid: false,
            scope,
            location,
            document,
            container,
            body: entity.body,
            length,
            digest: value("Content-MD5"),
            is_signed: entity.media_type.essence == "multipart/signed",
        });
    }

    /// Marks the parts that `cid:` links name. The absolute URLs in their bodies have to stay absolute,
    /// since nothing is relative to the URL from which browsers load them.
    fn mark_parts_named_by_cid(&mut self) {
        let Document { containers, references, parts, .. } = &mut self.found;
        let named: HashSet<Vec<u8>> = references
            .iter()
            .filter_map(|reference| {
                let container = containers.get(reference.container)?;
                let (scheme, rest) = scheme::split(reference.span.of_str(container.text.as_str()))?;
                let id = rest.split('#').next().unwrap_or(rest);
                let is_cid = scheme.eq_ignore_ascii_case("cid");
                is_cid.then(|| percent_decoded(id))
            })
            .collect();
        let mut bodies = HashSet::new();
        for part in parts {
            let id = part.content_id.as_ref();
            part.is_named_by_cid = id.is_some_and(|id| named.contains(id.as_bytes()));
            bodies.extend(part.container.filter(|_| part.is_named_by_cid));
        }
        if bodies.is_empty() {
            return;
        }
        let parent = |at: &usize| containers.get(*at)?.parent;
        for reference in references {
            let around = std::iter::successors(Some(reference.container), parent);
            let outermost = around.last();
            reference.constraints.absolute |= outermost.is_some_and(|at| bodies.contains(&at));
        }
    }

    /// Adds the references in the headers of an entity in the scope `enclosing`. Returns the scope
    /// whose base URL its headers give, else `enclosing`, and the scope whose base URL is its location.
    fn headers(
        &mut self,
        source: &[u8],
        entity: &Entity,
        enclosing: usize,
    ) -> (usize, Option<usize>) {
        let fields = |is_wanted: fn(HeaderRole) -> bool| {
            let rows = REFERENCE_HEADERS.iter();
            let rows = rows.filter(move |row| is_wanted(row.role));
            rows.filter_map(|row| Some((row, entity.headers.get(source, row.name)?)))
        };
        let (mut scope, mut location) = (enclosing, None);
        // Absolute URLs come first, since the location may be relative to them.
        let mut strongest = None;
        for (row, field) in fields(HeaderRole::must_be_absolute).rev() {
            let container = self.header(source, entity, row, field, enclosing);
            if !self.is_base(row, container) {
                continue;
            }
            match row.role {
                HeaderRole::Base => strongest = Some(container),
                _ => scope = self.based_scope(scope, container),
            }
        }
        for (row, field) in fields(|role| role == HeaderRole::Location) {
            let own_base = match strongest {
                Some(base) => self.based_scope(scope, base),
                None => scope,
            };
            let container = self.header(source, entity, row, field, own_base);
            if self.is_base(row, container) {
                scope = self.based_scope(own_base, container);
                location = Some(scope);
            }
        }
        // The strongest is the innermost scope.
        if let Some(base) = strongest {
            scope = self.based_scope(scope, base);
        }
        for row in REFERENCE_HEADERS.iter().filter(|row| !row.role.gives_base()) {
            let fields = entity.headers.fields.iter();
            for field in fields.filter(|field| field.is(source, row.name)) {
                let container = self.header(source, entity, row, field, scope);
                if entity.content == EntityContent::Redirect && row.name == "Location" {
                    scope = self.based_scope(scope, container);
                }
            }
        }
        (scope, location)
    }

    /// Returns true if the value of a header counts as a base URL.
    fn is_base(&self, row: &ReferenceHeader, container: usize) -> bool {
        self.found.containers.get(container).is_some_and(|it| {
            let text = it.text.as_str();
            !text.is_empty() && (!row.role.must_be_absolute() || scheme::split(text).is_some())
        })
    }

    /// Adds a scope within another, whose base URL is the text of a container.
    fn based_scope(&mut self, parent: usize, container: usize) -> usize {
        let (parent, base) = (Some(parent), Some(container));
        self.scope(Scope { parent, base, ..Scope::default() })
    }

    /// Adds a header and its references.
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
        // An encoded word (RFC 2047) never holds a URL.
        let is_readable = !text.as_str().starts_with("=?");
        let is_empty = text.as_str().is_empty();
        let kind = Box::new(HeaderContainer {
            part: entity.number.clone(),
            name: row.name.to_owned(),
            rules: rules(row.role),
            is_http_base: entity.headers.status.is_some() && row.role.gives_base(),
        });
        let container = self.push(Container {
            is_readable,
            ..Container::new(None, span, text, Syntax::Header, ContainerKind::Header(kind))
        });
        let message = if !is_readable {
            Some("the header is an encoded word, not a URL")
        } else if row.role.must_be_absolute() && !is_empty && !self.is_base(row, container) {
            // An absolute URL written in its place would count as base.
            Some("the URL is not absolute, so it is not a base URL")
        } else {
            None
        };
        if let Some(message) = message {
            self.cannot_read(container, 0, message.to_owned());
            return container;
        }
        let constraints =
            Constraints { absolute: row.role.wants_absolute(), ..Constraints::default() };
        let first = self.found.references.len();
        self.refer(container, &BaseOf::Scope(scope), constraints);
        if row.role == HeaderRole::Link {
            let text = self.text_of(container);
            for reference in self.found.references.iter_mut().skip(first) {
                reference.rel = link_types(&text, reference.span);
                reference.constraints.absolute = reference.rel.names_page();
            }
        }
        container
    }

    /// Adds the body of an entity. Returns its container, and the scope of the document in it.
    fn body(
        &mut self,
        source: &[u8],
        entity: &Entity,
        enclosing: usize,
    ) -> (Option<usize>, Option<usize>) {
        let message = match entity.content {
            EntityContent::Parts | EntityContent::Redirect => return (None, None),
            EntityContent::Encrypted => "this part is encrypted, so rehref did not read its links",
            EntityContent::Unbounded => {
                "the Content-Type has no boundary, so rehref did not read the parts"
            }
            EntityContent::TooDeep => {
                "the parts are nested too deeply, so rehref did not read the inner parts"
            }
            EntityContent::Single if entity.media_type.is_message() => {
                "this part is a message in a transfer encoding, which the mail standards forbid"
            }
            EntityContent::Single => {
                let Some(kind) = entity.media_type.document_kind() else { return (None, None) };
                let decoded = self.decoded(source, entity, kind);
                let added = decoded.and_then(|(decoded, charset)| {
                    self.document(entity, kind, &decoded, charset, enclosing)
                });
                return match added {
                    Ok((container, scope)) => (Some(container), Some(scope)),
                    Err(message) => (Some(self.unreadable(entity, message)), None),
                };
            }
        };
        (Some(self.unreadable(entity, message.to_owned())), None)
    }

    /// Adds a body that cannot be read.
    fn unreadable(&mut self, entity: &Entity, message: String) -> usize {
        let kind = ContainerKind::Part(entity.number.clone());
        let container = Container::new(None, entity.body, Text::default(), Syntax::Verbatim, kind);
        let container = self.push(Container { is_readable: false, ..container });
        self.cannot_read(container, 0, message);
        container
    }

    /// The content of a body without its transfer encoding, and its charset.
    fn decoded(
        &self,
        source: &[u8],
        entity: &Entity,
        kind: DocumentKind,
    ) -> Result<(DecodedBody, Charset), String> {
        let decoded = decoded_body(source, entity)?;
        let given = entity.media_type.parameter("charset");
        let given = given.and_then(|label| Encoding::for_label(label.trim().as_bytes()));
        let given = self.options.charset.or(given);
        let charset = encoding::sniff_charset(kind, &decoded.bytes, given);
        Ok((decoded, charset))
    }

    /// Adds a body that is a document of a kind. Returns its container and its scope.
    ///
    /// # Errors
    /// Returns an error if its charset is not supported.
    fn document(
        &mut self,
        entity: &Entity,
        kind: DocumentKind,
        decoded: &DecodedBody,
        charset: Charset,
        enclosing: usize,
    ) -> Result<(usize, usize), String> {
        if [UTF_16BE, UTF_16LE, ISO_2022_JP, REPLACEMENT].contains(&charset.encoding) {
            let name = charset.encoding.name();
            return Err(format!("the charset {name} is not supported in messages"));
        }
        let text = Text::decode_verbatim(&decoded.bytes, charset.encoding)
            .carried(decoded.offsets.clone());
        let source = text.as_str().to_owned();
        let syntax = match entity.encoding {
            Ok(TransferEncoding::Identity) | Err(_) => Syntax::Verbatim,
            Ok(encoding) => Syntax::Transfer(encoding),
        };
        let part = ContainerKind::Part(entity.number.clone());
        let container = self.push(Container {
            query_encoding: charset.encoding,
            ..Container::new(None, entity.body, text, syntax, part)
        });
        let scope = self.scope(Scope { parent: Some(enclosing), ..Scope::default() });
        let place = Place {
            parent: Some(container),
            scope,
            ..Place::of_document(source.as_bytes(), UTF_8, charset.encoding)
        };
        let (references, unreadable) = (self.found.references.len(), self.found.unreadable.len());
        match self.read(kind, place) {
            // The document declares another charset, too late for the prescan.
            Ok(Some(declared))
                if charset.source == CharsetSource::Fallback && declared != charset.encoding =>
            {
                self.found.containers.truncate(container);
                self.found.references.truncate(references);
                self.found.scopes.truncate(scope);
                self.found.unreadable.truncate(unreadable);
                self.found.policies.retain(|at| *at < container);
                self.found.fetch_options.retain(|it| it.container < container);
                self.collector = MetadataCollector::default();
                let charset = Charset { encoding: declared, source: CharsetSource::Meta };
                return self.document(entity, kind, decoded, charset, enclosing);
            }
            Ok(_) => {}
            Err(error) => self.cannot_read(container, 0, error.reason()),
        }
        Ok((container, scope))
    }
}

/// Returns the content of a body without its transfer encoding.
pub(crate) fn decoded_body(source: &[u8], entity: &Entity) -> Result<DecodedBody, String> {
    let body = entity.body.of(source);
    if let Some(message) = remaining_coding(source, &entity.headers, body) {
        return Err(message);
    }
    let encoding = entity.encoding.as_ref();
    let encoding = encoding.map_err(|name| format!("the transfer encoding {name} is unknown"))?;
    encoding.decode(body).map_err(|error| error.to_string())
}

/// The rules of a header's value; `None` for `Link`, whose syntax no attribute has.
fn rules(role: HeaderRole) -> Option<ValueRules> {
    match role {
        HeaderRole::Link => None,
        HeaderRole::Refresh => Some(ValueRules::of(ValueKind::Refresh)),
        _ => Some(ValueRules::of(ValueKind::Url)),
    }
}
