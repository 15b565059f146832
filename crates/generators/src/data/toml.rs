//! TOML: toml_parser tokenizes and parses; its events have spans in bytes.

use rustc_hash::FxHashMap;
use toml_parser::decoder::Encoding;
use toml_parser::parser::{Event, EventKind, RecursionGuard, parse_document};
use toml_parser::{ParseError, Source};

use super::node::{NESTING, Node, NotData, Scalar, Step};
use super::scalar::{self, Quoting, ScalarSyntax};
use rehref_url::Span;

/// See [`super::nodes`].
pub(super) fn nodes(text: &str, found: impl FnMut(&[Step], Node<'_>)) -> Result<(), NotData> {
    let source = Source::new(text);
    let tokens = source.lex().into_vec();
    let mut walk = Walk {
        text,
        source,
        error: None,
        table: Vec::new(),
        tables: FxHashMap::default(),
        key: Vec::new(),
        name: Span::default(),
        path: Vec::new(),
        open: Vec::new(),
        found,
    };
    let mut error: Option<ParseError> = None;
    let mut receiver = |event: Event| walk.event(&event);
    let depth = u32::try_from(NESTING).unwrap_or(u32::MAX);
    parse_document(&tokens, &mut RecursionGuard::new(&mut receiver, depth), &mut error);
    match error.or(walk.error) {
        None => Ok(()),
        Some(error) => Err(NotData {
            at: error
                .unexpected()
                .or(error.context())
                .map_or(0, |span| span.start().min(text.len())),
            message: error.description().to_owned(),
        }),
    }
}

struct Walk<'t, F> {
    text: &'t str,
    source: Source<'t>,
    /// The first error in a value.
    error: Option<ParseError>,
    /// The path of the table that the last header named.
    table: Vec<Step>,
    /// The number of the last item of each array of tables, by its path.
    tables: FxHashMap<Vec<Step>, usize>,
    /// The names of the key that is being read.
    key: Vec<Step>,
    /// The bytes of the last of them.
    name: Span,
    /// The path from the table to the value that is being read.
    path: Vec<Step>,
    /// The lengths of `path` at the openings of arrays and inline tables.
    open: Vec<usize>,
    found: F,
}

