//! Diagnostics: reports about a place in a document, or about a whole file.
//!
//! Findings of the audit, warnings of a rewriting, differences that a verification finds and files
//! that cannot be read are one type: each has a severity, a stable code and a location, and all
//! reports show them alike. A kind with more data (a difference has two sides) wraps it.

use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize, Serializer};

use rehref_document::container::{Container, ContainerKind, place_of};
use rehref_document::html::Namespace;
use rehref_document::{Document, DocumentError, DocumentKind, Position, Reference, is_markdown};

/// The severity of a diagnostic, from lowest to highest.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, Serialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Information: nothing is wrong.
    Note,
    /// Something is probably wrong, or was skipped although it looks like a link.
    #[default]
    Warning,
    /// Something is wrong, or an operation failed.
    Error,
}

impl Severity {
    /// Returns the name that reports use: `note`, `warning` or `error`.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

/// The code of the error for a document that was skipped although it is not malformed.
pub const SKIPPED_DOCUMENT: &str = "skipped-document";

/// A report about a place in a document, or about a whole file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diagnostic {
    /// The severity; [`Severity::Warning`] by default.
    pub severity: Severity,
    /// A stable name for programs that identifies the kind of the report, such as `bad-url`.
    pub code: &'static str,
    /// The file, and the place in it, that the diagnostic is about.
    pub location: Location,
    /// The decoded reference as the author wrote it; `None` for a diagnostic that is not about a
    /// single reference.
    pub reference: Option<Box<str>>,
    /// The message for people, without the location and the reference. Values are in backticks.
    pub message: Cow<'static, str>,
    /// The next step for people, if there is one.
    pub help: Option<Box<str>>,
}

impl Diagnostic {
    /// Creates a diagnostic about a place, without a reference and without help.
    pub fn new(
        severity: Severity,
        code: &'static str,
        location: Location,
        message: impl Into<Cow<'static, str>>,
    ) -> Diagnostic {
        Diagnostic {
            severity,
            code,
            location,
            reference: None,
            message: message.into(),
            help: None,
        }
    }

    /// Sets the [`reference`](Diagnostic::reference).
    #[must_use]
    pub fn about(mut self, reference: &str) -> Diagnostic {
        self.reference = Some(reference.into());
        self
    }

    /// Returns a diagnostic about the whole file at `path`.
    pub fn of_file(
        severity: Severity,
        code: &'static str,
        path: impl Into<Arc<str>>,
        message: impl Into<Cow<'static, str>>,
    ) -> Diagnostic {
        Diagnostic::new(severity, code, Location::of_file(path), message)
    }

    /// Returns a warning about the whole file at `path`.
    pub fn warning(
        path: impl Into<Arc<str>>,
        code: &'static str,
        message: impl Into<Cow<'static, str>>,
    ) -> Diagnostic {
        Diagnostic::of_file(Severity::Warning, code, path, message)
    }

    /// Returns the error for a file at `path` that could not be read or written.
    pub fn file_error(
        path: impl Into<Arc<str>>,
        message: impl Into<Cow<'static, str>>,
    ) -> Diagnostic {
        Diagnostic::of_file(Severity::Error, "file-error", path, message)
    }

    /// Returns the error for a document at `path` that was skipped, since it cannot be decoded or its edits cannot be
    /// written.
    pub fn skipped(path: impl Into<Arc<str>>, message: impl Into<Cow<'static, str>>) -> Diagnostic {
        Diagnostic::of_file(Severity::Error, SKIPPED_DOCUMENT, path, message)
    }

    /// Returns the error for the document at `path`. Its code is the name of the audit's check, if the document is
    /// malformed.
    #[doc(hidden)]
    pub fn of_document(path: impl Into<Arc<str>>, error: &DocumentError) -> Diagnostic {
        let mut diagnostic = Diagnostic::skipped(path, error.reason());
        diagnostic.code = error.malformation().unwrap_or(diagnostic.code);
        diagnostic.location.position = error.position();
        diagnostic
    }

