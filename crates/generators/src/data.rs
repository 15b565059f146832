//! Data that people write: the scalars of YAML and TOML, and of literals in JavaScript, with their exact spans, quoting
//! and paths of keys.
//!
//! [`visit`] finds the strings of a text, [`read`] gives all values, [`scalar`] decodes a scalar and writes it again. JSON that a program reads as such is in
//! the crate `document`; a generator's configuration in JSON is read as YAML, of which it is a subset.

mod aliases;
pub(crate) mod javascript;
mod node;
mod plain_scalar;
#[cfg(test)]
mod properties;
pub mod scalar;
#[cfg(feature = "markdown")]
mod toml;
#[cfg(feature = "markdown")]
mod yaml;

pub use node::{Node, NotData, Scalar, Step};
pub use scalar::{Quoting, ScalarSyntax, gets_quotes};

/// The languages of data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DataLanguage {
    /// YAML 1.2, and with it JSON.
    Yaml,
    /// TOML 1.1.
    Toml,
    /// A program in JavaScript or TypeScript: the literals of objects and lists in it.
    JavaScript,
}

impl DataLanguage {
    /// Returns the language of files with this `extension`.
    pub fn of_extension(extension: &str) -> Option<DataLanguage> {
        match extension {
            "yml" | "yaml" | "json" => Some(DataLanguage::Yaml),
            "toml" => Some(DataLanguage::Toml),
            "js" | "mjs" | "cjs" | "ts" | "mts" | "cts" => Some(DataLanguage::JavaScript),
            _ => None,
        }
    }

    /// Returns the name in messages.
    pub fn name(self) -> &'static str {
        match self {
            DataLanguage::Yaml => "YAML",
            DataLanguage::Toml => "TOML",
            DataLanguage::JavaScript => "JavaScript",
        }
    }
}

/// Calls `found` for each string of `text` in one line, in order, with the path to it. The names of members are left
/// out.
///
/// # Errors
/// Returns an error if the text is not in this language.
pub fn visit(
    text: &str,
    language: DataLanguage,
    mut found: impl FnMut(&[Step], Scalar),
) -> Result<(), NotData> {
    nodes(text, language, |path, node| match node {
        Node::Scalar { string: Some(scalar), .. }
            if !matches!(scalar.quoting, Quoting::YamlBlock(_)) =>
        {
            found(path, scalar)
        }
        _ => {}
    })
}

/// Calls `found` for the value of each scalar of `text`, in order, with the path to it: of strings, numbers and others.
///
/// # Errors
/// Returns an error if the text is not in this language.
pub fn read(
    text: &str,
    language: DataLanguage,
    mut found: impl FnMut(&[Step], &str),
) -> Result<(), NotData> {
    nodes(text, language, |path, node| {
        if let Node::Scalar { value, .. } = node {
            found(path, &value);
        }
    })
}

