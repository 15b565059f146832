//! The settings of a generator: data in YAML or TOML, literals in a program in JavaScript; of other programs, the lines
//! that set a key.

use std::collections::HashMap;
use std::sync::Arc;

use super::rewrites::Rewrite;
use crate::data::{self, DataLanguage, Step};

/// The settings in the configuration of a generator, except those that a program computes.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// The values, in order, each with the path to it. In a program, it is the key alone.
    values: Vec<(Vec<Step>, String)>,
}

/// The end of the path of a setting whose value is a host.
const HOST: &str = "cname";

/// The constants of a program that are plain strings (`const BASE = '/docs'`), with their names.
fn constants(text: &str) -> Vec<(&str, &str)> {
    let constant = |line| {
        let line: &str = str::trim_start(line);
        let (name, value) = line.strip_prefix("const ")?.split_once('=')?;
        let value = value.trim().trim_end_matches(';');
        let quote = value.chars().next().filter(|it| matches!(it, '"' | '\'' | '`'))?;
        let value = value.strip_prefix(quote)?.strip_suffix(quote)?;
        let name = name.split(':').next().unwrap_or(name).trim();
        (!value.contains([quote, '\\', '$'])).then_some((name, value))
    };
    text.lines().filter_map(constant).collect()
}

/// The objects of a program that constants name (`const docs = {…};`), by their names.
fn objects(text: &str) -> HashMap<&str, &str> {
    const START: &str = "\nconst ";
    let mut found = HashMap::new();
    let mut left = text;
    while let Some((line, rest)) = left.split_once(START).and_then(|(_, it)| it.split_once('\n')) {
        let Some((name, _)) = line.split_once('=').filter(|it| it.1.trim() == "{") else {
            // The line end may begin the next.
            left = text.get(text.len() - rest.len() - 1..).unwrap_or_default();
            continue;
        };
        // The bracket at the start of a line closes it.
        let Some((object, after)) = rest.split_once("\n}") else { break };
        left = after;
        found.insert(name.split(':').next().unwrap_or(name).trim(), object);
    }
    found
}

impl Settings {
    /// Reads the settings in `text`, in this language; `None` for a program. From a malformed text, reads the
    /// settings before the error.
    pub fn read(text: &str, language: Option<DataLanguage>) -> Settings {
        let mut settings = Settings::default();
        match language {
            Some(language) => settings.add(text, language, &[]),
            None => {
                settings.values.extend(text.lines().filter_map(|line| {
                    let (key, value) = set_by(line)?;
                    Some((vec![Step::Member(key.into())], value.to_owned()))
                }));
                settings.values.extend(lists(text));
            }
        }
        settings
    }

    /// Adds the settings in `text` below the key `prefix`.
    pub fn add(&mut self, text: &str, language: DataLanguage, prefix: &[&str]) {
        let prefix: Vec<Step> = prefix.iter().map(|name| Step::Member((*name).into())).collect();
        let (constants, mut objects) = match language {
            DataLanguage::JavaScript => (constants(text), objects(text)),
            _ => Default::default(),
        };
        let resolved = |value: &str| match constants.iter().find(|(name, _)| *name == value) {
            Some((_, constant)) => (*constant).to_owned(),
            None => constants.iter().fold(value.to_owned(), |value, (name, constant)| {
                value.replace(&format!("${{{name}}}"), constant)
            }),
        };
        // The generator reports the error.
        let _ = data::read(text, language, |path, value| {
            let path = [&prefix, path].concat();
            // An item of a list that names an object: the options of a plugin, which has them alone.
            let is_item = matches!(path.last(), Some(Step::Item(_)));
            if let Some(object) = is_item.then(|| objects.remove(value)).flatten() {
                let _ = data::read(object, language, |below, value| {
                    self.values.push(([&path, below].concat(), resolved(value)));
                });
            }
            self.values.push((path, resolved(value)));
        });
    }

