//! The table of the places of Markdown, front matter and the files of generators that hold URLs; their values.

use super::destination::DestinationForm;
use crate::data::{NotData, ScalarSyntax};
use rehref_url::{Span, scheme};

/// A value in Markdown that contains a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MarkdownValue {
    /// The span of the URL, without brackets or quotes.
    pub span: Span,
    pub form: DestinationForm,
    pub row: &'static MarkdownRow,
}

/// A value in front matter or configuration that may be a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DataValue {
    /// The span of the value, without quotes.
    pub span: Span,
    pub syntax: ScalarSyntax,
    pub row: &'static MarkdownRow,
}

/// The values of the front matter of a document that may be links.
#[derive(Debug, Default)]
pub struct DataValues {
    pub values: Vec<DataValue>,
    /// The values whose text is Markdown.
    pub markdown: Vec<DataValue>,
    /// The span of the front matter, and the error, if it is malformed.
    pub error: Option<(Span, NotData)>,
}

/// A kind of place in Markdown that contains a URL, such as a link or an image.
#[derive(Debug, PartialEq, Eq)]
pub struct MarkdownRow {
    /// The name of the kind of place in messages.
    pub name: &'static str,
    /// True if the page shows the target as an image.
    pub is_image: bool,
    /// True if an empty URL is a reference, to the page itself.
    pub empty_resolves: bool,
    /// True if the URL has to be absolute.
    pub absolute: bool,
    /// The base against which the URL resolves.
    pub base: RowBase,
    /// The kind of names by which the generator finds the target.
    pub lookup: Lookup,
    /// True if no page uses the link, so that a missing target is not an error.
    pub is_unused: bool,
    /// True if a path resolves against the root of the site, with or without a slash at its start.
    pub of_root: bool,
    /// With [`MarkdownRow::of_root`]: the directory in the root against which the path resolves, with a slash
    /// at its end, or empty.
    pub folder: &'static str,
    /// True if a path is looked up from the roots of the project if no file has the path relative to the
    /// document.
    pub from_root: bool,
    /// True if the text of the target, with its headings and links, replaces the markup.
    pub is_part: bool,
    /// True if the generator does not change the URL, which may lead to another site of the host.
    pub is_raw: bool,
}

/// The base against which the URLs in a kind of place resolve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowBase {
    /// The file, or the page, as the dialect has it for destinations.
    Destination,
    /// The file.
    File,
    /// The file, and the generator reads a path as it is: `%` and `?` are characters like others.
    Path,
}

/// The kind of names by which a generator finds a target.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lookup {
    /// None: it is a URL or a path.
    #[default]
    None,
    /// A file, a document without its extension, or else a label.
    Link,
    /// A document, without its extension.
    Document,
    /// A document, without its extension, or a label.
    Any,
    /// A label.
    Label,
    /// A file anywhere, by its name or the end of its path, without the extension of Markdown: a wiki link.
    Wiki,
}

impl MarkdownRow {
    /// Returns true if URLs in this place are relative to the file in every dialect.
    pub fn is_of_file(&self) -> bool {
        matches!(self.base, RowBase::File | RowBase::Path)
    }

    /// Returns true if the place is a destination of Markdown, which a render hook may interpret.
    pub fn is_destination(&self) -> bool {
        self.base == RowBase::Destination && !self.absolute
    }

    /// Returns true if the anchors of the target become anchors of the page.
    pub fn is_part_of_page(&self) -> bool {
        self.is_part || !self.folder.is_empty()
    }

    /// Returns true if the generator reads the value as a path, not as a URL with a host.
    pub fn is_path(&self) -> bool {
        self.is_of_file() && !self.is_image
    }

    /// Returns the form of `text`, which has no escapes of Markdown.
    pub(super) fn verbatim(&self, text: &str) -> DestinationForm {
        match self.base {
            RowBase::Path if !text.contains("://") => DestinationForm::Path,
            _ => DestinationForm::Verbatim,
        }
    }
}

const fn row(name: &'static str, base: RowBase) -> MarkdownRow {
    MarkdownRow {
        name,
        is_image: false,
        empty_resolves: false,
        absolute: false,
        base,
        lookup: Lookup::None,
        of_root: false,
        folder: "",
        is_unused: false,
        from_root: false,
        is_part: false,
        is_raw: false,
    }
}

const fn image(name: &'static str, base: RowBase) -> MarkdownRow {
    MarkdownRow { is_image: true, ..row(name, base) }
}

const fn named(name: &'static str, lookup: Lookup) -> MarkdownRow {
    MarkdownRow { lookup, ..row(name, RowBase::Path) }
}

const fn absolute(name: &'static str) -> MarkdownRow {
    MarkdownRow { absolute: true, ..row(name, RowBase::Destination) }
}

/// The URL in `[text](URL)`; without a URL, a link to the page itself.
pub static LINK: MarkdownRow =
    MarkdownRow { empty_resolves: true, ..row("link", RowBase::Destination) };
/// The URL in `[text](URL){target="_self"}` or `[text](pathname://URL)`.
pub static RAW_LINK: MarkdownRow = MarkdownRow { is_raw: true, ..LINK };
/// The target of a wiki link, `[[Page]]`.
pub static WIKI: MarkdownRow =
    MarkdownRow { lookup: Lookup::Wiki, ..row("wiki link", RowBase::Path) };
/// The target of a wiki image, `![[image.png]]`.
pub static WIKI_IMAGE: MarkdownRow = MarkdownRow { is_image: true, ..WIKI };
/// The URL in `![text](URL)`.
pub static IMAGE: MarkdownRow = image("image", RowBase::Destination);
/// The URL in the definition `[label]: URL`.
pub static DEFINITION: MarkdownRow =
    MarkdownRow { empty_resolves: true, ..row("link definition", RowBase::Destination) };
