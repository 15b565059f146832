//! The components of a reference, which each standard splits in its own order.

use super::error::ResolveError;
use super::scheme;
use super::standard::Standard;

/// A reference split into its components. `None` is a component that is absent; the documents of the
/// 1990s do not distinguish an empty one from an absent one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Components<'a> {
    /// The scheme, without its colon.
    pub scheme: Option<&'a str>,
    /// The authority (`net_loc`, `server`), without its two slashes.
    pub authority: Option<&'a str>,
    /// The path, with its leading slash.
    pub path: &'a str,
    /// The parameters, without their semicolon; always `None` under standards that treat them as part of the
    /// path.
    pub params: Option<&'a str>,
    /// The query, without its question mark.
    pub query: Option<&'a str>,
    /// The fragment, without its number sign.
    pub fragment: Option<&'a str>,
}

impl<'a> Components<'a> {
    /// Splits `input` into components by the rules of `standard`. Does not validate, decode or normalize.
    ///
    /// Under the URL Standard a reference has no components before it is resolved; for
    /// [`Standard::Whatwg`] they are those of RFC 3986.
    pub fn split(standard: Standard, input: &'a str) -> Self {
        match standard {
            Standard::Whatwg | Standard::Rfc3986 => Self::split_rfc3986(input),
            Standard::Rfc1808 | Standard::UrlDraft1996 => Self::split_1990s(input),
            Standard::Rfc1630 => Self::split_rfc1630(input),
        }
    }

    /// RFC 3986, section 3 and appendix B: the authority ends before `/`, `?` or `#`, and a
    /// scheme starts with a letter.
    pub(super) fn split_rfc3986(input: &'a str) -> Self {
        let (rest, fragment) = cut(input, b'#');
        let (rest, query) = cut(rest, b'?');
        let (scheme, rest) = named(scheme::split(rest), rest);
        let (authority, path) = authority(rest);
        Self { scheme, authority, path, params: None, query, fragment }
    }

    /// RFC 1808, section 2.4 (draft-fielding-uri-url-00, section 4.3): fragment, scheme,
    /// authority, query, parameters, path. The authority ends only before `/`, and the parameters
    /// start at the first semicolon that is left, wherever it stands.
    pub(super) fn split_1990s(input: &'a str) -> Self {
        let (rest, fragment) = cut(input, b'#');
        let (scheme, rest) = named(scheme::split_1990s(rest), rest);
        let (authority, rest) = authority(rest);
        let (rest, query) = cut(rest, b'?');
        let (path, params) = cut(rest, b';');
        Self { scheme, authority, path, params, query, fragment }
    }

    /// RFC 1630, section "Partial (relative) form": a fragment, and a scheme whose colon comes before
    /// any reserved character. The rest is one string, here the path.
    pub(super) fn split_rfc1630(input: &'a str) -> Self {
        let (rest, fragment) = cut(input, b'#');
        // The reserved characters of the section "Reserved characters"; ";" is not one of them.
        let reserved = ['%', '/', '#', '?', '*', '!'];
        let (scheme, path) = match rest.split_once(':') {
            Some((name, path)) if !name.is_empty() && !name.contains(reserved) => {
                (Some(name), path)
            }
            _ => (None, rest),
        };
        Self { scheme, path, fragment, ..Self::default() }
    }

    /// Returns the user and the password in the authority (draft-fielding-uri-url-00, section 4.3.1). An empty
    /// one (`Some("")`) differs from an absent one.
    pub fn userinfo(&self) -> (Option<&'a str>, Option<&'a str>) {
        let parts = self.authority.and_then(|it| it.rsplit_once('@'));
        parts.map_or((None, None), |(userinfo, _)| {
            let (user, password) = cut(userinfo, b':');
            (Some(user), password)
        })
    }