    /// Returns true if something is set at `key` or below it; letter case does not count.
    pub(super) fn has(&self, key: &str) -> bool {
        let names = self.values().filter_map(|(path, _)| path.first()?.name());
        names.into_iter().any(|name| name.eq_ignore_ascii_case(key))
    }

    /// Returns the values, in order, each with the path to it.
    pub(super) fn values(&self) -> impl DoubleEndedIterator<Item = (&[Step], &str)> {
        let values = self.values.iter();
        values.map(|(path, value)| (path.as_slice(), value.as_str()))
    }

    /// Returns the value of the only member called `key`; `None` if there is none, or several.
    pub fn get(&self, key: &str) -> Option<&str> {
        let is_key = |path: &[Step]| path.last().is_some_and(|step| step.is(key));
        let mut values = self.values().filter(|(path, _)| is_key(path));
        let (_, value) = values.next()?;
        values.next().is_none().then_some(value)
    }

    /// Returns the value of the member `key` of the value at `path`.
    pub(super) fn member(&self, path: &[Step], key: &str) -> Option<&str> {
        let mut values = self.values();
        values.find_map(|(known, value)| {
            let (last, rest) = known.split_last()?;
            (rest == path && last.is(key)).then_some(value)
        })
    }

    /// Returns the URL of the site with a slash at its end, by the paths `url`, of a URL or a host, and `path`; only its path
    /// if no setting is the rest. Returns `None` if the settings are missing or computed by a program.
    pub fn site_url(&self, (url, path): (&'static str, &'static str)) -> Option<String> {
        let is_url = |it: &&str| it.starts_with("https://") || it.starts_with("http://");
        let values_at = |key: &'static str| {
            self.values().filter(move |(path, _)| is_at(path, key)).map(|(_, value)| value)
        };
        let host = values_at(url).next().filter(|_| url.ends_with(HOST));
        let host = host.map(|it| format!("https://{it}"));
        let url = values_at(url).find(is_url).or(host.as_deref());
        let url = url.unwrap_or_default().trim_end_matches('/');
        let path = values_at(path).find(|it| it.starts_with('/')).unwrap_or_default();
        // VitePress expects the path in the URL, too.
        let path = path.trim_start_matches('/');
        let is_in_url = !path.is_empty() && format!("{url}/").ends_with(&format!("/{path}"));
        let found = if is_in_url { url.to_owned() } else { format!("{url}/{path}") };
        let found = if found.ends_with('/') { found } else { found + "/" };
        (found != "/").then_some(found)
    }

    /// Returns the values whose paths match `pattern`; see [`data::matches`].
    pub fn all<'s>(&'s self, pattern: &'s str) -> impl Iterator<Item = &'s str> {
        let values = self.values().filter(move |(path, _)| data::matches(pattern, path));
        values.map(|(_, value)| value)
    }

    /// Returns the names of the members whose paths match `pattern`.
    pub fn names<'s>(&'s self, pattern: &'s str) -> impl Iterator<Item = &'s str> {
        let paths = self.values().filter(move |(path, _)| data::matches(pattern, path));
        paths.filter_map(|(path, _)| path.last()?.name())
    }

    /// Returns true if the settings name a theme, or a module that may be one.
    pub fn has_theme(&self) -> bool {
        self.all("module.imports.**").next().is_some() || self.has("theme")
    }

    /// Returns true if one of the values is `value`, as in a list of plugins.
    pub(super) fn has_value(&self, value: &str) -> bool {
        self.values().any(|(_, it)| it == value)
    }

    /// Returns true if a value below the member `key` has this `text`.
    pub(super) fn has_part(&self, key: &str, text: &str) -> bool {
        self.values()
            .any(|(path, it)| path.first().is_some_and(|step| step.is(key)) && it.contains(text))
    }

    /// Returns the value at the path `key`, in which letter case does not count: `markup.goldmark.renderer.unsafe`.
    pub(super) fn at(&self, key: &str) -> Option<&str> {
        let mut values = self.values().filter(|(path, _)| is_at(path, key));
        values.next_back().map(|(_, value)| value)
    }

    /// Returns the `rewrites` of VitePress, which publish documents at other paths: `'en/:rest*': ':rest*'`.
    /// Returns `None` for each rule that rehref does not read.
    pub fn rewrites(&self) -> impl Iterator<Item = Option<Rewrite>> {
        self.values().filter_map(|(path, new)| match path {
            [.., key, Step::Member(old)] if key.is("rewrites") => Some(Rewrite::parse(old, new)),
            // In a module of their own.
            [Step::Member(old)] if old.contains("/:") => Some(Rewrite::parse(old, new)),
            _ => None,
        })
    }
}

