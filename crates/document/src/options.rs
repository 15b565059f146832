//! The options to parse a document with.

use encoding_rs::Encoding;

use super::TemplateDialects;
use super::document_error::DocumentError;
use super::document_kind::DocumentKind;
use super::element_selector::KeptElements;
use super::html::FurtherAttributes;
use super::html::raw::Wanted;
use rehref_generators::markdown::{FrontMatterKeys, MarkdownDialect};

/// The options for parsing a document: facts that the caller knows about it, and the data to collect.
#[derive(Clone, Copy, Debug, Default)]
pub struct ParseOptions {
    /// The kind of the document.
    pub kind: DocumentKind,
    /// True if the document has no retrieval URL (RFC 1808 section 3.4). If it does not state a base URL, its
    /// relative references then have no target, whatever URL the caller passes.
    pub no_url: bool,
    /// The dialect of the generator that renders shortcodes or tags in an HTML document; `None` if none does.
    pub rendered: Option<MarkdownDialect>,
    /// True if JSON-LD in `script` elements contains references to read.
    pub json_ld: bool,
    /// True if the RDFa attributes `about` and `resource` contain references to read.
    pub rdfa: bool,
    /// The attributes that `--attr` adds to the table of URL attributes.
    pub attributes: FurtherAttributes,
    /// The attributes that contain URLs in the Markdown of a generator, including those of its components.
    pub component_attributes: FurtherAttributes,
    /// The elements of HTML and XML whose links stay as written.
    pub kept: KeptElements,
    /// The keys of front matter that `--front-matter` adds to the table.
    pub front_matter: FrontMatterKeys,
    /// The charset from `--charset` or a header. A byte order mark takes precedence.
    pub charset: Option<&'static Encoding>,
    /// True if a server replaces the server-side includes of an HTML document, whose paths are references then.
    pub server_includes: bool,
    /// The template languages whose markup makes a reference unknown.
    pub templates: TemplateDialects,
    /// True if a document that begins with any headers is a message. Otherwise only well-known headers make it one;
    /// see [`super::message::sniff`].
    pub message: bool,
    /// True if [`super::Document::metadata`] is collected.
    pub metadata: bool,
    /// True if simple references of HTML go into [`super::Document::simple`] instead of
    /// [`super::Document::references`]. With [`Self::metadata`], `style` attributes without URLs have no container.
    pub simple: bool,
    /// The size of the largest document that is parsed, in bytes; `None` for any size.
    pub max_size: Option<u64>,
    /// The size of a document above `max_size` whose bytes were not even read.
    pub unread: Option<u64>,
    /// The number of bytes that references may use, if the free memory is less than the budget of the document.
    pub memory: Option<usize>,
}

impl ParseOptions {
    /// Checks that a document of `size` bytes is not above the limit.
    ///
    /// # Errors
    /// [`DocumentError::AboveLimit`] if it is.
    pub(crate) fn check_size(&self, size: usize) -> Result<(), DocumentError> {
        let read = u64::try_from(size).unwrap_or(u64::MAX);
        let size = self.unread.unwrap_or(read);
        match self.max_size {
            Some(limit) if size > limit => Err(DocumentError::AboveLimit { size, limit }),
            _ => Ok(()),
        }
    }

    /// Returns the data that the engines collect.
    pub(super) fn wanted(&self) -> Wanted {
        Wanted {
            metadata: self.metadata,
            further: self.attributes,
            kept: self.kept,
            // An ordinary reference takes twice as much as a simple one.
            memory: self.memory.unwrap_or(usize::MAX) >> u32::from(!self.simple),
        }
    }
}
