//! Data that people write: the scalars of YAML and TOML with their exact spans, quoting and paths of keys.
//!
//! [`visit`] reads a text, [`scalar`] decodes a scalar and writes it again. JSON that a program reads as such is in
//! [`json`](super::json); a generator's configuration in JSON is read as YAML, of which it is a subset.

#[cfg(test)]
mod properties;
pub mod scalar;
mod toml;
mod yaml;

use super::Span;
pub use scalar::{Quoting, ScalarSyntax, gets_quotes};

/// The languages of data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DataLanguage {
    /// YAML 1.2, and with it JSON.
    Yaml,
    /// TOML 1.1.
    Toml,
}

impl DataLanguage {
    /// Its name in messages.
    pub fn name(self) -> &'static str {
        match self {
            DataLanguage::Yaml => "YAML",
            DataLanguage::Toml => "TOML",
        }
    }
}

/// A string of a text, in one line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scalar {
    /// Its bytes without the quotes.
    pub span: Span,
    pub quoting: Quoting,
}

/// A step from a value to a value within it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// To the value of the member with this name.
    Member(String),
    /// To an item of a list.
    Item,
}

/// The text is not in its language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotData {
    /// The byte of the text where the error is.
    pub at: usize,
    /// The error, in words.
    pub message: String,
}

/// The deepest level of values in values. Real texts have only a few.
const NESTING: usize = 64;

/// Calls `found` for each string of `text`, in order, with the path to it. Strings over several lines are left out,
/// and so are the names of members.
///
/// # Errors
/// When the text is not in this language.
pub fn visit(
    text: &str,
    language: DataLanguage,
    found: impl FnMut(&[Step], Scalar),
) -> Result<(), NotData> {
    match language {
        DataLanguage::Yaml => yaml::visit(text, found),
        DataLanguage::Toml => toml::visit(text, found),
    }
}

/// Whether `path` is one of `pattern`: names of members separated by dots, where `*` is any name and `**` any number
/// of names. Items of lists do not count, except that after `[]` at its end, the value must be one.
pub fn matches(pattern: &str, path: &[Step]) -> bool {
    let (pattern, is_item) = match pattern.strip_suffix("[]") {
        Some(pattern) => (pattern, true),
        None => (pattern, false),
    };
    if is_item && path.last() != Some(&Step::Item) {
        return false;
    }
    let wanted: Vec<&str> = pattern.split('.').collect();
    let names = path.iter().filter_map(|step| match step {
        Step::Member(name) => Some(name.as_str()),
        Step::Item => None,
    });
    let names: Vec<&str> = names.collect();
    // The prefixes of `wanted` that the names so far match.
    let mut reached = vec![false; wanted.len() + 1];
    let through = |reached: &mut [bool]| {
        for (at, name) in wanted.iter().enumerate() {
            if *name == "**" && reached.get(at) == Some(&true) {
                set(reached, at + 1);
            }
        }
    };
    set(&mut reached, 0);
    through(&mut reached);
    for name in names {
        let mut next = vec![false; reached.len()];
        for (at, known) in wanted.iter().enumerate() {
            if reached.get(at) != Some(&true) {
                continue;
            }
            match *known {
                "**" => set(&mut next, at),
                "*" => set(&mut next, at + 1),
                known if known == name => set(&mut next, at + 1),
                _ => {}
            }
        }
        through(&mut next);
        reached = next;
    }
    reached.last() == Some(&true)
}

fn set(reached: &mut [bool], at: usize) {
    if let Some(it) = reached.get_mut(at) {
        *it = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_names_paths() {
        for (pattern, path, expected) in [
            ("nav.**", "nav[].A", true),
            ("nav.**", "nav[]", true),
            ("nav.**", "x.nav[]", false),
            ("**.image", "image", true),
            ("**.image", "a.b[].image[]", true),
            ("**.image", "image.a", false),
            ("menus.*.url", "menus.main[].url", true),
            ("menus.*.url", "menus.url", false),
            ("**[]", "a[]", true),
            ("**[]", "a[].b", false),
            ("a.**.b.**.c", "a.b.x.b.c", true),
            ("a.**.b.**.c", "a.x.c", false),
        ] {
            let names = path.split('.').flat_map(|name| {
                let (name, is_list) = match name.strip_suffix("[]") {
                    Some(name) => (name, true),
                    None => (name, false),
                };
                let item = is_list.then_some(Step::Item);
                [Step::Member(name.to_owned())].into_iter().chain(item)
            });
            let path: Vec<Step> = names.collect();
            assert_eq!(matches(pattern, &path), expected, "{pattern} {path:?}");
        }
    }
}
