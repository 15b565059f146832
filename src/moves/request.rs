//! Requests for moves: `OLD=NEW`, lines of a map, patterns.

use std::cell::LazyCell;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::error::{MoveError, RequestOrigin};
use super::name::RequestPath;
use super::pattern::Pattern;
use rehref_site::{joined, name_bytes, path_bytes};

/// A request to move a file, a directory, an anchor or all files that match a pattern. [`super::plan()`]
/// decides whether the move is possible.
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

impl Request {
    fn new(origin: RequestOrigin, kind: Result<RequestKind, String>) -> Result<Request, MoveError> {
        match kind {
            Ok(kind) => Ok(Request { origin, kind }),
            Err(problem) => Err(MoveError { origin, problem: problem.into() }),
        }
    }

    /// Parses an argument `OLD=NEW`. In a name, `=` is written `\=` and a backslash `\\`. On Windows, every other
    /// backslash is a slash.
    ///
    /// # Errors
    /// Returns an error if there is not exactly one `=`, a path is empty, or a backslash escapes neither of the two.
    pub fn argument(argument: &OsStr) -> Result<Request, MoveError> {
        let origin = RequestOrigin::Argument(argument.to_string_lossy().into());
        let kind = paths(&name_bytes(argument), cfg!(windows));
        Request::new(origin, kind.and_then(|kind| slip(&kind).map_or(Ok(kind), Err)))
    }

    /// Returns the request for the reverse move, if it describes the same move, which the user has already
    /// made. Returns `None` for a pattern and for an anchor. `exists` returns true for paths that exist after
    /// the move.
    pub fn back(&self, exists: impl Fn(&Path) -> bool) -> Option<Request> {
        let RequestKind::Path { old, new } = &self.kind else { return None };
        if old.contains(&b'#') && new.contains(&b'#') {
            return None;
        }
        let (source, target) = (RequestPath::parse(old).ok()?, RequestPath::parse(new).ok()?);
        let name = source.path.file_name()?;
        let inside = joined(&target.path, name);
        let now = if target.is_folder && exists(&inside) { inside } else { target.path };
        let kind = RequestKind::Path { old: path_bytes(&now), new: path_bytes(&source.path) };
        Some(Request { origin: self.origin.clone(), kind })
    }

    /// Returns true for the move of all files that match a pattern.
    pub fn is_pattern(&self) -> bool {
        matches!(self.kind, RequestKind::Pattern(_))
    }

    /// Returns the old and the new path; `None` for a pattern, and if one of the two is not a path in the site.
    pub fn paths(&self) -> Option<(PathBuf, PathBuf)> {
        let RequestKind::Path { old, new } = &self.kind else { return None };
        Some((RequestPath::parse(old).ok()?.path, RequestPath::parse(new).ok()?.path))
    }

    /// Creates the request for a file that git reports as renamed.
    pub fn renamed(old: &[u8], new: &[u8]) -> Request {
        let origin =
            RequestOrigin::Argument(String::from_utf8_lossy(&[old, b"=", new].concat()).into());
        Request { origin, kind: RequestKind::Path { old: old.to_vec(), new: new.to_vec() } }
    }

    /// Returns true if the pattern has groups, but its replacement uses none: a shell may have replaced `$1` in
    /// double quotes.
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
    /// Returns an error if there is not exactly one `=`, the pattern is not a regular expression, or the replacement
    /// refers to a group that the pattern does not have.
    pub fn regex(value: &str) -> Result<Request, MoveError> {
        let origin = RequestOrigin::Regex(value.into());
        Request::new(origin, pattern(value))
    }

