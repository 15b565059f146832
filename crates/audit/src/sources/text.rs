//! The text that a page was built from: its blocks, and the links in them. Markdown, reStructuredText,
//! AsciiDoc and their relatives are read alike: what is markup in none of them is text.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::block::{BlockLink, Blocks, Part};
use super::syntax::Syntax;
use super::{key, letters, page};
use rehref_generators::markdown::front_matter;
use rehref_url::Span;

/// Returns the links in `text` for which `wants` is true, which is asked with [`written`].
pub(super) fn links(text: &str, syntax: Syntax, wants: impl Fn(&str) -> bool) -> Vec<BlockLink> {
    if syntax == Syntax::Html {
        let wants =
            |value: &str| wants(value.get(written(value, 0..value.len())).unwrap_or_default());
        let mut links = page::scan(text, &[], wants).links;
        for link in &mut links {
            link.reference = written(text, link.reference.clone());
        }
        return links;
    }
    let mut scanner = Scanner {
        text,
        syntax,
        wants,
        at: 0,
        part: Part::Surroundings,
        blocks: Blocks::default(),
        is_line: false,
        is_row: false,
        indent: 0,
        is_fresh: true,
        directives: 0,
        brackets: Vec::new(),
        definitions: definitions(text),
    };
    scanner.run();
    scanner.blocks.links
}

/// Returns the part of the reference at `range` that a template system leaves as it is: `/x.html` of
/// `{{ site.url }}/x.html` and of `{{ "/x.html" | relative_url }}`.
pub(super) fn written(text: &str, range: Range<usize>) -> Range<usize> {
    let whole = text.get(range.clone()).unwrap_or_default();
    let Some(brace) = whole.rfind('}') else { return range };
    if let Some(open) = whole.find(['"', '\''])
        && let Some(quote) = whole.get(open..open + 1)
        && let Some(length) = whole.get(open + 1..).and_then(|rest| rest.find(quote))
        && length > 0
    {
        let start = range.start + open + 1;
        return start..start + length;
    }
    if brace + 1 < whole.len() { range.start + brace + 1..range.end } else { range }
}

/// The references that a text defines for links elsewhere in it, by the letters of their labels:
/// `[label]: reference`, `.. _label: reference`.
fn definitions(text: &str) -> FxHashMap<Box<str>, Range<usize>> {
    let mut definitions = FxHashMap::default();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if let Some((label, reference)) = definition(line) {
            let range = start + reference.start..start + reference.end;
            let label = letters::letters(label).into_boxed_str();
            definitions.entry(label).or_insert(range);
        }
        start += line.len();
    }
    definitions
}

/// Returns the label and the reference that `line` defines.
pub(super) fn definition(line: &str) -> Option<(&str, Range<usize>)> {
    let trimmed = line.trim_start();
    let (label, rest) = match trimmed.strip_prefix(".. _") {
        Some(rst) => rst.split_once(": ")?,
        None => trimmed.strip_prefix('[')?.split_once("]:")?,
    };
    if label.is_empty() || label.starts_with('^') {
        return None;
    }
    let rest = rest.trim_start();
    let (skipped, ends): (_, fn(char) -> bool) =
        if rest.starts_with('<') { (1, |c| c == '>') } else { (0, char::is_whitespace) };
    let reference = rest.get(skipped..)?;
    let reference = reference.get(..reference.find(ends).unwrap_or(reference.len()))?;
    let start = line.len() - rest.len() + skipped;
    (!reference.is_empty()).then(|| (label, start..start + reference.len()))
}

/// An open `[`.
#[derive(Debug)]
pub(super) struct Bracket {
    /// The byte after it.
    pub(super) start: usize,
    /// Where its text starts in the letters of the block.
    pub(super) at: usize,
}

pub(super) struct Scanner<'t, W> {
    pub(super) text: &'t str,
    pub(super) syntax: Syntax,
    pub(super) wants: W,
    pub(super) at: usize,
    /// Surroundings in the front matter.
    part: Part,
    pub(super) blocks: Blocks,
    /// Whether the block ends with its line, as a heading does.
    is_line: bool,
    /// True if the line is a row of a table, with `|` between its cells.
    pub(super) is_row: bool,
    /// The indentation of the block.
    indent: usize,
    /// Whether no line of the block was read yet.
    is_fresh: bool,
    /// The number of open directives in fences, which hold text, and no code.
    directives: usize,
    pub(super) brackets: Vec<Bracket>,
    pub(super) definitions: FxHashMap<Box<str>, Range<usize>>,
}

