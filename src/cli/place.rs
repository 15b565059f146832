//! The argument SITE: its help, and the errors of a SITE that cannot be read.

use std::path::Path;
use std::{fs, io};

use super::command_line::{command_name, quoted, value_before, value_of};
use super::first_paths::first_paths;
use super::git::REVISION;
use super::likely_site::{configured_by, is_project, move_command};
use super::working_directory::shown;
use rehref_corpus::files::{CompressedPage, first_bytes};
use rehref_corpus::{SitePlaceError, container_format, container_suffixes, folder_of};
use rehref_site::nearest::nearest;

/// The error of a document on stdin where it is not read.
const NO_STDIN: &str = "this command does not read a page from stdin: its links lead to files beside it\nhelp: save the page at its place in \
                        the site (unpack an archive), and pass the directory of the site; to list or rewrite its links, use `rehref links -`, `rehref absolute -` or \
                        `rehref relative -`\nhelp: to select documents by a list of files, pass the site, and the list: COMMAND | rehref audit SITE --files-from -\nhelp: to look for a list of URLs in a site, use `rehref compare - SITE --url URL`";

/// The command that downloads the site at `url`.
pub(super) fn mirror(url: &str) -> String {
    let url = url.split(['?', '#']).next().unwrap_or(url).trim_end_matches('/');
    let last = url.rsplit('/').next().unwrap_or_default();
    let is_page = url.matches('/').count() > 2 && last.contains('.');
    let slash = if is_page { "" } else { "/" };
    format!("wget --mirror --no-parent {}", quoted(format!("{url}{slash}")))
}

/// Help for SITE; `more` is what it may be besides a directory, a document and an archive.
pub(super) fn help(more: &str) -> String {
    let or = if more.is_empty() { " or" } else { "" };
    let suffixes = container_suffixes();
    format!("Root directory of the site, a document,{or} an archive ({suffixes}){more}")
}

