//! The table of options: which are settings in `rehref.toml`, where they mean the same, and for which kinds of SITE
//! an option is. Options without a row are not settings, and apply to every SITE of their commands.

use super::command_line::{command_name, is_given};
use super::exit::{CliError, usage_error};
use rehref_corpus::SitePlace;

/// An option.
#[derive(Debug)]
pub(super) struct Row {
    /// The key, as it is written: the name of the option, below that of the command for one of `audit` or `compare`
    /// alone.
    pub(super) key: &'static str,
    /// How the setting is written; `None` for an option of the command line alone.
    pub(super) value: Option<ValueKind>,
    scope: Scope,
    /// The commands that refuse the option by its scope, separated by spaces; empty for all.
    commands: &'static str,
}

/// How a value is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ValueKind {
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
    /// OLD of `compare`, which is not an option: a path as above, or a revision of git.
    Old,
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

/// Returns the error about `option`, which is not for a SITE of this `kind`.
pub(super) fn refuse_option(option: &str, kind: SiteKind) -> Result<(), CliError> {
    let reason = match kind {
        SiteKind::Directory => "the site is a directory",
        SiteKind::Archive => "the site is an archive",
        SiteKind::Document => "the site is a single document",
        SiteKind::Stdin => "rehref reads one document from stdin",
    };
    let advice = match (option, kind) {
        ("offline", SiteKind::Document) => {
            "pass the directory of the site: a copy of one page lacks the files beside it"
                .to_owned()
        }
        ("offline", SiteKind::Archive) => {
            "to write a directory of pages that open from disk, use --extract in its place"
                .to_owned()
        }
        (_, SiteKind::Archive) => format!(
            "remove --{option}\nhelp: for the pages of the archive as files, write them to a directory, and pass the one of their host: rehref relative SITE --extract --out DIR"
        ),
        _ => format!("remove --{option}"),
    };
    usage_error(format!("--{option} does not apply: {reason}\nhelp: {advice}"))
}

const fn setting(key: &'static str, value: ValueKind, scope: Scope, commands: &'static str) -> Row {
    Row { key, value: Some(value), scope, commands }
}

/// An option of the command line alone.
const fn typed(key: &'static str, scope: Scope, commands: &'static str) -> Row {
    Row { key, value: None, scope, commands }
}

/// Settings select no output, moves or fixes: a file that is found somewhere must not write anything.
#[rustfmt::skip]
const OPTIONS: &[Row] = &[
    setting("url", ValueKind::Text, Scope::Local, "absolute audit links"),
    setting("also", ValueKind::Added, Scope::Local, "absolute audit links"),
    setting("mount", ValueKind::Added, Scope::Directory, ""),
    setting("standard", ValueKind::Text, Scope::Document, ""),
    setting("host", ValueKind::Text, Scope::Site, ""),
    setting("index-files", ValueKind::List, Scope::Server, ""),
    setting("try", ValueKind::List, Scope::Site, ""),
    setting("multiviews", ValueKind::Flag, Scope::Site, ""),
    setting("strict-slashes", ValueKind::Flag, Scope::Server, ""),
    setting("redirects", ValueKind::Path, Scope::Site, ""),
    setting("served-anywhere", ValueKind::List, Scope::Server, ""),
    setting("generated", ValueKind::Added, Scope::Many, ""),
    setting("include", ValueKind::List, Scope::Many, ""),
    setting("exclude", ValueKind::Added, Scope::Many, ""),
    setting("html", ValueKind::Added, Scope::Many, ""),
    setting("gitignore", ValueKind::Flag, Scope::Directory, ""),
    setting("compressed", ValueKind::Flag, Scope::Site, "absolute relative"),
    setting("json-ld", ValueKind::Flag, Scope::Document, ""),
    setting("rdfa", ValueKind::Flag, Scope::Document, ""),
    setting("attr", ValueKind::Added, Scope::Document, ""),
    setting("keep-links", ValueKind::Added, Scope::Document, ""),
    setting("front-matter", ValueKind::Added, Scope::Document, ""),
    setting("template-markup", ValueKind::Added, Scope::Document, ""),
    setting("charset", ValueKind::Text, Scope::Document, ""),
    setting("max-document-size", ValueKind::Text, Scope::Document, ""),
    setting("audit.only", ValueKind::List, Scope::Site, ""),
    setting("audit.level", ValueKind::Levels, Scope::Site, ""),
    setting("audit.min-level", ValueKind::Text, Scope::Site, ""),
    setting("audit.fail-on", ValueKind::List, Scope::Site, ""),
    setting("audit.fragments", ValueKind::Text, Scope::Site, ""),
    setting("audit.entry", ValueKind::List, Scope::Many, ""),
    setting("audit.ignore", ValueKind::Added, Scope::Site, ""),
    setting("audit.ignore-attribute", ValueKind::Added, Scope::Document, ""),
    setting("audit.baseline", ValueKind::Path, Scope::Site, ""),
    setting("audit.sources", ValueKind::Path, Scope::Local, ""),
    setting("compare.old", ValueKind::Old, Scope::Site, ""),
    setting("compare.anchors", ValueKind::Text, Scope::Site, ""),
    setting("compare.only", ValueKind::List, Scope::Site, ""),
    setting("compare.level", ValueKind::Levels, Scope::Site, ""),
    setting("compare.min-level", ValueKind::Text, Scope::Site, ""),
    setting("compare.fail-on", ValueKind::List, Scope::Site, ""),
    setting("compare.ignore", ValueKind::Added, Scope::Site, ""),
    setting("compare.baseline", ValueKind::Path, Scope::Site, ""),
    typed("files-from", Scope::Many, ""),
    typed("allow-empty", Scope::Site, "absolute relative"),
    typed("jobs", Scope::Site, "absolute relative"),
    // What --fix leaves in a copy of a document elsewhere could not be audited: it has no neighbors.
    typed("out", Scope::Many, "audit"),
    typed("link-unchanged", Scope::Directory, ""),
    typed("in-place", Scope::Site, ""),
    typed("dry-run", Scope::Site, ""),
    typed("diff", Scope::Site, ""),
    typed("check", Scope::Site, ""),
    typed("verify", Scope::Site, ""),
    typed("browser", Scope::Page, ""),
    typed("format", Scope::Site, "absolute relative"),
    typed("build", Scope::Directory, ""),
    typed("offline", Scope::Tree, "relative"),
    typed("directory-links", Scope::Tree, ""),
    typed("trailing-slash", Scope::Tree, ""),
    typed("extract", Scope::Site, ""),
    typed("fix", Scope::Local, ""),
    typed("broken", Scope::Site, ""),
];

