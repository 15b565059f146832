//! Selects the files of a tree that are documents, and determines their kinds.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustc_hash::FxHashSet;
use serde::Serialize;

use crate::files::{CompressedPage, Globs, first_bytes};
use rehref_document::{
    DocumentKind, FileKind, SNIFF_LENGTH, file_kind, is_markdown, lines::LineSyntax,
    redirects::RedirectSyntax, sniff_document_kind, sniff_xml,
};
use rehref_generators::markdown::{MarkdownDialect, NavigationKind};
use rehref_site::{Excluded, Projects, is_installed, path_in_url};

/// Selects the files of a tree that are read as documents, by their paths below its root.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// The only document of the run, if SITE is a single file.
    pub single: Option<SingleFile>,
    /// If set, only matching files are documents.
    pub include: Option<Globs>,
    /// If set, only these files are documents (`--files-from`).
    pub only: Option<Arc<FxHashSet<PathBuf>>>,
    /// The globs of files that are not documents (`--exclude`).
    pub exclude: Globs,
    /// The globs of files that are HTML, whatever their extensions are (`--html`).
    pub html: Globs,
    /// True if files that git ignores are not part of the tree.
    pub gitignore: bool,
    /// True if compressed pages (`page.html.gz`) are documents.
    pub compressed: bool,
    /// The dialect in which Markdown is read; `None` if Markdown files are not documents.
    pub markdown: Option<MarkdownDialect>,
    /// The directories of templates, which are not documents.
    pub templates: Vec<PathBuf>,
    /// In the project of a generator, the files that are not documents: files that git ignores, installed
    /// packages, and pages in hidden directories.
    pub unread: Option<Excluded>,
    /// The dialects of the projects below the tree.
    pub projects: Projects<MarkdownDialect>,
    /// The directories whose files a generator publishes at the root of the host.
    pub host_roots: Vec<PathBuf>,
    /// The file of `--redirects`, whose name does not show its syntax: its path, and the syntax.
    pub redirects: Option<(PathBuf, RedirectSyntax)>,
}

/// The only document of a run, if SITE is a single file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SingleFile {
    /// The path below the root.
    pub path: PathBuf,
    /// The path of the document in URLs. It differs from `path` for the rewritten copy of a document, which
    /// replaces the document.
    pub published: PathBuf,
    /// The kind of the document; `None` if its name and its first bytes determine the kind.
    pub kind: Option<DocumentKind>,
}

impl Selection {
    /// Sets the kind of the single document. `None` determines it by the name and the first bytes.
    pub fn set_kind(&mut self, kind: Option<DocumentKind>) {
        if let Some(single) = &mut self.single {
            single.kind = kind;
        }
    }

    /// Returns the dialect in which the file at `path` is read if it is Markdown.
    pub fn dialect_of(&self, path: &Path) -> Option<MarkdownDialect> {
        let of_project = || self.projects.innermost(&path_in_url(path)).copied();
        match self.projects.is_empty() {
            true => self.markdown,
            false => of_project().or(self.markdown),
        }
    }

    /// Returns true if the file at `relative` is selected: by `include` and `exclude`, or because it is the single one.
    pub fn has(&self, relative: &Path) -> bool {
        if let Some(single) = &self.single {
            return single.path == relative;
        }
        let is_included = self.include.as_ref().is_none_or(|include| include.is_match(relative));
        let is_listed = self.only.as_ref().is_none_or(|it| it.contains(relative));
        let is_selected = is_included && is_listed && !self.is_template(relative);
        is_selected && !self.exclude.is_match(relative) && !self.is_unread(relative)
    }

    /// Returns true if the file at `relative` is a template of a generator, except files of redirect rules.
    pub fn is_template(&self, relative: &Path) -> bool {
        let is_rules = || {
            let kind = self.kind_by_name(relative);
            matches!(kind, FileKind::Document(DocumentKind::Redirects(_)))
        };
        self.templates.iter().any(|it| relative.starts_with(it)) && !is_rules()
    }

    /// Returns true if the file at `relative` is not one of the project of a generator: see [`Selection::unread`].
    pub fn is_unread(&self, relative: &Path) -> bool {
        // A theme, drafts, the output of a tool.
        let is_hidden = || {
            let mut folders = relative.parent().into_iter().flatten();
            folders.any(|it| it.as_encoded_bytes().starts_with(b".") && it != ".well-known")
                && matches!(
                    self.kind_by_name(relative),
                    FileKind::Document(
                        DocumentKind::Html
                            | DocumentKind::Xhtml
                            | DocumentKind::Xml
                            | DocumentKind::Css
                    )
                )
        };
        self.is_made(relative) || self.unread.is_some() && is_hidden()
    }

    /// Returns true if the file at `relative` in the project of a generator is made or installed by a program: git
    /// ignores it.
    pub fn is_made(&self, relative: &Path) -> bool {
        let is_made = |it: &Excluded| is_installed(relative) || it.has(relative);
        self.unread.as_ref().is_some_and(is_made)
    }