    /// Sets the path in the [`location`](Diagnostic::location).
    #[must_use]
    #[doc(hidden)]
    pub fn at_path(mut self, path: &str) -> Diagnostic {
        self.location.path = path.into();
        self
    }
}

/// The place that a diagnostic is about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Location {
    /// The path of the document below the site's root, with `/` between names. Bytes that are not UTF-8 appear
    /// as replacement characters. Empty for a document in memory.
    pub path: Arc<str>,
    /// The line and column in the document; `None` for the whole file.
    pub position: Option<Position>,
    /// The name of the element, after the elements and attributes around it: `a`, or `iframe srcdoc > img`.
    /// Empty for the whole file and for a header of a message.
    pub element: Cow<'static, str>,
    /// The name of the attribute, or of the header of a message; empty for the text of an element.
    pub attribute: Cow<'static, str>,
}

impl Location {
    /// Creates the location of an attribute at `position`. Pass empty names for an element or attribute that
    /// does not exist.
    pub fn new(
        path: impl Into<Arc<str>>,
        position: Option<Position>,
        element: impl Into<Cow<'static, str>>,
        attribute: impl Into<Cow<'static, str>>,
    ) -> Location {
        Location {
            path: path.into(),
            position,
            element: element.into(),
            attribute: attribute.into(),
        }
    }

    /// Returns the location of the whole file at `path`.
    pub fn of_file(path: impl Into<Arc<str>>) -> Location {
        Location { path: path.into(), ..Location::default() }
    }

    /// Returns the location of the container that holds `reference`. `position` is in the source.
    #[doc(hidden)]
    pub fn of_reference(
        document: &Document<'_>,
        reference: &Reference,
        position: Option<Position>,
    ) -> Location {
        Location::of_container(&document.containers, reference.container, position)
    }

    /// Returns the location of the container at `index` of `containers`. `position` is in the source.
    #[doc(hidden)]
    pub fn of_container(
        containers: &[Container],
        index: usize,
        position: Option<Position>,
    ) -> Location {
        let container = containers.get(index);
        let (element, attribute) = match container.map(|it| (it.parent, &it.kind)) {
            // Nearly all; their names need no memory.
            Some((None, ContainerKind::Attribute { element, row }))
                if element.namespace == Namespace::Html =>
            {
                (element.name.clone(), Cow::Borrowed(row.attribute))
            }
            _ => Location::names(containers, index),
        };
        Location { path: Arc::default(), position, element, attribute }
    }

    /// The element and the attribute of the container at `index`.
    fn names(containers: &[Container], index: usize) -> (Cow<'static, str>, Cow<'static, str>) {
        let place = place_of(containers, index);
        let attribute = match containers.get(index).map(|container| &container.kind) {
            Some(ContainerKind::Attribute { row, .. }) => Cow::Borrowed(row.attribute),
            Some(ContainerKind::Include(row)) => Cow::Borrowed(row.attribute),
            Some(ContainerKind::Header(header)) => Cow::Owned(header.name.clone()),
            Some(ContainerKind::Markup(it)) => Cow::Owned(it.attribute.clone().unwrap_or_default()),
            _ => Cow::Borrowed(""),
        };
        let element = place.strip_suffix(&*attribute).unwrap_or(&place);
        let element = element.trim_end_matches([' ', '>']).to_owned();
        (element.into(), attribute)
    }

    /// Returns the place in words, the innermost element first: `<img> src in <iframe> srcdoc`,
    /// `a Markdown link`.
    pub fn in_words(&self) -> String {
        place_in_words(&self.path, &self.element, &self.attribute)
    }

    /// Returns the element and the attribute, for programs: `iframe srcdoc > img src`,
    /// `part 1 > Content-Location`.
    pub fn place(&self) -> String {
        let (element, attribute) = (&*self.element, &*self.attribute);
        let innermost = element.rsplit(" > ").next().unwrap_or_default();
        let separator = match () {
            () if element.is_empty() || attribute.is_empty() => "",
            () if innermost.starts_with("part ") => " > ",
            () => " ",
        };
        [element, separator, attribute].concat()
    }
}