/// Calls `found` for each node of `text` but the mappings, in order, with the path to it.
///
/// # Errors
/// Returns an error if the text is not in this language.
pub fn nodes(
    text: &str,
    language: DataLanguage,
    found: impl FnMut(&[Step], Node<'_>),
) -> Result<(), NotData> {
    match language {
        #[cfg(feature = "markdown")]
        DataLanguage::Yaml => yaml::nodes(text, found),
        #[cfg(feature = "markdown")]
        DataLanguage::Toml => toml::nodes(text, found),
        #[cfg(not(feature = "markdown"))]
        DataLanguage::Yaml | DataLanguage::Toml => Err(NotData {
            at: 0,
            message: format!("{} is not read by this build", language.name()),
        }),
        DataLanguage::JavaScript => {
            javascript::nodes(text, found);
            Ok(())
        }
    }
}

/// Returns true if `path` is one of `pattern`: names of members separated by dots, where `*` is any name and `**` any
/// number of names. Items of lists do not count, except that after `[]` at its end, the value must be one.
pub fn matches(pattern: &str, path: &[Step]) -> bool {
    let (pattern, is_item) = match pattern.strip_suffix("[]") {
        Some(pattern) => (pattern, true),
        None => (pattern, false),
    };
    if is_item && !matches!(path.last(), Some(Step::Item(_))) {
        return false;
    }
    // Most patterns end with another name.
    let own = path.iter().rev().find_map(Step::name).unwrap_or_default();
    let mut before = [pattern.strip_suffix(own), pattern.strip_suffix('*')].into_iter().flatten();
    before.any(|it| it.is_empty() || it.ends_with(['.', '*'])) && has_names(pattern, path)
}

/// As [`matches()`], for a pattern of names alone.
fn has_names(pattern: &str, path: &[Step]) -> bool {
    let Some((step, rest)) = path.split_first() else {
        return pattern.split('.').all(|it| it == "**");
    };
    let Some(name) = step.name() else { return has_names(pattern, rest) };
    let (first, others) = match pattern.split_once('.') {
        Some((first, others)) => (first, Some(others)),
        None => (pattern, None),
    };
    match (first, others) {
        ("**", None) => true,
        ("**", Some(others)) => has_names(others, path) || has_names(pattern, rest),
        (first, _) if first != "*" && first != name => false,
        (_, Some(others)) => has_names(others, rest),
        (_, None) => rest.iter().all(|step| step.name().is_none()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(path: &[Step]) -> String {
        let steps = path.iter().map(|step| match step {
            Step::Member(name) => format!(".{name}"),
            Step::Item(number) => format!("[{number}]"),
        });
        steps.collect()
    }

    /// Returns the strings of `text` as the source has them, each after its path without the numbers of items; and the
    /// error.
    pub(super) fn strings(text: &str, language: DataLanguage) -> Vec<String> {
        let mut strings = Vec::new();
        let result = visit(text, language, |path, scalar| {
            let path = shown(path).replace(|it: char| it.is_ascii_digit(), "");
            strings.push(format!("{path}={}", scalar.span.of_str(text)));
        });
        strings.extend(result.err().map(|it| format!("{} {}", it.at, it.message)));
        strings
    }

    #[test]
    fn items_have_numbers_and_all_scalars_have_values() {
        for (language, text, expected) in [
            (
                DataLanguage::Yaml,
                "a:\n- b: 1\n  c: [d, [e], 'f']\n- b: true\ng: |\n  h\n  i\nj: ''\n",
                &[
                    ".a[0].b=1", ".a[0].c[0]=d", ".a[0].c[1][0]=e", ".a[0].c[2]=f", ".a[1].b=true",
                    ".g=h\ni\n", ".j=",
                ][..],
            ),
            (
                DataLanguage::Toml,
                "[[a]]\nb = 1\nc = ['d', ['e'], {f = 'g'}, 'h']\n[a.i]\nj = false\n[[a.k]]\nl = 1.5\n[[a.k]]\nl = 2\n[[a]]\nb = ''\n[[a.k]]\nl = 3\n",
                &[
                    ".a[0].b=1", ".a[0].c[0]=d", ".a[0].c[1][0]=e", ".a[0].c[2].f=g",
                    ".a[0].c[3]=h", ".a[0].i.j=false", ".a[0].k[0].l=1.5", ".a[0].k[1].l=2",
                    ".a[1].b=", ".a[1].k[0].l=3",
                ],
            ),
        ] {
            let mut found = Vec::new();
            let result = read(text, language, |path, value| {
                found.push(format!("{}={value}", shown(path)));
            });
            assert_eq!(result, Ok(()));
            assert_eq!(found, expected, "{text}");
        }
    }

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
                let item = is_list.then_some(Step::Item(0));
                [Step::Member(name.into())].into_iter().chain(item)
            });
            let path: Vec<Step> = names.collect();
            assert_eq!(matches(pattern, &path), expected, "{pattern} {path:?}");
        }
    }
}
