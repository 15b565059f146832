//! The standards of resolution, by name.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// A standard that defines how a reference resolves against a base URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
#[non_exhaustive]
pub enum Standard {
    /// The URL Standard, which browsers follow.
    #[default]
    Whatwg,
    /// RFC 3986 (2005), section 5.2, strict.
    Rfc3986,
    /// RFC 1808, in drafts 03 and 05 (1995), which resolve references in the same way.
    Rfc1808,
    /// draft-fielding-uri-url-00 (1996).
    UrlDraft1996,
    /// RFC 1630 (1994): the "partial form", whose rules count slashes.
    Rfc1630,
}

/// Name, aliases and description (for the help) of each standard.
#[rustfmt::skip]
const NAMES: [(Standard, &str, &[&str], &str); 5] = [
    (Standard::Whatwg, "whatwg", &["url-standard"], "the URL Standard, which browsers follow"),
    (Standard::Rfc3986, "rfc3986", &["rfc-3986"], "RFC 3986 section 5.2, strict"),
    (Standard::Rfc1808, "rfc1808", &["rfc-1808", "draft-03", "draft-05"], "the Relative URL drafts of 1995"),
    (Standard::UrlDraft1996, "url-draft-1996", &["draft-fielding-uri-url-00", "draft-00e"],
        "the URL draft of 1996: empty references mean the current document"),
    (Standard::Rfc1630, "rfc1630", &["rfc-1630"], "the partial form of 1994, which counts slashes"),
];

/// The error of a string that is not the name of a [`Standard`].
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("unknown standard {0:?}; the standards are {names}", names = NAMES.map(|row| row.1).join(", "))]
pub struct UnknownStandard(String);

impl Standard {
    /// Returns all standards, the newest first.
    pub fn all() -> impl Iterator<Item = Self> {
        NAMES.iter().map(|(standard, ..)| *standard)
    }

    /// Returns the name that `--standard` accepts, such as `whatwg`.
    pub fn name(self) -> &'static str {
        self.row().1
    }

    /// Returns further names that parse as this standard.
    pub fn aliases(self) -> &'static [&'static str] {
        self.row().2
    }

    /// Returns a description of the standard in one line.
    pub fn description(self) -> &'static str {
        self.row().3
    }

    fn row(self) -> (Self, &'static str, &'static [&'static str], &'static str) {
        NAMES.into_iter().find(|(standard, ..)| *standard == self).unwrap_or((self, "", &[], ""))
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
}
