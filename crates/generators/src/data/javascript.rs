//! JavaScript and TypeScript, as far as a program writes data: literals of objects and lists, with any code around them.
//! A value that the program computes has no node.

use std::borrow::Cow;

use super::node::{NESTING, Node, Scalar, Step};
use super::scalar::{self, Quoting, ScalarSyntax};
use rehref_url::Span;

/// See [`super::nodes`]. Code that is nested too deeply has only the nodes before it.
pub(super) fn nodes(text: &str, mut found: impl FnMut(&[Step], Node<'_>)) {
    let mut walk = Walk {
        open: vec![Open { bracket: '{', at_name: true, is_conditional: false }],
        ..Walk::default()
    };
    walk.path.push(None);
    let mut tokens = Tokens { text, at: 0, follows_value: false }.peekable();
    while let Some(token) = tokens.next() {
        let next = tokens.peek().and_then(|it| it.mark);
        if let Some(mark) = token.mark {
            walk.mark(mark);
        } else if next == Some(':') && walk.at_name() {
            walk.name(&token.value(text));
            found(&walk.steps(), Node::Name(token.inner()));
        } else if next == Some('(') && token.value(text).starts_with("require") {
            // The path of a module stands for the module.
            walk.end_name();
        } else {
            let is_whole =
                tokens.peek().is_none() || matches!(next, Some(',' | '}' | ']' | ')' | ';'));
            if std::mem::take(&mut walk.at_value) && is_whole {
                let (value, string) = (token.value(text), token.string());
                found(&walk.steps(), Node::Scalar { value, whole: token.span, string });
            }
            walk.end_name();
        }
        if walk.open.len() > NESTING {
            return;
        }
    }
}

/// A bracket that is open.
struct Open {
    bracket: char,
    /// Whether the name of a member may follow.
    at_name: bool,
    /// Whether the value of a member depends on a condition.
    is_conditional: bool,
}

#[derive(Default)]
struct Walk {
    open: Vec<Open>,
    /// The step into each open bracket; `None` where there is none, as in a call.
    path: Vec<Option<Step>>,
    /// Whether the last token is the name of a member.
    after_name: bool,
    /// Whether a value begins here.
    at_value: bool,
}

impl Walk {
    fn steps(&self) -> Vec<Step> {
        self.path.iter().flatten().cloned().collect()
    }

    fn at_name(&self) -> bool {
        self.open.last().is_some_and(|open| open.at_name)
    }

    fn end_name(&mut self) {
        let is_root = self.open.len() == 1;
        if let Some(open) = self.open.last_mut() {
            open.at_name &= is_root;
        }
    }

    fn name(&mut self, name: &str) {
        self.step(Some(Step::Member(name.into())));
        self.end_name();
        self.after_name = true;
    }

    fn step(&mut self, step: Option<Step>) {
        if let Some(last) = self.path.last_mut() {
            *last = step;
        }
    }

    fn mark(&mut self, mark: char) {
        let is_list = self.open.last().is_some_and(|open| open.bracket == '[');
        match mark {
            '{' | '[' | '(' => {
                self.end_name();
                // A program chooses the list: its items are not those of the value.
                let is_chosen = self.open.last().is_some_and(|open| open.is_conditional);
                self.open.push(Open { bracket: mark, at_name: mark == '{', is_conditional: false });
                self.path.push((mark == '[' && !is_chosen).then_some(Step::Item(0)));
                // A bracket around a value changes nothing.
                self.at_value = mark == '[' || mark == '(' && self.at_value;
                return;
            }
            '}' | ']' | ')' if self.open.len() > 1 => {
                self.open.pop();
                self.path.pop();
                self.at_statement(mark == '}');
            }
            ',' if is_list => {
                let number = match self.path.last() {
                    Some(Some(Step::Item(number))) => number + 1,
                    _ => 0,
                };
                self.step(Some(Step::Item(number)));
                self.at_value = true;
                return;
            }
            ',' | ';' => {
                self.set_conditional(false);
                self.at_statement(true);
                self.step(None);
            }
            ':' => {
                self.at_value = std::mem::take(&mut self.after_name);
                return;
            }
            '?' => self.set_conditional(true),
            // What a name before it had is its type.
            '=' if self.open.len() == 1 => self.step(None),
            _ => self.end_name(),
        }
        self.at_value = false;
    }

    /// Says whether the value of the member in an object depends on a condition.
    fn set_conditional(&mut self, is_conditional: bool) {
        if let Some(open) = self.open.last_mut().filter(|open| open.bracket == '{') {
            open.is_conditional = is_conditional;
        }
    }

    /// Begins a statement or a member, if that may begin here.
    fn at_statement(&mut self, may_begin: bool) {
        if let Some(open) = self.open.last_mut().filter(|open| open.bracket == '{') {
            open.at_name = may_begin || open.at_name;
        }
    }
}

/// A token: a word, a text in quotes, or a mark.
struct Token {
    /// The bytes, with the quotes.
    span: Span,
    mark: Option<char>,
    quote: Option<u8>,
}

impl Token {
    fn quoting(&self) -> Option<Quoting> {
        match self.quote? {
            b'"' => Some(Quoting::YamlDouble),
            b'\'' => Some(Quoting::ScriptSingle),
            _ => None,
        }
    }

    /// The bytes without the quotes.
    fn inner(&self) -> Span {
        match self.quote {
            Some(_) => Span::from(self.span.start + 1..self.span.end - 1),
            None => self.span,
        }
    }

    fn value<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let raw = self.inner().of_str(text);
        match self.quoting() {
            Some(quoting) if raw.contains('\\') => {
                scalar::decode(raw.as_bytes(), ScalarSyntax::of_text(quoting)).into_string().into()
            }
            _ => raw.into(),
        }
    }

    fn string(&self) -> Option<Scalar> {
        Some(Scalar { span: self.inner(), quoting: self.quoting()? })
    }
}

