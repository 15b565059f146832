//! The parts of a command that `-h` shows, and the examples of `--help`.

use clap::{Arg, ArgAction, Command};

/// The help of a command.
struct Page {
    command: &'static str,
    /// The options that most people use: `-h` shows these, on one screen. Empty for all.
    short: &'static [&'static str],
    /// Lines that can be typed, each after a line that says what it does.
    examples: &'static str,
}

/// In the order of `rehref --help`: the [`FIRST`], then the others.
const PAGES: &[Page] = &[
    Page {
        command: "audit",
        short: &["build", "format", "ignore", "baseline", "fail_on", "fix", "url"],
        examples: "# Find broken links; the exit status is 1 if there is an error
  rehref audit public --url https://example.org/docs/
  # Audit a generator's project: what the generator builds, at the lines of the sources
  rehref audit . --build 'mkdocs build -q -d {out}'
  # Print a report, and write reports for code scanning and for a browser
  rehref audit public --format sarif=audit.sarif --format html=audit.html
  # Accept all current findings, so that only new ones fail
  rehref audit public --baseline audit.json --update-baseline
  # Show the changes that --fix would make
  rehref audit public --fix --diff
  # Audit one document
  rehref audit public/guide/start.html",
    },
    Page {
        command: "move",
        short: &["out", "in_place", "dry_run", "build", "regex", "write_redirects", "url"],
        examples: "\
  # Rename a directory, and redirect the old URLs
  rehref move public news=blog --url https://example.org/ --in-place --write-redirects netlify
  # Move documents of a generator's project, and let the generator prove it
  rehref move . docs/setup=docs/guide/setup --in-place --build 'mkdocs build -q -d {out}'
  # Move every page of a year
  rehref move public --regex 'blog/2024-(.*)=archive/2024/$1' --out OUT
  # Publish at another URL
  rehref move public --url https://old.example/ --new-url https://new.example/docs/ --out OUT",
    },
    Page {
        command: "absolute",
        short: &["out", "in_place", "dry_run", "diff", "verify", "url"],
        examples: "# Write a copy with absolute links, and prove that nothing else changed
  rehref absolute public --url https://example.org/docs/ --out OUT --verify
  # Show the changes without writing them
  rehref absolute public --url https://example.org/docs/ --diff
  # Rewrite one document, to stdout
  rehref absolute a.html --url https://example.org/docs/a.html --out -",
    },
    Page {
        command: "relative",
        short: &["out", "in_place", "dry_run", "verify", "offline", "url"],
        examples: "\
  # Write a copy that works at any URL
  rehref relative public --url https://example.org/docs/ --out OUT
  # Write a copy that works when opened from disk
  rehref relative mirror --url https://example.org/ --offline --out OUT",
    },
    Page {
        command: "compare",
        short: &["from_log", "record", "write_redirects", "format", "ignore", "baseline", "url"],
        examples: "# Find what a new build has lost of the published site
  rehref compare published public
  # Compare with the last release in git
  rehref compare git:v1.2 public
  # Keep a list of what is published, and compare the next release with it
  rehref compare published.txt public --record published.txt
  # Redirect lost pages to the pages that have their text now
  rehref compare published public --write-redirects netlify=_redirects
  # Find what visitors asked for and will not find
  rehref compare access.log public --from-log combined",
    },
    Page {
        command: "verify",
        short: &["all", "offline", "build", "browser", "format", "url"],
        examples: "# Prove that a rewrite kept the target of every link
  rehref verify public OUT --url https://example.org/docs/
  # Prove that a move kept the target of every link
  rehref verify public OUT news=blog --url https://example.org/
  # Let the generator of a project prove it
  rehref verify . ../moved docs/setup=docs/guide/setup --build 'mkdocs build -q -d {out}'",
    },
    Page {
        command: "links",
        short: &["only", "broken", "to", "format", "include", "url"],
        examples: "# Write every link to a CSV file
  rehref links public --url https://example.org/docs/ --format csv=links.csv
  # Write every link to a table for DuckDB or a data frame
  rehref links public --url https://example.org/docs/ --format parquet=links.parquet
  # Print the links to a page
  rehref links public --to guide/start.html
  # Check external links with another program
  rehref links public --only external --format urls | lychee -",
    },
    Page {
        command: "base",
        short: &[],
        examples: "# Print the base URL of a document
  rehref base page.html --url https://example.org/docs/page.html",
    },
    Page {
        command: "resolve",
        short: &["base", "explain", "relativize", "standard", "format"],
        examples: "# Resolve a reference, step by step
  rehref resolve --base https://example.org/a/b.html ../c --explain
  # Resolve a reference under every standard since 1994
  rehref resolve --base https://example.org/a/b.html '?x' --standard all",
    },
    Page {
        command: "explain",
        short: &[],
        examples: "# Explain what a check finds and how to fix it
  rehref explain broken-fragment",
    },
    Page {
        command: "config",
        short: &[],
        examples: "\
  # Print the settings, and where each comes from
  rehref config",
    },
    Page {
        command: "completions",
        short: &[],
        examples: "\
  # Install completion for bash
  rehref completions bash > ~/.local/share/bash-completion/completions/rehref",
    },
    Page {
        command: "man",
        short: &[],
        examples: "\
  # Read the manual page of a command
  rehref man move | man -l -",
    },
];

