//! The labels of Sphinx and MyST, by which links find places in other documents of a project.

use super::slug;

/// Returns the labels in `source`: Markdown, reStructuredText or the JSON of a notebook. Also returns labels in
/// code that shows how to write a label, so that links to them are not reported.
pub fn labels(source: &str) -> impl Iterator<Item = &str> {
    let mut in_glossary = false;
    source.lines().flat_map(move |line| {
        // In a notebook, each line is a string.
        let text = line.trim().trim_start_matches(['>', '"', ' ', '\t']);
        let text = text.trim_end_matches(['"', ',', ' ']);
        let text = text.strip_suffix("\\n").unwrap_or(text).trim_end();
        let starts_glossary = text.ends_with("{glossary}") || text == ".. glossary::";
        let is_fence = text.starts_with("```") || text.starts_with(":::");
        in_glossary = starts_glossary || in_glossary && !is_fence;
        let is_term = in_glossary && !starts_glossary && !text.starts_with([':', '(', '.']);
        // The term may be a link.
        let term = text.strip_prefix('[').and_then(|it| it.split(']').next()).unwrap_or(text);
        let term = Some(term).filter(|_| is_term && !text.is_empty());
        [label(text), term].into_iter().flatten().chain(ids(text)).chain(latex(text))
    })
}

/// The directives without a domain that make objects.
#[rustfmt::skip]
const OBJECTS: &[&str] = &[
    "attribute", "class", "confval", "data", "describe", "envvar", "exception", "function", "method", "module", "object",
    "option", "program", "property", "staticmethod", "classmethod",
];

/// The label in a line that makes one.
fn label(text: &str) -> Option<&str> {
    let starts = [":name:", ":label:", "#| label:", "label:", "label\":", "name:"];
    let of_option = || {
        let value = starts.iter().find_map(|start| text.strip_prefix(start));
        value.map(|it| it.trim().trim_matches(['"', '\'']))
    };
    let of_math = || {
        let label = text.strip_prefix("$$")?.trim().strip_prefix('(')?;
        label.strip_suffix(')')
    };
    let of_target = || {
        let label = text.strip_prefix(".. _")?.strip_suffix(':')?;
        Some(label.trim_matches('`'))
    };
    let of_markdown = || text.strip_prefix('(')?.strip_suffix(")=");
    // An object of a domain: `.. py:function:: x()`, `{py:function} x()`.
    let of_object = || {
        let (start, argument) =
            text.split_once(["}", "::"].iter().find(|it| text.contains(**it))?)?;
        let name = start.rsplit(['{', ' ']).next()?;
        let is_object = name.contains(':') || OBJECTS.contains(&name);
        let argument = argument.trim().split(['(', ' ']).next();
        argument.filter(|_| is_object && start.starts_with([':', '`', '.', '~']))
    };
    // The metadata of a block: `+++ {"label": "x"}`.
    let of_block = || {
        let (_, value) = text.strip_prefix("+++")?.split_once("\"label\":")?;
        value.split('"').nth(1)
    };
    let found = of_markdown().or_else(of_target).or_else(of_option).or_else(of_math);
    found.or_else(of_block).or_else(of_object).filter(|label| !label.is_empty())
}

/// The labels of equations in LaTeX.
fn latex(text: &str) -> impl Iterator<Item = &str> {
    text.split("\\label{").skip(1).filter_map(|it| Some(it.split_once('}')?.0))
}

/// The ids in attribute lists: `{#x}`.
fn ids(text: &str) -> impl Iterator<Item = &str> {
    let lists = text.split('{').skip(1).filter_map(|it| it.split_once('}'));
    lists.flat_map(|(list, _)| {
        list.split_ascii_whitespace().filter_map(|word| word.strip_prefix('#'))
    })
}

/// Returns the normalized form of a label, by which links find it whatever its letter case and white space are.
pub fn label_key(label: &str) -> String {
    let words: Vec<&str> = label.split_whitespace().collect();
    words.join(" ").to_lowercase()
}

/// Returns the HTML id that the generator makes of this label.
pub fn label_id(label: &str) -> String {
    slug::id_of_label(label)
}

/// The labels of pages that the generator makes itself.
const MADE: &[&str] = &["genindex", "modindex", "py-modindex", "search"];

/// Returns true if `label` is the label of a page that the generator makes itself.
pub fn is_made(label: &str) -> bool {
    MADE.contains(&label)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constructs_that_make_labels_are_read() {
        for (source, expected) in [
            ("(a-b)=\n# C\n\n> (d)=\n(e)= f\n", &["a-b", "d"][..]),
            (".. _a b:\n.. _`c`:\n.. _d: e\n", &["a b", "c"]),
            ("```{note}\n:name: A b\n:label: c\n```\n", &["A b", "c"]),
            ("{#a .b}\nC [d]{#e} {f}`#g`\n", &["a", "e"]),
            ("$$ (a)\n$$\n$$ x\n", &["a"]),
            ("   \"(a)=\\n\",\n  \"#| label: b\\n\",\n \"label\": \"c\",\n", &["a", "b", "c"]),
            (
                ".. py:function:: a.b(c)\n```{py:class} d\n```\n.. note:: e\n.. option:: --f\n",
                &["a.b", "d", "--f"],
            ),
            ("+++ {\"label\": \"a\"}\n", &["a"]),
            ("```{glossary}\nA b\n: c\n```\nd\n", &["A b"]),
        ] {
            let found: Vec<&str> = labels(source).collect();
            assert_eq!(found, expected, "{source}");
        }
        assert_eq!(label_key(" A\n b"), "a b");
    }
}