struct Tokens<'t> {
    text: &'t str,
    at: usize,
    /// Whether a slash here is a division.
    follows_value: bool,
}

impl Tokens<'_> {
    /// The byte after the white space and comments from `at` on.
    fn after_space(&self, mut at: usize) -> usize {
        loop {
            let rest = self.text.get(at..).unwrap_or_default();
            let trimmed = rest.trim_start();
            at += rest.len() - trimmed.len();
            at += match trimmed.get(..2) {
                Some("//") => trimmed.find('\n').unwrap_or(trimmed.len()),
                Some("/*") => trimmed.find("*/").map_or(trimmed.len(), |end| end + 2),
                _ => return at,
            };
        }
    }
}

/// Returns the last byte of the text in `quote`s that starts at `start`.
pub(crate) fn quoted_end(bytes: &[u8], start: usize, quote: u8) -> Option<usize> {
    let mut is_escaped = false;
    let rest = bytes.get(start + 1..)?;
    let end = start
        + 1
        + rest.iter().position(|byte| {
            let is_end = *byte == quote && !is_escaped || *byte == b'\n' && quote != b'`';
            is_escaped = *byte == b'\\' && !is_escaped;
            is_end
        })?;
    (bytes.get(end) == Some(&quote)).then_some(end)
}

impl Iterator for Tokens<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        let start = self.after_space(self.at);
        let rest = self.text.get(start..)?;
        let first = rest.chars().next()?;
        let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '@' | '#');
        let quoted = match first {
            '"' | '\'' | '`' => quoted_end(self.text.as_bytes(), start, first as u8)
                .map(|end| (end + 1, first as u8)),
            // A regular expression is not a value that anyone names.
            '/' if !self.follows_value => {
                quoted_end(self.text.as_bytes(), start, b'/').map(|end| (end + 1, b'/'))
            }
            _ => None,
        };
        let (end, mark) = match quoted {
            Some((end, _)) => (end, None),
            None if is_word(first) => {
                (start + rest.find(|c| !is_word(c) && c != '.').unwrap_or(rest.len()), None)
            }
            None => (start + first.len_utf8(), Some(first)),
        };
        self.follows_value = matches!(mark, None | Some(')' | ']' | '}'));
        self.at = end;
        let quote = quoted.map(|(_, quote)| quote);
        Some(Token { span: Span::from(start..end), mark, quote })
    }
}

#[cfg(test)]
mod tests {
    use crate::data::tests::strings;
    use crate::data::{DataLanguage, read};

    #[test]
    fn literals_of_a_program_are_data() {
        for (text, expected) in [
            (
                "// @ts-check\nimport x from 'y';\nexport default defineConfig({\n  a: 'b', /* c: 'd', */\n  \"e\": {f: [\"g\", {h: 'i\\'j'}]},\n})\n",
                &[".a=b", ".e.f[]=g", ".e.f[].h=i\\'j"][..],
            ),
            (
                "const c: Config = {\n  a: process.env.X || 'b',\n  d: d ? 'e' : 'f',\n  g: 'h' + 'i',\n  j: [\n    ['k', {l: 'm'}],\n    require('n'),\n  ],\n  o,\n  ...p,\n  q() { return {r: 's'}; },\n  t: `u`,\n  v: /w'/,\n  x: ({y: 'z'}),\n};\n",
                &[".j[][]=k", ".j[][].l=m", ".j[]=n", ".r=s", ".x.y=z"],
            ),
            ("{a: 'b\n, c: 'd'}", &[".c=d"]),
            (
                "{a: b ? ['c', d] : undefined, e: ['f'], g: h ? {i: ['j']} : {}}",
                &[".a=c", ".e[]=f", ".g.i[]=j"],
            ),
            ("a: 1 / 2, b: 'c/d'", &[".b=c/d"]),
            ("}}])) {a: 'b'}", &[".a=b"]),
            ("'", &[]),
        ] {
            assert_eq!(strings(text, DataLanguage::JavaScript), expected, "{text}");
        }
        let deep = "[".repeat(100_000) + "'a'";
        assert!(strings(&deep, DataLanguage::JavaScript).is_empty());
    }

    #[test]
    fn other_values_are_read_as_they_are() {
        let mut values = Vec::new();
        let text = "{a: true, b: 1.5, c: `d`, e: f.g, h: `${i}`, j: k()}";
        let result = read(text, DataLanguage::JavaScript, |_, value| values.push(value.to_owned()));
        assert_eq!(result, Ok(()));
        assert_eq!(values, ["true", "1.5", "d", "f.g", "${i}"]);
    }
}
