//! CSS: the URLs of a style sheet, a `style` attribute or a presentation attribute (CSS Syntax
//! Level 3, CSS Values and Units Level 4 and 5, CSS Cascade, CSS Images Level 4).
//!
//! One walk over the tokens serves all of these. The function or at-rule around a token decides
//! whether it is a URL.
//!
//! The `src='...'` of Internet Explorer's `AlphaImageLoader(...)` is skipped: no standard defines it, no
//! other browser reads it, and even in a style sheet's file it is resolved against the document.

mod link_selectors;
mod spelling;
#[cfg(test)]
mod tests;

use std::collections::HashSet;

use cssparser::{Parser, Token};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

use crate::ascii::starts_with_ignore_case;
pub use link_selectors::link_selectors;
use rehref_generators::Text;
use rehref_url::Span;
pub use spelling::{CssSyntax, escape};

/// A URL in CSS.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CssUrl {
    /// Bytes of the URL's raw text, without its quotes, the parentheses and the white space around
    /// an unquoted one.
    pub span: Span,
    /// The raw text decoded (CSS Syntax Level 3 sections 3.3 and 4.3.5 to 4.3.7), with a map back
    /// to offsets from the start of `span`.
    ///
    /// A backslash and newline in a string decode to nothing: they are outside every span.
    pub text: Text,
    /// The syntax of the raw text.
    pub syntax: CssSyntax,
    /// The name of the custom property (CSS Variables) whose value it is in. Such a value is only tokens
    /// until a `var()` puts it into another property: browsers resolve it against the style sheet of that
    /// property, which may be any style sheet.
    pub custom_property: Option<String>,
}

/// The tokens that are URLs directly within a function, a block or the prelude of an at-rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expects {
    /// `url()` and the like, but no string.
    Urls,
    /// A string too, if it comes first; modifiers follow.
    FirstString,
    /// Every string too.
    Strings,
    /// `@import`: the first token, a string, `url()` or `src()`, and nothing after it.
    Import,
    /// Nothing, at any depth.
    Nothing,
}

const IMPORT: &str = "import";
const VAR: &str = "var";

/// The functions with URLs as strings, and the expectation within each.
const FUNCTIONS: &[(&str, Expects)] = &[
    // CSS Values and Units Level 4 section 4.5.
    ("url", Expects::FirstString),
    ("src", Expects::FirstString),
    // CSS Images Level 4, "image-set() notation" and "image() notation". The string of
    // `type()` in it is not a URL.
    ("image-set", Expects::Strings),
    ("-webkit-image-set", Expects::Strings),
    ("image", Expects::Strings),
];

/// Functions that are replaced by their content, for example by a fallback (CSS Values and
/// Units Level 5, "arbitrary substitution functions"): `src(var(--logo, "a.svg"))`. Not `attr()`,
/// which must not yield a URL.
const SUBSTITUTIONS: &[&str] = &[VAR, "env", "if"];

/// At-rules with special rules for URLs in their prelude, before the block or semicolon. In all others
/// only `url()` and the like are URLs.
const AT_RULES: &[(&str, Expects)] = &[
    // CSS Cascade Level 5 section 2. At any place: browsers ignore an `@import` that comes too late,
    // but a bundler may move it to the front.
    (IMPORT, Expects::Import),
    // A name that looks like a URL (CSS Namespaces Level 3 section 2).
    ("namespace", Expects::Nothing),
    // Declarations to test, not to apply (CSS Conditional Rules Level 3 to 5).
    ("supports", Expects::Nothing),
    ("container", Expects::Nothing),
    ("when", Expects::Nothing),
    ("else", Expects::Nothing),
    // A pattern for the document's own URL (CSS Conditional Rules Level 3, 2012 draft).
    ("document", Expects::Nothing),
    ("-moz-document", Expects::Nothing),
];

/// Returns the URLs in `css`, in source order: a style sheet, a list of declarations or a value.
pub fn urls(css: &str) -> Vec<CssUrl> {
    urls_and_uses(css, usize::MAX).0
}

/// Returns the URLs in `css`, as [`urls`] has them, and the names of the custom properties in its `var()`. Stops after
/// more than `most` URLs.
pub fn urls_and_uses(css: &str, most: usize) -> (Vec<CssUrl>, HashSet<String>) {
    if !has_relevant_names(css.as_bytes()) {
        return (Vec::new(), HashSet::new());
    }
    let mut walk = Walk {
        css,
        open: Vec::new(),
        urls: Vec::new(),
        declaration: Declaration::Start,
        custom_name: String::new(),
        used: HashSet::new(),
        is_after_var: false,
    };
    let mut parser = Parser::new(css);
    let mut base = 0;
    loop {
        let start = base + parser.position().byte_index();
        let Ok(token) = parser.next_including_whitespace_and_comments() else {
            return (walk.urls, walk.used);
        };
        if walk.urls.len() > most {
            return (walk.urls, walk.used);
        }
        let token = token.clone();
        let end = base + parser.position().byte_index();
        let opens = walk.token(&token, Span::from(start..end));
        if opens {
            // The parser would jump to the end of the block unless recursion parses the block. A parser
            // that starts within the block does not.
            base = end;
            parser = Parser::new(css.get(end..).unwrap_or_default());
        }
    }
}

