//! A JSON reader that keeps the span of every string: ECMA-404, as strict as `JSON.parse`.
//!
//! No crate does this: `serde_json` reports no positions; `jsonc-parser` 0.34, in strict mode, still
//! accepts control characters within strings and any Unicode white space between tokens, and rejects
//! lone surrogates and nesting deeper than 512. Browsers do the opposite in all four cases.

use super::string;
use rehref_url::Span;

/// A JSON text as a list of its values in source order, each before the values within it. No function
/// here recurses: nesting costs memory, never stack.
#[derive(Debug)]
pub(crate) struct Tree<'t> {
    text: &'t str,
    pub(super) nodes: Vec<Node>,
}

/// One value.
#[derive(Debug)]
pub(crate) struct Node {
    /// The name of the member with this value, without its quotes; `None` for other values.
    pub(super) key: Option<Span>,
    /// The type.
    pub(crate) value: Value,
    /// The bytes, with brackets and quotes.
    pub(crate) span: Span,
    /// The index after the last value within it.
    end: usize,
}

/// The type of a value, as far as it matters here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    Object,
    Array,
    String,
    /// A number, `true`, `false` or `null`.
    Other,
}

/// The error of a text that readers of JSON reject, so that it contains no references.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotJson {
    /// `JSON.parse` fails at this byte of the text.
    #[error("not JSON")]
    Syntax { at: usize },
    /// The value that starts at this byte of the text must be an object (in JSON-LD, an object or an
    /// array), and is not.
    #[error("JSON with a value of the wrong type")]
    Shape { at: usize },
}

impl Node {
    /// Returns the span of a string without its quotes; `None` for other values.
    pub(crate) fn string(&self) -> Option<Span> {
        (self.value == Value::String).then(|| Span::from(self.span.start + 1..self.span.end - 1))
    }
}

impl<'t> Tree<'t> {
    /// Returns the most values of `text`: each but the first follows a comma or a bracket.
    pub(super) fn most_nodes(text: &str) -> usize {
        memchr::memchr3_iter(b',', b'[', b'{', text.as_bytes()).count().saturating_add(1)
    }

    /// Reads `text`.
    pub(crate) fn parse(text: &'t str) -> Result<Self, NotJson> {
        let mut reader = Reader { bytes: text.as_bytes(), at: 0 };
        let mut nodes = Vec::new();
        // Reserved at once, since a growing list is copied, and the memory then holds both. Without enough memory, it
        // grows.
        let _ = nodes.try_reserve_exact(Self::most_nodes(text));
        let mut tree = Tree { text, nodes };
        let mut open: Vec<usize> = Vec::new();
        let mut key = None;
        loop {
            reader.skip_space();
            let index = tree.nodes.len();
            let start = reader.at;
            let value = reader.value()?;
            tree.nodes.push(Node {
                key,
                value,
                span: Span::from(start..reader.at),
                end: index + 1,
            });
            if matches!(value, Value::Object | Value::Array) {
                open.push(index);
            }
            key = loop {
                reader.skip_space();
                let Some(&innermost) = open.last() else {
                    return match reader.byte() {
                        None => Ok(tree),
                        Some(_) => reader.wrong(),
                    };
                };
                let is_empty = tree.nodes.len() == innermost + 1;
                let is_object = tree.value(innermost) == Value::Object;
                if reader.take(if is_object { b'}' } else { b']' }) {
                    let end = tree.nodes.len();
                    if let Some(node) = tree.nodes.get_mut(innermost) {
                        (node.end, node.span.end) = (end, reader.at);
                    }
                    open.pop();
                    continue;
                }
                if !is_empty {
                    reader.expect(b',')?;
                    reader.skip_space();
                }
                if !is_object {
                    break None;
                }
                let name = reader.string()?;
                reader.skip_space();
                reader.expect(b':')?;
                break Some(name);
            };
        }
    }

    fn value(&self, index: usize) -> Value {
        self.node(index).map_or(Value::Other, |node| node.value)
    }

    /// Returns the value at `index`; the whole text's own is at 0.
    pub(crate) fn node(&self, index: usize) -> Option<&Node> {
        self.nodes.get(index)
    }

    /// Returns the index after the last value within the one at `index`.
    pub(super) fn end(&self, index: usize) -> usize {
        self.node(index).map_or(index, |node| node.end)
    }

    /// Returns the elements of an array or the values of an object's members, in source order.
    pub(crate) fn children(&self, index: usize) -> impl Iterator<Item = (usize, &Node)> {
        let end = self.end(index);
        let mut next = index + 1;
        std::iter::from_fn(move || {
            let at = next;
            let node = self.node(at).filter(|_| at < end)?;
            next = node.end;
            Some((at, node))
        })
    }

