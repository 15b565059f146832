//! Makes blocks of Markdown of what a dialect adds to CommonMark, in a copy of the source in which every byte keeps
//! its place: fences of directives become blank lines, an admonition becomes an item of a list.

use std::borrow::Cow;

use super::dialect::{Blocks, MarkdownDialect};
use super::directives;
use super::front_matter;
use super::jsx;
use super::lines::{Fence, Line, lines, lines_outside_code};
use super::prepared::{Inclusion, Prepared};
use super::rst;
use super::shortcodes;
use super::written_ids::ListReader;
use rehref_url::Span;

/// Returns the files that the document with the text `source` includes, by the rules of `dialect`.
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
        Blocks::Jsx => jsx::prepare(source, start, &mut prepared),
        Blocks::Vue => {
            containers(source, start, dialect.row().ids.list, &mut prepared);
            jsx::vue(source, start, &mut prepared);
        }
        Blocks::Kramdown => {
            math(source, start, &mut prepared);
            let lines = lines_outside_code(source, start);
            lines.for_each(|line| without_markdown_tag(line, &mut prepared));
        }
    }
    prepared
}

/// The markers of blocks of Python-Markdown and its extensions whose content is indented by four spaces.
const INDENTED_MARKERS: &[&str] = &["!!! ", "??? ", "???+ ", "=== ", "===! ", "===+ "];

/// Removes fenced code in blocks of HTML, as Python-Markdown does before it reads these: a blank line in the code does not
/// end the block.
fn fences_in_html(source: &str, start: usize, prepared: &mut Prepared<'_>) {
    let (mut open, mut is_html): (Option<Fence<'_>>, bool) = (None, false);
    for line in lines(source, start) {
        let text = line.trimmed();
        let is_inside = open.is_some();
        open = match open {
            Some(fence) => Some(fence).filter(|it| !it.is_closed_by(text)),
            None => Fence::of(text).filter(|it| it.character != ':'),
        };
        if !is_inside && open.is_none() {
            is_html = text.starts_with('<');
        } else if is_html {
            prepared.blank(line.range());
        }
    }
}

fn indented(source: &str, start: usize, prepared: &mut Prepared<'_>) {
    fences_in_html(source, start, prepared);
    for line in lines_outside_code(source, start) {
        let text = line.trimmed();
        let at = line.start + line.indent();
        // An item of a list whose content begins four columns after the marker, as the block's does.
        if INDENTED_MARKERS.iter().any(|it| text.starts_with(it)) && text.is_char_boundary(5) {
            prepared.replace(at..at + 5, "-   x");
        } else if let Some(hash) = unspaced_heading(line.text) {
            prepared.replace(line.start + hash..line.start + hash + 1, " ");
        } else {
            without_markdown_tag(line, prepared);
        }
    }
}

/// The last of the `#`s of a heading whose text follows them without a space, as Python-Markdown reads it. In its place a
/// space makes it a heading of CommonMark, unless it is the only one.
fn unspaced_heading(line: &str) -> Option<usize> {
    let text = line.trim_start_matches('#');
    let hashes = line.len() - text.len();
    let is_unspaced = !text.trim().is_empty() && !text.starts_with([' ', '\t']);
    ((2..=6).contains(&hashes) && is_unspaced).then(|| hashes - 1)
}

/// Reads the attribute lists of containers (`::: tip Title {#id}`): text may follow on the next line, so that no paragraph
/// ends there.
fn containers(source: &str, start: usize, list: ListReader, prepared: &mut Prepared<'_>) {
    for line in lines_outside_code(source, start) {
        let text = line.text.trim_end();
        let open = text.rfind('{').filter(|_| line.trimmed().starts_with(":::"));
        let Some(open) = open else { continue };
        if let Some((length, id)) = text.get(open..).and_then(list)
            && open + length == text.len()
        {
            let range = line.start + open..line.start + text.len();
            prepared.anchors.extend(id.map(|id| (id, Span::from(range.clone()))));
            prepared.blank(range);
        }
    }
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
    fn fenced_code_ends_no_block_of_html() {
        let source = "<center>\n```a\n<<b>>\n\nc\n```\n<i>d</i>\n</center>\n\n```\ne\n```\n";
        let expected = "<center>\n    \n     \n\n \n   \n<i>d</i>\n</center>\n\n```\ne\n```\n";
        assert_eq!(prepared(source, MarkdownDialect::MKDOCS), expected);
    }
}
