//! Makes blocks of Markdown of what a dialect adds to CommonMark, in a copy of the source in which every byte keeps
//! its place: fences of directives become blank lines, an admonition becomes an item of a list.

use std::borrow::Cow;

use super::dialect::{Blocks, MarkdownDialect};
use super::directives;
use super::front_matter;
use super::lines::{Line, lines_outside_code};
use super::prepared::{Inclusion, Prepared};
use super::rows::{self, MarkdownValue};
use super::rst;
use super::{destination::DestinationForm, shortcodes};
use rehref_url::Span;

/// The files that documents of this `dialect` include whose text is `source`.
pub fn inclusions(source: &str, dialect: MarkdownDialect) -> Vec<Inclusion> {
    if !shortcodes::has_markers(source, dialect) {
        return Vec::new();
    }
    let mut found = prepare(source, dialect).inclusions;
    found.retain(|it| !it.is_other);
    found
}

/// Prepares `source` for the authority.
pub(super) fn prepare(source: &str, dialect: MarkdownDialect) -> Prepared<'_> {
    let mut prepared = Prepared { text: Cow::Borrowed(source), ..Prepared::default() };
    let front_matter = front_matter::find(source);
    if let Some(found) = &front_matter {
        prepared.blank(found.whole.range());
    }
    shortcodes::prepare(source, dialect, &mut prepared);
    let start = front_matter.map_or(0, |found| found.whole.end);
    match dialect.row().blocks {
        Blocks::CommonMark => {}
        Blocks::Rst => rst::prepare(source, &mut prepared),
        Blocks::Indented => indented(source, start, &mut prepared),
        Blocks::Directives => directives::prepare(source, start, &mut prepared),
        Blocks::Jsx => jsx(source, start, &mut prepared),
        Blocks::Kramdown => {
            math(source, start, &mut prepared);
            markdown_tags(source, start, &mut prepared);
        }
    }
    prepared
}

/// The markers of blocks of Python-Markdown and its extensions whose content is indented by four spaces.
const INDENTED_MARKERS: &[&str] = &["!!! ", "??? ", "???+ ", "=== ", "===! ", "===+ "];

fn indented(source: &str, start: usize, prepared: &mut Prepared<'_>) {
    for line in lines_outside_code(source, start) {
        let text = line.trimmed();
        let at = line.start + line.indent();
        // An item of a list whose content begins four columns after the marker, as the block's does.
        if INDENTED_MARKERS.iter().any(|it| text.starts_with(it)) && text.is_char_boundary(5) {
            prepared.replace(at..at + 5, "-   x");
        } else {
            without_markdown_tag(line, prepared);
        }
    }
}

fn markdown_tags(source: &str, start: usize, prepared: &mut Prepared<'_>) {
    lines_outside_code(source, start).for_each(|line| without_markdown_tag(line, prepared));
}

/// Takes the start tag off a line whose element holds Markdown.
fn without_markdown_tag(line: Line<'_>, prepared: &mut Prepared<'_>) {
    let text = line.trimmed();
    let Some(end) = markdown_tag(text) else { return };
    let at = line.start + line.indent();
    let tag = at..at + end;
    prepared.html.push(tag.clone());
    if text.get(end..).is_some_and(|rest| rest.trim().is_empty()) {
        prepared.blank(line.range());
    } else {
        prepared.word(tag);
    }
}

/// Makes the formulas of kramdown words: what is between `$$` in a paragraph, or from a line that begins with it on.
fn math(source: &str, start: usize, prepared: &mut Prepared<'_>) {
    let mut open: Option<(usize, bool)> = None;
    for line in lines_outside_code(source, start) {
        if line.text.trim().is_empty() {
            open = open.filter(|(_, is_block)| *is_block);
            continue;
        }
        for (at, _) in line.text.match_indices("$$") {
            let before = line.text.get(..at).unwrap_or_default();
            let in_code = before.matches('`').count() % 2 == 1;
            if in_code || before.ends_with('\\') {
                continue;
            }
            match open.take() {
                None => open = Some((line.start + at, before.trim().is_empty())),
                Some((from, _)) => prepared.math(from..line.start + at + 2),
            }
        }
    }
}