    /// Returns the value at `index` and all within it, in source order.
    pub(super) fn within(&self, index: usize) -> &[Node] {
        self.nodes.get(index..self.end(index)).unwrap_or_default()
    }

    /// Returns true if `node` is the value of a member of that name, escapes in the name resolved.
    pub(super) fn is_named(&self, node: &Node, name: &str) -> bool {
        node.key.is_some_and(|key| {
            let source = key.of_str(self.text);
            source == name || (source.contains('\\') && string::decode(source).as_str() == name)
        })
    }

    /// Returns the string without quotes at `place`, escapes resolved.
    pub(super) fn decoded(&self, place: Span) -> String {
        string::decode(place.of_str(self.text)).into_string()
    }

    /// Returns the member that `JSON.parse` keeps: the last one of that name (ECMA-262, section 25.5.1).
    pub(crate) fn member(&self, object: usize, name: &str) -> Option<(usize, &Node)> {
        self.children(object).filter(|(_, node)| self.is_named(node, name)).last()
    }

    /// Returns all values at `path`, such as `shortcuts[].icons[].src`: names of members with `.` between them, `[]`
    /// for the elements of an array, `*` for the members of an object. All members of the same name count.
    pub(super) fn at_path(&self, path: &str) -> Vec<&Node> {
        self.indexes_at(path).into_iter().filter_map(|at| self.node(at)).collect()
    }

    /// Returns the indexes of [`Tree::at_path`].
    pub(super) fn indexes_at(&self, path: &str) -> Vec<usize> {
        let mut found = vec![0];
        for step in path.split_inclusive("[]").flat_map(|part| part.split('.')) {
            let (name, elements) = match step.strip_suffix("[]") {
                Some(name) => (name, true),
                None => (step, false),
            };
            if !name.is_empty() {
                found = self
                    .step(&found, Value::Object, |node| name == "*" || self.is_named(node, name));
            }
            if elements {
                found = self.step(&found, Value::Array, |_| true);
            }
        }
        found
    }

    fn step(&self, from: &[usize], through: Value, takes: impl Fn(&Node) -> bool) -> Vec<usize> {
        from.iter()
            .filter(|&&index| self.value(index) == through)
            .flat_map(|&index| self.children(index))
            .filter(|(_, node)| takes(node))
            .map(|(index, _)| index)
            .collect()
    }
}

struct Reader<'t> {
    bytes: &'t [u8],
    at: usize,
}

