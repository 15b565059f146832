//! The table of checks.

use std::fmt;

use rehref_site::Severity;
use rehref_site::nearest::nearest;

/// A row of the table of checks.
#[derive(Debug)]
pub struct CheckRow {
    /// The check that the row describes.
    pub check: Check,
    /// The stable name of the check for people and programs, such as `broken-target`.
    pub id: &'static str,
    /// The severity of the findings of this check; a single finding may have another severity.
    pub severity: Severity,
    /// One line that describes the findings.
    pub summary: &'static str,
    /// The page of `rehref explain`: the findings, why they matter, an example, how to fix and how to ignore
    /// them. Plain text in the manner of Markdown, in lines of up to 80 characters.
    pub page: &'static str,
}

/// Defines [`Check`] and [`CHECKS`] from the same rows, so that each check's number is its row's.
macro_rules! checks {
    ($($(#[$doc:meta])* $check:ident: $severity:ident, $id:literal, $summary:literal;)*) => {
        /// A check of the audit. `rehref explain` and [`row`](Check::row) describe each.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
        #[serde(rename_all = "kebab-case")]
        #[non_exhaustive]
        pub enum Check {
            $($(#[$doc])* $check,)*
        }

        /// The table, in the order of the checks.
        pub const CHECKS: &[CheckRow] = &[$(CheckRow {
            check: Check::$check,
            id: $id,
            severity: Severity::$severity,
            summary: $summary,
            page: include_str!(concat!("explain/", $id, ".md")),
        },)*];
    };
}

checks! {
    /// The target does not exist.
    BrokenTarget: Error, "broken-target", "a link to a file that does not exist";
    /// The target has no element with the id of the fragment.
    BrokenFragment: Error, "broken-fragment", "a link to an anchor that does not exist";
    /// The archives have no capture of the target.
    NotArchived: Note, "not-archived", "a link to a page that no archive has";
    /// A file exists whose name differs in letter case.
    WrongCase: Error, "wrong-case", "a link that differs from the file name only in letter case";
    /// The target is a directory without an index file.
    DirectoryWithoutIndex: Warning, "directory-without-index", "a link to a directory without an index file";
    /// The target is a folder, and its URL has no trailing slash.
    MissingTrailingSlash: Note, "missing-trailing-slash", "a directory URL without its trailing slash";
    /// The `..` segments of the reference escape the site's root.
    EscapesRoot: Error, "escapes-root", "a link that escapes the site's root";
    /// The site says that it is published at another URL.
    OtherUrl: Warning, "other-url", "a site that states another URL than --url";
    /// An absolute URL into the same site.
    AbsoluteSelfLink: Note, "absolute-self-link", "an absolute URL into the same site";
    /// A published page refers to a private machine or network.
    LocalLeak: Error, "local-leak", "a URL on a private machine or network";
    /// The reference is not a URL.
    BadUrl: Error, "bad-url", "not a URL";
    /// Characters that the grammar of URLs does not allow.
    NotInGrammar: Note, "not-in-grammar", "characters that URLs must not contain";
    /// A reference that is read differently than it looks, such as a file name with a colon.
    SchemeLookalike: Warning, "scheme-lookalike", "a mistyped scheme or host: browsers read this link differently";
    /// An empty reference.
    EmptyReference: Warning, "empty-reference", "an empty link";
    /// An element without the URL that it needs.
    MissingUrl: Warning, "missing-url", "an element without the URL that it needs";
    /// A `mailto:` or `tel:` link without a usable address or number.
    BadAddress: Warning, "bad-address", "a mail address or phone number that does not work";
    /// A password in a URL.
    PasswordInUrl: Warning, "password-in-url", "a password in a URL";
    /// A port that browsers refuse, or an unusual one.
    OddPort: Warning, "odd-port", "a port that is unusual or that browsers refuse";
    /// An `http:` resource in an `https:` page.
    MixedContent: Warning, "mixed-content", "an http: resource in an https: page";
    /// A digest of a file of the site that is not the file's.
    WrongIntegrity: Error, "wrong-integrity", "a digest that does not match, so browsers block the file";
    /// A document-relative link in an error page.
    DepthDependent: Warning, "depth-dependent", "a link whose target depends on the depth of its page";
    /// A relative URL in `base`.
    BaseRelative: Note, "base-relative", "a relative URL in base";
    /// More than one `base`.
    BaseMultiple: Warning, "base-multiple", "more than one base element";
    /// A `base` after a reference.
    BaseLate: Warning, "base-late", "a base element after a link";
    /// A `base` against which no link can resolve.
    BaseOpaque: Error, "base-opaque", "a base URL against which no link can resolve";
    /// A `base` that nothing is relative to.
    BaseUnused: Note, "base-unused", "a base URL that no link needs";
    /// Two elements with the same `id`.
    DuplicateId: Warning, "duplicate-id", "two elements with the same id";
    /// A reference in Markdown to a link definition that does not exist.
    UndefinedReference: Warning, "undefined-reference", "a label that no link definition has";
    /// A link definition in Markdown that nothing refers to.
    UnusedDefinition: Note, "unused-definition", "a link definition that nothing refers to";
    /// Pages that redirect to each other without end.
    MetaRefreshLoop: Error, "meta-refresh-loop", "a refresh loop";
    /// A refresh that browsers do not read.
    UnreadRefresh: Warning, "unread-refresh", "a refresh that browsers do not read";
    /// Redirect rules that redirect to each other without end.
    RedirectLoop: Error, "redirect-loop", "redirect rules that form a loop";
    /// A redirect rule whose target is redirected again.
    RedirectChain: Note, "redirect-chain", "a redirect to a redirect";
    /// A redirect rule that never applies.
    ShadowedRedirect: Warning, "shadowed-redirect", "a redirect rule that never applies";
    /// A page that another tree publishes.
    LostPage: Error, "lost-page", "a published page that is gone";
    /// Another file that another tree publishes.
    LostFile: Error, "lost-file", "a published file that is gone";
    /// An anchor of a page that another tree publishes.
    LostAnchor: Error, "lost-anchor", "a published anchor that is gone";
    /// A redirect that another tree publishes.
    LostRedirect: Error, "lost-redirect", "a published redirect that is gone";
    /// A file that no chain of references reaches.
    Orphan: Warning, "orphan", "a file that no link reaches";
    /// A file of an unpacked book that the manifest of the book does not list.
    NotInManifest: Warning, "not-in-manifest", "a file of a book that its manifest does not list";
    /// A document of XML that no program can read.
    NotWellFormed: Error, "not-well-formed", "a file that is not well-formed, or no document at all";
    /// A quote around the value of an attribute that never ends.
    UnclosedQuote: Warning, "unclosed-quote", "a quote that never ends and hides the rest of the page";
    /// A document that would take too much memory or time.
    TooComplex: Error, "too-complex", "a document too large or too complex to process";
    /// A document with bytes that its charset does not have.
    WrongCharset: Warning, "wrong-charset", "bytes that are not valid in the charset";
    /// Unrendered template markup.
    TemplateMarkup: Note, "template-markup", "unrendered template markup";
    /// A symbolic link whose target does not exist or is outside the tree.
    DanglingSymlink: Warning, "dangling-symlink", "a symbolic link whose target is missing or outside the site";
    /// Fragments that scripts handle.
    ScriptFragment: Note, "script-fragment", "fragments that scripts handle";
}

/// The checks whose findings visitors see as "not found": a missing file, and a missing anchor.
pub const NOT_FOUND: &[Check] = &[Check::BrokenTarget, Check::BrokenFragment];

/// The checks of `rehref compare`, which an audit of one tree does not run.
pub const LOST: &[Check] =
    &[Check::LostPage, Check::LostFile, Check::LostAnchor, Check::LostRedirect];

/// The checks of [`LOST`], and those of the redirects of the new tree, by which readers get there.
const COMPARED: &[Check] = &[Check::MetaRefreshLoop, Check::RedirectLoop, Check::RedirectChain];

impl Check {
    /// Returns all checks, in the order in which reports list them.
    pub fn all() -> impl Iterator<Item = Check> {
        CHECKS.iter().map(|row| row.check)
    }

    /// Returns the usual severity of the findings of this check. A single finding may have another severity.
    pub fn severity(self) -> Severity {
        self.row().severity
    }

    /// Returns one line that describes the findings of the check.
    pub fn summary(self) -> &'static str {
        self.row().summary
    }

    /// Returns true if the check is about the target of a link, such as `broken-target`.
    pub fn is_of_target(self) -> bool {
        use Check::{
            BrokenFragment, BrokenTarget, DirectoryWithoutIndex, EscapesRoot, MissingTrailingSlash,
            WrongCase,
        };
        let checks = [
            BrokenFragment, BrokenTarget, DirectoryWithoutIndex, EscapesRoot, MissingTrailingSlash,
            WrongCase,
        ];
        checks.contains(&self)
    }

    /// Returns true if `rehref compare` reports the findings of the check.
    pub fn is_compared(self) -> bool {
        LOST.contains(&self) || COMPARED.contains(&self)
    }

    /// Returns true if the check runs by default, without an option that enables it.
    pub fn is_default(self) -> bool {
        // Without --entry, every file would be an orphan.
        self != Check::Orphan && !LOST.contains(&self)
    }

    /// Returns the row of the check in the table.
    pub fn row(self) -> &'static CheckRow {
        &CHECKS[self as usize]
    }

    /// Returns the stable name of the check, such as `broken-target`.
    pub fn id(self) -> &'static str {
        self.row().id
    }

    /// Returns the check with the name `id`, such as `broken-target`; `None` if no check has this name.
    pub fn named(id: &str) -> Option<Check> {
        CHECKS.iter().find(|row| row.id == id).map(|row| row.check)
    }

    /// Returns the name of a check that is most similar to `misspelt`; `None` if no name is similar.
    pub fn nearest(misspelt: &str) -> Option<&'static str> {
        let ids = CHECKS.iter().map(|row| (row.id, row.id));
        let limit = 1 + misspelt.chars().count() / 4;
        nearest(ids, misspelt, limit).map(|(_, id)| id)
    }
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_check_has_its_row_and_a_name_of_its_own() {
        for row in CHECKS {
            assert_eq!(row.check.id(), row.id);
            assert_eq!(serde_json::to_value(row.check).unwrap(), row.id);
            assert_eq!(Check::named(row.id), Some(row.check));
        }
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
