//! Template markup in attribute values: text that another program will replace.

use std::borrow::Cow;

/// A kind of template markup: the text that opens it, and the text that closes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dialect {
    /// The text at its start, whatever the letter case.
    open: Cow<'static, str>,
    /// The text at its end; empty if the opener is the whole markup. The closer may be missing, since a quote in
    /// the markup ends the value for an HTML parser (`href="{{ url("x") }}"`); in a fragment, where programs write
    /// names of all kinds (`#{{{`), it may not.
    close: Cow<'static, str>,
    /// Whether only a name may stand between the opener and the closer, as in `$(NAME)`.
    holds_name: bool,
}

const fn dialect(open: &'static str, close: &'static str, holds_name: bool) -> Dialect {
    Dialect { open: Cow::Borrowed(open), close: Cow::Borrowed(close), holds_name }
}

/// The dialects that are distinguishable from URLs. Each starts with one of [`FIRST_BYTES`].
static KNOWN: &[Dialect] = &[
    dialect("{{", "}}", false), // Jinja, Liquid, Handlebars, Mustache, Go templates, Vue, Angular
    dialect("{%", "%}", false), // Jinja, Liquid, Twig
    dialect("{$", "}", false),  // Smarty
    dialect("<%", "%>", false), // ERB, EJS, ASP, JSP
    dialect("<?", "?>", false), // PHP
    dialect("<!--#", "-->", false), // server-side includes
    dialect("<TMPL_", ">", false), // HTML::Template
    dialect("[%", "%]", false), // Template Toolkit
    dialect("${", "}", false),  // JavaScript template literals, JSP EL, Thymeleaf, shell
    dialect("$(", ")", true),   // make, MSBuild
    dialect("$relpath^", "", false), // Doxygen
    dialect("$relpath$", "", false), // Doxygen
];

const FIRST_BYTES: &[u8] = b"{<[$";

/// Schemes whose URLs hold their content, so that no base URL matters: a `{{` in them is a part of
/// a script or of a picture.
const SELF_CONTAINED: &[&str] = &["data:", "javascript:"];

/// The dialects in which a run recognizes template markup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TemplateDialects {
    dialects: &'static [Dialect],
    /// Whether some start with another byte than [`FIRST_BYTES`].
    has_others: bool,
}

impl Default for TemplateDialects {
    fn default() -> TemplateDialects {
        TemplateDialects { dialects: KNOWN, has_others: false }
    }
}

/// The error of a text that does not describe template markup.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "\"{0}\" is not template markup; pass an opener and a closer (\"@@ @@\"), an opener alone, or the word none; the markup of common languages is known: {{{{ }}}}, {{% %}}, <% %>, <? ?>"
)]
pub struct BadDialect(String);

impl TemplateDialects {
    /// Returns the table of template markup, extended by the values `given` on the command line: each is an
    /// opener, a space and a closer. The value `none` removes the table.
    ///
    /// The list lives as long as the program, since every document refers to it.
    ///
    /// # Errors
    /// Returns an error if a text is not one or two words, or is a word of letters.
    pub fn new(given: &[String]) -> Result<TemplateDialects, BadDialect> {
        if given.is_empty() {
            return Ok(TemplateDialects::default());
        }
        let mut dialects =
            if given.iter().any(|text| text == NONE) { Vec::new() } else { KNOWN.to_vec() };
        for text in given.iter().filter(|text| *text != NONE) {
            let mut words = text.split_ascii_whitespace().map(str::to_owned);
            let (Some(open), close, None) = (words.next(), words.next(), words.next()) else {
                return Err(BadDialect(text.clone()));
            };
            // The name of a language, which words of links may have in them.
            if close.is_none() && open.bytes().all(|it| it.is_ascii_lowercase()) {
                return Err(BadDialect(text.clone()));
            }
            let close = close.unwrap_or_default().into();
            dialects.push(Dialect { open: open.into(), close, holds_name: false });
        }
        let is_known = |dialect: &Dialect| {
            let first = dialect.open.as_bytes().first();
            first.is_some_and(|byte| FIRST_BYTES.contains(byte))
        };
        Ok(TemplateDialects {
            has_others: !dialects.iter().all(is_known),
            dialects: dialects.leak(),
        })
    }

    /// Returns true if `text` holds template markup.
    pub fn is_in(self, text: &str) -> bool {
        self.find(text).is_some()
    }

    /// Returns true if a [simple](rehref_url::simple) reference, which has none of [`FIRST_BYTES`], may hold
    /// template markup.
    pub fn may_be_in_simple(self) -> bool {
        self.has_others
    }

