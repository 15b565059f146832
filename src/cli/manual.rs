//! `rehref completions` and `rehref man`: what shells and `man` read, made from the definitions of the
//! command line.

use std::io::{self, IsTerminal, Write};

use clap::{Args, Command};
use clap_complete::Shell;
use clap_mangen::Man;

use super::exit::{CliError, Exit, usage_error};
use super::terminal;
use rehref_site::nearest::nearest;

/// Print the script that completes rehref's arguments in a shell
#[derive(Debug, Args)]
pub(super) struct CompletionsArguments {
    /// Shell to print the script for
    shell: Shell,
}

/// Print the manual page of a command
///
/// `rehref man move | man -l -` shows the manual page of move.
#[derive(Debug, Args)]
pub(super) struct ManArguments {
    /// Command whose manual page to print [default: rehref itself]
    command: Option<String>,
}

/// Prints the script for a shell. `command` is the whole command line.
pub(super) fn completions(
    arguments: &CompletionsArguments,
    mut command: Command,
) -> Result<Exit, CliError> {
    let mut script = Vec::new();
    let name = command.get_name().to_owned();
    clap_complete::generate(arguments.shell, &mut command, name, &mut script);
    terminal::print(&script)?;
    Ok(Exit::Done)
}

/// Prints a manual page. `command` is the whole command line.
pub(super) fn man(arguments: &ManArguments, mut command: Command) -> Result<Exit, CliError> {
    // Gives the pages of commands their full names.
    command.build();
    // What `-h` hides belongs on the page, and the page would hide its text.
    let commands: Vec<String> =
        command.get_subcommands().map(|it| it.get_name().to_owned()).collect();
    for name in commands {
        command = command.mut_subcommand(name, |it| it.mut_args(|arg| arg.hide_short_help(false)));
    }
    let page = match arguments.command.as_deref() {
        None | Some("rehref" | "help") => Man::new(command),
        Some(name) => match command.find_subcommand(name) {
            Some(found) => Man::new(found.clone()),
            None => {
                let plain = name.trim_start_matches("rehref-").trim_end_matches(".1");
                let names = command.get_subcommands().map(Command::get_name);
                let names = names.map(|name| (name.to_owned(), name.to_owned()));
                let advice = match nearest(names, plain, 1 + plain.chars().count() / 4) {
                    Some((_, name)) => format!("did you mean {name}?"),
                    None if plain.contains("toml") || plain.contains("config") => {
                        "`rehref man config` describes rehref.toml".to_owned()
                    }
                    None => "rehref --help lists all".to_owned(),
                };
                return usage_error(format!("{name}: no such command\nhelp: {advice}"));
            }
        },
    };
    if io::stdout().is_terminal() {
        terminal::note(
            "this is the source of a manual page\nhelp: to read it: `rehref man COMMAND | man -l -`, or `rehref COMMAND --help`",
        );
    }
    terminal::print(rendered(&page).map_err(CliError::stdout)?)?;
    Ok(Exit::Done)
}

fn rendered(page: &Man) -> io::Result<Vec<u8>> {
    // For those who open the source in a pager.
    let mut text = b".\\\" To read this page: rehref man COMMAND | man -l -\n".to_vec();
    page.render(&mut text)?;
    text.flush()?;
    Ok(text)
}
