//! Names in the configuration of a project that a table of known ones does not have.

use std::path::PathBuf;

use super::project::Project;
use super::settings::Settings;
use crate::data::{DataLanguage, Step};

/// Returns the first name that `settings` have below the setting at the path `at` (names separated by dots, in which
/// letter case does not count; empty: of all settings), and that is none of `known`. In a list, the name of an item is
/// its value.
pub(super) fn other_setting(settings: &Settings, at: &str, known: &[&str]) -> Option<String> {
    let mut names = settings.values().filter_map(|(path, value)| {
        let mut members = path.iter().filter_map(Step::name);
        let mut above = at.split('.').filter(|it| !it.is_empty());
        let is_below =
            above.all(|name| members.next().is_some_and(|it| it.eq_ignore_ascii_case(name)));
        let is_item = matches!(path.last(), Some(Step::Item(_)));
        let name = members.next().or(is_item.then_some(value));
        name.filter(|_| is_below && value != "false")
    });
    names.find(|name| !is_known(name, known)).map(str::to_owned)
}

/// Returns the same of the names that follow one of `starts` in lines of `text`.
pub(super) fn other_line(text: &str, starts: &[&str], known: &[&str]) -> Option<String> {
    let mut names = text.lines().filter_map(|line| {
        let line = line.trim_start();
        let start = starts.iter().find(|start| line.starts_with(**start))?;
        // The name may begin in the start.
        let (_, name) = line.split_at(start.rfind(['"', '\'', '.'])? + 1);
        name.split(['"', '\'', '.', ']']).next()
    });
    names.find(|name| !is_known(name, known)).map(str::to_owned)
}

/// Returns the same of the modules that the configuration of `project`, a program, imports, and of those that it names
/// in lists of plugins. A module of the project is read as the configuration is: it is another one if it has a word of
/// what changes pages, and with `is_of_pages` if it has one of what makes pages or files.
pub(super) fn other_module(
    project: &Project<'_>,
    known: &[&str],
    is_of_pages: bool,
) -> Option<String> {
    let others = other_modules(project.configuration, project.settings, known);
    let mut left: Vec<(String, String, PathBuf)> =
        others.into_iter().map(|name| (name.clone(), name, PathBuf::new())).collect();
    let mut seen = Vec::new();
    while let Some((own, name, folder)) = left.pop() {
        let is_own = name.starts_with('.') && seen.len() <= MOST_MODULES;
        let read = is_own.then(|| (project.module)(&folder, &name)).flatten();
        let Some((text, folder)) = read else {
            if is_of_pages {
                continue;
            }
            return Some(own);
        };
        let words = if is_of_pages { WRITES } else { CHANGES };
        if words.iter().any(|it| text.contains(it)) {
            return Some(own);
        }
        let module = (folder.clone(), name);
        if seen.contains(&module) {
            continue;
        }
        seen.push(module);
        let settings = Settings::read(&text, Some(DataLanguage::JavaScript));
        let others = other_modules(&text, &settings, known).into_iter();
        left.extend(others.map(|name| (own.clone(), name, folder.clone())));
    }
    None
}

/// The most modules of a project that are read.
const MOST_MODULES: usize = 64;

/// Words of modules that make pages or files.
#[rustfmt::skip]
const WRITES: &[&str] = &[
    "writeFile", "copyFile", "cpSync", "outputFile", "createWriteStream", "emitFile", "exec(", "execSync", "spawn", "addRoute", "postBuild",
    "contentLoaded", "rewrites", "routes",
];

/// Words of modules that change pages or anchors.
#[rustfmt::skip]
const CHANGES: &[&str] = &[
    "slugify", "anchor", "renderer", ".rules", "visit(", "hProperties", "setAttribute", "attrSet", "attrPush",
];