/// Returns true if `path` is that of `key`, names separated by dots, in which letter case does not count.
fn is_at(path: &[Step], key: &str) -> bool {
    let mut names = key.split('.');
    let are_same = path.iter().all(|step| match step {
        Step::Member(name) => names.next().is_some_and(|it| it.eq_ignore_ascii_case(name)),
        Step::Item(_) => false,
    });
    are_same && names.next().is_none()
}

/// The strings in the lists and flat dictionaries that statements of a program in Python set: `key = ["a", "b"]`,
/// `key = {"a": "b"}`.
fn lists(text: &str) -> Vec<(Vec<Step>, String)> {
    let mut found = Vec::new();
    let mut open: Option<(Arc<str>, char)> = None;
    let mut member: Option<String> = None;
    for line in text.lines() {
        let start = line.split_once('=').and_then(|(name, list)| {
            let name = name.trim_end_matches([' ', '+']);
            let is_name = |it: char| it.is_ascii_alphanumeric() || it == '_';
            let end = match list.trim_start().chars().next()? {
                '[' => ']',
                '{' => '}',
                _ => return None,
            };
            name.chars().all(is_name).then_some((name, end, list))
        });
        let rest = match (start, &open) {
            (Some((name, end, list)), _) => {
                open = Some((name.into(), end));
                member = None;
                list
            }
            (None, Some(_)) => line,
            (None, None) => continue,
        };
        let mut parts = rest.split(['"', '\'']);
        while let Some(between) = parts.next() {
            let is_comment = between.contains('#');
            if open.as_ref().is_some_and(|(_, end)| between.contains(*end)) && !is_comment {
                open = None;
            }
            let (Some((key, end)), Some(value)) = (&open, parts.next().filter(|_| !is_comment))
            else {
                break;
            };
            let step = match (*end, member.take()) {
                ('}', None) => {
                    member = Some(value.to_owned());
                    continue;
                }
                ('}', Some(name)) => Step::Member(name.into()),
                _ => Step::Item(found.len()),
            };
            found.push((vec![Step::Member(Arc::clone(key)), step], value.to_owned()));
        }
    }
    found
}

