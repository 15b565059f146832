//! Markup within a block of a source: links, code, templates, tags.

use std::ops::Range;

use super::letters;
use super::syntax::Syntax;
use super::tag::{self, Markup};
use super::text::{Bracket, Scanner};

/// The longest construct, in bytes. A longer one is text, so that the time for many that do not end grows with
/// the text.
const LONGEST: usize = 1000;

/// The longest name of a role or an emoji.
const LONGEST_NAME: usize = 64;

/// The characters that may begin markup.
const SPECIAL: [bool; 256] = {
    let mut table = [false; 256];
    let marks = b"\n\\`![]{<&|:";
    let mut at = 0;
    while at < marks.len() {
        table[marks[at] as usize] = true;
        at += 1;
    }
    table
};

impl<'t, W: Fn(&str) -> bool> Scanner<'t, W> {
    /// Reads the text up to the next markup in the line, or one markup.
    pub(super) fn inline(&mut self) {
        let bytes = self.text.as_bytes();
        let rest = bytes.get(self.at..).unwrap_or_default();
        let plain = rest.iter().position(|byte| SPECIAL[usize::from(*byte)]);
        let plain = plain.unwrap_or(rest.len());
        if plain > 0 {
            self.push_until(self.at + plain);
            return;
        }
        let end = match rest {
            [b'\\', ..] => {
                Some(self.at + 1 + usize::from(rest.get(1).is_some_and(u8::is_ascii_punctuation)))
            }
            [b'`', ..] => self.code(),
            [b'!', b'[', ..] => self.image(),
            [b'[', b'[', ..] => self.double_bracket(),
            [b'[', b'^', ..] => self.find(b"]").map(|end| end + 1),
            [b'[', ..] => {
                let at = self.blocks.length();
                self.brackets.push(Bracket { start: self.at + 1, at });
                None
            }
            [b']', ..] => self.bracket_end(),
            [b'{', ..] => self.brace(),
            [b'<', ..] => self.angle(),
            [b'&', ..] => tag::character_reference(self.text, self.at).map(|(c, end)| {
                c.into_iter().for_each(|c| self.blocks.push(c));
                end
            }),
            [b'|', ..] if self.is_row => {
                self.blocks.end();
                self.brackets.clear();
                None
            }
            [b':', ..] => self.colon(),
            _ => None,
        };
        self.at = end.unwrap_or(self.at + 1);
    }

