//! The command line: turns arguments into plain configuration, prints results to stdout and
//! everything else to stderr.
//!
//! One file per subcommand (`move` is `moving`); the others hold what several share. No other module of the crate prints.

mod absolute;
mod advice;
mod already_moved;
mod arguments;
mod audit;
mod base;
mod browser;
mod build;
mod command_line;
mod compare;
mod comparison;
mod config;
mod configuration;
mod exit;
mod explain;
mod extract;
mod files;
mod first_paths;
mod front_matter_redirects;
mod git;
mod gitignore;
mod habits;
mod help;
mod hosts;
mod interrupt;
mod kind;
mod likely_site;
mod link_filter;
mod links;
mod manual;
mod markdown;
mod markdown_pages;
mod mounts;
mod move_slips;
mod moved_corpus;
mod moving;
mod no_documents;
mod opened;
mod options;
mod output;
mod place;
mod progress;
mod redirect_destination;
mod redirect_pages;
mod redirect_rules;
mod redirects;
mod relative;
mod reports;
mod repository_url;
mod requests;
mod resolve;
mod rewriting;
mod site_url;
mod stdin;
mod style;
mod summary;
mod terminal;
#[cfg(test)]
mod tests;
mod unused_globs;
mod values;
mod verify;
mod version;
mod work_tree;
mod working_directory;

use std::ffi::OsString;

use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use arguments::ConsoleArguments;
use command_line::{GivenOptions, WORDS};
use exit::Exit;

/// Rewrites the links of whole site trees, and nothing else in them.
#[derive(Debug, Parser)]
#[command(name = "rehref", bin_name = "rehref", version = version::LINE, about)]
struct Arguments {
    #[command(flatten)]
    console: ConsoleArguments,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    #[command(aliases = ["abs", "absolutize"], after_help = EXIT_HELP)]
    Absolute(absolute::Arguments),
    #[command(aliases = ["rel", "relativize"], after_help = EXIT_HELP)]
    Relative(relative::Arguments),
    #[command(name = "move", visible_alias = "mv", aliases = ["rename", "ren"], after_help = EXIT_HELP)]
    Move(moving::Arguments),
    #[command(visible_alias = "check", aliases = ["lint", "test", "scan"], after_help = AUDIT_EXIT_HELP)]
    Audit(audit::Arguments),
    #[command(alias = "lost", after_help = COMPARE_EXIT_HELP)]
    Compare(compare::Arguments),
    #[command(aliases = ["list", "ls", "dump"], after_help = LINKS_EXIT_HELP)]
    Links(links::Arguments),
    #[command(aliases = ["join", "urljoin"])]
    Resolve(resolve::Arguments),
    Base(base::Arguments),
    #[command(after_help = VERIFY_EXIT_HELP)]
    Verify(verify::Arguments),
    Explain(explain::Arguments),
    Config(config::Arguments),
    #[command(alias = "completion")]
    Completions(manual::CompletionsArguments),
    #[command(alias = "manual")]
    Man(manual::ManArguments),
}

const EXIT_HELP: &str = "\
Exit status:
  0    done
  1    --check: a document would change; --verify or --build: differences; or a malformed document
       was skipped
  2    wrong usage, no document, a file could not be read or written (the others were processed), or
       --verify could not prove a document
  130  interrupted";

const VERIFY_EXIT_HELP: &str = "\
Exit status:
  0    no differences
  1    differences, or a malformed document
  2    wrong usage, no document, a file could not be read (the others were compared), or a document
       could not be proven
  130  interrupted";

const AUDIT_EXIT_HELP: &str = "\
Exit status:
  0    no findings of the --fail-on level or above; or --fix with --dry-run or --diff, without --check
  1    findings of the --fail-on level or above; with --fix and --check: a document would change
  2    wrong usage, no document, or a file could not be read (the others were audited)
  130  interrupted";

const COMPARE_EXIT_HELP: &str = "\
Exit status:
  0    nothing is lost
  1    NEW lacks something of OLD: findings of the --fail-on level or above
  2    wrong usage, no document, or a file could not be read (the others were compared)
  130  interrupted";

const LINKS_EXIT_HELP: &str = "\
Exit status:
  0    done
  1    a document is malformed (the links of the others were printed)
  2    wrong usage, no document, or a file could not be read (the links of the others were printed)
  130  interrupted";

