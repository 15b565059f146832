//! reStructuredText, as far as documents in it are neighbors of documents in Markdown: its directives, roles and
//! hyperlinks that name documents, files or labels, and its headings.

use std::ops::Range;

use super::directive_names::{Directive, entry, named_by_option, option, path, role_value, value};
use super::lines::{Line, lines};
use super::prepared::{Inclusion, Prepared};
use super::rows::{self, MarkdownValue};
use super::slug::DocutilsIds;
use rehref_url::Span;

/// The contents of a text.
#[derive(Debug, Default)]
pub(super) struct RstFindings {
    pub(super) values: Vec<MarkdownValue>,
    /// The ids of headings, each with the heading.
    pub(super) ids: Vec<(String, Span)>,
    inclusions: Vec<Inclusion>,
    /// Whether a directive makes ids that are not in the text, of code for example.
    makes_ids: bool,
}

/// The text of a directive, a comment or a literal block: the lines that are indented more.
struct Block {
    indent: usize,
    kind: Directive,
    /// Whether the lines read so far are all options.
    in_options: bool,
    /// Whether it is a comment that begins in the next line, if that is not blank.
    is_next: bool,
}

/// Reads the lines of a text, one after the other.
#[derive(Default)]
pub(super) struct RstReader<'s> {
    pub(super) found: RstFindings,
    blocks: Vec<Block>,
    /// The line before, if it may be the text of a heading.
    before: Option<Line<'s>>,
    /// The byte at which inline markup ends that began in an earlier line.
    inline_end: usize,
    ids: DocutilsIds,
}

/// Finds the contents of a whole text, of which nothing is left for the authority.
pub(super) fn prepare(source: &str, prepared: &mut Prepared<'_>) {
    let mut reader = RstReader::default();
    for line in lines(source, 0) {
        reader.line(source, line);
    }
    let RstFindings { values, ids, inclusions, makes_ids } = reader.found;
    prepared.values.extend(values);
    prepared.anchors.extend(ids);
    prepared.inclusions.extend(inclusions);
    prepared.has_unknown_anchors |= makes_ids;
    prepared.blank(0..source.len());
}

impl<'s> RstReader<'s> {
    pub(super) fn line(&mut self, source: &'s str, line: Line<'s>) {
        let text = line.text.trim();
        let before = self.before.take();
        if text.is_empty() {
            self.blocks.pop_if(|block| block.is_next);
            if let Some(block) = self.blocks.last_mut() {
                block.in_options = false;
            }
            return;
        }
        let indent = line.indent();
        while self.blocks.pop_if(|block| indent <= block.indent).is_some() {}
        if let Some(block) = self.blocks.last_mut() {
            block.is_next = false;
            if let Some((name, _)) = option(line).filter(|_| block.in_options) {
                self.found.values.extend(named_by_option(source, line));
                let inclusion = self.found.inclusions.last_mut();
                if let Some(inclusion) = inclusion.filter(|_| block.kind == Directive::Include) {
                    inclusion.set(name);
                }
                return;
            }
            match block.kind {
                Directive::Literal => return,
                Directive::Toctree => {
                    self.found.values.extend(entry(source, line));
                    return;
                }
                _ => {}
            }
        }
        if text == ".." {
            self.open(indent, Directive::Literal);
            self.blocks.last_mut().into_iter().for_each(|block| block.is_next = true);
            return;
        }
        if let Some(rest) = text.strip_prefix(".. ") {
            return self.explicit(source, line, rest);
        }
        if is_underline(text) {
            if let Some(title) = before.filter(|it| it.text.trim_end().len() <= text.len() + 1) {
                let id = self.ids.take(title.text.trim());
                self.found.ids.push((id, Span::from(title.range())));
            }
            return;
        }
        self.before = Some(line);
        self.inline(source, line);
        if text.ends_with("::") {
            self.open(indent, Directive::Literal);
        }
    }

    fn open(&mut self, indent: usize, kind: Directive) {
        self.blocks.push(Block { indent, kind, in_options: true, is_next: false });
    }

