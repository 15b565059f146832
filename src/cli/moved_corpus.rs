//! A site and its moves: the redirects that it needs, and what they change in a file that has some.

use std::borrow::Cow;
use std::fs;
use std::path::Path;

use super::exit::{CliError, usage_error};
use super::redirect_destination::RedirectPlace;
use super::redirect_rules::with_rules;
use crate::moves::mapping;
use crate::server_rules::rule_files;
use rehref_corpus::Corpus;
use rehref_corpus::run::Plan;
use rehref_document::redirects::RedirectSyntax;
use rehref_rewrite::{MappedTarget, SiteMapping};
use rehref_site::diagnostic::display_path;
use rehref_site::redirects::{
    self, MoveRedirects, MovedSite, PageRedirect, RedirectFormat, RedirectText, RedirectWriter,
    RuleFile, RuleFileChange, RuleRedirects, without_lines,
};
use rehref_site::{Moves, RedirectRule, SiteUrl};
use rehref_url::{AbsoluteUrl, Url};

/// The changes of a move in the file that it writes redirects to.
pub(super) struct FileChange<'m> {
    pub(super) format: &'static RedirectFormat,
    /// Whether the file has a content already.
    exists: bool,
    /// The number of redirects that the file is to have.
    wanted: usize,
    pub(super) rules: RuleFileChange,
    /// The redirects for the configuration of a generator.
    pages: Vec<PageRedirect<'m>>,
}

impl FileChange<'_> {
    /// Returns the text for the end of the file: empty if the file has all redirects.
    pub(super) fn text(&self) -> RedirectText<'_> {
        if self.format.generator.is_some() {
            return self.format.write_pages(&self.pages);
        }
        let mut written = self.format.write(&self.rules.added);
        if self.exists && written.written == 0 {
            written.text.clear();
        }
        written
    }

    /// `existing`, a content of the file, with the changes.
    pub(super) fn in_file(&self, existing: &[u8]) -> Vec<u8> {
        let (kept, text) = (self.without_removed(existing), self.text().text);
        let is_ended = text.is_empty() || kept.last().is_none_or(|last| *last == b'\n');
        let newline: &[u8] = if is_ended { b"" } else { b"\n" };
        [&*kept, newline, &*text].concat()
    }

    /// `existing` without the lines that are removed.
    pub(super) fn without_removed(&self, existing: &[u8]) -> Vec<u8> {
        without_lines(existing, &self.rules.removed_lines)
    }

    /// Returns the number of redirects that the file has already.
    pub(super) fn known(&self) -> usize {
        self.wanted.saturating_sub(self.rules.added.len() + self.rules.conflicts.len())
    }

    /// Returns true if nothing is to change.
    pub(super) fn is_done(&self) -> bool {
        self.text().text.is_empty()
            && self.rules.removed_lines.is_empty()
            && self.rules.conflicts.is_empty()
    }
}

/// A site and its moves.
pub(super) struct MovedCorpus<'m> {
    corpus: &'m Corpus,
    moves: &'m Moves,
    new_url: &'m SiteUrl,
    pub(super) mapping: Cow<'m, SiteMapping>,
}

