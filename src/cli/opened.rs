//! Opens a site for the commands that only read it.

use std::fmt::Display;
use std::path::Path;

use clap::Args;

use super::arguments::{AliasArguments, SiteArguments};
use super::exit::CliError;
use super::place;
use super::server::ServerArguments;
use super::{interrupt, terminal};
use crate::audit::site_index::SiteIndex;
use crate::corpus::{Collection, Corpus, CorpusError, SitePlace};
use crate::parallel;

/// The arguments of a command that reads a site as its server serves it.
#[derive(Debug, Args)]
pub(super) struct ReadingArguments {
    #[command(flatten)]
    pub(super) site: SiteArguments,
    #[command(flatten)]
    aliases: AliasArguments,
    #[command(flatten)]
    server: ServerArguments,
}

/// A site that was walked.
#[derive(Debug)]
pub(super) struct OpenedSite {
    pub(super) corpus: Corpus,
    /// The index of its files; each archive has one of its own.
    index: SiteIndex,
    /// Whether a part of it could not be read; an error has been printed.
    pub(super) failed: bool,
}

impl ReadingArguments {
    /// Walks `site`; prints an error for each directory that cannot be read.
    pub(super) fn open(&self, site: &Path) -> Result<OpenedSite, CliError> {
        let place = SitePlace::of(site)?;
        place::refuse_for_archive(
            &place,
            &[
                ("--url", self.site.url.is_some()),
                ("--also", !self.aliases.also.is_empty()),
            ],
        )?;
        let site_url = place::site_url_or_placeholder(&place, self.site.url.as_deref())?;
        let (root, walk) = (place.root(), place.walk());
        for error in &walk.errors {
            report_error(&error.path.display(), &error.source);
        }
        let arguments = &self.site.selection;
        let selection = arguments.selection()?;
        let mut files = self.server.index(&root, &walk, &site_url)?;
        if selection.compressed {
            let entries = walk.entries.iter();
            files.add_compressed(entries.filter_map(|entry| {
                let page = selection.compressed_page(&entry.path)?;
                Some((entry.path.as_path(), page.page))
            }));
        }
        Ok(OpenedSite {
            failed: !walk.errors.is_empty(),
            index: SiteIndex {
                files,
                also: self.aliases.site_urls()?,
                site_url: site_url.clone(),
                archive: None,
            },
            corpus: Corpus {
                root,
                site_url,
                walk,
                selection,
                options: arguments.options(),
                standard: self.site.standard,
                threads: arguments.threads(),
                cancel: interrupt::flag()?,
            },
        })
    }
}

impl OpenedSite {
    /// Calls `work` for the files of the site, then for each of its archives, with the index that
    /// is the site's. A damaged archive is reported, and the others are still read.
    pub(super) fn for_each_collection(
        &mut self,
        mut work: impl FnMut(Collection<'_>, &SiteIndex) -> Result<(), CorpusError>,
    ) -> Result<(), CliError> {
        for collection in self.corpus.collections() {
            let index = match collection.contents() {
                Ok(contents) => contents.map(SiteIndex::of_contents).transpose()?,
                Err(error) => {
                    self.failed = true;
                    report_error(&display(collection), &error);
                    continue;
                }
            };
            match work(collection, index.as_ref().unwrap_or(&self.index)) {
                Ok(()) => {}
                Err(CorpusError::Container(error)) => {
                    self.failed = true;
                    report_error(&display(collection), &error);
                }
                Err(CorpusError::Parallel(parallel::Error::Output(source))) => {
                    return Err(CliError::stdout(source));
                }
                Err(CorpusError::Parallel(other)) => return Err(other.into()),
                Err(CorpusError::Interrupted) => return Err(CliError::Interrupted),
            }
        }
        Ok(())
    }
}

fn display(collection: Collection<'_>) -> impl Display {
    collection.archive().unwrap_or(Path::new(".")).display()
}

/// Reports that a part of the site cannot be read, or a document not be parsed.
pub(super) fn report_error(name: &dyn Display, error: &dyn Display) {
    terminal::error(format!("{name}: {error}"));
}