/// The definition of the whole command line.
fn command() -> clap::Command {
    help::arrange(Arguments::command())
}

/// Runs the command line `words`, whose first is the name of the program; once in a process, which should end after it.
/// Returns the exit status.
pub fn run(words: impl IntoIterator<Item = OsString>) -> u8 {
    let words = WORDS.get_or_init(|| words.into_iter().collect()).clone();
    let mut definition = command();
    let configured = match config::configured(&definition, words) {
        Ok(configured) => configured,
        Err(error) => {
            terminal::error(&error);
            return Exit::from(&error) as u8;
        }
    };
    let mut sites = Vec::new();
    for words in configured.runs.iter().chain(&configured.others) {
        if words.iter().filter_map(|it| it.to_str()).any(habits::may_be_long) {
            let mut definition = command();
            definition.build();
            if let Some(error) = habits::single_dash(&definition, words) {
                let _ = error.print();
                return u8::try_from(error.exit_code()).unwrap_or(Exit::Error as u8);
            }
        }
        let matches = definition.try_get_matches_from_mut(words);
        let given = matches.as_ref().map(|it| GivenOptions::of(&definition, it));
        let given = given.unwrap_or_default();
        let arguments = matches.and_then(|matches| Arguments::from_arg_matches(&matches));
        match arguments {
            Ok(arguments) => sites.push((given, arguments)),
            Err(error) if error.kind() == ErrorKind::DisplayVersion && asks_for_details(words) => {
                let printed = terminal::print(version::details());
                return printed.map_or_else(|error| Exit::from(&error), |()| Exit::Done) as u8;
            }
            Err(error) => {
                let mut definition = command();
                definition.build();
                let error = habits::explain(error, &definition, words);
                // As clap does: without a stream there is nobody to tell.
                let _ = error.print();
                return u8::try_from(error.exit_code()).unwrap_or(Exit::Error as u8);
            }
        }
    }
    let others = sites.split_off(configured.runs.len());
    let Some((given, arguments)) = sites.pop() else { return Exit::Error as u8 };
    given.keep();
    arguments.console.apply();
    configured.notes.iter().for_each(terminal::note);
    configured.details.iter().for_each(terminal::detail);
    let result = match arguments.command {
        Command::Absolute(arguments) => absolute::run(arguments),
        Command::Relative(arguments) => relative::run(arguments),
        Command::Move(arguments) => moving::run(arguments),
        Command::Audit(last) => {
            let audit = |it| if let Command::Audit(it) = it { Some(it) } else { None };
            let sites = of_command(sites, audit).chain([(given, last)]).collect();
            audit::run(sites, of_command(others, audit).collect())
        }
        Command::Compare(last) => {
            let compare = |it| if let Command::Compare(it) = it { Some(it) } else { None };
            compare::run(of_command(sites, compare).chain([(given, last)]).collect())
        }
        Command::Links(arguments) => links::run(arguments),
        Command::Resolve(arguments) => resolve::run(arguments),
        Command::Base(arguments) => base::run(arguments),
        Command::Verify(arguments) => verify::run(arguments),
        Command::Explain(arguments) => explain::run(&arguments),
        Command::Config(arguments) => config::run(&arguments, &command()),
        Command::Completions(arguments) => manual::completions(&arguments, command()),
        Command::Man(arguments) => manual::man(&arguments, command()),
    };
    let exit = result.unwrap_or_else(|error| {
        terminal::error(&error);
        Exit::from(&error)
    });
    interrupt::finish();
    exit as u8
}

/// The arguments of the command that `own` takes out of each of `lines`, with the options that are given.
fn of_command<T>(
    lines: Vec<(GivenOptions, Arguments)>,
    own: impl Fn(Command) -> Option<T>,
) -> impl Iterator<Item = (GivenOptions, T)> {
    lines.into_iter().filter_map(move |(given, line)| Some((given, own(line.command)?)))
}

/// `true` if `words` ask for details, which clap does not read with `--version`.
fn asks_for_details(words: &[OsString]) -> bool {
    let is_short = |word: &[u8]| word.starts_with(b"-") && !word.starts_with(b"--");
    let mut words = words.iter().map(|word| word.as_encoded_bytes());
    words.any(|word| word == b"--verbose" || is_short(word) && word.contains(&b'v'))
}