impl<W: Fn(&str) -> bool> Scanner<'_, W> {
    fn run(&mut self) {
        self.front_matter();
        self.part = Part::Content;
        while self.at < self.text.len() {
            self.line();
            while self.at < self.text.len() {
                if self.text.as_bytes().get(self.at) == Some(&b'\n') {
                    self.at += 1;
                    break;
                }
                self.inline();
            }
            if self.is_line {
                self.end_block();
            }
        }
        self.end_block();
    }

    pub(super) fn end_block(&mut self) {
        self.blocks.end();
        self.brackets.clear();
        self.is_fresh = true;
        self.is_line = false;
    }

    /// Adds a link whose reference is at `range`, and its text at `at` in the letters.
    pub(super) fn link(&mut self, range: Range<usize>, at: Range<usize>) {
        let range = written(self.text, range);
        let reference = self.text.get(range.clone()).unwrap_or_default();
        if !reference.contains(char::is_whitespace) && (self.wants)(reference) {
            self.blocks.link(range, at, self.part);
        }
    }

    /// The line that starts at `at`, without its end.
    fn current_line(&self) -> &str {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let end = memchr::memchr(b'\n', rest.as_bytes()).unwrap_or(rest.len());
        rest.get(..end).unwrap_or_default()
    }

    /// Skips the line.
    fn skip_line(&mut self) {
        self.at += self.current_line().len();
    }

    /// The images and other files in the front matter, which templates make links of.
    fn front_matter(&mut self) {
        let Some((whole, strings)) = front_matter::strings(self.text) else { return };
        self.at = whole.end;
        // The name of a page may be in the navigation as well.
        let is_asset = |it: &Span| key::is_asset(it.of_str(self.text));
        for value in strings.into_iter().filter(is_asset).collect::<Vec<_>>() {
            self.link(value.range(), 0..0);
            self.end_block();
        }
    }

    /// The start of a line: what it begins or ends, and its marks, which are no text.
    fn line(&mut self) {
        self.is_row = false;
        let line = self.current_line();
        let trimmed = line.trim();
        // Tildes underline headings in reStructuredText.
        let is_fence = self.syntax != Syntax::Rst && is_fence(trimmed);
        if trimmed.is_empty() || is_rule(trimmed) && !is_fence {
            self.end_block();
            return self.skip_line();
        }
        if is_fence {
            return self.fence();
        }
        if definition(line).is_some() {
            self.end_block();
            return self.skip_line();
        }
        let indent = line.len() - line.trim_start().len();
        let is_indented = self.syntax == Syntax::Rst && !self.is_fresh && indent != self.indent;
        let (marks, ends) = marks(line);
        if is_indented || ends != Ends::Nothing {
            self.end_block();
        }
        if self.is_fresh {
            self.indent = marks;
        }
        self.is_fresh = false;
        self.is_line |= matches!(ends, Ends::Both | Ends::Cells);
        self.is_row = ends == Ends::Cells;
        self.at += marks;
    }

    /// A line that begins or ends code, or the content of a directive (`{note}`).
    fn fence(&mut self) {
        self.end_block();
        let opening = self.current_line().trim().to_owned();
        let fence = opening.get(..3).unwrap_or_default().to_owned();
        let name = opening.trim_start_matches(['`', '~']);
        self.skip_line();
        if name.starts_with('{') {
            self.directives += 1;
            return;
        }
        if name.is_empty() && self.directives > 0 {
            self.directives -= 1;
            return;
        }
        let length = opening.len() - name.len();
        while self.at < self.text.len() {
            self.at += 1;
            let line = self.current_line().trim();
            let is_end = line.starts_with(&fence)
                && line.len() >= length
                && line.bytes().all(|byte| fence.as_bytes().first() == Some(&byte));
            self.skip_line();
            if is_end {
                return;
            }
        }
    }
}