    /// Returns the authority without user and password.
    pub fn host_and_port(&self) -> Option<&'a str> {
        self.authority?.rsplit('@').next()
    }

    /// Returns the offset of the path in the text of the reference, in bytes.
    pub(super) fn path_start(&self) -> usize {
        self.scheme.map_or(0, |scheme| scheme.len() + 1)
            + self.authority.map_or(0, |authority| authority.len() + 2)
    }

    /// Checks that a reference other than a fragment can be relative to this base URL. If none can, the
    /// standards leave the result undefined; resolving anyway would give a URL that the author did not
    /// mean.
    ///
    /// RFC 1808, section 2.3, names the schemes without a hierarchy. The others go by the URL itself:
    /// it needs an authority, or a slash in its path (the 1996 draft, section 4.2; RFC 3986, section
    /// 4.2: relative "to the name space of another hierarchical URI").
    pub(super) fn check_base(&self, standard: Standard) -> Result<(), ResolveError> {
        let name = self.scheme.ok_or(ResolveError::RelativeBase)?;
        let never = !scheme::is_hierarchical(name)
            && (standard == Standard::Rfc1808 || self.authority.is_none());
        if never || !(self.authority.is_some() || self.path.contains('/')) {
            return Err(ResolveError::OpaqueBase(name.to_owned()));
        }
        Ok(())
    }

    /// Joins the components (RFC 3986, section 5.3).
    pub(super) fn recompose(&self) -> String {
        let mut out = String::new();
        if let Some(scheme) = self.scheme {
            out.push_str(scheme);
            out.push(':');
        }
        if let Some(authority) = self.authority {
            out.push_str("//");
            out.push_str(authority);
        }
        out.push_str(self.path);
        for (mark, part) in [(';', self.params), ('?', self.query), ('#', self.fragment)] {
            if let Some(part) = part {
                out.push(mark);
                out.push_str(part);
            }
        }
        out
    }
}

/// Splits `input` before its first byte that `is_delimiter`; if it has none, the second part is
/// empty. Delimiters are ASCII.
pub(super) fn split_before(input: &str, is_delimiter: impl Fn(u8) -> bool) -> (&str, &str) {
    input
        .bytes()
        .position(is_delimiter)
        .and_then(|end| input.split_at_checked(end))
        .unwrap_or((input, ""))
}

/// Splits `input` at its first `mark`, an ASCII character.
fn cut(input: &str, mark: u8) -> (&str, Option<&str>) {
    match memchr::memchr(mark, input.as_bytes()) {
        Some(at) => (input.get(..at).unwrap_or_default(), input.get(at + 1..)),
        None => (input, None),
    }
}

fn named<'a>(split: Option<(&'a str, &'a str)>, whole: &'a str) -> (Option<&'a str>, &'a str) {
    split.map_or((None, whole), |(name, rest)| (Some(name), rest))
}

fn authority(input: &str) -> (Option<&str>, &str) {
    match input.strip_prefix("//") {
        None => (None, input),
        Some(rest) => {
            let (authority, path) = split_before(rest, |byte| byte == b'/');
            (Some(authority), path)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_of_the_1990s() {
        // scheme, authority, path, params, query, fragment
        for (input, [scheme, authority, path, params, query, fragment]) in [
            (
                "http://h/p;a?b#c",
                [Some("http"), Some("h"), Some("/p"), Some("a"), Some("b"), Some("c")],
            ),
            ("a#b#c", [None, None, Some("a"), None, None, Some("b#c")]),
            ("//g?y", [None, Some("g?y"), Some(""), None, None, None]),
            ("a?b?c", [None, None, Some("a"), None, Some("b?c"), None]),
            ("/b;p1/c/d", [None, None, Some("/b"), Some("p1/c/d"), None, None]),
            ("1a:h", [Some("1a"), None, Some("h"), None, None, None]),
            (":g", [None, None, Some(":g"), None, None, None]),
        ] {
            let expected = Components {
                scheme,
                authority,
                path: path.unwrap_or_default(),
                params,
                query,
                fragment,
            };
            assert_eq!(Components::split(Standard::Rfc1808, input), expected, "{input}");
        }
    }

    #[test]
    fn an_empty_user_differs_from_none() {
        for (input, user, password) in [
            ("ftp://@host.com/", Some(""), None),
            ("ftp://host.com/", None, None),
            ("ftp://foo:@host.com/", Some("foo"), Some("")),
        ] {
            let parts = Components::split(Standard::UrlDraft1996, input);
            assert_eq!(parts.userinfo(), (user, password), "{input}");
            assert_eq!(parts.host_and_port(), Some("host.com"), "{input}");
        }
    }
}