/// The commands that have tables of their own. All settings are those of one of them.
pub(super) const COMMANDS: [&str; 2] = ["audit", "compare"];

/// Returns the settings of `rehref.toml`.
pub(super) fn settings() -> impl Iterator<Item = &'static Row> {
    OPTIONS.iter().filter(|row| row.value.is_some())
}

impl Row {
    /// Returns the name of the option.
    pub(super) fn option(&self) -> &'static str {
        self.key.rsplit('.').next().unwrap_or(self.key)
    }

    /// Returns true if values on the command line are added to those of the setting.
    pub(super) fn adds(&self) -> bool {
        matches!(self.value, Some(ValueKind::Added | ValueKind::Levels))
    }

    /// Returns true if the setting holds for a SITE of this `kind`.
    pub(super) fn holds_for(&self, kind: SiteKind) -> bool {
        match self.scope {
            Scope::Local | Scope::Directory | Scope::Tree => kind == SiteKind::Directory,
            Scope::Many => matches!(kind, SiteKind::Directory | SiteKind::Archive),
            Scope::Page => matches!(kind, SiteKind::Directory | SiteKind::Document),
            Scope::Site | Scope::Server => kind != SiteKind::Stdin,
            Scope::Document => true,
        }
    }

    /// Returns true if the option is for a SITE of this `kind`.
    fn allows(&self, kind: SiteKind) -> bool {
        self.holds_for(kind)
            || match self.scope {
                Scope::Local => kind != SiteKind::Archive,
                Scope::Tree => is_given("extract"),
                Scope::Server => true,
                _ => false,
            }
    }

    /// Returns the command that alone has the setting.
    pub(super) fn command(&self) -> Option<&'static str> {
        let (table, _) = self.key.split_once('.')?;
        COMMANDS.into_iter().find(|it| *it == table)
    }

    /// Returns true if the command `name` knows the setting, if it has the option.
    pub(super) fn is_for(&self, name: &str) -> bool {
        self.command().is_none_or(|it| it == name)
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
            let is_operand = row.value == Some(ValueKind::Old);
            assert!(is_operand || all.get_subcommands().any(has), "{}", row.key);
            let of_command = row.command().and_then(|name| all.find_subcommand(name));
            assert!(is_operand || of_command.is_none_or(has), "{}", row.key);
            for name in row.commands.split_whitespace() {
                assert!(all.find_subcommand(name).is_some_and(has), "{} of {name}", row.key);
            }
        }
    }
}
