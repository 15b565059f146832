//! A site that is only read, opened with what the user says of it.

use std::fmt::Display;
use std::path::Path;

use super::common::{self, SelectionArguments};
use super::server::ServerArguments;
use super::{CliError, interrupt, style, terminal};
use crate::audit::resolved::SiteIndex;
use crate::audit::tree::Tree;
use crate::site::walk;

/// What the user says of a site.
#[derive(Clone, Copy, Debug)]
pub(super) struct Said<'a> {
    pub(super) site: &'a Path,
    pub(super) url: Option<&'a str>,
    pub(super) also: &'a [String],
    pub(super) server: &'a ServerArguments,
    pub(super) selection: &'a SelectionArguments,
    pub(super) quiet: bool,
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
        let root = common::site_root(self.site)?;
        let location = common::location_or_placeholder(self.url, self.quiet)?;
        let walk = walk(&root);
        for error in &walk.errors {
            complain(&error.path, &error.source);
        }
        let index = SiteIndex {
            files: self.server.index(&root, &walk, &location, self.quiet)?,
            also: common::also(self.also)?,
            location,
        };
        let failed = !walk.errors.is_empty();
        let tree = Tree {
            root,
            walk,
            selection: self.selection.selection()?,
            options: self.selection.options(),
            threads: self.selection.threads(),
            cancel: interrupt::flag()?,
        };
        Ok(Opened {
            tree,
            index,
            failed,
        })
    }
}

/// Tells that something in the site cannot be read, or looked into.
pub(super) fn complain(path: &Path, error: &dyn Display) {
    let line = format!("{}: {error}", path.display());
    terminal::say(&style::error("error:"), &line);
}
