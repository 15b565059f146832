//! An absolute URL under one of the standards: the base or the target of references.

use std::fmt;

use encoding_rs::Encoding;

use super::error::ResolveError;
use super::form::RelativizeOptions;
use super::parse::parse;
use super::record::Url;
use super::scheme;
use super::standard::Standard;
use crate::TextEdit;

/// An absolute URL and its standard.
///
/// Under the URL Standard it is a parsed [`Url`]. The other documents define no serialization; under
/// them it is the string that their rules give.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AbsoluteUrl(Repr);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Repr {
    Parsed(Url),
    Written(Standard, String),
}

impl AbsoluteUrl {
    /// Combines `url` with the standard `standard`.
    pub fn new(standard: Standard, url: Url) -> AbsoluteUrl {
        AbsoluteUrl(match standard {
            Standard::Whatwg => Repr::Parsed(url),
            _ => Repr::Written(standard, url.into_string()),
        })
    }

    /// Resolves `reference` against this URL as its base. `query_encoding` is the encoding of the
    /// document that holds the reference.
    ///
    /// # Errors
    /// Returns the errors of [`Standard::resolve`].
    pub fn resolve(
        &self,
        reference: &str,
        query_encoding: &'static Encoding,
    ) -> Result<AbsoluteUrl, ResolveError> {
        Ok(AbsoluteUrl(match &self.0 {
            Repr::Parsed(base) => Repr::Parsed(base.resolve(reference, query_encoding)?),
            Repr::Written(standard, base) => {
                let target = standard.resolve(base, reference, query_encoding)?;
                Repr::Written(*standard, target)
            }
        }))
    }

    /// Returns the base URL that the author of `reference`, which is only a query, intended in the document at
    /// `own`, if the document has no other base URL. Mirroring tools save the page `list.php?page=2` as a file
    /// of this name, whose URL is `list.php%3Fpage=2`, but its author wrote `?page=3` for the server. Returns
    /// `None` for any other reference or URL.
    pub fn base_of_query(&self, own: &AbsoluteUrl, reference: &str) -> Option<AbsoluteUrl> {
        let is_query = reference.trim_start_matches(|c: char| c <= ' ').starts_with('?');
        if !is_query || self != own {
            return None;
        }
        let url = self.as_str();
        let name = url.rfind('/')? + 1;
        let (path, query) = url.split_at(name + url.get(name..)?.find("%3F")?);
        let page = Url::parse(&format!("{path}?{}", query.get("%3F".len()..)?)).ok()?;
        Some(AbsoluteUrl::new(self.standard(), page))
    }

    /// Returns true if `reference` is absolute and resolves to `target`, whatever the base.
    pub fn is_absolute_form(
        &self,
        reference: &str,
        target: &AbsoluteUrl,
        query_encoding: &'static Encoding,
    ) -> bool {
        // A reference with a scheme may still be relative: `http:x` under an `http:` base.
        let trimmed = reference.trim_start_matches(|c: char| c <= ' ');
        if scheme::split(trimmed).is_none() && !reference.contains(['\t', '\n', '\r']) {
            return false;
        }
        match &target.0 {
            // A serialization parses to itself.
            Repr::Parsed(target) => {
                target.as_str() == reference
                    || parse(reference, None, query_encoding).is_ok_and(|alone| alone == *target)
            }
            Repr::Written(_, target) => trimmed.trim_end_matches(|c: char| c <= ' ') == target,
        }
    }

    /// Returns the smallest edit of `author` that resolves to the target of `wanted`, both against this base; see
    /// [`Url::respell`].
    pub fn respell(
        &self,
        author: &str,
        wanted: &str,
        query_encoding: &'static Encoding,
    ) -> TextEdit {
        match &self.0 {
            Repr::Parsed(base) => base.respell(author, wanted, query_encoding),
            Repr::Written(standard, base) => standard.respell(base, author, wanted, query_encoding),
        }
    }

    /// Returns true if `reference` resolves to `target` against this URL.
    pub fn resolves_to(
        &self,
        reference: &str,
        query_encoding: &'static Encoding,
        target: &AbsoluteUrl,
    ) -> bool {
        self.resolve(reference, query_encoding).is_ok_and(|resolved| resolved == *target)
    }

