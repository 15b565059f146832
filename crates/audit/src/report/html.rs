//! The report as one HTML page, which loads nothing.

mod causes;
mod charts;
mod data;
mod folders;
mod source_url;

use std::collections::{HashMap, HashSet};
use std::fmt::Write;

use super::super::checks::Check;
use super::super::finding::{Finding, ReportedFile};
use super::escape::{cut, markup};
use super::group::target;
use super::summary::{SeverityCounts, Summary, by_check};
use causes::Causes;
use folders::{Folder, Folders};
use rehref_site::Severity;
use rehref_site::plural::{counted, number, plural};
pub use source_url::SourceUrl;

const STYLE: &str = include_str!("html/page.css");
const SCRIPT: &str = include_str!("html/page.js");
/// The most folders that are listed; the script can filter by all.
const FOLDERS: usize = 200;
/// The number of folders above the fold; a click shows the others.
const FOLDERS_SHOWN: usize = 12;
/// Forbids the page to load anything, whatever the text of a document contains.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; \
                      base-uri 'none'; form-action 'none'";

/// The data that the HTML page shows in addition to the findings.
pub struct HtmlOptions<'a> {
    /// A function that returns the decoded text of a file; `None` if the file cannot be read.
    pub source: &'a dyn Fn(ReportedFile<'_>) -> Option<String>,
    /// The URL pattern of the sources to which the report links each place (`--source-url`).
    pub source_url: Option<&'a SourceUrl>,
    /// The date of the audit as the page shows it.
    pub date: Option<&'a str>,
    /// The command line of the audit, as the page shows it.
    pub command: Option<&'a str>,
}

/// Returns a page with totals, bar charts of the worst folders and of the most-wanted missing targets, the findings by
/// check, by folder and by cause, and a table of all findings that a script sorts and filters. Everything but that
/// table works without scripts.
pub fn html(summary: &Summary, findings: &[Finding], options: &HtmlOptions<'_>) -> Vec<u8> {
    let folders = Folders::new(findings);
    let causes = Causes::new(findings);
    let mut page = String::with_capacity(64 * 1024 + findings.len() * 64);
    head(&mut page, summary);
    header(&mut page, summary, findings);
    if findings.is_empty() && !summary.unread.is_empty() {
        // The header says what may be missing.
    } else if findings.is_empty() {
        page.push_str("<p class=\"none\">No findings.</p>\n");
    } else {
        page.push_str("<div class=\"pair\">\n");
        page.push_str(&charts::worst_folders(&folders));
        page.push_str(&charts::wanted(&wanted(findings)));
        page.push_str("</div>\n<div class=\"pair\">\n");
        checks_table(&mut page, findings);
        folders_table(&mut page, &folders);
        page.push_str("</div>\n");
        causes.list(&mut page, folders.common, options.source, options.source_url);
        table(&mut page, findings.len());
    }
    footer(&mut page, summary, options);
    if !findings.is_empty() {
        let data = data::data(findings, &folders, &causes, options.source_url);
        let _ = write!(
            page,
            "<script type=\"application/json\" id=\"data\">{data}</script>\n<script>\n{SCRIPT}</script>\n"
        );
    }
    page.push_str("</body>\n</html>\n");
    page.into_bytes()
}

fn head(page: &mut String, summary: &Summary) {
    let _ = write!(
        page,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>Audit of {}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n",
        markup(&summary.site)
    );
}

fn header(page: &mut String, summary: &Summary, findings: &[Finding]) {
    let _ = write!(page, "<header>\n<h1>Audit of <code>{}</code></h1>\n<p>", markup(&summary.site));
    if let Some(url) = &summary.url {
        let _ = write!(page, "Published at <code>{}</code>. ", markup(url));
    }
    let _ = write!(
        page,
        "{} with {}, {} of them external{}.",
        counted(summary.documents, "document"),
        counted(summary.references, "link"),
        number(summary.external),
        match summary.seconds {
            Some(seconds) => format!("; {seconds:.2} seconds"),
            None => String::new(),
        }
    );
    for (count, why) in summary.hidden() {
        let is = if count == 1 { "is" } else { "are" };
        let _ = write!(page, " {} {is} {why} and not shown.", counted(count, "finding"));
    }
    page.push_str("</p>\n");
    for problem in summary.problems() {
        let _ = write!(page, "<p class=\"problem\">{}", markup(&problem.message));
        if !problem.details.is_empty() {
            page.push_str("</p>\n<ul>");
            for detail in &problem.details {
                let _ = write!(page, "\n<li>{}", markup(detail));
            }
            page.push_str("\n</ul>\n");
        }
    }
    page.push_str("</header>\n<ul class=\"tiles\">\n");
    let documents = findings.chunk_by(|a, b| a.location.path == b.location.path).count();
    for (severity, count) in SeverityCounts::of(findings).worst_first() {
        tile(page, severity.name(), count, severity.name(), "");
    }
    tile(page, "", documents, "document", " with findings");
    page.push_str("</ul>\n");
}

