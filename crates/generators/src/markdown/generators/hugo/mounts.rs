//! The directories that Hugo publishes: those of the languages, and module mounts.

use std::collections::BTreeMap;

use crate::data::Step;
use crate::markdown::Settings;
use crate::markdown::published::{ContentFolder, FolderFiles, Mounts, with_slash};

/// The taxonomies of every site, whose terms are read in front matter.
const USUAL_TAXONOMIES: &[&str] = &["tags", "categories"];

/// A module mount.
#[derive(Default)]
struct Mount {
    source: String,
    target: String,
    languages: Vec<String>,
}

impl Mount {
    /// Returns true if it mounts a part of `other`, or the whole, at the same place.
    fn is_part_of(&self, other: &Mount) -> bool {
        let tail = |path: &'_ str, start: &str| {
            path.trim_matches('/').strip_prefix(start.trim_matches('/')).map(str::to_owned)
        };
        let source = tail(&self.source, &other.source);
        let is_below = source.as_ref().is_some_and(|it| it.is_empty() || it.starts_with('/'));
        is_below && !other.source.is_empty() && source == tail(&self.target, &other.target)
    }

    /// The path in the `component` of Hugo at which it is mounted; `None` for one of another component.
    fn below(&self, component: &str) -> Option<&str> {
        let rest = self.target.trim_matches('/').strip_prefix(component)?;
        rest.strip_prefix('/').or(rest.is_empty().then_some(""))
    }
}

/// Returns true if the render hook of Hugo itself for links is on.
pub(super) fn has_embedded_hook(settings: &Settings) -> bool {
    match settings.at("markup.goldmark.renderHooks.link.useEmbedded") {
        Some("always" | "fallback") => true,
        Some("never") => false,
        // If there are several languages on one host.
        _ => mounts(settings).languages.len() > 1,
    }
}

