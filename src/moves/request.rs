//! Requests for moves: `OLD=NEW`, lines of a map, patterns.

use std::ffi::OsStr;
use std::fmt;
use std::sync::Arc;

use super::pattern::{Pattern, PatternError};
use rehref_site::name_bytes;

/// A request to move something. [`super::plan()`] decides whether the move is possible.
#[derive(Clone, Debug)]
pub struct Request {
    pub(super) origin: RequestOrigin,
    pub(super) kind: RequestKind,
}

#[derive(Clone, Debug)]
pub(super) enum RequestKind {
    /// Moves a file or a folder. Both paths are as the user wrote them.
    Path { old: Vec<u8>, new: Vec<u8> },
    /// Moves every file that matches.
    Pattern(Box<Pattern>),
}

/// The place where the user wrote a request, for messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RequestOrigin {
    /// An argument `OLD=NEW`.
    Argument(Arc<str>),
    /// A line of a map.
    Map {
        /// The file of the map.
        file: Arc<str>,
        /// The number of the line, from 1.
        line: usize,
    },
    /// The value of `--regex`.
    Regex(Arc<str>),
}

impl fmt::Display for RequestOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RequestOrigin::Argument(argument) => write!(f, "argument `{argument}`"),
            RequestOrigin::Map { file, line } => write!(f, "{file}:{line}"),
            RequestOrigin::Regex(regex) => write!(f, "--regex `{regex}`"),
        }
    }
}

/// A request with the wrong syntax.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{origin}: {kind}")]
pub struct RequestError {
    /// Where the user wrote the request.
    pub origin: RequestOrigin,
    /// The mistake.
    pub kind: RequestErrorKind,
}

/// A mistake in the syntax of a request.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RequestErrorKind {
    /// No `=` separates the old and the new path.
    #[error("has no `=`; write a move as OLD=NEW, like old.html=new.html")]
    NoEqualsSign,
    /// No `=` separates the pattern and its replacement.
    #[error(
        "has no `=`; write the pattern and the new path as one argument, like 'old/(.*)=new/$1'"
    )]
    NoReplacement,
    /// More than one `=` could separate the old and the new path.
    #[error(
        "has more than one `=`; write every `=` in OLD and in NEW as `\\=`, and `=` only between them"
    )]
    ManyEqualsSigns,
    /// A backslash precedes neither `=` nor a backslash.
    #[error(
        "a backslash is valid only before `=` or a second backslash; write `/` between directories"
    )]
    StrayBackslash,
    /// A backslash in a replacement precedes neither `=` nor a backslash.
    #[error(
        "a backslash in NEW is valid only before `=` or a second backslash; write a group as $1"
    )]
    BackslashInReplacement,
    /// A line of a map has this number of tabs, not one.
    #[error("has {0} tabs instead of one; write the old path, one tab and the new path")]
    Tabs(usize),
    /// The old or the new path, as named here, is empty.
    #[error("the {0} path is empty; give a path relative to SITE")]
    Empty(&'static str),
    /// The old path is empty. Holds the new one.
    #[error("the old path is empty; to move all files of the site, use --regex '(.*)={0}/$1'")]
    EmptyOld(String),
    /// A map is not in UTF-8.
    #[error("the file is in UTF-16; write it in UTF-8 (in PowerShell: Out-File -Encoding utf8)")]
    Utf16,
    /// The new path is empty. Holds the old one.
    #[error(
        "the new path is empty; to move the files of a directory to the root, use --regex '{0}/(.*)=$1'"
    )]
    EmptyNew(String),
    /// A pattern looks at the text around a match.
    #[error(
        "look-ahead and look-behind are not supported; match the text itself, and write it as a group, like $1"
    )]
    LookAround,
    /// The new path begins or ends as no path does that people mean.
    #[error(
        "the new path `{new}` begins or ends with `{slip}`; write {meant}; if you mean `{new}`, write the move to a \
         file for --map"
    )]
    Slip {
        /// The new path.
        new: String,
        /// Its first or last character.
        slip: char,
        /// The argument that is probably meant.
        meant: String,
    },
    /// The new path has a fragment, and the old one has none.
    #[error(
        "the new path `{0}` has a #, and the old path has none; to rename an anchor, write page.html#old=page.html#new; to \
         move a file, omit the #; if the # is a part of the name, write the move to a file for --map"
    )]
    Fragment(String),
    /// The new path is a URL.
    #[error(
        "the new path `{0}` is a URL, but paths are relative to SITE; to move the site to another URL, add \
         --new-url"
    )]
    Url(String),
    /// The pattern or its replacement is malformed.
    #[error(transparent)]
    Pattern(#[from] PatternError),
}

