//! A site that is only read, opened with what the user says of it.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use super::arguments::{AliasArguments, SiteArguments};
use super::common::{self, SitePlace};
use super::exit::CliError;
use super::server::ServerArguments;
use super::{interrupt, terminal};
use crate::audit::archive::{ArchiveSource, SourceError};
use crate::audit::resolved::SiteIndex;
use crate::audit::tree::Tree;
use crate::parallel;
use crate::url::Standard;
use crate::warc::is_archive_name;

/// What the user says of a site.
#[derive(Clone, Copy, Debug)]
pub(super) struct Said<'a> {
    pub(super) place: &'a Path,
    pub(super) site: &'a SiteArguments,
    pub(super) aliases: &'a AliasArguments,
    pub(super) server: &'a ServerArguments,
}

/// A site that was walked.
#[derive(Debug)]
pub(super) struct Opened {
    pub(super) tree: Tree,
    pub(super) index: SiteIndex,
    /// Whether a part of it could not be read, which has been told.
    pub(super) failed: bool,
}

impl Said<'_> {
    /// Walks the site; tells what of it cannot be read.
    pub(super) fn open(self) -> Result<Opened, CliError> {
        let place = SitePlace::of(self.place)?;
        place.refuse(&[
            ("--url", self.site.url.is_some()),
            ("--also", !self.aliases.also.is_empty()),
        ])?;
        let site_url = common::site_url_or_placeholder(&place, self.site.url.as_deref())?;
        let (root, walk) = (place.root(), place.walk());
        for error in &walk.errors {
            complain(&error.path, &error.source);
        }
        let index = SiteIndex {
            files: self.server.index(&root, &walk, &site_url)?,
            also: self.aliases.site_urls()?,
            site_url,
            archive: None,
        };
        let failed = !walk.errors.is_empty();
        let tree = Tree {
            root,
            walk,
            selection: self.site.selection.selection()?,
            options: self.site.selection.options(),
            threads: self.site.selection.threads(),
            cancel: interrupt::flag()?,
        };
        Ok(Opened {
            tree,
            index,
            failed,
        })
    }
}

impl Opened {
    /// The archives of the site, by their paths below its root.
    pub(super) fn archives(&self) -> Vec<PathBuf> {
        let files = self.tree.files().filter(|path| {
            let name = path.file_name();
            name.is_some_and(is_archive_name) && self.tree.selection.has(path)
        });
        files.map(Path::to_owned).collect()
    }
}

/// Does `work` with the archive at `path` below the root of `tree`.
pub(super) fn with_archive<T>(
    tree: &Tree,
    path: &Path,
    standard: Standard,
    work: impl FnOnce(&ArchiveSource<'_>) -> T,
) -> T {
    work(&ArchiveSource {
        path: &tree.root.join(path),
        name: &path.to_string_lossy(),
        options: tree.options,
        standard,
        threads: tree.threads,
        cancel: &tree.cancel,
    })
}

/// What ends the run of trouble with an archive; tells what does not.
pub(super) fn archive_trouble(path: &Path, error: SourceError) -> Result<(), CliError> {
    match error {
        SourceError::Archive(_) | SourceError::NoUrl(_) => {
            complain(path, &error);
            Ok(())
        }
        SourceError::Parallel(parallel::Error::Output(source)) => Err(CliError::stdout(source)),
        SourceError::Parallel(other) => Err(other.into()),
        SourceError::Interrupted => Err(CliError::Interrupted),
    }
}

/// Tells that something in the site cannot be read, or looked into.
pub(super) fn complain(path: &Path, error: &dyn Display) {
    terminal::error(format!("{}: {error}", path.display()));
}