/// Returns the languages, and the directories that are published with these `settings`.
pub(super) fn mounts(settings: &Settings) -> Mounts {
    let mut languages: BTreeMap<String, Option<String>> = BTreeMap::new();
    let mut mounts: BTreeMap<usize, Mount> = BTreeMap::new();
    let mut taxonomies = Vec::new();
    let mut copied = Vec::new();
    let mut themes = Vec::new();
    for (path, value) in settings.values() {
        let (number, names) = lower_case(path);
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        match (names.as_slice(), number) {
            (["languages", language, rest @ ..], _) => {
                let folder = languages.entry((*language).to_owned()).or_default();
                if *rest == ["contentdir"] {
                    *folder = Some(value.to_owned());
                }
            }
            (["taxonomies", _], _) if !USUAL_TAXONOMIES.contains(&value) => {
                taxonomies.push(value.to_owned());
            }
            (["staticdir"], _) => copied.push((value.to_owned(), String::new())),
            (["theme"], _) => themes.push(value),
            (["module", "mounts", key @ ..], Some(number)) => {
                let mount = mounts.entry(number).or_default();
                match key {
                    ["source"] => value.clone_into(&mut mount.source),
                    ["target"] => value.clone_into(&mut mount.target),
                    ["lang"] | ["sites", "matrix", "languages"] => {
                        mount.languages.push(value.to_owned());
                    }
                    _ => {}
                }
            }
            _ => {}
        }
    }
    let usual = settings.at("defaultContentLanguage").unwrap_or("en").to_lowercase();
    let has_own_path = settings.at("defaultContentLanguageInSubdir") == Some("true");
    let path = |language: &str| {
        let is_usual = language.eq_ignore_ascii_case(&usual) && !has_own_path;
        if languages.is_empty() || is_usual { String::new() } else { language.to_owned() }
    };
    let first = |mount: &Mount| path(mount.languages.first().map_or(&usual, String::as_str));
    let is_copy =
        |mount: &Mount| mounts.values().any(|it| first(it) != first(mount) && mount.is_part_of(it));
    let mounted = |component: &str| {
        let below = |mount: &Mount| {
            let url = joined(&first(mount), mount.below(component)?);
            let source = mount.source.trim_matches('/').to_owned();
            // What is outside of the project is not in the tree.
            let is_here = !source.is_empty() && !source.starts_with("..") && !is_copy(mount);
            is_here.then_some((source, url))
        };
        let folders: Vec<_> = mounts.values().filter_map(below).collect();
        (!folders.is_empty()).then_some(folders)
    };
    let (mut others, mut outside) = (Vec::new(), Vec::new());
    for mount in mounts.values() {
        let Some(rest) = mount.below("content") else { continue };
        let paths = mount.languages.iter().map(|it| path(it));
        if mount.source.starts_with("..") {
            let usual = mount.languages.is_empty().then(|| path(&usual));
            outside.extend(paths.chain(usual).map(|it| joined(&it, rest)));
        } else if is_copy(mount) {
            others.push(joined(&first(mount), rest));
        } else {
            // Which documents stand in for those of another language, only the program knows.
            let is_own = |url: &String| {
                mounts.values().any(|it| it.below("content") == Some(rest) && first(it) == *url)
            };
            let own = paths.skip(1).filter(|it| !it.is_empty() && !is_own(it));
            others.extend(own.map(|it| joined(&it, rest)));
        }
    }
    let content = || {
        let general = settings.at("contentDir").unwrap_or("content");
        let own = languages.iter().filter_map(|(language, folder)| {
            Some((folder.as_deref()?.trim_matches('/').to_owned(), path(language)))
        });
        let mut folders: Vec<_> = own.collect();
        if languages.is_empty() || languages.values().any(Option::is_none) {
            folders.push((general.trim_matches('/').to_owned(), path(&usual)));
        }
        folders
    };
    let content = mounted("content").unwrap_or_else(content);
    if copied.is_empty() {
        copied.push(("static".to_owned(), String::new()));
    }
    let mut copied = mounted("static").unwrap_or(copied);
    let of_themes = settings.at("themesDir").unwrap_or("themes").trim_matches('/');
    copied.extend(themes.iter().map(|it| (format!("{of_themes}/{it}/static"), String::new())));
    let is_off = |url: &str| {
        let mut languages = settings.all("disableLanguages[]");
        languages.any(|it| !url.is_empty() && path(it) == url)
    };
    let is_whole = |url: &str| languages.keys().any(|it| path(it) == url);
    let has_languages = content.iter().any(|(_, url)| !url.is_empty() && is_whole(url));
    let of_language = |(folder, url): (String, String)| {
        // Documents of other languages stand in for missing ones.
        let stands_in = |it: &&Mount| {
            it.languages.iter().skip(1).any(|other| path(other) == url)
                && it.below("content") == Some("")
        };
        let stand_ins = mounts.values().filter(stands_in).map(|it| it.source.trim_matches('/'));
        let stand_ins: Vec<&str> = stand_ins.filter(|it| *it != folder).collect();
        let is_original = mounts
            .values()
            .any(|it| it.languages.len() > 1 && it.source.trim_matches('/') == folder);
        let roots = [vec![folder.as_str()], stand_ins].concat();
        let is_of_language = has_languages && is_whole(&url);
        let roots = roots.into_iter().filter(|_| is_of_language).map(str::to_owned).collect();
        ContentFolder {
            language: if is_of_language { with_slash(&url) } else { String::new() },
            group: is_original.then_some(0),
            roots,
            is_excluded: is_off(&url),
            ..ContentFolder::new(&folder, &url, FolderFiles::All)
        }
    };
    let copied = copied
        .into_iter()
        .map(|(folder, url)| ContentFolder::new(&folder, &url, FolderFiles::Copied));
    let has_usual = settings.all("disableKinds[]").next().is_none() && taxonomies.is_empty();
    let of_taxonomies = USUAL_TAXONOMIES.iter().filter(|_| has_usual);
    let pages = languages.keys().flat_map(|language| {
        let start = path(language);
        let lists = of_taxonomies.clone().map(move |it| joined(&start, it));
        lists.chain([language.clone()])
    });
    Mounts {
        pages: pages.collect(),
        folders: content.into_iter().map(of_language).chain(copied).collect(),
        made: taxonomies.into_iter().chain(others).collect(),
        outside,
        languages: languages.keys().map(|it| (it.clone(), with_slash(&path(it)))).collect(),
    }
}

