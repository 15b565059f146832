//! Every `console` block of the documents is run, and has to print what it shows.
//!
//! Each document has a directory of its own, with two copies of `sample-site` (one named `public`), in
//! which its blocks run one after the other. In a block:
//!
//! - `$ ` begins a command, which goes on in the next line after a backslash; the lines up to the next
//!   command are its output, stdout and stderr together.
//! - Nothing shown means that the output is not compared; a line `...` stands for any lines.
//! - A command that ends with status 2 must show an error. An update does not write that by itself: the
//!   command may have lost an option.
//!
//! Commands of `duckdb`, and those that write Parquet, are skipped with a printed line where there is none.
//!
//! A block of any language with `file=NAME` behind it is the content of that file from there on.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use rayon::prelude::*;

use super::{documents, read, root, updates, write};
use crate::support::shown::{is_shown, timeless};
use crate::support::{TestDir, copy_tree};

/// Commands that take the toolchain or real trees, and are not run.
const NOT_RUN: &[&str] = &["cargo ", "benches/", ".ci/"];

/// The program that a command needs and this machine lacks; `None` if it can run.
fn missing(command: &str, path: &std::ffi::OsStr) -> Option<&'static str> {
    let is_query = command.starts_with("duckdb ");
    if !cfg!(feature = "parquet") && (is_query || command.contains("--format parquet")) {
        return Some("no Parquet in this build");
    }
    let is_installed = || std::env::split_paths(path).any(|it| it.join("duckdb").is_file());
    (is_query && !is_installed()).then_some("no duckdb")
}

/// A directory in which commands run as a reader would run them.
struct Shell {
    dir: TestDir,
    path: std::ffi::OsString,
}

impl Shell {
    fn new() -> Shell {
        let dir = TestDir::new();
        for site in ["sample-site", "public"] {
            copy_tree(&root().join("sample-site"), &dir.path(site));
        }
        std::fs::create_dir(dir.path("target")).unwrap();
        let binary = Path::new(env!("CARGO_BIN_EXE_rehref"));
        let others = std::env::var_os("PATH").unwrap();
        let folders = std::iter::once(binary.parent().unwrap().to_owned())
            .chain(std::env::split_paths(&others));
        let path = std::env::join_paths(folders).unwrap();
        Shell { dir, path }
    }

    /// The output of the command, and its status.
    fn run(&self, command: &str) -> (String, Option<i32>) {
        let output = Command::new("sh")
            .args(["-c", &format!("exec 2>&1\n{command}")])
            .current_dir(self.dir.path(""))
            .env("PATH", &self.path)
            .env("HOME", self.dir.path(""))
            .output()
            .unwrap();
        let printed = String::from_utf8_lossy(&output.stdout).into_owned();
        (printed, output.status.code())
    }
}

/// A document with the outputs that its commands really have, and how those differ from the shown ones.
struct Checked {
    text: String,
    commands: usize,
    mistakes: Vec<String>,
    /// Why commands were skipped.
    skipped: BTreeSet<&'static str>,
}

fn check(document: &Path) -> Checked {
    let shell = Shell::new();
    let mut checked = Checked {
        text: String::new(),
        commands: 0,
        mistakes: Vec::new(),
        skipped: BTreeSet::new(),
    };
    let text = read(document);
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        checked.text += line;
        checked.text.push('\n');
        let indent = &line[..line.len() - line.trim_start().len()];
        let Some(info) = line.trim_start().strip_prefix("```") else { continue };
        let end = format!("{indent}```");
        let inside = |line: &&str| *line != end;
        let block: Vec<&str> = lines.by_ref().take_while(inside).collect();
        let unindented = |line: &&str| line.strip_prefix(indent).unwrap_or(line).to_owned();
        let mut block: Vec<String> = block.iter().map(unindented).collect();
        if let Some((_, name)) = info.split_once("file=") {
            let contents = block.join("\n") + "\n";
            shell.dir.write(name, contents.as_bytes());
        } else if info == "console" {
            let steps = steps(&block);
            block.clear();
            for step in steps {
                let shown = checked.run(document, &shell, &step);
                block.extend(format!("$ {}", step.command).lines().map(str::to_owned));
                block.extend(shown);
            }
        }
        for line in block {
            let indent = if line.is_empty() { "" } else { indent };
            checked.text += &format!("{indent}{line}\n");
        }
        checked.text += &format!("{end}\n");
    }
    checked
}

