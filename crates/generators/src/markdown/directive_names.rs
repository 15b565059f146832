//! The documents, files and labels that directives and roles name, in MyST (its specification, "Roles and Directives")
//! and in reStructuredText: documents, files, labels.

use std::ops::Range;

use super::lines::Line;
use super::rows::{self, MarkdownRow, MarkdownValue};
use rehref_url::Span;

/// The meaning of the argument and the content of a directive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Directive {
    /// The content is not Markdown.
    Literal,
    /// The content is reStructuredText.
    Rst,
    /// The argument is the path of a file, which takes the place of the directive.
    Path(&'static MarkdownRow),
    /// The argument is the path of a file with Markdown, which takes the place of the directive.
    Include,
    /// The content is a list of documents.
    Toctree,
    /// The argument names a document or a label, and the content is Markdown.
    Link,
    /// The content is Markdown.
    Markdown,
}

/// The directives whose content is not Markdown.
#[rustfmt::skip]
const LITERAL: &[&str] = &[
    "code", "code-block", "code-cell", "sourcecode", "math", "raw", "mermaid", "graphviz", "doctest", "testcode",
    "csv-table", "bibliography", "autodoc2-docstring",
];

impl Directive {
    /// Returns the directive called `name`; `None` for those that name no files and whose content is Markdown.
    pub(super) fn named(name: &str) -> Option<Directive> {
        Some(match name {
            name if LITERAL.contains(&name) => Directive::Literal,
            "eval-rst" => Directive::Rst,
            "include" => Directive::Include,
            "literalinclude" => Directive::Path(&rows::FILE),
            "figure" | "image" => Directive::Path(&rows::FIGURE),
            "toctree" => Directive::Toctree,
            // sphinx-design.
            "button-link" => Directive::Path(&rows::DIRECTIVE),
            "button-ref" => Directive::Link,
            _ => return None,
        })
    }
}

/// The roles whose content names a document, a file or a label.
const ROLES: &[(&str, &MarkdownRow)] = &[
    ("doc", &rows::DOCUMENT),
    ("download", &rows::ROLE),
    ("any", &rows::ANY),
    ("ref", &rows::LABEL),
    ("numref", &rows::LABEL),
    ("eq", &rows::LABEL),
    ("term", &rows::LABEL),
];

/// The options of directives that name a file or a URL.
const OPTIONS: &[(&str, &MarkdownRow)] = &[("file", &rows::FILE), ("target", &rows::DIRECTIVE)];

/// Returns the name and the value of the option in `line`.
pub(super) fn option<'s>(line: Line<'s>) -> Option<(&'s str, &'s str)> {
    let (name, value) = line.text.trim().strip_prefix(':')?.split_once(':')?;
    // A role follows its name at once.
    let is_option = value.is_empty() || value.starts_with(char::is_whitespace);
    is_option.then(|| (name, value.trim()))
}

/// Returns the path or URL in `line` if it is an option that has one.
pub(super) fn named_by_option(source: &str, line: Line<'_>) -> Option<MarkdownValue> {
    let (name, value) = option(line)?;
    let (_, row) = OPTIONS.iter().find(|(known, _)| *known == name)?;
    // The name of a hyperlink of reStructuredText.
    let is_name = value.ends_with('_');
    path(source, line, value, row).filter(|_| !is_name)
}

/// Returns the document in `line` of a `toctree`.
pub(super) fn entry(source: &str, line: Line<'_>) -> Option<MarkdownValue> {
    let text = line.text.trim();
    let entry = match text.strip_suffix('>').and_then(|it| it.rsplit_once('<')) {
        Some((_, entry)) => entry,
        None => text,
    };
    let is_made = ["self", "genindex", "modindex", "py-modindex", "search"].contains(&entry);
    let is_path = !entry.is_empty() && !is_made && !entry.contains(['*', '[']);
    is_path.then(|| path(source, line, entry, &rows::TOCTREE))?
}

/// Returns the URL `text`, whose last occurrence in `line` counts: a name before it may be the same.
pub(super) fn path(
    source: &str,
    line: Line<'_>,
    text: &str,
    row: &'static MarkdownRow,
) -> Option<MarkdownValue> {
    let offset = line.text.rfind(text).filter(|_| !text.is_empty())?;
    value(source, line.start + offset..line.start + offset + text.len(), row)
}

/// Returns the path or URL in `range` of `source`, in the place `row`.
pub(super) fn value(
    source: &str,
    range: Range<usize>,
    row: &'static MarkdownRow,
) -> Option<MarkdownValue> {
    // A file of the package of Sphinx or of another project.
    let text = source.get(range.clone())?;
    (!text.starts_with('<')).then(|| MarkdownValue {
        span: Span::from(range),
        form: row.verbatim(text),
        row,
    })
}

/// Returns the path in the code `range` of `source`, if it is the content of a role that names a document: ``
/// {doc}`text <path>` ``.
pub(super) fn role(source: &str, range: Range<usize>) -> Option<MarkdownValue> {
    let before = source.get(..range.start)?.strip_suffix('}')?;
    let near = before.len().saturating_sub(LONGEST_ROLE);
    let open = memchr::memrchr(b'{', before.as_bytes().get(near..)?)?;
    let name = before.get(near + open + 1..)?;
    let code = source.get(range.clone())?;
    let content = code.trim_matches('`');
    let start = range.start + (code.len() - code.trim_start_matches('`').len());
    role_value(source, name, start..start + content.len())
}

/// The number of bytes before the content of a role in which its name is.
const LONGEST_ROLE: usize = 32;

/// Returns the path or label in the `content` of the role `name`.
pub(super) fn role_value(source: &str, name: &str, content: Range<usize>) -> Option<MarkdownValue> {
    let name = name.strip_prefix("std:").unwrap_or(name);
    let (_, row) = ROLES.iter().find(|(known, _)| *known == name)?;
    let text = source.get(content.clone())?;
    let range = match text.strip_suffix('>').and_then(|it| it.rfind('<')) {
        Some(open) => content.start + open + 1..content.end - 1,
        None => content,
    };
    // `!` turns the link off.
    let is_name = !range.is_empty() && !text.starts_with('!');
    is_name.then(|| value(source, range, row))?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_name_documents() {
        for (source, expected) in [
            ("{doc}`a/b`", Some("a/b")),
            ("{doc}`T <../b>`", Some("../b")),
            ("{download}`b.zip`", Some("b.zip")),
            ("{ref}`T <b c>` ", Some("b c")),
            ("{std:ref}`b`", Some("b")),
            ("{sub}`b`", None),
            ("{doc}`!b`", None),
            ("`b`", None),
        ] {
            let code = source.find('`').unwrap();
            let found = role(source, code..source.trim_end().len());
            assert_eq!(found.map(|it| it.span.of_str(source)), expected, "{source}");
        }
        let half = "}`x` ".repeat(10_000);
        assert_eq!(role(&half, half.len() - 4..half.len() - 1), None);
    }
}