impl Request {
    fn new(
        origin: RequestOrigin,
        kind: Result<RequestKind, RequestErrorKind>,
    ) -> Result<Request, RequestError> {
        match kind {
            Ok(kind) => Ok(Request { origin, kind }),
            Err(kind) => Err(RequestError { origin, kind }),
        }
    }

    /// Parses an argument `OLD=NEW`. In a name, `=` is written `\=` and a backslash `\\`. On Windows, every other
    /// backslash is a slash.
    ///
    /// # Errors
    /// When there is not exactly one `=`, a path is empty, or a backslash escapes neither of the
    /// two.
    pub fn argument(argument: &OsStr) -> Result<Request, RequestError> {
        let origin = RequestOrigin::Argument(argument.to_string_lossy().into());
        let kind = paths(&name_bytes(argument), cfg!(windows)).and_then(|kind| match slip(&kind) {
            Some(slip) => Err(slip),
            None => Ok(kind),
        });
        Request::new(origin, kind)
    }

    /// Whether the pattern has groups, and its replacement uses none, as where a shell replaces `$1` in double
    /// quotes.
    pub fn drops_groups(&self) -> bool {
        match &self.kind {
            RequestKind::Pattern(pattern) => pattern.drops_groups(),
            RequestKind::Path { .. } => false,
        }
    }

    /// Parses a value of `--regex`, `PATTERN=REPLACEMENT`. In both, `=` is written `\=`. In the
    /// replacement, a backslash is written `\\`, a dollar sign `$$`, and a group of the pattern
    /// `$1` or `${name}`.
    ///
    /// # Errors
    /// When there is not exactly one `=`, the pattern is not a regular expression, or the
    /// replacement refers to a group that the pattern does not have.
    pub fn regex(value: &str) -> Result<Request, RequestError> {
        let origin = RequestOrigin::Regex(value.into());
        Request::new(origin, pattern(value))
    }

    /// Parses the content of a map: each line has the old path, a tab and the new path, without
    /// escapes. Skips empty lines and lines that begin with `#`; a name that begins so is written
    /// `./#name`. Lines may end with CR LF. `file` is the map's name, for messages.
    ///
    /// # Errors
    /// Lists all lines that are malformed.
    pub fn map(file: &str, content: &[u8]) -> Result<Vec<Request>, Vec<RequestError>> {
        let file: Arc<str> = file.into();
        let content = content.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(content);
        let mut requests = Vec::new();
        let mut errors = Vec::new();
        if content.starts_with(b"\xFF\xFE") || content.starts_with(b"\xFE\xFF") {
            let origin = RequestOrigin::Map { file, line: 1 };
            let kind = RequestErrorKind::Utf16;
            return Err(vec![RequestError { origin, kind }]);
        }
        for (number, line) in content.split(|&b| b == b'\n').enumerate() {
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            if line.starts_with(b"#") || line.trim_ascii().is_empty() {
                continue;
            }
            let origin = RequestOrigin::Map { file: Arc::clone(&file), line: number + 1 };
            match Request::new(origin, columns(line)) {
                Ok(request) => requests.push(request),
                Err(error) => errors.push(error),
            }
        }
        if errors.is_empty() { Ok(requests) } else { Err(errors) }
    }
}

