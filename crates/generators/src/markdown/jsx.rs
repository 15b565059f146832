//! MDX: statements, expressions in braces, and elements of JSX, whose content is Markdown.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag as PulldownTag};

use super::destination::DestinationForm;
use super::lines::{Fence, lines, lines_outside_code};
use super::prepared::Prepared;
use super::row_reading::names_source;
use super::rows::{self, MarkdownRow, MarkdownValue};
use crate::data::javascript;
use rehref_url::Span;

/// The longest tag or expression that is looked for, in bytes: what does not end by then is text.
const LONGEST: usize = 16 << 10;

/// The number of those after which no more are looked for.
const MOST_FAILURES: usize = 100;

/// Makes what MDX adds to Markdown in `source`, from byte `start` on, blank or words: the authority would read blocks of
/// HTML. Keeps the HTML of the tags.
pub(super) fn prepare<'s>(source: &'s str, start: usize, prepared: &mut Prepared<'s>) {
    let mut scanner = Scanner { source, prepared, at: start, failures: 0 };
    let mut fence: Option<Fence<'_>> = None;
    let mut in_statement = false;
    for line in lines(source, start) {
        let text = line.trimmed();
        let is_inside = fence.is_some();
        fence = match fence {
            Some(open) => Some(open).filter(|open| !open.is_closed_by(text)),
            None if line.start < scanner.at => None,
            None => Fence::of(text).filter(|it| it.character != ':'),
        };
        let is_read = line.start < scanner.at && line.range().end <= scanner.at;
        if is_inside || fence.is_some() || is_read {
            continue;
        }
        if line.start >= scanner.at && (in_statement || is_statement(line.text)) {
            in_statement = !text.is_empty();
            scanner.modules(line.range());
            scanner.prepared.blank(line.range());
            continue;
        }
        scanner.line(line.start.max(scanner.at)..line.start + line.text.len());
    }
    unindent(prepared);
}

/// Finds the paths of modules and of code in `source`, a document of VitePress, from byte `start` on: in its scripts, and
/// after `<<<`.
pub(super) fn vue<'s>(source: &'s str, start: usize, prepared: &mut Prepared<'s>) {
    let mut scanner = Scanner { source, prepared, at: start, failures: 0 };
    let mut in_script = false;
    for line in lines_outside_code(source, start) {
        let text = line.trimmed();
        in_script |= text.starts_with("<script");
        if in_script {
            scanner.modules(line.range());
        } else if let Some(rest) = text.strip_prefix("<<<") {
            let path = rest.trim_start().split(['#', '{', ' ', '[']).next().unwrap_or_default();
            let at = line.range().end - rest.trim_start().len();
            scanner.path(at..at + path.len(), &rows::INCLUDE);
        }
        in_script &= !text.contains("</script");
    }
}

/// The most levels of indented code that is Markdown.
const LEVELS: usize = 4;

/// Makes items of a list of indented code in `prepared`, which MDX does not have: Markdown in nested elements.
fn unindent(prepared: &mut Prepared<'_>) {
    for _ in 0..LEVELS {
        let events = Parser::new(&prepared.text).into_offset_iter();
        let starts = events.filter_map(|(event, range)| match event {
            Event::Start(PulldownTag::CodeBlock(CodeBlockKind::Indented)) => Some(range.start),
            _ => None,
        });
        let starts: Vec<usize> = starts.collect();
        if starts.is_empty() {
            return;
        }
        for start in starts {
            let before = prepared.text.get(..start).and_then(|it| it.strip_suffix("    "));
            if let Some(before) = before {
                let at = before.len();
                prepared.replace(at..start, "-   ");
            }
        }
    }
}

/// Returns true if a line begins statements of JavaScript, which end with a blank line.
fn is_statement(line: &str) -> bool {
    line.starts_with("import ") || line.starts_with("export ")
}

struct Scanner<'p, 's> {
    source: &'s str,
    prepared: &'p mut Prepared<'s>,
    /// The byte up to which tags and expressions are read.
    at: usize,
    /// The number of starts of tags and expressions that had no end.
    failures: usize,
}