impl<F: FnMut(&[Step], Node<'_>)> Walk<'_, F> {
    fn event(&mut self, event: &Event) {
        let span = Span::from(event.span().start()..event.span().end());
        match event.kind() {
            EventKind::StdTableOpen | EventKind::ArrayTableOpen => {
                self.key.clear();
                self.path.clear();
                self.open.clear();
            }
            EventKind::StdTableClose | EventKind::ArrayTableClose => {
                self.open_table(event.kind() == EventKind::ArrayTableClose);
            }
            EventKind::SimpleKey => {
                let depth = self.table.len() + self.path.len() + self.key.len();
                if depth >= 2 * NESTING {
                    let error = ParseError::new("nested too deeply");
                    self.error.get_or_insert(error.with_unexpected(event.span()));
                    return;
                }
                let name = self.name(span, event.encoding());
                self.key.push(Step::Member(name.into()));
                self.name = span;
            }
            EventKind::KeyValSep => {
                self.path.append(&mut self.key);
                self.found(Node::Name(self.name));
            }
            EventKind::ArrayOpen => {
                self.found(Node::ListStart(span));
                self.open.push(self.path.len());
                self.path.push(Step::Item(0));
            }
            EventKind::InlineTableOpen => self.open.push(self.path.len()),
            EventKind::ArrayClose | EventKind::InlineTableClose => {
                let length = self.open.pop().unwrap_or_default();
                self.path.truncate(length);
                if event.kind() == EventKind::ArrayClose {
                    self.found(Node::ListEnd(span));
                }
                self.end_of_value();
            }
            EventKind::Scalar => {
                let mut value = String::new();
                if let Some(raw) = self.source.get(event) {
                    // The parser leaves the check of values to the decoder.
                    let _ = raw.decode_scalar(&mut value, &mut self.error);
                }
                let string = self.scalar(span, event.encoding());
                self.found(Node::Scalar {
                    value: value.as_str().into(),
                    whole: span,
                    string: string.filter(|it| self.decode(it) == value),
                });
                self.end_of_value();
            }
            _ => {}
        }
    }

    fn found(&mut self, node: Node<'_>) {
        let path = [self.table.as_slice(), &self.path].concat();
        (self.found)(&path, node);
    }

    /// Makes the table that a header names the one that follows; `is_item`: a new item of an array of tables.
    fn open_table(&mut self, is_item: bool) {
        self.table.clear();
        let last = self.key.len().saturating_sub(1);
        for (at, name) in self.key.drain(..).enumerate() {
            self.table.push(name);
            let is_new = is_item && at == last;
            if at == last {
                (self.found)(&self.table, Node::Name(self.name));
            }
            if is_new {
                let number = self.tables.entry(self.table.clone());
                number.and_modify(|number| *number += 1).or_insert(0);
            }
            let number = self.tables.get(&self.table).copied();
            self.table.extend(number.map(Step::Item));
        }
    }

    /// Leaves the member whose value ended.
    fn end_of_value(&mut self) {
        let start = self.open.last().copied().unwrap_or_default();
        match self.path.get_mut(start) {
            Some(Step::Item(number)) if !self.open.is_empty() => {
                *number += 1;
                self.path.truncate(start + 1);
            }
            _ => self.path.truncate(start),
        }
    }

    fn name(&self, span: Span, encoding: Option<Encoding>) -> String {
        match (self.scalar(span, encoding), encoding) {
            (Some(scalar), _) => self.decode(&scalar),
            (None, None) => span.of_str(self.text).to_owned(),
            (None, Some(_)) => String::new(),
        }
    }

    fn decode(&self, scalar: &Scalar) -> String {
        let raw = scalar.span.of_str(self.text).as_bytes();
        scalar::decode(raw, ScalarSyntax::of_text(scalar.quoting)).into_string()
    }

    /// The string at `span`, in its quotes; `None` for other values and those in several lines.
    fn scalar(&self, span: Span, encoding: Option<Encoding>) -> Option<Scalar> {
        let quoting = match encoding? {
            Encoding::LiteralString => Quoting::TomlLiteral,
            Encoding::BasicString => Quoting::TomlBasic,
            Encoding::MlLiteralString | Encoding::MlBasicString => return None,
        };
        let raw = self.text.get(span.range())?;
        // An error may be that the second quote is missing.
        let quote = raw.chars().next()?;
        let inner = raw.get(1..)?.strip_suffix(quote)?;
        (!inner.is_empty())
            .then(|| Scalar { span: Span::from(span.start + 1..span.end - 1), quoting })
    }
}

#[cfg(test)]
mod tests {
    use super::{NESTING, nodes};
    use crate::data::DataLanguage;
    use crate::data::tests::strings;

    fn read(text: &str) -> Vec<String> {
        strings(text, DataLanguage::Toml)
    }

    #[test]
    fn strings_have_their_paths_and_exact_spans() {
        for (text, expected) in [
            ("a = 'b'\nc.\"d e\" = \"f\\u0041\" # x\n", &[".a=b", ".c.d e=f\\u0041"][..]),
            (
                "[a.b]\nc = [1, 'd', ['e'], {f = 'g', h.i = 'j'}, 'k']\nl = 'm'\r\n",
                &[
                    ".a.b.c[]=d", ".a.b.c[][]=e", ".a.b.c[].f=g", ".a.b.c[].h.i=j", ".a.b.c[]=k",
                    ".a.b.l=m",
                ],
            ),
            ("[[a]]\nb = 'ä'\n[[a]]\nb = ''\n[c]\nd = 'e'\n", &[".a[].b=ä", ".c.d=e"]),
            ("a = '''b'''\nc = \"\"\"d\"\"\"\ne = {}\nf = []\ng = 'h'\n", &[".g=h"]),
            ("a = 1\nb = 2024-01-01\nc = true\nd = 'e'", &[".d=e"]),
            ("\u{FEFF}a = 'b'", &[".a=b"]),
        ] {
            assert_eq!(read(text), expected, "{text}");
        }
    }

    #[test]
    fn an_error_has_its_place() {
        let last = |text: &str| read(text).pop().unwrap();
        assert!(last("a = 'b'\nc = \n").starts_with("12 "), "{}", last("a = 'b'\nc = \n"));
        assert!(last("a = 'b").contains(' '));
        last(&format!("a = {}", "[".repeat(100_000)));
    }

    #[test]
    fn deep_keys_are_an_error() {
        let keys = |count| vec!["a"; count].join(".");
        for (text, is_error) in [
            (format!("[{}]\nb = 'c'\n", keys(NESTING)), false),
            (format!("{} = 'c'\n", keys(2 * NESTING)), false),
            (format!("[{}]\nb = 'c'\n", keys(100_000)), true),
            (format!("{} = 'c'\n", keys(100_000)), true),
            ("a = {a.b = 1\n".to_owned(), true),
        ] {
            let found = nodes(&text, |_, _| {});
            assert_eq!(found.is_err(), is_error, "{}", text.len());
        }
    }
}