    /// Reads the start of explicit markup: a directive, a target of hyperlinks, a comment.
    fn explicit(&mut self, source: &'s str, line: Line<'s>, rest: &str) {
        let indent = line.indent();
        if rest.starts_with('_') {
            let url = rest.rsplit_once(": ").map(|(_, url)| url.trim());
            let url = url.filter(|it| !it.is_empty() && !it.ends_with('_'));
            let url = url.and_then(|url| path(source, line, url, &rows::HYPERLINK));
            self.found.values.extend(url);
            return;
        }
        if rest.starts_with('[') {
            return self.inline(source, line);
        }
        let Some((name, argument)) = rest.split_once("::") else {
            return self.open(indent, Directive::Literal);
        };
        // A substitution: `|x| image`.
        let name = name.rsplit(' ').next().unwrap_or(name);
        let argument = argument.trim();
        let kind = Directive::named(name);
        match kind {
            Some(Directive::Path(row)) => {
                self.found.values.extend(path(source, line, argument, row));
            }
            Some(Directive::Include) => {
                self.found.values.extend(path(source, line, argument, &rows::PART));
                self.found.inclusions.push(Inclusion::of(argument));
            }
            None if !PROSE.contains(&name) => self.found.makes_ids = true,
            // Its argument is text, or the first line of its text.
            None => self.inline(source, line),
            _ => {}
        }
        self.open(indent, kind.unwrap_or(Directive::Markdown));
    }

    /// Reads the roles and hyperlinks that start in `line`.
    fn inline(&mut self, source: &'s str, line: Line<'s>) {
        let end = line.range().end;
        let mut at = self.inline_end.max(line.start);
        while let Some(open) = source.get(at..end).and_then(|it| it.find('`')) {
            let open = at + open;
            let rest = source.get(open..).unwrap_or_default();
            let ticks = if rest.starts_with("``") { "``" } else { "`" };
            let start = open + ticks.len();
            let rest = source.get(start..).unwrap_or_default();
            let Some(end) = rest.find(ticks) else { return };
            // A literal may end with backticks of its own.
            let run = rest.get(end..).unwrap_or_default();
            let run = run.len() - run.trim_start_matches('`').len();
            let length = if ticks == "``" { end + run - ticks.len() } else { end };
            let content = start..start + length;
            let text = source.get(content.clone()).unwrap_or_default();
            at = content.end + ticks.len();
            if text.contains("\n\n") {
                return;
            }
            self.inline_end = at;
            if ticks == "``" {
                continue;
            }
            let is_link = source.get(at..).is_some_and(|it| it.starts_with('_'));
            let before = source.get(line.start..open).unwrap_or_default();
            let found = match role_name(before) {
                Some(name) => role_value(source, name, content),
                None if is_link => link(source, content),
                None => None,
            };
            self.found.values.extend(found);
        }
    }
}

/// Returns true if a line is the underline, or the line above, of a heading.
pub(super) fn is_underline(text: &str) -> bool {
    let first = text.bytes().next().filter(u8::is_ascii_punctuation);
    text.len() > 1 && first.is_some_and(|first| text.bytes().all(|byte| byte == first))
}

/// The directives with text that is read as the text around them is. Others may make ids.
#[rustfmt::skip]
const PROSE: &[&str] = &[
    "note", "warning", "tip", "hint", "important", "caution", "danger", "error", "attention", "admonition", "seealso",
    "deprecated", "versionadded", "versionchanged", "versionremoved", "only", "rubric", "topic", "sidebar", "container",
    "epigraph", "highlights", "pull-quote", "compound", "centered", "hlist", "table", "list-table", "contents",
    "sectnum", "class", "rst-class", "replace", "highlight", "tabularcolumns", "meta", "index", "currentmodule",
    "module", "codeauthor", "sectionauthor", "default-role", "role", "unicode", "date", "title", "todo", "todolist",
    "tab", "tabs", "tab-set", "tab-item", "grid", "grid-item", "grid-item-card", "card", "dropdown", "button-link",
];

