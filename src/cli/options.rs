//! The table of options: which are settings in `rehref.toml`, where they mean the same, and for which kinds of SITE
//! an option is. Options without a row are not settings, and apply to every
//! SITE of their commands.

use super::command_line::{command_name, is_given};
use super::exit::{CliError, usage_error};
use rehref_corpus::SitePlace;

/// An option.
#[derive(Debug)]
pub(super) struct Row {
    /// The key, as it is written: the name of the option, below `audit` for an option of `audit` alone.
    pub(super) key: &'static str,
    pub(super) value: ValueKind,
    scope: Scope,
    /// The commands that refuse the option by its scope, separated by spaces; empty for all.
    commands: &'static str,
}

/// How a value is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ValueKind {
    /// Only on the command line: the option is not a setting.
    Typed,
    Text,
    /// A list of texts, or one text.
    List,
    /// As a list; values on the command line are added to these, instead of taking their place.
    Added,
    Flag,
    /// A path, relative to the directory of the file.
    Path,
    /// A table of checks with their levels, to which the command line adds.
    Levels,
}

/// The kinds of SITE that an option is for. Commands refuse it for others, and a setting does not hold for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scope {
    /// Directories: archives have URLs of their own. A document may have the option, but not the setting, since the
    /// URL of a directory is not that of a document in it.
    Local,
    /// Directories alone.
    Directory,
    /// Directories alone; --extract writes one.
    Tree,
    /// Directories and archives, which have documents to choose from.
    Many,
    /// Directories and documents, which browsers open.
    Page,
    /// Files on disk: not a document on stdin.
    Site,
    /// Files on disk. For a document on stdin, the option has no effect.
    Server,
    /// Each kind.
    Document,
}

/// A kind of SITE.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SiteKind {
    Directory,
    Archive,
    Document,
    Stdin,
}

impl SiteKind {
    pub(super) fn of(place: &SitePlace) -> SiteKind {
        match place {
            SitePlace::Directory(_) => SiteKind::Directory,
            SitePlace::Archive(_) => SiteKind::Archive,
            SitePlace::Document(_) => SiteKind::Document,
        }
    }
}

/// Returns an error for the first given option that is not for a SITE of this `kind`, instead of ignoring the option.
pub(super) fn refuse(kind: SiteKind) -> Result<(), CliError> {
    let name = command_name();
    let is_refused = |row: &&Row| {
        let has_limit = row.commands.is_empty() || row.commands.split(' ').any(|it| it == name);
        row.is_for(name) && has_limit && !row.allows(kind) && is_given(row.option())
    };
    match OPTIONS.iter().find(is_refused) {
        Some(row) => refuse_option(row.option(), kind),
        None => Ok(()),
    }
}

/// The error about `option`, which is not for a SITE of this `kind`.
pub(super) fn refuse_option(option: &str, kind: SiteKind) -> Result<(), CliError> {
    let reason = match kind {
        SiteKind::Directory => "SITE is a directory",
        SiteKind::Archive => "SITE is an archive, whose records have URLs of their own",
        SiteKind::Document => "SITE is a single document",
        SiteKind::Stdin => "SITE is -, so rehref reads one document from stdin",
    };
    usage_error(format!("--{option} does not apply: {reason}; omit --{option}"))
}

macro_rules! rows {
    ($($key:literal: $value:ident, $scope:ident $(in $commands:literal)?;)*) => {
        &[$(Row {
            key: $key,
            value: ValueKind::$value,
            scope: Scope::$scope,
            commands: concat!("" $(, $commands)?),
        },)*]
    };
}

/// Settings select no output, moves or fixes: a file that is found somewhere must not write anything.
const OPTIONS: &[Row] = rows! {
    "url": Text, Local in "absolute audit links";
    "also": Added, Local in "absolute audit links";
    "standard": Text, Document;
    "index-files": List, Server;
    "try": List, Site;
    "multiviews": Flag, Site;
    "strict-slashes": Flag, Server;
    "redirects": Path, Site;
    "served-anywhere": List, Server;
    "include": List, Many;
    "exclude": Added, Many;
    "html": Added, Many;
    "gitignore": Flag, Directory;
    "compressed": Flag, Site in "absolute relative";
    "json-ld": Flag, Document;
    "rdfa": Flag, Document;
    "attr": Added, Document;
    "front-matter": Added, Document;
    "template-markup": Added, Document;
    "charset": Text, Document;
    "max-document-size": Text, Document;
    "audit.only": List, Site;
    "audit.level": Levels, Site;
    "audit.min-level": Text, Site;
    "audit.fail-on": List, Site;
    "audit.fragments": Text, Site;
    "audit.entry": List, Many;
    "audit.ignore": Added, Site;
    "audit.baseline": Path, Site;
    "audit.sources": Path, Local;
    "files-from": Typed, Many;
    "allow-empty": Typed, Site in "absolute relative";
    "jobs": Typed, Site in "absolute relative";
    // What --fix leaves in a copy of a document elsewhere could not be audited: it has no neighbors.
    "out": Typed, Many in "audit";
    "link-unchanged": Typed, Directory;
    "in-place": Typed, Site;
    "dry-run": Typed, Site;
    "diff": Typed, Site;
    "check": Typed, Site;
    "verify": Typed, Site;
    "browser": Typed, Page;
    "format": Typed, Site in "absolute relative";
    "offline": Typed, Tree in "relative";
    "directory-links": Typed, Tree;
    "trailing-slash": Typed, Tree;
    "extract": Typed, Site;
    "fix": Typed, Local;
    "broken": Typed, Site;
};

/// The settings of `rehref.toml`.
pub(super) fn settings() -> impl Iterator<Item = &'static Row> {
    OPTIONS.iter().filter(|row| row.value != ValueKind::Typed)
}

impl Row {
    /// The name of the option.
    pub(super) fn option(&self) -> &'static str {
        self.key.rsplit('.').next().unwrap_or(self.key)
    }

    /// Whether values on the command line are added to those of the setting.
    pub(super) fn adds(&self) -> bool {
        matches!(self.value, ValueKind::Added | ValueKind::Levels)
    }

    /// Whether the setting holds for a SITE of this `kind`.
    pub(super) fn holds_for(&self, kind: SiteKind) -> bool {
        match self.scope {
            Scope::Local | Scope::Directory | Scope::Tree => kind == SiteKind::Directory,
            Scope::Many => matches!(kind, SiteKind::Directory | SiteKind::Archive),
            Scope::Page => matches!(kind, SiteKind::Directory | SiteKind::Document),
            Scope::Site | Scope::Server => kind != SiteKind::Stdin,
            Scope::Document => true,
        }
    }

    /// Whether the option is for a SITE of this `kind`.
    fn allows(&self, kind: SiteKind) -> bool {
        self.holds_for(kind)
            || match self.scope {
                Scope::Local => kind != SiteKind::Archive,
                Scope::Tree => is_given("extract"),
                Scope::Server => true,
                _ => false,
            }
    }

    /// Whether the command `name` knows the setting, if it has the option.
    pub(super) fn is_for(&self, name: &str) -> bool {
        !self.key.starts_with("audit.") || name == "audit"
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::command;

    #[test]
    fn every_row_is_an_option_of_its_commands() {
        let all = command();
        for row in OPTIONS {
            let has = |command: &clap::Command| {
                command.get_arguments().any(|it| it.get_long() == Some(row.option()))
            };
            assert!(all.get_subcommands().any(has), "{}", row.key);
            for name in row.commands.split_whitespace() {
                assert!(all.find_subcommand(name).is_some_and(has), "{} of {name}", row.key);
            }
        }
    }
}
