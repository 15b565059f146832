//! The pages of the reference that are generated: they are what the program says.

use std::fmt::Write;
use std::path::Path;

use super::{commands, read, stdout, updates, write};

/// Compares a generated page with the file, or writes it.
#[track_caller]
fn assert_page(path: &str, text: &str) {
    let is_current = Path::new(super::root()).join(path).exists() && read(path) == text;
    if updates() && !is_current {
        write(Path::new(path), text);
    }
    assert!(
        is_current || updates(),
        "{path} is not what the program says; INSTA_UPDATE=always writes it"
    );
}

/// Text of the program as Markdown that shows the same characters.
fn escaped(text: &str) -> String {
    let mut result = String::new();
    let mut is_code = false;
    for c in text.chars() {
        is_code ^= c == '`';
        if !is_code && matches!(c, '<' | '*' | '_' | '[' | '\\') {
            result.push('\\');
        }
        result.push(c);
    }
    result
}

const HELP: &str = "\n  -h, --help\n          Print help (see a summary with '-h')\n";

/// The page of a command: its long help, with a heading for each group and each option.
fn command_page(name: &str, help: &str) -> String {
    let mut page = format!("# rehref {name}\n");
    // Says nothing on a page that is the long help.
    let help = help.replace(HELP, "\n");
    let mut lines = help.lines().peekable();
    let mut paragraph = String::new();
    let end = |page: &mut String, paragraph: &mut String| {
        if !paragraph.is_empty() {
            write!(page, "\n{}\n", escaped(paragraph)).unwrap();
            paragraph.clear();
        }
    };
    while let Some(line) = lines.next() {
        let text = line.trim();
        let indent = line.len() - line.trim_start().len();
        if line == "Exit status:" || line == "Examples:" {
            end(&mut page, &mut paragraph);
            let block = lines.by_ref().take_while(|line| !line.is_empty());
            let block: Vec<&str> = block.map(|line| line.strip_prefix("  ").unwrap()).collect();
            let (heading, block) = (line.trim_end_matches(':'), block.join("\n"));
            write!(page, "\n## {heading}\n\n```text\n{block}\n```\n").unwrap();
        } else if text.is_empty() {
            end(&mut page, &mut paragraph);
        } else if let Some(usage) = line.strip_prefix("Usage: ") {
            end(&mut page, &mut paragraph);
            write!(page, "\n```text\n{usage}\n```\n").unwrap();
        } else if indent == 0 && text.ends_with(':') && !text.contains(' ') {
            end(&mut page, &mut paragraph);
            write!(page, "\n## {}\n", text.trim_end_matches(':')).unwrap();
        } else if indent > 0 && indent < 8 && text.starts_with(['-', '<', '[']) {
            end(&mut page, &mut paragraph);
            // Short help has the option and its text on one line.
            let (option, about) = text.split_once("  ").unwrap_or((text, ""));
            write!(page, "\n### `{option}`\n").unwrap();
            paragraph += about.trim();
        } else if let Some(value) = text.strip_prefix("- ").filter(|_| indent >= 8) {
            if !paragraph.is_empty() {
                end(&mut page, &mut paragraph);
                page.push('\n');
            }
            let (value, about) = value.split_once(':').unwrap_or((value, ""));
            let mut about = about.trim().to_owned();
            let goes_on = |line: &&str| line.starts_with("            ") && !line.trim().is_empty();
            while let Some(more) = lines.next_if(goes_on) {
                about = about + " " + more.trim();
            }
            writeln!(page, "- `{value}`: {}", escaped(&about)).unwrap();
        } else {
            if !paragraph.is_empty() {
                paragraph.push(' ');
            }
            paragraph += text;
        }
    }
    end(&mut page, &mut paragraph);
    page.replace("\n## Options\n\n##", "\n##")
}

#[test]
fn the_pages_of_the_commands_are_their_help() {
    let commands = commands();
    assert!(commands.len() > 8, "{commands:?}");
    let mut list =
        "# Commands\n\nThese pages contain the output of `rehref COMMAND --help`; `rehref COMMAND \
                    -h` prints a summary.\n\n| command | |\n|---|---|\n"
            .to_owned();
    for (name, about) in &commands {
        writeln!(list, "| [{name}](commands/{name}.md) | {} |", escaped(about)).unwrap();
        let page = command_page(name, &stdout(&[name, "--help"]));
        assert_page(&format!("docs/reference/commands/{name}.md"), &page);
    }
    assert_page("docs/reference/commands.md", &list);
}

/// The page of a check as Markdown: examples are blocks, everything else is prose.
fn check_section(page: &str) -> String {
    let (title, body) = page.split_once('\n').unwrap();
    let (check, finds) = title.trim_start_matches("# ").split_once(": ").unwrap();
    let mut section = format!("## {check}\n\n**{}**\n", escaped(finds));
    let mut is_example = false;
    for line in body.trim_end().lines() {
        let indented = line.starts_with("  ") || is_example && line.is_empty();
        if indented != is_example {
            section += if is_example { "```\n" } else { "```text\n" };
            is_example = indented;
        }
        let shown = line.strip_prefix("  ").filter(|_| is_example);
        section += &shown.map_or_else(|| escaped(line), str::to_owned);
        section.push('\n');
    }
    section += if is_example { "```\n" } else { "" };
    section.replace("\n\n```\n", "\n```\n\n")
}

#[test]
fn the_page_of_the_checks_is_what_explain_prints() {
    let list = stdout(&["explain"]);
    let mut page =
        "# Checks\n\nThe checks of `rehref audit`; `rehref explain CHECK` prints the section on a \
                    check.\n\n| check | level | finds |\n|---|---|---|\n"
            .to_owned();
    let mut sections = String::new();
    for line in list.lines() {
        let (check, rest) = line.split_once(' ').unwrap();
        let (level, finds) = rest.trim().split_once(' ').unwrap();
        let section = check_section(&stdout(&["explain", check]));
        let finds = escaped(finds.trim());
        writeln!(page, "| [{check}](#{check}) | {level} | {finds} |").unwrap();
        write!(sections, "\n{section}").unwrap();
    }
    assert_page("docs/reference/checks.md", &(page + &sections));
}
