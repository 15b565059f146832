//! The standards of resolution behind one enum.

use std::fmt;
use std::str::FromStr;

use encoding_rs::Encoding;
use thiserror::Error;

use super::components::Components;
use super::error::ParseError;
use super::scheme::{self, Relativity};
use super::{rfc1630, rfc1808, rfc3986, url_draft_1996, whatwg};

/// A standard that says what a reference means against a base URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum Standard {
    /// The URL Standard: what browsers do.
    #[default]
    Whatwg,
    /// RFC 3986 (2005), section 5.2, strict.
    Rfc3986,
    /// RFC 1808 as its drafts 03 and 05 (1995) have it; they resolve alike.
    Rfc1808,
    /// draft-fielding-uri-url-00 (1996).
    UrlDraft1996,
    /// RFC 1630 (1994), the partial form that counts slashes.
    Rfc1630,
}

/// Name, aliases, and what a help text says of each standard.
const NAMES: [(Standard, &str, &[&str], &str); 5] = [
    (
        Standard::Whatwg,
        "whatwg",
        &["url-standard"],
        "the URL Standard, what browsers do",
    ),
    (
        Standard::Rfc3986,
        "rfc3986",
        &["rfc-3986"],
        "RFC 3986 section 5.2, strict",
    ),
    (
        Standard::Rfc1808,
        "rfc1808",
        &["rfc-1808", "draft-03", "draft-05"],
        "the Relative URL drafts of 1995",
    ),
    (
        Standard::UrlDraft1996,
        "url-draft-1996",
        &["draft-fielding-uri-url-00", "draft-00e"],
        "the URL draft of 1996: empty references mean the current document",
    ),
    (
        Standard::Rfc1630,
        "rfc1630",
        &["rfc-1630"],
        "the partial form of 1994, which counts slashes",
    ),
];

/// A name that is none of the standards'.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("unknown standard {0:?}; the standards are {names}", names = NAMES.map(|row| row.1).join(", "))]
pub struct UnknownStandard(String);

/// Why a reference has no target.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ResolveError {
    /// The URL Standard's parser failed on the base URL.
    #[error("the base URL is not a URL: {0}")]
    Base(ParseError),
    /// The URL Standard's parser failed on the reference.
    #[error(transparent)]
    Reference(#[from] ParseError),
    /// The base URL has no scheme.
    #[error("the base URL is not absolute")]
    RelativeBase,
    /// Nothing but a fragment can be relative to the base URL: its scheme, or its shape without
    /// any slash, has no hierarchy.
    #[error("nothing can be relative to a \"{0}:\" URL like this base")]
    OpaqueBase(String),
    /// RFC 1630: the base URL holds no run of exactly as many slashes as the reference starts
    /// with that has no longer run to its right.
    #[error("the base URL has no place with exactly {0} slashes and no longer run after it")]
    NoSuchSlashes(usize),
}

/// One step of a resolution, for people to read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// The section of the standard that the step follows.
    pub section: &'static str,
    /// What was done, with the values at hand.
    pub text: String,
}

/// A resolution with how it came about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explanation<'a> {
    /// The components of the base URL.
    pub base: Components<'a>,
    /// The components of the reference.
    pub reference: Components<'a>,
    /// The steps taken, in order.
    pub steps: Vec<Step>,
    /// The target, or why there is none.
    pub target: Result<String, ResolveError>,
}

/// Collects steps where they are asked for; costs nothing where they are not.
#[derive(Debug, Default)]
pub(super) struct Steps(Option<Vec<Step>>);

impl Steps {
    pub(super) fn are_wanted(&self) -> bool {
        self.0.is_some()
    }

    pub(super) fn note(&mut self, section: &'static str, text: impl FnOnce() -> String) {
        if let Some(steps) = &mut self.0 {
            let text = text();
            steps.push(Step { section, text });
        }
    }
}

impl Standard {
    /// All standards, today's first.
    pub fn all() -> impl Iterator<Item = Self> {
        NAMES.iter().map(|(standard, ..)| *standard)
    }

