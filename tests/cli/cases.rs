//! The case files of `tests/cases`: a tree, commands of `rehref` on it, and what they print and write.
//!
//! A file holds one case or several, each in a directory of its own; the steps above the first title belong to all.
//!
//! - `==== TITLE` begins a case; the lines below it, up to the first step, describe it. Windows skips a case whose title
//!   ends with ` [unix]`: it has no such file names or links.
//! - `-- PATH --` writes a file: the rest of the line, or the lines below. `-- PATH/ --` makes a directory, and
//!   `-- PATH -- -> TARGET` a symbolic link.
//! - `$ COMMAND` runs `rehref`, `cp FROM TO` or `rm PATH`; `\` goes on in the next line, `cd DIRECTORY &&` runs it there, and
//!   `| findings` and `| json KEY…` print JSON in short. Below it stand, in this order, stdin (`<`), stdout (`>`), stderr
//!   (`!`), what is nowhere in stderr (`!!`), and the status unless it is 0 (`?`). All of stdout is shown, and all of stderr
//!   or nothing; a line `...` stands for any lines. Another stdin runs the command again, and `#` begins a comment.
//! - `== PATH ==` shows a file or link as it must be now, `== PATH/ ==` says that there is a directory, and `!= PATH` that
//!   there is nothing. `== OUT/ == SITE/`: the two trees differ in nothing that the case does not name in these ways.
//!
//! A text ends with one line end, unless `\ no line end` stands below it; with ` (crlf)` behind the path, its lines end so.
//! `[DIR]` and `[URL]` stand for the directory of the case, and all durations are the same.
//!
//! `INSTA_UPDATE=always cargo test --test cli cases::` writes what commands print and write now; `REHREF_CASES=TEXT` runs
//! the files whose path contains TEXT.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
#[cfg(unix)]
use std::os::unix::fs::symlink;
#[cfg(windows)]
use std::os::windows::fs::symlink_file as symlink;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use crate::audit::in_short;
use crate::support::shown::{is_shown, timeless};
use crate::support::{TestDir, copy_tree, directory_url, root, tree, updates};

const NO_LINE_END: &str = "\\ no line end";

/// A line that begins with a marker (`--`, `==`, `!=`, `$`), and the lines up to the next.
struct Step<'a> {
    marker: &'a str,
    head: &'a [&'a str],
    body: &'a [&'a str],
}

/// The description above the first step, and the steps.
fn steps<'a>(lines: &'a [&'a str]) -> (&'a [&'a str], Vec<Step<'a>>) {
    let begins = |line: &&str| match line.split_once(' ') {
        Some((marker @ ("--" | "=="), rest)) => rest.contains(&format!(" {marker}")),
        Some(("$", rest)) => ["rehref ", "cp ", "rm ", "cd "].iter().any(|it| rest.starts_with(it)),
        marker => matches!(marker, Some(("!=", _))),
    };
    let next = |lines: &[&str]| lines.iter().position(begins).unwrap_or(lines.len());
    let (description, mut lines) = lines.split_at(next(lines));
    let mut steps = Vec::new();
    while let Some(first) = lines.first() {
        let head = 1 + lines
            .iter()
            .take_while(|line| first.starts_with('$') && line.ends_with('\\'))
            .count();
        let end = head + next(&lines[head..]);
        let marker = first.split(' ').next().unwrap();
        steps.push(Step { marker, head: &lines[..head], body: &lines[head..end] });
        lines = &lines[end..];
    }
    (description, steps)
}

impl<'a> Step<'a> {
    /// The path without the mark of its line ends, whether it has that, and the text in the same line.
    fn path(&self) -> (&'a str, bool, &'a str) {
        let rest = &self.head[0][3..];
        let (path, text) = rest.split_once(&format!(" {}", self.marker)).unwrap_or((rest, ""));
        let crlf = path.strip_suffix(" (crlf)");
        (crlf.unwrap_or(path), crlf.is_some(), text.trim_start())
    }

    /// The lines of the text.
    fn text(&self) -> Vec<&'a str> {
        let (_, _, inline) = self.path();
        if inline.is_empty() { without_blank_end(self.body).to_vec() } else { vec![inline] }
    }
}

