//! The table option × command in `docs/reference/options.md`. It shows an option that a command lacks, and
//! the tests fail where an option has two meanings. `INSTA_UPDATE=always` writes the page.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use clap::{Arg, Command};

use crate::cli::command;

/// Options whose help differs between commands, and why their meaning is the same.
const SAME_MEANING: &[(&str, &str)] = &[
    ("base-element", "what becomes of base elements: a URL to write, or keep or drop"),
    ("build", "the built site is audited, or two of them are compared"),
    ("charset", "the charset of the document, or of the document that contains the references"),
    ("exclude", "documents that are skipped: where they are copied, unchanged"),
    ("files-from", "the documents of the run, which are rewritten or read"),
    ("form", "the form of relative references; only where there are some before can it be kept"),
    ("format", "the formats are those of the command"),
    ("in-place", "the site itself changes: one document after the other, or all at once"),
    ("include", "the documents of the run, which are rewritten or read"),
    ("kind", "of the single document; a file tells more by its name than stdin"),
    ("message", "for one document, or for all"),
    ("new-url", "the URL of the new site: after a move, or of its new state"),
    ("offline", "the result is for reading from disk: written so, or compared so"),
    ("only", "restricts the report to what is named: checks, or kinds of links"),
    ("redirects", "the rules are read everywhere; audit checks them, and move updates them"),
    ("regex", "the moves: made so, or expected so"),
    ("standard", "the same, without the group of a site"),
    ("url", "where the root is published; of a single document its own URL"),
    ("write-redirects", "the redirects of the move: written so, or expected so"),
];

struct Row {
    names: String,
    commands: Vec<String>,
    helps: Vec<String>,
}

/// The options of all commands by their long names, and the commands.
fn options() -> (BTreeMap<String, Row>, Vec<String>) {
    let mut command = command();
    command.build();
    let mut commands: Vec<&Command> = command.get_subcommands().collect();
    commands.retain(|it| it.get_name() != "help");
    commands.sort_by_key(|it| it.get_display_order());
    let mut rows: BTreeMap<String, Row> = BTreeMap::new();
    for command in &commands {
        for arg in command.get_arguments().filter(|arg| !arg.is_hide_set()) {
            let Some(long) = arg.get_long() else { continue };
            let row = rows.entry(long.to_owned()).or_insert_with(|| Row {
                names: names(arg),
                commands: Vec::new(),
                helps: Vec::new(),
            });
            row.commands.push(command.get_name().to_owned());
            let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
            if !row.helps.contains(&help) {
                row.helps.push(help);
            }
        }
    }
    let names = commands.iter().map(|it| it.get_name().to_owned());
    (rows, names.collect())
}

/// `-o, --out DIR`.
fn names(arg: &Arg) -> String {
    let short = arg.get_short().map_or(String::new(), |short| format!("-{short}, "));
    let long = arg.get_long().unwrap_or_default();
    let values = arg.get_value_names().unwrap_or_default();
    let takes_value = arg.get_action().takes_values();
    match values.first().filter(|_| takes_value) {
        Some(value) => format!("{short}--{long} {value}"),
        None => format!("{short}--{long}"),
    }
}

fn page() -> String {
    let (rows, commands) = options();
    let mut page = "# Options\n\nThis table lists every option, and the commands that have it. An option has one \
        meaning in all commands; the values of `--only`, `--base-element` and some others depend on the command.\n\n"
        .to_owned();
    writeln!(page, "| option | {} |", commands.join(" | ")).unwrap();
    writeln!(page, "|---|{}", ":-:|".repeat(commands.len())).unwrap();
    for row in rows.values() {
        let marks =
            commands.iter().map(|command| if row.commands.contains(command) { "•" } else { "" });
        let marks = marks.collect::<Vec<_>>().join(" | ");
        writeln!(page, "| `{}` | {marks} |", row.names).unwrap();
    }
    page
}

#[test]
fn the_page_of_the_options_is_what_the_parser_takes() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/reference/options.md");
    let page = page();
    if std::env::var_os("INSTA_UPDATE").is_some_and(|value| value == "always") {
        fs::write(&path, &page).unwrap();
    }
    let written = fs::read_to_string(&path).unwrap_or_default();
    assert!(written == page, "INSTA_UPDATE=always writes {}", path.display());
}

#[test]
fn no_option_has_two_meanings() {
    let (rows, _) = options();
    let differing = rows.iter().filter(|(_, row)| row.helps.len() > 1);
    let differing: Vec<&str> = differing.map(|(name, _)| name.as_str()).collect();
    let known: Vec<&str> = SAME_MEANING.iter().map(|(name, _)| *name).collect();
    assert_eq!(differing, known);
}

#[test]
fn what_commands_share_they_share_whole() {
    let (rows, commands) = options();
    let of = |name: &str| &rows[name].commands;
    // The console is everywhere; what finds files by URLs is wherever a site is read.
    for name in ["quiet", "verbose", "color", "no-progress", "help"] {
        assert_eq!(of(name), &commands, "--{name}");
    }
    let sites = ["audit", "move", "absolute", "relative", "compare", "verify", "links"];
    for name in [
        "also", "try", "multiviews", "redirects", "index-files", "strict-slashes", "jobs",
        "include", "exclude", "html", "gitignore", "compressed", "allow-empty",
    ] {
        assert_eq!(of(name), &sites, "--{name}");
    }
    let rewriters = ["audit", "move", "absolute", "relative"];
    for name in ["out", "in-place", "force", "dry-run", "diff", "check", "allow-dirty"] {
        assert_eq!(of(name), &rewriters, "--{name}");
    }
    let read = [
        "audit", "move", "absolute", "relative", "compare", "verify", "links", "base", "resolve",
        "explain", "config",
    ];
    assert_eq!(of("format"), &read);
}
