//! An absolute URL under one of the standards: what references are resolved against, and to.

use std::fmt;

use encoding_rs::Encoding;

use super::error::ParseError;
use super::record::Url;
use super::scheme::{self, Relativity};
use super::standard::{ResolveError, Standard};
use super::style::Relativize;
use crate::edit::TextEdit;

/// An absolute URL and the standard it is read by.
///
/// Under the URL Standard it is a parsed [`Url`]; the other documents define no serialization, and
/// there it is the string that their rules give.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AbsoluteUrl(Form);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Form {
    Parsed(Url),
    Written(Standard, String),
}

impl AbsoluteUrl {
    /// `url`, to be read by `standard` from now on.
    pub fn new(standard: Standard, url: Url) -> AbsoluteUrl {
        AbsoluteUrl(match standard {
            Standard::Whatwg => Form::Parsed(url),
            _ => Form::Written(standard, url.into_string()),
        })
    }

    /// Resolves `reference` against this URL as its base. `query_encoding` is the encoding of the
    /// document that holds the reference.
    ///
    /// # Errors
    /// As [`Standard::resolve`].
    pub fn resolve(
        &self,
        reference: &str,
        query_encoding: &'static Encoding,
    ) -> Result<AbsoluteUrl, ResolveError> {
        Ok(AbsoluteUrl(match &self.0 {
            Form::Parsed(base) => Form::Parsed(base.resolve(reference, query_encoding)?),
            Form::Written(standard, base) => {
                let target = standard.resolve(base, reference, query_encoding)?;
                Form::Written(*standard, target)
            }
        }))
    }

    /// Whether `reference` says by itself, without this base, that it leads to `target`.
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
            Form::Parsed(target) => {
                Url::parse_encoded(reference, query_encoding).is_ok_and(|alone| alone == *target)
            }
            Form::Written(_, target) => trimmed.trim_end_matches(|c: char| c <= ' ') == target,
        }
    }

    /// The smallest edit of `author` that leads where `wanted` does, both against this base.
    pub fn respell(
        &self,
        author: &str,
        wanted: &str,
        query_encoding: &'static Encoding,
    ) -> TextEdit {
        match &self.0 {
            Form::Parsed(base) => base.respell(author, wanted, query_encoding),
            Form::Written(standard, base) => standard.respell(base, author, wanted, query_encoding),
        }
    }

    /// Whether `reference` resolves to `target` against this URL: [`AbsoluteUrl::resolve`] and a
    /// comparison, often without building the URL.
    pub fn leads_to(
        &self,
        reference: &str,
        query_encoding: &'static Encoding,
        target: &AbsoluteUrl,
    ) -> bool {
        match (&self.0, &target.0) {
            (Form::Parsed(base), Form::Parsed(target)) => {
                base.leads_to(reference, query_encoding, target)
            }
            _ => self
                .resolve(reference, query_encoding)
                .is_ok_and(|resolved| resolved == *target),
        }
    }

    /// The shortest reference in the style `wanted` that leads from this URL to `target`; see
    /// [`Url::relativize`].
    pub fn relativize(
        &self,
        target: &AbsoluteUrl,
        wanted: impl Into<Relativize>,
    ) -> Option<String> {
        match (&self.0, &target.0) {
            (Form::Parsed(base), Form::Parsed(target)) => base.relativize(target, wanted),
            _ => self
                .standard()
                .relativize(self.as_str(), target.as_str(), wanted),
        }
    }

    /// The standard this URL is read by.
    pub fn standard(&self) -> Standard {
        match &self.0 {
            Form::Parsed(_) => Standard::Whatwg,
            Form::Written(standard, _) => *standard,
        }
    }

    /// The URL as a string.
    pub fn as_str(&self) -> &str {
        match &self.0 {
            Form::Parsed(url) => url.as_str(),
            Form::Written(_, url) => url,
        }
    }

    /// The scheme, in lower case under the URL Standard, as written under the others.
    pub fn scheme(&self) -> &str {
        self.as_str().split(':').next().unwrap_or("")
    }

    /// Whether it has a hierarchy that references can be relative to; `mailto:` URLs have none.
    pub fn is_hierarchical(&self) -> bool {
        match &self.0 {
            Form::Parsed(url) => !url.is_opaque(),
            Form::Written(_, url) => scheme::split(url).is_some_and(|(scheme, rest)| {
                rest.contains('/') && scheme::relativity(scheme) != Relativity::Never
            }),
        }
    }

    /// This URL as a directory: query and fragment are cut off, and the path ends with a slash.
    pub fn as_directory(&self) -> AbsoluteUrl {
        let whole = self.as_str();
        let end = whole.find(['?', '#']).unwrap_or(whole.len());
        let directory = whole.get(..end).unwrap_or(whole);
        let slash = if directory.ends_with('/') { "" } else { "/" };
        let directory = format!("{directory}{slash}");
        match &self.0 {
            Form::Parsed(url) => {
                AbsoluteUrl(Form::Parsed(Url::parse(&directory).unwrap_or(url.clone())))
            }
            Form::Written(standard, _) => AbsoluteUrl(Form::Written(*standard, directory)),
        }
    }
}

impl ResolveError {
    /// Whether nothing is wrong with the reference itself: only the base URL cannot serve.
    pub fn is_of_base(&self) -> bool {
        match self {
            ResolveError::Reference(error) => matches!(
                error,
                ParseError::RelativeWithoutBase | ParseError::OpaqueBase
            ),
            _ => true,
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
            assert_eq!(
                url("http://h/x?y/#z").as_directory().as_str(),
                "http://h/x/"
            );
            assert_eq!(url("http://h/x/").as_directory().as_str(), "http://h/x/");
        }
    }
}
