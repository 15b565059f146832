//! Files that documents include, and that are no documents of their own: a part of a page in a file of any name.
//! Their relative links count from the document that includes them.

use std::path::{Path, PathBuf};

use super::link_base::{Inclusions, LinkBase};
use crate::Corpus;
use rehref_document::is_markdown;
use rehref_generators::markdown::{MarkdownDialect, inclusions};
use rehref_site::symlink_target;

impl Corpus {
    /// The files that documents in Markdown include, and that no name tells to be Markdown.
    pub(crate) fn inclusions(&self) -> &Inclusions {
        self.inclusions.get_or_init(|| {
            let dialect = self.selection.markdown;
            let dialect = dialect.filter(|it| it.row().reads_inclusions());
            dialect.map_or_else(Inclusions::default, |dialect| self.find_inclusions(dialect))
        })
    }

    fn find_inclusions(&self, dialect: MarkdownDialect) -> Inclusions {
        let mut found = Inclusions::default();
        for (path, included) in self.markdown_texts(|text| inclusions(text, dialect)) {
            for inclusion in included {
                let target = self.included(path, &inclusion.path);
                let Some(target) = target.filter(|it| !is_markdown(it) || self.is_skipped(it))
                else {
                    continue;
                };
                let base = if inclusion.has_own_links {
                    LinkBase::File
                } else {
                    LinkBase::Document(path.to_owned())
                };
                match found.get_mut(&target) {
                    None => _ = found.insert(target, base),
                    Some(known) => {
                        let folder = |base: &LinkBase| match base {
                            LinkBase::File => target.parent().map(Path::to_owned),
                            LinkBase::Document(path) => path.parent().map(Path::to_owned),
                            LinkBase::Several => None,
                        };
                        if folder(known) != folder(&base) {
                            *known = LinkBase::Several;
                        }
                    }
                }
            }
        }
        found
    }

    /// The path of the file that the document at `path` includes, as it is written there.
    fn included(&self, path: &Path, included: &str) -> Option<PathBuf> {
        let pages = self.server.sources.as_ref().and_then(|it| it.pages.as_ref());
        let from_alias = pages.and_then(|pages| {
            let rest = included.strip_prefix(pages.dialect.row().root_alias?)?;
            Some(Path::new(&pages.alias_root).join(rest))
        });
        if from_alias.is_some() {
            return from_alias;
        }
        let relative = symlink_target(path, Path::new(included));
        let is_file = |path: &Path| self.root.join(path).is_file();
        if relative.as_deref().is_none_or(is_file) {
            return relative;
        }
        let roots = self.server.sources.iter().flat_map(|it| it.roots.iter());
        let mut roots = roots.map(String::as_str).chain([""]);
        let found = roots.find_map(|root| {
            let path = Path::new(root).join(included);
            is_file(&path).then_some(path)
        });
        found.or(relative)
    }

    /// Whether the document at `path` is no page of the generator.
    pub(crate) fn is_skipped(&self, path: &Path) -> bool {
        let pages = self.server.sources.as_ref().and_then(|it| it.pages.as_ref());
        pages.is_some_and(|pages| pages.skips(path))
    }

    /// The base of the relative links of the file at `path`, if a document includes it.
    pub(crate) fn link_base(&self, path: &Path) -> Option<&LinkBase> {
        self.inclusions().get(path)
    }

    /// The path of the document whose URL the relative links of the file at `path` count from: that of the file itself,
    /// or of a document that includes it. `None` if several do.
    pub(crate) fn base_document<'p>(&'p self, path: &'p Path) -> Option<&'p Path> {
        match self.link_base(path) {
            None | Some(LinkBase::File) => Some(path),
            Some(LinkBase::Document(document)) => Some(document),
            Some(LinkBase::Several) => None,
        }
    }
}
