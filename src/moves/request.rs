//! What is asked for: `OLD=NEW`, the lines of a map, patterns.

use std::ffi::OsStr;
use std::fmt;
use std::sync::Arc;

use super::pattern::{Pattern, PatternError};
use crate::site::name_bytes;

/// One kind: that something moves. Where it leads is not looked at before [`super::plan`].
#[derive(Clone, Debug)]
pub struct Request {
    pub(super) origin: RequestOrigin,
    pub(super) kind: RequestKind,
}

#[derive(Clone, Debug)]
pub(super) enum RequestKind {
    /// A file or a folder, as it was written.
    Path { old: Vec<u8>, new: Vec<u8> },
    /// Every file that matches.
    Pattern(Box<Pattern>),
}

/// Where a request came from, for messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RequestOrigin {
    /// An argument `OLD=NEW`, as it was written.
    Argument(Arc<str>),
    /// A line of a map.
    Map {
        /// The map's name.
        file: Arc<str>,
        /// The line's number, from 1.
        line: usize,
    },
    /// The value of `--regex`.
    Regex(Arc<str>),
}

impl fmt::Display for RequestOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RequestOrigin::Argument(argument) => write!(f, "argument `{argument}`"),
            RequestOrigin::Map { file, line } => write!(f, "{file} line {line}"),
            RequestOrigin::Regex(regex) => write!(f, "--regex `{regex}`"),
        }
    }
}

/// Why something cannot be read as a request.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{origin}: {kind}")]
pub struct RequestError {
    /// What cannot.
    pub origin: RequestOrigin,
    /// Why.
    pub kind: RequestErrorKind,
}