fn owned(lines: &[&str]) -> Vec<String> {
    lines.iter().map(|line| (*line).to_owned()).collect()
}

fn without_blank_end<'a, 'b>(lines: &'a [&'b str]) -> &'a [&'b str] {
    let end = lines.iter().rposition(|line| !line.is_empty()).map_or(0, |last| last + 1);
    &lines[..end]
}

/// The lines that show a text. At the end of a file, blank lines are layout.
fn shown(text: &str, is_file: bool) -> Vec<String> {
    let mut lines: Vec<&str> = text.split('\n').collect();
    let has_blank_end = is_file && matches!(lines[..], [.., "", ""]);
    if lines.last() == Some(&"") && !has_blank_end {
        lines.pop();
    } else {
        lines.push(NO_LINE_END);
    }
    lines.into_iter().map(str::to_owned).collect()
}

/// The words of a command, with the quotes of a shell.
pub fn words(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    let (mut word, mut quote) = (None::<String>, None);
    for character in command.chars() {
        match (quote, character) {
            (None, ' ') => words.extend(word.take()),
            (None, '\'' | '"') => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            (Some(open), _) if open == character => quote = None,
            _ => word.get_or_insert_default().push(character),
        }
    }
    words.extend(word);
    words
}

/// A case that runs: its lines as they would have to be, and what is not so.
struct Case<'a> {
    dir: TestDir,
    /// The paths that are shown, or said to be missing.
    named: BTreeSet<&'a str>,
    lines: Vec<String>,
    mistakes: Vec<String>,
}

