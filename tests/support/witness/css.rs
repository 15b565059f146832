//! The URLs of a style sheet, by a tokenizer after CSS Syntax Level 3.

use std::ops::Range;

/// A URL of a style sheet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CssUrl {
    /// Where it is spelled, without quotes and without white space around.
    pub(super) span: Range<usize>,
    /// What it says, escapes decoded.
    pub(super) value: String,
    /// False where a tool may take it for something else.
    pub(super) certain: bool,
}

/// What encloses the tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Enclosure {
    /// `url(` with a string, `src(`: the string is a URL.
    Url,
    /// `image-set(`: each string is a URL.
    ImageSet,
    /// `image(`: as yet nobody's.
    Image,
    Parentheses,
    Brackets,
    Braces,
}

/// Which at-rule's prelude it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Prelude {
    None,
    /// Right after `@import`.
    ImportStart,
    Namespace,
    /// `@document`: URLs to be compared with.
    Document,
}

pub(super) fn css_urls(text: &str) -> Vec<CssUrl> {
    let mut reader =
        Reader { text, at: 0, enclosures: Vec::new(), prelude: Prelude::None, urls: Vec::new() };
    while reader.at < text.len() {
        reader.token();
    }
    reader.urls
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    enclosures: Vec<Enclosure>,
    prelude: Prelude,
    urls: Vec<CssUrl>,
}