    /// Returns the shortest reference that resolves to `target` against this URL, in the form that `wanted` asks for;
    /// see [`Url::relativize`].
    pub fn relativize(
        &self,
        target: &AbsoluteUrl,
        wanted: impl Into<RelativizeOptions>,
    ) -> Option<String> {
        match (&self.0, &target.0) {
            (Repr::Parsed(base), Repr::Parsed(target)) => base.relativize(target, wanted),
            _ => self.standard().relativize(self.as_str(), target.as_str(), wanted),
        }
    }

    /// Returns the standard of this URL and of the references that it resolves.
    pub fn standard(&self) -> Standard {
        match &self.0 {
            Repr::Parsed(_) => Standard::Whatwg,
            Repr::Written(standard, _) => *standard,
        }
    }

    /// Returns the URL as a string.
    pub fn as_str(&self) -> &str {
        match &self.0 {
            Repr::Parsed(url) => url.as_str(),
            Repr::Written(_, url) => url,
        }
    }

    /// Returns the scheme, in lower case under the URL Standard, as written under the others.
    pub fn scheme(&self) -> &str {
        match &self.0 {
            Repr::Parsed(url) => url.scheme(),
            Repr::Written(_, url) => url.split(':').next().unwrap_or_default(),
        }
    }

    /// Returns true if relative references can resolve against the URL; false for URLs without a hierarchy,
    /// such as `mailto:`.
    pub fn is_hierarchical(&self) -> bool {
        match &self.0 {
            Repr::Parsed(url) => !url.is_opaque(),
            Repr::Written(_, url) => scheme::split(url).is_some_and(|(scheme, rest)| {
                rest.contains('/') && scheme::is_hierarchical(scheme)
            }),
        }
    }

    /// Returns this URL as a directory: without query and fragment, and with a trailing slash in its path.
    pub fn as_directory(&self) -> AbsoluteUrl {
        let directory = self.as_str().split(['?', '#']).next().unwrap_or_default();
        let slash = if directory.ends_with('/') { "" } else { "/" };
        let directory = format!("{directory}{slash}");
        match &self.0 {
            Repr::Parsed(url) => {
                AbsoluteUrl(Repr::Parsed(Url::parse(&directory).unwrap_or(url.clone())))
            }
            Repr::Written(standard, _) => AbsoluteUrl(Repr::Written(*standard, directory)),
        }
    }
}

impl fmt::Display for AbsoluteUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use encoding_rs::UTF_8;

    #[test]
    fn absolute_forms() {
        let base = Url::parse("http://h/d/p").unwrap();
        for (standard, reference, is_absolute) in [
            (Standard::Whatwg, "http://h/x", true),
            (Standard::Whatwg, " HTTP://H/x ", true),
            (Standard::Whatwg, "ht\ntp://h/x", true),
            (Standard::Whatwg, "http:x", false),
            (Standard::Whatwg, "x", false),
            (Standard::Whatwg, "mailto:x", true),
            (Standard::Rfc3986, "http://h/x", true),
            (Standard::Rfc3986, "http:x", true),
            (Standard::Rfc3986, "//h/x", false),
            (Standard::Rfc1808, "x", false),
        ] {
            let base = AbsoluteUrl::new(standard, base.clone());
            let target = base.resolve(reference, UTF_8).unwrap();
            assert_eq!(
                base.is_absolute_form(reference, &target, UTF_8),
                is_absolute,
                "{standard} {reference:?}"
            );
        }
    }

    #[test]
    fn hierarchy_and_directories() {
        for standard in [Standard::Whatwg, Standard::Rfc3986] {
            let url = |text: &str| AbsoluteUrl::new(standard, Url::parse(text).unwrap());
            assert!(url("http://h/x").is_hierarchical());
            assert!(!url("mailto:a@b").is_hierarchical());
            assert_eq!(url("http://h/x?y/#z").as_directory().as_str(), "http://h/x/");
            assert_eq!(url("http://h/x/").as_directory().as_str(), "http://h/x/");
        }
    }
}
