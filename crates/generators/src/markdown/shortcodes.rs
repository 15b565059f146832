//! Shortcodes of Hugo and tags of Jekyll: those that name documents, and all others, which are words in the text.

use std::ops::Range;

use memchr::memmem;

use super::destination::DestinationForm;
use super::dialect::{MarkdownDialect, Shortcode, ShortcodeMarkup};
use super::prepared::Prepared;
use super::rows::{MarkdownRow, MarkdownValue};
use rehref_url::Span;

impl Shortcode {
    /// The path in the `content` between opener and closer, perhaps with quotes; `None` if it is other markup.
    fn path<'c>(&self, content: &'c str) -> Option<&'c str> {
        let content = content.trim_start_matches('-');
        if !self.filters.is_empty() {
            let (path, filters) = content.split_once('|')?;
            let is_string = path.trim().starts_with(['"', '\'']);
            let are_known = filters.split('|').all(|it| self.filters.contains(&it.trim()));
            return (is_string && are_known).then_some(path);
        }
        let (name, path) = content.trim_start().split_once(char::is_whitespace)?;
        self.names.contains(&name).then_some(path.trim_end_matches('-'))
    }

    /// Adds the values of the parameters of a shortcode of Hugo whose `content` starts at byte `start`; `false` if it is
    /// another one.
    fn parameters(&self, content: &str, start: usize, prepared: &mut Prepared<'_>) -> bool {
        let trimmed = content.trim_start();
        let (name, rest) = trimmed.split_at(trimmed.find(is_space).unwrap_or(trimmed.len()));
        if !self.names.contains(&name) {
            return false;
        }
        let start = start + content.len() - rest.len();
        for (key, value, is_word) in parameters(rest) {
            let row = match key {
                None => self.parameters.iter().find(|(known, _)| known.is_empty()),
                Some(key) => self.parameters.iter().find(|(known, _)| *known == key),
            };
            let text = rest.get(value.clone()).unwrap_or_default();
            let Some((_, row)) = row.filter(|_| !text.is_empty() && !text.contains(['\n', '{']))
            else {
                continue;
            };
            prepared.values.push(MarkdownValue {
                span: Span::from(start + value.start..start + value.end),
                form: if is_word { DestinationForm::Word } else { row.verbatim(text) },
                row,
            });
            // The first one counts.
            if key.is_none() {
                break;
            }
        }
        true
    }
}

fn is_space(c: char) -> bool {
    c.is_ascii_whitespace()
}

/// The parameters of a shortcode of Hugo in `text`: their names, their values, and whether these have no quotes.
fn parameters(text: &str) -> Vec<(Option<&str>, Range<usize>, bool)> {
    let mut found = Vec::new();
    let mut at = 0;
    let rest_at = |at: usize| text.get(at..).unwrap_or_default();
    loop {
        at += rest_at(at).len() - rest_at(at).trim_start_matches(is_space).len();
        let rest = rest_at(at);
        let Some(first) = rest.chars().next() else { return found };
        let mut key = None;
        if !matches!(first, '"' | '\'' | '`') {
            let end = rest.find(|c: char| is_space(c) || c == '=').unwrap_or(rest.len());
            let word = rest.get(..end).unwrap_or_default();
            if !rest_at(at + end).starts_with('=') {
                found.push((None, at..at + end, true));
                at += end;
                continue;
            }
            key = Some(word);
            at += end + 1;
        }
        let rest = rest_at(at);
        let quote = rest.chars().next().filter(|it| matches!(it, '"' | '\'' | '`'));
        match quote {
            Some(quote) => {
                let Some(length) = rest.get(1..).and_then(|it| it.find(quote)) else {
                    return found;
                };
                found.push((key, at + 1..at + 1 + length, false));
                at += length + 2;
            }
            None => {
                let end = rest.find(is_space).unwrap_or(rest.len());
                found.push((key, at..at + end, true));
                at += end;
            }
        }
    }
}

/// Whether `source` may include another text, whose anchors are not in it.
pub(super) fn has_includes(source: &str, dialect: MarkdownDialect) -> bool {
    let mut starts = dialect.row().includes.iter();
    starts.any(|start| memmem::find(source.as_bytes(), start.as_bytes()).is_some())
}

