//! The values of OLD of `rehref compare`.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};

use encoding_rs::Encoding;
use tempfile::TempDir;

use crate::cli::command_line::{quoted, value_of};
use crate::cli::exit::{CliError, usage_error};
use crate::cli::files;
use crate::cli::git::{Git, REVISION};
use rehref_audit::published::{ListSyntax, Published};
use rehref_corpus::SitePlace;
use rehref_corpus::files::work_tree_of;
use rehref_site::canonical;

/// The published site to compare with.
pub(super) enum OldPlace {
    /// A directory or an archive.
    Site(PathBuf),
    /// The files of a revision of git, until dropped, and the directory of the site among them.
    Revision(TempDir, PathBuf),
    /// A list of URLs, and its syntax.
    List(Vec<u8>, ListSyntax),
}

impl OldPlace {
    /// Returns the kind of place that `old` is. `new`: the site to compare it with.
    pub(super) fn of(
        old: &Path,
        new: &Path,
        log: Option<ListSyntax>,
    ) -> Result<OldPlace, CliError> {
        let revision = old.to_str().and_then(|it| it.strip_prefix(REVISION));
        if let Some(revision) = revision.filter(|_| !old.exists()) {
            return of_revision(revision, new);
        }
        let is_archive = || matches!(SitePlace::of(old), Ok(SitePlace::Archive(_)));
        let is_file = fs::metadata(old).is_ok_and(|it| it.is_file());
        let is_stdin = old == Path::new("-");
        if log.is_some() || is_stdin || is_file && !is_archive() {
            let mut text = match is_stdin {
                true => files::read_or_stdin("OLD", old)?,
                false => files::read_or("OLD", old, "")?,
            };
            if let Some((encoding, _)) = Encoding::for_bom(&text) {
                text = encoding.decode(&text).0.into_owned().into_bytes();
            }
            if text.contains(&0) {
                let help = match old.extension().and_then(OsStr::to_str) {
                    Some("xlsx" | "xls" | "ods") => {
                        "save the column of the URLs as text, one URL on each line, and pass this file"
                    }
                    Some("gz" | "bz2" | "xz" | "zst") => {
                        "unpack it, and pass the list on stdin: zcat FILE.gz | rehref compare - SITE"
                    }
                    Some("inv") => {
                        "compare reads no inventory of Sphinx: pass the directory of the old site, its sitemap.xml, or a revision of the sources (git:REVISION)"
                    }
                    _ => "unpack other archives, and pass the directory",
                };
                return usage_error(format!(
                    "{} is neither a list of URLs nor a WARC or WACZ file\nhelp: {help}",
                    old.display()
                ));
            }
            if log.is_none() && is_log(&text) {
                return usage_error(format!(
                    "{}: this seems to be a log of requests\nhelp: add --from-log combined",
                    old.display()
                ));
            }
            if log.is_none() && is_index(&text) {
                return usage_error(format!(
                    "{}: this is an index of an archive (CDX), not a list of URLs\nhelp: pass the archive itself as OLD, like crawl.warc.gz",
                    old.display()
                ));
            }
            if log.is_none() && text.trim_ascii_start().starts_with(b"{") {
                return usage_error(format!(
                    "{}: this is JSON, not a list of URLs\nhelp: write one URL on each line; what an audit finds that an earlier one did not, `rehref audit SITE --baseline FILE` shows",
                    old.display()
                ));
            }
            if log.is_none() && is_listing(&text) {
                return usage_error(format!(
                    "{0}: this seems to be a listing with other columns, not a list of URLs\nhelp: write one path from the root of the host on each line: awk '{{print \"/\" $NF}}' {0} > urls.txt",
                    old.display()
                ));
            }
            if text.trim_ascii_start().starts_with(b"<")
                && text.windows(13).any(|it| it == b"<sitemapindex")
            {
                return usage_error(format!(
                    "{}: this is a list of sitemaps, and they are not read\nhelp: download the sitemaps that it names, and pass one of them as OLD, or write the URLs of all to a list: grep -oh 'https*://[^<]*' SITEMAPS > urls.txt",
                    old.display()
                ));
            }
            if log.is_none() && is_table(&text) {
                let first = text.split(|it| *it == b'\n').next().unwrap_or_default();
                let mark = [b';', b'\t'].into_iter().find(|it| first.contains(it)).unwrap_or(b',');
                let (column, further) = columns_of_urls(&text, mark);
                let cut = match mark {
                    b'\t' => format!("cut -f{column}"),
                    _ => format!("cut -d'{}' -f{column}", char::from(mark)),
                };
                let is_of_urls = text.windows(3).any(|it| it == b"://");
                // A path is one from the root of the host.
                let header =
                    if files::has_header(&String::from_utf8_lossy(first)) { "1d; " } else { "" };
                let lines = match is_of_urls {
                    true => "grep ://".to_owned(),
                    false => format!("tr '\\\\' / | sed '{header}s|^/*|/|'"),
                };
                let what = if is_of_urls { "URL" } else { "path from the root of the host" };
                return usage_error(format!(
                    "{0}: this seems to be a table (CSV), not a list of URLs\nhelp: write one {what} on each line{further}: {cut} {0} | tr -d '\"' | {lines} > urls.txt",
                    old.display()
                ));
            }
            return Ok(OldPlace::List(text, log.unwrap_or_default()));
        }
        Ok(OldPlace::Site(old.to_owned()))
    }
}