    /// Returns the compressed page at `relative`; `None` if compressed pages are not documents, or this one is not
    /// selected.
    pub fn compressed_page(&self, relative: &Path) -> Option<CompressedPage> {
        let is_selected = self.compressed && self.has(relative);
        is_selected.then(|| CompressedPage::of(relative))?
    }

    /// Returns the kind of the document in the file at `relative` below `root`; `None` for other files and for
    /// documents that are not selected. If the name does not determine the kind, reads the first
    /// [`SNIFF_LENGTH`] bytes of the file.
    ///
    /// # Errors
    /// Returns an error if it cannot be read.
    pub fn document_kind(&self, root: &Path, relative: &Path) -> io::Result<Option<DocumentKind>> {
        if self.has(relative) { Ok(self.kind_of_selected(root, relative)?.0) } else { Ok(None) }
    }

    /// As [`Selection::document_kind`], for a file that is selected. Also the first bytes of the file, if they decided.
    pub(super) fn kind_of_selected(
        &self,
        root: &Path,
        relative: &Path,
    ) -> io::Result<(Option<DocumentKind>, Option<Vec<u8>>)> {
        match self.kind_by_name(relative) {
            FileKind::Document(DocumentKind::Html) if is_of_feed(relative) => {
                let start = first_bytes(&root.join(relative), SNIFF_LENGTH)?;
                let is_feed = sniff_xml(&start) == Some(DocumentKind::Xml);
                let kind = if is_feed { DocumentKind::Xml } else { DocumentKind::Html };
                Ok((Some(kind), Some(start)))
            }
            FileKind::Document(kind) => Ok((Some(kind), None)),
            FileKind::Other => Ok((None, None)),
            FileKind::Unknown => {
                let start = first_bytes(&root.join(relative), SNIFF_LENGTH)?;
                Ok((sniff_document_kind(&start), Some(start)))
            }
        }
    }

    /// Returns the dialect in which the file at `relative` is read as Markdown, or as a neighbor in another language;
    /// `None` for other files.
    pub fn document_dialect(&self, relative: &Path) -> Option<MarkdownDialect> {
        let dialect = self.dialect_of(relative)?;
        dialect.of_other(relative).or_else(|| is_markdown(relative).then_some(dialect))
    }

    fn kind_by_name(&self, relative: &Path) -> FileKind {
        if let Some(kind) = self.single.as_ref().and_then(|single| single.kind) {
            return FileKind::Document(kind);
        }
        if self.html.is_match(relative) {
            return FileKind::Document(DocumentKind::Html);
        }
        if let Some((path, syntax)) = &self.redirects
            && path == relative
        {
            return FileKind::Document(DocumentKind::Redirects(*syntax));
        }
        if let Some(dialect) = self.document_dialect(relative) {
            return FileKind::Document(DocumentKind::Markdown(dialect));
        }
        if let Some(dialect) = self.dialect_of(relative) {
            let path = path_in_url(relative);
            if let Some(kind) = NavigationKind::of_file(&path, dialect) {
                return FileKind::Document(DocumentKind::Navigation(kind));
            }
        }
        match file_kind(relative.file_name().unwrap_or_default()) {
            // Hosts read only the one in the root.
            FileKind::Document(
                DocumentKind::Redirects(RedirectSyntax::Netlify)
                | DocumentKind::Lines(LineSyntax::Headers),
            ) if !self.is_at_root(relative) => FileKind::Other,
            kind => kind,
        }
    }

    /// Returns true if the file at `relative` is at the root of the host.
    fn is_at_root(&self, relative: &Path) -> bool {
        let folder = relative.parent().unwrap_or(relative);
        folder.as_os_str().is_empty() || self.host_roots.iter().any(|it| it == folder)
    }

    /// Returns the globs that match none of `entries`, which usually contain a typing mistake.
    pub fn unused_globs<'p>(
        &self,
        paths: impl Iterator<Item = &'p Path> + Clone,
    ) -> Vec<UnusedGlob> {
        [
            ("--include", self.include.as_ref()),
            ("--exclude", Some(&self.exclude)),
            ("--html", Some(&self.html)),
        ]
        .into_iter()
        .filter_map(|(option, globs)| Some((option, globs?)))
        .flat_map(|(option, globs)| {
            let unused = globs.without_match(paths.clone()).into_iter();
            unused.map(move |glob| UnusedGlob { option, glob: glob.to_owned() })
        })
        .collect()
    }
}

/// A glob that matches nothing in the site.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct UnusedGlob {
    /// The option with the glob: `--include`, `--exclude` or `--html`.
    pub option: &'static str,
    /// The glob, as written on the command line.
    pub glob: String,
}

/// Returns true if the file at `relative` may be the copy of a feed: WordPress has them at the URLs of directories, and programs
/// that download sites write index.html there.
fn is_of_feed(relative: &Path) -> bool {
    let folder = relative.parent().and_then(Path::file_name);
    let is_index = relative.file_stem().is_some_and(|it| it == "index");
    is_index && folder.is_some_and(|it| ["feed", "rss", "atom"].iter().any(|name| it == *name))
}