/// The name of the role before its content, `:name:`.
fn role_name(before: &str) -> Option<&str> {
    let before = before.strip_suffix(':')?;
    let (head, name) = before.rsplit_once(':')?;
    // `:external+python:doc:` is of another project.
    let domain = head.rsplit([':', ' ']).next().unwrap_or_default();
    if head.contains(':') && domain.starts_with("external") {
        return Some("external");
    }
    let is_name = |it: char| it.is_alphanumeric() || matches!(it, '-' | '_' | '.' | '+');
    (!name.is_empty() && name.chars().all(is_name)).then_some(name)
}

/// The URL of a hyperlink with this content: `text <url>`.
fn link(source: &str, content: Range<usize>) -> Option<MarkdownValue> {
    let text = source.get(content.clone())?;
    let open = text.strip_suffix('>')?.rfind('<')? + 1;
    let range = content.start + open..content.end - 1;
    let url = source.get(range.clone())?;
    // `<name_>` is the name of another hyperlink.
    let is_mail = url.contains('@') && !url.contains([':', '/']);
    let is_url = !url.is_empty() && !url.ends_with('_') && !url.contains(char::is_whitespace);
    let is_url = is_url && !is_mail;
    value(source, range, &rows::HYPERLINK).filter(|_| is_url)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(source: &str) -> Prepared<'_> {
        let mut prepared = Prepared { text: source.into(), ..Prepared::default() };
        prepare(source, &mut prepared);
        assert_eq!(prepared.text.trim(), "");
        prepared
    }

    #[test]
    fn constructs_that_name_files_are_read() {
        for (source, expected) in [
            ("A :doc:`b` :doc:`c <d/e>` :download:`f <g>` :code:`:doc:`\n", &["b", "d/e", "g"][..]),
            ("``:doc:`a``` :doc:`long\ntext <b>` :doc:`c`\n", &["b", "c"]),
            ("`a <b.html>`_ `c <d_>`_ `e <f>`__ `g`_ |h|\n", &["b.html", "f"]),
            (".. _a: b.html\n.. _c:\n.. _d: e_\n.. _`f: g`: h\n", &["b.html", "h"]),
            (".. image:: a.png\n   :target: b.html\n   :alt: c\n", &["a.png", "b.html"]),
            (
                ".. |x| image:: a.png\n\n.. figure:: /b.png\n\n   :doc:`c`\n",
                &["a.png", "/b.png", "c"],
            ),
            (".. literalinclude:: a.py\n.. include:: b.inc\n", &["a.py", "b.inc"]),
            (".. csv-table:: T\n   :file: a.csv\n\n   :doc:`b`\n", &["a.csv"]),
            (".. toctree::\n   :maxdepth: 1\n\n   a\n   T <b/c>\n   d*\n\ne\n", &["a", "b/c"]),
            (".. note:: :doc:`a`\n\n   .. image:: b.png\n", &["a", "b.png"]),
            (".. note::\n   :doc:`a`\n", &["a"]),
            ("..\n   :doc:`a`\n\n:doc:`b`\n", &["b"]),
            ("..\n\n   :doc:`a`\n", &["a"]),
            (".. toctree::\n\n   search\n   b\n", &["b"]),
            ("`M <me@e.org>`_ :external+python:doc:`a` :external:doc:`b` :doc:`c`\n", &["c"]),
            (".. a comment\n   :doc:`b`\n\nx::\n\n   :doc:`c`\n\n:doc:`d`\n", &["d"]),
            (".. code-block:: rst\n\n   :doc:`a`\n", &[]),
            (".. [1] :doc:`a`\n", &["a"]),
        ] {
            let mut values = read(source).values;
            values.sort_by_key(|it| it.span);
            let values: Vec<&str> = values.iter().map(|it| it.span.of_str(source)).collect();
            assert_eq!(values, expected, "{source}");
        }
    }

    #[test]
    fn headings_have_ids_of_docutils() {
        let found = read("=====\nA b c\n=====\n\nx\n\n``D``: *e*\n----------\n\nA b c\n-----\n");
        let ids: Vec<&str> = found.anchors.iter().map(|(id, _)| id.as_str()).collect();
        assert_eq!(ids, ["a-b-c", "d-e", "id1"]);
        assert!(!found.has_unknown_anchors);
        assert!(read(".. autoclass:: a\n.. note::\n").has_unknown_anchors);
    }
}