/// The modules that `text`, a program with these `settings`, imports or names in lists of plugins, and that are none of `known`.
fn other_modules(text: &str, settings: &Settings, known: &[&str]) -> Vec<String> {
    const IMPORTS: &[&str] = &["from ", "require(", "require.resolve(", "import ", "import("];
    let lines = text.lines().map(str::trim_start);
    let code = lines.filter(|it| !it.starts_with(['/', '*']) && !it.starts_with("import type "));
    let imported = code.flat_map(|line| {
        IMPORTS.iter().filter_map(move |import| {
            let (_, rest) = line.split_once(import)?;
            let quote = rest.chars().next().filter(|it| matches!(it, '"' | '\'' | '`'))?;
            rest.get(1..)?.split(quote).next()
        })
    });
    let listed = settings.values().filter_map(|(path, value)| {
        let (Step::Item(_), before) = path.split_last()? else { return None };
        let list = match before.split_last()? {
            (Step::Item(_), before) if path.last() == Some(&Step::Item(0)) => before.last()?,
            (step, _) => step,
        };
        let is_list = list.name().is_some_and(|it| LISTS.contains(&it));
        // Others are the names of variables.
        (is_list && value.contains(['-', '/'])).then_some(value)
    });
    let modules = imported.chain(listed);
    let others = modules.filter(|name| !is_known(name, known) && !is_known(name, MODULES));
    others.map(str::to_owned).collect()
}

/// The lists of plugins in programs.
const LISTS: &[&str] = &[
    "plugins",
    "themes",
    "presets",
    "remarkPlugins",
    "rehypePlugins",
    "beforeDefaultRemarkPlugins",
    "beforeDefaultRehypePlugins",
];

/// Modules of Node.js, and those that usually have navigation, metadata and texts.
#[rustfmt::skip]
const MODULES: &[&str] = &[
    "node:*", "fs", "fs/*", "path", "url", "os", "process", "util", "child_process", "module", "dotenv*", "*.json", "*.css", "*.scss",
    "./*sidebar*", "./*nav*", "./*locale*", "./*lang*", "./*i18n*", "./*theme*", "./*util*", "./*config*", "./*meta*",
    "./*data*", "./*constant*", "./*head*", "./*shared*", "./*env*", "./*version*", "./*team*", "./*contributors*", "./*social*",
    "./*link*", "./*search*", "./en*", "./zh*", "./de*", "./es*", "./fr*", "./ja*", "./ko*", "./pt*", "./ru*",
    "../*package*", "../*version*", "../*data*", "../*util*", "../*meta*", "../*config*", "semver", "lodash*", "typescript",
    "js-yaml", "yaml", "toml", "gray-matter", "glob", "fast-glob", "globby", "tinyglobby", "*tailwind*", "postcss*", "autoprefixer", "sass*", "webpack*", "prism*", "shiki*", "@shikijs/*", "@types/*", "consola", "pathe",
];

/// Plugins that make no pages and no anchors, by what they are for: search, statistics, files for search engines and language
/// models, the head of a page, its looks, and checks of the build.
#[rustfmt::skip]
const HARMLESS: &[&str] = &[
    "*search*", "*pagefind*", "*algolia*", "*analytics*", "*gtag*", "*gtm*", "*google-tag*", "*umami*", "*matomo*", "*plausible*", "*posthog*", "*fathom*",
    "*hotjar*", "*clarity*", "*goatcounter*", "*sentry*", "*cookie*", "*feedback*", "*giscus*", "*llms*", "*sitemap*", "*robots*", "*minif*", "*compress*",
    "*gzip*", "*opengraph*", "*og-image*", "*social-card*", "*structured-data*", "*favicon*", "*lightbox*", "*image-zoom*", "*medium-zoom*", "*panzoom*",
    "*copybutton*", "*copy-code*", "*git-revision*", "*git-committers*", "*git-authors*", "*last-updated*", "*last-modified*", "*reading-time*", "*readtime*",
    "*nprogress*", "*mermaid*", "*plantuml*", "*drawio*", "*kroki*", "*katex*", "*mathjax*", "*tailwind*", "*postcss*", "*autoprefixer*", "*npm2yarn*", "*dotenv*",
    "*spellcheck*", "*linkcheck*",
];

