//! How the generator of a row reads a reference.

use std::path::Path;

use super::dialect::{Blocks, DialectRow, Names};
use super::published::{BasePath, PageNames, PageUrl};
use super::rows::{self, Lookup, MarkdownRow, RowBase};
use rehref_url::scheme;

/// Returns true if `path` ends with `name`, which may have an asterisk for a part of the name of the file.
fn is_at(path: &Path, name: &str) -> bool {
    let file = || path.file_name().and_then(|it| it.to_str()).unwrap_or_default();
    path.ends_with(name)
        || name.split_once('*').is_some_and(|(start, end)| {
            file().strip_prefix(start).is_some_and(|rest| rest.ends_with(end))
        })
}

impl DialectRow {
    /// Returns a command that builds the project in the directory `site`, a path from the working directory, with `{out}`
    /// in place of the output directory; `None` if there is none.
    pub fn build_command(&self, site: &str) -> Option<String> {
        let (here, elsewhere) = self.build_site;
        let named = match site {
            "" | "." => here.to_owned(),
            site => elsewhere.replace("{}", site),
        };
        let command = self.build.replace("{site}", &named).replace("  ", " ");
        (!command.is_empty()).then_some(command)
    }

    /// Returns the name of this generator's configuration file if the file at `path` is one, together with the
    /// folder that it must be in.
    pub fn configuration_of(&self, path: &Path) -> Option<&'static str> {
        let names = self.configurations().map(|(name, _)| name);
        let names = names.filter(|name| is_at(path, name));
        names.max_by_key(|name| (!name.contains('*'), name.len()))
    }

    /// The number, in [`DialectRow::configurations`], of the file at `path`, whose text `has` a word; 0 for all whose whole
    /// names these have.
    pub fn number_of_configuration(
        &self,
        path: &Path,
        has: impl Fn(&str) -> bool,
    ) -> Option<usize> {
        let mut files = self.configurations();
        let number = files.position(|(name, word)| is_at(path, name) && word.is_none_or(&has))?;
        Some(if self.configuration_of(path)?.contains('*') { number } else { 0 })
    }

    /// Returns the names of the configuration files of this generator, with the folders that they must be in,
    /// each with a word that the file must contain.
    pub fn configurations(&self) -> impl Iterator<Item = (&'static str, Option<&'static str>)> {
        let with_word = self.configuration_with.iter().map(|(name, word)| (*name, Some(*word)));
        let needs_word = |name: &str| self.configuration_with.iter().any(|(it, _)| *it == name);
        let others = self.configuration.iter().filter(move |name| !needs_word(name));
        others.map(|name| (*name, None)).chain(with_word)
    }

    /// Returns the rule for the URL of the page, if URLs in HTML and destinations without a file extension are
    /// relative to the page.
    pub fn page_of_links(&self) -> Option<PageUrl> {
        self.page.filter(|_| self.has_page_links)
    }

    /// Returns true if a `reference` in a place of Markdown is relative to the page, not to the file.
    pub fn is_relative_to_page(&self, place: &MarkdownRow, reference: &str) -> bool {
        let path = reference.split(['?', '#']).next().unwrap_or_default();
        let name = path.rsplit('/').next().unwrap_or_default();
        let has_extension = name.rsplit_once('.').is_some_and(|(_, it)| !it.is_empty());
        let is_of_file = names_source(reference) || has_extension && !self.assets_of_page;
        place.base == RowBase::Destination && self.has_page_links && !path.is_empty() && !is_of_file
    }

    /// Returns true if a `reference` in a place of Markdown can lead only to files that the generator
    /// publishes.
    pub fn leads_to_pages(&self, place: &MarkdownRow, reference: &str) -> bool {
        let is_destination = place.base == RowBase::Destination && !place.absolute;
        // Also images of no page may be published so.
        let is_destination = is_destination && *place != rows::SHORTCODE_IMAGE;
        let has_path = !reference.is_empty() && !reference.starts_with(['#', '?']);
        self.is_strict
            && is_destination
            && has_path
            && scheme::split(reference).is_none()
            && (place.is_raw || !(self.bundles(reference) && (self.has_sections || place.is_image)))
    }

    /// Returns true if the generator reads a `reference` to a page in this place of Markdown as a URL, not as
    /// the path of a document.
    pub fn reads_as_url(&self, place: &MarkdownRow, reference: &str) -> bool {
        match self.root_alias {
            _ if place.is_raw => true,
            Some(_) => !names_source(reference),
            // Plugins of Jekyll look documents up from the root, too.
            None if self.page_names == PageNames::Jekyll && names_source(reference) => false,
            None if self.is_from_slash(place, reference) => false,
            None => reference.starts_with('/') || self.is_relative_to_page(place, reference),
        }
    }

    /// Returns true if a `reference` in HTML can lead only to files that the generator publishes.
    pub fn html_leads_to_pages(&self, reference: &str) -> bool {
        self.is_strict && !self.bundles(reference)
    }

    /// Returns true if the generator copies the file that `reference` leads to from wherever it is.
    fn bundles(&self, reference: &str) -> bool {
        let path = reference.split(['?', '#']).next().unwrap_or_default();
        let name = path.rsplit('/').next().unwrap_or_default();
        let is_page = !name.contains('.') || name.ends_with(".html") || names_source(path);
        self.root_alias.is_some() && !is_page && !(self.has_sections && path.starts_with('/'))
    }

    /// Returns the way in which the generator reads a destination that may be the path of a document.
    pub fn path_reading(&self) -> PathReading {
        match (self.reads_paths, self.reads_names) {
            (false, _) => PathReading::None,
            (true, false) => PathReading::Paths,
            (true, true) => PathReading::Names,
        }
    }

    /// Returns the offset of the URL or path in `destination`, at a `place` of Markdown. Returns `None` if the
    /// destination is a name of something else: a label of MyST, a word for a render hook of Hugo.
    pub fn before_url(&self, place: &MarkdownRow, destination: &str) -> Option<usize> {
        let is_destination = place.base == RowBase::Destination && !place.absolute;
        match self.names {
            Names::None => Some(self.raw_prefix(destination).map_or(0, str::len)),
            Names::Words => {
                let is_word =
                    !destination.is_empty() && !destination.contains(['/', '.', '#', '?', ':']);
                (!(is_destination && is_word)).then_some(0)
            }
            Names::Labels => {
                let prefix =
                    ["project:", "path:"].into_iter().find(|it| destination.starts_with(it));
                Some(prefix.map_or(0, str::len))
            }
        }
    }

    /// Returns true if the generator renders templates before it parses Markdown.
    pub fn renders_first(&self) -> bool {
        self.shortcode_markup.is_some_and(|it| it.is_rendered_first)
    }

    /// The start of `destination` that says that the generator leaves the rest alone.
    fn raw_prefix(&self, destination: &str) -> Option<&'static str> {
        self.raw_prefix.filter(|it| destination.starts_with(it))
    }

    /// Returns the kind of place that applies to a `destination` at a `place` of Markdown.
    pub fn row_of(&self, place: &'static MarkdownRow, destination: &str) -> &'static MarkdownRow {
        match self.raw_prefix(destination) {
            Some(_) if place.is_destination() => &rows::RAW_LINK,
            _ => place,
        }
    }

    /// Returns true if `rest`, the text after a link, has an attribute with which the generator leaves its URL alone.
    pub(super) fn has_raw_attribute(&self, rest: &str) -> bool {
        let list = rest.strip_prefix('{').and_then(|it| it.split_once(['}', '\n']));
        let mut words = list.into_iter().flat_map(|(list, _)| list.split_whitespace());
        words.any(|word| {
            let name = word.split('=').next().unwrap_or_default();
            self.raw_attributes.contains(&name)
        })
    }

    /// Returns true if `[[name]]` may be a link.
    pub(super) fn has_wiki_links(&self) -> bool {
        self.blocks != Blocks::Jsx && self.names == Names::None
    }

    /// Returns true if links can name labels in other documents.
    pub fn has_labels(&self) -> bool {
        self.names == Names::Labels
    }

    /// Returns the kind of names by which a `reference` at a `place` of Markdown names its target.
    pub fn lookup(&self, place: &MarkdownRow, reference: &str) -> Lookup {
        let is_destination = place.base == RowBase::Destination && !place.absolute;
        let has_labels = self.names == Names::Labels;
        let is_link = has_labels && is_destination && !place.is_image;
        match place.lookup {
            Lookup::None if has_labels && reference.starts_with('#') => Lookup::Link,
            Lookup::None if is_link && scheme::split(reference).is_none() => Lookup::Link,
            lookup => lookup,
        }
    }

    /// Returns true if a `reference` in a `place` of Markdown may be a path from a root of the content.
    pub fn is_from_root(&self, place: &MarkdownRow, reference: &str) -> bool {
        let is_of_root = place.of_root && place.folder.is_empty();
        let is_shortcode = *place == rows::SHORTCODE || is_of_root || place.from_root;
        if is_shortcode && self.has_bundles && reference.starts_with('/') {
            return true;
        }
        let is_from_alias = self.root_alias.is_some_and(|alias| reference.starts_with(alias));
        let may_be = is_shortcode || self.has_content_paths && names_source(reference);
        self.is_from_slash(place, reference)
            || is_from_alias
            || may_be
                && (is_content_path(reference) || place.from_root && reference.starts_with('.'))
    }

    /// Returns true if a `reference` at a `place` of Markdown resolves against a root of its document, before
    /// the root of the site.
    pub fn is_from_slash(&self, place: &MarkdownRow, reference: &str) -> bool {
        let is_destination = place.base == RowBase::Destination;
        let is_of_language = *place == rows::SHORTCODE || is_destination && self.reads_names;
        ((self.has_sections || self.has_rooted_paths) && is_destination
            || self.has_language_roots && is_of_language)
            && reference.starts_with('/')
            && !reference.starts_with("//")
    }

    /// Returns the treatment of a URL with a slash at its start, at a `place` of Markdown.
    pub fn base_path(&self, place: &MarkdownRow) -> BasePath {
        // The components of a theme write what front matter names.
        let is_of_theme = self.blocks == Blocks::Vue
            && (*place == rows::FRONT_MATTER || *place == rows::FRONT_MATTER_IMAGE);
        if place.is_destination() || is_of_theme { self.base_path } else { BasePath::Browsers }
    }

    /// Returns the treatment of a URL with a slash at its start, in HTML. `is_embedded` is true if the page
    /// shows the target.
    pub fn html_base_path(&self, is_embedded: bool) -> BasePath {
        // Links are components of JSX; images are modules of Vue.
        if is_embedded == (self.blocks == Blocks::Vue) && self.base_path != BasePath::Files {
            self.base_path
        } else {
            BasePath::Browsers
        }
    }

    /// Returns true if `label`, which no definition has, may be that of a cross-reference: plugins of MkDocs find
    /// identifiers of code, and headings, in all pages.
    pub(super) fn has_cross_references(&self, label: &str) -> bool {
        self.has_cross_references && !label.contains(' ')
    }

    /// Returns true if the generator reads values in braces as code.
    pub fn has_expressions(&self) -> bool {
        self.blocks == Blocks::Jsx
    }

    /// Returns true if the generator also makes pages of files with this `extension`, whatever their markup
    /// language, and links to these files omit the extension.
    pub fn reads(&self, extension: &str) -> bool {
        let mut tries = self.tries.iter();
        tries.any(|pattern| pattern.strip_prefix("{}.") == Some(extension))
    }

    /// Returns true if rehref reads the paths of files that documents include; see [`super::inclusions`].
    pub fn reads_inclusions(&self) -> bool {
        matches!(self.blocks, Blocks::Directives | Blocks::Rst | Blocks::Jsx)
            || self.shortcodes.iter().any(|it| it.row.is_part)
    }

    /// Returns true if destinations may have spaces, and definitions interrupt paragraphs.
    pub(super) fn has_python_links(&self) -> bool {
        self.blocks == Blocks::Indented
    }
}