/// Returns true if the characters of `css` that are not ASCII are all in comments.
pub fn is_ascii_outside_comments(css: &str) -> bool {
    let last = css.rfind(|c: char| !c.is_ascii());
    let Some(from_last) = last.map(|last| css.len() - last) else { return true };
    let mut rest = css;
    while rest.len() >= from_last {
        // A parser of its own for each token: the parser of a token that opens a block jumps to the end of the block.
        let mut parser = Parser::new(rest);
        let is_comment = match parser.next_including_whitespace_and_comments() {
            Ok(token) => matches!(token, Token::Comment(_)),
            Err(_) => return true,
        };
        let end = parser.position().byte_index();
        if !is_comment && !rest.get(..end).is_some_and(str::is_ascii) {
            return false;
        }
        rest = rest.get(end..).unwrap_or_default();
    }
    true
}

/// Returns true if the CSS in the attribute value `raw`, as the source has it, may have a URL or a `var()`.
pub fn may_have_urls(raw: &[u8]) -> bool {
    // A character reference may spell any of the names.
    memchr::memchr(b'&', raw).is_some() || has_relevant_names(raw)
}

/// Returns true if `css` has the start of a `var()` or of a function with a URL, an `@import`, or an escape, which
/// may spell any of them. Most style sheets have none, and need no tokens.
fn has_relevant_names(css: &[u8]) -> bool {
    let functions = FUNCTIONS.iter().map(|(name, _)| *name).chain([VAR]);
    let ends_function = |before: &[u8]| {
        functions.clone().any(|name| {
            let start = before.len().checked_sub(name.len());
            let end = start.and_then(|start| before.get(start..));
            end.is_some_and(|end| end.eq_ignore_ascii_case(name.as_bytes()))
        })
    };
    memchr::memchr3_iter(b'(', b'@', b'\\', css).any(|at| match css.split_at(at) {
        (before, [b'(', ..]) => ends_function(before),
        (_, [b'@', after @ ..]) => starts_with_ignore_case(after, IMPORT.as_bytes()),
        _ => true,
    })
}

/// The end of an open function, block or at-rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Parenthesis,
    SquareBracket,
    CurlyBracket,
    /// A semicolon, a block, or the end of the block around.
    AtRule,
}

#[derive(Clone, Copy, Debug)]
struct Open {
    end: End,
    expects: Expects,
}

struct Walk<'a> {
    css: &'a str,
    open: Vec<Open>,
    urls: Vec<CssUrl>,
    declaration: Declaration,
    /// The name of the last custom property.
    custom_name: String,
    /// The names of the custom properties in `var()`.
    used: HashSet<String>,
    /// Whether the last token is the start of a `var()`.
    is_after_var: bool,
}

/// The state within the current declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Declaration {
    /// Before the first token.
    Start,
    /// A name that begins with two dashes.
    CustomName,
    /// A custom property, and the number of open functions, blocks and at-rules around it.
    Custom(usize),
    /// Another declaration, or the prelude of a rule.
    Other,
}