fn joined(one: &str, other: &str) -> String {
    let slash = if one.is_empty() || other.is_empty() { "" } else { "/" };
    format!("{one}{slash}{other}")
}

/// The names in `path` in lower case, in which Hugo reads them, and the first number in it.
fn lower_case(path: &[Step]) -> (Option<usize>, Vec<String>) {
    let mut numbers = path.iter().filter_map(|step| match step {
        Step::Item(number) => Some(*number),
        Step::Member(_) => None,
    });
    let names = path.iter().filter_map(Step::name).map(str::to_lowercase);
    (numbers.next(), names.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::DataLanguage;

    #[test]
    fn files_of_the_configuration_hold_keys() {
        let mut settings = Settings::default();
        let module = "mounts:\n  - source: documents\n    target: content\n  - source: extra\n    target: content/further\n  - source: static\n    target: static\n";
        settings.add(module, DataLanguage::Yaml, &["module"]);
        let found = mounts(&settings).folders;
        let found: Vec<_> = found.iter().map(|it| (&*it.folder, &*it.url)).collect();
        assert_eq!(found, [("documents", ""), ("extra", "further"), ("static", "")]);
    }

    #[test]
    fn documents_outside_of_the_project_are_of_their_language() {
        for (mount, expected) in [
            ("target: content/a, lang: de", &["de/a"][..]),
            ("target: content, lang: de", &["de"]),
            ("target: content/a.md", &["a.md"]),
            ("target: content", &[""]),
        ] {
            let text = format!(
                "languages: {{en: {{weight: 1}}, de: {{weight: 2}}}}\nmodule: {{mounts: [{{source: ../x, {mount}}}]}}"
            );
            let found = mounts(&Settings::read(&text, Some(DataLanguage::Yaml))).outside;
            assert_eq!(found, expected, "{mount}");
        }
    }

    #[test]
    fn the_configuration_says_which_directories_are_published() {
        for (language, text, expected) in [
            (DataLanguage::Toml, "", &[("content", ""), ("static", "")][..]),
            (DataLanguage::Toml, "contentDir = 'docs/'", &[("docs", ""), ("static", "")]),
            (
                DataLanguage::Yaml,
                "languages:\n  en: {contentDir: content/en}\n  de: {contentDir: content/de}\n",
                &[("content/de", "de"), ("content/en", ""), ("static", "")],
            ),
            (
                DataLanguage::Yaml,
                "defaultContentLanguage: de\nlanguages: {en: {weight: 1}, de: {weight: 2}}\n",
                &[("content", ""), ("static", "")],
            ),
            (
                DataLanguage::Toml,
                "defaultContentLanguageInSubdir = true\n[languages.en]\ncontentdir = 'a'\n",
                &[("a", "en"), ("static", "")],
            ),
            (
                DataLanguage::Toml,
                "[[module.mounts]]\n  target = 'assets'\n  source = 'a'\n[[module.mounts]]\n  source = 'content/en'\n  target = 'content'\n[[module.mounts]]\n  source = 'b'\n  target = 'content/c'\n",
                &[("content/en", ""), ("b", "c"), ("static", "")],
            ),
            (
                DataLanguage::Toml,
                "theme = ['a', 'b']\nthemesDir = 't/'\n",
                &[("content", ""), ("static", ""), ("t/a/static", ""), ("t/b/static", "")],
            ),
            (
                DataLanguage::Yaml,
                "module: {mounts: [{source: content/en, target: content}, {source: ../a.md, target: content/a.md}]}",
                &[("content/en", ""), ("static", "")],
            ),
        ] {
            let settings = Settings::read(text, Some(language));
            let found = mounts(&settings).folders;
            let found: Vec<_> = found.iter().map(|it| (&*it.folder, &*it.url)).collect();
            assert_eq!(found, expected, "{text}");
        }
    }
}
