//! Lists every reference of a document as a record.

mod records;

use serde::Serialize;
use std::borrow::Cow;

use super::message_parts::PartIndex;
use super::site_index::{ResolvedReference, SiteIndex, location_of};
use super::suggest::readable;
use super::target_place::TargetPlace;
use rehref_corpus::SourceDocument;
use rehref_document::container::{ContainerKind, Syntax};
use rehref_document::{Document, DocumentError, ParseOptions, Positions, Reference, SkipReason};
use rehref_generators::data::Quoting;
use rehref_site::{Response, SiteUrl};

pub use records::{CsvRecords, FIELDS, add_json_line, add_text_line};

/// A reference, as `rehref links` prints it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Link {
    /// The document's path below the site's root.
    pub document: String,
    /// The line of the link, from 1.
    pub line: usize,
    /// The column of the link in characters, from 1; a tab is one character.
    pub column: usize,
    /// The name of the element, after the elements and attributes around it: `a`, or `iframe srcdoc > img`.
    pub element: Cow<'static, str>,
    /// The name of the attribute; empty for a link in text.
    pub attribute: Cow<'static, str>,
    /// The syntax of the text that contains the reference: `html`, `css`, `json`, `xml`, `header` or `text`.
    pub carrier: &'static str,
    /// The reference as the author wrote it, decoded.
    pub reference: String,
    /// The base URL against which the reference resolves, if it is known.
    pub base: Option<String>,
    /// The absolute URL that the reference resolves to, with its fragment. If the site's URL is not known,
    /// `rehref links` prints the path from the site's root, as for `base`.
    pub target: Option<String>,
    /// The fragment of the target, without its `#` and percent-encoded; `None` if the target has none.
    pub fragment: Option<String>,
    /// `internal`, `external`, `part` (of the same message), `other` (a scheme without a hierarchy),
    /// `invalid`, `unknown-base`, or the reason not to resolve it (`template-markup`, `empty`,
    /// `same-document`, `relative-only`).
    pub kind: &'static str,
    /// The path of the file that serves an internal target.
    pub file: Option<String>,
    /// For an internal target or a part of the message: true if it exists, and false if the audit reports it as
    /// `broken-target`, even if a file with an added extension exists.
    pub found: Option<bool>,
    /// True if the reference is a resource hint, whose target browsers do not request.
    #[serde(skip)]
    pub is_hint: bool,
}

/// The values of [`Link::kind`], and what each means.
pub const KINDS: &[(&str, &str)] = &[
    ("internal", "Links into the site"),
    ("external", "Links to other sites"),
    ("part", "Links to a part of the same message"),
    ("other", "Links with a non-hierarchical scheme, such as mailto:"),
    ("invalid", "Values that are not URLs"),
    ("unknown-base", "Relative links with an unknown base URL"),
    ("template-markup", "Values with template markup"),
    ("empty", "Empty values"),
    ("same-document", "Links within the document"),
    ("relative-only", "Names, not URLs (applet code)"),
];

impl Link {
    /// Replaces the URL of the site in base and target by paths from the site's root. Call this for a site
    /// whose URL is not known; `site_url` is then a placeholder.
    pub fn show_paths(&mut self, site_url: &SiteUrl) {
        let root = site_url.url().as_str().trim_end_matches('/');
        for url in [&mut self.base, &mut self.target].into_iter().flatten() {
            if let Some(path) = url.strip_prefix(root) {
                *url = path.to_owned();
            }
        }
    }
}