fn footer(page: &mut String, summary: &Summary, options: &HtmlOptions<'_>) {
    let _ = write!(page, "<footer><p>Generated by rehref {}", markup(&summary.version));
    if let Some(date) = options.date {
        let _ = write!(page, " on <time>{}</time>", markup(date));
    }
    if let Some(command) = options.command {
        let _ = write!(page, " with <code>{}</code>", cut(command));
    }
    page.push_str(
        ". rehref fetched nothing: it only counted external links.</p></footer>\n</main>\n",
    );
}

/// A tile with a number and its noun.
fn tile(page: &mut String, class: &str, count: usize, noun: &str, more: &str) {
    let _ = writeln!(
        page,
        "<li class=\"tile {class}\"><b>{}</b> {noun}{}{more}</li>",
        number(count),
        plural(count)
    );
}

fn checks_table(page: &mut String, findings: &[Finding]) {
    page.push_str(
        "<section>\n<h2>By check</h2>\n<table class=\"counts\">\n<thead><tr><th>Check</th>\
         <th class=\"n\">Findings</th></tr></thead>\n<tbody>\n",
    );
    let mut explained = HashSet::new();
    for (check, level, count) in by_check(findings) {
        let (id, level) = (check.id(), level.name());
        let _ = writeln!(
            page,
            "<tr><td><i class=\"dot {level}\" title=\"{level}\"></i>\
             <a data-check=\"{id}\" data-level=\"{level}\">{id}</a>\
             <details{}><summary>{}</summary><pre>{}</pre></details></td>\
             <td class=\"n\">{}</td></tr>",
            // A check may have findings of several levels.
            if explained.insert(id) { format!(" id=\"check-{id}\"") } else { String::new() },
            markup(check.row().summary),
            page_of(check),
            number(count)
        );
    }
    page.push_str("</tbody>\n</table>\n</section>\n");
}

/// The explanation of a check, without its title.
fn page_of(check: Check) -> String {
    check.row().page.lines().skip(2).map(|line| markup(line) + "\n").collect()
}

fn folders_table(page: &mut String, folders: &Folders<'_>) {
    const HEAD: &str = "<table class=\"counts\">\n<thead><tr><th>Directory</th><th class=\"n\">Errors</th><th \
                        class=\"n\">Warnings</th><th class=\"n\">Notes</th></tr></thead>\n<tbody>\n";
    let rows: Vec<String> =
        folders.worst.iter().take(FOLDERS).map(|folder| folder_row(folder)).collect();
    let (shown, rest) = rows.split_at_checked(FOLDERS_SHOWN).unwrap_or((&rows, &[]));
    let _ = write!(
        page,
        "<section>\n<h2>By directory</h2>\n{}{HEAD}{}</tbody>\n</table>\n",
        charts::below(folders.common),
        shown.concat()
    );
    if !rest.is_empty() {
        let all = folders.worst.len();
        let title = match all.checked_sub(FOLDERS).filter(|&n| n > 0) {
            None => counted(rest.len(), "more directory"),
            Some(_) => format!("the next {} of {} directories", rest.len(), number(all)),
        };
        let _ = write!(
            page,
            "<details>\n<summary>{title}</summary>\n{HEAD}{}</tbody>\n</table>\n</details>\n",
            rest.concat()
        );
    }
    page.push_str("</section>\n");
}

fn folder_row(folder: &Folder<'_>) -> String {
    let name = markup(folder.label);
    let counts = folder.counts.worst_first().map(|(_, count)| match count {
        0 => "<td class=\"n zero\">0</td>".to_owned(),
        n => format!("<td class=\"n\">{}</td>", number(n)),
    });
    let counts = counts.concat();
    format!("<tr><td><a data-folder=\"{name}\">{name}</a></td>{counts}</tr>\n")
}

/// The element to which the script adds the table.
fn table(page: &mut String, findings: usize) {
    let _ = write!(
        page,
        "<section id=\"findings\">\n<h2>All findings</h2>\n<noscript><p>The table of all {} needs JavaScript; \
         <code>rehref audit --format jsonl</code> prints the same findings.</p></noscript>\n</section>\n",
        counted(findings, "finding")
    );
}

/// The missing targets, each with the number of its references, the most first.
fn wanted(findings: &[Finding]) -> Vec<(&str, usize)> {
    const MISSING: [Check; 5] = [
        Check::BrokenTarget,
        Check::EscapesRoot,
        Check::BrokenFragment,
        Check::WrongCase,
        Check::DirectoryWithoutIndex,
    ];
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for finding in findings {
        if let Some(target) = target(finding)
            && finding.severity > Severity::Note
            && MISSING.contains(&finding.check)
        {
            *counts.entry(target).or_default() += 1;
        }
    }
    let mut counts: Vec<(&str, usize)> = counts.into_iter().collect();
    counts.sort_unstable_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    counts
}
