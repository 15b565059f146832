//! Directives of MyST (its specification, "Roles and Directives") in a document.

use super::directive_names::{Directive, entry, named_by_option, option, path};
use super::lines::{Fence, Line, lines};
use super::prepared::{Inclusion, Prepared};
use super::rows::{self, MarkdownValue};
use super::rst::RstReader;

/// The options of sphinx-design that say what a link names.
const LINK_TYPES: &[&str] = &["link-type", "ref-type"];

/// The kind of target of a link of sphinx-design.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LinkType {
    /// A URL.
    Url,
    /// A document.
    Document,
    /// A label.
    Label,
    /// A document or a label.
    Any,
}

/// An open directive.
struct Open<'s> {
    fence: Fence<'s>,
    /// Of its first line.
    indent: usize,
    directive: Directive,
    /// Whether the lines read so far are all options.
    in_options: bool,
    /// The link in its argument or an option; a later option may say what it names.
    link: Option<(MarkdownValue, LinkType)>,
    /// The kind of target that an option states.
    link_type: Option<LinkType>,
    /// Reads its content if that is reStructuredText.
    rst: RstReader<'s>,
}

impl LinkType {
    fn named(name: &str) -> LinkType {
        match name {
            "doc" => LinkType::Document,
            "any" => LinkType::Any,
            "url" => LinkType::Url,
            _ => LinkType::Label,
        }
    }
}

impl Open<'_> {
    /// The path in its link.
    fn path(&mut self, source: &str) -> Option<MarkdownValue> {
        let (value, default) = self.link.take()?;
        let text = value.span.of_str(source);
        let row = match self.link_type.unwrap_or(default) {
            LinkType::Document => &rows::NAMED_DOCUMENT,
            LinkType::Url if text.contains(['/', '.']) => &rows::DIRECTIVE,
            LinkType::Any => &rows::NAME,
            LinkType::Label => &rows::NAMED_LABEL,
            LinkType::Url => return None,
        };
        let form = row.verbatim(text);
        Some(MarkdownValue { row, form, ..value })
    }
}

/// The most directives around a line that it may close, from the outermost on.
const MOST_AROUND: usize = 64;

/// The most spaces before a closing fence besides those of its container (CommonMark section 4.5).
const CLOSING_INDENT: usize = 3;

/// Makes the fences of directives whose content is Markdown blank, and finds the paths in all of them.
pub(super) fn prepare(source: &str, start: usize, prepared: &mut Prepared<'_>) {
    let mut open: Vec<Open<'_>> = Vec::new();
    for line in lines(source, start) {
        let text = line.trimmed();
        let is_literal =
            |open: &Open<'_>| matches!(open.directive, Directive::Literal | Directive::Rst);
        // The content of a directive is read after its end is found, whatever is open in it.
        let mut around = open.iter().take(MOST_AROUND);
        let closed = around.position(|it| {
            line.indent() <= it.indent + CLOSING_INDENT && it.fence.is_closed_by(text)
        });
        if let Some(at) = closed {
            let literal = open.get(at).is_some_and(is_literal);
            // Code in it that was never closed ends with it.
            let is_open_code = |it: &Open<'_>| {
                is_literal(it) && !it.fence.rest.is_empty() && it.fence.is_closed_by(text)
            };
            let ends_code = open.get(at + 1..).is_some_and(|it| it.iter().any(is_open_code));
            let closed = open.drain(at..);
            prepared.values.extend(closed.filter_map(|mut it| it.path(source)));
            if !literal && !ends_code {
                prepared.blank(line.range());
            }
            continue;
        }
        if let Some(open) = open.last_mut().filter(|it| is_literal(it)) {
            if open.directive == Directive::Rst {
                open.rst.line(source, line);
                prepared.values.append(&mut open.rst.found.values);
            } else {
                open.in_options &= option(line).is_some();
                prepared.values.extend(named_by_option(source, line).filter(|_| open.in_options));
            }
            continue;
        }
        // A comment.
        if line.text.starts_with('%') {
            prepared.blank(line.range());
            continue;
        }
        if let Some(fence) = Fence::of(text) {
            let (directive, argument) = directive(fence.rest);
            let is_code = fence.character != ':';
            let in_options = directive.is_some();
            let directive = directive.or(is_code.then_some(Directive::Literal));
            let Some(directive) = directive else { continue };
            match directive {
                Directive::Path(row) => prepared.values.extend(path(source, line, argument, row)),
                Directive::Include => {
                    let value = path(source, line, argument, &rows::PART);
                    prepared.values.extend(value);
                    prepared.inclusions.push(Inclusion::of(argument));
                }
                _ => {}
            }
            if !matches!(directive, Directive::Literal | Directive::Rst) {
                prepared.blank(line.range());
            }
            let link = match directive {
                Directive::Link => path(source, line, argument, &rows::NAME),
                _ => None,
            };
            open.push(Open {
                fence,
                indent: line.indent(),
                directive,
                in_options,
                link: link.map(|it| (it, LinkType::Any)),
                link_type: None,
                rst: RstReader::default(),
            });
            continue;
        }
        if let Some(open) = open.last_mut() {
            content(source, line, open, prepared);
        }
    }
    let unclosed = open.iter_mut();
    prepared.values.extend(unclosed.filter_map(|it| it.path(source)));
}

