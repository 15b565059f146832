//! Front matter: the metadata at the start of a document, of which some values are links.

pub mod keys;

use super::find::MarkdownValue;
use crate::document::Span;

/// The languages of front matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Language {
    /// Between lines `---`.
    Yaml,
    /// Between lines `+++`.
    Toml,
}

/// The front matter of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FrontMatter {
    /// Its bytes with the delimiters.
    pub(super) whole: Span,
    /// Its bytes without them.
    pub(super) content: Span,
    pub(super) language: Language,
}

/// The front matter of `source`; `None` without one.
pub(super) fn find(source: &str) -> Option<FrontMatter> {
    let text = source.strip_prefix('\u{FEFF}').unwrap_or(source);
    let start = source.len() - text.len();
    let (language, ends): (Language, &[&str]) = match text.get(..3)? {
        "---" => (Language::Yaml, &["---", "..."]),
        "+++" => (Language::Toml, &["+++"]),
        _ => return None,
    };
    let mut lines = text.split_inclusive('\n');
    let opener = lines.next().filter(|line| line.trim_end().len() == 3)?;
    let mut at = start + opener.len();
    let content = at;
    for line in lines {
        if ends.contains(&line.trim_end()) {
            return Some(FrontMatter {
                whole: Span::from(start..at + line.len()),
                content: Span::from(content..at),
                language,
            });
        }
        at += line.len();
    }
    None
}

/// The values of `found`, the front matter of `source`, that are links.
pub(super) fn values(source: &str, found: &FrontMatter) -> Vec<MarkdownValue> {
    let _ = (source, found.content, found.language);
    Vec::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn front_matter_is_between_lines() {
        for (source, expected) in [
            ("---\na: b\n---\nx", Some("a: b\n")),
            ("\u{FEFF}--- \r\na: b\r\n...\r\n", Some("a: b\r\n")),
            ("+++\na = 1\n+++", Some("a = 1\n")),
            ("---\n---\n", Some("")),
            ("---\na\n+++\n", None),
            ("----\na\n---\n", None),
            ("\n---\na\n---\n", None),
            ("--", None),
        ] {
            let found = find(source).map(|it| it.content.of_str(source));
            assert_eq!(found, expected, "{source}");
        }
    }
}
