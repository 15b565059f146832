//! The place of the front matter in a document.

use crate::data::DataLanguage;
use rehref_url::Span;

/// The front matter of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::markdown) struct FrontMatter {
    /// The bytes with the delimiters.
    pub(in crate::markdown) whole: Span,
    /// The bytes without them.
    pub(in crate::markdown) content: Span,
    /// YAML between lines `---`, TOML between lines `+++`.
    pub(in crate::markdown) language: DataLanguage,
}

/// Returns the front matter of `source`; `None` without one.
pub(in crate::markdown) fn find(source: &str) -> Option<FrontMatter> {
    let text = source.strip_prefix('\u{FEFF}').unwrap_or(source);
    let start = source.len() - text.len();
    let (language, ends): (DataLanguage, &[&str]) = match text.get(..3)? {
        "---" => (DataLanguage::Yaml, &["---", "..."]),
        "+++" => (DataLanguage::Toml, &["+++"]),
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