fn paths(argument: &[u8], is_windows: bool) -> Result<RequestKind, RequestErrorKind> {
    let (old, new) = match split(argument) {
        // `news\=blog\`: a shell of Windows completes the name of a directory so.
        Err(RequestErrorKind::NoEqualsSign) if is_windows => {
            let mut signs = memchr::memchr_iter(b'=', argument);
            let only = signs.next().filter(|_| signs.next().is_none());
            let (old, new) = only
                .and_then(|sign| argument.split_at_checked(sign))
                .ok_or(RequestErrorKind::NoEqualsSign)?;
            (old, new.strip_prefix(b"=").unwrap_or(new))
        }
        split => split?,
    };
    let name = |written: &[u8]| {
        if is_windows { unescape(&with_slashes(written)) } else { unescape(written) }
    };
    both(name(old)?, name(new)?)
}

/// A name as it is written on Windows, with `/` for each backslash that escapes nothing.
fn with_slashes(name: &[u8]) -> Vec<u8> {
    let mut slashed = Vec::with_capacity(name.len());
    let mut rest = name;
    while let Some((&b, after)) = rest.split_first() {
        rest = after;
        match (b, after.split_first()) {
            (b'\\', Some((&escaped @ (b'=' | b'\\'), after))) => {
                rest = after;
                slashed.extend_from_slice(&[b, escaped]);
            }
            (b'\\', _) => slashed.push(b'/'),
            _ => slashed.push(b),
        }
    }
    slashed
}

fn columns(line: &[u8]) -> Result<RequestKind, RequestErrorKind> {
    let columns: Vec<&[u8]> = line.split(|&b| b == b'\t').collect();
    match columns.as_slice() {
        [old, new] => both(old.to_vec(), new.to_vec()),
        columns => Err(RequestErrorKind::Tabs(columns.len() - 1)),
    }
}

fn both(old: Vec<u8>, new: Vec<u8>) -> Result<RequestKind, RequestErrorKind> {
    if old.is_empty() {
        let new = String::from_utf8_lossy(&new);
        let new = new.trim_end_matches('/');
        return Err(match new {
            "" => RequestErrorKind::Empty("old"),
            new => RequestErrorKind::EmptyOld(new.to_owned()),
        });
    }
    if new.is_empty() {
        let old = String::from_utf8_lossy(&old);
        return Err(RequestErrorKind::EmptyNew(old.trim_end_matches('/').to_owned()));
    }
    Ok(RequestKind::Path { old, new })
}

fn pattern(value: &str) -> Result<RequestKind, RequestErrorKind> {
    let around = ["(?=", "(?!", "(?<=", "(?<!", r"(?\=", r"(?<\="];
    if around.iter().any(|it| value.contains(it)) {
        return Err(RequestErrorKind::LookAround);
    }
    let (pattern, replacement) = split(value.as_bytes()).map_err(|error| match error {
        RequestErrorKind::NoEqualsSign => RequestErrorKind::NoReplacement,
        error => error,
    })?;
    let replacement = unescape(replacement).map_err(|error| match error {
        RequestErrorKind::StrayBackslash => RequestErrorKind::BackslashInReplacement,
        error => error,
    })?;
    for (text, name) in [(pattern, "old"), (&*replacement, "new")] {
        if text.is_empty() {
            return Err(RequestErrorKind::Empty(name));
        }
    }
    if let Some(new) = std::str::from_utf8(&replacement).ok().filter(|it| is_url(it)) {
        return Err(RequestErrorKind::Url(new.to_owned()));
    }
    // Both parts of UTF-8 text cut at an ASCII character are UTF-8.
    let pattern = Pattern::new(&String::from_utf8_lossy(pattern), &replacement)?;
    Ok(RequestKind::Pattern(Box::new(pattern)))
}

