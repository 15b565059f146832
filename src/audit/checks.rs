//! The table of checks.

use std::fmt;

use serde::{Serialize, Serializer};

use crate::diagnostic::Severity;

/// A check of the audit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Check {
    /// The target does not exist.
    BrokenTarget,
    /// The target has no element with the id of the fragment.
    BrokenFragment,
    /// A file exists whose name differs in letter case.
    WrongCase,
    /// The target is a folder without an index file.
    DirectoryWithoutIndex,
    /// The target is a folder, and its URL has no slash at the end.
    MissingTrailingSlash,
    /// The `..` segments of the reference escape the site's root.
    EscapesRoot,
    /// An absolute URL into the same site.
    AbsoluteSelfLink,
    /// A published page refers to a private machine or network.
    LocalLeak,
    /// The reference is not a URL.
    BadUrl,
    /// Characters that the grammar of URLs does not allow.
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
    /// A `base` after a reference.
    BaseLate,
    /// A `base` that nothing can be relative to.
    BaseOpaque,
    /// A `base` that nothing is relative to.
    BaseUnused,
    /// Two elements with the same `id`.
    DuplicateId,
    /// Pages that redirect to each other without end.
    MetaRefreshLoop,
    /// A file that no chain of references reaches.
    Orphan,
    /// A document that cannot be decoded.
    WrongCharset,
    /// Unrendered template markup.
    TemplateMarkup,
    /// A symbolic link whose target does not exist or is outside the tree.
    DanglingSymlink,
    /// Fragments that scripts handle.
    ScriptFragment,
}

/// A row of the table.
#[derive(Debug)]
pub struct CheckRow {
    /// The check.
    pub check: Check,
    /// The stable name.
    pub id: &'static str,
    /// The severity of its findings; single findings may have a lower one.
    pub severity: Severity,
    /// Whether it runs without an option.
    pub by_default: bool,
    /// A line about what it finds.
    pub summary: &'static str,
    /// A page on what it finds, why that matters, an example, how to fix it and how to ignore it.
    /// Plain text in the manner of Markdown, lines of up to 80 characters.
    pub page: &'static str,
}

const fn row(
    check: Check,
    id: &'static str,
    severity: Severity,
    summary: &'static str,
    page: &'static str,
) -> CheckRow {
    CheckRow {
        check,
        id,
        severity,
        by_default: true,
        summary,
        page,
    }
}