/// Returns true if the first lines are those of a CDX or CDXJ index: a legend, or a line with more than a URL.
fn is_index(list: &[u8]) -> bool {
    let text = String::from_utf8_lossy(list.get(..4096).unwrap_or(list));
    let first = text.lines().next().unwrap_or_default();
    let is_json = first.split_once(" {").is_some_and(|(_, it)| it.contains("\"url\""));
    first.trim_start().starts_with("CDX ") || is_json
}

/// Returns true if the first lines of a list have words before a path, like those of `ls -l`.
fn is_listing(list: &[u8]) -> bool {
    let text = String::from_utf8_lossy(list);
    let mut lines = text.lines().filter(|it| !it.trim().is_empty()).take(20).peekable();
    let is_row = |line: &str| {
        let mut words = line.split_whitespace();
        let is_first =
            words.next().is_some_and(|it| !it.contains("://") && !it.starts_with(['/', '#', '<']));
        is_first
            && words.clone().count() > 1
            && words.any(|it| it.bytes().all(|b| b.is_ascii_digit()))
    };
    lines.peek().is_some() && lines.all(is_row)
}

/// Returns the directory that all URLs in a list begin with.
pub(super) fn first_host(list: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(list);
    let starts = text.match_indices("http").map(|(at, _)| at);
    let urls = starts.filter_map(|at| {
        let rest = text.get(at..)?;
        let end = rest.find(|c: char| c.is_whitespace() || "<>\"',;".contains(c));
        let url = rest.get(..end.unwrap_or(rest.len()))?;
        (url.starts_with("http://") || url.starts_with("https://")).then_some(url)
    });
    // The namespace of a sitemap is no URL of it.
    let mut urls = urls.filter(|it| !it.contains("sitemaps.org/") && !it.contains("w3.org/"));
    let first = urls.next()?;
    let common = urls.fold(first, |common, url| {
        let equal = common.bytes().zip(url.bytes()).take_while(|(one, other)| one == other);
        common.get(..equal.count()).unwrap_or_default()
    });
    Some(common.get(..=common.rfind('/')?)?.to_owned()).filter(|it| it.matches('/').count() > 2)
}

/// Returns true if the first line is one of a log of requests: it has a quoted one, with a version of HTTP.
fn is_log(list: &[u8]) -> bool {
    let first = list.split(|it| *it == b'\n').next().unwrap_or_default();
    String::from_utf8_lossy(first).split('"').any(|it| it.contains(" HTTP/"))
}

/// Returns the number, from 1, of the column of a table with the URLs to look for, 1 if none has URLs, and the part of a sentence
/// that names the columns, if several have them. `mark`: what separates the columns.
fn columns_of_urls(table: &[u8], mark: u8) -> (usize, String) {
    let text = String::from_utf8_lossy(table);
    let row = |line: &str| -> Vec<String> {
        line.split(char::from(mark))
            .map(|it| it.trim_matches(['"', ' ', '\r']).to_owned())
            .collect()
    };
    let rows: Vec<Vec<String>> = text.lines().take(101).map(row).collect();
    let Some((names, rows)) = rows.split_first() else { return (1, String::new()) };
    let cells = |column: usize| rows.iter().filter_map(move |row| row.get(column));
    let urls_in = |column: &usize| cells(*column).filter(|it| it.contains("://")).count();
    let most = (0..names.len()).map(|it| urls_in(&it)).max().unwrap_or(0);
    let columns: Vec<usize> =
        (0..names.len()).filter(|it| most > 0 && urls_in(it) * 2 > most).collect();
    let [first, .., last] = columns[..] else {
        return (columns.first().map_or(1, |it| it + 1), String::new());
    };
    // Reports of checkers name the page with each of its links, before the target; a list of redirects names a URL once.
    let is_list = cells(first).collect::<BTreeSet<_>>().len() == cells(first).count();
    let named = columns.iter().map(|it| {
        let name = names.get(*it).filter(|it| !it.contains("://"));
        name.map_or(format!("{}", it + 1), |name| format!("{} ({name})", it + 1))
    });
    let named: Vec<String> = named.collect();
    let further = format!(", from the column of the published URLs: of {}", named.join(" and "));
    (if is_list { first } else { last } + 1, further)
}

/// Returns the hosts of the URLs of OLD that are not those of the site, each with a number, and the first.
pub(super) fn hosts(published: &Published) -> Option<(String, &str)> {
    let mut hosts: Vec<(&str, usize)> =
        published.others.iter().map(|(host, count)| (&**host, *count)).collect();
    hosts.retain(|(host, _)| !host.is_empty());
    hosts.sort_by_key(|(_, count)| Reverse(*count));
    let (first, _) = hosts.first()?;
    let shown = hosts.iter().take(3).map(|(host, count)| format!("{host} ({count})"));
    let mut shown: Vec<String> = shown.collect();
    if let Some(more) = hosts.len().checked_sub(3).filter(|it| *it > 0) {
        shown.push(format!("{more} more"));
    }
    let last = shown.pop()?;
    let all = if shown.is_empty() { last } else { format!("{} and {last}", shown.join(", ")) };
    Some((all, first))
}