    /// The name, as `--standard` takes it.
    pub fn name(self) -> &'static str {
        self.row().1
    }

    /// Other names that are understood too.
    pub fn aliases(self) -> &'static [&'static str] {
        self.row().2
    }

    /// One line on what the standard is.
    pub fn description(self) -> &'static str {
        self.row().3
    }

    fn row(self) -> (Self, &'static str, &'static [&'static str], &'static str) {
        NAMES
            .into_iter()
            .find(|(standard, ..)| *standard == self)
            .unwrap_or((self, "", &[], ""))
    }

    /// Resolves `reference` against `base`, both as they are written. `query_encoding` is the
    /// encoding of the document that holds the reference; only the URL Standard looks at it.
    ///
    /// With an empty base every reference is taken as absolute: unchanged by the documents of the
    /// 1990s (RFC 1808 section 4 step 1), and an error by today's if it has no scheme.
    pub fn resolve(
        self,
        base: &str,
        reference: &str,
        query_encoding: &'static Encoding,
    ) -> Result<String, ResolveError> {
        self.resolve_noting(base, reference, query_encoding, &mut Steps(None))
    }

    /// As [`Standard::resolve`], with the components and the steps taken.
    pub fn explain<'a>(
        self,
        base: &'a str,
        reference: &'a str,
        query_encoding: &'static Encoding,
    ) -> Explanation<'a> {
        let mut steps = Steps(Some(Vec::new()));
        let target = self.resolve_noting(base, reference, query_encoding, &mut steps);
        Explanation {
            base: Components::split(self, base),
            reference: Components::split(self, reference),
            steps: steps.0.unwrap_or_default(),
            target,
        }
    }

    /// Whether `reference` means the document it stands in, whatever the base URL is
    /// (draft-fielding-uri-url-00, section 3). Always false under the other standards.
    pub fn is_current_document(self, reference: &str) -> bool {
        self == Self::UrlDraft1996
            && url_draft_1996::is_current_document(&Components::split(self, reference))
    }

    fn resolve_noting(
        self,
        base: &str,
        reference: &str,
        query_encoding: &'static Encoding,
        steps: &mut Steps,
    ) -> Result<String, ResolveError> {
        match self {
            Self::Whatwg => whatwg::resolve(base, reference, query_encoding, steps),
            Self::Rfc3986 => rfc3986::resolve(base, reference, steps),
            Self::Rfc1808 => rfc1808::resolve(base, reference, steps),
            Self::UrlDraft1996 => url_draft_1996::resolve(base, reference, steps),
            Self::Rfc1630 => rfc1630::resolve(base, reference, steps),
        }
    }

    /// Refuses a base URL that references cannot be relative to. The documents leave what happens
    /// then to the reader; a join would be a URL that nobody meant.
    ///
    /// RFC 1808 section 2.3 names schemes; the others go by the base URL's own shape (the 1996
    /// draft section 4.2; RFC 3986 section 4.2: relative "to the name space of another
    /// hierarchical URI").
    pub(super) fn check_base(self, base: &Components<'_>) -> Result<(), ResolveError> {
        let name = base.scheme.ok_or(ResolveError::RelativeBase)?;
        let never = scheme::relativity(name) == Relativity::Never
            && (self == Self::Rfc1808 || base.authority.is_none());
        if never || !base.is_hierarchical() {
            return Err(ResolveError::OpaqueBase(name.to_owned()));
        }
        Ok(())
    }
}

impl fmt::Display for Standard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Standard {
    type Err = UnknownStandard;

    fn from_str(name: &str) -> Result<Self, UnknownStandard> {
        NAMES
            .iter()
            .find(|(_, own, aliases, _)| {
                own.eq_ignore_ascii_case(name)
                    || aliases.iter().any(|alias| alias.eq_ignore_ascii_case(name))
            })
            .map(|(standard, ..)| *standard)
            .ok_or_else(|| UnknownStandard(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_go_both_ways() {
        for standard in Standard::all() {
            assert_eq!(standard.to_string().parse(), Ok(standard));
            for alias in standard.aliases() {
                assert_eq!(alias.parse(), Ok(standard));
            }
        }
        assert_eq!("draft-05".parse(), Ok(Standard::Rfc1808));
        assert!("rfc2396".parse::<Standard>().is_err());
    }

    #[test]
    fn an_explanation_has_the_same_target() {
        for standard in Standard::all() {
            for reference in ["../../../g", ";x", "http:g", "", "#s", "//g", "///g"] {
                let base = "http://a/b/c/d;p?q";
                let explained = standard.explain(base, reference, encoding_rs::UTF_8);
                let target = standard.resolve(base, reference, encoding_rs::UTF_8);
                assert_eq!(explained.target, target, "{standard} {reference}");
                assert!(
                    target.is_err() || !explained.steps.is_empty(),
                    "{standard} {reference}"
                );
            }
        }
    }
}