/// The table, in the order of the checks.
#[rustfmt::skip]
pub const CHECKS: &[CheckRow] = &[
    row(Check::BrokenTarget, "broken-target", Severity::Error, "no file at the target", include_str!("explain/broken-target.md")),
    row(Check::BrokenFragment, "broken-fragment", Severity::Error, "no element with this id in the target", include_str!("explain/broken-fragment.md")),
    row(Check::WrongCase, "wrong-case", Severity::Error, "a file name that differs in letter case", include_str!("explain/wrong-case.md")),
    row(Check::DirectoryWithoutIndex, "directory-without-index", Severity::Warning, "a folder without an index file", include_str!("explain/directory-without-index.md")),
    row(Check::MissingTrailingSlash, "missing-trailing-slash", Severity::Note, "a folder URL without its trailing slash", include_str!("explain/missing-trailing-slash.md")),
    row(Check::EscapesRoot, "escapes-root", Severity::Error, "a reference that escapes the site's root", include_str!("explain/escapes-root.md")),
    row(Check::AbsoluteSelfLink, "absolute-self-link", Severity::Note, "an absolute URL into the same site", include_str!("explain/absolute-self-link.md")),
    row(Check::LocalLeak, "local-leak", Severity::Error, "a URL of a private machine or network", include_str!("explain/local-leak.md")),
    row(Check::BadUrl, "bad-url", Severity::Error, "not a URL", include_str!("explain/bad-url.md")),
    row(Check::NotInGrammar, "not-in-grammar", Severity::Note, "characters that URLs must not contain", include_str!("explain/not-in-grammar.md")),
    row(Check::SchemeLookalike, "scheme-lookalike", Severity::Warning, "a reference that is read differently than it looks", include_str!("explain/scheme-lookalike.md")),
    row(Check::EmptyReference, "empty-reference", Severity::Warning, "an empty reference", include_str!("explain/empty-reference.md")),
    row(Check::PasswordInUrl, "password-in-url", Severity::Warning, "a password in a URL", include_str!("explain/password-in-url.md")),
    row(Check::OddPort, "odd-port", Severity::Warning, "a port that is unusual or that browsers refuse", include_str!("explain/odd-port.md")),
    row(Check::MixedContent, "mixed-content", Severity::Warning, "an http: resource in an https: page", include_str!("explain/mixed-content.md")),
    row(Check::BaseRelative, "base-relative", Severity::Note, "a relative URL in base", include_str!("explain/base-relative.md")),
    row(Check::BaseMultiple, "base-multiple", Severity::Warning, "more than one base element", include_str!("explain/base-multiple.md")),
    row(Check::BaseLate, "base-late", Severity::Warning, "a base element after a reference", include_str!("explain/base-late.md")),
    row(Check::BaseOpaque, "base-opaque", Severity::Error, "a base URL that nothing can be relative to", include_str!("explain/base-opaque.md")),
    row(Check::BaseUnused, "base-unused", Severity::Note, "a base URL that no reference needs", include_str!("explain/base-unused.md")),
    row(Check::DuplicateId, "duplicate-id", Severity::Warning, "two elements with the same id", include_str!("explain/duplicate-id.md")),
    row(Check::MetaRefreshLoop, "meta-refresh-loop", Severity::Error, "a refresh loop", include_str!("explain/meta-refresh-loop.md")),
    CheckRow {
        by_default: false,
        ..row(Check::Orphan, "orphan", Severity::Warning, "a file that no reference reaches", include_str!("explain/orphan.md"))
    },
    row(Check::WrongCharset, "wrong-charset", Severity::Warning, "a document that cannot be decoded", include_str!("explain/wrong-charset.md")),
    row(Check::TemplateMarkup, "template-markup", Severity::Note, "unrendered template markup", include_str!("explain/template-markup.md")),
    row(Check::DanglingSymlink, "dangling-symlink", Severity::Warning, "a dangling symbolic link", include_str!("explain/dangling-symlink.md")),
    row(Check::ScriptFragment, "script-fragment", Severity::Note, "fragments that scripts handle", include_str!("explain/script-fragment.md")),
];

impl Check {
    /// All checks, in the order of their reports.
    pub fn all() -> impl Iterator<Item = Check> {
        CHECKS.iter().map(|row| row.check)
    }

    /// The severity of its findings, unless the place of a finding makes it less severe.
    pub fn severity(self) -> Severity {
        self.row().severity
    }

    /// One line that names what the check finds.
    pub fn summary(self) -> &'static str {
        self.row().summary
    }

    /// Whether the check runs unless it is switched off. The others have to be switched on.
    pub fn is_default(self) -> bool {
        self.row().by_default
    }

    /// The row of the check in the table.
    pub(crate) fn row(self) -> &'static CheckRow {
        // The table has every check, in order; a test makes sure.
        CHECKS.get(self as usize).unwrap_or(&FIRST)
    }

    /// The stable name, such as `broken-target`.
    pub fn id(self) -> &'static str {
        self.row().id
    }

    /// The check with the stable name `id`.
    pub fn named(id: &str) -> Option<Check> {
        CHECKS.iter().find(|row| row.id == id).map(|row| row.check)
    }
}

const FIRST: CheckRow = row(
    Check::BrokenTarget,
    "broken-target",
    Severity::Error,
    "no file at the target",
    include_str!("explain/broken-target.md"),
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

    #[test]
    fn every_check_has_a_page_that_fits_a_terminal() {
        for row in CHECKS {
            let page = row.page;
            let id = row.id;
            assert!(page.starts_with(&format!("# {id}: ")), "{id}: title");
            let lines = page.lines().count();
            assert!((10..=27).contains(&lines), "{id}: {lines} lines");
            for line in page.lines() {
                assert!(line.chars().count() <= 80, "{id}: {line}");
            }
            for part in ["Fix:", "Ignore:", &format!("--ignore {id}")] {
                assert!(page.contains(part), "{id}: {part}");
            }
        }
    }
}