/// Finds the paths in the shortcodes of `source`, and makes these words, so that links around them are links.
pub(super) fn prepare(source: &str, dialect: MarkdownDialect, prepared: &mut Prepared<'_>) {
    let markup = dialect.row().shortcode_markup;
    let literal = markup.map(|it| between(source, it, it.literal)).unwrap_or_default();
    let blank = markup.map(|it| between(source, it, it.blank)).unwrap_or_default();
    blank.into_iter().for_each(|range| prepared.blank(range));
    let is_literal = |at: usize| {
        let before = literal.partition_point(|range| range.start <= at);
        let range = before.checked_sub(1).and_then(|it| literal.get(it));
        range.is_some_and(|range| range.contains(&at))
    };
    if let Some(markup) = markup {
        after_variables(source, markup, &is_literal, prepared);
    }
    for shortcode in dialect.row().shortcodes {
        for (open, end) in markups(source, shortcode.open, shortcode.close) {
            if !is_literal(open) {
                read(shortcode, source, open..end, prepared);
            }
        }
    }
    for (opener, closer) in markup.iter().flat_map(|it| it.words) {
        for (open, end) in markups(source, opener, closer) {
            let is_read = prepared.text.get(open..end) != source.get(open..end);
            if is_read || is_literal(open) {
                continue;
            }
            if markup.is_some_and(|it| it.is_rendered_first) && is_alone(source, open..end) {
                prepared.blank(open..end);
            } else {
                prepared.word(open..end);
            }
        }
    }
}

/// Reads the markup `range` of `source`, if it is `shortcode`.
fn read(shortcode: &Shortcode, source: &str, range: Range<usize>, prepared: &mut Prepared<'_>) {
    let inside = range.start + shortcode.open.len()..range.end - shortcode.close.len();
    let content = source.get(inside.clone()).unwrap_or_default();
    // mdBook prints escaped markup as it is.
    if source.get(..range.start).is_some_and(|it| it.ends_with('\\')) {
        return;
    }
    if !shortcode.parameters.is_empty() {
        if shortcode.parameters(content, inside.start, prepared) {
            prepared.word(range);
        }
        return;
    }
    let Some(path) = shortcode.path(content) else { return };
    let path = path.trim().trim_matches(['"', '\'', '`']);
    let path = match shortcode.end {
        Some(end) => path.split([end, ' ', '\t']).next().unwrap_or_default(),
        None => path,
    };
    let is_path = !path.is_empty() && !path.contains(shortcode.forbidden);
    if let Some(offset) = content.rfind(path).filter(|_| is_path) {
        let start = inside.start + offset;
        // Of a link to a heading, the fragment is behind the tag.
        let fragment = source.get(range.end..).filter(|it| it.starts_with('#'));
        let fragment = fragment.filter(|_| shortcode.has_fragments).map_or(0, url_length);
        let end = if fragment > 1 { range.end + fragment } else { start + path.len() };
        prepared.values.push(MarkdownValue {
            span: Span::from(start..end),
            form: if fragment > 1 { DestinationForm::Tagged } else { shortcode.row.verbatim(path) },
            row: shortcode.row,
        });
        prepared.word(range.start..range.end + fragment);
    }
}

/// The bytes that a URL in Markdown or in an attribute has at the start of `text`.
fn url_length(text: &str) -> usize {
    text.find(|c: char| {
        c.is_whitespace() || matches!(c, ')' | '"' | '\'' | '<' | '>' | '`' | '{' | ']')
    })
    .unwrap_or(text.len())
}

/// Finds the paths that follow variables with the URL of the site: `{{ site.baseurl }}/a`.
fn after_variables(
    source: &str,
    markup: &ShortcodeMarkup,
    is_literal: &impl Fn(usize) -> bool,
    prepared: &mut Prepared<'_>,
) {
    let mut chain: Option<(Range<usize>, &'static MarkdownRow)> = None;
    for (open, end) in markups(source, "{{", "}}") {
        let name = source.get(open + 2..end - 2).unwrap_or_default().trim();
        let variable = markup.variables.iter().find(|(known, _)| *known == name);
        let Some((_, row)) = variable.filter(|_| !is_literal(open)) else { continue };
        let start = match &chain {
            Some((before, _)) if before.end == open => before.start,
            _ => open,
        };
        chain = Some((start..end, row));
        let rest = source.get(end..).unwrap_or_default();
        let before = source.get(..start).unwrap_or_default();
        let is_url =
            before.ends_with(['(', '<', '"', '\'', '=']) || before.trim_end().ends_with("]:");
        let length = url_length(rest);
        if is_url && rest.starts_with(['/', '#', '?']) {
            prepared.values.push(MarkdownValue {
                span: Span::from(end..end + length),
                form: DestinationForm::Verbatim,
                row,
            });
            prepared.word(start..end + length);
        }
    }
}

/// The ranges of `source` from one of the tags `pairs` to its closing tag, in order.
fn between(
    source: &str,
    markup: &ShortcodeMarkup,
    pairs: &[(&'static str, &'static str)],
) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for (opener, closer) in markup.words.iter().filter(|_| !pairs.is_empty()) {
        let mut open: Option<(usize, &str)> = None;
        for (start, end) in markups(source, opener, closer) {
            let name = source.get(start + opener.len()..end - closer.len()).unwrap_or_default();
            let name = name.trim_start_matches(|c: char| c == '-' || is_space(c));
            let name = name.split(|c: char| c == '-' || is_space(c)).next().unwrap_or_default();
            match open {
                None => {
                    let pair = pairs.iter().find(|(known, _)| *known == name);
                    open = pair.map(|(_, close)| (start, *close));
                }
                Some((first, close)) if close == name => {
                    found.push(first..end);
                    open = None;
                }
                Some(_) => {}
            }
        }
    }
    found.sort_unstable_by_key(|range| range.start);
    found
}

