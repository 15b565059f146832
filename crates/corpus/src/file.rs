//! A file of a tree as a document: plain, or decompressed.

use std::borrow::Cow;
use std::fs::Metadata;
use std::io;
use std::path::Path;

use super::input::page;
use crate::coding::{Compressor, decode, decoded_limit};
use crate::files::{CompressedPage, memory_for_references, with_file_bytes_up_to};
use crate::{
    ContainerFormat, Corpus, ReadError, Role, Selection, SourceDocument, catch_panic,
    container_format,
};
use rehref_document::{DocumentKind, ParseOptions, encoding::sniff_charset, lossy};
use rehref_generators::markdown::MarkdownDialect;
use rehref_site::{self, path_in_url};
use rehref_url::AbsoluteUrl;

/// The role of a file of a tree in a run: a document, a container of documents, or another file.
#[derive(Clone, Debug)]
pub enum FileRole {
    /// A document.
    Document(DocumentKind),
    /// A compressed document.
    Compressed(CompressedPage),
    /// A container of documents.
    Container(ContainerFormat),
    /// A compressed document that the selection does not read.
    UnreadPage,
    /// Another file, or a document that is not selected.
    Other,
}

impl FileRole {
    /// Returns the path of the page that the file at `path` holds: without the suffix of its compression.
    pub(crate) fn page<'p>(&self, path: &'p Path) -> Cow<'p, Path> {
        match self {
            FileRole::Compressed(_) => page(path),
            _ => Cow::Borrowed(path),
        }
    }
}

/// A document that was read from a file of a tree.
pub struct FileDocument<'f> {
    /// The document in the file.
    pub document: SourceDocument<'f>,
    /// The metadata of the file.
    pub(crate) metadata: &'f Metadata,
    /// Compresses bytes as the file does, if it is compressed.
    pub(crate) compression: Option<Compressor>,
}

impl Corpus {
    /// Returns the role of the file at `path`.
    ///
    /// # Errors
    /// Returns an error if its first bytes decide and cannot be read.
    pub fn role(&self, path: &Path) -> io::Result<FileRole> {
        if !self.selection.has(path) {
            return Ok(FileRole::Other);
        }
        if let Some(kind) = path.file_name().and_then(container_format) {
            return Ok(FileRole::Container(kind));
        }
        if self.selection.compressed
            && let Some(page) = CompressedPage::of(path)
        {
            return Ok(FileRole::Compressed(page));
        }
        let (kind, start) = self.selection.kind_of_selected(&self.root, path)?;
        Ok(match kind {
            Some(DocumentKind::Markdown(_)) if self.is_read_on_host(path) => {
                FileRole::Document(DocumentKind::Markdown(MarkdownDialect::GITHUB))
            }
            Some(kind) => FileRole::Document(kind),
            None if self.link_base(path).is_some() => match self.dialect_of_included(path) {
                Some(dialect) => FileRole::Document(DocumentKind::Markdown(dialect)),
                // The part of a page of any name.
                None if self.is_server_included(path) => FileRole::Document(DocumentKind::Html),
                None => FileRole::Other,
            },
            None if CompressedPage::of(path).is_some() => FileRole::UnreadPage,
            None => {
                let linked = self.linked_kind(path, start);
                linked.map_or(FileRole::Other, FileRole::Document)
            }
        })
    }

    /// Returns true if visitors read the document at `path` on the host of the repository: the generator does not.
    fn is_read_on_host(&self, path: &Path) -> bool {
        (self.is_skipped(path) || self.is_copied(path)) && self.link_base(path).is_none()
    }

    /// Returns the role that the file at `path` has if no document is the single one.
    ///
    /// # Errors
    /// Returns the errors of [`Corpus::role`].
    pub(super) fn role_of_neighbor(&self, path: &Path) -> io::Result<FileRole> {
        let Selection { markdown, projects, .. } = self.selection.clone();
        let others = Selection { markdown, projects, ..Selection::default() };
        let kind = others.document_kind(&self.root, path)?;
        Ok(kind.map_or(FileRole::Other, FileRole::Document))
    }