/// The way in which a generator reads a destination that may be the path of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathReading {
    /// As a URL.
    None,
    /// As the path of a file from the document, else as a URL.
    Paths,
    /// As the path of a document, with or without its extension, from the document or the root of the content; else as a
    /// URL.
    Names,
}

/// The extensions of documents that generators read.
const SOURCES: &[&str] = &["md", "mdx", "markdown", "mdown", "mkd", "mkdn", "rst", "ipynb"];

/// Returns true if the extension of `reference` is that of a document of a generator.
pub fn names_source(reference: &str) -> bool {
    let path = reference.split(['?', '#']).next().unwrap_or_default();
    let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
    let mut sources = SOURCES.iter();
    sources.any(|source| extension.eq_ignore_ascii_case(source))
}

/// Returns true if the path of a module may lack the extension of its file, because it has no usual extension.
pub fn is_short_module(path: &str) -> bool {
    const USUAL: &[&str] = &[
        "md", "mdx", "vue", "png", "jpg", "jpeg", "gif", "svg", "webp", "json", "css", "scss",
        "js", "jsx", "ts", "tsx", "yml", "yaml",
    ];
    let name = path.rsplit('/').next().unwrap_or_default();
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    !USUAL.contains(&extension)
}

/// Returns true if `reference` is a path that does not begin with `/`, `./` or `../`.
pub fn is_content_path(reference: &str) -> bool {
    !reference.is_empty()
        && !reference.starts_with(['.', '/', '#', '?'])
        && scheme::split(reference).is_none()
}
