//! Shortcodes of Hugo and tags of Jekyll that name documents.

use std::cell::LazyCell;

use memchr::memmem;

use super::dialect::{MarkdownDialect, Shortcode};
use super::lines::lines_outside_code;
use super::prepared::{Inclusion, Prepared};
use super::rows::{self, MarkdownValue};
use rehref_url::Span;

impl Shortcode {
    /// The paths in the `content` between opener and closer, perhaps with quotes, each with its place; none if it is other
    /// markup.
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
                let named = content.trim_start().split_once(char::is_whitespace);
                named.filter(|(name, _)| self.names.contains(name)).map(|(_, path)| path)
            }
            filters => {
                let parts = content.split_once('|');
                let is_known = |(path, filter): &(&str, &str)| {
                    path.trim().starts_with(['"', '\'']) && filters.contains(&filter.trim())
                };
                return parts.filter(is_known).map(|(path, _)| (0, path)).into_iter().collect();
            }
        };
        path.map(|path| (content.len() - path.len(), path)).into_iter().collect()
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
}

/// Whether `source` may include another text, whose anchors are not in it.
pub(super) fn has_includes(source: &str, dialect: MarkdownDialect) -> bool {
    !dialect.row().reads_inclusions() && has_markers(source, dialect)
}

/// Whether `source` has markup with which this dialect includes another text.
pub(super) fn has_markers(source: &str, dialect: MarkdownDialect) -> bool {
    let mut starts = dialect.row().includes.iter();
    starts.any(|start| memmem::find(source.as_bytes(), start.as_bytes()).is_some())
}

/// The starts of the lines of a source that are not in fenced code.
struct OutsideCode(Vec<usize>);

impl OutsideCode {
    fn of(source: &str) -> OutsideCode {
        OutsideCode(lines_outside_code(source, 0).map(|line| line.start).collect())
    }

    /// Whether the byte `at` of `source` is in one of the lines.
    fn has(&self, source: &str, at: usize) -> bool {
        let line = source.get(..at).and_then(|before| before.rfind('\n')).map_or(0, |end| end + 1);
        self.0.binary_search(&line).is_ok()
    }
}

/// Finds the paths in the shortcodes of `source`, and makes these words, so that links around them are links.
pub(super) fn prepare(source: &str, dialect: MarkdownDialect, prepared: &mut Prepared<'_>) {
    let outside_code = LazyCell::new(|| OutsideCode::of(source));
    for shortcode in dialect.row().shortcodes {
        let mut from = 0;
        while let Some(open) = find_from(source, shortcode.open, from) {
            let start = open + shortcode.open.len();
            let Some(close) = find_from(source, shortcode.close, start) else {
                break;
            };
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
                    span: Span::from(start..start + path.len()),
                    form: row.verbatim(path),
                    row,
                });
                if row.is_part {
                    let has_own_links =
                        shortcode.links_option.is_some_and(|option| !content.contains(option));
                    prepared.inclusions.push(Inclusion { has_own_links, ..Inclusion::of(path) });
                }
            }
            if has_paths {
                prepared.word(open..from);
            }
        }
    }
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
        for (dialect, source, expected) in [
            (MarkdownDialect::HUGO, "[a]({{< ref \"b/c.md#d\" >}})", &["b/c.md#d"][..]),
            (MarkdownDialect::HUGO, "[a]({{% relref b.md %}}) {{<ref '/c'>}}", &["b.md", "/c"]),
            (
                MarkdownDialect::HUGO,
                "{{< ref path=\"b.md\" lang=\"de\" >}} {{< figure src=\"a\" >}}",
                &[],
            ),
            (MarkdownDialect::JEKYLL, "[a]({% link _posts/b.md %})", &["_posts/b.md"]),
            (MarkdownDialect::JEKYLL, "{% link a=b/c d.md %} {% link {{ x }} %}", &["a=b/c d.md"]),
            (MarkdownDialect::JEKYLL, "{% include b.md %} {% include_relative c.md %}", &["c.md"]),
            (
                MarkdownDialect::JEKYLL,
                "[a]({{ '/b/#c' | relative_url }}) {{ site.url | absolute_url }} {{ \"/d\" | upcase }}",
                &["/b/#c"],
            ),
            (
                MarkdownDialect::MDBOOK,
                "```\n{{#include ../b.rs:2:10}}\n```\n{{#playground c.rs editable}} \\{{#include d}} {{#title x}}",
                &["../b.rs", "c.rs"],
            ),
            (MarkdownDialect::VITEPRESS, "<!-- @include: ./b.md{3,} --> <!-- b -->", &["./b.md"]),
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
            (MarkdownDialect::PLAIN, "{{< ref \"b\" >}}", &[]),
        ] {
            let prepared = blocks::prepare(source, dialect);
            let mut found: Vec<_> = prepared.values.iter().collect();
            found.sort_by_key(|it| it.span);
            let found: Vec<&str> = found.iter().map(|it| it.span.of_str(source)).collect();
            assert_eq!(found, expected, "{source}");
        }
    }
}
