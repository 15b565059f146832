//! The table of schemes, and splitting a scheme off.

/// One row of the table of schemes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scheme {
    /// The name of the scheme, in lower case.
    pub name: &'static str,
    /// True if references can resolve against a URL of this scheme, always or depending on the URL.
    pub hierarchical: bool,
    /// True if the URL Standard calls the scheme special (section 3.1).
    pub special: bool,
    /// The default port of a special scheme.
    pub default_port: Option<u16>,
}

const fn scheme(name: &'static str, hierarchical: bool) -> Scheme {
    Scheme { name, hierarchical, special: false, default_port: None }
}

const fn special(name: &'static str, default_port: Option<u16>) -> Scheme {
    Scheme { name, hierarchical: true, special: true, default_port }
}

/// All schemes with special rules. The rows of 1995 are draft-ietf-uri-relative-url-05,
/// section 2.3; draft 03 still had `news` and `nntp` depend on the base.
pub const SCHEMES: &[Scheme] = &[
    special("http", Some(80)),
    special("https", Some(443)),
    special("file", None),
    special("ftp", Some(21)),
    special("ws", Some(80)),
    special("wss", Some(443)),
    scheme("nntp", true),
    scheme("gopher", true),
    scheme("prospero", true),
    scheme("wais", true),
    scheme("mailto", false),
    scheme("news", false),
    scheme("telnet", false),
    scheme("about", false),
    scheme("blob", false),
    scheme("cid", false),
    scheme("data", false),
    scheme("javascript", false),
    scheme("mid", false),
    scheme("sms", false),
    scheme("tel", false),
];

/// Returns the row of the scheme `name` (in any letter case), if the table contains it.
pub fn lookup(name: &str) -> Option<&'static Scheme> {
    SCHEMES.iter().find(|row| row.name.eq_ignore_ascii_case(name))
}

/// Returns true if references can resolve against a URL of the scheme `name`. True for a scheme that is not in
/// the table.
pub fn is_hierarchical(name: &str) -> bool {
    lookup(name).is_none_or(|row| row.hierarchical)
}

/// Returns true if the URL Standard calls the scheme `name` special.
pub fn is_special(name: &str) -> bool {
    lookup(name).is_some_and(|row| row.special)
}

/// Splits `input` into its scheme and the text after the colon. A scheme is a letter, then letters, digits,
/// `+`, `-` and `.` (RFC 3986 section 3.1, URL Standard "scheme start state").
pub fn split(input: &str) -> Option<(&str, &str)> {
    split_when(input, |first| first.is_ascii_alphabetic())
}

/// As [`split`], with the grammar of the 1990s, in which a scheme may start with a digit, `+`,
/// `-` or `.` (draft-ietf-uri-relative-url-05, section 2.4.2).
pub fn split_1990s(input: &str) -> Option<(&str, &str)> {
    split_when(input, is_scheme_byte)
}

fn is_scheme_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.')
}

fn split_when(input: &str, first: impl Fn(u8) -> bool) -> Option<(&str, &str)> {
    let end = input.bytes().position(|byte| !is_scheme_byte(byte))?;
    let (name, rest) = (input.get(..end)?, input.get(end..)?.strip_prefix(':')?);
    first(name.bytes().next()?).then_some((name, rest))
}

/// Returns `url` with `http:` instead of `https:`, or the reverse. Archives do not distinguish them.
pub fn with_other_scheme(url: &str) -> Option<String> {
    Some(match url.strip_prefix("https:") {
        Some(rest) => format!("http:{rest}"),
        None => format!("https:{}", url.strip_prefix("http:")?),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schemes_are_split_as_each_grammar_says() {
        for (input, today, then) in [
            ("http:g", Some(("http", "g")), Some(("http", "g"))),
            ("1a:h", None, Some(("1a", "h"))),
            ("+:", None, Some(("+", ""))),
            (":g", None, None),
            ("g;x=1:2", None, None),
            ("a/b:c", None, None),
            ("", None, None),
        ] {
            assert_eq!(split(input), today, "{input}");
            assert_eq!(split_1990s(input), then, "{input}");
        }
    }

    #[test]
    fn names_are_looked_up_in_any_case() {
        assert!(!is_hierarchical("MailTo"));
        assert!(is_hierarchical("gopher") && is_hierarchical("x-unknown"));
        assert!(is_special("WSS") && !is_special("gopher"));
        assert_eq!(lookup("ftp").and_then(|row| row.default_port), Some(21));
    }
}
