//! Opens a site for a command that only reads it.

use std::fmt::Display;
use std::io;
use std::path::Path;

use clap::Args;

use super::arguments::SiteArguments;
use super::command_line::{command_name, quoted, value_of};
use super::exit::{CliError, Exit};
use super::kind::{KindArguments, refuse_binary};
use super::likely_site::likely_site;
use super::progress::{Listing, Progress};
use super::site_url::MissingUrl;
use super::working_directory::shown;
use super::{no_documents, summary, terminal};
use rehref_audit::finding::Unread;
use rehref_audit::site_index::SiteIndex;
use rehref_corpus::{
    Collection, Corpus, CorpusError, Observer, SitePlace, SourceDocument, folder_of,
};
use rehref_document::{DocumentError, DocumentKind};
use rehref_site::{CaptureIndex, Diagnostic, FileIndex, SiteUrl};

/// The arguments of a command that reads a site as its server serves it.
#[derive(Debug, Args)]
pub(super) struct ReadingArguments {
    #[command(flatten)]
    pub(super) site: SiteArguments,
    #[command(flatten)]
    pub(super) kind: KindArguments,
    /// True if SITE is a temporary file, whose directory no report shows.
    #[arg(skip)]
    pub(super) is_temporary: bool,
}

/// A site whose files are listed and indexed.
#[derive(Debug)]
pub(super) struct OpenedSite {
    /// SITE as reports show it; for an archive its directory, since its documents' names hold its own.
    pub(super) name: String,
    pub(super) corpus: Corpus,
    /// The index of the site's files; each archive has an index of its own.
    pub(super) index: SiteIndex,
    /// True if its URL is only assumed: it is a directory, and `--url` is missing.
    pub(super) is_url_assumed: bool,
    /// True if only the files of SITE state its URL.
    pub(super) is_url_inferred: bool,
    /// The parts of the site that could not be read; errors have been printed.
    pub(super) unread: Vec<Unread>,
    /// True to read which URLs archives hold, before their documents.
    pub(super) needs_captures: bool,
}

impl ReadingArguments {
    /// Walks `site`; prints an error for each directory that cannot be read. Without `--url`, does as `missing` says.
    pub(super) fn open(&self, site: &Path, missing: MissingUrl) -> Result<OpenedSite, CliError> {
        let place = self.kind.place(site)?;
        let walk = place.walk_with_neighbors();
        let (mut corpus, _) = self.site.open(&place, walk, missing)?;
        corpus.selection.set_kind(self.kind.kind);
        let is_document = place.document_name().is_some();
        if is_document {
            refuse_binary(site)?;
            note_index(site, &corpus);
        }
        no_documents::refuse_before(&corpus, "the site")?;
        let mut unread = Vec::new();
        for error in &corpus.walk.errors {
            let name = error.path.display();
            let reason = &error.source;
            let message = format!(
                "cannot read this directory: {reason}, so rehref does not check links to files in it"
            );
            if is_document {
                // The document itself was read.
                terminal::warning(format!("{name}: {message}"));
            } else {
                report_unread(&mut unread, name, message);
            }
        }
        let mut files = self.site.redirects.index(&corpus)?;
        if corpus.selection.compressed {
            let entries = corpus.walk.entries.iter();
            files.add_compressed(entries.filter_map(|entry| {
                let page = corpus.selection.compressed_page(&entry.path)?;
                Some((entry.path.as_path(), page.page))
            }));
        }
        Ok(OpenedSite {
            name: if self.is_temporary { String::new() } else { place.name(site) },
            is_url_assumed: matches!(place, SitePlace::Directory(_))
                && self.site.url.is_none()
                && corpus.site_url.is_placeholder()
                && !corpus.site_url.has_mounts()
                && !corpus.has_only_archives(),
            is_url_inferred: self.site.url.is_none() && self.site.mount.is_empty(),
            unread,
            needs_captures: true,
            index: SiteIndex::of_files(files, corpus.site_url.clone(), corpus.also.clone()),
            corpus,
        })
    }
}

impl OpenedSite {
    /// Returns the files of the site by their URLs.
    pub(super) fn files(&self) -> &FileIndex {
        &self.index.files
    }

    /// Returns the URLs of the site, if it is known where it is published.
    pub(super) fn known_urls(&self) -> Vec<SiteUrl> {
        let is_known = !self.is_url_assumed && !self.corpus.site_url.is_placeholder();
        self.index.urls().filter(|_| is_known).cloned().collect()
    }