    /// Returns the byte of `text` at which the first template markup starts.
    pub fn find(self, text: &str) -> Option<usize> {
        let bytes = text.as_bytes();
        let is_plain = !self.has_others
            && memchr::memchr3(b'{', b'<', b'$', bytes).is_none()
            && memchr::memchr(b'[', bytes).is_none();
        if is_plain || self.dialects.is_empty() || is_self_contained(text) {
            return None;
        }
        let fragment = memchr::memchr(b'#', bytes).unwrap_or(bytes.len());
        bytes.iter().enumerate().position(|(at, first)| {
            (self.has_others || FIRST_BYTES.contains(first)) && {
                let rest = bytes.get(at..).unwrap_or_default();
                let mut dialects = self.dialects.iter();
                dialects.any(|dialect| dialect.starts(rest, at > fragment))
            }
        })
    }
}

/// The word for no dialect of the table.
const NONE: &str = "none";

fn is_self_contained(text: &str) -> bool {
    let text = text.trim_ascii_start().as_bytes();
    SELF_CONTAINED
        .iter()
        .any(|scheme| super::ascii::starts_with_ignore_case(text, scheme.as_bytes()))
}

impl Dialect {
    /// Returns true if `text` starts with the markup. `in_fragment`: it is in the fragment of a URL.
    fn starts(&self, text: &[u8], in_fragment: bool) -> bool {
        let open = self.open.as_bytes();
        if !super::ascii::starts_with_ignore_case(text, open) {
            return false;
        }
        let rest = text.get(open.len()..).unwrap_or_default();
        if self.holds_name {
            let is_name = |byte: &&u8| byte.is_ascii_alphanumeric() || b"_.-".contains(byte);
            let length = rest.iter().take_while(is_name).count();
            let after = rest.get(length..).unwrap_or_default();
            return length > 0 && after.starts_with(self.close.as_bytes());
        }
        !in_fragment || memchr::memmem::find(rest, self.close.as_bytes()).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_is_found_where_it_starts() {
        let dialects = TemplateDialects::default();
        for (text, at) in [
            ("a/{{ x }}", Some(2)),
            ("{{ url(", Some(0)),
            ("a/{% if x %}", Some(2)),
            ("{$base}/a", Some(0)),
            ("<%= x %>", Some(0)),
            ("/<?php echo $x[", Some(1)),
            ("<!--#echo var=", Some(0)),
            ("<!--#echo var='x' -->/a", Some(0)),
            ("<tmpl_var NAME=x>/a", Some(0)),
            ("[% root %]/a", Some(0)),
            ("a?${x}", Some(2)),
            ("$(TOP)/a", Some(0)),
            ("a#$(TOP)", Some(2)),
            ("$relpath^doxygen.css", Some(0)),
            ("$relpath$search/", Some(0)),
            ("a#{{ x }}", Some(2)),
            ("{{ x }}#{{", Some(0)),
            // No markup.
            ("", None),
            ("a{b}c", None),
            ("a$b", None),
            ("a$(b", None),
            ("$()", None),
            ("$relpath", None),
            ("%7B%7B", None),
            ("<b>", None),
            ("<!-- x -->", None),
            ("a}}", None),
            ("a[1]", None),
            ("fold.html#{{{", None),
            ("eval.html#expr-<?", None),
            ("JavaScript:f({{ x }})", None),
            ("data:image/svg+xml,<?xml version='1.0'?>", None),
        ] {
            assert_eq!(dialects.find(text), at, "{text}");
        }
    }

    #[test]
    fn every_known_dialect_starts_with_a_byte_that_is_searched() {
        for dialect in KNOWN {
            let first = dialect.open.as_bytes()[0];
            assert!(FIRST_BYTES.contains(&first), "{dialect:?}");
        }
    }

    #[test]
    fn a_command_line_adds_dialects_and_takes_the_table_away() {
        let dialects = |given: &[&str]| {
            let given: Vec<String> = given.iter().map(|text| (*text).to_owned()).collect();
            TemplateDialects::new(&given)
        };
        for (given, text, expected) in [
            (&[][..], "{{ x }}", true),
            (&["none"], "{{ x }}", false),
            (&["@@ @@"], "{{ x }}", true),
            (&["@@ @@"], "a/@@x@@", true),
            (&["@@ @@"], "a/@@x", true),
            (&["@@ @@"], "a#@@x", false),
            (&["none", "BASE/"], "base/x", true),
            (&["none", "BASE/"], "${x}", false),
        ] {
            assert_eq!(dialects(given).unwrap().is_in(text), expected, "{given:?} {text}");
        }
        assert!(dialects(&["a b c"]).is_err());
        assert!(dialects(&[" "]).is_err());
    }
}