/// Whether the markup `range` is alone on its lines.
fn is_alone(source: &str, range: Range<usize>) -> bool {
    let before = source.get(..range.start).unwrap_or_default().rsplit('\n').next();
    let after = source.get(range.end..).unwrap_or_default().split('\n').next();
    [before, after].into_iter().flatten().all(|it| it.trim().is_empty())
}

/// The starts and ends of the markup between `open` and `close`.
fn markups<'s>(
    source: &'s str,
    open: &'s str,
    close: &'s str,
) -> impl Iterator<Item = (usize, usize)> {
    let mut from = 0;
    std::iter::from_fn(move || {
        let start = find_from(source, open, from)?;
        from = find_from(source, close, start)? + close.len();
        Some((start, from))
    })
}

fn find_from(source: &str, what: &str, from: usize) -> Option<usize> {
    let rest = source.as_bytes().get(from..)?;
    memmem::find(rest, what.as_bytes()).map(|at| from + at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markdown::blocks;

    #[test]
    fn shortcodes_name_documents() {
        let [hugo, jekyll, mdbook, vitepress, plain] = [
            MarkdownDialect::HUGO,
            MarkdownDialect::JEKYLL,
            MarkdownDialect::MDBOOK,
            MarkdownDialect::VITEPRESS,
            MarkdownDialect::PLAIN,
        ];
        for (dialect, source, expected) in [
            (hugo, "[a]({{< ref \"b/c.md#d\" >}})", &["b/c.md#d"][..]),
            (hugo, "[a]({{% relref b.md %}}) {{<ref '/c'>}}", &["b.md", "/c"]),
            (
                hugo,
                "{{< ref path=\"b.md\" lang=\"de\" >}} {{< figure src=\"a\" >}}",
                &["b.md", "a"],
            ),
            (hugo, "{{< figure\n link=`a`\n alt=\"b c=d\"\n src=e.png\n>}}", &["a", "e.png"]),
            (
                hugo,
                "{{</* ref \"b\" */>}} {{< ref b \"c\" >}} {{< other \"d\" >}} {{< ref >}}",
                &["b"],
            ),
            (jekyll, "[a]({% link _posts/b.md %})", &["_posts/b.md"]),
            (jekyll, "{% link a=b/c d.md %} {% link {{ x }} %}", &["a=b/c d.md"]),
            (jekyll, "[a]({% link b.md %}#c) {%- link d.md -%}", &["b.md %}#c", "d.md"]),
            (
                jekyll,
                "[a]({{ site.baseurl }}/b#c) <a href='{{site.url}}{{ site.baseurl }}/d'> {{ site.baseurl }}/e",
                &["/b#c", "/d"],
            ),
            (
                jekyll,
                "{% raw %}{% link a.md %}{% endraw %}{% comment %}{% link b.md %}{% endcomment %}{% link c.md %}",
                &["c.md"],
            ),
            (jekyll, "{% post_url 2024-01-02-a %}", &["2024-01-02-a"]),
            (jekyll, "{{ '/a' | prepend: site.baseurl | prepend: site.url }}", &["/a"]),
            (jekyll, "{% include b.md %} {% include_relative c.md %}", &["c.md"]),
            (
                jekyll,
                "[a]({{ '/b/#c' | relative_url }}) {{ site.url | absolute_url }} {{ \"/d\" | upcase }}",
                &["/b/#c"],
            ),
            (
                mdbook,
                "```\n{{#include ../b.rs:2:10}}\n```\n{{#playground c.rs editable}} \\{{#include d}} {{#title x}}",
                &["../b.rs", "c.rs"],
            ),
            (vitepress, "<!-- @include: ./b.md{3,} --> <!-- b -->", &["./b.md"]),
            (plain, "{{< ref \"b\" >}}", &[]),
        ] {
            let prepared = blocks::prepare(source, dialect);
            let mut found: Vec<_> = prepared.values.iter().collect();
            found.sort_by_key(|it| it.span);
            let found: Vec<&str> = found.iter().map(|it| it.span.of_str(source)).collect();
            assert_eq!(found, expected, "{source}");
        }
    }
}