/// Calls `take` for each reference of the document `source`, in order. `site` is the index of its site.
///
/// # Errors
/// Returns an error if the document cannot be parsed.
pub fn each_of_document(
    site: &SiteIndex,
    source: &SourceDocument<'_>,
    take: &mut dyn FnMut(Link),
) -> Result<(), DocumentError> {
    let own = source.fallback_base;
    // Links find labels of other documents only where their own has no such anchor.
    let site = site.of_document(source.index_key);
    let metadata = site.files.has_labels();
    let options = ParseOptions { metadata: metadata || source.options.metadata, ..source.options };
    let document = source.parse(&options)?;
    let bases = document.base_urls(own);
    let mut positions = Positions::new(document.working_bytes());
    let parts = PartIndex::of(&document, &bases);
    for reference in &document.references {
        let resolved = site.resolve(&document, &bases, &parts, own, reference);
        let mut link = link(source.name, &document, &resolved, &mut positions);
        // Paths are printed as on disk, URLs of an archive unchanged.
        if let Some(file) = link.file.as_mut().filter(|_| site.archive.is_none()) {
            *file = readable(file).into_owned();
        }
        take(link);
    }
    Ok(())
}

fn link(
    path: &str,
    document: &Document<'_>,
    resolved: &ResolvedReference<'_>,
    positions: &mut Positions<'_>,
) -> Link {
    let location = location_of(document, resolved.reference, positions);
    let (line, column) = location.position.map_or((0, 0), |at| (at.line, at.column));
    let target = resolved.url();
    let found = match &resolved.place {
        _ if resolved.reference.constraints.is_pattern() => None,
        _ if resolved.is_file_outside(document.container_of(resolved.reference)) => None,
        TargetPlace::Part { part, .. } => Some(part.is_some()),
        TargetPlace::Internal { response: Some(Response::Unread), .. } => None,
        TargetPlace::Internal { .. } => Some(resolved.place.exists()),
        TargetPlace::Unknown | TargetPlace::External => None,
    };
    Link {
        document: path.to_owned(),
        line,
        column,
        element: location.element,
        attribute: location.attribute,
        carrier: carrier(document, resolved.reference),
        reference: resolved.text.to_owned(),
        base: resolved.base.as_ref().map(|it| it.as_str().to_owned()),
        target: target.map(|it| it.as_str().to_owned()),
        fragment: target.and_then(|it| Some(it.as_str().split_once('#')?.1.to_owned())),
        kind: kind(resolved),
        file: resolved.place.file().filter(|_| found == Some(true)).map(str::to_owned),
        found,
        is_hint: resolved.reference.rel.is_hint(),
    }
}

fn kind(resolved: &ResolvedReference<'_>) -> &'static str {
    if let Some(reason) = resolved.reference.class.skip_reason() {
        return reason.code();
    }
    match (&resolved.target, &resolved.place) {
        (None, _) => SkipReason::UnknownBase.code(),
        (Some(Err(_)), _) => "invalid",
        (Some(Ok(_)), TargetPlace::Unknown) => "other",
        (Some(Ok(_)), TargetPlace::Part { .. }) => "part",
        (Some(Ok(_)), TargetPlace::External) => "external",
        (Some(Ok(_)), TargetPlace::Internal { .. }) => "internal",
    }
}

/// The name of the syntax of the text that contains a reference.
fn carrier(document: &Document<'_>, reference: &Reference) -> &'static str {
    let container = document.container_of(reference);
    match container.map(|it| it.syntax) {
        Some(Syntax::Attribute(_)) => "html",
        Some(Syntax::Css(_)) => "css",
        Some(Syntax::Json) => "json",
        Some(Syntax::Xml(_)) => "xml",
        Some(Syntax::Header) => "header",
        Some(Syntax::Rule(_)) if container.is_some_and(|it| it.kind == ContainerKind::Line) => {
            "text"
        }
        Some(Syntax::Rule(_)) => "redirect",
        Some(Syntax::Markdown(_)) => "markdown",
        Some(Syntax::Scalar(scalar)) => match scalar.quoting {
            Quoting::TomlLiteral | Quoting::TomlBasic => "toml",
            _ => "yaml",
        },
        Some(Syntax::Verbatim | Syntax::Transfer(_)) | None => "text",
    }
}