    fn slice(&self, range: Range<usize>) -> &'t str {
        self.text.get(range).unwrap_or_default()
    }

    /// The text up to [`LONGEST`] bytes from here.
    fn window(&self) -> &'t str {
        let mut end = self.text.len().min(self.at + LONGEST);
        while !self.text.is_char_boundary(end) {
            end -= 1;
        }
        self.text.get(..end).unwrap_or_default()
    }

    fn push_until(&mut self, end: usize) {
        self.blocks.push_text(self.text.get(self.at..end).unwrap_or_default());
        self.at = end;
    }

    /// Adds `text` to the letters of the block, as the text of a link to the reference at `range`.
    fn link_text(&mut self, text: &str, range: Range<usize>) {
        let at = self.blocks.length();
        self.blocks.push_text(text);
        self.link(range, at..self.blocks.length());
    }

    /// Where `wanted` is, from the byte after `at` on, within the block and [`LONGEST`].
    fn find(&self, wanted: &[u8]) -> Option<usize> {
        self.find_from(self.at + 1, wanted)
    }

    fn find_from(&self, start: usize, wanted: &[u8]) -> Option<usize> {
        let rest = self.text.as_bytes().get(start..)?;
        let window = rest.get(..LONGEST.min(rest.len()))?;
        let length = memchr::memmem::find(window, wanted)?;
        let is_within = memchr::memmem::find(window.get(..length)?, b"\n\n").is_none();
        is_within.then_some(start + length)
    }

    /// Code; in reStructuredText a link, too.
    fn code(&mut self) -> Option<usize> {
        let rest = self.text.as_bytes().get(self.at..)?;
        let ticks = rest.iter().take_while(|byte| **byte == b'`').count();
        let start = self.at + ticks;
        let close = "`".repeat(ticks.min(16));
        let end = self.find_from(start, close.as_bytes());
        let Some(end) = end.filter(|_| ticks <= 16) else { return Some(start) };
        let after = end + ticks;
        let content = self.slice(start..end);
        if ticks > 1 || self.syntax != Syntax::Rst {
            self.blocks.push_text(content);
            return Some(after);
        }
        if let Some((text, reference)) = content.split_once('<')
            && let Some(reference) = reference.strip_suffix('>')
        {
            let from = start + text.len() + 1;
            self.link_text(text, from..from + reference.len());
            return Some(after);
        }
        let is_label = self.text.get(after..).is_some_and(|rest| rest.starts_with('_'));
        let defined = self.definitions.get(&*letters::letters(content)).filter(|_| is_label);
        // The text of a role may be its target.
        let reference = defined.cloned().unwrap_or(start..end);
        self.link_text(content, reference);
        Some(after)
    }

    /// `![`: its text is not in the page.
    fn image(&mut self) -> Option<usize> {
        let end = self.closing(self.at + 1)?;
        let at = self.blocks.length();
        self.brackets.push(Bracket { start: self.at + 2, at });
        self.at = end;
        Some(self.bracket_end().unwrap_or(end + 1))
    }

    /// The `]` that closes the `[` at `open`.
    fn closing(&self, open: usize) -> Option<usize> {
        let rest = self.text.as_bytes().get(open..)?;
        let mut depth = 0_usize;
        let mut bytes = rest.iter().enumerate().take(LONGEST);
        while let Some((at, byte)) = bytes.next() {
            match byte {
                b'\\' => {
                    bytes.next();
                }
                b'[' => depth += 1,
                b']' if depth == 1 => return Some(open + at),
                b']' => depth -= 1,
                b'\n' if rest.get(at + 1) == Some(&b'\n') => return None,
                _ => {}
            }
        }
        None
    }

    /// `[[page]]`, `[[page|text]]`, `[[page][text]]`.
    fn double_bracket(&mut self) -> Option<usize> {
        let start = self.at + 2;
        let end = self.find(b"]]")?;
        let content = self.slice(start..end);
        if content.contains("](") || content.contains('[') && !content.contains("][") {
            return None;
        }
        let split = content.find("][").map(|at| (at, at + 2));
        let split = split.or_else(|| content.find('|').map(|at| (at, at + 1)));
        let (length, text) = split.unwrap_or((content.len(), 0));
        self.link_text(content.get(text..).unwrap_or_default(), start..start + length);
        Some(end + 2)
    }

    /// `]`: the reference may follow, or a label, or the text is the label.
    fn bracket_end(&mut self) -> Option<usize> {
        let bracket = self.brackets.pop()?;
        let text = bracket.at..self.blocks.length();
        let mut label = bracket.start..self.at;
        let mut end = self.at + 1;
        match self.text.as_bytes().get(end) {
            Some(b'(') => {
                let (reference, end) = self.destination(end + 1)?;
                self.link(reference, text);
                return Some(end);
            }
            Some(b'[') => {
                let close = self.find_from(end + 1, b"]")?;
                if close > end + 1 {
                    label = end + 1..close;
                }
                end = close + 1;
            }
            _ => {}
        }
        // Of nested brackets, all would be read again for each.
        if label.len() <= LONGEST && !self.definitions.is_empty() {
            let label = letters::letters(self.slice(label));
            if let Some(reference) = self.definitions.get(&*label) {
                self.link(reference.clone(), text);
            }
        }
        Some(end)
    }

    /// The reference at `start`, after `](`, and where the link ends.
    fn destination(&self, start: usize) -> Option<(Range<usize>, usize)> {
        let rest = self.text.as_bytes().get(start..)?;
        let rest = rest.get(..LONGEST.min(rest.len()))?;
        let spaces = rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        let first = start + spaces;
        let (reference, mut end) = match rest.get(spaces)? {
            b'<' => {
                let end = self.find_from(first + 1, b">")?;
                (first + 1..end, end + 1)
            }
            _ => {
                let mut depth = 0_usize;
                let mut at = spaces;
                loop {
                    match *rest.get(at)? {
                        b'{' if matches!(rest.get(at + 1), Some(b'{' | b'%')) => {
                            let close: &[u8] =
                                if rest.get(at + 1) == Some(&b'{') { b"}}" } else { b"%}" };
                            at = self.find_from(start + at + 2, close)? + 1 - start;
                        }
                        b'\\' => at += 1,
                        b'(' => depth += 1,
                        b')' if depth == 0 => break,
                        b')' => depth -= 1,
                        byte if byte.is_ascii_whitespace() => break,
                        _ => {}
                    }
                    at += 1;
                }
                (first..start + at, start + at)
            }
        };
        // A title.
        let after = self.text.as_bytes().get(end..)?;
        let after = after.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        if let Some(quote @ (b'"' | b'\'')) = self.text.as_bytes().get(end + after) {
            end = self.find_from(end + after + 1, &[*quote])? + 1;
        }
        Some((reference, self.find_from(end, b")")? + 1))
    }

    /// `{{ … }}` and `{% … %}` of templates, whose words may be references, and `{#id .class}`.
    fn brace(&mut self) -> Option<usize> {
        let bytes = self.text.as_bytes();
        let close: &[u8] = match bytes.get(self.at + 1)? {
            b'{' => b"}}",
            b'%' => b"%}",
            b':' | b'#' | b'.' | b' ' => return self.find(b"}").map(|end| end + 1),
            _ => {
                let end = self.find(b"}")?;
                return (bytes.get(end + 1) == Some(&b'`')).then_some(end + 1);
            }
        };
        let end = self.find(close)?;
        let start = self.at + 2;
        let content = self.slice(start..end);
        let is_between = |c: char| c.is_whitespace() || "\"'=<>()|".contains(c);
        let mut from = start;
        for word in content.split_inclusive(is_between) {
            let length = word.trim_end_matches(is_between).len();
            if length > 0 {
                self.link_text("", from..from + length);
            }
            from += word.len();
        }
        Some(end + 2)
    }

    /// A tag, a comment, `<https://…>`, or `<<reference,text>>`.
    fn angle(&mut self) -> Option<usize> {
        if let Some(inner) = self.text.get(self.at..).and_then(|rest| rest.strip_prefix("<<"))
            && inner.starts_with(|c: char| !c.is_whitespace())
        {
            let end = self.find(b">>")?;
            let content = self.slice(self.at + 2..end);
            let (reference, text) = content.split_once(',').unwrap_or((content, ""));
            let from = self.at + 2;
            self.link_text(text, from..from + reference.len());
            return Some(end + 2);
        }
        if let Some(end) = self.find(b">") {
            let content = self.slice(self.at + 1..end);
            let is_address = content.contains("://") || content.contains('@');
            if is_address && !content.contains(char::is_whitespace) && !content.contains('=') {
                self.link_text(content, self.at + 1..end);
                return Some(end + 1);
            }
        }
        let (markup, end) = tag::markup(self.window(), self.at, false)?;
        match markup {
            Markup::Start(tag) => {
                if !tag::is_inline(tag.name) {
                    self.end_block();
                }
                for (_, value) in tag.attributes {
                    self.link_text("", value);
                }
            }
            Markup::End(name) if !tag::is_inline(name) => self.end_block(),
            Markup::End(_) | Markup::Other(_) => {}
        }
        Some(end)
    }

    /// `https://…`, `link:reference[text]`, `:role:` and `:emoji:`.
    fn colon(&mut self) -> Option<usize> {
        let before = self.text.get(..self.at)?;
        let scheme =
            before.len() - before.trim_end_matches(|c: char| c.is_ascii_alphabetic()).len();
        let start = self.at - scheme;
        let (is_url, is_image) = match self.slice(start..self.at) {
            "http" | "https" | "ftp" => (true, false),
            "link" | "xref" | "file" => (false, false),
            "image" | "video" => (false, true),
            _ => return self.name(),
        };
        let rest = self.window().get(self.at + 1..)?;
        let is_end = |c: char| c.is_whitespace() || "<>[]\"'`|".contains(c);
        let length = rest.find(is_end).unwrap_or(rest.len());
        let end = self.at + 1 + length;
        let from = if is_url { start } else { self.at + 1 + usize::from(rest.starts_with(':')) };
        if length > 0 && rest.get(length..).is_some_and(|rest| rest.starts_with('[')) {
            self.blocks.truncate(scheme);
            self.link_text("", from..end);
            return if is_image { self.closing(end).map(|close| close + 1) } else { Some(end) };
        }
        if !is_url || !rest.starts_with("//") {
            return None;
        }
        let url = self.slice(start..end);
        let url = url.trim_end_matches(|c: char| ".,;:!?)*_~".contains(c)).len();
        let at = self.blocks.length().saturating_sub(scheme);
        self.push_until(start + url);
        self.link(start..start + url, at..self.blocks.length());
        Some(start + url)
    }

    /// `:name:` before code or as an emoji.
    fn name(&self) -> Option<usize> {
        let rest = self.window().get(self.at + 1..)?;
        let is_name = |c: char| c.is_ascii_alphanumeric() || "_+-:".contains(c);
        let rest = rest.get(..LONGEST_NAME).unwrap_or(rest);
        let name = rest.get(..rest.find(|c| !is_name(c)).unwrap_or(rest.len()))?;
        let name = name.get(..name.rfind(':')?)?;
        let before = self.text.get(..self.at)?.chars().next_back();
        let is_word = before.is_some_and(char::is_alphanumeric);
        let is_named = name.starts_with(|c: char| c.is_ascii_alphabetic());
        (is_named && !is_word).then_some(self.at + 1 + name.len() + 1)
    }
}
