//! Shortcodes of Hugo and tags of Jekyll: those that name documents, and all others, which are words in the text.

use std::cell::LazyCell;
use std::ops::Range;

use memchr::memmem;

use super::destination::DestinationForm;
use super::dialect::{MarkdownDialect, Shortcode, ShortcodeMarkup};
use super::lines::lines_outside_code;
use super::prepared::{Inclusion, Prepared, UnreadLink};
use super::rows::{self, MarkdownRow, MarkdownValue, may_be_url};
use rehref_url::{Span, scheme};

impl Shortcode {
    /// The paths in the `content` between opener and closer, perhaps with quotes, each with its place; none if it is
    /// other markup.
    fn paths<'c>(&self, content: &'c str) -> Vec<(usize, &'c str)> {
        let path = match self.filters {
            [] if self.names.is_empty() => {
                let mut at = 0;
                let lines = content.split_inclusive('\n').map(|line| {
                    at += line.len();
                    (at - line.len(), line)
                });
                return lines.collect();
            }
            [] => {
                let named = content.trim_start_matches('-').trim_start();
                let named = named.split_once(char::is_whitespace);
                named.filter(|(name, _)| self.names.contains(name)).map(|(_, path)| path)
            }
            filters => {
                let parts = content.split_once('|');
                let is_known = |(path, filter): &(&str, &str)| {
                    path.trim().starts_with(['"', '\''])
                        && filter.split('|').all(|it| filters.contains(&it.trim()))
                };
                return parts.filter(is_known).map(|(path, _)| (0, path)).into_iter().collect();
            }
        };
        let path = path.map(|path| (content.len() - path.len(), path.trim_end_matches('-')));
        path.into_iter().collect()
    }

    /// The path alone in a `path` of [`Shortcode::paths`], with its place there.
    fn bare<'c>(&self, path: &'c str) -> Option<(usize, &'c str)> {
        let start = path.len() - path.trim_start().len();
        let text = path.trim();
        let quote = text.chars().next().filter(|it| matches!(it, '"' | '\''));
        // Options may follow.
        let quoted = quote.and_then(|quote| text.get(1..)?.split(quote).next());
        let (start, text) = match quoted.filter(|_| self.row.is_part) {
            Some(quoted) => (start + 1, quoted),
            None => {
                let bare = text.trim_start_matches(['"', '\'', '`']);
                let start = start + text.len() - bare.len();
                (start, bare.trim_end_matches(['"', '\'', '`']))
            }
        };
        let text = match self.end {
            Some(end) if quoted.is_some() || self.names.is_empty() => text.split(end).next()?,
            Some(end) => text.split([end, ' ', '\t']).next()?,
            None => text,
        };
        // The name of a part of the file is not that of an element.
        let text = if self.row.is_part { text.split('#').next()? } else { text };
        let is_path = !text.is_empty() && !text.contains(self.forbidden);
        is_path.then_some((start, text))
    }

    /// Adds the values of the parameters of a shortcode of Hugo whose `content` starts at byte `start`. Returns whether a
    /// value has the fragment behind the shortcode, which ends at `tagged`; `None` if it is another one. `has_languages`: the
    /// parameter `lang` may select another document.
    fn parameters(
        &self,
        content: &str,
        start: usize,
        has_languages: bool,
        tagged: Option<usize>,
        prepared: &mut Prepared<'_>,
    ) -> Option<bool> {
        let trimmed = content.trim_start();
        let (name, rest) = trimmed.split_at(trimmed.find(is_space).unwrap_or(trimmed.len()));
        if !self.names.contains(&name) {
            return None;
        }
        let mut has_fragment = false;
        let start = start + content.len() - rest.len();
        let parameters = parameters(rest);
        if has_languages && parameters.iter().any(|(key, ..)| *key == Some("lang")) {
            prepared.unread.push(UnreadLink::Parameter(format!("{name} with lang")));
            return Some(false);
        }
        for (key, value, is_word) in parameters {
            let row = match key {
                None => self.parameters.iter().find(|(known, _)| known.is_empty()),
                Some(key) => self.parameters.iter().find(|(known, _)| *known == key),
            };
            let text = rest.get(value.clone()).unwrap_or_default();
            let Some((_, row)) = row.filter(|_| !text.is_empty() && !text.contains(['\n', '{']))
            else {
                continue;
            };
            let is_end = |rest: &str| rest.is_empty() || rest.starts_with(['"', '\'', ' ']);
            let is_found = rest.get(value.end..).is_some_and(is_end) && !text.contains('#');
            let tagged = tagged.filter(|_| is_found);
            has_fragment |= tagged.is_some();
            prepared.values.push(MarkdownValue {
                span: Span::from(start + value.start..tagged.unwrap_or(start + value.end)),
                form: match tagged {
                    Some(_) => DestinationForm::Tagged,
                    None if is_word => DestinationForm::Word,
                    None => row.verbatim(text),
                },
                row,
            });
            // The first one counts.
            if key.is_none() {
                break;
            }
        }
        Some(has_fragment)
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

/// The parameters that are texts, although one may look like the name of a file.
const TEXT_KEYS: &[&str] =
    &["alt", "caption", "class", "description", "header", "id", "lang", "style", "title"];

/// The parameters that may be paths in the `content` of markup; none if its name is one of `known`. The first word of
/// an include is the name of the file.
fn unread_parameters(content: &str, known: &[&str]) -> Vec<UnreadLink> {
    let content = content.trim_start_matches('-').trim();
    let (mut name, mut rest) = content.split_once(is_space).unwrap_or((content, ""));
    if known.contains(&name) || name.starts_with(|c: char| !c.is_alphanumeric()) {
        return Vec::new();
    }
    if name.starts_with("include") && !rest.trim_start().starts_with(['"', '\'', '`']) {
        let (file, parameters) = rest.trim_start().split_once(is_space).unwrap_or((rest, ""));
        (name, rest) = (file.trim(), parameters);
    }
    let is_path = |value: &str| {
        let is_url = scheme::split(value).is_some() || value.starts_with("//");
        !is_url && value.len() > 1 && !value.contains('{') && may_be_url(value)
    };
    let values = parameters(rest).into_iter();
    let values = values.filter(|(key, ..)| key.is_none_or(|it| !TEXT_KEYS.contains(&it)));
    let values = values.filter_map(|(_, range, _)| rest.get(range));
    values.filter(|it| is_path(it)).map(|_| UnreadLink::Parameter(name.to_owned())).collect()
}

impl MarkdownDialect {
    /// Returns true if the generator renders shortcodes or tags in the HTML file at `path` with these `bytes`:
    /// because it has front matter, or is a part of pages.
    #[must_use]
    #[doc(hidden)]
    pub fn renders_html(self, path: &str, bytes: &[u8]) -> bool {
        let is_part = || path.split('/').any(|folder| self.row().parts.contains(&folder));
        self.row().shortcode_markup.is_some() && (bytes.starts_with(b"---") || is_part())
    }
}

/// Returns true if `source` includes another text outside of code, whose path is not read.
pub(super) fn has_unread_includes(source: &str, dialect: MarkdownDialect) -> bool {
    !dialect.row().reads_inclusions()
        && has_markers(source, dialect)
        && lines_outside_code(source, 0).any(|line| has_markers(line.text, dialect))
}

/// Returns true if `source` has markup with which this dialect includes another text.
pub(super) fn has_markers(source: &str, dialect: MarkdownDialect) -> bool {
    let mut starts = dialect.row().includes.iter();
    starts.any(|start| memmem::find(source.as_bytes(), start.as_bytes()).is_some())
}

/// The starts of the lines of a source that are not in code.
struct OutsideCode(Vec<usize>);

impl OutsideCode {
    fn of(source: &str) -> OutsideCode {
        let lines = lines_outside_code(source, 0).filter(|line| line.indent() < 4);
        OutsideCode(lines.map(|line| line.start).collect())
    }

    /// Returns true if the byte `at` of `source` is in one of the lines.
    fn has(&self, source: &str, at: usize) -> bool {
        let line = source.get(..at).and_then(|before| before.rfind('\n')).map_or(0, |end| end + 1);
        self.0.binary_search(&line).is_ok()
    }
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
    let outside_code = LazyCell::new(|| OutsideCode::of(source));
    for shortcode in dialect.row().shortcodes {
        let mut from = 0;
        while let Some(open) = find_from(source, shortcode.open, from) {
            let start = open + shortcode.open.len();
            let Some(close) = find_from(source, shortcode.close, start) else { break };
            from = close + shortcode.close.len();
            let inside = start..close;
            let content = source.get(inside.clone()).unwrap_or_default();
            // mdBook prints escaped markup as it is.
            let line = source.get(..open).and_then(|it| it.rsplit('\n').next());
            let is_escaped = line.is_some_and(|it| it.ends_with('\\'));
            let is_inside = shortcode.is_line && line.is_none_or(|it| !it.trim().is_empty());
            if is_escaped || is_inside {
                from = start;
                continue;
            }
            if is_literal(open) {
                continue;
            }
            // Of a link to a heading, the fragment is behind the tag.
            let fragment = source.get(from..).filter(|it| it.starts_with('#'));
            let fragment = fragment.filter(|_| shortcode.has_fragments).map_or(0, url_length);
            let tagged = (fragment > 1).then_some(from + fragment);
            if !shortcode.parameters.is_empty() {
                let has_languages = dialect.row().has_language_roots;
                let start = inside.start;
                let found = shortcode.parameters(content, start, has_languages, tagged, prepared);
                if let Some(has_fragment) = found {
                    prepared.word(open..tagged.filter(|_| has_fragment).unwrap_or(from));
                }
                continue;
            }
            let paths = shortcode.paths(content).into_iter();
            let mut paths = paths
                .filter_map(|(at, path)| {
                    let (start, path) = shortcode.bare(path)?;
                    Some((inside.start + at + start, path))
                })
                .peekable();
            let has_paths = paths.peek().is_some();
            for (start, path) in paths {
                let row = match shortcode.row {
                    row if !row.is_part || outside_code.has(source, open) => row,
                    row if row.from_root => &rows::CODE_SNIPPET,
                    _ => &rows::INCLUDE,
                };
                prepared.values.push(MarkdownValue {
                    span: Span::from(start..tagged.unwrap_or(start + path.len())),
                    form: tagged.map_or_else(|| row.verbatim(path), |_| DestinationForm::Tagged),
                    row,
                });
                if row.is_part {
                    let has_own_links =
                        shortcode.links_option.is_some_and(|option| !content.contains(option));
                    prepared.inclusions.push(Inclusion { has_own_links, ..Inclusion::of(path) });
                }
            }
            let leaves_no_word = markup.is_some_and(|it| it.is_rendered_first)
                && shortcode.row.name == rows::INCLUDE.name
                && is_alone(source, open..from);
            if has_paths && leaves_no_word {
                prepared.blank(open..from);
            } else if has_paths {
                prepared.word(open..tagged.unwrap_or(from));
            }
        }
    }
    for (opener, closer) in markup.iter().flat_map(|it| it.words) {
        for (open, end) in markups(source, opener, closer) {
            if is_literal(open) {
                continue;
            }
            let inside = source.get(open + opener.len()..end - closer.len()).unwrap_or_default();
            let named = markup.and_then(|it| it.parameters.iter().find(|(it, _)| it == opener));
            if let Some((_, known)) = named {
                prepared.unread.extend(unread_parameters(inside, known));
            }
            if prepared.text.get(open..end) != source.get(open..end) {
                continue;
            }
            if markup.is_some_and(|it| it.is_rendered_first) && is_alone(source, open..end) {
                prepared.blank(open..end);
            } else {
                prepared.unknown_word(open..end);
            }
        }
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
        let is_whole = !rest.get(length..).unwrap_or_default().starts_with('{');
        if is_url && is_whole && rest.starts_with(['/', '#', '?']) {
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

/// Returns true if the markup `range` is alone on its lines.
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
            (
                jekyll,
                "{% include b.md x=\"d.md\" %} {%- include_relative c.md -%}",
                &["b.md", "c.md"],
            ),
            (jekyll, "{% include {{ page.x }} %} {% include_cached d/e.html %}", &["d/e.html"]),
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
            (
                MarkdownDialect::MKDOCS,
                "--8<-- \"a b.md:3:4\"\n  --8<-- 'c.md'\nx --8<-- \"d\"\n\n--8<--\ne.md:f\n; g.md\nh.md\n--8<--\n",
                &["a b.md", "c.md", "e.md", "h.md"],
            ),
            (
                MarkdownDialect::MKDOCS,
                "{% include-markdown \"./a b.md\"\n start='x' %} {!c/d.md!} {% if \"e.md\" %} {!f (g)!}",
                &["./a b.md", "c/d.md"],
            ),
            (plain, "{{< ref \"b\" >}}", &[]),
        ] {
            let prepared = blocks::prepare(source, dialect);
            let mut found: Vec<_> = prepared.values.iter().collect();
            found.sort_by_key(|it| it.span);
            let found: Vec<&str> = found.iter().map(|it| it.span.of_str(source)).collect();
            assert_eq!(found, expected, "{source}");
        }
    }

    #[test]
    fn parameters_that_may_be_paths_are_counted() {
        let [hugo, jekyll] = [MarkdownDialect::HUGO, MarkdownDialect::JEKYLL];
        for (dialect, source, expected) in [
            (
                hugo,
                "{{< img src=\"a.png\" alt=\"b.png\" >}} {{% include `c/d` %}}",
                &["img", "include"][..],
            ),
            (
                hugo,
                "{{< img src=\"https://h/a.png\" b=c >}} {{< /img >}} {{</* img d.png */>}}",
                &[],
            ),
            (hugo, "{{< ref \"a.md\" >}} {{< figure src=\"b.png\" >}} {{< gist c/d >}}", &[]),
            (jekyll, "{% include a.html b=\"/c/\" d='e f' %} {% if x == \"/a/\" %}", &["a.html"]),
            (jekyll, "{% picture a.jpg %} {{ \"/a/b\" | upcase }} {% endif %}", &["picture"]),
        ] {
            let found = blocks::prepare(source, dialect).unread;
            let expected = expected.iter().map(|name| UnreadLink::Parameter((*name).to_owned()));
            assert_eq!(found, expected.collect::<Vec<_>>(), "{source}");
        }
    }
}