    /// Parses the content of a map: each line has the old path, a tab and the new path, without
    /// escapes. Skips empty lines and lines that begin with `#`; a name that begins so is written
    /// `./#name`. Lines may end with CR LF. `file` is the map's name, for messages.
    ///
    /// # Errors
    /// Lists all lines that are malformed.
    pub fn map(file: &str, content: &[u8]) -> Result<Vec<Request>, Vec<MoveError>> {
        let file: Arc<str> = file.into();
        let content = content.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(content);
        let conversion = LazyCell::new(|| conversion(&file, content));
        let mut requests = Vec::new();
        let mut errors = Vec::new();
        let begins = |it: &[u8]| content.starts_with(it);
        let problem = match () {
            // The packed files of spreadsheets.
            () if begins(b"PK\x03\x04") => Some(
                "not a text file\nhelp: save the table as text with tabs, and pass that file"
                    .to_owned(),
            ),
            () if begins(b"\xFF\xFE") || begins(b"\xFE\xFF") => Some(format!(
                "the file is in UTF-16\nhelp: write it in UTF-8: iconv -f UTF-16 -t UTF-8 '{file}' > moves.tsv (in PowerShell: Get-Content FILE | Out-File -Encoding utf8 moves.tsv)"
            )),
            () => None,
        };
        if let Some(problem) = problem {
            let origin = RequestOrigin::Map { file, line: 1 };
            return Err(vec![MoveError { origin, problem: problem.into() }]);
        }
        for (number, line) in content.split(|&b| b == b'\n').enumerate() {
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            if line.starts_with(b"#") || line.trim_ascii().is_empty() {
                continue;
            }
            let origin = RequestOrigin::Map { file: Arc::clone(&file), line: number + 1 };
            match Request::new(origin, columns(line, &conversion)) {
                Ok(request) => requests.push(request),
                Err(error) => errors.push(error),
            }
        }
        if errors.is_empty() { Ok(requests) } else { Err(errors) }
    }
}