impl Scanner<'_, '_> {
    /// Reads the line, or the rest of one, with the bytes `range`.
    fn line(&mut self, mut range: Range<usize>) {
        self.at = range.start;
        // Tags that begin the line.
        let mut leading: Vec<Range<usize>> = Vec::new();
        let mut only_tags = true;
        while self.at < range.end {
            let rest = self.source.get(self.at..).unwrap_or_default();
            let start = self.at;
            match rest.as_bytes().first() {
                Some(b'\\') => self.at += 2,
                Some(b'`') => self.at += code_length(rest, range.end - start),
                Some(b'{' | b'<') if !rest.starts_with("{#") && !is_id_comment(rest) => {
                    let whole = self.markup(rest);
                    self.failures += usize::from(whole.is_none());
                    self.at = whole.as_ref().map_or(start + 1, |(whole, _)| whole.end);
                    let is_long = self.at > range.end;
                    if is_long {
                        let rest = self.source.get(self.at..).unwrap_or_default();
                        range.end = self.at + rest.find('\n').unwrap_or(rest.len());
                    }
                    match whole {
                        Some((whole, _)) if only_tags => leading.push(whole),
                        Some((whole, is_markdown)) => {
                            if !is_markdown || is_long {
                                self.prepared.word(whole);
                            }
                        }
                        None => only_tags = false,
                    }
                    continue;
                }
                Some(b' ' | b'\t' | b'\r' | b'\n') => {
                    self.at += 1;
                    continue;
                }
                _ if only_tags && leading.is_empty() && marker_length(rest) > 0 => {
                    self.at += marker_length(rest);
                    continue;
                }
                _ => self.at += rest.chars().next().map_or(1, char::len_utf8),
            }
            only_tags = false;
        }
        // A tag that is alone on its line is a block of its own, and others begin a paragraph.
        for tag in leading {
            if only_tags { self.prepared.blank(tag) } else { self.prepared.word(tag) }
        }
    }

    /// The tag or expression at the start of `rest`, and whether CommonMark reads it as HTML, too.
    fn markup(&mut self, rest: &str) -> Option<(Range<usize>, bool)> {
        if self.failures > MOST_FAILURES {
            return None;
        }
        let start = self.at;
        if rest.starts_with('{') {
            let whole = start..start + braces_length(rest)?;
            self.modules(whole.clone());
            return Some((whole, false));
        }
        let tag = Tag::at_start(rest)?;
        self.html(start, &tag);
        Some((start..start + tag.length, tag.braces.is_empty()))
    }

    /// Keeps the HTML of `tag` at `start` without the expressions in it, and finds their modules.
    fn html(&mut self, start: usize, tag: &Tag) {
        let mut from = start;
        for braces in &tag.braces {
            let braces = start + braces.start..start + braces.end;
            // Without the name of the attribute.
            let before = self.source.get(from..braces.start).unwrap_or_default();
            let name = before.strip_suffix('=').map(|it| it.trim_end_matches(is_name));
            self.prepared.html.push(from..from + name.map_or(before.len(), str::len));
            from = braces.end;
            self.modules(braces);
        }
        self.prepared.html.push(from..start + tag.length);
    }

    /// Finds the paths of modules in code: `from './a'`, `import './a'`, `require('!!raw-loader!./a')`; and of
    /// `useBaseUrl('/a')`.
    fn modules(&mut self, range: Range<usize>) {
        let code = self.source.get(range.clone()).unwrap_or_default();
        for (at, quote) in code.match_indices(['"', '\'']) {
            let before = code.get(..at).unwrap_or_default().trim_end_matches([' ', '(']);
            let is_module = MODULES.iter().any(|it| before.ends_with(it));
            let request = code.get(at + 1..).and_then(|it| it.split_once(quote));
            // A bundler reads a query, and loaders.
            let loaders = request.map_or(0, |(it, _)| it.rfind('!').map_or(0, |at| at + 1));
            let path = request.and_then(|(it, _)| it.get(loaders..)?.split('?').next());
            let Some(path) = path.filter(|path| is_module && is_path(path)) else {
                continue;
            };
            let start = range.start + at + 1 + loaders;
            let is_part = names_source(path);
            let row = if is_part { &rows::IMPORT_PART } else { &rows::IMPORT };
            self.path(start..start + path.len(), row);
        }
    }

    fn path(&mut self, range: Range<usize>, row: &'static MarkdownRow) {
        let path = self.source.get(range.clone()).unwrap_or_default();
        if !path.is_empty() {
            let form = match row.verbatim(path) {
                DestinationForm::Path if path.contains('\\') => DestinationForm::Script,
                form => form,
            };
            self.prepared.values.push(MarkdownValue { span: Span::from(range), form, row });
        }
    }
}

