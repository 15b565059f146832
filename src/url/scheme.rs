//! The table of schemes, and splitting a scheme off.

/// The three classes of schemes in the documents of 1995 (RFC 1808 and its drafts, section 2.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Relativity {
    /// References are never relative to a URL of this scheme.
    Never,
    /// URLs of this scheme always follow the generic syntax.
    Always,
    /// A URL of this scheme may follow the generic syntax or not.
    DependsOnBase,
}

/// One row of the table of schemes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scheme {
    /// The name, in lower case.
    pub name: &'static str,
    /// Whether references can be relative to a URL of this scheme.
    pub relativity: Relativity,
    /// Whether the URL Standard calls the scheme special (section 3.1).
    pub special: bool,
    /// The default port of a special scheme.
    pub default_port: Option<u16>,
}

const fn scheme(name: &'static str, relativity: Relativity) -> Scheme {
    Scheme {
        name,
        relativity,
        special: false,
        default_port: None,
    }
}

const fn special(name: &'static str, default_port: Option<u16>) -> Scheme {
    Scheme {
        name,
        relativity: Relativity::Always,
        special: true,
        default_port,
    }
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
    scheme("nntp", Relativity::Always),
    scheme("gopher", Relativity::DependsOnBase),
    scheme("prospero", Relativity::DependsOnBase),
    scheme("wais", Relativity::DependsOnBase),
    scheme("mailto", Relativity::Never),
    scheme("news", Relativity::Never),
    scheme("telnet", Relativity::Never),
    scheme("about", Relativity::Never),
    scheme("blob", Relativity::Never),
    scheme("cid", Relativity::Never),
    scheme("data", Relativity::Never),
    scheme("javascript", Relativity::Never),
    scheme("mid", Relativity::Never),
    scheme("sms", Relativity::Never),
    scheme("tel", Relativity::Never),
];

/// The row of `name` (any letter case), if the table has one.
pub fn lookup(name: &str) -> Option<&'static Scheme> {
    SCHEMES
        .iter()
        .find(|row| row.name.eq_ignore_ascii_case(name))
}

/// The class of the scheme `name`. A scheme that is not in the table depends on its base.
pub fn relativity(name: &str) -> Relativity {
    lookup(name).map_or(Relativity::DependsOnBase, |row| row.relativity)
}

/// Whether the URL Standard calls the scheme `name` special.
pub fn is_special(name: &str) -> bool {
    lookup(name).is_some_and(|row| row.special)
}

/// Splits a scheme off: `(scheme, what follows the colon)`. A scheme is a letter, then letters,
/// digits, `+`, `-` and `.` (RFC 3986 section 3.1, URL Standard "scheme start state").
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
        assert_eq!(relativity("MailTo"), Relativity::Never);
        assert_eq!(relativity("gopher"), Relativity::DependsOnBase);
        assert_eq!(relativity("x-unknown"), Relativity::DependsOnBase);
        assert!(is_special("WSS") && !is_special("gopher"));
        assert_eq!(lookup("ftp").and_then(|row| row.default_port), Some(21));
    }
}
