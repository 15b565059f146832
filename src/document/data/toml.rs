//! TOML: toml_parser tokenizes and parses; its events have spans in bytes.

use toml_parser::decoder::Encoding;
use toml_parser::parser::{Event, EventKind, RecursionGuard, parse_document};
use toml_parser::{ParseError, Source};

use super::scalar::{self, Quoting, ScalarSyntax};
use super::{NESTING, NotData, Scalar, Step};
use crate::document::Span;

/// See [`super::visit`].
pub(super) fn visit(text: &str, found: impl FnMut(&[Step], Scalar)) -> Result<(), NotData> {
    let source = Source::new(text);
    let tokens = source.lex().into_vec();
    let mut walk = Walk {
        text,
        source,
        error: None,
        table: Vec::new(),
        key: Vec::new(),
        path: Vec::new(),
        open: Vec::new(),
        found,
    };
    let mut error: Option<ParseError> = None;
    let mut receiver = |event: Event| walk.event(&event);
    let depth = u32::try_from(NESTING).unwrap_or(u32::MAX);
    parse_document(
        &tokens,
        &mut RecursionGuard::new(&mut receiver, depth),
        &mut error,
    );
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
    /// The names of the key that is being read.
    key: Vec<Step>,
    /// The path from the table to the value that is being read.
    path: Vec<Step>,
    /// The lengths of `path` at the openings of arrays and inline tables.
    open: Vec<usize>,
    found: F,
}

impl<F: FnMut(&[Step], Scalar)> Walk<'_, F> {
    fn event(&mut self, event: &Event) {
        let span = Span::from(event.span().start()..event.span().end());
        match event.kind() {
            EventKind::StdTableOpen | EventKind::ArrayTableOpen => {
                self.key.clear();
                self.path.clear();
                self.open.clear();
            }
            EventKind::StdTableClose | EventKind::ArrayTableClose => {
                self.table = std::mem::take(&mut self.key);
                if event.kind() == EventKind::ArrayTableClose {
                    self.table.push(Step::Item);
                }
            }
            EventKind::SimpleKey => {
                let name = self.name(span, event.encoding());
                self.key.push(Step::Member(name));
            }
            EventKind::KeyValSep => self.path.append(&mut self.key),
            EventKind::ArrayOpen => {
                self.open.push(self.path.len());
                self.path.push(Step::Item);
            }
            EventKind::InlineTableOpen => self.open.push(self.path.len()),
            EventKind::ArrayClose | EventKind::InlineTableClose => {
                let length = self.open.pop().unwrap_or_default();
                self.path.truncate(length);
                self.end_of_value();
            }
            EventKind::Scalar => {
                let mut value = String::new();
                if let Some(raw) = self.source.get(event) {
                    // The parser leaves the check of values to the decoder.
                    let _ = raw.decode_scalar(&mut value, &mut self.error);
                }
                let scalar = self.scalar(span, event.encoding());
                if let Some(scalar) = scalar.filter(|it| self.decode(it) == value) {
                    let path = [self.table.as_slice(), &self.path].concat();
                    (self.found)(&path, scalar);
                }
                self.end_of_value();
            }
            _ => {}
        }
    }

    /// Leaves the member whose value ended.
    fn end_of_value(&mut self) {
        let start = self.open.last().copied().unwrap_or_default();
        let is_array = self.path.get(start) == Some(&Step::Item);
        self.path
            .truncate(start + usize::from(is_array && !self.open.is_empty()));
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
        (!inner.is_empty()).then(|| Scalar {
            span: Span::from(span.start + 1..span.end - 1),
            quoting,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<String> {
        let mut read = Vec::new();
        let result = visit(text, |path, scalar| {
            let steps = path.iter().map(|step| match step {
                Step::Member(name) => format!(".{name}"),
                Step::Item => "[]".to_owned(),
            });
            let path: String = steps.collect();
            read.push(format!("{path}={}", scalar.span.of_str(text)));
        });
        read.extend(result.err().map(|it| format!("{} {}", it.at, it.message)));
        read
    }

    #[test]
    fn strings_have_their_paths_and_exact_spans() {
        for (text, expected) in [
            (
                "a = 'b'\nc.\"d e\" = \"f\\u0041\" # x\n",
                &[".a=b", ".c.d e=f\\u0041"][..],
            ),
            (
                "[a.b]\nc = [1, 'd', ['e'], {f = 'g', h.i = 'j'}, 'k']\nl = 'm'\r\n",
                &[
                    ".a.b.c[]=d",
                    ".a.b.c[][]=e",
                    ".a.b.c[].f=g",
                    ".a.b.c[].h.i=j",
                    ".a.b.c[]=k",
                    ".a.b.l=m",
                ],
            ),
            (
                "[[a]]\nb = 'ä'\n[[a]]\nb = ''\n[c]\nd = 'e'\n",
                &[".a[].b=ä", ".c.d=e"],
            ),
            (
                "a = '''b'''\nc = \"\"\"d\"\"\"\ne = {}\nf = []\ng = 'h'\n",
                &[".g=h"],
            ),
            ("a = 1\nb = 2024-01-01\nc = true\nd = 'e'", &[".d=e"]),
            ("\u{FEFF}a = 'b'", &[".a=b"]),
        ] {
            assert_eq!(read(text), expected, "{text}");
        }
    }

    #[test]
    fn an_error_has_its_place() {
        let last = |text: &str| read(text).pop().unwrap();
        assert!(
            last("a = 'b'\nc = \n").starts_with("12 "),
            "{}",
            last("a = 'b'\nc = \n")
        );
        assert!(last("a = 'b").contains(' '));
        last(&format!("a = {}", "[".repeat(100_000)));
    }
}
