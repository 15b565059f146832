//! YAML: saphyr-parser decides what is a scalar. It counts characters, and its spans have the tag and the anchor of a
//! scalar, so that the span of each value is found in its own and decoded again to prove it.

use std::borrow::Cow;

use saphyr_parser::{Event, Parser, ScalarStyle};

use super::aliases::Aliases;
use super::node::{NESTING, Node, NotData, Scalar, Step};
use super::scalar::{self, Quoting, ScalarSyntax};
use crate::memory_budget;
use rehref_url::Span;

/// A list or a mapping whose end is not reached.
struct Open {
    is_mapping: bool,
    /// Whether the next node in it is the name of a member.
    is_name: bool,
    /// Whether it is in the name of a member.
    in_name: bool,
}

/// The most lines of a text that are not indented as YAML wants, and are read anyway; and the bytes of all texts that
/// are read again for them.
const UNINDENTED: usize = 64;
const UNINDENTED_BYTES: usize = 1 << 20;

/// The bytes that the parser takes for a token that it keeps: in a queue that grows to twice its size.
const TOKEN: usize = 208;

/// See [`super::nodes`].
pub(super) fn nodes(text: &str, mut found: impl FnMut(&[Step], Node<'_>)) -> Result<(), NotData> {
    let mut text = Cow::Borrowed(text);
    let tries = UNINDENTED_BYTES / text.len().max(1);
    for _ in 0..tries.clamp(1, UNINDENTED) {
        // A text with an error at its end has no nodes. Walking it twice takes little time; keeping the nodes of the first
        // walk would take hundreds of bytes each.
        let Err(error) = walk(&text, |_, _| ()) else { break };
        match joined_at(&text, &error) {
            Some(joined) => text = Cow::Owned(joined),
            None => return Err(error),
        }
    }
    walk(&text, |path, node| found(path, node))
}

/// The most tokens of `text` that the parser keeps. A list or mapping in brackets may be the name of a member, which
/// the parser knows at its end: until then it keeps all tokens. No further line of it begins without a space, unless it
/// is the whole text.
fn most_tokens(text: &str) -> usize {
    let content = text.trim_start_matches("---").trim_start();
    let is_one = content.starts_with(['[', '{', '&', '!', '#', '%']) || text.contains("\n---");
    let (mut most, mut tokens, mut last) = (0, 0_usize, b'\n');
    for byte in text.bytes() {
        if last == b'\n' && !is_one && !byte.is_ascii_whitespace() {
            (most, tokens) = (tokens.max(most), 0);
        }
        // With the scalar that may follow, and before `:` the mark that its name gets.
        tokens += match byte {
            b':' => 3,
            b',' | b'[' | b'{' => 2,
            b']' | b'}' | b'"' | b'\'' | b'!' | b'&' | b'*' | b'#' | b'?' => 1,
            _ => 0,
        };
        last = byte;
    }
    tokens.max(most)
}

/// `text` with spaces in place of the line end before the line at `error`, and of a comment there, if that line of a
/// list or mapping in brackets has too few spaces before it: YAML 1.2 forbids it, and the programs that read
/// configuration do not mind (`a: [` and `]` at the start of a line). `None` for other errors.
fn joined_at(text: &str, error: &NotData) -> Option<String> {
    if !error.message.starts_with(INDENTATION) {
        return None;
    }
    if error.message.contains("quoted scalar") {
        return joined_scalar(text, error.at);
    }
    let before = text.get(..error.at)?;
    let indent = before.rfind('\n')? + 1;
    let is_start = before.get(indent..)?.trim().is_empty();
    let mut kept = before.get(..indent).filter(|_| is_start)?;
    // The last line before it that is more than a comment.
    loop {
        kept = kept.trim_end();
        let start = kept.rfind('\n').map_or(0, |at| at + 1);
        match kept.get(start..)?.trim_start() {
            "" => return None,
            line if line.starts_with('#') => kept = kept.get(..start)?,
            _ => {
                let end = start + without_comment(kept.get(start..)?).len();
                kept = kept.get(..end)?;
                break;
            }
        }
    }
    let blank = " ".repeat(error.at - kept.len());
    Some([kept, &blank, text.get(error.at..)?].concat())
}

/// `text` with spaces in place of the line ends in the scalar that starts at byte `start` with a quote.
fn joined_scalar(text: &str, start: usize) -> Option<String> {
    let (before, scalar) = text.split_at_checked(start)?;
    let quote = scalar.chars().next().filter(|it| matches!(it, '"' | '\''))?;
    let end = between(scalar, quote)?.end;
    let (scalar, after) = scalar.split_at_checked(end)?;
    scalar.contains('\n').then(|| [before, &scalar.replace(['\r', '\n'], " "), after].concat())
}

/// How the messages about a line with too few spaces begin.
const INDENTATION: &str = "invalid indentation";

/// `line` without the comment at its end.
fn without_comment(line: &str) -> &str {
    let mut quote = None;
    let mut last = ' ';
    for (at, c) in line.char_indices() {
        match quote {
            Some(open) if c == open && (open == '\'' || last != '\\') => quote = None,
            Some(_) => {}
            None if c == '#' && last.is_whitespace() => return line.get(..at).unwrap_or(line),
            None if matches!(c, '"' | '\'') && !last.is_alphanumeric() => quote = Some(c),
            None => {}
        }
        last = c;
    }
    line
}

/// Calls `found` for each node of `text` but the mappings.
fn walk(text: &str, mut found: impl FnMut(&[Step], Node<'static>)) -> Result<(), NotData> {
    if most_tokens(text) > memory_budget(text.len()) / TOKEN {
        let message = "too many values in one list or mapping".to_owned();
        return Err(NotData { at: 0, message });
    }
    let mut parser = Parser::new_from_str(text);
    let mut offsets = CharacterOffsets::new(text);
    let mut open: Vec<Open> = Vec::new();
    let mut path: Vec<Step> = Vec::new();
    let mut aliases = Aliases::new();
    while let Some(event) = parser.next_event() {
        let (event, span) = event.map_err(|error| NotData {
            at: offsets.byte(error.marker().index()),
            message: error.info().to_owned(),
        })?;
        let is_name = open.last().is_some_and(|it| it.is_mapping && it.is_name);
        let in_name = is_name || open.last().is_some_and(|it| it.in_name);
        match event {
            Event::SequenceStart(anchor, _) | Event::MappingStart(anchor, _) => {
                if open.len() >= NESTING {
                    return Err(NotData {
                        at: offsets.byte(span.start.index()),
                        message: "nested too deeply".to_owned(),
                    });
                }
                if let (true, Some(step)) = (is_name, path.last_mut()) {
                    *step = Step::Member("".into());
                }
                let is_mapping = matches!(event, Event::MappingStart(..));
                if !is_mapping && !in_name {
                    found(&path, Node::ListStart(offsets.span(&span)));
                }
                aliases.start(anchor, &path, open.len());
                path.push(if is_mapping { Step::Member("".into()) } else { Step::Item(0) });
                open.push(Open { is_mapping, is_name: is_mapping, in_name });
                continue;
            }
            Event::SequenceEnd | Event::MappingEnd => {
                let ended = open.pop();
                path.pop();
                aliases.end(open.len());
                if ended.is_some_and(|it| !it.is_mapping && !it.in_name) {
                    found(&path, Node::ListEnd(offsets.span(&span)));
                }
            }
            Event::Scalar(value, style, anchor, _) => match path.last_mut().filter(|_| is_name) {
                Some(step) => {
                    *step = Step::Member(value.into());
                    let name = offsets.span(&span);
                    if !open.last().is_some_and(|it| it.in_name) {
                        found(&path, Node::Name(name));
                    }
                }
                None if in_name => {}
                None => {
                    aliases.add(anchor, &path, &value);
                    let whole = offsets.span(&span);
                    let string = scalar_in(text, whole, &value, style);
                    let value = Cow::Owned(value.into_owned());
                    found(&path, Node::Scalar { value, whole, string });
                }
            },
            Event::Alias(_) if in_name => {}
            Event::Alias(anchor) => {
                let whole = offsets.span(&span);
                for (path, value) in aliases.values(anchor, &path) {
                    found(&path, Node::Scalar { value: value.into(), whole, string: None });
                }
            }
            _ => continue,
        }
        if let Some(open) = open.last_mut() {
            open.is_name = !open.is_name;
        }
        if let Some(Step::Item(number)) = path.last_mut() {
            *number += 1;
        }
    }
    Ok(())
}

/// The string with this `value` at the end of the bytes `range` of `text`; `None` if it is empty, or in several lines
/// but not a block of lines.
fn scalar_in(text: &str, range: Span, value: &str, style: ScalarStyle) -> Option<Scalar> {
    let raw = text.get(range.range())?;
    let (quoting, inner) = match style {
        ScalarStyle::Plain => {
            let start = raw.len().checked_sub(value.len())?;
            (Quoting::YamlPlain, start..raw.len())
        }
        ScalarStyle::SingleQuoted => (Quoting::YamlSingle, between(raw, '\'')?),
        ScalarStyle::DoubleQuoted => (Quoting::YamlDouble, between(raw, '"')?),
        ScalarStyle::Literal | ScalarStyle::Folded => return block(text, range, value, style),
    };
    let inner = Span::from(inner);
    let syntax = ScalarSyntax::of_text(quoting);
    let decoded = scalar::decode(inner.of_str(raw).as_bytes(), syntax);
    let is_proven = !value.is_empty() && decoded.as_str() == value;
    is_proven.then(|| Scalar { span: inner.shifted(range.start), quoting })
}

/// The lines with this `value` that start at the bytes `range` of `text`: the parser leaves out what comes before the
/// first character of the first one.
fn block(text: &str, range: Span, value: &str, style: ScalarStyle) -> Option<Scalar> {
    let before = text.get(..range.start)?;
    let indent = range.start - before.rfind('\n').map_or(0, |at| at + 1);
    let lines = text.get(range.range())?.trim_end();
    let quoting = Quoting::YamlBlock(u8::try_from(indent).ok()?);
    let decoded = scalar::decode(lines.as_bytes(), ScalarSyntax::of_text(quoting));
    let is_proven = match style {
        ScalarStyle::Literal => value.trim_end().lines().eq(decoded.as_str().lines()),
        _ => value.split_whitespace().eq(decoded.as_str().split_whitespace()),
    };
    (is_proven && !lines.is_empty())
        .then(|| Scalar { span: Span::from(range.start..range.start + lines.len()), quoting })
}

/// The bytes between the first `quote` of `raw` and the one that ends the scalar. White space and a comment may follow.
fn between(raw: &str, quote: char) -> Option<std::ops::Range<usize>> {
    let start = raw.find(quote)? + 1;
    let mut rest = raw.get(start..)?.char_indices().peekable();
    while let Some((at, c)) = rest.next() {
        match c {
            '\\' if quote == '"' => {
                rest.next();
            }
            // A pair of single quotes is an escape.
            '\'' if quote == '\'' && rest.next_if(|(_, next)| *next == '\'').is_some() => {}
            c if c == quote => return Some(start..start + at),
            _ => {}
        }
    }
    None
}

/// Converts numbers of characters to bytes.
struct CharacterOffsets<'t> {
    text: &'t str,
    /// The last one asked for, and its byte.
    index: usize,
    byte: usize,
}

impl<'t> CharacterOffsets<'t> {
    fn new(text: &'t str) -> CharacterOffsets<'t> {
        CharacterOffsets { text, index: 0, byte: 0 }
    }

    /// The bytes of `span`.
    fn span(&mut self, span: &saphyr_parser::Span) -> Span {
        let start = self.byte(span.start.index());
        Span::from(start..self.byte(span.end.index()).max(start))
    }

    /// The byte at which the character with this number begins; the end of the text if it has fewer.
    fn byte(&mut self, index: usize) -> usize {
        if index < self.index {
            (self.index, self.byte) = (0, 0);
        }
        let rest = self.text.get(self.byte..).unwrap_or_default();
        let steps = rest.chars().take(index - self.index);
        self.byte += steps.map(char::len_utf8).sum::<usize>();
        self.index = index;
        self.byte
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::tests::strings;
    use crate::data::{DataLanguage, visit};

    fn read(text: &str) -> Vec<String> {
        strings(text, DataLanguage::Yaml)
    }

    #[test]
    fn scalars_have_their_paths_and_exact_spans() {
        for (text, expected) in [
            ("a: b\nc:\n  - d\n  - e: f\n", &[".a=b", ".c[]=d", ".c[].e=f"][..]),
            ("ä: ö # x\nb: 'ü''x' \nc: \"\\x41\"", &[".ä=ö", ".b=ü''x", ".c=\\x41"]),
            ("a: 'b' # c'\nd: [\"e\\\"\" # f\n  ]\n", &[".a=b", ".d[]=e\\\""]),
            ("\u{FEFF}a: 😀\r\nb: c d\r\n", &[".a=😀", ".b=c d"]),
            ("[a, {b: c d , 'e': \"f\"}]", &["[]=a", "[].b=c d", "[].e=f"]),
            ("- &x a\n- !!str 'b'\n- *x\n- c", &["[]=a", "[]=b", "[]=c"]),
            ("a: |\n  b\nc: >-\n  d\ne: f\n  g\nh: 'i\n  j'\nk: l", &[".k=l"]),
            ("a:\nb: ''\nc: ~\n", &[".c=~"]),
            ("? [a, b]\n: c\n? d\n: e\n", &[".=c", ".d=e"]),
            ("{\n\t\"a\": [\"b\\/c\"],\n\t\"d\": 1\n}", &[".a[]=b\\/c", ".d=1"]),
            ("--- a\n--- b\n", &["=a", "=b"]),
            ("", &[]),
        ] {
            assert_eq!(read(text), expected, "{text}");
        }
    }

    #[test]
    fn aliases_have_the_values_of_their_anchors() {
        for (text, expected) in [
            ("a: &x b\nc: *x\nd: [*x]\n", &[".a=b", ".c=b", ".d[]=b"][..]),
            ("a: &x {b: c, d: [e]}\nf: *x\n", &[".a.b=c", ".a.d[]=e", ".f.b=c", ".f.d[]=e"]),
            ("a: &x {b: c}\nd: {<<: *x, e: f}\n", &[".a.b=c", ".d.b=c", ".d.e=f"]),
            (
                "a: &x [&y b]\nc: &z [*x, *y]\nd: *z\n",
                &[".a[]=b", ".c[][]=b", ".c[]=b", ".d[][]=b", ".d[]=b"],
            ),
        ] {
            let mut values = Vec::new();
            let add = |path: &[Step], value: &str| {
                let steps = path
                    .iter()
                    .map(|step| step.name().map_or("[]".to_owned(), |it| format!(".{it}")));
                values.push(format!("{}={value}", steps.collect::<String>()));
            };
            crate::data::read(text, DataLanguage::Yaml, add).unwrap();
            assert_eq!(values, expected, "{text}");
        }
        let lists = (1..40).map(|it| format!("a{it}: &a{it} [*a{0}, *a{0}]\n", it - 1));
        let bomb = format!("a0: &a0 x\n{}", lists.collect::<String>());
        let mut count = 0;
        crate::data::read(&bomb, DataLanguage::Yaml, |_, _| count += 1).unwrap();
        assert!(count < 20_000, "{count}");
    }

    #[test]
    fn brackets_may_stand_at_the_start_of_a_line() {
        for (text, expected) in [
            ("a: [\n  b, # ü ]\n\n  # c\n]\nd: e\n", &[".a[]=b", ".d=e"][..]),
            ("a: {\r\n  b: 'c # d' # e\r\n}\r\n", &[".a.b=c # d"]),
            ("a:\n  - b: [\n  c\n    ]\n", &[".a[].b[]=c"]),
            ("a: [\n'b',\n\"c\"\n]\n", &[".a[]=b", ".a[]=c"]),
            ("a:\n  - b: \"c\n  d\"\n    e: f\n", &[".a[].b=c\n  d", ".a[].e=f"]),
            ("a:\n  b\n]\n", &["7 misplaced bracket"]),
        ] {
            assert_eq!(read(text), expected, "{text}");
        }
    }

    #[test]
    fn blocks_of_lines_have_spans() {
        for (text, expected, indent) in [
            ("a: |\n  b\n\n   c\nd: e\n", "b\n\n   c", 2),
            ("a:\n  - >-  # x\n\n      ä\n      c\n", "ä\n      c", 6),
            ("- |2\n    b\n   c\r\n", "  b\n   c", 2),
            ("--- |\nb\n", "b", 0),
        ] {
            let mut found = Vec::new();
            let result = nodes(text, |_, node| {
                if let Node::Scalar { string: Some(scalar), .. } = node
                    && let Quoting::YamlBlock(indent) = scalar.quoting
                {
                    found.push((scalar.span.of_str(text).to_owned(), indent));
                }
            });
            assert_eq!(result, Ok(()));
            assert_eq!(found, [(expected.to_owned(), indent)], "{text}");
        }
    }

    #[test]
    fn values_share_the_names_around_them() {
        let text = format!("? {}\n:\n{}", "k".repeat(100_000), "- x\n".repeat(2_000));
        let mut paths = Vec::new();
        visit(&text, DataLanguage::Yaml, |path, _| paths.push(path.to_vec())).unwrap();
        assert_eq!(paths.len(), 2_000);
        let names = paths.iter().map(|path| match &path[0] {
            Step::Member(name) => name.as_ptr(),
            Step::Item(_) => panic!(),
        });
        let names: std::collections::HashSet<_> = names.collect();
        assert_eq!(names.len(), 1);
    }

    #[test]
    fn very_long_texts_are_read_again_only_once() {
        let unindented = "a: [\n]\nb: [\n]\n";
        assert_eq!(read(unindented), [] as [&str; 0]);
        let long = format!("{unindented}{}", "c: d\n".repeat(UNINDENTED_BYTES / 5));
        assert_eq!(read(&long).len(), 1);
    }

    #[test]
    fn an_error_has_its_place() {
        for (text, expected) in [
            ("ä: b: c\n", "5 mapping values are not allowed in this context"),
            ("a: 'b", "3 while scanning a quoted scalar, found unexpected end of stream"),
        ] {
            assert_eq!(read(text).pop().unwrap(), expected, "{text}");
        }
        let deep = "[".repeat(100_000);
        assert_eq!(read(&deep).len(), 1);
        let deep = "- ".repeat(100) + "a";
        assert_eq!(read(&deep), ["128 nested too deeply"]);
    }

    #[test]
    fn tokens_that_the_parser_would_keep_are_bounded() {
        let refused = ["0 too many values in one list or mapping"];
        let values = "b,".repeat(300_000);
        let lines = "b,\n".repeat(300_000);
        for text in [
            format!("a: [{values}]\n"),
            format!("c: d\n{{a: {{a: [{values}]}}}}\n"),
            format!("[\n{lines}]\n"),
            format!("---\n&c [\n{lines}]\n"),
            format!("a: 1\n---\n[\n{lines}]\n"),
        ] {
            assert_eq!(read(&text), refused, "{}", &text[..20]);
        }
        let members = "a: 1\n".repeat(300_000);
        assert_eq!(read(&members).len(), 300_000);
        assert_eq!(read(&format!("a: [{}]\n", "b,".repeat(30_000))).len(), 30_000);
    }
}