/// The length of the marker of a list item or block quote at the start of `rest`; 0 if there is none.
fn marker_length(rest: &str) -> usize {
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let (marker, after) = match rest.as_bytes().get(digits..) {
        Some([b'>', ..]) if digits == 0 => return 1,
        Some([b'-' | b'*' | b'+', after @ ..]) if digits == 0 => (1, after),
        Some([b'.' | b')', after @ ..]) if digits > 0 => (digits + 1, after),
        _ => return 0,
    };
    if after.first().is_none_or(u8::is_ascii_whitespace) { marker } else { 0 }
}

/// Returns true if `rest` starts with a comment that may give a heading its id.
fn is_id_comment(rest: &str) -> bool {
    let code = rest.strip_prefix('{').and_then(|it| it.split('}').next());
    let comment = code.and_then(|it| it.trim().strip_prefix("/*")?.strip_suffix("*/"));
    comment.is_some_and(|it| it.trim_start().starts_with('#') && !it.contains(['[', '<', '\n']))
}

/// Returns true if `c` may be in the name of an attribute.
fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':')
}

/// What stands before the path of a module.
const MODULES: &[&str] = &["from", "import", "require", "useBaseUrl"];

/// Returns true if the name of a module is a path: one of a package has none of these starts.
fn is_path(module: &str) -> bool {
    ["./", "../", "@site/", "@/", "/"].iter().any(|start| module.starts_with(start))
        && !module.contains('\n')
}

/// The length of the code at the start of `rest`, at most `longest`; that of its first run of backticks if no other
/// ends it.
fn code_length(rest: &str, longest: usize) -> usize {
    let rest = rest.as_bytes().get(..longest).unwrap_or_default();
    let run = |from: usize| rest.iter().skip(from).take_while(|byte| **byte == b'`').count();
    let opening = run(0);
    let mut at = opening;
    while let Some(next) = rest.iter().skip(at).position(|byte| *byte == b'`') {
        let closing = run(at + next);
        at += next + closing;
        if closing == opening {
            return at;
        }
    }
    opening
}