/// Returns true if `name` is one of `known`, each of which may have asterisks for any letters at its ends, and one within;
/// or that of a harmless plugin, which is not a module of the project.
fn is_known(name: &str, known: &[&str]) -> bool {
    let is_one_of = |patterns: &[&str]| patterns.iter().any(|pattern| matches(name, pattern));
    is_one_of(known) || !name.starts_with(['.', '/']) && is_one_of(HARMLESS)
}

/// Returns the first program, besides those `known`, that `text`, in Python, starts with the module `subprocess`; empty if
/// the text does not say which.
pub(super) fn other_command(text: &str, known: &[&str]) -> Option<String> {
    const CALLS: &[&str] = &["check_output", "check_call", "getoutput", "run", "call", "Popen"];
    let lines = text.lines().map(str::trim_start);
    let code: Vec<&str> = lines.filter(|it| !it.starts_with(['#'])).collect();
    let is_import = |it: &&str| it.starts_with("import ") || it.starts_with("from ");
    let imports = code.iter().filter(|it| is_import(it) && it.contains("subprocess"));
    let imports: Vec<&str> = imports.copied().collect();
    // Under another name.
    if imports.iter().any(|it| it.contains(" as ")) {
        return Some(String::new());
    }
    let is_whole = imports.first()?.starts_with("import ");
    let text: Vec<&str> = code.into_iter().filter(|it| !is_import(it)).collect();
    let text = text.join(" ");
    let calls = CALLS.iter().flat_map(|name| text.match_indices(name).map(|(at, _)| (at, *name)));
    let mut commands = calls.filter_map(|(at, name)| {
        let (before, call) = text.split_at(at);
        let arguments = call.strip_prefix(name)?.trim_start().strip_prefix('(')?;
        let is_of_name = |it: char| it.is_alphanumeric() || matches!(it, '_' | '.');
        let is_call = match is_whole {
            true => before.ends_with("subprocess."),
            false => !before.ends_with(is_of_name),
        };
        is_call.then(|| command_of(arguments))
    });
    commands.find(|it| !is_known(it, known))
}

/// The most bytes of a command that are read.
const LONGEST_COMMAND: usize = 512;

/// The program, and what it is to do, in the `arguments` of a call: `git describe`.
fn command_of(arguments: &str) -> String {
    let list = arguments.trim_start_matches([' ', '[', '(']);
    let Some(quote) = list.chars().next().filter(|it| matches!(it, '"' | '\'')) else {
        return String::new();
    };
    // More of the call says no more about the command.
    let end = list.bytes().take(LONGEST_COMMAND).position(|it| matches!(it, b']' | b')'));
    let Some(list) = end.and_then(|end| list.get(..end)) else { return String::new() };
    let texts = list.split(quote).skip(1).step_by(2);
    let words = texts.flat_map(str::split_whitespace);
    words.filter(|it| !it.starts_with('-')).take(2).collect::<Vec<_>>().join(" ")
}