impl Case<'_> {
    fn step(&mut self, step: &Step) {
        let (path, crlf, inline) = step.path();
        self.lines.extend(owned(step.head));
        match step.marker {
            "--" => {
                self.lines.extend(owned(step.body));
                self.write(path, crlf, &step.text());
            }
            "$" => self.command(step),
            "!=" if self.dir.path(path).symlink_metadata().is_ok() => {
                self.mistakes.push(format!("{path} exists"));
            }
            "==" if path.ends_with('/') && !inline.is_empty() => self.compare_trees(path, inline),
            "==" if path.ends_with('/') => {
                let is_directory = self.dir.path(path).is_dir();
                let mistake = (!is_directory).then(|| format!("{path} is not a directory"));
                self.mistakes.extend(mistake);
            }
            "==" => {
                let found = self.found(path, crlf);
                let expected = step.text();
                let lines = self.compared(&expected, &found, false);
                self.lines.pop();
                self.show(step.head[0].strip_suffix(inline).unwrap(), lines, inline.is_empty());
            }
            _ => {}
        }
        if step.marker != "--" {
            let blank = &step.body[without_blank_end(step.body).len()..];
            self.lines.extend(owned(blank));
        }
    }

    fn write(&self, path: &str, crlf: bool, text: &[&str]) {
        let full = self.dir.path(path);
        if let [line] = text
            && let Some(target) = line.strip_prefix("-> ")
        {
            fs::create_dir_all(full.parent().unwrap()).unwrap();
            symlink(target, &full).unwrap_or_else(|error| panic!("{}: {error}", full.display()));
        } else if path.ends_with('/') {
            fs::create_dir_all(full).unwrap();
        } else {
            let text: String = text.iter().flat_map(|line| [line, "\n"]).collect();
            let end = format!("\n{NO_LINE_END}\n");
            let text = self.replaced(text.strip_suffix(&end).unwrap_or(&text));
            let text = if crlf { text.replace('\n', "\r\n") } else { text };
            self.dir.write(path, text.as_bytes());
        }
    }

    /// The lines of a file, or of a symbolic link.
    fn found(&self, path: &str, crlf: bool) -> Vec<String> {
        let full = self.dir.path(path);
        if let Ok(target) = fs::read_link(&full) {
            return vec![format!("-> {}", target.display())];
        }
        let Ok(bytes) = fs::read(&full) else { return vec!["\\ does not exist".to_owned()] };
        let text = String::from_utf8_lossy(&bytes);
        let text =
            if crlf { text.replace('\n', "\\n").replace("\r\\n", "\n") } else { text.into() };
        shown(&self.placeholders(&text), true)
    }

    fn show(&mut self, head: &str, lines: Vec<String>, is_block: bool) {
        match &lines[..] {
            [line] if !is_block => self.lines.push(format!("{} {line}", head.trim_end())),
            _ => {
                self.lines.push(head.trim_end().to_owned());
                self.lines.extend(lines);
            }
        }
    }

    fn compare_trees(&mut self, left: &str, right: &str) {
        let read = |root: &str| -> BTreeMap<String, Vec<u8>> {
            let files = tree(&self.dir.path(root)).into_iter();
            files.map(|(path, bytes)| (path.to_string_lossy().into_owned(), bytes)).collect()
        };
        let (is, was) = (read(left), read(right));
        for path in is.keys().chain(was.keys()).collect::<BTreeSet<_>>() {
            let full = format!("{left}{path}");
            if is.get(path) == was.get(path) || self.named.contains(&*full) {
                continue;
            }
            self.mistakes.push(format!("{full} is not as in {right}"));
            if is.contains_key(path) {
                let lines = self.found(&full, false);
                let is_block = lines.len() != 1 || lines[0].len() + full.len() > 110;
                self.show(&format!("== {full} =="), lines, is_block);
            } else {
                self.lines.push(format!("!= {full}"));
            }
        }
    }

    fn placeholders(&self, text: &str) -> String {
        let path = self.dir.path("");
        let text = text.replace(&directory_url(&path), "[URL]");
        let text =
            text.replace(&*path.canonicalize().unwrap().join("").to_string_lossy(), "[DIR]/");
        text.replace(&*path.to_string_lossy(), "[DIR]/")
    }

    fn replaced(&self, text: &str) -> String {
        let path = self.dir.path("");
        text.replace("[URL]", &directory_url(&path)).replace("[DIR]/", &path.to_string_lossy())
    }

    /// The lines to show for what is `found`. A mistake, if they are not the `expected` ones.
    fn compared(&mut self, expected: &[&str], found: &[String], is_printed: bool) -> Vec<String> {
        // The separator of the names of a path depends on the system.
        let slashed = |text: String| if cfg!(windows) { text.replace('\\', "/") } else { text };
        let shows = |lines: &[String]| {
            let lines = slashed(lines.join("\n"));
            is_shown(&lines.split('\n').collect::<Vec<_>>(), &slashed(found.join("\n")))
        };
        let (is_elided, expected) = (expected.contains(&"..."), owned(expected));
        if found == expected || (is_elided || is_printed) && shows(&expected) {
            return expected;
        }
        let common =
            |a: &str, b: &str| a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
        let nearest = |line: &String| match line.as_str() {
            "..." => Some(line.clone()),
            line => found.iter().max_by_key(|found| common(found, line)).cloned(),
        };
        let nearest: Vec<String> = expected.iter().filter_map(nearest).collect();
        let lines = if is_elided && shows(&nearest) { nearest } else { found.to_vec() };
        let head = self.lines.last().map_or("", String::as_str);
        self.mistakes.push(format!("{head}\n{}", difference(&expected, &lines)));
        lines
    }

    /// Runs the command for each stdin below it, or once without one.
    fn command<'a>(&mut self, step: &Step<'a>) {
        let head: Vec<&str> = step.head.iter().map(|line| line.trim_end_matches('\\')).collect();
        let command = self.replaced(&head.concat()[2..]);
        let mut rest = without_blank_end(step.body);
        loop {
            let between = |line: &str| line.is_empty() || line.starts_with('#');
            let (layout, others) =
                rest.split_at(rest.iter().take_while(|line| between(line)).count());
            self.lines.extend(owned(layout));
            rest = others;
            let mut section = |marker: &str| {
                let has_marker = |line: &&&str| line.split(' ').next() == Some(marker);
                let (lines, others) = rest.split_at(rest.iter().take_while(has_marker).count());
                rest = others;
                let text = |line: &&'a str| line.get(marker.len() + 1..).unwrap_or_default();
                lines.iter().map(text).collect::<Vec<&str>>()
            };
            let [stdin, stdout, stderr, absent, status] =
                ["<", ">", "!", "!!", "?"].map(&mut section);
            let (found_status, found_stdout, found_stderr) = self.run(&command, &stdin);
            let mut sections = vec![("<", owned(&stdin))];
            sections.push((">", self.compared(&stdout, &found_stdout, true)));
            if !stderr.is_empty() || found_status > 1 {
                sections.push(("!", self.compared(&stderr, &found_stderr, true)));
            }
            let is_found = |text: &&&str| found_stderr.iter().any(|line| line.contains(**text));
            if let Some(text) = absent.iter().find(is_found) {
                self.mistakes.push(format!("{command}\nstderr has {text}"));
            }
            sections.push(("!!", owned(&absent)));
            let found_status = Some(found_status.to_string()).filter(|status| status != "0");
            let found_status: Vec<String> = found_status.into_iter().collect();
            sections.push(("?", self.compared(&status, &found_status, false)));
            for (marker, lines) in sections {
                let lines =
                    lines.iter().map(|line| format!("{marker} {line}").trim_end().to_owned());
                self.lines.extend(lines);
            }
            if rest.first().is_none_or(|line| !between(line) && !line.starts_with('<')) {
                break;
            }
        }
        if let Some(line) = rest.first() {
            self.mistakes.push(format!("{command}\n`{line}` is neither an output nor a step"));
        }
    }

    /// The status, stdout and stderr of a command.
    fn run(&self, command: &str, stdin: &[&str]) -> (i32, Vec<String>, Vec<String>) {
        let (command, filter) = command.split_once(" | ").unwrap_or((command, ""));
        let words = words(command);
        let mut words: Vec<&str> = words.iter().map(String::as_str).collect();
        let mut folder = "";
        if let ["cd", directory, "&&", rest @ ..] = &words[..] {
            (folder, words) = (directory, rest.to_vec());
        }
        let run = match words[..] {
            ["rehref", ref arguments @ ..] if stdin.is_empty() => {
                self.dir.rehref_in(folder, arguments)
            }
            ["rehref", ref arguments @ ..] => {
                assert!(folder.is_empty(), "{command}: stdin is for the directory of the case");
                let stdin: String = stdin.iter().flat_map(|line| [line, "\n"]).collect();
                self.dir.rehref_with_stdin(arguments, self.replaced(&stdin).as_bytes())
            }
            ["cp", from, to] => {
                copy_tree(&self.dir.path(from), &self.dir.path(to));
                return (0, Vec::new(), Vec::new());
            }
            ["rm", path] => {
                let path = self.dir.path(path);
                let is_removed = if path.is_dir() && !path.is_symlink() {
                    fs::remove_dir_all(path).is_ok()
                } else {
                    fs::remove_file(path).is_ok()
                };
                return (i32::from(!is_removed), Vec::new(), Vec::new());
            }
            _ => panic!("{command}: not a command of a case"),
        };
        let stdout = match filter.split_once(' ') {
            Some(("json", keys)) => values(&run.stdout(), keys),
            _ if filter == "findings" => {
                run.stdout().lines().map(|line| in_short(line) + "\n").collect()
            }
            _ => run.stdout(),
        };
        let shown = |text: &str| shown(&timeless(&self.placeholders(text)), false);
        (run.code().unwrap_or(-1), shown(&stdout), shown(&run.stderr()))
    }
}

