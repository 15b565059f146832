//! References: what a document points at, and where in it.

use super::container::{Container, Syntax, span_in};
use super::html::attributes::Condition;
use super::html::{AttributeRow, ValueKind};
use super::metadata::Rel;
use super::value_rules::ValueRules;
use super::{list, message, refresh, robots, srcset, template_markup};
use crate::document::Span;

/// One reference of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// Index of the container that holds it.
    pub container: usize,
    /// Its byte range in the container's text.
    pub span: Span,
    /// What it is, as far as can be said without resolving it.
    pub class: Class,
    /// What it is relative to.
    pub base: BaseOf,
    /// What it must be to be understood where it stands.
    pub constraints: Constraints,
    /// What the `link` element that holds it is for, where metadata is asked for.
    pub rel: Rel,
}

/// What a reference must be to be understood where it stands, beyond leading to its target.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Constraints {
    /// Its readers expect an absolute URL (sitemaps, RSS, `og:image`): one that is absolute has to
    /// stay so.
    pub absolute: bool,
    /// A fragment alone would mean a place in another document than the one it resolves to; see
    /// [`Class::SameDocument`].
    pub more_than_fragment: bool,
    /// It must begin with `/`, `./` or `../` unless it is absolute (import maps).
    pub url_like: bool,
}

impl Constraints {
    /// Those of values of an attribute of HTML.
    pub(super) fn of_attribute(row: &AttributeRow) -> Constraints {
        Constraints {
            absolute: row.when == Condition::UrlMetadata,
            more_than_fragment: row.fragment_is_local,
            url_like: false,
        }
    }
}

/// What a reference is before it is resolved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// An ordinary reference.
    Ordinary,
    /// The text around it holds template markup (`{{ }}`): nothing is known of its URLs.
    TemplateMarkup,
    /// An empty value where the Standard says that an empty value is no URL (`img src=""`).
    Empty,
    /// A fragment that means a place in this very document whatever the base URL is
    /// (`usemap="#m"`, SVG `use href="#i"`, CSS `url(#i)`).
    SameDocument,
    /// A name that its consumer only understands relative to something else (applet `code`), or
    /// that is no URL but stands where one could (RDFa `[prefix:name]`).
    RelativeOnly,
}

/// What a reference is relative to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BaseOf {
    /// The base URL of a scope.
    Scope(usize),
    /// The fallback base URL of a scope: for what sets its base URL, or is read before that.
    Fallback(usize),
    /// A `codebase`, itself relative to the base URL of a scope, and taken as a directory.
    Codebase(usize, String),
    /// Something that is not known here (a JSON-LD context's `@base`, the style sheet that uses a
    /// custom property), or nothing at all: only an absolute URL has a target.
    Unknown,
}

/// Puts `references` to these containers in the order of their places in the document.
pub(super) fn sort_references(references: &mut [Reference], containers: &[Container]) {
    references.sort_by_cached_key(|reference| {
        span_in(containers, reference.container, reference.span).start
    });
}

/// Where the URLs of a decoded value stand, and what they are.
pub fn urls_in(text: &str, rules: ValueRules) -> Vec<(Span, Class)> {
    if template_markup::is_in(text) {
        return vec![(Span::from(0..text.len()), Class::TemplateMarkup)];
    }
    let ranges = match rules.kind {
        ValueKind::Url => {
            let stripped = text.trim_matches(is_url_space);
            let class = if stripped.is_empty() && !rules.empty_resolves {
                Class::Empty
            } else if stripped.starts_with('#') && rules.fragment_is_local {
                Class::SameDocument
            } else if rules.relative_only || rules.brackets_are_names && stripped.starts_with('[') {
                Class::RelativeOnly
            } else {
                Class::Ordinary
            };
            return vec![(Span::from(0..text.len()), class)];
        }
        ValueKind::Srcset => srcset::candidates(text)
            .into_iter()
            .map(|candidate| candidate.url)
            .collect(),
        ValueKind::SpaceSeparated => list::space_separated(text),
        ValueKind::CommaSeparated => list::comma_separated(text),
        ValueKind::Refresh => refresh::url(text).into_iter().collect(),
        // These hold containers, not references.
        ValueKind::Css | ValueKind::Html => Vec::new(),
    };
    ranges
        .into_iter()
        .map(|range| (range, Class::Ordinary))
        .collect()
}

/// Where the URLs of `container` would stand if its text were `text`, and what they would be.
pub fn urls_of(container: &Container, text: &str) -> Vec<(Span, Class)> {
    let whole = Span::from(0..text.len());
    match (container.kind.rules(), container.syntax) {
        (Some(rules), _) => urls_in(text, rules),
        (None, Syntax::Css(_)) => vec![(whole, class_in_css(text))],
        (None, Syntax::Json) => vec![(whole, class_in_json(text))],
        (None, Syntax::Header) => {
            let links = message::reference_headers::links(text).into_iter();
            links.map(|range| (range, Class::Ordinary)).collect()
        }
        (None, _) => robots::sitemaps(text)
            .into_iter()
            .map(|range| (range, Class::Ordinary))
            .collect(),
    }
}

/// The class of a URL in CSS: an empty one is invalid, a fragment is local to the document (CSS
/// Values 4 section 4.5.1, "local URL flag").
pub(super) fn class_in_css(url: &str) -> Class {
    let stripped = url.trim_matches(is_url_space);
    if template_markup::is_in(url) {
        Class::TemplateMarkup
    } else if stripped.is_empty() {
        Class::Empty
    } else if stripped.starts_with('#') {
        Class::SameDocument
    } else {
        Class::Ordinary
    }
}

/// The class of a URL in JSON.
pub(super) fn class_in_json(url: &str) -> Class {
    if template_markup::is_in(url) {
        Class::TemplateMarkup
    } else if url.is_empty() {
        Class::Empty
    } else {
        Class::Ordinary
    }
}

/// C0 controls and space, which the URL parser strips (URL Standard section 4.4).
fn is_url_space(c: char) -> bool {
    c <= ' '
}