/// The length of the expression in braces at the start of `rest`; `None` if they do not match.
fn braces_length(rest: &str) -> Option<usize> {
    let bytes = rest.as_bytes();
    let mut depth = 0_usize;
    let mut at = 0;
    while at < bytes.len().min(LONGEST) {
        match bytes.get(at)? {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            b'/' if rest.get(at..).is_some_and(|it| it.starts_with("/*")) => {
                let comment = rest.get(at..at + LONGEST.min(rest.len() - at));
                at += comment.unwrap_or(rest.get(at..)?).find("*/")? + 1;
            }
            quote @ (b'"' | b'\'' | b'`') => {
                // An apostrophe in the text of an element ends with the line.
                let most = bytes.get(..bytes.len().min(at + 1 + LONGEST))?;
                at = javascript::quoted_end(most, at, *quote).unwrap_or(at);
            }
            _ => {}
        }
        at += 1;
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// A tag of JSX or HTML.
struct Tag {
    length: usize,
    /// The expressions in it.
    braces: Vec<Range<usize>>,
}

impl Tag {
    /// The tag at the start of `rest`.
    fn at_start(rest: &str) -> Option<Tag> {
        let bytes = rest.as_bytes();
        let first = bytes.get(1)?;
        if !first.is_ascii_alphabetic() && !matches!(first, b'/' | b'>') {
            return None;
        }
        let mut braces = Vec::new();
        let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.:/".contains(byte);
        let name = bytes.iter().skip(1).take_while(|byte| is_name(byte)).count();
        // The address of an autolink is not a name.
        let is_url = bytes.get(1..=name)?.windows(2).any(|it| it == b":/");
        if is_url
            || bytes.get(1 + name)?.is_ascii_punctuation() && !b">{".contains(bytes.get(1 + name)?)
        {
            return None;
        }
        let mut at = 1 + name;
        let mut after_equals = false;
        while at < LONGEST {
            let rest = rest.get(at..)?;
            at += match bytes.get(at)? {
                b'>' => return Some(Tag { length: at + 1, braces }),
                b'<' => return None,
                b'{' => {
                    let length = braces_length(rest)?;
                    braces.push(at..at + length);
                    length
                }
                quote @ (b'"' | b'\'') if after_equals => {
                    1 + rest.get(1..)?.find(char::from(*quote))? + 1
                }
                // A paragraph has no blank line.
                b'\n' if rest.get(1..)?.trim_start_matches([' ', '\t', '\r']).starts_with('\n') => {
                    return None;
                }
                _ => rest.chars().next().map_or(1, char::len_utf8),
            };
            let last = bytes.get(at - 1)?;
            after_equals = *last == b'=' || after_equals && last.is_ascii_whitespace();
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::super::blocks;
    use crate::markdown::MarkdownDialect;

    /// The prepared text of `source`, its HTML and its paths of modules.
    fn prepared(source: &str) -> (String, Vec<&str>, Vec<&str>) {
        let prepared = blocks::prepare(source, MarkdownDialect::DOCUSAURUS);
        assert_eq!(prepared.text.len(), source.len());
        let html = prepared.html.iter().map(|range| &source[range.clone()]);
        let modules = prepared.values.iter().map(|it| it.span.of_str(source));
        (prepared.text.into_owned(), html.collect(), modules.collect())
    }

    #[test]
    fn statements_expressions_and_tags_are_not_markdown() {
        for (source, text, html, modules) in [
            (
                "import A from './a'\n\n<Tabs>\n[x](y)\n</Tabs>\nz<b>c</b>\n```\n<Tabs>\n```\n",
                "                   \n\n      \n[x](y)\n       \nz<b>c</b>\n```\n<Tabs>\n```\n",
                &["<Tabs>", "</Tabs>", "<b>", "</b>"][..],
                &["./a"][..],
            ),
            ("{/* [a](b)\n\n[c](d) */} e {'}'}", "xxxxxxxxxxxxxxxxxxxxxx e xxxxx", &[], &[]),
            ("# a {/* #b */}\n", "# a {/* #b */}\n", &[], &[]),
            ("# a { /*#b:-c d*/ }\n", "# a { /*#b:-c d*/ }\n", &[], &[]),
            ("# a {#b}\n", "# a {#b}\n", &[], &[]),
            ("<p>[a](b)</p>\n", "xxx[a](b)</p>\n", &["<p>", "</p>"], &[]),
            ("- <Link/> [a](b)\n", "- xxxxxxx [a](b)\n", &["<Link/>"], &[]),
            ("> 1. <p>\n> a</p>\n", "> 1.    \n> a</p>\n", &["<p>", "</p>"], &[]),
            ("--- <b>a</b>\n", "--- <b>a</b>\n", &["<b>", "</b>"], &[]),
            (
                "<a\n  href=\"b\"\n  c={{d: '>'}}>e</a>\n",
                "xx\n",
                &["<a\n  href=\"b\"\n  ", ">", "</a>"],
                &[],
            ),
            ("a < b <c@d.e> <https://f.g/> `<p>` \\<p>", "", &[], &[]),
            (
                "<img src={require('./a.png').default} alt=\"b\" />\n",
                "",
                &["<img ", " alt=\"b\" />"],
                &["./a.png"],
            ),
            (
                "import a from 'b';\nimport c from \"@site/c.mdx\"\nexport const d = 'e'\n",
                "",
                &[],
                &["@site/c.mdx"],
            ),
            ("import a from '!!raw-loader!./b.js?c';\n", "", &[], &["./b.js"]),
            ("<img src={useBaseUrl('/a.png')} />\n", "", &["<img ", " />"], &["/a.png"]),
            ("{\n<a\n\n", "{\n<a\n\n", &[], &[]),
            (
                "<A>\n  <B>\n\n    ## c\n\n        d\n\n    e\n\n  </B>\n</A>\n",
                "   \n     \n\n-   ## c\n\n    -   d\n\n    e\n\n      \n    \n",
                &["<A>", "<B>", "</B>", "</A>"],
                &[],
            ),
        ] {
            let found = prepared(source);
            if !text.is_empty() && !text.starts_with("xx\n") {
                assert_eq!(found.0, text, "{source}");
            }
            assert_eq!(found.1, html, "{source}");
            assert_eq!(found.2, modules, "{source}");
        }
    }

    #[test]
    fn what_does_not_end_takes_linear_time() {
        for piece in ["{", "<a {", "<a b='", "`", "{'", "{/*", "<a\n", "{`"] {
            prepared(&piece.repeat(50_000));
        }
    }
}
