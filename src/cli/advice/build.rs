//! Errors and warnings of `--build`: the command of a generator, and what it prints.

use super::Advice;
use crate::cli::command_line::{command_name, quoted, value_of};
use crate::cli::first_paths::first_paths;
use rehref_generators::markdown::{DialectRow, MarkdownDialect};
use rehref_site::plural::{counted, number};

/// The most lines of a generator that are shown.
pub(in crate::cli) const LINES: usize = 20;

/// Returns the command of `audit --build` that writes the pages which it wrote to `folder` of the site to the root: nobody
/// can pass a directory of the temporary one.
pub(in crate::cli) fn in_build(folder: &str) -> Option<String> {
    let command = value_of("--build").filter(|_| command_name() == "audit")?;
    let written = format!("{{out}}/{}", folder.trim_end_matches('/'));
    let corrected = match command.contains(&written) {
        true => command.replace(&written, "{out}"),
        false => format!("{command} && mv {written}/* {{out}}"),
    };
    Some(format!("write its pages to {{out}} itself: --build {}", quoted(corrected)))
}

/// Returns the error for a command without `{out}`; `generator`: the generator of the site, if it is known; `site`: the
/// directory of its project, from the working directory.
pub(in crate::cli) fn without_out(
    command: &str,
    generator: Option<&DialectRow>,
    site: &str,
) -> String {
    let known = generator.and_then(|it| it.build_command(site));
    let example = known.or_else(|| MarkdownDialect::MKDOCS.row().build_command(site));
    let example = example.unwrap_or_default();
    let scripts = ["npm run ", "pnpm run ", "pnpm ", "yarn run ", "yarn "];
    let script = scripts.iter().find(|it| command.starts_with(**it)).map(|runner| {
        let options = example.split(' ').rev().take(2).collect::<Vec<_>>();
        let options: Vec<&str> = options.into_iter().rev().collect();
        let dashes = if runner.starts_with("npm") { " --" } else { "" };
        format!(
            ", or '{command}{dashes} {}', if the script is only the command of the generator",
            options.join(" ")
        )
    });
    format!(
        "--build: `{command}` has no {{out}}\nhelp: write {{out}} in place of the output directory, like '{example}'{}; the command runs in the working directory",
        script.unwrap_or_default()
    )
}

/// Returns the last `lines` that a command printed, which failed.
pub(in crate::cli) fn last_lines(lines: &[&str]) -> impl Iterator<Item = Advice> {
    lines.iter().map(|line| Advice::Error(format!("--build: {}", line.trim_end())))
}

/// Returns the error for `command`, which failed as `failure` says, or wrote nothing. `site`: the directory of the project, if
/// that is not the working directory.
pub(in crate::cli) fn failure(command: &str, failure: Option<&str>, site: Option<&str>) -> String {
    let has_own_options =
        command.split_once("npm run ").is_some_and(|(_, rest)| rest.contains(" --"));
    match failure {
        Some(failure) if has_own_options && !command.contains(" -- ") => format!(
            "--build: `{command}` {failure}\nhelp: npm takes the options for itself; write `--` before them: npm run build -- --outDir {{out}}"
        ),
        Some(failure) if command.contains("linkcheck") => format!(
            "--build: `{command}` {failure}\nhelp: use a builder of HTML, like `-b html`: rehref checks the links itself"
        ),
        // The status of a shell that finds no such program.
        Some(failure) if failure.ends_with("status 127") => format!(
            "--build: `{command}` {failure}\nhelp: the shell finds no such program; check its name, and activate the environment that has it"
        ),
        Some(failure) if let Some(site) = site => format!(
            "--build: `{command}` {failure}\nhelp: the command runs in the working directory, and the project is in {site}: run rehref there (cd {site}), or name the directory in the command"
        ),
        Some(failure) => format!(
            "--build: `{command}` {failure}\nhelp: run the command yourself, with a directory for {{out}}, until it succeeds, and \
             then rehref again"
        ),
        None => {
            let there = site.map_or(String::new(), |site| {
                format!("\nhelp: the project is in {site}, and the command runs in the working directory: run rehref there (cd {site})")
            });
            format!(
                "--build: `{command}` wrote no page to {{out}}\nhelp: write {{out}} in place of the output directory, and use a builder of HTML; rehref checks the links itself{there}"
            )
        }
    }
}