/// The places without an attribute, in words. Any other is the content of an element.
const PLACES: &[(&str, &str)] = &[
    ("url()", "CSS url()"),
    ("redirect rule", "a redirect rule"),
    ("sitemap:loc", "a sitemap's loc"),
    ("URL", "a string"),
    ("conditional comment", "a conditional comment"),
    ("wiki link", "a wiki link"),
    ("link definition", "a link definition"),
    ("autolink", "an autolink"),
    ("URL in text", "a URL in text"),
    ("role", "a role"),
    ("directive", "a directive"),
    ("toctree", "a toctree"),
    ("shortcode", "a shortcode"),
    ("include", "an include"),
    ("import", "an import"),
    ("front matter", "front matter"),
    ("navigation", "the navigation"),
];

/// [`Location::in_words`] of a location with this path, element and attribute.
pub fn place_in_words(path: &str, element: &str, attribute: &str) -> String {
    if element.is_empty() {
        return attribute.to_owned();
    }
    let mut outermost_first: Vec<String> = element.split(" > ").map(|it| words(path, it)).collect();
    if let Some(innermost) = outermost_first.last_mut().filter(|_| !attribute.is_empty()) {
        *innermost = match innermost.starts_with("part ") {
            true => format!("{attribute} of {innermost}"),
            false => format!("{innermost} {attribute}"),
        };
    }
    outermost_first.reverse();
    outermost_first.join(" in ")
}

/// `name`, one of the places of a location, in words.
fn words(path: &str, name: &str) -> String {
    if let Some((_, words)) = PLACES.iter().find(|(known, _)| *known == name) {
        return (*words).to_owned();
    }
    match name {
        // Of XML, too.
        "link" | "image" if is_markdown(Path::new(path)) => format!("a Markdown {name}"),
        "link" | "image" if DocumentKind::of_path(Path::new(path)) != Some(DocumentKind::Xml) => {
            format!("a {name}")
        }
        _ if name.starts_with("part ") || name.starts_with('#') => name.to_owned(),
        _ => match name.split_once(' ') {
            Some((element, attribute)) => format!("<{element}> {attribute}"),
            None => format!("<{name}>"),
        },
    }
}

/// Returns true if a character is invisible, or changes how others are displayed.
pub fn is_unseen(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{AD}' | '\u{61C}' | '\u{180E}' | '\u{FEFF}'
            | '\u{200B}'..='\u{200F}'
            | '\u{2028}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}'
            | '\u{FFF9}'..='\u{FFFB}'
            | '\u{FFFE}' | '\u{FFFF}'
            | '\u{E0000}'..='\u{E007F}')
}

/// Escapes invisible characters, so that a file name cannot forge a line, steer the terminal or look like another.
pub fn escaped(text: &str) -> Cow<'_, str> {
    if !text.contains(is_unseen) {
        return text.into();
    }
    let mut escaped = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if is_unseen(c) { escaped.extend(c.escape_default()) } else { escaped.push(c) }
    }
    escaped.into()
}

/// Writes the invisible characters of `json`, from byte `start` on, as escapes of JSON, which mean the same. They can only
/// be in strings.
pub fn escape_json(json: &mut Vec<u8>, start: usize) {
    let is_escaped = |c: char| !c.is_ascii_control() && is_unseen(c) || c == '\x7f';
    let tail = json.get(start..).unwrap_or_default();
    if tail.is_ascii() && memchr::memchr(0x7F, tail).is_none() {
        return;
    }
    let Some(text) = str::from_utf8(tail).ok().filter(|text| text.contains(is_escaped)) else {
        return;
    };
    let mut escaped = Vec::with_capacity(tail.len() + 16);
    for c in text.chars() {
        let mut buffer = [0; 2];
        if is_escaped(c) {
            escaped.extend(
                c.encode_utf16(&mut buffer)
                    .iter()
                    .flat_map(|unit| format!("\\u{unit:04x}").into_bytes()),
            )
        } else {
            escaped.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes())
        }
    }
    json.truncate(start);
    json.append(&mut escaped);
}