fn paths(argument: &[u8], is_windows: bool) -> Result<RequestKind, String> {
    let (old, new) = match split(argument)? {
        Some(parts) => parts,
        // `news\=blog\`: a shell of Windows completes the name of a directory so.
        None => {
            let mut signs = memchr::memchr_iter(b'=', argument).filter(|_| is_windows);
            let only = signs.next().filter(|_| signs.next().is_none());
            let parts = only.and_then(|sign| parts_at(argument, sign));
            parts.ok_or(
                "has no `=`\nhelp: write a move as OLD=NEW in one argument, like old.html=new.html or 'an old.html=new.html'\nhelp: --map FILE reads moves from a file",
            )?
        }
    };
    // A bracket before a sign for any text.
    let is_pattern = memchr::memmem::find(argument, b"(").is_some()
        && [b".*", b".+", b"$1"].iter().any(|it| memchr::memmem::find(argument, *it).is_some());
    if is_pattern {
        return Err(
            "this is a pattern\nhelp: to move files by pattern, write --regex 'PATTERN=NEW', like --regex 'old/(.*)=new/$1'".to_owned(),
        );
    }
    let name = |written: &[u8]| {
        let name = if is_windows { unescape(&with_slashes(written)) } else { unescape(written) };
        name.ok_or("a backslash is valid only before `=` or a second backslash\nhelp: write `/` between directories")
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

/// The marks between columns of other tables than maps; a name may have a space.
const MARKS: [char; 3] = [',', ';', ' '];

/// Returns the command that makes a map of the table `content` of the file at `path`: with tabs, and with paths in place of
/// URLs.
fn conversion(path: &str, content: &[u8]) -> String {
    let text = String::from_utf8_lossy(content);
    let mut lines = text.lines().filter(|it| !it.trim().is_empty());
    let first = lines.next().unwrap_or_default();
    let mark = MARKS.into_iter().find(|it| !text.contains('\t') && first.contains(*it));
    // The old one, and perhaps the new one.
    let mut roots: Vec<&str> =
        text.split(['\t', ',', ';', ' ', '\n']).filter_map(root_of_url).take(2).collect();
    roots.dedup();
    let mut edits: Vec<String> = roots.iter().map(|root| format!("s#{root}##g")).collect();
    edits.extend(text.contains('"').then(|| "s#\"##g".to_owned()));
    edits.extend(text.contains('\\').then(|| "s#\\\\#/#g".to_owned()));
    let out = if path.ends_with("moves.tsv") { "moves-2.tsv" } else { "moves.tsv" };
    let edit = format!("sed '{}' '{path}'", edits.join("; "));
    // Not every sed knows tabs.
    let has_spaces = mark == Some(' ') && (first.contains("  ") || first.split(' ').count() > 2);
    match mark {
        Some(_) if has_spaces => format!("awk -v OFS='\\t' '{{print $1, $2}}' '{path}' > {out}"),
        Some(mark) if edits.is_empty() => format!("tr '{mark}' '\\t' < '{path}' > {out}"),
        Some(mark) => format!("{edit} | tr '{mark}' '\\t' > {out}"),
        None => format!("{edit} > {out}"),
    }
}

/// `conversion`: the command that makes a map of the table.
fn columns(
    line: &[u8],
    conversion: &LazyCell<String, impl FnOnce() -> String>,
) -> Result<RequestKind, String> {
    let columns: Vec<&[u8]> = line.split(|&b| b == b'\t').collect();
    match columns.as_slice() {
        [old, _] if root_of_url(&String::from_utf8_lossy(old)).is_some() => Err(format!(
            "the old path is a URL, but moves are by path, relative to the site\nhelp: to remove the URL of the site from all lines: {}\nhelp: if the pages have moved already, `rehref compare OLD NEW --url URL --write-redirects FORMAT=FILE` writes redirects",
            **conversion
        )),
        [old, new] if !cfg!(windows) && (old.contains(&b'\\') || new.contains(&b'\\')) => Err(
            format!("a path has a backslash\nhelp: write / between directories: {}", **conversion),
        ),
        [old, new] if [old, new].iter().any(|it| it.starts_with(b"\"") && it.ends_with(b"\"")) => {
            Err(format!("the cells are quoted\nhelp: to remove the quotes: {}", **conversion))
        }
        [old, new] => both(old.to_vec(), new.to_vec()),
        columns => {
            let mark = MARKS.into_iter().find(|it| line.contains(&(*it as u8)));
            let convert = mark
                .map_or(String::new(), |it| format!("; for a table with `{it}`: {}", **conversion));
            Err(format!(
                "has {} tabs instead of one\nhelp: write the old path, one tab and the new path{convert}",
                columns.len() - 1
            ))
        }
    }
}

fn both(old: Vec<u8>, new: Vec<u8>) -> Result<RequestKind, String> {
    let text = |path: &[u8]| String::from_utf8_lossy(path).trim_end_matches('/').to_owned();
    if old.is_empty() {
        let new = text(&new);
        return Err(if new.is_empty() {
            empty("old")
        } else {
            format!(
                "the old path is empty\nhelp: to move all files of the site, use --regex '(.*)={new}/$1'"
            )
        });
    }
    if new.is_empty() || new.starts_with(b"/dev/") || new == b"NUL" {
        let old = text(&old);
        let help = match Path::new(&old).extension() {
            Some(_) => format!(
                "to delete the file, list the links to it first: rehref links SITE --to {old}"
            ),
            None => {
                format!("to move the files of a directory to the root, use --regex '{old}/(.*)=$1'")
            }
        };
        return Err(format!(
            "the new path is {}\nhelp: pass a new name, since move deletes nothing (a shell reads `>` as a redirection)\nhelp: {help}",
            if new.is_empty() { "empty" } else { "a device" }
        ));
    }
    Ok(RequestKind::Path { old, new })
}

fn empty(name: &str) -> String {
    format!("the {name} path is empty\nhelp: pass a path relative to the site")
}

fn pattern(value: &str) -> Result<RequestKind, String> {
    let around = ["(?=", "(?!", "(?<=", "(?<!", r"(?\=", r"(?<\="];
    if around.iter().any(|it| value.contains(it)) {
        return Err("look-ahead and look-behind are not supported; match the text itself, and write it as a group, like $1"
            .to_owned());
    }
    let has_group = value.replace(r"\(", "").contains('(');
    if value.contains(r"\(") && !has_group && ["$1", r"\1"].iter().any(|it| value.contains(it)) {
        let mut ours = value.replace(r"\(", "(").replace(r"\)", ")");
        for number in 1..=9 {
            ours = ours.replace(&format!("\\{number}"), &format!("${number}"));
        }
        return Err(format!("a group has no backslashes\nhelp: write --regex '{ours}'"));
    }
    let (pattern, replacement) = split(value.as_bytes())?.ok_or(
        "has no `=`\nhelp: write the pattern and the new path as one argument, like 'old/(.*)=new/$1'",
    )?;
    let replacement = unescape(replacement).ok_or(
        "a backslash in NEW is valid only before `=` or a second backslash\nhelp: write a group as $1",
    )?;
    for (text, name) in [(pattern, "old"), (&*replacement, "new")] {
        if text.is_empty() {
            return Err(empty(name));
        }
    }
    if let Some(url) = std::str::from_utf8(&replacement).ok().and_then(url) {
        return Err(url);
    }
    // Both parts of UTF-8 text cut at an ASCII character are UTF-8.
    let pattern = String::from_utf8_lossy(pattern);
    let new = String::from_utf8_lossy(&replacement);
    let is_glob = pattern.starts_with('*') || pattern.contains("/*") || new.contains('*');
    if is_glob {
        let help = match super::error::pattern(&pattern, &new) {
            Some(pattern) => format!("write --regex '{pattern}'"),
            None => {
                "write .* for any text, in a group, like --regex '(.*)\\.html=$1.htm'".to_owned()
            }
        };
        return Err(format!("`*` is no wildcard in a regular expression\nhelp: {help}"));
    }
    let pattern = Pattern::new(&pattern, &replacement)?;
    Ok(RequestKind::Pattern(Box::new(pattern)))
}

/// The old and the new part of a request.
type Parts<'a> = (&'a [u8], &'a [u8]);

/// The parts before and after the only `=` that no backslash escapes; `None` if there is no such `=`.
fn split(argument: &[u8]) -> Result<Option<Parts<'_>>, String> {
    let mut is_escaped = false;
    let mut sign = None;
    for (at, &b) in argument.iter().enumerate() {
        if b == b'=' && !is_escaped && sign.replace(at).is_some() {
            let words = || argument.split(|it| b",; ".contains(it));
            let signs = |it: &[u8]| it.iter().filter(|b| **b == b'=').count();
            if words().count() > 1 && words().all(|it| it.is_empty() || signs(it) == 1) {
                return Err(format!(
                    "has more than one move\nhelp: pass each move as an argument: {}",
                    String::from_utf8_lossy(argument)
                        .split([',', ';', ' '])
                        .filter(|it| !it.is_empty())
                        .collect::<Vec<_>>()
                        .join(" ")
                ));
            }
            return Err(
                "has more than one `=`\nhelp: write every `=` in OLD and in NEW as `\\=`, and `=` only between them".to_owned()
            );
        }
        is_escaped = b == b'\\' && !is_escaped;
    }
    Ok(sign.and_then(|sign| parts_at(argument, sign)))
}

/// The parts of `argument` before and after the byte at `sign`.
fn parts_at(argument: &[u8], sign: usize) -> Option<Parts<'_>> {
    Some((argument.get(..sign)?, argument.get(sign + 1..)?))
}