/// The end of the start tag with the attribute `markdown` that a line begins with: the content of the element is
/// Markdown.
fn markdown_tag(text: &str) -> Option<usize> {
    let (tag, _) = text.strip_prefix('<')?.split_once('>')?;
    let mut names = tag.split([' ', '\t']).skip(1);
    let has_name = names.any(|name| name == "markdown" || name.starts_with("markdown="));
    has_name.then_some(tag.len() + 2)
}

/// Makes the tags of elements of JSX that are alone on their lines blank, and the statements of MDX.
fn jsx(source: &str, start: usize, prepared: &mut Prepared<'_>) {
    let mut in_statement = false;
    for line in lines_outside_code(source, start) {
        let text = line.trimmed();
        if in_statement || is_statement(line.text) {
            in_statement = !text.is_empty();
            prepared.values.extend(import(line));
            prepared.blank(line.range());
            continue;
        }
        if text.starts_with('<') && text.trim_end().ends_with('>') && is_tags(text) {
            prepared.html.push(line.range());
            prepared.blank(line.range());
        }
    }
}

/// Whether `text` consists of tags alone.
fn is_tags(text: &str) -> bool {
    let mut rest = text.trim();
    while let Some(tag) = rest.strip_prefix('<') {
        let is_tag = |(tag, _): &(&str, &str)| !tag.contains('<') && !tag.starts_with('!');
        let Some((_, after)) = tag.split_once('>').filter(is_tag) else {
            return false;
        };
        rest = after.trim_start();
    }
    rest.is_empty()
}

/// Whether a line begins statements of JavaScript, which end with a blank line.
fn is_statement(line: &str) -> bool {
    line.starts_with("import ") || line.starts_with("export ")
}

/// The relative path that a line imports.
fn import(line: Line<'_>) -> Option<MarkdownValue> {
    let (before, _) = line.text.rsplit_once(['"', '\''])?;
    let (start, path) = before.rsplit_once(['"', '\''])?;
    let is_import = start.trim_end().ends_with("from") || start.trim() == "import";
    let start = line.start + start.len() + 1;
    let is_path = path.starts_with('.') || path.starts_with("@site/");
    (is_import && is_path).then(|| MarkdownValue {
        span: Span::from(start..start + path.len()),
        form: DestinationForm::Verbatim,
        row: &rows::IMPORT,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prepared(source: &str, dialect: MarkdownDialect) -> String {
        let prepared = prepare(source, dialect);
        assert_eq!(prepared.text.len(), source.len());
        prepared.text.into_owned()
    }

    #[test]
    fn admonitions_become_items() {
        let source = "!!! note \"T\"\n    body\n\n```\n!!! note\n```\n<div class=a markdown>\nx\n<p markdown>[a](b)</p>";
        let expected = "-   xote \"T\"\n    body\n\n```\n!!! note\n```\n                      \nx\nxxxxxxxxxxxx[a](b)</p>";
        assert_eq!(prepared(source, MarkdownDialect::MKDOCS), expected);
        assert_eq!(prepared(source, MarkdownDialect::PLAIN), source);
    }

    #[test]
    fn statements_and_tags_of_mdx_are_blank() {
        let source = "import A from './a'\n\n<Tabs>\n[x](y)\n</Tabs>\n<b>c</b>\n```\n<Tabs>\n```\n";
        let expected =
            "                   \n\n      \n[x](y)\n       \n<b>c</b>\n```\n<Tabs>\n```\n";
        assert_eq!(prepared(source, MarkdownDialect::DOCUSAURUS), expected);
        let found = prepare(source, MarkdownDialect::DOCUSAURUS);
        let imported: Vec<&str> = found.values.iter().map(|it| it.span.of_str(source)).collect();
        assert_eq!(imported, ["./a"]);
    }
}