/// What is wrong with a request's form.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RequestErrorKind {
    /// Nothing separates old and new.
    #[error("has no `=`; write it like old.html=new.html")]
    NoEqualsSign,
    /// What separates old and new cannot be told.
    #[error("has more than one `=`; write one that belongs to a name as `\\=`")]
    ManyEqualsSigns,
    /// A backslash that escapes nothing.
    #[error("a backslash stands before something else than `=` or `\\`; write it as `\\\\`")]
    StrayBackslash,
    /// A line of a map without a tab, or with two.
    #[error("has {0} tabs; a line is the old path, one tab, the new path")]
    Tabs(usize),
    /// Nothing stands for one of the two.
    #[error("the {0} path is empty; write the root of the site as `.`")]
    Empty(&'static str),
    /// The pattern or what comes in its place cannot be used.
    #[error(transparent)]
    Pattern(#[from] PatternError),
}

impl Request {
    /// Reads an argument `OLD=NEW`. A `=` that belongs to a name is written `\=`, a backslash `\\`.
    ///
    /// # Errors
    /// When it has not exactly one `=`, one side is empty, or a backslash escapes nothing.
    pub fn argument(argument: &OsStr) -> Result<Request, RequestError> {
        let origin = RequestOrigin::Argument(argument.to_string_lossy().into());
        match paths(&name_bytes(argument)) {
            Ok((old, new)) => Ok(Request {
                origin,
                kind: RequestKind::Path { old, new },
            }),
            Err(kind) => Err(RequestError { origin, kind }),
        }
    }

    /// Reads a value of `--regex`, `PATTERN=REPLACEMENT`. A `=` in either is written `\=`; the
    /// replacement's backslashes are doubled, `$1` and `${name}` stand in it for groups of the
    /// pattern, `$$` for a dollar sign.
    ///
    /// # Errors
    /// When it has not exactly one `=`, the pattern is no regular expression, or the replacement
    /// names a group that the pattern has not.
    pub fn regex(value: &str) -> Result<Request, RequestError> {
        let origin = RequestOrigin::Regex(value.into());
        match pattern(value) {
            Ok(pattern) => Ok(Request {
                origin,
                kind: RequestKind::Pattern(Box::new(pattern)),
            }),
            Err(kind) => Err(RequestError { origin, kind }),
        }
    }

    /// Reads the content of a map: a line is the old path, a tab and the new path, bytes as they
    /// are. Empty lines and lines that begin with `#` are skipped; a name that does is written
    /// `./#name`. Lines may end with CR LF. `file` is the map's name, for messages.
    ///
    /// # Errors
    /// All lines that are something else.
    pub fn map(file: &str, content: &[u8]) -> Result<Vec<Request>, Vec<RequestError>> {
        let file: Arc<str> = file.into();
        let content = content.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(content);
        let mut requests = Vec::new();
        let mut errors = Vec::new();
        for (number, line) in content.split(|&b| b == b'\n').enumerate() {
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            if line.starts_with(b"#") || line.trim_ascii().is_empty() {
                continue;
            }
            let origin = RequestOrigin::Map {
                file: Arc::clone(&file),
                line: number + 1,
            };
            match columns(line) {
                Ok((old, new)) => requests.push(Request {
                    origin,
                    kind: RequestKind::Path { old, new },
                }),
                Err(kind) => errors.push(RequestError { origin, kind }),
            }
        }
        if errors.is_empty() {
            Ok(requests)
        } else {
            Err(errors)
        }
    }

    /// Where it came from.
    pub fn origin(&self) -> &RequestOrigin {
        &self.origin
    }
}

type Paths = (Vec<u8>, Vec<u8>);

fn paths(argument: &[u8]) -> Result<Paths, RequestErrorKind> {
    let (old, new) = split(argument)?;
    both(unescape(old)?, unescape(new)?)
}

fn columns(line: &[u8]) -> Result<Paths, RequestErrorKind> {
    let mut columns = line.split(|&b| b == b'\t');
    match (columns.next(), columns.next(), columns.count()) {
        (Some(old), Some(new), 0) => both(old.to_vec(), new.to_vec()),
        (_, None, _) => Err(RequestErrorKind::Tabs(0)),
        (.., more) => Err(RequestErrorKind::Tabs(more + 1)),
    }
}

fn both(old: Vec<u8>, new: Vec<u8>) -> Result<Paths, RequestErrorKind> {
    match (old.is_empty(), new.is_empty()) {
        (true, _) => Err(RequestErrorKind::Empty("old")),
        (_, true) => Err(RequestErrorKind::Empty("new")),
        _ => Ok((old, new)),
    }
}

fn pattern(value: &str) -> Result<Pattern, RequestErrorKind> {
    let (pattern, replacement) = split(value.as_bytes())?;
    let (pattern, replacement) = both(pattern.to_vec(), unescape(replacement)?)?;
    // Cut at ASCII characters, both are UTF-8 still.
    let pattern = String::from_utf8_lossy(&pattern);
    Ok(Pattern::new(&pattern, &replacement)?)
}

/// What stands before and behind the one `=` that no backslash escapes.
fn split(argument: &[u8]) -> Result<(&[u8], &[u8]), RequestErrorKind> {
    let mut is_escaped = false;
    let mut sign = None;
    for (at, &b) in argument.iter().enumerate() {
        if b == b'=' && !is_escaped && sign.replace(at).is_some() {
            return Err(RequestErrorKind::ManyEqualsSigns);
        }
        is_escaped = b == b'\\' && !is_escaped;
    }
    let (old, new) = sign
        .and_then(|at| argument.split_at_checked(at))
        .ok_or(RequestErrorKind::NoEqualsSign)?;
    Ok((old, new.strip_prefix(b"=").unwrap_or(new)))
}

fn unescape(name: &[u8]) -> Result<Vec<u8>, RequestErrorKind> {
    let mut plain = Vec::with_capacity(name.len());
    let mut bytes = name.iter();
    while let Some(&b) = bytes.next() {
        plain.push(match b {
            b'\\' => match bytes.next() {
                Some(&escaped @ (b'=' | b'\\')) => escaped,
                _ => return Err(RequestErrorKind::StrayBackslash),
            },
            b => b,
        });
    }
    Ok(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wish(request: &Request) -> (&[u8], &[u8]) {
        match &request.kind {
            RequestKind::Path { old, new } => (old, new),
            RequestKind::Pattern(_) => panic!("{request:?}"),
        }
    }

    #[test]
    fn arguments() {
        for (argument, old, new) in [
            ("a=b", "a", "b"),
            (r"a\=b=c", "a=b", "c"),
            (r"a=b\=c\\", "a", r"b=c\"),
            (r"a\\=b", r"a\", "b"),
            ("a b=c\td", "a b", "c\td"),
        ] {
            let request = Request::argument(OsStr::new(argument)).unwrap();
            assert_eq!(wish(&request), (old.as_bytes(), new.as_bytes()));
        }
        for (argument, problem) in [
            ("a", "has no `=`; write it like old.html=new.html"),
            (r"a\=b", "has no `=`; write it like old.html=new.html"),
            (
                "a=b=c",
                r"has more than one `=`; write one that belongs to a name as `\=`",
            ),
            (
                r"a\b=c",
                r"a backslash stands before something else than `=` or `\`; write it as `\\`",
            ),
            (
                r"a=c\",
                r"a backslash stands before something else than `=` or `\`; write it as `\\`",
            ),
            (
                "=b",
                "the old path is empty; write the root of the site as `.`",
            ),
            (
                "a=",
                "the new path is empty; write the root of the site as `.`",
            ),
        ] {
            let error = Request::argument(OsStr::new(argument)).unwrap_err();
            assert_eq!(
                error.to_string(),
                format!("argument `{argument}`: {problem}")
            );
        }
    }

    #[test]
    fn maps() {
        let content = b"\xEF\xBB\xBF# old\tnew\r\na=1\tb\\2\r\n\r\n  \n./#x\t c \n\xFC\t\xFF";
        let requests = Request::map("map.tsv", content).unwrap();
        let wishes: Vec<_> = requests.iter().map(wish).collect();
        let expected: [(&[u8], &[u8]); 3] =
            [(b"a=1", b"b\\2"), (b"./#x", b" c "), (b"\xFC", b"\xFF")];
        assert_eq!(wishes, expected);
        assert_eq!(requests[1].origin().to_string(), "map.tsv line 5");

        let errors = Request::map("map.tsv", b"a\tb\nc d\n\nx\ty\tz\n\tn\no\t").unwrap_err();
        let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
        assert_eq!(
            errors,
            [
                "map.tsv line 2: has 0 tabs; a line is the old path, one tab, the new path",
                "map.tsv line 4: has 2 tabs; a line is the old path, one tab, the new path",
                "map.tsv line 5: the old path is empty; write the root of the site as `.`",
                "map.tsv line 6: the new path is empty; write the root of the site as `.`",
            ]
        );
        assert!(Request::map("empty", b"").unwrap().is_empty());
    }

    #[test]
    fn regexes() {
        let error = Request::regex("a(=b").unwrap_err().to_string();
        assert!(error.starts_with("--regex `a(=b`: "), "{error}");
        assert!(error.contains("    a(\n     ^\n"), "{error}");
        for (value, problem) in [
            ("a", "has no `=`; write it like old.html=new.html"),
            (
                "(a)=$2",
                "`$2` names no group of the pattern; a dollar sign is written `$$`",
            ),
            (
                r"(a)=\d",
                r"a backslash stands before something else than `=` or `\`; write it as `\\`",
            ),
        ] {
            let error = Request::regex(value).unwrap_err();
            assert_eq!(error.to_string(), format!("--regex `{value}`: {problem}"));
        }
    }
}