impl Reader<'_> {
    fn peek(&self, ahead: usize) -> Option<char> {
        self.text[self.at..].chars().nth(ahead)
    }

    fn looking_at(&self, what: &str) -> bool {
        self.text[self.at..].starts_with(what)
    }

    fn skip(&mut self) -> Option<char> {
        let next = self.peek(0)?;
        self.at += next.len_utf8();
        Some(next)
    }

    fn skip_spaces(&mut self) {
        while self.peek(0).is_some_and(is_css_space) {
            self.at += 1;
        }
    }

    fn token(&mut self) {
        let Some(next) = self.peek(0) else { return };
        if is_css_space(next) {
            return self.skip_spaces();
        }
        if self.looking_at("/*") {
            let end = self.text[self.at + 2..].find("*/");
            self.at = end.map_or(self.text.len(), |end| self.at + 2 + end + 2);
            return;
        }
        let prelude = self.prelude;
        if self.prelude == Prelude::ImportStart {
            self.prelude = Prelude::None;
        }
        match next {
            '"' | '\'' => self.string_token(prelude),
            '#' | '@' => {
                self.at += 1;
                let named = match next {
                    '#' => self.peek(0).is_some_and(is_name) || self.at_escape(0),
                    _ => self.at_name_start(),
                };
                if named {
                    let name = self.name();
                    if next == '@' {
                        self.prelude = match name.to_ascii_lowercase().as_str() {
                            "import" => Prelude::ImportStart,
                            "namespace" => Prelude::Namespace,
                            "document" | "-moz-document" => Prelude::Document,
                            _ => Prelude::None,
                        };
                    }
                }
            }
            '(' => self.open(Enclosure::Parentheses),
            '[' => self.open(Enclosure::Brackets),
            '{' => {
                self.prelude = Prelude::None;
                self.open(Enclosure::Braces);
            }
            ')' => self
                .close(|enclosure| !matches!(enclosure, Enclosure::Brackets | Enclosure::Braces)),
            ']' => self.close(|enclosure| enclosure == Enclosure::Brackets),
            '}' => self.close(|enclosure| enclosure == Enclosure::Braces),
            ';' => {
                self.at += 1;
                self.prelude = Prelude::None;
            }
            _ if self.at_number() => self.number(),
            _ if self.looking_at("-->") => self.at += 3,
            _ if self.at_name_start() => self.identifier(prelude),
            _ => {
                self.skip();
            }
        }
    }

    fn open(&mut self, enclosure: Enclosure) {
        self.at += 1;
        self.enclosures.push(enclosure);
    }

    fn close(&mut self, closes: impl Fn(Enclosure) -> bool) {
        self.at += 1;
        if self.enclosures.last().is_some_and(|&last| closes(last)) {
            self.enclosures.pop();
        }
    }

    fn at_escape(&self, ahead: usize) -> bool {
        self.peek(ahead) == Some('\\') && self.peek(ahead + 1).is_some_and(|next| !is_newline(next))
    }

    fn at_name_start(&self) -> bool {
        match self.peek(0) {
            Some('-') => {
                self.peek(1).is_some_and(|next| is_name_start(next) || next == '-')
                    || self.at_escape(1)
            }
            Some('\\') => self.at_escape(0),
            next => next.is_some_and(is_name_start),
        }
    }

    fn at_number(&self) -> bool {
        let digit = |ahead| self.peek(ahead).is_some_and(|next| next.is_ascii_digit());
        match self.peek(0) {
            Some('+' | '-') => digit(1) || self.peek(1) == Some('.') && digit(2),
            Some('.') => digit(1),
            _ => digit(0),
        }
    }

    /// A number with its unit, in which `url` means nothing.
    fn number(&mut self) {
        self.at += 1;
        while self.peek(0).is_some_and(|next| next.is_ascii_digit())
            || self.peek(0) == Some('.') && self.peek(1).is_some_and(|next| next.is_ascii_digit())
        {
            self.at += 1;
        }
        if self.at_name_start() {
            self.name();
        }
    }

    fn name(&mut self) -> String {
        let mut name = String::new();
        loop {
            if self.at_escape(0) {
                self.at += 1;
                name.push(self.escape());
            } else if let Some(next) = self.peek(0).filter(|&next| is_name(next)) {
                self.at += next.len_utf8();
                name.push(next);
            } else {
                return name;
            }
        }
    }

    /// What an escape means, behind its backslash.
    fn escape(&mut self) -> char {
        let digits = self.text[self.at..].bytes().take(6).take_while(u8::is_ascii_hexdigit).count();
        if digits == 0 {
            return match self.skip() {
                None | Some('\0') => '\u{FFFD}',
                Some(character) => character,
            };
        }
        let code = u32::from_str_radix(&self.text[self.at..self.at + digits], 16);
        self.at += digits;
        if self.looking_at("\r\n") {
            self.at += 2;
        } else if self.peek(0).is_some_and(is_css_space) {
            self.at += 1;
        }
        code.ok()
            .and_then(char::from_u32)
            .filter(|&character| character != '\0')
            .unwrap_or('\u{FFFD}')
    }

    /// The string that begins here: where it is spelled and what it says; nothing for a bad one.
    fn string(&mut self) -> Option<(Range<usize>, String)> {
        let quote = self.skip();
        let start = self.at;
        let mut value = String::new();
        loop {
            let end = self.at;
            match self.peek(0) {
                None => return Some((start..end, value)),
                next if next == quote => {
                    self.at += 1;
                    return Some((start..end, value));
                }
                Some(next) if is_newline(next) => return None,
                Some('\\') => {
                    self.at += 1;
                    if self.looking_at("\r\n") {
                        self.at += 2;
                    } else if self.peek(0).is_some_and(is_newline) {
                        self.at += 1;
                    } else if self.peek(0).is_some() {
                        value.push(self.escape());
                    }
                }
                Some('\0') => {
                    self.at += 1;
                    value.push('\u{FFFD}');
                }
                Some(next) => {
                    self.at += next.len_utf8();
                    value.push(next);
                }
            }
        }
    }

    fn string_token(&mut self, prelude: Prelude) {
        let Some((span, value)) = self.string() else { return };
        let certain = match self.enclosures.last() {
            _ if prelude == Prelude::Namespace => return,
            // An @import within a block is none.
            enclosure if prelude == Prelude::ImportStart => enclosure.is_none(),
            Some(Enclosure::Url | Enclosure::ImageSet) => prelude != Prelude::Document,
            Some(Enclosure::Image) => false,
            _ => return,
        };
        self.urls.push(CssUrl { span, value, certain });
    }

    fn identifier(&mut self, prelude: Prelude) {
        let name = self.name().to_ascii_lowercase();
        if self.peek(0) != Some('(') {
            return;
        }
        self.at += 1;
        let enclosure = match name.as_str() {
            "url" => {
                let behind = self.at;
                self.skip_spaces();
                if !matches!(self.peek(0), Some('"' | '\'')) {
                    self.at = behind;
                    return self.unquoted(prelude);
                }
                Enclosure::Url
            }
            "src" => Enclosure::Url,
            "image-set" | "-webkit-image-set" => Enclosure::ImageSet,
            "image" => Enclosure::Image,
            _ => Enclosure::Parentheses,
        };
        self.enclosures.push(enclosure);
    }

    /// The rest of `url(` without quotes.
    fn unquoted(&mut self, prelude: Prelude) {
        self.skip_spaces();
        let start = self.at;
        let mut value = String::new();
        let end = loop {
            let end = self.at;
            match self.peek(0) {
                None => break end,
                Some(')') => {
                    self.at += 1;
                    break end;
                }
                Some(next) if is_css_space(next) => {
                    self.skip_spaces();
                    match self.peek(0) {
                        None => {}
                        Some(')') => self.at += 1,
                        Some(_) => return self.bad_url(),
                    }
                    break end;
                }
                Some('"' | '\'' | '(' | '\x01'..='\x08' | '\x0B' | '\x0E'..='\x1F' | '\x7F') => {
                    return self.bad_url();
                }
                Some('\\') if !self.at_escape(0) => return self.bad_url(),
                Some('\\') => {
                    self.at += 1;
                    value.push(self.escape());
                }
                Some('\0') => {
                    self.at += 1;
                    value.push('\u{FFFD}');
                }
                Some(next) => {
                    self.at += next.len_utf8();
                    value.push(next);
                }
            }
        };
        if prelude != Prelude::Namespace {
            self.urls.push(CssUrl {
                span: start..end,
                value,
                certain: prelude != Prelude::Document,
            });
        }
    }

    fn bad_url(&mut self) {
        loop {
            if self.at_escape(0) {
                self.at += 1;
                self.escape();
            } else if matches!(self.skip(), None | Some(')')) {
                return;
            }
        }
    }
}

