//! The table of settings in `rehref.toml`. Each is an option of the command line, and means the same.

/// A setting.
#[derive(Debug)]
pub(in crate::cli) struct Row {
    /// The key, as it is written: the name of the option, below `audit` for an option of `audit` alone.
    pub(in crate::cli) key: &'static str,
    pub(super) value: ValueKind,
    /// Whether values on the command line are added to these, instead of taking their place.
    pub(super) adds: bool,
    pub(super) scope: Scope,
}

/// How a value is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ValueKind {
    Text,
    /// A list of texts, or one text.
    List,
    Flag,
    /// A path, relative to the directory of the file.
    Path,
    /// A table of checks with their levels.
    Levels,
}

/// The kinds of SITE that a setting holds for. Other kinds have no use for it, and refuse the option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scope {
    /// Directories: archives have URLs of their own, and the URL of a directory is not that of a document in it.
    Directory,
    /// Directories and archives, which have documents to choose from.
    Many,
    /// Files on disk: not a document on stdin.
    Site,
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

impl Scope {
    /// Whether it has SITEs of this `kind`.
    pub(super) fn has(self, kind: SiteKind) -> bool {
        match self {
            Scope::Directory => kind == SiteKind::Directory,
            Scope::Many => matches!(kind, SiteKind::Directory | SiteKind::Archive),
            Scope::Site => kind != SiteKind::Stdin,
            Scope::Document => true,
        }
    }
}

macro_rules! rows {
    ($($key:literal: $value:ident, $merge:ident, $scope:ident;)*) => {
        &[$(Row {
            key: $key,
            value: ValueKind::$value,
            adds: merge::$merge,
            scope: Scope::$scope,
        },)*]
    };
}

/// The effect of a setting if the command line has the option, too.
mod merge {
    #![expect(non_upper_case_globals, reason = "words of the table")]
    pub(super) const replaced: bool = false;
    pub(super) const added: bool = true;
}

/// No output, moves or fixes: a file that is found somewhere must not write anything.
pub(in crate::cli) const SETTINGS: &[Row] = rows! {
    "url": Text, replaced, Directory;
    "also": List, added, Directory;
    "standard": Text, replaced, Document;
    "index-files": List, replaced, Site;
    "try": List, replaced, Site;
    "multiviews": Flag, replaced, Site;
    "strict-slashes": Flag, replaced, Site;
    "redirects": Path, replaced, Site;
    "served-anywhere": List, replaced, Site;
    "include": List, replaced, Many;
    "exclude": List, added, Many;
    "html": List, added, Many;
    "gitignore": Flag, replaced, Directory;
    "compressed": Flag, replaced, Site;
    "json-ld": Flag, replaced, Document;
    "rdfa": Flag, replaced, Document;
    "attr": List, added, Document;
    "front-matter": List, added, Document;
    "template-markup": List, added, Document;
    "charset": Text, replaced, Document;
    "max-document-size": Text, replaced, Document;
    "audit.only": List, replaced, Site;
    "audit.level": Levels, added, Site;
    "audit.min-level": Text, replaced, Site;
    "audit.fail-on": List, replaced, Site;
    "audit.fragments": Text, replaced, Site;
    "audit.entry": List, replaced, Many;
    "audit.ignore": List, added, Site;
    "audit.baseline": Path, replaced, Site;
    "audit.sources": Path, replaced, Directory;
};

impl Row {
    /// The name of the option.
    pub(in crate::cli) fn option(&self) -> &'static str {
        self.key.rsplit('.').next().unwrap_or(self.key)
    }

    /// Whether the command `name` knows the setting, if it has the option.
    pub(super) fn is_for(&self, name: &str) -> bool {
        !self.key.starts_with("audit.") || name == "audit"
    }
}