    /// Calls `begin` with the index of the site's files, and with that of its archives, before their documents. Calls
    /// `extract` for each document of the site, in parallel, and `consume` for each result, in order. Prints an error for each malformed document, and for each document and archive that
    /// cannot be read.
    pub(super) fn each_document<T: Send>(
        &mut self,
        listing: Listing,
        mut begin: impl FnMut(&SiteIndex),
        extract: impl Fn(&SiteIndex, &SourceDocument<'_>) -> Result<T, DocumentError> + Sync,
        mut consume: impl FnMut(T) -> io::Result<()>,
    ) -> Result<Exit, CliError> {
        let (mut documents, mut malformed, mut failed) = (0, 0, false);
        self.for_each_collection(listing, |collection, index, progress| {
            begin(index);
            let warnings = collection.each_document(
                None,
                |document| extract(index, document),
                || progress.progress(),
                |name, result| {
                    match result {
                        Ok(Ok(extracted)) => {
                            documents += 1;
                            return consume(extracted);
                        }
                        Ok(Err(error)) => {
                            malformed += 1;
                            let line = summary::line(&Diagnostic::of_document(name, &error));
                            terminal::error(format!("{line}; skipped"));
                        }
                        Err(error) => {
                            failed = true;
                            report_error(name, &error);
                        }
                    }
                    Ok(())
                },
            )?;
            for warning in warnings {
                terminal::warning(summary::line(&warning));
            }
            Ok(())
        })?;
        let failed = failed || !self.unread.is_empty();
        if !failed {
            no_documents::refuse_after(&self.corpus, "the site", documents + malformed)?;
        }
        Ok(Exit::of(failed, malformed > 0))
    }

    /// Calls `work` for the files of the site, then for its archives, each with its index. Shows the progress, to
    /// which `work` adds.
    pub(super) fn for_each_collection(
        &mut self,
        listing: Listing,
        mut work: impl FnMut(Collection<'_>, &SiteIndex, &Progress) -> Result<(), CorpusError>,
    ) -> Result<(), CliError> {
        let progress = Progress::new(listing);
        progress.start(self.corpus.files().count());
        for collection in self.corpus.collections() {
            let unread = &mut self.unread;
            let captures = if self.needs_captures {
                collection.captures(|name, error| report_unread(unread, name, error))
            } else {
                collection.is_archived().then(CaptureIndex::default)
            };
            let captures = captures.map(SiteIndex::of_captures);
            let index = captures.transpose()?;
            work(collection, index.as_ref().unwrap_or(&self.index), &progress)?;
        }
        progress.finish();
        Ok(())
    }
}

/// Notes that only the index file or sitemap at `path` is read: for other programs it stands for its site.
fn note_index(path: &Path, corpus: &Corpus) {
    let name = path.file_name().map(Path::new).unwrap_or(path);
    let is_other = |it: &Path| it != name && DocumentKind::of_built_path(it).is_some();
    let is_sitemap = name.to_string_lossy().starts_with("sitemap");
    let mut helps = String::new();
    if (corpus.index_files.has(name) || is_sitemap) && corpus.files().any(is_other) {
        let site = likely_site(path).unwrap_or_else(|| folder_of(path));
        helps = format!(
            "\nhelp: to read the whole site, pass its directory: rehref {} {}{}",
            command_name(),
            quoted(shown(site).display()),
            value_of("--url").map_or(String::new(), |url| format!(" --url {}", quoted(url)))
        );
    }
    if is_sitemap && command_name() == "audit" {
        helps += &format!(
            "\nhelp: to find what a site lacks of its URLs: rehref compare {} SITE --url URL",
            quoted(path.display())
        );
    }
    if !helps.is_empty() {
        terminal::note(format!("only {} is read{helps}", path.display()));
    }
}

/// Prints that `name`, a document or another part of the site, cannot be read or parsed.
pub(super) fn report_error(name: impl Display, error: impl Display) {
    terminal::error(format!("{name}: {error}"));
}

/// Prints an error for a part of the site that cannot be read, and adds it to `unread`.
fn report_unread(unread: &mut Vec<Unread>, name: impl Display, error: impl Display) {
    report_error(&name, &error);
    unread.push(Unread { path: name.to_string(), message: error.to_string() });
}
