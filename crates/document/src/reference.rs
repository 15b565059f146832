//! References: URL strings of a document, with their places and base URLs.

use std::sync::Arc;

use encoding_rs::UTF_8;

pub use super::constraints::{Constraints, PageLink, PathRule, ServerPath};
use super::container::{Container, Syntax, span_in};
use super::metadata::Rel;
use super::value_rules::{ValueKind, ValueRules};
use super::{TemplateDialects, link_header, list, placeholders, refresh, srcset};
use rehref_url::{AbsoluteUrl, Span};

/// A reference of a document: its container, its span and its class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The index of the container that holds the reference.
    pub container: usize,
    /// The span in the container's decoded text.
    pub span: Span,
    /// The class of the reference, which is known without resolving it.
    pub class: Class,
    pub base: BaseOf,
    pub constraints: Constraints,
    /// The link types of the `link` element that contains the reference.
    pub rel: Rel,
}

/// The class of a reference, which decides whether it is resolved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// An ordinary reference.
    Ordinary,
    /// The text around it holds template markup (`{{ }}`): its URLs are unknown.
    TemplateMarkup,
    /// An empty value in a place where the Standard says it is not a URL (`img src=""`).
    Empty,
    /// A fragment that means a place in its own document whatever the base URL is
    /// (`usemap="#m"`, SVG `use href="#i"`, CSS `url(#i)`), or an empty refresh, which reloads the page.
    SameDocument,
    /// A name that its readers understand only relative to something else (applet `code`), or a name
    /// in a place where a URL could be (RDFa `[prefix:name]`).
    RelativeOnly,
}

/// A directory, with a URL of its own, against which references resolve (`codebase`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Codebase {
    /// The URL of the directory, as it is written.
    pub url: String,
    /// The path of a directory below this URL that the page adds. No move changes it.
    pub below: String,
}

impl From<String> for Codebase {
    fn from(url: String) -> Codebase {
        Codebase { url, below: String::new() }
    }
}

impl Codebase {
    /// Returns true if the element has no `codebase`.
    pub fn is_empty(&self) -> bool {
        self.url.trim_ascii().is_empty() && self.below.is_empty()
    }

    /// Returns the base URL of the references. `url` is the target of [`Codebase::url`].
    pub fn base(&self, url: &AbsoluteUrl) -> AbsoluteUrl {
        let directory = url.as_directory();
        if self.below.is_empty() {
            return directory;
        }
        let below = directory.resolve(&format!("./{}/", self.below), UTF_8);
        below.unwrap_or(directory)
    }
}

/// The base URL that a reference is relative to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BaseOf {
    /// The base URL of a scope.
    Scope(usize),
    /// The fallback base URL of a scope: for a reference that sets the scope's base URL, and for one
    /// that browsers read before it is set.
    Fallback(usize),
    /// A `codebase`, itself relative to the base URL of a scope, and treated as a directory.
    Codebase(usize, Arc<Codebase>),
    /// An unknown base URL (a JSON-LD context's `@base`, the style sheet that uses a custom
    /// property), or no base URL: only an absolute URL has a target.
    Unknown,
}

/// Sorts `references` by their places in the document.
pub(super) fn sort_references(references: &mut [Reference], containers: &[Container]) {
    references.sort_by_cached_key(|reference| {
        span_in(containers, reference.container, reference.span).start
    });
}

/// The URLs of `text`, a decoded value: their spans and classes.
fn urls_in(text: &str, rules: ValueRules, templates: TemplateDialects) -> Vec<(Span, Class)> {
    if templates.is_in(text) || rules.placeholders && placeholders::is_at_start(text) {
        return vec![(Span::from(0..text.len()), Class::TemplateMarkup)];
    }
    ordinary(match rules.kind {
        ValueKind::Url => {
            // C0 controls and space, which the URL parser strips (URL Standard section 4.4).
            let stripped = text.trim_matches(|c| c <= ' ');
            let class = if stripped.is_empty() && !rules.empty_resolves {
                Class::Empty
            } else if stripped.starts_with('#') && rules.fragment_is_local {
                Class::SameDocument
            } else if rules.relative_only || rules.rdfa && is_rdfa_name(stripped) {
                Class::RelativeOnly
            } else {
                Class::Ordinary
            };
            return vec![(Span::from(0..text.len()), class)];
        }
        ValueKind::Srcset => srcset::urls(text),
        ValueKind::SpaceSeparated => list::space_separated(text),
        ValueKind::CommaSeparated => list::separated_by(',', text),
        ValueKind::SemicolonSeparated => {
            let spans = list::separated_by(';', text).into_iter();
            let class = |span: &Span| match span.of_str(text).starts_with('#') {
                true if rules.fragment_is_local => Class::SameDocument,
                _ => Class::Ordinary,
            };
            return spans.map(|span| (span, class(&span))).collect();
        }
        ValueKind::Pairs => list::values_of_uris(text),
        ValueKind::Refresh => {
            // Browsers reload the page, whatever the Standard says of the base URL.
            let class =
                |url: &Span| if url.is_empty() { Class::SameDocument } else { Class::Ordinary };
            return refresh::url(text).map(|url| (url, class(&url))).into_iter().collect();
        }
        ValueKind::Template => return vec![(Span::from(0..text.len()), Class::TemplateMarkup)],
        // The others hold containers, or no URLs.
        _ => Vec::new(),
    })
}

/// Returns true if a value is a CURIE in brackets or a blank node (RDFa Core section 7.4.3).
fn is_rdfa_name(value: &str) -> bool {
    value.starts_with('[') || value.starts_with("_:")
}

fn ordinary(spans: Vec<Span>) -> Vec<(Span, Class)> {
    let urls = spans.into_iter().map(|span| (span, Class::Ordinary));
    urls.collect()
}

/// Returns the URLs that `container` would contain if its text were `text`: spans of `text`, and their classes.
/// `templates` is the template markup to recognize.
pub fn urls_of(
    container: &Container,
    text: &str,
    templates: TemplateDialects,
) -> Vec<(Span, Class)> {
    let plain = ValueRules::of(ValueKind::Url);
    let urls_in = |text, rules| urls_in(text, rules, templates);
    let mut urls = match (container.kind.rules(), container.syntax) {
        (Some(rules), _) => urls_in(text, rules),
        // An empty URL is invalid, a fragment is local to the document (CSS Values 4 section 4.5.1,
        // "local URL flag").
        (None, Syntax::Css(_)) => urls_in(text, plain.fragment_is_local()),
        // An empty string means that there is no URL; white space is a reference.
        (None, Syntax::Json) if text.is_empty() => urls_in(text, plain),
        (None, Syntax::Json) => urls_in(text, plain.empty_resolves()),
        (None, Syntax::Rule(rule)) => match rule.encode(text) {
            Some(_) => ordinary(vec![Span::from(0..text.len())]),
            None => Vec::new(),
        },
        (None, Syntax::Header) => ordinary(link_header::urls(text)),
        (None, _) => Vec::new(),
    };
    if container.syntax == Syntax::Header {
        // White space that begins a folded line stays there: a URL in its place would begin another header.
        for (span, _) in &mut urls {
            let url = span.of_str(text);
            span.start += url.len() - url.trim_ascii_start().len();
        }
    }
    urls
}
