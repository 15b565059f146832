//! Files that documents include, and that are not documents of their own: a part of a page in a file of any name.
//! Their relative links resolve against the document that includes them.

use std::path::{Path, PathBuf};

use super::link_base::{Inclusions, LinkBase};
use crate::Corpus;
use rehref_document::{has_server_includes, server_include};
use rehref_generators::markdown::{MarkdownDialect, inclusions};
use rehref_site::{Pages, symlink_target};

impl Corpus {
    /// Returns the files that documents in Markdown include, and that are not pages of their own.
    pub(crate) fn inclusions(&self) -> &Inclusions {
        self.inclusions.get_or_init(|| {
            let mut found = Inclusions::default();
            self.find_server_includes(&mut found);
            let dialects = self.dialects().flat_map(|it| std::iter::once(it).chain(it.neighbors()));
            for dialect in dialects.filter(|it| it.row().reads_inclusions()) {
                self.find_inclusions(dialect, &mut found);
            }
            found
        })
    }

    fn find_inclusions(&self, dialect: MarkdownDialect, found: &mut Inclusions) {
        for (path, included) in self.markdown_texts(dialect, |text| inclusions(text, dialect)) {
            for inclusion in included {
                let target = self.included(path, &inclusion.path);
                let Some(target) = target.filter(|it| !self.is_page(it)) else { continue };
                let base = if inclusion.has_own_links {
                    LinkBase::File
                } else {
                    LinkBase::Document(path.to_owned())
                };
                add(found, target, base);
            }
        }
    }

    /// Adds the parts of pages that a server includes: `<!--#include virtual="/nav.html" -->`.
    fn find_server_includes(&self, found: &mut Inclusions) {
        let is_read = |path: &&Path| has_server_includes(path) && self.selection.has(path);
        for (path, texts) in self.texts_of(is_read, server_included) {
            for text in texts {
                let target = match text.strip_prefix('/') {
                    Some(below) => Some(PathBuf::from(below)),
                    None => symlink_target(path, Path::new(&text)),
                };
                let target = target.filter(|it| self.root.join(it).is_file());
                if let Some(target) = target {
                    add(found, target, LinkBase::Document(path.to_owned()));
                }
            }
        }
    }

    /// The path of the file that the document at `path` includes, as it is written there.
    fn included(&self, path: &Path, included: &str) -> Option<PathBuf> {
        let pages = self.server_of(path).sources.as_ref().and_then(|it| it.pages.as_ref());
        let from_alias = pages.and_then(|pages| {
            let rest = included.strip_prefix(pages.dialect.row().root_alias?)?;
            Some(Path::new(&pages.alias_root).join(rest))
        });
        if from_alias.is_some() {
            return from_alias;
        }
        let of_root = included.trim_start_matches('/');
        let relative = symlink_target(path, Path::new(included));
        // A page may include the snippet of its own name.
        let is_part = |path: &Path| self.root.join(path).is_file() && !self.is_page(path);
        if relative.as_deref().is_some_and(is_part) {
            return relative;
        }
        let roots = self.server_of(path).sources.iter().flat_map(|it| it.roots.iter());
        let mut roots = roots.map(String::as_str).chain([""]);
        let found = roots.find_map(|root| {
            let path = Path::new(root).join(of_root);
            is_part(&path).then_some(path)
        });
        found.or(relative)
    }

    /// Returns true if the document at `path` is not a page of the generator.
    pub(crate) fn is_skipped(&self, path: &Path) -> bool {
        let pages = self.server_of(path).sources.as_ref().and_then(|it| it.pages.as_ref());
        pages.is_some_and(|pages| pages.skips(path))
    }

    /// Returns true if the generator copies the document at `path` as it is, since it has no front matter.
    pub(crate) fn is_copied(&self, path: &Path) -> bool {
        let row = self.selection.document_dialect(path).map(MarkdownDialect::row);
        row.is_some_and(|row| {
            row.needs_front_matter
                && !row.parts.iter().any(|part| path.iter().any(|it| it == *part))
                && !self.stated_urls().contains_key(path)
        })
    }

    /// Returns true if the generator makes a page of the file at `path`, as far as is known.
    fn is_page(&self, path: &Path) -> bool {
        let pages = self.server_of(path).sources.as_ref().and_then(|it| it.pages.as_ref());
        let is_page = |pages: &Pages| pages.page(path, self.stated_urls().get(path)).is_some();
        self.selection.document_dialect(path).is_some() && pages.is_none_or(is_page)
    }

    /// Returns the dialect of the file at `path`, which no name tells, if a document includes it: that of the
    /// document.
    pub(crate) fn dialect_of_included(&self, path: &Path) -> Option<MarkdownDialect> {
        match self.link_base(path)? {
            LinkBase::Document(document) => self.selection.document_dialect(document),
            _ => self.selection.markdown,
        }
    }

    /// Returns the base of the relative links of the file at `path`, if a document includes it.
    pub(crate) fn link_base(&self, path: &Path) -> Option<&LinkBase> {
        self.inclusions().get(path)
    }

    /// Returns true if a server includes the file at `path` in a page.
    pub(crate) fn is_server_included(&self, path: &Path) -> bool {
        matches!(self.link_base(path), Some(LinkBase::Document(page)) if has_server_includes(page))
    }

    /// Returns the path of the document whose URL the relative links of the file at `path` resolve against: that of the
    /// file itself, or of a document that includes it. `None` if several do.
    pub(crate) fn base_document<'p>(&'p self, path: &'p Path) -> Option<&'p Path> {
        match self.link_base(path) {
            None | Some(LinkBase::File) => Some(path),
            Some(LinkBase::Document(document)) => Some(document),
            Some(LinkBase::Several) => None,
        }
    }
}

/// Adds the file at `target`, whose relative links resolve against `base`.
fn add(found: &mut Inclusions, target: PathBuf, base: LinkBase) {
    let folder = |base: &LinkBase| match base {
        LinkBase::File => target.parent().map(Path::to_owned),
        LinkBase::Document(path) => path.parent().map(Path::to_owned),
        LinkBase::Several => None,
    };
    match found.get_mut(&target) {
        Some(known) if folder(known) != folder(&base) => *known = LinkBase::Several,
        Some(_) => {}
        None => _ = found.insert(target, base),
    }
}

/// The paths that directives in `text` include, as written.
fn server_included(text: &str) -> Vec<String> {
    let comments = text.split("<!--#").skip(1).filter_map(|it| it.split_once("-->"));
    let paths = comments.flat_map(|(comment, _)| {
        let comment = format!("<!--#{comment}-->");
        let paths = server_include::paths(comment.as_bytes()).into_iter();
        let paths = paths.filter(|it| it.row.directive == "include");
        let texts =
            paths.filter_map(|it| comment.get(it.span.start..it.span.end).map(str::to_owned));
        texts.collect::<Vec<_>>()
    });
    paths.collect()
}