/// Returns the text of the error of a SITE that cannot be read, and what to do about it.
pub(super) fn explained(error: &SitePlaceError) -> String {
    let (path, source) = match error {
        SitePlaceError::Read { path, source } => (path, source),
        SitePlaceError::NotASite(file) => {
            return match not_a_site(file) {
                Some(advice) => format!("{}: {advice}", file.display()),
                None => format!("{error}\nhelp: pass the root directory of the site"),
            };
        }
    };
    let name = path.display();
    if path == Path::new("-") {
        return NO_STDIN.to_owned();
    }
    if source.kind() != io::ErrorKind::NotFound {
        return error.to_string();
    }
    let text = path.to_string_lossy();
    let has = |ends: &[&str]| ends.iter().any(|end| text.starts_with(end) || text.ends_with(end));
    let advice = if has(&["s3://", "gs://", "az://", "sftp://", "ssh://"]) {
        "rehref reads sites on disk and fetches nothing: copy the site to this machine first (`aws s3 sync`, `rsync`), and pass the copy".to_owned()
    } else if has(&["http://", "https://", "ftp://"]) {
        let is_file = [".xml", ".xml.gz", ".txt"].iter().any(|end| text.ends_with(end));
        if let Some(site) = value_of("--url").filter(|it| Path::new(it).is_dir()) {
            return format!(
                "{site} is a directory, and {name} a URL\nhelp: swap the two: rehref {} {} --url {name}",
                command_name(),
                quoted(&site)
            );
        }
        if is_file {
            let root = text.rsplit_once('/').map_or(&*text, |it| it.0);
            return format!(
                "{name}: rehref reads sites on disk and fetches nothing\nhelp: to check the site, download it with `{}`, and pass its directory\nhelp: to compare a list of URLs with a site, download the list with `wget {name}`, and pass it as OLD: rehref compare {} SITE --url {root}/",
                mirror(root),
                quoted(text.rsplit('/').next().unwrap_or_default())
            );
        }
        let command = mirror(&text);
        // wget names it so.
        let directory = text.split_once("://").map_or(&*text, |it| it.1);
        let directory = match command.ends_with('/') {
            true => directory.trim_end_matches('/'),
            false => directory.rsplit_once('/').map_or(directory, |it| it.0),
        };
        let pass = match value_before(path.as_os_str()) {
            // What is published is the old state.
            Some(other) if command_name() == "compare" && Path::new(&other).is_dir() => {
                format!("compare it as OLD: rehref compare {} {}", quoted(directory), quoted(other))
            }
            _ => format!("pass {} instead", quoted(directory)),
        };
        format!(
            "rehref reads sites on disk and fetches nothing: download it first, with `{command}`, and {pass}"
        )
    } else if has(&["~/", "$"]) {
        let path = "write the path without quotes, so that the shell expands `~` and variables, or write the absolute path";
        path.to_owned()
    } else if matches!(text.as_bytes(), [b'A'..=b'Z', b':', ..] | [_, b':', b'\\', ..]) {
        "this is a path of Windows: in WSL, C: is /mnt/c, and directories have `/` between them, since the shell removes backslashes".to_owned()
    } else if has(&["\\\\"]) {
        "this is a share of Windows: mount it first (`mount -t drvfs '\\\\HOST\\SHARE' /mnt/share`), and pass its directory".to_owned()
    } else if is_remote(&text) {
        "rehref reads sites on disk and fetches nothing: copy the site to this machine first"
            .to_owned()
    } else if text.contains('=') {
        let command = text
            .split_once('=')
            .and_then(|(old, new)| move_command(Path::new(old), Path::new(new)));
        let command = command.unwrap_or_else(|| format!("rehref move SITE {name}"));
        format!("pass the site first, then the moves, relative to the site: {command}")
    } else if let Some(path) = text.strip_prefix("file://") {
        format!("pass the path of the directory, not its URL: {path}")
    } else if std::env::current_dir().is_err_and(|error| error.kind() == io::ErrorKind::NotFound) {
        "the working directory no longer exists: change to another one".to_owned()
    } else if path.symlink_metadata().is_ok() {
        "the target of this symbolic link does not exist".to_owned()
    } else if let Some(first) = text.find(['*', '?']) {
        let (folder, glob) = match text.get(..first).and_then(|it| it.rfind('/')) {
            Some(slash) => text.split_at(slash),
            None => (".", &*text),
        };
        let glob = glob.trim_start_matches('/');
        format!(
            "pass the directory {folder} and --include '/{glob}', which selects documents in it"
        )
    } else if let Some(revision) = text.strip_prefix(REVISION) {
        format!(
            "only OLD of compare can be a revision of git; check out the revision first: git worktree add DIRECTORY {revision}"
        )
    } else if text.contains('"') {
        "the argument contains a quotation mark: on Windows, a backslash before it keeps it; write the path without the backslash at its end"
            .to_owned()
    } else if let Some(path) = with_slashes(&text) {
        format!("write `/` between directories: {path}")
    } else if let Some(nearest) = nearest_name(path) {
        format!("did you mean {nearest}?")
    } else if !text.contains('/') && has(&["www.", ".com", ".org", ".net", ".io", ".dev"]) {
        "rehref reads sites on disk and fetches nothing".to_owned()
    } else if let Some(found) = above(path) {
        format!("did you mean {found}?")
    } else if let Some(project) = path.parent().filter(|it| is_project(it)) {
        let project = shown(project).display();
        format!("build the site first, or pass the project: {project}")
    } else if let Some((folder, names)) = directories_near(path) {
        format!(
            "pass the root directory of a site; {} has {}",
            folder.display(),
            first_paths(&names)
        )
    } else {
        "pass the root directory of a site".to_owned()
    };
    format!("{name}: no such file or directory\nhelp: {advice}")
}

/// Returns the path of a file or a directory for one that is written with backslashes.
pub(super) fn with_slashes(text: &str) -> Option<String> {
    let path = text.replace('\\', "/");
    (path != text && Path::new(&path).exists()).then_some(path)
}

/// Returns the path of a file or a directory for one that counts from a directory above the working directory.
fn above(missing: &Path) -> Option<String> {
    let relative = missing.is_relative().then_some(missing)?;
    let paths = (1..4).map(|steps| Path::new(&"../".repeat(steps)).join(relative));
    paths.filter(|it| it.exists()).map(|it| it.display().to_string()).next()
}

/// Returns the nearest directory around a missing path that exists, and the names of the directories in it.
fn directories_near(missing: &Path) -> Option<(&Path, Vec<String>)> {
    let folder = missing.ancestors().map(folder_of).find(|it| it.is_dir())?;
    let entries = fs::read_dir(folder).ok()?.filter_map(Result::ok);
    let folders = entries.filter(|it| it.path().is_dir());
    let names = folders.filter_map(|it| it.file_name().into_string().ok());
    let mut names: Vec<String> = names.filter(|it| !it.starts_with('.')).collect();
    names.sort();
    (!names.is_empty()).then_some((folder, names))
}

