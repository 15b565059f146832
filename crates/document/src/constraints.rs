//! The constraints of a reference's place on its URL.

use super::html::AttributeRow;
use super::html::attributes::Condition;
use super::metadata::Rel;
use super::value_rules::{ValueBase, ValueRules};
use rehref_generators::markdown::{BasePath, Lookup, rows};

/// The constraints that the place of a reference sets on its URL, in addition to the right target.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Constraints {
    /// Readers expect an absolute URL (sitemaps, RSS, `og:image`, canonical links): an absolute one must stay
    /// absolute.
    pub absolute: bool,
    /// A fragment alone must not be written, because it would mean a place in another document; see
    /// [`Class::SameDocument`](super::reference::Class::SameDocument).
    pub more_than_fragment: bool,
    /// The reference is a path from the root of the host, or an absolute URL, in a file of the server. Only moves
    /// change it.
    pub server_path: Option<ServerPath>,
    /// The reference must begin with `/`, `./` or `../` unless it is absolute (import maps).
    pub url_like: bool,
    /// True if scripts or other programs append to the URL. A URL that ends in a slash then names the
    /// directory, not its index file.
    pub prefix: bool,
    /// The reference has placeholders, which must stay as they are; see [`super::placeholders`].
    pub placeholders: bool,
    /// The reference changes only if its target is a file of the site, because the generator may understand any
    /// other reference differently.
    pub known_file: bool,
    /// If no file has the path relative to the document, the path is relative to a root of the content.
    pub from_root: bool,
    /// The reference is a path in the sources of a generator. With a slash at its start, it is relative to the
    /// root of the site, whatever the URL of the site is.
    pub source_path: bool,
    /// The treatment of a path with a slash at its start, if the site is below a path of its host.
    pub base_path: BasePath,
    /// With [`Constraints::source_path`]: a path without a slash at its start is relative to the root, too.
    pub of_root: bool,
    /// With [`Constraints::of_root`]: the path is relative to the directory of included files in the root.
    pub of_includes: bool,
    /// With [`Constraints::from_root`]: the roots of the content are tried before the directory of the
    /// document.
    pub roots_first: bool,
    /// The reference can lead only to pages that a generator publishes: see [`PageLink`].
    pub page_link: Option<PageLink>,
    /// If the target does not exist, the reference may be something other than a URL or path, such as a word or
    /// the id of a document.
    pub unsure: bool,
    /// The path may belong to another site of the same host.
    pub may_leave_site: bool,
    /// The program that reads the reference accepts only a path, not any URL.
    pub path: PathRule,
    /// The names by which the program that reads the reference finds the target.
    pub lookup: Lookup,
}

/// A link in a page that a generator makes of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageLink {
    /// The generator looks for a file with the path, from the document; without one, the link is a URL of the page.
    File,
    /// The generator looks for a document with the path, with or without its extension, from the document or the root
    /// of the content; without one, the link is a URL of the page.
    Name,
    /// The generator leaves it as it is: browsers read it as a URL of the page.
    Url,
    /// The same, but the generator writes the extension of pages in place of that of documents.
    Renamed,
}

/// The kind of a path in a file of the server, such as a redirect rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ServerPath {
    /// The path that a redirect rule matches.
    From,
    /// The target of a redirect rule, or the start of other paths: no file need have it.
    Pattern,
    /// The server sends its file.
    Target,
}

/// The URLs that the reader of a reference accepts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PathRule {
    /// Any.
    #[default]
    Any,
    /// A path without scheme and host (`virtual` of a server-side include).
    UrlPath,
    /// A path to a file in the document's folder or below it (`file` of a server-side include).
    Below,
    /// Any, in the form in which it is written: a program reads it for pages at several places.
    AsWritten,
}

impl Constraints {
    /// Returns, with [`Constraints::of_root`], the directory in the root against which the path resolves, with
    /// a slash at its end, or an empty text.
    pub fn folder(&self) -> &'static str {
        if self.of_includes { rows::INCLUDE_TAG.folder } else { "" }
    }

    /// Returns true if the reference is the name of a file in any directory; see [`Lookup::Wiki`].
    pub fn is_wiki(&self) -> bool {
        self.lookup == Lookup::Wiki
    }

    /// Returns true if `reference` is the start of other URLs.
    pub fn is_prefix(&self, reference: &str) -> bool {
        self.prefix && reference.ends_with('/')
    }

    /// Returns true if `url` is relative to the root of the site, whose URL has the path `site`, not to the
    /// root of its host.
    pub fn is_of_site(&self, url: &str, site: &str) -> bool {
        self.source_path && url.starts_with('/') || self.base_path.is_of_site(url, site)
    }

    /// Returns true if a slash at the start of the reference means the root of the document's language, before
    /// the root of the site.
    pub fn is_of_language(&self) -> bool {
        self.roots_first && self.base_path == BasePath::Browsers
    }

    /// Returns true if the reference may be the name of a document or label, not a URL or path.
    pub fn is_name(&self) -> bool {
        self.lookup != Lookup::None
    }

    /// Returns true if the path need not exist: it is one side of a redirect rule, and both sides are checked
    /// together elsewhere.
    pub fn is_pattern(&self) -> bool {
        matches!(self.server_path, Some(ServerPath::From | ServerPath::Pattern))
    }

    /// Returns true if the reference is the path that a redirect rule matches.
    pub fn is_matched(&self) -> bool {
        self.server_path == Some(ServerPath::From)
    }

    /// Returns the constraints on the URLs of an attribute of HTML, whose element has these link types.
    pub(super) fn of_attribute(row: &AttributeRow, rel: Rel) -> Constraints {
        Constraints::of(row.rules, Constraints::need_absolute(row, rel))
    }

    /// Returns true if [`Constraints::absolute`] holds for the URLs of an attribute: other programs than browsers read
    /// them.
    pub(super) fn need_absolute(row: &AttributeRow, rel: Rel) -> bool {
        row.when == Condition::UrlMetadata || rel.names_page()
    }

    /// Returns the constraints on the URLs of a value with these rules. `absolute`: see [`Constraints::absolute`].
    pub(super) fn of(rules: ValueRules, absolute: bool) -> Constraints {
        Constraints {
            absolute,
            more_than_fragment: rules.fragment_is_local,
            prefix: rules.prefix,
            placeholders: rules.placeholders,
            path: match rules.base {
                ValueBase::Parent => PathRule::Below,
                _ => PathRule::Any,
            },
            ..Constraints::default()
        }
    }
}