impl Reader<'_> {
    fn byte(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn wrong<T>(&self) -> Result<T, NotJson> {
        Err(NotJson::Syntax { at: self.at })
    }

    fn skip_space(&mut self) {
        self.skip_while(|b| matches!(b, b' ' | b'\t' | b'\n' | b'\r'));
    }

    /// Returns how many bytes were skipped.
    fn skip_while(&mut self, skip: impl Fn(u8) -> bool) -> usize {
        let start = self.at;
        while self.byte().is_some_and(&skip) {
            self.at += 1;
        }
        self.at - start
    }

    fn take(&mut self, byte: u8) -> bool {
        let is_it = self.byte() == Some(byte);
        self.at += usize::from(is_it);
        is_it
    }

    fn expect(&mut self, byte: u8) -> Result<(), NotJson> {
        if self.take(byte) { Ok(()) } else { self.wrong() }
    }

    /// Reads a value that holds no others, or the opening bracket of one that does.
    fn value(&mut self) -> Result<Value, NotJson> {
        const FIXED: &[(&[u8], Value)] = &[
            (b"{", Value::Object),
            (b"[", Value::Array),
            (b"true", Value::Other),
            (b"false", Value::Other),
            (b"null", Value::Other),
        ];
        match self.byte() {
            Some(b'"') => self.string().map(|_| Value::String),
            Some(b'-' | b'0'..=b'9') => self.number().map(|()| Value::Other),
            _ => {
                let rest = self.bytes.get(self.at..).unwrap_or_default();
                let found = FIXED.iter().find(|(token, _)| rest.starts_with(token));
                let Some((token, value)) = found else { return self.wrong() };
                self.at += token.len();
                Ok(*value)
            }
        }
    }

    /// ECMA-404, section 8.
    fn number(&mut self) -> Result<(), NotJson> {
        self.take(b'-');
        if !self.take(b'0') {
            self.digits()?;
        }
        if self.take(b'.') {
            self.digits()?;
        }
        if self.take(b'e') || self.take(b'E') {
            let _ = self.take(b'+') || self.take(b'-');
            self.digits()?;
        }
        Ok(())
    }

    fn digits(&mut self) -> Result<(), NotJson> {
        match self.skip_while(|b| b.is_ascii_digit()) {
            0 => self.wrong(),
            _ => Ok(()),
        }
    }

    /// Reads a string (ECMA-404, section 9); returns its span without the quotes.
    fn string(&mut self) -> Result<Span, NotJson> {
        self.expect(b'"')?;
        let start = self.at;
        loop {
            self.skip_while(|b| !matches!(b, 0..=0x1F | b'"' | b'\\'));
            match self.byte() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(Span::from(start..self.at - 1));
                }
                Some(b'\\') => self.escape()?,
                _ => return self.wrong(),
            }
        }
    }

    fn escape(&mut self) -> Result<(), NotJson> {
        self.at += 1;
        match self.byte() {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => self.at += 1,
            Some(b'u') => {
                self.at += 1;
                for _ in 0..4 {
                    match self.byte() {
                        Some(b) if b.is_ascii_hexdigit() => self.at += 1,
                        _ => return self.wrong(),
                    }
                }
            }
            _ => return self.wrong(),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_syntax_is_that_of_json_parse() {
        for (text, expected) in [
            ("0", Ok(())),
            (" \t\r\n{ } \n", Ok(())),
            (r#"{"a":[1,-0.5e+3,1E9,true,false,null,""]}"#, Ok(())),
            (r#"{"a":1,"a":2}"#, Ok(())),
            ("1e999", Ok(())),
            ("\"\u{7f}\u{2028}\\ud800\"", Ok(())),
            ("", Err(0)),
            (" ", Err(1)),
            ("{", Err(1)),
            ("[1,]", Err(3)),
            ("[,1]", Err(1)),
            ("[1 2]", Err(3)),
            ("[1}", Err(2)),
            (r#"{"a":1,}"#, Err(7)),
            (r#"{"a" 1}"#, Err(5)),
            (r#"{"a"}"#, Err(4)),
            ("{a:1}", Err(1)),
            ("{'a':1}", Err(1)),
            ("{}{}", Err(2)),
            ("1 // no", Err(2)),
            ("01", Err(1)),
            ("+1", Err(0)),
            (".5", Err(0)),
            ("5.", Err(2)),
            ("-", Err(1)),
            ("1e", Err(2)),
            ("NaN", Err(0)),
            ("nul", Err(0)),
            ("truex", Err(4)),
            ("\"a\tb\"", Err(2)),
            (r#""\x41""#, Err(2)),
            (r#""\u12g4""#, Err(5)),
            (r#""abc"#, Err(4)),
            (r#""abc\"#, Err(5)),
            ("\u{FEFF}{}", Err(0)),
            ("\u{A0}{}", Err(0)),
            ("\u{C}{}", Err(0)),
        ] {
            let read = Tree::parse(text).map(|_| ());
            assert_eq!(read, expected.map_err(|at| NotJson::Syntax { at }), "{text}");
        }
    }

    #[test]
    fn nesting_costs_no_stack() {
        let depth = 1_000_000;
        let arrays = "[".repeat(depth) + &"]".repeat(depth);
        assert_eq!(Tree::parse(&arrays).map(|tree| tree.end(0)), Ok(depth));
        let objects = r#"{"a":"#.repeat(depth) + "1" + &"}".repeat(depth);
        assert_eq!(Tree::parse(&objects).map(|tree| tree.end(0)), Ok(depth + 1));
        let open = "[".repeat(depth);
        assert!(Tree::parse(&open).is_err());
    }

    #[test]
    fn paths_find_values() {
        let text = r#"{"a":{"b":"1","c":["2",{"d":"3"},["4"]]},"\u0061":{"b":"5"},"e":"6"}"#;
        let tree = Tree::parse(text).unwrap();
        for (path, expected) in [
            ("a.b", vec!["1", "5"]),
            ("a.*", vec!["1", "5"]),
            ("a.c[]", vec!["2"]),
            ("a.c[].d", vec!["3"]),
            ("a.c[][]", vec!["4"]),
            ("*", vec!["6"]),
            ("*.b", vec!["1", "5"]),
            ("e.f", vec![]),
            ("e[]", vec![]),
        ] {
            let found: Vec<&str> = tree
                .at_path(path)
                .into_iter()
                .filter_map(|node| Some(&text[node.string()?.range()]))
                .collect();
            assert_eq!(found, expected, "{path}");
        }
        let last = tree.member(0, "a").map(|(_, node)| node.span);
        assert_eq!(last.map(|span| &text[span.range()]), Some(r#"{"b":"5"}"#));
    }
}