impl<'m> MovedCorpus<'m> {
    /// Returns the site of `corpus`, whose URL becomes `new_url`.
    pub(super) fn new(
        corpus: &'m Corpus,
        moves: &'m Moves,
        new_url: &'m SiteUrl,
    ) -> MovedCorpus<'m> {
        let mapping = Cow::Owned(mapping(corpus, moves, new_url));
        MovedCorpus { corpus, moves, new_url, mapping }
    }

    /// Returns the site of `plan`, a move, whose policy has the mapping.
    pub(super) fn of_plan(plan: &'m Plan) -> MovedCorpus<'m> {
        let (corpus, moves, new_url) = (&plan.corpus, &plan.moves, plan.new_site_url());
        match plan.policy.mapping() {
            Some(mapping) => {
                MovedCorpus { corpus, moves, new_url, mapping: Cow::Borrowed(mapping) }
            }
            None => MovedCorpus::new(corpus, moves, new_url),
        }
    }

    /// The URL of a target after the moves, if it changes.
    fn map(&self, url: &Url) -> Option<Url> {
        let target = AbsoluteUrl::new(self.corpus.standard, url.clone());
        match self.mapping.map(&target) {
            MappedTarget::Moved(url) => Some(url),
            MappedTarget::External | MappedTarget::Unmoved => None,
        }
    }

    /// Returns the redirects for the moves in the site with these `rules`, and the rules that redirects cannot
    /// replace.
    pub(super) fn redirects<'r>(
        &self,
        rules: &'r [RedirectRule],
    ) -> Result<(MoveRedirects<'m>, Vec<&'r RedirectRule>), CliError> {
        let corpus = self.corpus;
        let old_site = MovedSite {
            url: &corpus.site_url,
            index_files: &corpus.index_files,
            files: &self.mapping.files,
            stated: corpus.stated_urls(),
        };
        let moves = self.moves;
        let new_site = MovedSite {
            url: self.new_url,
            index_files: &corpus.index_files_at(|path| moves.new_path(path).unwrap_or(path)),
            files: self.mapping.moved.after(&self.mapping.files),
            ..old_site
        };
        // Of a site at the same place of its host, all rules still apply.
        let is_same = moves.is_empty() && corpus.site_url.siblings().contains(self.new_url);
        let rules = if is_same { &[] } else { rules };
        let RuleRedirects { redirects: of_rules, renamed } =
            redirects::of_rules(rules, corpus.site_url.url(), |url| self.map(url));
        let entries = &corpus.walk.entries;
        let urls = redirects::of_move(entries, moves, old_site, new_site, of_rules);
        let urls = urls.or_else(|error| usage_error(format!("a file has no URL: {error}")))?;
        Ok((urls, renamed))
    }

    /// Returns the changes of the file of rules at `place` that make the redirects in `found` work.
    pub(super) fn change(
        &self,
        format: &'static RedirectFormat,
        place: &RedirectPlace<'_>,
        mut found: MoveRedirects<'m>,
    ) -> Result<FileChange<'m>, CliError> {
        let pages = std::mem::take(&mut found.pages);
        let redirects = found.for_format(format);
        let wanted = redirects.len();
        let file = match (&format.writer, place) {
            (RedirectWriter::Rules(_), RedirectPlace::InTree(path)) => self.file_of_site(path)?,
            (RedirectWriter::Rules(_), RedirectPlace::Elsewhere(path)) => {
                let read = fs::read(path).ok().filter(|bytes| !bytes.is_empty());
                read.map(|bytes| (path.display().to_string(), bytes, false))
            }
            _ => None,
        };
        let change = FileChange {
            format,
            exists: file.is_some(),
            wanted,
            pages,
            rules: RuleFileChange::default(),
        };
        let Some((name, bytes, follows_moves)) = file else {
            return Ok(FileChange {
                rules: RuleFileChange { added: redirects, ..change.rules },
                ..change
            });
        };
        let corpus = self.corpus;
        let text = String::from_utf8_lossy(&bytes);
        let rules = (&*name, RedirectSyntax::of_content(&text), &*text);
        let SiteMapping { files, moved, .. } = &*self.mapping;
        let file = RuleFile {
            text: &text,
            follows_moves,
            url: &corpus.site_url,
            before: &with_rules(files, &corpus.server, &corpus.site_url, rules),
            after: moved.after(files),
            new_url: self.new_url,
            moved,
        };
        let rules = redirects::change(&file, format, redirects, |url| self.map(url));
        Ok(FileChange { rules, ..change })
    }

    /// The file of the site that is at `path` after the moves: its name then, its content, and whether the move
    /// updates its rules.
    fn file_of_site(&self, path: &Path) -> Result<Option<(String, Vec<u8>, bool)>, CliError> {
        let new_path = |old| self.moves.new_path(old).unwrap_or(old);
        let Some(old) = self.corpus.files().find(|old| new_path(old) == path) else {
            return Ok(None);
        };
        let on_disk = self.corpus.root.join(old);
        let bytes = fs::read(&on_disk).map_err(CliError::io(on_disk.display()))?;
        let follows_moves = rule_files(self.corpus).any(|(file, _)| file == old);
        Ok(Some((display_path(path), bytes, follows_moves)))
    }
}