fn matches(name: &str, pattern: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('*') else {
        return name.eq_ignore_ascii_case(pattern);
    };
    let Some(name) = name.strip_prefix(start) else { return false };
    match rest.split_once('*') {
        None => name.ends_with(rest),
        Some((middle, end)) => name.contains(middle) && name.ends_with(end),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn a_setting_is_known_by_its_name() {
        for (text, at, expected) in [
            ("plugins: [a, b, c]", "plugins", "c"),
            ("plugins:\n- a\n- b:\n    c: d\n", "plugins", ""),
            ("plugins:\n- c: {d: e}\n", "plugins", "c"),
            ("plugins:\n  c: {d: e}\n", "plugins", "c"),
            ("plugins:\n- c:\n", "plugins", "c"),
            ("plugins:\n- c: false\n", "plugins", ""),
            ("Plugins:\n- a:\n    d: e\n", "plugins.A", "d"),
            ("a: 1\nc: 1\n", "", "c"),
            ("x-y: 1\n", "", ""),
        ] {
            let settings = Settings::read(text, Some(DataLanguage::Yaml));
            let found = other_setting(&settings, at, &["a", "b", "x-*"]);
            assert_eq!(found.unwrap_or_default(), expected, "{text}");
        }
    }

    #[test]
    fn a_line_has_a_name() {
        for (text, start, expected) in [
            ("[preprocessor.links]\n[preprocessor.toc]", "[preprocessor.", "toc"),
            ("[preprocessor.links.x]\n", "[preprocessor.", ""),
            ("[book]\n", "[preprocessor.", ""),
            ("  gem 'jekyll-x'\n", "gem 'jekyll-", "jekyll-x"),
        ] {
            let found = other_line(text, &[start], &["links"]);
            assert_eq!(found.unwrap_or_default(), expected, "{text}");
        }
    }

    #[test]
    fn plugins_are_harmless_by_their_names() {
        for (name, expected) in [
            ("@signalwire/docusaurus-plugin-llms-txt", true),
            ("mkdocs-llmstxt", true),
            ("docusaurus-lunr-search", true),
            ("sphinx_sitemap", true),
            ("vitepress-plugin-cookie-consent", true),
            ("./plugins/search", false),
            ("docusaurus-plugin-openapi", false),
        ] {
            assert_eq!(is_known(name, &[]), expected, "{name}");
        }
    }

    #[test]
    fn programs_that_a_configuration_starts_have_names() {
        const GIT: &[&str] = &["git describe", "git rev-parse"];
        for (text, expected) in [
            ("import subprocess\nv = subprocess.check_output(['git', 'describe', '--tags'])", None),
            (
                "import subprocess\nv = subprocess.run(\n  'git -C . rev-parse HEAD', shell=True)",
                Some("git ."),
            ),
            (
                "import subprocess\nv = subprocess.run(\n    [\n        \"git\",\n        \"rev-parse\"])",
                None,
            ),
            (
                "from subprocess import check_output\nv = check_output((\"git\", \"describe\"))",
                None,
            ),
            ("import subprocess\nsubprocess.run(['doxygen'])", Some("doxygen")),
            ("import subprocess\nsubprocess.Popen(command)", Some("")),
            ("import subprocess as s\ns.Popen(['git', 'describe'])", Some("")),
            ("import os, subprocess\nsubprocess.call(['make', 'html'])", Some("make html")),
            ("import subprocess\napp.run(command)", None),
            ("run(command)", None),
        ] {
            assert_eq!(other_command(text, GIT).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn modules_are_imported_or_named_in_lists() {
        for (text, expected) in [
            ("import a from 'known'", ""),
            ("import a from \"./plugin\"", "./plugin"),
            ("import type a from 'other'", ""),
            ("// import a from 'other'", ""),
            ("import {\n a } from 'other';", "other"),
            ("const a = require('other')", "other"),
            ("import nav from './nav'; import fs from 'node:fs'", ""),
            ("export default {plugins: ['known', ['x-y', {a: 'b-c'}]]}", "x-y"),
            ("export default {plugins: [a, [b, {}]], x: ['y-z']}", ""),
        ] {
            let settings = Settings::read(text, Some(DataLanguage::JavaScript));
            let found = other_modules(text, &settings, &["known"]);
            assert_eq!(found.first().map_or("", |it| it), expected, "{text}");
        }
    }

    #[test]
    fn a_module_of_the_project_is_read() {
        for (module, expected) in [
            ("import a from 'known'; export const b = { c: 'd' }", ""),
            ("import a from '../x/own'", ""),
            ("import a from 'other'", "./x/own"),
            ("import a from './none'", "./x/own"),
            ("fs.writeFileSync('a.md', b)", "./x/own"),
            ("export const slugify = (it) => it", "./x/own"),
        ] {
            let configuration = "import { b } from './x/own'";
            let read = |_: &Path, name: &str| {
                name.ends_with("x/own").then(|| (module.to_owned(), PathBuf::from("x")))
            };
            let project = Project {
                configuration,
                settings: &Settings::read(configuration, Some(DataLanguage::JavaScript)),
                has: &|_| false,
                read: &|_| None,
                module: &read,
            };
            let found = other_module(&project, &["known"], false);
            let found = found.or_else(|| other_module(&project, &["known"], true));
            assert_eq!(found.unwrap_or_default(), expected, "{module}");
        }
    }
}