/// `name` without its escapes; `None` if a backslash escapes neither `=` nor a backslash.
fn unescape(name: &[u8]) -> Option<Vec<u8>> {
    let mut unescaped = Vec::with_capacity(name.len());
    let mut bytes = name.iter();
    while let Some(&b) = bytes.next() {
        unescaped.push(match b {
            b'\\' => *bytes.next().filter(|escaped| matches!(escaped, b'=' | b'\\'))?,
            b => b,
        });
    }
    Some(unescaped)
}

/// The root of the host of `text`, if that is a URL.
fn root_of_url(text: &str) -> Option<&str> {
    let (scheme, rest) = text.split_once("://").filter(|(it, _)| it.starts_with("http"))?;
    let host = rest.split('/').next().unwrap_or_default();
    text.get(..(scheme.len() + 3 + host.len() + 1).min(text.len()))
}

/// The mistake of a new `path` that is a URL.
fn url(path: &str) -> Option<String> {
    let is_url = path.starts_with("http://") || path.starts_with("https://");
    is_url.then(|| {
        format!(
            "the new path `{path}` is a URL, but moves are by path, relative to the site: news=blog\nhelp: to publish the whole site at another URL: rehref move SITE --url OLD --new-url NEW --out DIR; rehref moves no single directory to another host"
        )
    })
}