/// The directive that the rest of an opening fence names, and its argument.
fn directive(rest: &str) -> (Option<Directive>, &str) {
    let Some((name, argument)) = rest.strip_prefix('{').and_then(|it| it.split_once('}')) else {
        return (None, "");
    };
    let (name, argument) = (name.trim(), argument.trim());
    let directive = match (name, argument) {
        // HTML is Markdown, too.
        ("raw", "html") => Directive::Markdown,
        _ => Directive::named(name).unwrap_or(Directive::Markdown),
    };
    (Some(directive), argument)
}

/// Reads a line of the content of a directive that is not literal.
fn content(source: &str, line: Line<'_>, open: &mut Open<'_>, prepared: &mut Prepared<'_>) {
    let text = line.text.trim();
    let option = option(line);
    open.in_options &= option.is_some() || text.is_empty() || text == "---";
    if !open.in_options {
        prepared.values.extend(open.path(source));
    }
    match (option.filter(|_| open.in_options), open.directive) {
        (Some((name, value)), _) => {
            prepared.values.extend(named_by_option(source, line));
            if name == "link" {
                let link = path(source, line, value, &rows::DIRECTIVE);
                open.link = link.map(|it| (it, LinkType::Url));
            }
            if open.directive == Directive::Include
                && let Some(inclusion) = prepared.inclusions.last_mut()
            {
                inclusion.set(name);
            }
            if LINK_TYPES.contains(&name) {
                open.link_type = Some(LinkType::named(value));
            }
            // Elsewhere, it may be an item of a list of fields.
            if open.directive == Directive::Toctree {
                prepared.blank(line.range());
            }
        }
        (None, Directive::Toctree) => {
            prepared.values.extend(entry(source, line));
            prepared.blank(line.range());
        }
        (None, _) => {}
    }
}

#[cfg(test)]
mod tests {
    use crate::markdown::MarkdownDialect;
    use crate::markdown::blocks;

    fn read(source: &str) -> (String, Vec<String>) {
        let prepared = blocks::prepare(source, MarkdownDialect::SPHINX);
        let values = prepared.values.iter();
        let values = values.map(|it| it.span.of_str(source).to_owned()).collect();
        (prepared.text.into_owned(), values)
    }

    #[test]
    fn fences_of_directives_with_markdown_are_blank() {
        for (source, text, values) in [
            ("```{note}\n[a](b)\n```\n", "         \n[a](b)\n   \n", &[][..]),
            ("```python\n[a](b)\n```\n", "```python\n[a](b)\n```\n", &[]),
            ("```{raw} html\n<a href='b'>\n```\n", "             \n<a href='b'>\n   \n", &[]),
            ("```{raw} latex\n<a href='b'>\n```\n", "```{raw} latex\n<a href='b'>\n```\n", &[]),
            ("```{code-block} x\n[a](b)\n```\n", "```{code-block} x\n[a](b)\n```\n", &[]),
            (
                ":::{figure} img/a.png\n:alt: b\n\n[c](d)\n:::\n",
                "                     \n:alt: b\n\n[c](d)\n   \n",
                &["img/a.png"],
            ),
            (
                "````{tab}\n```\n[a](b)\n```\n[c](d)\n````\n",
                "         \n```\n[a](b)\n```\n[c](d)\n    \n",
                &[],
            ),
            (
                "```{toctree}\n:maxdepth: 2\n\na\nT <b/c>\nself\nd*\n```\n",
                "            \n            \n\n \n       \n    \n  \n   \n",
                &["a", "b/c"],
            ),
            (
                "```{button-ref} a\n:color: b\n```\n```{button-ref} c\n:ref-type: ref\n```\n",
                "                 \n:color: b\n   \n                 \n:ref-type: ref\n   \n",
                &["a", "c"],
            ),
            (
                "````{grid}\n```{card} T\n:link: a\n:link-type: doc\n\nb\n```\n:::{card}\n:link: c/d\n:link-type: ref\n:::\n````\n",
                "          \n           \n:link: a\n:link-type: doc\n\nb\n   \n         \n:link: c/d\n:link-type: ref\n   \n    \n",
                &["a", "c/d"],
            ),
            (
                "```{eval-rst}\n.. figure:: img/a.png\n  :width: 1px\n\n.. note:: b.md\n.. toctree::\n   :hidden:\n\n   c/d\n   T <e>\n\nf\n```\n",
                "```{eval-rst}\n.. figure:: img/a.png\n  :width: 1px\n\n.. note:: b.md\n.. toctree::\n   :hidden:\n\n   c/d\n   T <e>\n\nf\n```\n",
                &["img/a.png", "c/d", "e"],
            ),
            (":::{card}\n:link: a.md\n", "         \n:link: a.md\n", &["a.md"]),
            ("````{a}\n```java\nx\n````\n[b](c)\n", "       \n```java\nx\n````\n[b](c)\n", &[]),
            ("````{a}\n    ```\n````\n[b](c)\n", "       \n    ```\n    \n[b](c)\n", &[]),
            (
                "````{a}\n- b\n  - ```md\n    c\n    ```\n````\n```{d}\n```\n",
                "       \n- b\n  - ```md\n    c\n    ```\n    \n      \n   \n",
                &[],
            ),
        ] {
            let (found, paths) = read(source);
            assert_eq!(found, text, "{source}");
            assert_eq!(paths, values, "{source}");
        }
    }

    #[test]
    fn very_many_directives_may_be_open() {
        let (_, values) = read(&format!("{}:::\n", "::::{figure} a\n".repeat(5_000)));
        assert_eq!(values.len(), 5_000);
        // The first closing fence ends all of them.
        let closed = format!("{}:::\n", ":::{card}\n".repeat(5_000));
        assert_eq!(read(&closed).0.trim(), "");
    }
}