/// The URL in a definition that no link of the document uses.
pub static UNUSED: MarkdownRow = MarkdownRow { is_unused: true, ..DEFINITION };
/// The URL in the autolink `<URL>`.
pub static AUTOLINK: MarkdownRow = absolute("autolink");
/// A URL in running text.
pub static BARE: MarkdownRow = absolute("URL in text");
/// A role of Sphinx that names a file.
pub static ROLE: MarkdownRow = row("role", RowBase::Path);
/// A role that names a document.
pub static DOCUMENT: MarkdownRow = named("role", Lookup::Document);
/// A role that names a document or a label.
pub static ANY: MarkdownRow = named("role", Lookup::Any);
/// A role that names a label.
pub static LABEL: MarkdownRow = named("role", Lookup::Label);
/// The URL in a hyperlink of reStructuredText, which the generator does not change.
pub static HYPERLINK: MarkdownRow = row("link", RowBase::File);
/// The argument or an option of a directive of MyST.
pub static DIRECTIVE: MarkdownRow = row("directive", RowBase::File);
/// The argument or an option of a directive of MyST that is the path of a document or text file.
pub static FILE: MarkdownRow = row("directive", RowBase::Path);
/// The argument or an option of a directive of MyST that is the path of an image.
pub static FIGURE: MarkdownRow = image("directive", RowBase::File);
/// An entry of a `toctree` directive.
pub static TOCTREE: MarkdownRow = row("toctree", RowBase::Path);
/// The argument or an option of a directive of MyST that names a document, or a label.
pub static NAME: MarkdownRow = named("directive", Lookup::Any);
/// The argument or an option of a directive of MyST that names a document.
pub static NAMED_DOCUMENT: MarkdownRow = named("directive", Lookup::Document);
/// The argument or an option of a directive of MyST that names a label.
pub static NAMED_LABEL: MarkdownRow = named("directive", Lookup::Label);
/// The path in a shortcode `ref` or `relref` of Hugo.
pub static SHORTCODE: MarkdownRow = row("shortcode", RowBase::File);
/// The image of a shortcode of Hugo.
pub static SHORTCODE_IMAGE: MarkdownRow = image("shortcode", RowBase::Destination);
/// The link of a shortcode of Hugo.
pub static SHORTCODE_LINK: MarkdownRow = row("shortcode", RowBase::Destination);
/// The URL before a filter of Jekyll: `{{ "/a/" | relative_url }}`.
pub static FILTER: MarkdownRow = MarkdownRow { of_root: true, ..row("shortcode", RowBase::File) };
/// The path in a tag `link` of Jekyll.
pub static TAG: MarkdownRow = MarkdownRow { of_root: true, ..row("shortcode", RowBase::Path) };
/// The name of a post in a tag `post_url` of Jekyll.
pub static POST: MarkdownRow = MarkdownRow { of_root: true, ..row("shortcode", RowBase::Path) };
/// The path in a tag `include` of Jekyll.
pub static INCLUDE_TAG: MarkdownRow =
    MarkdownRow { of_root: true, folder: "_includes/", ..row("include", RowBase::Path) };
/// The path of a file that a document includes as code.
pub static INCLUDE: MarkdownRow = row("include", RowBase::Path);
/// The path of a file that a document includes as Markdown.
pub static PART: MarkdownRow = MarkdownRow { is_part: true, ..INCLUDE };
/// The path of a snippet of MkDocs' plugins that is included as code.
pub static CODE_SNIPPET: MarkdownRow = MarkdownRow { from_root: true, ..INCLUDE };
/// The path of a snippet of MkDocs' plugins that is included as Markdown.
pub static SNIPPET: MarkdownRow = MarkdownRow { from_root: true, ..PART };
/// The module in an `import`. A bundler may find it under more names.
pub static IMPORT: MarkdownRow = row("import", RowBase::Path);
/// The module in an `import` of a Markdown file.
pub static IMPORT_PART: MarkdownRow = MarkdownRow { is_part: true, ..IMPORT };
/// A value of the front matter.
pub static FRONT_MATTER: MarkdownRow = row("front matter", RowBase::File);
/// An image in the front matter.
pub static FRONT_MATTER_IMAGE: MarkdownRow = image("front matter", RowBase::File);
/// A value of a generator's configuration.
pub static NAVIGATION: MarkdownRow = row("navigation", RowBase::File);

/// Returns true if a value looks like a path or a URL, not like words.
pub(super) fn may_be_url(value: &str) -> bool {
    if value.contains(['<', '>', '"', '\n', '\t', '|', '^', '\\']) || value.contains("](") {
        return false;
    }
    let is_rooted = ["/", "./", "../", "#", "?"];
    if is_rooted.iter().any(|start| value.starts_with(start)) || value.contains("://") {
        return true;
    }
    if scheme::split(value).is_some() {
        return true;
    }
    let path = value.split(['?', '#']).next().unwrap_or_default();
    let name = path.rsplit('/').next().unwrap_or_default();
    let has_extension = name.rsplit_once('.').is_some_and(|(stem, extension)| {
        !stem.is_empty()
            && (1..=8).contains(&extension.len())
            && extension.bytes().all(|b| b.is_ascii_alphanumeric())
            && extension.bytes().any(|b| b.is_ascii_alphabetic())
    });
    has_extension || path.contains('/') && !path.contains(' ')
}
