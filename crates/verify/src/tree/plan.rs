//! Two trees to compare, and what may differ between them.

use std::path::{Path, PathBuf};

use crate::added::AddedText;
use crate::document::{ComparisonOptions, DocumentComparison, verify_document};
use crate::expected_targets::{ExpectedTargets, SiteFiles};
use crate::integrity::FileDigests;
use rehref_corpus::{Corpus, SiteDigests, SourceDocument};
use rehref_document::DocumentError;
use rehref_site::{Moves, RepositoryUrls};
use rehref_url::AbsoluteUrl;

/// The plan of a comparison: two trees, and the differences that are expected.
pub struct TreePlan<'p> {
    /// The tree before the rewrite, and how to read it.
    pub before: &'p Corpus,
    /// The tree after the rewrite.
    pub after: &'p Corpus,
    /// The files of BEFORE that have another path in AFTER.
    pub moves: &'p Moves,
    /// The name of the file in AFTER, if BEFORE and AFTER are single files.
    pub file_after: Option<&'p Path>,
    /// The base URL that documents of AFTER may have instead of their own (`--base-element URL`).
    pub base: Option<&'p AbsoluteUrl>,
    /// The URLs of a repository that Markdown links in AFTER may have instead of their targets.
    pub repository: Option<&'p RepositoryUrls>,
    /// The expected targets in AFTER.
    pub targets: ExpectedTargets<'p>,
    /// The digests of the files of BEFORE.
    pub digests_before: SiteDigests<'p>,
    /// The digests of the files of AFTER.
    pub digests_after: SiteDigests<'p>,
    /// True if AFTER is opened from disk.
    pub offline: bool,
    /// True if AFTER may have files without a counterpart in BEFORE.
    pub may_be_extra: bool,
    /// The text that the run added to files of AFTER.
    pub added: AddedText,
    /// The maximum number of differences to list, in all files together; all differences are counted.
    pub limit: usize,
}

impl<'p> TreePlan<'p> {
    /// Creates a plan to compare `before` with `after`, which is the tree after `moves`. With `same_file`,
    /// targets are equal if the server sends the same file for them. All differences are listed.
    pub fn new(
        before: &'p Corpus,
        after: &'p Corpus,
        moves: &'p Moves,
        same_file: bool,
    ) -> TreePlan<'p> {
        let files = || SiteFiles::new(before.file_index(), after.file_index(), moves);
        let has_moved = !moves.is_empty() || before.site_url != after.site_url;
        TreePlan {
            before,
            after,
            moves,
            file_after: None,
            base: None,
            repository: None,
            targets: ExpectedTargets {
                before: &before.site_url,
                also: &before.also,
                after: &after.site_url,
                files: (same_file || has_moved).then(files),
                same_file,
            },
            digests_before: SiteDigests::new(before),
            digests_after: SiteDigests::new(after),
            offline: false,
            may_be_extra: false,
            added: AddedText::new(),
            limit: usize::MAX,
        }
    }
}

impl TreePlan<'_> {
    /// Returns true if files, or the whole site, get other URLs.
    pub(super) fn moves_anything(&self) -> bool {
        !self.moves.is_empty() || self.targets.before != self.targets.after
    }

    /// Returns true if equal bytes prove that links of a document which cannot be read lead where they led: its
    /// base URL is the same, and so is the place of everything that it could name.
    pub(super) fn proves_unread(&self, is_same_place: bool) -> bool {
        is_same_place && !self.moves_anything() && !self.offline
    }

    /// Returns the path in AFTER of the file at `path` in BEFORE.
    pub(super) fn counterpart(&self, path: &Path) -> PathBuf {
        match self.file_after {
            Some(name) => name.to_owned(),
            None => self.moves.counterpart(path),
        }
    }

    /// Compares two documents, each with its own URL.
    pub(super) fn documents(
        &self,
        before: &SourceDocument<'_>,
        after: &SourceDocument<'_>,
    ) -> Result<DocumentComparison, DocumentError> {
        let is_from_disk = self.offline && !self.targets.before.is_placeholder();
        let targets = &*self.targets.of_document(before.index_key);
        let options = ComparisonOptions {
            parse: before.options,
            before: before.fallback_base,
            after: after.fallback_base,
            page_before: before.page,
            page_after: after.page,
            follow: &|target| targets.follow(target),
            keeps_urls: targets.keeps_urls(),
            follow_base: &|base| targets.follow_base(base),
            base: self.base,
            same: &|expected, found| {
                let in_repository =
                    |it: &RepositoryUrls| it.may_be_url(expected.as_str(), found.as_str());
                targets.is_same(expected, found) || self.repository.is_some_and(in_repository)
            },
            on_disk: is_from_disk.then_some(targets),
            has_no_file: &|target, is_name| targets.has_no_file(target, is_name),
            same_from_root: &|old, new| {
                let own = [before.fallback_base, after.fallback_base];
                targets.is_same_from_root(old, new, own)
            },
            site_path: targets.before.url().path(),
            same_source_path: &|folder, paths| targets.is_same_source_path(folder, paths),
            same_wiki: &|names, own| targets.is_same_wiki(names, own),
            digests: FileDigests {
                before: &|url| self.digests_before.of(url),
                after: &|url| self.digests_after.of(url),
                are_removed: &|url| self.offline && self.digests_before.file(url).is_some(),
                origin: &|| self.targets.before.origin_change(self.targets.after, self.offline),
            },
            is_served_anywhere: !self.offline && {
                let [path, new_path] = [before, after].map(|it| Path::new(it.name));
                self.before.served_anywhere.has(path, new_path)
            },
            limit: self.limit,
        };
        verify_document(before.bytes, after.bytes, &options)
    }
}