/// The key that `line` of a program sets, and its value.
fn set_by(line: &str) -> Option<(&str, &str)> {
    let line = line.trim_start().trim_start_matches('{').trim_start();
    let (key, rest) = match line.bytes().next()? {
        quote @ (b'"' | b'\'') => line.get(1..)?.split_once(char::from(quote))?,
        _ => line.split_at(line.find([':', '='])?),
    };
    let value = rest.trim_start().strip_prefix([':', '='])?.trim();
    let value = match value.bytes().next()? {
        quote @ (b'"' | b'\'') => value.get(1..)?.split(char::from(quote)).next(),
        _ => value.split([',', '#', '}', ' ']).next(),
    };
    Some((key.trim_end(), value?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setting_counts_if_one_place_sets_it() {
        let key = "use_directory_urls";
        for (language, text, expected) in [
            (None, "use_directory_urls: false\n", Some("false")),
            (None, "  'x': 1,\n  use_directory_urls: 'a b', // c\n", Some("a b")),
            (None, "{ \"use_directory_urls\" : true }", Some("true")),
            (None, "use_directory_urls: a\nuse_directory_urls: b\n", None),
            (None, "// use_directory_urls: a\n", None),
            (Some(DataLanguage::Yaml), "a:\n  use_directory_urls: 'a b' # c\n", Some("a b")),
            (
                Some(DataLanguage::Yaml),
                "use_directory_urls: [a]\nx: 'use_directory_urls: b'\n",
                None,
            ),
            (Some(DataLanguage::Toml), "use_directory_urls = true # x", Some("true")),
            (Some(DataLanguage::Yaml), "# use_directory_urls: a\n", None),
        ] {
            let settings = Settings::read(text, language);
            assert_eq!(settings.get(key), expected, "{text}");
        }
    }

    #[test]
    fn constants_of_programs_are_their_values() {
        let text = "const BASE = '/docs';\nconst HOST: string = \"https://h\"\nconst N = 1;\nlet c = {\n  url: HOST, baseUrl: `${BASE}/`, n: `${N}`,\n};";
        let settings = Settings::read(text, Some(DataLanguage::JavaScript));
        assert_eq!(settings.site_url(("url", "baseUrl")).as_deref(), Some("https://h/docs/"));
        assert_eq!(settings.get("n"), Some("${N}"));
    }

    #[test]
    fn lists_of_programs_are_read() {
        let text =
            "a = ['b', \"c/**\"] # 'd'\ne = [\n    'f', # 'g'\n    'h',\n]\nx = 'y'\na += ['i']\n";
        let settings = Settings::read(text, None);
        assert_eq!(settings.all("a[]").collect::<Vec<_>>(), ["b", "c/**", "i"]);
        assert_eq!(settings.all("e[]").collect::<Vec<_>>(), ["f", "h"]);
        assert_eq!(settings.get("x"), Some("y"));
        let text = "r = {\n    \"a/b\": '../c.html', # 'd'\n    'e': \"f\",\n}\nx = 'y'\n";
        let settings = Settings::read(text, None);
        assert_eq!(settings.names("r.*").collect::<Vec<_>>(), ["a/b", "e"]);
        assert_eq!(settings.all("r.*").collect::<Vec<_>>(), ["../c.html", "f"]);
    }

    #[test]
    fn the_url_of_the_site_is_that_of_its_settings() {
        let js = None;
        let yaml = Some(DataLanguage::Yaml);
        for (language, text, keys, expected) in [
            (yaml, "site_url: https://h/a\n", ("site_url", ""), Some("https://h/a/")),
            (yaml, "s: {h: https://h}\nbase: /a/\n", ("s.h", "base"), Some("https://h/a/")),
            (yaml, "s: {h: https://h/a/}\nbase: /a/\n", ("s.h", "base"), Some("https://h/a/")),
            (yaml, "site_url: !ENV [URL, x]\n", ("site_url", ""), None),
            (
                yaml,
                "a:\n  url: https://h/\nurl: https://e/\n",
                ("url", "baseurl"),
                Some("https://e/"),
            ),
            (yaml, "url: https://e\nbaseurl: /b\n", ("url", "baseurl"), Some("https://e/b/")),
            (yaml, "url: ''\nbaseurl: /b\n", ("url", "baseurl"), Some("/b/")),
            (
                Some(DataLanguage::Toml),
                "baseurl = 'https://e/'\n",
                ("baseURL", ""),
                Some("https://e/"),
            ),
            (
                js,
                "  url: 'https://e',\n  baseUrl: '/',\n  url: 'x',",
                ("url", "baseUrl"),
                Some("https://e/"),
            ),
            (
                Some(DataLanguage::Toml),
                "[output.html]\ncname = 'e.h'\nsite-url = '/b/'\n",
                ("output.html.cname", "output.html.site-url"),
                Some("https://e.h/b/"),
            ),
            (js, "  url: process.env.X,\n  baseUrl: BASE,", ("url", "baseUrl"), None),
            (js, "  base: '/v/',", ("", "base"), Some("/v/")),
            (js, "  base: '/',", ("", "base"), None),
        ] {
            let settings = Settings::read(text, language);
            assert_eq!(settings.site_url(keys).as_deref(), expected, "{text}");
        }
    }
}
