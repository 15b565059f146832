//! Warnings of globs that match nothing.

use std::path::Path;

use super::command_line::{command_name, quoted, value_of};
use super::terminal;
use rehref_corpus::Selection;
use rehref_corpus::files::{has_wildcard, is_like_regex};

/// Warns of the globs of `selection` that match none of `paths`.
pub(super) fn warn_of_all<'p>(
    selection: &Selection,
    paths: impl Iterator<Item = &'p Path> + Clone,
) {
    for unused in selection.unused_globs(paths) {
        warn_of(unused.option, &unused.glob);
    }
    // A shell may have made the name of a pattern that only one file matches.
    for name in selection.exclude.all().filter(|it| !has_wildcard(it) && Path::new(it).is_file()) {
        terminal::note(format!(
            "--exclude {name} leaves out one document\nhelp: if you typed a pattern, quote it, so that the shell does not expand it"
        ));
    }
}

/// Warns that `glob`, given with `option`, matches no file: usually a typing mistake.
pub(super) fn warn_of(option: &str, glob: &str) {
    let is_regex = is_like_regex(glob);
    let only = format!(
        "\nhelp: `!` does not negate a glob: to read only these documents, use --include {} instead",
        quoted(glob.trim_start_matches('!'))
    );
    let advice = match option {
        _ if glob.contains("://") => {
            "\nhelp: globs match paths in the site, not URLs\nhelp: to ignore findings by target, use --ignore 'target:GLOB'"
        }
        "--html" if glob.ends_with(".html") => "\nhelp: for a report, use --format html=FILE",
        "--exclude" if glob.starts_with('!') => &only,
        _ if glob.starts_with('!') => "\nhelp: `!` does not negate a glob: use --exclude",
        "--exclude" if is_regex && command_name() == "audit" => {
            "\nhelp: this is a glob, not a regular expression: `drafts/` matches a directory, and `*.html` names\nhelp: to ignore links by their targets, use --ignore 'target:GLOB', like 'target:*/admin/*'"
        }
        _ if is_regex => {
            "\nhelp: this is a glob, not a regular expression: `drafts/` matches a directory, and `*.html` names"
        }
        _ if glob.contains('\\') => "\nhelp: write `/` between directories",
        _ if Path::new(glob).is_file() => {
            "\nhelp: this is a file in the working directory: globs match paths relative to the site; quote a glob, so that the shell does not expand it"
        }
        _ if glob.contains([',', ' ', ';']) => {
            "\nhelp: a glob is not a list: repeat the option for each glob"
        }
        "--exclude" if command_name() == "audit" => {
            "\nhelp: globs match paths of documents, relative to the site\nhelp: to ignore links by their targets, use --ignore 'target:GLOB', like 'target:/admin/*'"
        }
        "--ignore" if value_of("--build").is_some() || value_of("--sources").is_some() => {
            "\nhelp: `path:` is that of the built page, like path:guide/usage/index.html"
        }
        _ => "\nhelp: globs match paths relative to the site",
    };
    terminal::warning(format!("{option} {glob} matches nothing in the site{advice}"));
}