/// The values of these keys in JSON, a line for each document.
pub(crate) fn values(json: &str, keys: &str) -> String {
    let documents = serde_json::Deserializer::from_str(json).into_iter();
    let line = |document: serde_json::Result<serde_json::Value>| {
        let document = document.unwrap();
        let values =
            keys.split_whitespace().map(|key| match document.pointer(&format!("/{key}")) {
                Some(serde_json::Value::String(text)) => text.clone(),
                Some(value) => value.to_string(),
                None => "-".to_owned(),
            });
        values.collect::<Vec<_>>().join(" ") + "\n"
    };
    documents.map(line).collect()
}

/// The lines between those that both have at the start and at the end.
fn difference(expected: &[String], found: &[String]) -> String {
    let start = expected.iter().zip(found).take_while(|(a, b)| a == b).count();
    let (expected, found) = (&expected[start..], &found[start..]);
    let end = expected.iter().rev().zip(found.iter().rev()).take_while(|(a, b)| a == b).count();
    let minus = expected[..expected.len() - end].iter().map(|line| format!("- {line}\n"));
    let plus = found[..found.len() - end].iter().map(|line| format!("+ {line}\n"));
    minus.chain(plus).collect()
}

/// The text of a case file as it would have to be, and what is not so.
fn check(path: &Path) -> (String, Vec<String>) {
    let text = fs::read_to_string(path).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let is_title = |line: &&str| line.starts_with("==== ");
    let first = lines.iter().position(is_title).unwrap_or(0);
    let (common, mut rest) = lines.split_at(first);
    let mut now = owned(common);
    let mut mistakes = Vec::new();
    while let Some((title, after)) = rest.split_first() {
        let end = after.iter().position(is_title).unwrap_or(after.len());
        let (lines, others) = after.split_at(end);
        rest = others;
        let (description, own) = steps(lines);
        now.push((*title).to_owned());
        now.extend(owned(description));
        let named = own.iter().filter(|step| matches!(step.marker, "==" | "!="));
        let named = named.map(|step| step.path().0).collect();
        let mut case = Case { dir: TestDir::new(), named, lines: Vec::new(), mistakes: Vec::new() };
        if cfg!(not(unix)) && title.ends_with(" [unix]") {
            now.extend(owned(&lines[description.len()..]));
            continue;
        }
        if !own.iter().any(|step| step.marker == "$") {
            case.mistakes.push("runs nothing".to_owned());
        }
        for step in steps(common).1 {
            case.step(&step);
        }
        case.lines.clear();
        for step in &own {
            case.step(step);
        }
        now.append(&mut case.lines);
        let place = format!("{}: {title}", path.display());
        mistakes.extend(case.mistakes.iter().map(|mistake| format!("{place}\n{mistake}")));
    }
    (now.join("\n") + "\n", mistakes)
}