/// The mistake in a new path that was mistyped: `old=>new`, `old="new"`, `old=new,`.
fn slip(kind: &RequestKind) -> Option<String> {
    let RequestKind::Path { old, new } = kind else { return None };
    let (old, new) = (String::from_utf8_lossy(old), String::from_utf8_lossy(new));
    if new.contains('#') && !old.contains('#') {
        return Some(format!(
            "the new path `{new}` has a #, and the old path has none\nhelp: to rename an anchor, write page.html#old=page.html#new\nhelp: to move a file, remove the #\nhelp: if the # is a part of the name, write the move to a file for --map"
        ));
    }
    let begins = |c: &char| matches!(c, '>' | '=' | ' ' | '"' | '\'' | '`');
    let ends = |c: &char| matches!(c, ',' | ';' | ' ' | '"' | '\'' | '`');
    let is_slip = |c: char| begins(&c) || ends(&c);
    url(&new).or_else(|| {
        let first = new.chars().next().filter(begins);
        let slip = first.or_else(|| new.chars().next_back().filter(ends))?;
        let (old, meant) = (old.trim_matches(is_slip), new.trim_matches(is_slip));
        Some(format!(
            "the new path `{new}` begins or ends with `{slip}`\nhelp: write {old}={meant}\nhelp: if you mean `{new}`, write the move to a file for --map"
        ))
    })
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
            (
                "a",
                "has no `=`\nhelp: write a move as OLD=NEW in one argument, like old.html=new.html or 'an old.html=new.html'\nhelp: --map FILE reads moves from a file",
            ),
            (
                r"a\=b",
                "has no `=`\nhelp: write a move as OLD=NEW in one argument, like old.html=new.html or 'an old.html=new.html'\nhelp: --map FILE reads moves from a file",
            ),
            (
                "a=b=c",
                "has more than one `=`\nhelp: write every `=` in OLD and in NEW as `\\=`, and `=` only between them",
            ),
            (
                r"a\b=c",
                "a backslash is valid only before `=` or a second backslash\nhelp: write `/` between directories",
            ),
            (
                r"a=c\",
                "a backslash is valid only before `=` or a second backslash\nhelp: write `/` between directories",
            ),
            (
                "a=>b",
                "the new path `>b` begins or ends with `>`\nhelp: write a=b\nhelp: if you mean `>b`, write the move to a file for --map",
            ),
            (
                "a=b,",
                "the new path `b,` begins or ends with `,`\nhelp: write a=b\nhelp: if you mean `b,`, write the move to a file for --map",
            ),
            (
                "=b",
                "the old path is empty\nhelp: to move all files of the site, use --regex '(.*)=b/$1'",
            ),
            (
                "a/=",
                "the new path is empty\nhelp: pass a new name, since move deletes nothing (a shell reads `>` as a redirection)\nhelp: to move the files of a directory to the root, use --regex 'a/(.*)=$1'",
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
            assert!(error.starts_with("has no `=`"), "{argument}");
        }
    }

    #[test]
    fn a_map_has_two_paths_around_one_tab_on_each_line() {
        let content = b"\xEF\xBB\xBF# old\tnew\r\na=1\tb2\r\n\r\n  \n./#x\t c \n\xFC\t\xFF";
        let requests = Request::map("map.tsv", content).unwrap();
        let paths: Vec<_> = requests.iter().map(request_paths).collect();
        let expected: [(&[u8], &[u8]); 3] =
            [(b"a=1", b"b2"), (b"./#x", b" c "), (b"\xFC", b"\xFF")];
        assert_eq!(paths, expected);
        assert_eq!(requests[1].origin.to_string(), "map.tsv:5");

        if !cfg!(windows) {
            let errors = Request::map("map.tsv", b"a\\b\tc").unwrap_err();
            assert!(errors[0].to_string().contains("write / between directories"));
        }

        let errors = Request::map("map.tsv", b"a\tb\nc d\n\nx\ty\tz\n\tn\no\t").unwrap_err();
        let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
        assert_eq!(
            errors,
            [
                "map.tsv:2: has 0 tabs instead of one\nhelp: write the old path, one tab and the new path; for a table with ` `: sed '' 'map.tsv' > moves.tsv",
                "map.tsv:4: has 2 tabs instead of one\nhelp: write the old path, one tab and the new path",
                "map.tsv:5: the old path is empty\nhelp: to move all files of the site, use --regex '(.*)=n/$1'",
                "map.tsv:6: the new path is empty\nhelp: pass a new name, since move deletes nothing (a shell reads `>` as a redirection)\nhelp: to move the files of a directory to the root, use --regex 'o/(.*)=$1'",
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
                "has no `=`\nhelp: write the pattern and the new path as one argument, like 'old/(.*)=new/$1'",
            ),
            (r"a/\(.*\)=b/\1", "a group has no backslashes\nhelp: write --regex 'a/(.*)=b/$1'"),
            ("(a)=$2", "the pattern has no group `$2`\nhelp: write a dollar sign as `$$`"),
            (
                r"(a)=\d",
                "a backslash in NEW is valid only before `=` or a second backslash\nhelp: write a group as $1",
            ),
        ] {
            let error = Request::regex(value).unwrap_err();
            assert_eq!(error.to_string(), format!("--regex `{value}`: {problem}"));
        }
    }
}