    /// Returns the decoded text of the document at `path`, to which the positions of its diagnostics refer;
    /// `None` if the document cannot be read.
    pub fn text_of(&self, path: &Path) -> Option<String> {
        let role = self.role(path).ok()?;
        let text = |file: &FileDocument<'_>| {
            let SourceDocument { bytes, options, .. } = &file.document;
            let charset = sniff_charset(options.kind, bytes, options.charset);
            let (text, _, _) = charset.encoding.decode(bytes);
            text.into_owned()
        };
        self.read_file(path, 0, &role, text).ok()?
    }

    /// Reads the file at `path` and calls `work` with its document; `None` if the file with this
    /// `role` is not one document. `item` is its number in the walk.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or decompressed, or has no URL, or when `work` panics.
    pub fn read_file<T>(
        &self,
        path: &Path,
        item: usize,
        role: &FileRole,
        work: impl FnOnce(&FileDocument<'_>) -> T,
    ) -> Result<Option<T>, ReadError> {
        let (mut work, mut result) = (Some(work), None);
        self.visit_file(path, item, role, &mut |file| {
            result = work.take().map(|work| work(file));
        })?;
        Ok(result)
    }

    /// Does what [`Corpus::read_file`] does, compiled once for all callers.
    fn visit_file(
        &self,
        path: &Path,
        item: usize,
        role: &FileRole,
        work: &mut dyn FnMut(&FileDocument<'_>),
    ) -> Result<(), ReadError> {
        let (kind, coding) = match role {
            FileRole::Document(kind) => (*kind, None),
            FileRole::Compressed(page) => (page.kind, Some(page.coding)),
            FileRole::Container(_) | FileRole::UnreadPage | FileRole::Other => return Ok(()),
        };
        let page = match &self.selection.single {
            Some(single) if single.path == path => Cow::Borrowed(&*single.published),
            _ => role.page(path),
        };
        let path_on_disk = self.root.join(path);
        let most = self.options.max_size.unwrap_or(u64::MAX);
        let read = with_file_bytes_up_to(&path_on_disk, most, |bytes, metadata| {
            let size = metadata.len();
            let unread = (size > most).then_some(size);
            let (bytes, compression) = match coding.filter(|_| unread.is_none()) {
                Some(coding) => {
                    let decoded = decode(coding, bytes, decoded_limit(bytes.len()));
                    let (decoded, compression) = decoded.map_err(ReadError::decode)?;
                    (Cow::Owned(decoded), Some(compression))
                }
                None => (Cow::Borrowed(bytes), None),
            };
            let url = AbsoluteUrl::new(self.standard, self.document_url(&page)?);
            let page_url = self.page_url(path, path, &self.site_url)?;
            let base_document = self.base_document(path);
            let base_url = match base_document.filter(|it| *it != path) {
                Some(document) => AbsoluteUrl::new(self.standard, self.document_url(document)?),
                None => url.clone(),
            };
            let document = SourceDocument {
                name: &lossy(path.as_os_str()),
                item,
                index_key: &path_in_url(&page),
                retrieval_url: &url,
                fallback_base: &base_url,
                page: page_url.as_ref(),
                bytes: &bytes,
                options: ParseOptions {
                    kind,
                    charset: self.options.charset.or_else(|| match kind {
                        DocumentKind::Css => self.style_charset(path, &bytes),
                        _ => None,
                    }),
                    rendered: self.selection.dialect_of(path).filter(|dialect| {
                        kind == DocumentKind::Html
                            && dialect.renders_html(&path_in_url(path), &bytes)
                    }),
                    server_includes: rehref_document::has_server_includes(&page),
                    unread,
                    no_url: self.options.no_url || base_document.is_none(),
                    memory: memory_for_references(size),
                    ..self.options
                },
                role: Role::Content,
            };
            let file = FileDocument { document, metadata, compression };
            catch_panic(|| work(&file)).map_err(ReadError::from)
        });
        read.map_err(ReadError::Read)?
    }
}