/// Returns a path as reports show it: `.` for the root of a tree, and replacement characters for bytes that are not
/// UTF-8.
pub fn display_path(path: &Path) -> String {
    match path.to_str() {
        Some("") => ".".to_owned(),
        Some(path) => path.to_owned(),
        None => path.to_string_lossy().into_owned(),
    }
}

/// The keys of a diagnostic in JSON reports, which programs read.
#[derive(serde::Serialize)]
struct JsonDiagnostic<'a> {
    path: &'a str,
    #[serde(flatten)]
    position: Option<Position>,
    id: &'static str,
    #[serde(skip_serializing_if = "String::is_empty")]
    place: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    reference: Option<&'a str>,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<&'a str>,
}

impl Serialize for Diagnostic {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        JsonDiagnostic {
            path: &self.location.path,
            position: self.location.position,
            id: self.code,
            place: self.location.place(),
            reference: self.reference.as_deref(),
            message: &self.message,
            help: self.help.as_deref(),
        }
        .serialize(serializer)
    }
}

/// The keys of an error about a whole file in JSON reports.
#[derive(serde::Serialize)]
struct JsonFileError<'a> {
    path: &'a str,
    message: &'a str,
}

/// Serialises errors about whole files, for `#[serde(serialize_with)]`.
///
/// # Errors
/// The errors of `serializer`.
pub fn serialize_file_errors<S: Serializer>(
    errors: &[Diagnostic],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(
        errors
            .iter()
            .map(|error| JsonFileError { path: &error.location.path, message: &error.message }),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use rehref_document::{DocumentKind, ParseOptions};

    #[test]
    fn a_place_in_words_names_the_innermost_carrier_first() {
        for (path, element, attribute, words) in [
            ("a.html", "a", "href", "<a> href"),
            ("a.html", "iframe srcdoc > img", "src", "<img> src in <iframe> srcdoc"),
            ("a.html", "p style > url()", "", "CSS url() in <p> style"),
            ("a.css", "url()", "", "CSS url()"),
            ("a.md", "link", "", "a Markdown link"),
            ("feed.xml", "link", "", "<link>"),
            ("a.rst", "link", "", "a link"),
            ("sitemap.xml", "sitemap:loc", "", "a sitemap's loc"),
            ("_redirects", "redirect rule", "", "a redirect rule"),
            ("a.eml", "part 1", "Content-Location", "Content-Location of part 1"),
            ("a.eml", "", "Content-Location", "Content-Location"),
            ("a.eml", "part 1 > a", "href", "<a> href in part 1"),
        ] {
            assert_eq!(place_in_words(path, element, attribute), words);
        }
    }

    #[test]
    fn a_place_names_carriers_from_the_outermost_in() {
        for (kind, source, element, attribute, place) in [
            (DocumentKind::Html, "<a href=x>", "a", "href", "a href"),
            (
                DocumentKind::Html,
                "<iframe srcdoc='<img src=x>'>",
                "iframe srcdoc > img",
                "src",
                "iframe srcdoc > img src",
            ),
            (
                DocumentKind::Html,
                "<style>a{b:url(x)}</style>",
                "style > url()",
                "",
                "style > url()",
            ),
            (
                DocumentKind::Message,
                "Content-Location: x\r\n\r\n",
                "",
                "Content-Location",
                "Content-Location",
            ),
            (
                DocumentKind::Message,
                "Content-Type: multipart/mixed; boundary=b\r\n\r\n\
                 --b\r\nContent-Location: x\r\n\r\n--b--\r\n",
                "part 1",
                "Content-Location",
                "part 1 > Content-Location",
            ),
        ] {
            let options = ParseOptions { kind, ..ParseOptions::default() };
            let document = Document::parse(source.as_bytes(), &options).unwrap();
            let location = Location::of_reference(&document, &document.references[0], None);
            let names = (&*location.element, &*location.attribute);
            assert_eq!(names, (element, attribute), "{source}");
            assert_eq!(location.place(), place, "{source}");
        }
    }
}