/// The parts before and after the only `=` that no backslash escapes.
fn split(argument: &[u8]) -> Result<(&[u8], &[u8]), RequestErrorKind> {
    let mut is_escaped = false;
    let mut sign = None;
    for (at, &b) in argument.iter().enumerate() {
        if b == b'=' && !is_escaped && sign.replace(at).is_some() {
            return Err(RequestErrorKind::ManyEqualsSigns);
        }
        is_escaped = b == b'\\' && !is_escaped;
    }
    let (old, new) =
        sign.and_then(|at| argument.split_at_checked(at)).ok_or(RequestErrorKind::NoEqualsSign)?;
    Ok((old, new.strip_prefix(b"=").unwrap_or(new)))
}

fn unescape(name: &[u8]) -> Result<Vec<u8>, RequestErrorKind> {
    let mut unescaped = Vec::with_capacity(name.len());
    let mut bytes = name.iter();
    while let Some(&b) = bytes.next() {
        unescaped.push(match b {
            b'\\' => match bytes.next() {
                Some(&escaped @ (b'=' | b'\\')) => escaped,
                _ => return Err(RequestErrorKind::StrayBackslash),
            },
            b => b,
        });
    }
    Ok(unescaped)
}

fn is_url(path: &str) -> bool {
    path.starts_with("http://") || path.starts_with("https://")
}