/// The commands that only read a site.
const READERS: &[&str] = &["audit", "compare", "links", "verify"];

/// The commands that change documents one by one.
const REWRITERS: &[&str] = &["absolute", "audit", "relative"];

/// An option that several commands share: its id, the commands for which it means only a part, and the help there.
type Part = (&'static str, &'static [&'static str], &'static str);

/// The first line of help of shared options, where a command has only a part of their meaning.
const PARTS: &[Part] = &[
    ("include", READERS, "Read only matching documents"),
    ("exclude", READERS, "Skip matching documents"),
    (
        "files_from",
        READERS,
        "Read only the documents that FILE lists, one path on each line (-: stdin)",
    ),
    ("in_place", REWRITERS, "Change SITE itself: replace changed documents one by one"),
    ("in_place", &["move"], "Change SITE itself: replace the whole tree in one step"),
    (
        "redirects",
        &["audit"],
        "Also read the server's redirect rules from FILE (in the format of `_redirects`, .htaccess, an nginx \
         configuration or JSON), follow them, and check them",
    ),
    (
        "redirects",
        &["move"],
        "Also read the server's redirect rules from FILE (in the format of `_redirects`, .htaccess, an nginx \
         configuration or JSON), and update them if FILE is in SITE",
    ),
    (
        "redirects",
        &["compare"],
        "Also read the redirect rules of the server from FILE (in the format of `_redirects`, .htaccess, an nginx \
         configuration or JSON), and apply them to NEW",
    ),
    (
        "regex",
        &["verify"],
        "Expect every file whose whole path matches PATTERN to have moved: 'blog/(\\d{4})/(.*)=archive/$1/$2'",
    ),
];

/// `arg` of `command` with the help of its part, if it has one in [`PARTS`].
fn with_part(arg: Arg, command: &str) -> Arg {
    let is_part = |part: &&Part| arg.get_id() == part.0 && part.1.contains(&command);
    let Some((.., help)) = PARTS.iter().find(is_part) else { return arg };
    let long = arg.get_long_help().map(ToString::to_string);
    let long = long.as_deref().and_then(|long| long.split_once("\n\n")).map(|(_, rest)| rest);
    let long = long.map(|rest| format!("{help}\n\n{rest}"));
    match long {
        Some(long) => arg.help(*help).long_help(long),
        None => arg.help(*help),
    }
}

/// The number of commands in the first group of `rehref --help`.
const FIRST: usize = 4;

/// The commands of a group, one a line, under `heading`.
fn group(command: &Command, heading: &str, pages: &[Page]) -> String {
    let width = PAGES.iter().map(|page| page.command.len()).max().unwrap_or_default();
    let header = command.get_styles().get_header();
    let mut group = format!("{header}{heading}:{header:#}\n");
    for found in pages.iter().filter_map(|page| command.find_subcommand(page.command)) {
        let about = found.get_about().map(ToString::to_string).unwrap_or_default();
        let aliases: String =
            found.get_visible_aliases().map(|it| format!(" [alias: {it}]")).collect();
        group += &format!("  {:width$}  {about}{aliases}\n", found.get_name());
    }
    group
}

/// Gives each command of `command`, the whole command line, its help.
pub(super) fn arrange(mut command: Command) -> Command {
    command = command
        .after_help("Start with `rehref audit SITE`, which changes nothing.\n`rehref COMMAND -h` prints a summary, `rehref COMMAND --help` all options.");
    for (at, page) in PAGES.iter().enumerate() {
        command = command.mut_subcommand(page.command, |it| page.arrange(it).display_order(at));
    }
    let (first, others) = PAGES.split_at(FIRST);
    let [first, others] = [("Commands", first), ("More", others)]
        .map(|(heading, pages)| group(&command, heading, pages));
    let header = command.get_styles().get_header();
    let options = format!("{header}Options:{header:#}");
    command.help_template(format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{first}\n{others}\n{options}\n{{options}}{{after-help}}"
    ))
}