#[test]
fn commands_print_and_write_what_the_case_files_show() {
    let files = walkdir::WalkDir::new(root().join("tests/cases")).sort_by_file_name();
    let files = files.into_iter().map(|entry| entry.unwrap().into_path());
    let wanted = std::env::var("REHREF_CASES").unwrap_or_default();
    let files: Vec<PathBuf> =
        files.filter(|path| path.is_file() && path.to_string_lossy().contains(&wanted)).collect();
    let mistakes = files.par_iter().flat_map_iter(|path| {
        let (text, mistakes) = check(path);
        if updates() && !mistakes.is_empty() {
            fs::write(path, text).unwrap();
        }
        mistakes
    });
    let mistakes: Vec<String> = mistakes.collect();
    assert!(updates() || mistakes.is_empty(), "{}", mistakes.join("\n"));
    assert!(!files.is_empty());
}

#[test]
fn what_is_not_as_shown_is_a_mistake_and_can_be_written() {
    let dir = TestDir::new();
    let begin = "==== T\n-- site/a.html -- <a href=b>\n-- site/c --\n-- other/ --\n\n$ rehref absolute site -o out -q";
    let wrong = "> x\n? 1\n== out/a.html == <a href=x>\n\n!= site\n!= none\n== out/ == other/\n";
    dir.write("case", format!("{begin} --url https://e.org/\n{wrong}").as_bytes());
    let (text, mistakes) = check(&dir.path("case"));
    assert_eq!(mistakes.len(), 5, "{mistakes:?}");
    let right = "== out/a.html == <a href=https://e.org/b>\n\n!= site\n!= none\n== out/ == other/\n== out/c ==\n";
    assert_eq!(text, format!("{begin} --url https://e.org/\n{right}"));
}