/// The mistake in a new path that was mistyped: `old=>new`, `old="new"`, `old=new,`.
fn slip(kind: &RequestKind) -> Option<RequestErrorKind> {
    let RequestKind::Path { old, new } = kind else {
        return None;
    };
    let old = String::from_utf8_lossy(old);
    let new = String::from_utf8_lossy(new);
    if new.contains('#') && !old.contains('#') {
        return Some(RequestErrorKind::Fragment(new.into_owned()));
    }
    if is_url(&new) {
        return Some(RequestErrorKind::Url(new.into_owned()));
    }
    let begins = |c: &char| matches!(c, '>' | '=' | ' ' | '"' | '\'' | '`');
    let ends = |c: &char| matches!(c, ',' | ';' | ' ' | '"' | '\'' | '`');
    let first = new.chars().next().filter(begins);
    let slip = first.or_else(|| new.chars().next_back().filter(ends));
    let is_slip = |c: char| begins(&c) || ends(&c);
    let meant = format!("{}={}", old.trim_matches(is_slip), new.trim_matches(is_slip));
    slip.map(|slip| RequestErrorKind::Slip { new: new.into_owned(), slip, meant })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request_paths(request: &Request) -> (&[u8], &[u8]) {
        match &request.kind {
            RequestKind::Path { old, new } => (old, new),
            RequestKind::Pattern(_) => panic!("{request:?}"),
        }
    }

    #[test]
    fn an_argument_has_two_paths_around_one_equals_sign() {
        for (argument, old, new) in [
            ("a=b", "a", "b"),
            (r"a\=b=c", "a=b", "c"),
            (r"a=b\=c\\", "a", r"b=c\"),
            (r"a\\=b", r"a\", "b"),
            ("a b=c\td", "a b", "c\td"),
        ] {
            let request = Request::argument(OsStr::new(argument)).unwrap();
            assert_eq!(request_paths(&request), (old.as_bytes(), new.as_bytes()));
        }
        for (argument, problem) in [
            ("a", "has no `=`; write a move as OLD=NEW, like old.html=new.html"),
            (r"a\=b", "has no `=`; write a move as OLD=NEW, like old.html=new.html"),
            (
                "a=b=c",
                r"has more than one `=`; write every `=` in OLD and in NEW as `\=`, and `=` only between them",
            ),
            (
                r"a\b=c",
                r"a backslash is valid only before `=` or a second backslash; write `/` between directories",
            ),
            (
                r"a=c\",
                r"a backslash is valid only before `=` or a second backslash; write `/` between directories",
            ),
            (
                "a=>b",
                "the new path `>b` begins or ends with `>`; write a=b; if you mean `>b`, write the move to a file for --map",
            ),
            (
                "a=b,",
                "the new path `b,` begins or ends with `,`; write a=b; if you mean `b,`, write the move to a file for --map",
            ),
            ("=b", "the old path is empty; to move all files of the site, use --regex '(.*)=b/$1'"),
            (
                "a/=",
                "the new path is empty; to move the files of a directory to the root, use --regex 'a/(.*)=$1'",
            ),
        ] {
            // On Windows, a backslash can separate names.
            if cfg!(windows) && argument.contains('\\') {
                continue;
            }
            let error = Request::argument(OsStr::new(argument)).unwrap_err();
            assert_eq!(error.to_string(), format!("argument `{argument}`: {problem}"));
        }
    }

    #[test]
    fn a_backslash_separates_names_on_windows() {
        for (argument, old, new) in [
            (r"news\a.html=blog\b.html", "news/a.html", "blog/b.html"),
            (r"news\=blog\", "news/", "blog/"),
            (r"news\=blog", "news/", "blog"),
            (r"news=blog\", "news", "blog/"),
            (r"a\=b=c", "a=b", "c"),
            (r"a\\b=c", r"a\b", "c"),
            ("a/b=c", "a/b", "c"),
        ] {
            let kind = paths(argument.as_bytes(), true).unwrap();
            let RequestKind::Path { old: o, new: n } = &kind else {
                panic!("{kind:?}");
            };
            assert_eq!((&**o, &**n), (old.as_bytes(), new.as_bytes()), "{argument}");
        }
        for argument in [r"a\b", r"a\=b\=c", "a"] {
            let error = paths(argument.as_bytes(), true).unwrap_err();
            assert_eq!(error, RequestErrorKind::NoEqualsSign, "{argument}");
        }
    }

    #[test]
    fn a_map_has_two_paths_around_one_tab_on_each_line() {
        let content = b"\xEF\xBB\xBF# old\tnew\r\na=1\tb\\2\r\n\r\n  \n./#x\t c \n\xFC\t\xFF";
        let requests = Request::map("map.tsv", content).unwrap();
        let paths: Vec<_> = requests.iter().map(request_paths).collect();
        let expected: [(&[u8], &[u8]); 3] =
            [(b"a=1", b"b\\2"), (b"./#x", b" c "), (b"\xFC", b"\xFF")];
        assert_eq!(paths, expected);
        assert_eq!(requests[1].origin.to_string(), "map.tsv:5");

        let errors = Request::map("map.tsv", b"a\tb\nc d\n\nx\ty\tz\n\tn\no\t").unwrap_err();
        let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
        assert_eq!(
            errors,
            [
                "map.tsv:2: has 0 tabs instead of one; write the old path, one tab and the new path",
                "map.tsv:4: has 2 tabs instead of one; write the old path, one tab and the new path",
                "map.tsv:5: the old path is empty; to move all files of the site, use --regex '(.*)=n/$1'",
                "map.tsv:6: the new path is empty; to move the files of a directory to the root, use --regex 'o/(.*)=$1'",
            ]
        );
        assert!(Request::map("empty", b"").unwrap().is_empty());
    }

    #[test]
    fn an_error_of_a_pattern_names_the_option() {
        let error = Request::regex("a(=b").unwrap_err().to_string();
        assert!(error.starts_with("--regex `a(=b`: "), "{error}");
        assert!(
            error.ends_with("not a regular expression: unclosed group, at character 2"),
            "{error}"
        );
        for (value, problem) in [
            (
                "a",
                "has no `=`; write the pattern and the new path as one argument, like 'old/(.*)=new/$1'",
            ),
            ("(a)=$2", "the pattern has no group `$2`; write a dollar sign as `$$`"),
            (
                r"(a)=\d",
                r"a backslash in NEW is valid only before `=` or a second backslash; write a group as $1",
            ),
        ] {
            let error = Request::regex(value).unwrap_err();
            assert_eq!(error.to_string(), format!("--regex `{value}`: {problem}"));
        }
    }
}
