//! Advice on a word for which a command has no place.

use std::path::Path;

use clap::{ArgAction, Command};

use super::options::{option, short_option};
use super::tables::WRITE_SETTING;
use rehref_corpus::container_format;

/// Advice on a word that is neither an option nor a place for which `command` has room.
pub(super) fn advice_on_value<'w>(
    word: &str,
    command: &Command,
    words: impl Iterator<Item = &'w str>,
) -> String {
    let mut before: Vec<&str> = words.collect();
    let all = before.clone();
    before.truncate(all.iter().rposition(|other| *other == word).unwrap_or(all.len()));
    let option = |name: &str| option(command, name).or_else(|| short_option(command, name));
    // `-out DIR`, which the parser takes for `-o ut`.
    if let [.., name] = *before
        && name.len() > 2
        && name.starts_with('-')
        && !name.starts_with("--")
        && option(&format!("-{name}")).is_some()
    {
        return format!("did you mean `-{name}`?");
    }
    // The value of an option that takes a value only after `=`: `--fix moved`.
    if let [.., name] = *before
        && let Some(found) = option(name)
    {
        return if found.is_require_equals_set() {
            format!("did you mean `{name}={word}`?")
        } else {
            format!("`{name}` takes no value, so rehref reads `{word}` as another argument")
        };
    }
    // SITE again: `site --include news site`.
    if before.iter().rev().skip(1).any(|it| *it == word) && Path::new(word).is_dir() {
        return format!("{word} is given twice; omit the second {word}");
    }
    // A second value: `--include news visit`, `--format html report.html`.
    if let [.., name, value] = *before
        && let Some(found) = option(name)
        && word != value
    {
        if found.is_require_equals_set() {
            return format!("did you mean `{name}={value}`?");
        }
        let is_place = !word.contains('.') && Path::new(word).is_dir();
        if name == "--format" && !is_place {
            return format!("did you mean `--format {value}={word}`?");
        }
        if found.get_value_delimiter().is_some() && !is_place {
            return format!("did you mean `{name} {value},{word}`?");
        }
        if matches!(found.get_action(), ArgAction::Append)
            && before.iter().any(|it| Path::new(it).is_dir())
        {
            return format!("repeat the option for each value: `{name} {value} {name} {word}`");
        }
    }
    if word.starts_with(['\u{2010}', '\u{2013}', '\u{2014}', '\u{2212}']) {
        let hyphens = word.replace(['\u{2010}', '\u{2013}', '\u{2014}', '\u{2212}'], "-");
        let hyphens = hyphens.trim_start_matches('-');
        return format!("`{word}` begins with a dash that is not a hyphen; type `--{hyphens}`");
    }
    if let Some((name, value)) = word.split_once('=')
        && option(&format!("--{name}")).is_some()
    {
        return format!("did you mean `--{name} {value}`?");
    }
    let is_url = |it: &str| it.starts_with("http://") || it.starts_with("https://");
    if is_url(word) && all.contains(&"--url") && option("--also").is_some() {
        return format!("to give another URL of the site, add `--also {word}`");
    }
    if is_url(word) && option("--url").is_some() {
        return format!("to give the URL at which SITE is published, add `--url {word}`");
    }
    if let Some(url) = before.iter().find(|it| is_url(it))
        && option("--url").is_some()
        && !before.contains(&"--url")
    {
        return format!(
            "rehref fetches nothing; to give the URL at which SITE is published, add `--url {url}`"
        );
    }
    if is_archive(word) {
        let archives: Vec<&str> = all.iter().copied().filter(|it| is_archive(it)).collect();
        if let name @ ("absolute" | "relative" | "audit" | "links") = command.get_name() {
            return format!(
                "{name} takes one SITE, and the archives in a directory are one site; give the directory, and select the \
                 archives: `{}`",
                with_includes(name, &archives, &all)
            );
        }
    }
    match command.get_name() {
        name @ ("absolute" | "relative") => {
            let is_file = |it: &&&str| Path::new(it).is_file();
            if let Some(file) = all.iter().skip(1).find(is_file) {
                if is_file(&&word) {
                    let files: Vec<&str> = all.iter().copied().filter(|it| is_file(&it)).collect();
                    return format!(
                        "{name} takes one SITE; to rewrite some documents of a site, give its root directory, and select \
                         the documents: `{}`",
                        with_includes(name, &files, &all)
                    );
                }
                return format!(
                    "to rewrite one document: `rehref {name} {file} --url URL --out {word}`"
                );
            }
            if has_output(&all) {
                format!("{name} takes one SITE, and the output is already given; omit `{word}`")
            } else {
                format!("to write to `{word}`, add `--out {word}`")
            }
        }
        "links" => {
            let site = all.iter().skip(1).find(|it| Path::new(it).is_dir());
            let page = Path::new(site.copied().unwrap_or_default()).join(word);
            let within = if page.is_file() {
                format!("to print the links in this page, use `rehref links {}`; ", page.display())
            } else {
                String::new()
            };
            format!(
                "links takes one SITE; {within}to print the links to one page, add `--to {word}`"
            )
        }
        "audit" => {
            "SITE is one directory; to audit only some of its documents, add `--include GLOB`"
                .to_owned()
        }
        "verify" => "give BEFORE, AFTER, then moves, like old.html=new.html".to_owned(),
        "config" => WRITE_SETTING.to_owned(),
        "base" => {
            format!("base takes one FILE; run the command again for the next: `rehref base {word}`")
        }
        name => format!("{name} takes no further argument; see `rehref {name} --help`"),
    }
}

/// Whether `word` is the path of an archive, whose records have URLs of their own.
fn is_archive(word: &str) -> bool {
    let path = Path::new(word);
    path.is_file() && path.file_name().and_then(container_format).is_some()
}

/// The command `name` for `files` of the site whose root seems to be their first directory.
fn with_includes(name: &str, files: &[&str], words: &[&str]) -> String {
    const NAMED: usize = 4;
    let site = files.first().and_then(|file| file.split_once('/'));
    let (site, _) = site.unwrap_or((".", ""));
    let below =
        |file: &&str| file.strip_prefix(site).map(str::to_owned).unwrap_or(format!("/{file}"));
    let paths: Vec<String> = files.iter().map(below).collect();
    let glob = |path: &String| {
        let (folder, file) = path.rsplit_once('/')?;
        Some(format!("{folder}/*.{}", file.rsplit_once('.')?.1))
    };
    let mut globs: Vec<String> = match paths.len() {
        0..=NAMED => paths,
        _ => paths.iter().filter_map(glob).collect(),
    };
    globs.dedup();
    let includes: String = globs.iter().map(|glob| format!(" --include '{glob}'")).collect();
    let url = words.iter().zip(words.iter().skip(1)).find(|(word, _)| **word == "--url");
    let url = match url {
        Some((_, url)) => format!(" --url {url}"),
        // `absolute` cannot know what is beside the archives.
        None if name != "absolute" && files.iter().all(|file| is_archive(file)) => String::new(),
        None => " --url URL".to_owned(),
    };
    let out = match name {
        "absolute" | "relative" => " --out OUT",
        _ => "",
    };
    format!("rehref {name} {site}{includes}{url}{out}")
}

/// Whether `words` give an output.
fn has_output(words: &[&str]) -> bool {
    let is_output =
        |word: &&str| ["-o", "--out", "--in-place"].contains(word) || word.starts_with("--out=");
    words.iter().any(is_output)
}
