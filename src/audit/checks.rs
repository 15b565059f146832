//! The table of checks.

use std::fmt;

use serde::{Serialize, Serializer};

use crate::diagnostic::Severity;

/// What is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Check {
    /// There is no file at the target.
    BrokenTarget,
    /// The target file has no such place.
    BrokenFragment,
    /// A file is there under a name in other letter case.
    WrongCase,
    /// The target is a folder without an index file.
    DirectoryWithoutIndex,
    /// The target is a folder and has no slash at its end.
    MissingTrailingSlash,
    /// The reference climbs above the site.
    EscapesRoot,
    /// An absolute URL into this very site.
    AbsoluteSelfLink,
    /// A published page that points into somebody's machine or network.
    LocalLeak,
    /// The reference is no URL.
    BadUrl,
    /// Characters that the grammar of URLs does not have.
    NotInGrammar,
    /// A file name that reads like a URL with a scheme.
    SchemeLookalike,
    /// An empty reference.
    EmptyReference,
    /// A password in a URL.
    PasswordInUrl,
    /// A port that browsers refuse, or an unusual one.
    OddPort,
    /// An `http:` resource in an `https:` page.
    MixedContent,
    /// A relative URL in `base`.
    BaseRelative,
    /// More than one `base`.
    BaseMultiple,
    /// A `base` behind a reference.
    BaseLate,
    /// A `base` that nothing can be relative to.
    BaseOpaque,
    /// A `base` that nothing is relative to.
    BaseUnused,
    /// Two elements with the same `id`.
    DuplicateId,
    /// A page that sends its readers round in circles.
    MetaRefreshLoop,
    /// A file that nothing refers to.
    Orphan,
    /// A document that cannot be decoded.
    WrongCharset,
    /// Template markup that nobody has filled in.
    TemplateMarkup,
    /// A symbolic link that leads nowhere or out of the tree.
    DanglingSymlink,
    /// Fragments that scripts serve.
    ScriptFragment,
}

/// A row of the table.
#[derive(Debug)]
pub struct CheckRow {
    /// The check.
    pub check: Check,
    /// Its stable name.
    pub id: &'static str,
    /// How bad its findings are.
    pub severity: Severity,
    /// Whether it runs unless asked otherwise.
    pub by_default: bool,
    /// What it finds, in a line.
    pub summary: &'static str,
}

const fn row(
    check: Check,
    id: &'static str,
    severity: Severity,
    summary: &'static str,
) -> CheckRow {
    CheckRow {
        check,
        id,
        severity,
        by_default: true,
        summary,
    }
}

/// The table, in the order of the checks.
#[rustfmt::skip]
pub const CHECKS: &[CheckRow] = &[
    row(Check::BrokenTarget, "broken-target", Severity::Error, "no file at the target"),
    row(Check::BrokenFragment, "broken-fragment", Severity::Error, "no element with this id in the target"),
    row(Check::WrongCase, "wrong-case", Severity::Error, "a file name that differs in letter case"),
    row(Check::DirectoryWithoutIndex, "directory-without-index", Severity::Warning, "a folder without an index file"),
    row(Check::MissingTrailingSlash, "missing-trailing-slash", Severity::Note, "a folder URL without its trailing slash"),
    row(Check::EscapesRoot, "escapes-root", Severity::Error, "a reference that escapes the site's root"),
    row(Check::AbsoluteSelfLink, "absolute-self-link", Severity::Note, "an absolute URL into the same site"),
    row(Check::LocalLeak, "local-leak", Severity::Error, "a URL of a private machine or network"),
    row(Check::BadUrl, "bad-url", Severity::Error, "not a URL"),
    row(Check::NotInGrammar, "not-in-grammar", Severity::Note, "characters that URLs must not contain"),
    row(Check::SchemeLookalike, "scheme-lookalike", Severity::Warning, "a reference that is read differently than it looks"),
    row(Check::EmptyReference, "empty-reference", Severity::Warning, "an empty reference"),
    row(Check::PasswordInUrl, "password-in-url", Severity::Warning, "a password in a URL"),
    row(Check::OddPort, "odd-port", Severity::Warning, "a port that is unusual or that browsers refuse"),
    row(Check::MixedContent, "mixed-content", Severity::Warning, "an http: resource in an https: page"),
    row(Check::BaseRelative, "base-relative", Severity::Note, "a relative URL in base"),
    row(Check::BaseMultiple, "base-multiple", Severity::Warning, "more than one base element"),
    row(Check::BaseLate, "base-late", Severity::Warning, "a base element after a reference"),
    row(Check::BaseOpaque, "base-opaque", Severity::Error, "a base URL that nothing can be relative to"),
    row(Check::BaseUnused, "base-unused", Severity::Note, "a base URL that no reference needs"),
    row(Check::DuplicateId, "duplicate-id", Severity::Warning, "two elements with the same id"),
    row(Check::MetaRefreshLoop, "meta-refresh-loop", Severity::Error, "a refresh loop"),
    CheckRow {
        by_default: false,
        ..row(Check::Orphan, "orphan", Severity::Warning, "a file that no reference reaches")
    },
    row(Check::WrongCharset, "wrong-charset", Severity::Warning, "a document that cannot be decoded"),
    row(Check::TemplateMarkup, "template-markup", Severity::Note, "unrendered template markup"),
    row(Check::DanglingSymlink, "dangling-symlink", Severity::Warning, "a dangling symbolic link"),
    row(Check::ScriptFragment, "script-fragment", Severity::Note, "fragments that scripts handle"),
];

impl Check {
    /// Its row in the table.
    pub fn row(self) -> &'static CheckRow {
        // The table has every check, in order; a test says so.
        CHECKS.get(self as usize).unwrap_or(&FIRST)
    }

    /// Its stable name.
    pub fn id(self) -> &'static str {
        self.row().id
    }

    /// The check of that name.
    pub fn named(id: &str) -> Option<Check> {
        CHECKS.iter().find(|row| row.id == id).map(|row| row.check)
    }
}

const FIRST: CheckRow = row(
    Check::BrokenTarget,
    "broken-target",
    Severity::Error,
    "no file at the target",
);

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

impl Serialize for Check {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.id())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_every_check_in_order() {
        for (at, row) in CHECKS.iter().enumerate() {
            assert_eq!(row.check as usize, at, "{}", row.id);
            assert_eq!(Check::named(row.id), Some(row.check));
        }
        assert_eq!(Check::ScriptFragment as usize + 1, CHECKS.len());
    }
}