/// A command of a block, with the output shown for it.
struct Step {
    command: String,
    shown: Vec<String>,
}

fn steps(block: &[String]) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut lines = block.iter().peekable();
    while let Some(line) = lines.next() {
        let command = line.strip_prefix("$ ");
        let mut command = command.expect("a block begins with a command").to_owned();
        while command.ends_with('\\') {
            command = command + "\n" + lines.next().expect("a line goes on");
        }
        let shown = std::iter::from_fn(|| lines.next_if(|line| !line.starts_with("$ ")));
        let shown = shown.cloned().collect();
        steps.push(Step { command, shown });
    }
    steps
}

impl Checked {
    /// Runs a command; returns the output to be shown.
    fn run(&mut self, document: &Path, shell: &Shell, step: &Step) -> Vec<String> {
        let Step { command, shown } = step;
        let command = command.replace("cargo run -- ", "rehref ");
        if NOT_RUN.iter().any(|begin| command.starts_with(begin)) {
            return shown.clone();
        }
        if let Some(missing) = missing(&command, &shell.path) {
            self.skipped.insert(missing);
            return shown.clone();
        }
        let (printed, status) = shell.run(&command);
        let printed = printed.trim_end();
        self.commands += 1;
        let mut mistake = |what: &str| {
            let (name, shown) = (document.display(), shown.join("\n"));
            self.mistakes
                .push(format!("{name}: {what}\n$ {command}\n{printed}\n--- shown:\n{shown}"));
        };
        let shows_error = shown.iter().any(|line| line.starts_with("error: "));
        let expected: &[i32] = if shows_error { &[2] } else { &[0, 1] };
        if !status.is_some_and(|status| expected.contains(&status)) {
            mistake(&format!("the status is {status:?}"));
            return shown.clone();
        }
        if shown.is_empty() || is_shown(shown, printed) {
            return shown.clone();
        }
        if !updates() {
            mistake("another output");
        }
        timeless(printed).lines().map(str::to_owned).collect()
    }
}

#[test]
fn commands_of_the_readme_and_the_book_print_what_is_shown() {
    let documents = documents();
    let checked: Vec<Checked> = documents.par_iter().map(|path| check(path)).collect();
    let commands: usize = checked.iter().map(|checked| checked.commands).sum();
    assert!(commands > 10, "{commands} commands");
    let mut mistakes = Vec::new();
    for (path, checked) in documents.iter().zip(&checked) {
        // A document without commands may be a page that another test is writing.
        if updates() && checked.commands > 0 && checked.text != read(path) {
            write(path, &checked.text);
            println!("updated: {}", path.display());
        }
        for reason in &checked.skipped {
            println!("skipped: {reason}: commands of {}", path.display());
        }
        mistakes.extend(checked.mistakes.iter().map(String::as_str));
    }
    let count = mistakes.len();
    assert!(
        mistakes.is_empty(),
        "{}\n\nnot as shown: {count}; INSTA_UPDATE=always writes the outputs of commands that run",
        mistakes.join("\n\n")
    );
}

#[test]
fn an_ellipsis_stands_for_any_lines() {
    let printed = "a\nb\nc in 0.12 s\nd";
    assert!(is_shown(&["a", "b", "c in 0.00 s", "d"], printed));
    assert!(is_shown(&["a", "...", "d"], printed));
    assert!(is_shown(&["...", "b", "..."], printed));
    assert!(!is_shown(&["a", "...", "c in 0.00 s"], printed));
    assert!(!is_shown(&["...", "c in 0.00 s", "...", "b", "..."], printed));
    assert!(!is_shown(&["a", "b"], printed));
}
