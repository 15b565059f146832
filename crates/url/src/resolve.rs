//! Resolution under each of the standards.

use encoding_rs::Encoding;

use super::components::Components;
use super::error::ResolveError;
use super::standard::Standard;
use super::steps::{Step, Steps};
use super::{generic_1990s, rfc1630, rfc3986, whatwg};

/// The result of a resolution, with the steps that led to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explanation<'a> {
    /// The components of the base URL.
    pub base: Components<'a>,
    /// The components of the reference.
    pub reference: Components<'a>,
    /// The steps, in order.
    pub steps: Vec<Step>,
    /// The target, or the reason why there is none.
    pub target: Result<String, ResolveError>,
}

impl Standard {
    /// Resolves `reference` against `base`, both as written. `query_encoding` is the encoding
    /// of the document that holds the reference; only the URL Standard uses it.
    ///
    /// With an empty `base` every reference counts as absolute. The documents of the 1990s return it
    /// unchanged (RFC 1808, section 4, step 1); under the others it is an error if it has no scheme.
    ///
    /// # Errors
    /// See [`ResolveError`].
    #[doc(hidden)]
    pub fn resolve(
        self,
        base: &str,
        reference: &str,
        query_encoding: &'static Encoding,
    ) -> Result<String, ResolveError> {
        self.resolve_noting(base, reference, query_encoding, &mut Steps::default())
    }

    /// As [`Standard::resolve`], and also returns the components and the steps.
    #[doc(hidden)]
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

    /// Returns true if `reference` means the document that contains it, whatever the base URL is
    /// (draft-fielding-uri-url-00, section 3). Always false under the other standards.
    pub fn is_current_document(self, reference: &str) -> bool {
        self == Self::UrlDraft1996
            && generic_1990s::is_current_document(&Components::split(self, reference))
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
            Self::Rfc1808 | Self::UrlDraft1996 => {
                generic_1990s::resolve(self, base, reference, steps)
            }
            Self::Rfc1630 => rfc1630::resolve(base, reference, steps),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_explanation_has_the_same_target() {
        for standard in Standard::all() {
            for reference in ["../../../g", ";x", "http:g", "", "#s", "//g", "///g"] {
                let base = "http://a/b/c/d;p?q";
                let explained = standard.explain(base, reference, encoding_rs::UTF_8);
                let target = standard.resolve(base, reference, encoding_rs::UTF_8);
                assert_eq!(explained.target, target, "{standard} {reference}");
                assert!(target.is_err() || !explained.steps.is_empty(), "{standard} {reference}");
            }
        }
    }
}