fn is_newline(character: char) -> bool {
    matches!(character, '\n' | '\r' | '\x0C')
}

fn is_css_space(character: char) -> bool {
    is_newline(character) || matches!(character, ' ' | '\t')
}

fn is_name_start(character: char) -> bool {
    character.is_ascii_alphabetic()
        || character == '_'
        || !character.is_ascii()
        || character == '\0'
}

fn is_name(character: char) -> bool {
    is_name_start(character) || character.is_ascii_digit() || character == '-'
}

mod tests {
    use super::*;

    #[track_caller]
    fn reads(css: &str, expected: &[&str]) {
        let urls = css_urls(css);
        let values: Vec<&str> = urls.iter().map(|url| url.value.as_str()).collect();
        assert_eq!(values, expected, "{css}");
    }

    #[test]
    fn finds_urls() {
        reads("a{b:url(x.png) url( 'y' ) URL(\"z\")}", &["x.png", "y", "z"]);
        reads("a{b:u\\72l(x) \\75 rl('y')}", &["x", "y"]);
        reads("url(\n x\t)url(", &["x", ""]);
        reads("@import 'a';@IMPORT/**/ \"b\" layer(x);@import url(c)", &["a", "b", "c"]);
        reads("@namespace 'a';@namespace x url(b);@namespace url('c');d{e:url(f)}", &["f"]);
        reads(
            "image-set('a' 1x, url(b) type('image/avif'), \"c\") -webkit-image-set('d' 2x)",
            &["a", "b", "c", "d"],
        );
        reads("src('a') src(var(--b)) format('c') local('d')", &["a"]);
        reads("a{content:'url(x)'}/* url(y) */ b{c:url(z)}", &["z"]);
        reads("10url(x) #url(y) @url(z) -url(w) 1e3url(v)", &[]);
        reads("--x:url(a);--url(b)", &["a"]);
        reads("<!-- url(a) -->url(b)", &["a", "b"]);
        reads("@media x{url(a)}@font-face{src:url(b)format('c')}", &["a", "b"]);
        reads("filter:progid:X.Y(src='x',sizingMethod='s')", &[]);
    }

    #[test]
    fn decodes_escapes() {
        reads(r"url(a\29 b) url(\(c\)) url('d\'e') url(\66 f)", &["a)b", "(c)", "d'e", "ff"]);
        reads("url('a\\\nb') url(\"a\\\r\nb\")", &["ab", "ab"]);
        reads(r"url(\0) url(\D800x) url(\110000 y)", &["\u{FFFD}", "\u{FFFD}x", "\u{FFFD}y"]);
        reads(r"url(\000061b) url(\0000611)", &["ab", "a1"]);
        reads("url('x", &["x"]);
        reads("url(x\\", &["x\u{FFFD}"][..0]);
    }

    #[test]
    fn bad_ones_are_none() {
        reads("url(a b) url(c)", &["c"]);
        reads("url(a'b) url(c)", &["c"]);
        reads("url(a(b)c) url(d)", &["d"]);
        reads("url(a\\\nb) url(d)", &["d"]);
        reads("url(a \\) b) url(d)", &["d"]);
        reads("x{y:'a\nb:url(c)}", &["c"]);
    }
}