/// Returns the lines that a generator printed as warnings.
pub(in crate::cli) fn warnings(lines: &[&str]) -> Vec<Advice> {
    let shown = lines.iter().take(LINES).map(|line| format!("--build: {}", line.trim()));
    let more = lines.len().saturating_sub(LINES);
    let more = (more > 0).then(|| {
        format!(
            "--build: {} not shown\nhelp: run the command yourself to see them",
            counted(more, "more line")
        )
    });
    shown.chain(more).map(Advice::Warning).collect()
}

/// A site as a command has built it after a move.
pub(in crate::cli) struct Made<'m> {
    pub(in crate::cli) command: &'m str,
    pub(in crate::cli) seconds: f64,
    pub(in crate::cli) pages: usize,
    /// The compared links.
    pub(in crate::cli) links: usize,
    /// The pages with another URL.
    pub(in crate::cli) moved: usize,
    /// The targets that links lost which no source has, each with the number of these links.
    pub(in crate::cli) others: &'m [(String, usize)],
    /// The old URLs without a redirect.
    pub(in crate::cli) no_redirect: &'m [String],
    /// The URLs of pages that are at no place of an old one.
    pub(in crate::cli) new_pages: &'m [String],
}

impl Made<'_> {
    /// Returns the result of a comparison without differences.
    pub(in crate::cli) fn verified(&self) -> String {
        format!(
            "verified in {:.2} s as `{}` made it: {}, {} at another URL, {} with the expected target, no new broken link\n",
            self.seconds,
            self.command,
            counted(self.pages, "page"),
            number(self.moved),
            counted(self.links, "link"),
        )
    }

    /// Returns the result of a comparison with differences.
    pub(in crate::cli) fn differs(&self, broken: usize, different: usize) -> String {
        let parts = [(broken, "new broken link"), (different, "difference")];
        let parts = parts.into_iter().filter(|(count, _)| *count > 0);
        let parts: Vec<String> = parts.map(|(count, name)| counted(count, name)).collect();
        format!(
            "{} in the site that `{}` built (see above)\nhelp: the cause may be text that rehref does not change, like strings with old paths: change it, and run the command again",
            parts.join(" and "),
            self.command
        )
    }

    /// Returns further advice for users.
    pub(in crate::cli) fn advice(&self) -> Vec<Advice> {
        let no_redirect = (!self.no_redirect.is_empty()).then(|| {
            Advice::Warning(format!(
                "--build: {} of moved pages without a redirect: {}\nhelp: --write-redirects writes redirects; settings that it prints or writes to a file belong in the generator's configuration",
                counted(self.no_redirect.len(), "old URL"),
                first_paths(self.no_redirect)
            ))
        });
        let count = self.others.iter().map(|(_, count)| count).sum();
        let others = (count > 0).then(|| {
            let targets = self.others.iter();
            let targets = targets.map(|(url, count)| format!("{} to {url}", number(*count)));
            Advice::Note(format!(
                "--build: {} that no source has, such as entries of navigation, lead elsewhere or are gone: {}",
                counted(count, "link"),
                first_paths(&targets.collect::<Vec<_>>())
            ))
        });
        let new_pages = (!self.new_pages.is_empty()).then(|| {
            Advice::Note(format!(
                "--build: {} that the site did not have before: {}",
                counted(self.new_pages.len(), "page"),
                first_paths(self.new_pages)
            ))
        });
        no_redirect.into_iter().chain(new_pages).chain(others).collect()
    }
}