/// Returns true if `text` names a place on another machine: `host:8000`, `me@host:/var/www`.
fn is_remote(text: &str) -> bool {
    text.split_once(':').is_some_and(|(host, rest)| {
        host.contains('@') || !host.is_empty() && rest.trim_end_matches('/').parse::<u16>().is_ok()
    })
}

/// Returns true if the file at `path` is an archive that rehref does not read, by its name.
pub(super) fn is_packed(path: &Path) -> bool {
    let name = path.to_string_lossy();
    let packed = [".zip", ".tar", ".tar.gz", ".tgz", ".7z", ".rar", ".arc", ".arc.gz", ".epub"];
    packed.iter().any(|suffix| name.ends_with(suffix))
}

/// The kind of a file that is not a site, and what to do; `None` if the kind is not known.
pub(super) fn not_a_site(file: &Path) -> Option<String> {
    let file_name = file.file_name().unwrap_or_default();
    let name = file_name.to_string_lossy();
    Some(if name.ends_with(".arc") || name.ends_with(".arc.gz") {
        "rehref does not read ARC archives\nhelp: convert the archive to WARC".to_owned()
    } else if name.ends_with(".cdx") || name.ends_with(".cdxj") {
        "this is an index of archives\nhelp: pass the archives that it lists, or their directory"
            .to_owned()
    } else if name.ends_with(".rst") {
        let folder = quoted(folder_of(file).display());
        format!(
            "rehref reads reStructuredText only in its project\nhelp: rehref {} {folder} --markdown sphinx --include '/{name}'",
            command_name()
        )
    } else if [".adoc", ".asciidoc", ".org", ".py", ".rb"].iter().any(|it| name.ends_with(it)) {
        "rehref reads no files of this kind\nhelp: build the site, and pass the directory of the built site".to_owned()
    } else if name.ends_with(".epub") {
        format!(
            "rehref does not read packed EPUB files\nhelp: unpack the file first (unzip {name} -d DIR), and pass the directory"
        )
    } else if name.ends_with(".mbox") || first_bytes(file, 5).is_ok_and(|it| it == b"From ") {
        format!(
            "this is a mailbox of several messages, which rehref does not read\nhelp: write each message to a file, and pass their directory: git mailsplit -o DIR {}",
            quoted(file.display())
        )
    } else if [".js", ".json", ".mjs", ".ts"].iter().any(|it| name.ends_with(it)) {
        "rehref reads no paths in scripts and data\nhelp: pass the root directory of the site: `rehref move` lists such strings if they name what moves, and `rehref verify --browser` the pages that fail".to_owned()
    } else if is_packed(file) {
        "this is not a directory\nhelp: unpack it, and pass the directory".to_owned()
    } else if file.metadata().is_ok_and(|it| !it.is_file()) {
        "this is a pipe or a device, but rehref reads files\nhelp: write the document to a file, and pass the file".to_owned()
    } else if container_format(file_name).is_some() {
        "move does not rewrite archives\nhelp: pass the root directory of a site; to write the pages of an archive to one: rehref relative SITE --extract --out DIR".to_owned()
    } else if CompressedPage::of(file).is_some() {
        let folder = folder_of(file).display();
        format!(
            "this is not a directory\nhelp: to read a compressed page, pass its directory: {folder} --compressed --include '/{name}'"
        )
    } else if is_list(file) {
        format!(
            "this is a list of URLs\nhelp: to look for them in a site, pass the list as OLD: rehref compare {} SITE --url URL",
            quoted(file.display())
        )
    } else if let Some(program) = configured_by(file) {
        format!(
            "this file configures {program}\nhelp: pass the directory of the project: {}",
            folder_of(file).display()
        )
    } else {
        return None;
    })
}

/// Returns true if the file at `path` begins with a URL, as a list does.
fn is_list(path: &Path) -> bool {
    let start = first_bytes(path, "https://".len()).unwrap_or_default();
    start.starts_with(b"https://") || start.starts_with(b"http://")
}

/// Returns the path beside a missing one whose name is the most similar.
pub(super) fn nearest_name(missing: &Path) -> Option<String> {
    let wanted = missing.file_name()?.to_str()?;
    let entries = fs::read_dir(folder_of(missing)).ok()?;
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let limit = 1 + wanted.chars().count() / 4;
    let (_, name) = nearest(names.map(|name| (name.clone(), name)), wanted, limit)?;
    Some(missing.with_file_name(name).display().to_string())
}