impl Walk<'_> {
    /// Processes the next token. Returns whether it opens a function or a block.
    fn token(&mut self, token: &Token, range: Span) -> bool {
        let expects = self.expects();
        self.follow_declaration(token);
        self.follow_var(token);
        match token {
            Token::WhiteSpace(_) | Token::Comment(_) => return false,
            Token::QuotedString(value) if !matches!(expects, Expects::Urls | Expects::Nothing) => {
                self.string(range, value);
            }
            Token::UnquotedUrl(value) if expects != Expects::Nothing => self.unquoted(range, value),
            // Not in a function, parentheses or the prelude of another at-rule.
            Token::AtKeyword(name)
                if self.open.last().is_none_or(|open| open.end == End::CurlyBracket) =>
            {
                let expects = lookup(AT_RULES, name).unwrap_or(Expects::Urls);
                let end = End::AtRule;
                self.open.push(Open { end, expects });
                return false;
            }
            Token::Semicolon => self.pop(End::AtRule),
            Token::CloseParenthesis => self.pop(End::Parenthesis),
            Token::CloseSquareBracket => self.pop(End::SquareBracket),
            Token::CloseCurlyBracket => {
                if let [.., around, _] = self.open.as_slice()
                    && around.end == End::CurlyBracket
                {
                    self.pop(End::AtRule);
                }
                self.pop(End::CurlyBracket);
            }
            Token::Function(name) => return self.enter(End::Parenthesis, within(expects, name)),
            Token::ParenthesisBlock => return self.enter(End::Parenthesis, within(expects, "")),
            Token::SquareBracketBlock => {
                return self.enter(End::SquareBracket, within(expects, ""));
            }
            Token::CurlyBracketBlock => {
                self.pop(End::AtRule);
                return self.enter(End::CurlyBracket, within(self.expects(), ""));
            }
            _ => {}
        }
        self.past_first();
        false
    }

    fn follow_declaration(&mut self, token: &Token) {
        let depth = self.open.len();
        self.declaration = match (self.declaration, token) {
            (same, Token::WhiteSpace(_) | Token::Comment(_)) => same,
            (Declaration::Custom(start), Token::Semicolon) if depth > start => return,
            (Declaration::Custom(start), Token::CloseCurlyBracket) if depth > start => return,
            (_, Token::Semicolon | Token::CloseCurlyBracket) => Declaration::Start,
            (same @ Declaration::Custom(_), _) => same,
            (_, Token::CurlyBracketBlock) => Declaration::Start,
            (Declaration::Start, Token::Ident(name)) if name.starts_with("--") => {
                name.as_ref().clone_into(&mut self.custom_name);
                Declaration::CustomName
            }
            (Declaration::CustomName, Token::Colon) => Declaration::Custom(depth),
            _ => Declaration::Other,
        };
    }

    /// Notes the name that a `var()` begins with.
    fn follow_var(&mut self, token: &Token) {
        self.is_after_var = match token {
            Token::Function(name) => name.eq_ignore_ascii_case(VAR),
            Token::WhiteSpace(_) | Token::Comment(_) => self.is_after_var,
            Token::Ident(name) if self.is_after_var => {
                self.used.insert(name.as_ref().to_owned());
                false
            }
            _ => false,
        };
    }

    fn expects(&self) -> Expects {
        self.open.last().map_or(Expects::Urls, |open| open.expects)
    }

    fn enter(&mut self, end: End, expects: Expects) -> bool {
        self.past_first();
        self.open.push(Open { end, expects });
        true
    }

    /// Closes the innermost function, block or at-rule if `end` ends it; does nothing otherwise (CSS
    /// Syntax Level 3 section 5.4: closing tokens that match nothing are content).
    fn pop(&mut self, end: End) {
        self.open.pop_if(|open| open.end == end);
    }

    /// Updates the innermost expectation after a token: the next one is not the first.
    fn past_first(&mut self) {
        if let Some(open) = self.open.last_mut() {
            open.expects = match open.expects {
                Expects::FirstString => Expects::Urls,
                Expects::Import => Expects::Nothing,
                same => same,
            };
        }
    }

    fn string(&mut self, range: Span, value: &str) {
        if let Some(&quote) = self.css.as_bytes().get(range.start) {
            let content = Span::from(range.start + 1..range.end);
            self.url(content, CssSyntax::Quoted(quote), value);
        }
    }

    fn unquoted(&mut self, range: Span, value: &str) {
        let source = range.of_str(self.css);
        // The name may hold escapes, but none of them is or ends with a parenthesis.
        let after = source.split_once('(').map_or("", |(_, after)| after);
        let content = after.trim_start_matches(spelling::is_space);
        let start = range.end - content.len();
        self.url(Span::from(start..range.end), CssSyntax::Unquoted, value);
    }

    /// Adds a URL that starts at the start of `range` and ends at or before its end.
    fn url(&mut self, range: Span, syntax: CssSyntax, value: &str) {
        let source = range.of_str(self.css);
        let (text, length) = spelling::decode(source, syntax);
        debug_assert_eq!(text.as_str(), value, "{source}");
        let custom_property = match self.declaration {
            Declaration::Custom(_) => Some(self.custom_name.clone()),
            _ => None,
        };
        self.urls.push(CssUrl {
            span: Span::from(range.start..range.start + length),
            text,
            syntax,
            custom_property,
        });
    }
}

/// The expectation within the function `name`, or within a block (an empty name), inside a context
/// that expects `around`.
fn within(around: Expects, name: &str) -> Expects {
    let known = lookup(FUNCTIONS, name);
    match around {
        Expects::Nothing => Expects::Nothing,
        Expects::Import if known != Some(Expects::FirstString) => Expects::Nothing,
        Expects::FirstString | Expects::Strings
            if SUBSTITUTIONS.iter().any(|s| s.eq_ignore_ascii_case(name)) =>
        {
            Expects::Strings
        }
        _ => known.unwrap_or(Expects::Urls),
    }
}

fn lookup(table: &[(&str, Expects)], name: &str) -> Option<Expects> {
    let row = table.iter().find(|row| row.0.eq_ignore_ascii_case(name));
    row.map(|row| row.1)
}

/// Returns the charset that a style sheet's first bytes declare (CSS Syntax Level 3 section 3.2, "determine the
/// fallback encoding", step 2): `@charset "x";`, byte for byte, with UTF-16 meaning UTF-8. The caller handles the byte
/// order mark and the protocol's charset, which take precedence.
pub fn charset(bytes: &[u8]) -> Option<&'static Encoding> {
    let first = bytes.get(..1024).unwrap_or(bytes);
    let rest = first.strip_prefix(b"@charset \"")?;
    let length = rest.iter().position(|&b| b == b'"')?;
    let label = rest.get(..length)?;
    if rest.get(length + 1) != Some(&b';') || !label.iter().all(|b| (0x16..=0x7F).contains(b)) {
        return None;
    }
    let encoding = Encoding::for_label(label)?;
    let is_utf_16 = encoding == UTF_16BE || encoding == UTF_16LE;
    Some(if is_utf_16 { UTF_8 } else { encoding })
}
