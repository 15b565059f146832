//! Server-side includes (Apache mod_include): `<!--#include virtual="/nav.html" -->`. For browsers and
//! editors they are comments; the server replaces them.

use super::constraints::PathRule;
use super::html::Quote;
use super::html::scanner::attributes::attributes_from;
use rehref_url::Span;

/// An attribute of a directive whose value is a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IncludeAttribute {
    pub directive: &'static str,
    pub attribute: &'static str,
    /// The rule by which the server resolves the value.
    pub path: PathRule,
}

const fn row(directive: &'static str, attribute: &'static str, path: PathRule) -> IncludeAttribute {
    IncludeAttribute { directive, attribute, path }
}

/// The attributes, by the documentation of mod_include.
static ATTRIBUTES: &[IncludeAttribute] = &[
    row("include", "virtual", PathRule::UrlPath),
    row("include", "file", PathRule::Below),
    row("fsize", "virtual", PathRule::UrlPath),
    row("fsize", "file", PathRule::Below),
    row("flastmod", "virtual", PathRule::UrlPath),
    row("flastmod", "file", PathRule::Below),
    row("exec", "cgi", PathRule::UrlPath),
];

/// A path in a directive of server-side includes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IncludePath {
    pub row: &'static IncludeAttribute,
    /// The span of the path in the comment, without the quotes.
    pub span: Span,
    pub quote: Quote,
}

/// Returns the paths in `comment`, which goes from `<!--` to `-->`; none if it is not a directive.
pub fn paths(comment: &[u8]) -> Vec<IncludePath> {
    const START: &[u8] = b"<!--#";
    let text = comment.strip_prefix(START).unwrap_or_default();
    let length = text.iter().take_while(|b| b.is_ascii_alphabetic()).count();
    let name = text.get(..length).unwrap_or_default();
    let attributes = attributes_from(comment, START.len() + length);
    let paths =
        attributes.take_while(|(_, value)| value.is_quoted()).filter_map(|(attribute, value)| {
            let row = ATTRIBUTES.iter().find(|row| {
                name.eq_ignore_ascii_case(row.directive.as_bytes())
                    && attribute.eq_ignore_ascii_case(row.attribute.as_bytes())
            })?;
            Some(IncludePath { row, span: value.span, quote: value.quote })
        });
    paths.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_paths_of_directives_are_found() {
        for (comment, expected) in [
            ("<!--#include virtual=\"/a.html\" -->", &["include virtual /a.html"][..]),
            ("<!--#INCLUDE FILE='a.html'-->", &["include file a.html"]),
            (
                "<!--#include file=\"a\" virtual = \"b\" -->",
                &["include file a", "include virtual b"],
            ),
            ("<!--#flastmod virtual=\"b\" -->", &["flastmod virtual b"]),
            ("<!--#exec cgi=\"/c\" cmd=\"ls\" -->", &["exec cgi /c"]),
            ("<!--#echo var=\"DATE\" -->", &[]),
            ("<!-- #include virtual=\"x\" -->", &[]),
            ("<!--#include virtual=\"x", &[]),
            ("<!--#include virtual=x -->", &[]),
            ("<!--#-->", &[]),
        ] {
            let found: Vec<String> = paths(comment.as_bytes())
                .into_iter()
                .map(|path| {
                    let value = &comment[path.span.range()];
                    format!("{} {} {value}", path.row.directive, path.row.attribute)
                })
                .collect();
            assert_eq!(found, expected, "{comment}");
        }
    }
}