/// Returns true if a line underlines a heading, separates parts of a table, or is a thematic break.
fn is_rule(line: &str) -> bool {
    line.len() >= 3
        && line.chars().all(|c| c.is_ascii_punctuation() || c == ' ')
        && !line.contains("](")
}

/// Returns true if a line starts or ends a block of code.
fn is_fence(line: &str) -> bool {
    ["```", "~~~"].iter().any(|fence| line.starts_with(fence))
        && !line.trim_start_matches('`').contains('`')
}

/// The blocks that a line ends by its marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ends {
    Nothing,
    /// The block before it.
    Before,
    /// The block before it, and its own.
    Both,
    /// The block before it, and each of its own cells.
    Cells,
}

/// The length of the marks at the start of `line`: indentation, quotes, bullets, numbers, and the names of
/// directives.
fn marks(line: &str) -> (usize, Ends) {
    let mut ends = Ends::Nothing;
    let mut rest = line.trim_start();
    loop {
        let trimmed = rest.trim_start();
        if let Some(quoted) = trimmed.strip_prefix('>') {
            rest = quoted;
        } else if let Some((after, more)) = mark(trimmed) {
            rest = after;
            ends = more;
            if more != Ends::Before {
                break;
            }
        } else {
            rest = trimmed;
            break;
        }
    }
    (line.len() - rest.len(), ends)
}

