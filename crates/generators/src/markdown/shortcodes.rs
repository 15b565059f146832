//! Shortcodes of Hugo and tags of Jekyll that name documents.

use memchr::memmem;

use super::dialect::{MarkdownDialect, Shortcode};
use super::prepared::Prepared;
use super::rows::MarkdownValue;
use rehref_url::Span;

impl Shortcode {
    /// The path in the `content` between opener and closer, perhaps with quotes; `None` if it is other markup.
    fn path<'c>(&self, content: &'c str) -> Option<&'c str> {
        if !self.filters.is_empty() {
            let (path, filter) = content.split_once('|')?;
            let is_string = path.trim().starts_with(['"', '\'']);
            return (is_string && self.filters.contains(&filter.trim())).then_some(path);
        }
        let (name, path) = content.trim_start().split_once(char::is_whitespace)?;
        self.names.contains(&name).then_some(path)
    }
}

/// Whether `source` may include another text, whose anchors are not in it.
pub(super) fn has_includes(source: &str, dialect: MarkdownDialect) -> bool {
    let mut starts = dialect.row().includes.iter();
    starts.any(|start| memmem::find(source.as_bytes(), start.as_bytes()).is_some())
}

/// Finds the paths in the shortcodes of `source`, and makes these words, so that links around them are links.
pub(super) fn prepare(source: &str, dialect: MarkdownDialect, prepared: &mut Prepared<'_>) {
    for shortcode in dialect.row().shortcodes {
        let mut from = 0;
        while let Some(open) = find_from(source, shortcode.open, from) {
            let Some(close) = find_from(source, shortcode.close, open) else {
                break;
            };
            from = close + shortcode.close.len();
            let inside = open + shortcode.open.len()..close;
            let content = source.get(inside.clone()).unwrap_or_default();
            let Some(path) = shortcode.path(content) else {
                continue;
            };
            let path = path.trim().trim_matches(['"', '\'', '`']);
            let path = match shortcode.end {
                Some(end) => path.split([end, ' ', '\t']).next().unwrap_or_default(),
                None => path,
            };
            // mdBook prints escaped markup as it is.
            let is_escaped = source.get(..open).is_some_and(|it| it.ends_with('\\'));
            let is_path = !is_escaped && !path.is_empty() && !path.contains(shortcode.forbidden);
            let offset = content.rfind(path).filter(|_| is_path);
            if let Some(offset) = offset {
                let start = inside.start + offset;
                prepared.values.push(MarkdownValue {
                    span: Span::from(start..start + path.len()),
                    form: shortcode.row.verbatim(path),
                    row: shortcode.row,
                });
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