impl Page {
    fn arrange(&self, command: Command) -> Command {
        let Page { command: name, short, examples } = self;
        let more = [command.get_after_long_help(), command.get_after_help()].into_iter().flatten();
        let more: String = more.map(|more| format!("\n\n{more}")).collect();
        let help = Arg::new("help")
            .short('h')
            .long("help")
            .action(ArgAction::Help)
            .help("Print help (-h: summary, --help: all options)")
            .help_heading("Running");
        let mut command = command
            .mut_args(|arg| with_part(arg, name))
            .disable_help_flag(true)
            .arg(help)
            // The line end escaped in the table takes the first indentation along.
            .after_long_help(format!("Examples:\n  {examples}{more}"));
        if !short.is_empty() {
            command = command
                .after_help(format!(
                    "More options, examples and exit statuses: rehref {name} --help"
                ))
                .mut_args(|arg| {
                    let is_short = arg.is_positional() || short.iter().any(|id| arg.get_id() == id);
                    arg.hide_short_help(!is_short)
                });
        }
        command
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::cli::Arguments;

    #[test]
    fn every_command_has_examples_that_it_accepts() {
        let command = arrange(Arguments::command());
        let names = command.get_subcommands().map(Command::get_name);
        let names: Vec<&str> = names.filter(|name| *name != "help").collect();
        for name in &names {
            assert!(PAGES.iter().any(|page| page.command == *name), "{name}");
        }
        for page in PAGES {
            let found = command.find_subcommand(page.command).unwrap();
            for id in page.short {
                let mut arguments = found.get_arguments();
                assert!(arguments.any(|it| it.get_id() == id), "{} {id}", page.command);
            }
            let lines = page.examples.lines().map(str::trim);
            let (comments, lines): (Vec<_>, Vec<_>) = lines.partition(|line| line.starts_with('#'));
            assert_eq!(comments.len(), lines.len(), "{}", page.examples);
            for line in lines {
                // Every other part is in quotes.
                let parts = line.split('\'').enumerate();
                let words = parts.flat_map(|(at, part)| match at % 2 {
                    0 => part.split_whitespace().collect(),
                    _ => vec![part],
                });
                let words = words.take_while(|word| !["|", "<", ">"].contains(word));
                let words: Vec<&str> = words.collect();
                assert_eq!(words[1], page.command);
                let parsed = arrange(Arguments::command()).try_get_matches_from(&words);
                assert!(parsed.is_ok(), "{words:?}: {}", parsed.unwrap_err());
            }
        }
    }

    #[test]
    fn short_help_fits_a_screen() {
        for page in PAGES {
            let mut command = arrange(Arguments::command());
            command.build();
            let found = command.find_subcommand_mut(page.command).unwrap();
            let help = found.clone().term_width(100).render_help().to_string();
            assert!(help.lines().count() <= 30, "{}:\n{help}", page.command);
        }
    }
}