/// The rest of `line` after one mark, and what the mark ends.
fn mark(line: &str) -> Option<(&str, Ends)> {
    if let Some(cells) = line.strip_prefix('|') {
        return Some((cells, Ends::Cells));
    }
    if let Some(rest) = line.strip_prefix(".. ")
        && let Some(word) = rest.split(' ').next()
        && let Some(name) = word.find("::")
    {
        return Some((rest.get(name + 2..)?, Ends::Both));
    }
    if let Some(rest) = line.strip_prefix(':')
        && let Some((name, rest)) = rest.split_once(':')
        && !name.is_empty()
        && !name.starts_with(' ')
        && rest.starts_with(' ')
    {
        return Some((rest, Ends::Before));
    }
    let (word, rest) = line.split_once([' ', '\t'])?;
    let number = word.trim_end_matches(['.', ')']);
    let is_number = number.len() < word.len()
        && !number.is_empty()
        && (number.bytes().all(|byte| byte.is_ascii_digit()) && number.len() <= 9 || number == "#");
    let is_all = |mark: char| word.len() <= 6 && word.chars().all(|c| c == mark);
    match () {
        () if is_all('#') || is_all('=') => Some((rest, Ends::Both)),
        () if matches!(word, "!!!" | "???" | "???+" | ":::") => {
            let after = rest.trim_start();
            let kind = after.find(char::is_whitespace).unwrap_or(after.len());
            Some((after.get(kind..)?, Ends::Both))
        }
        () if is_number
            || matches!(word, "-" | "+" | "•" | ":" | "–")
            || is_all('*')
            || is_all('.') =>
        {
            let task = ["[ ] ", "[x] ", "[X] "].iter().find_map(|task| rest.strip_prefix(task));
            Some((task.unwrap_or(rest), Ends::Before))
        }
        () => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The links to `x` in `text`, each with its reference and the letters before, of and after it.
    fn shown(text: &str, syntax: Syntax) -> Vec<String> {
        let links = links(text, syntax, |reference| *key::key(reference) == *"x");
        let links = links.into_iter().map(|link| {
            let (before, rest) = link.block.split_at(link.at.start);
            let (of_link, after) = rest.split_at(link.at.len());
            format!("{} {before}[{of_link}]{after}", &text[link.reference])
        });
        links.collect()
    }

    #[track_caller]
    fn assert_shown(syntax: Syntax, table: &[(&str, &[&str])]) {
        for (text, expected) in table {
            assert_eq!(shown(text, syntax), *expected, "{text}");
        }
    }

    #[test]
    #[rustfmt::skip]
    fn markdown() {
        assert_shown(
            Syntax::Markdown,
            &[
                ("See the\n[*X* file](../x.md), or not.\n\nMore", &["../x.md seethe[xfile]ornot"]),
                ("- one [a](x)\n- two\n  [b](<x.md> \"title\")", &["x one[a]", "x.md two[b]"]),
                ("# Head [a](x.md)\ntext", &["x.md head[a]"]),
                ("> quoted\n> [a](x/)", &["x/ quoted[a]"]),
                ("| a | [b](x) |\n|---|---|\n| c | d |", &["x [b]"]),
                ("[![alt](x.md)](x) end", &["x.md []end", "x []end"]),
                ("[text][Label] and [label]\n\n[label]: x.md", &["x.md [text]andlabel", "x.md textand[label]"]),
                ("`[code](x)` [a](x)[^1]", &["x codex[a]"]),
                ("```md\n[code](x)\n```\n[a](x)", &["x [a]"]),
                ("```{note}\n[a](x)\n```\n[b](x)", &["x [a]", "x [b]"]),
                ("<!-- [a](x) --> a &amp; b <a href=\"x\">c</a>", &["x ab[]c"]),
                ("<div>\n<Link to='/x'>c</Link> :rocket:\n</div>", &["/x []c"]),
                ("[a]({{ site.url }}/x.html) [b]({{< ref \"x.md\" >}})", &["/x.html [a]b", "x.md a[b]"]),
                ("{{< figure src=\"x.md\" >}} text {#id}", &["x.md []text"]),
                ("[[x]] and [[x|text]]", &["x [x]andtext", "x xand[text]"]),
                ("!!! note \"Title\"\n    [a](x)", &["x [a]"]),
                ("1. [ ] task [a](x)", &["x task[a]"]),
                ("\\[a](x) [unfinished](x", &[]),
                ("---\ntitle: x\nimage: /img/x.png\n---\n[a](x)", &["x [a]"]),
            ],
        );
    }

    #[test]
    #[rustfmt::skip]
    fn restructured_text() {
        assert_shown(
            Syntax::Rst,
            &[
                ("Head\n~~~~\nSee `the X <x.html>`_ now", &["x.html see[thex]now"]),
                ("A :doc:`text </x>` and :doc:`x`", &["/x a[text]andx", "x atextand[x]"]),
                ("`Named`_ is\n\n.. _named: x.html", &["x.html [named]is"]),
                ("term\n  meaning `a <x>`__\nterm", &["x meaning[a]"]),
                (".. note:: Look `here <x>`_\n\nA ``literal <x>``", &["x look[here]"]),
            ],
        );
    }

    #[test]
    fn other_syntaxes() {
        assert_shown(
            Syntax::Other,
            &[
                ("* see link:x.html[the X] now", &["x.html see[]thexnow"]),
                ("xref:x.adoc[X], <<x,X>>", &["x.adoc []xx", "x x[x]"]),
                ("An [[file:x.org][X file]].", &["file:x.org an[xfile]"]),
            ],
        );
        let template = "<p>A <a href=\"{{ '/x' | url }}\">b</a></p>";
        assert_shown(Syntax::Html, &[(template, &["/x a[b]"])]);
    }

    #[test]
    fn front_matter_has_images() {
        let text = "---\ntitle: \"a\"\ncover: 'img/c.png'\nnext: c.md\n---\n";
        let links = links(text, Syntax::Markdown, |_| true);
        let found: Vec<&str> = links.iter().map(|it| &text[it.reference.clone()]).collect();
        assert_eq!(found, ["img/c.png"]);
        assert_eq!(links[0].part, Part::Surroundings);
    }

    #[test]
    #[rustfmt::skip]
    fn unfinished_markup_is_text() {
        let starts = [
            "[", "[a", ".. ", "![", "[[", "](", "](<", "`", "<a ", "<!", "{{", "{%", ":a", "http:", "&", "| ", "[a]: ", "é<",
        ];
        for start in starts {
            let text = format!("{}{}", start.repeat(3_000), "]".repeat(3_000));
            for syntax in [Syntax::Markdown, Syntax::Rst, Syntax::Other, Syntax::Html] {
                assert_eq!(links(&text, syntax, |it| it == "none"), [], "{start}");
            }
        }
    }
}