/// Returns true if the first line of a list is one of a table, since it has quotation marks, tabs or a header.
fn is_table(list: &[u8]) -> bool {
    let text = String::from_utf8_lossy(list);
    let mut lines = text.lines().map(str::trim).filter(|it| !it.is_empty() && !it.starts_with('#'));
    let first = lines.next().unwrap_or_default();
    let is_reference = ["http", "/", "<"].iter().any(|it| first.starts_with(it));
    // Few URLs have a semicolon, and none has one before the words of a table.
    let is_row = |line: &str| match line.starts_with('/') {
        true => line.contains(",/") || line.contains(";/"),
        false => line.starts_with("http") && (line.contains(';') || line.contains(",http")),
    };
    !first.starts_with('<')
        && (first.contains(['"', '\t'])
            || !is_reference && first.contains([',', ';'])
            || is_row(first) && lines.all(is_row))
}

/// Refuses an `old` that does not exist and is not a revision. `advice` is for a revision of git, which replaces `{}`.
pub(super) fn refuse_missing(old: &Path, advice: &str, new: &Path) -> Result<(), CliError> {
    let name = old.to_string_lossy();
    if !old.exists() && value_of("--record").is_some_and(|it| it == name) {
        let site = quoted(new.display());
        return usage_error(format!(
            "{name}: no such file or directory\nhelp: for the first record, pass the site as both: rehref compare {site} {site} --record {}",
            quoted(&name)
        ));
    }
    if old.exists() || name.starts_with(REVISION) || name.contains("://") {
        return Ok(());
    }
    let (revision, _) =
        name.split_once("..").filter(|(from, _)| !from.is_empty()).unwrap_or((&name, ""));
    let is_known = || {
        let git = Git::in_folder(Path::new("."));
        git.is_ok_and(|git| git.has_revision(revision))
    };
    let is_path = old.components().count() > 1 && !is_known() || name == "-";
    let is_tracked = |it: &Path| canonical(it).is_ok_and(|it| work_tree_of(&it).is_some());
    if is_path || !is_tracked(Path::new(".")) && !is_tracked(new) {
        return Ok(());
    }
    usage_error(format!(
        "{name}: no such file or directory\nhelp: if {revision} is a revision of git{}",
        advice.replace("{}", revision)
    ))
}

/// Refuses a revision as `new` where `old` is none.
pub(super) fn refuse_swapped(old: &Path, new: &Path) -> Result<(), CliError> {
    let (old, new) = (old.to_string_lossy(), new.to_string_lossy());
    if !new.starts_with(REVISION) || old.starts_with(REVISION) {
        return Ok(());
    }
    usage_error(format!(
        "{new} is not the new state of a site\nhelp: the old state comes first: rehref compare {} {}",
        quoted(&new),
        quoted(&old)
    ))
}

/// The files that `revision` (`v1`, or `v1:docs`) has at its own path, which resolves against the root of the work tree of the
/// working directory, or else at the path of `new`.
fn of_revision(revision: &str, new: &Path) -> Result<OldPlace, CliError> {
    let (name, path) = match revision.split_once(':') {
        Some((name, path)) => (name, Some(Path::new(path))),
        None => (revision, None),
    };
    let place = path.map_or(new, |_| Path::new("."));
    let root = canonical(place).or_else(|error| failed(revision, error))?;
    let Some(work_tree) = work_tree_of(&root) else {
        let name = quoted(format!("{REVISION}{name}:DIRECTORY"));
        return failed(
            revision,
            format!(
                "{0} is not in a git work tree\nhelp: without a path, {REVISION}REVISION is NEW as it was then; run rehref in the repository, and name the directory: rehref compare {name} {0}\nhelp: for built sites, build both states, and compare the two directories",
                place.display()
            ),
        );
    };
    if let Some((from, _)) = name.split_once("..") {
        return failed(
            revision,
            format!("a range is not one revision\nhelp: write {REVISION}{from}"),
        );
    }
    // Git would take it for an option.
    if name.is_empty() || name.starts_with('-') {
        return failed(revision, "not the name of a revision");
    }
    let folder = path.unwrap_or_else(|| root.strip_prefix(&work_tree).unwrap_or(&root));
    let written = tempfile::tempdir().or_else(|error| failed(revision, error))?;
    let git = Git::in_folder(&work_tree).or_else(|error| failed(revision, error))?;
    let exported = git.export(name, folder, written.path());
    exported.or_else(|error| failed(revision, error))?;
    // Configurations are looked for up to the root of a repository.
    fs::create_dir(written.path().join(".git")).or_else(|error| failed(revision, error))?;
    let site = written.path().join(folder);
    Ok(OldPlace::Revision(written, site))
}

fn failed<T>(revision: &str, reason: impl Display) -> Result<T, CliError> {
    usage_error(format!("{REVISION}{revision}: {reason}"))
}
