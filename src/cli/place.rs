//! The argument SITE: its help, and the errors of a SITE that cannot be read.

use std::path::Path;
use std::{fs, io};

use rehref_corpus::files::CompressedPage;
use rehref_corpus::{SitePlaceError, container_format, container_suffixes, folder_of};
use rehref_site::nearest::nearest;

/// The error of a document on stdin where it is not read.
const NO_STDIN: &str = "this command does not read a page from stdin: its links lead to files beside it\nhelp: save the page at its place in \
                        the site, and pass the directory of the site; to list or rewrite its links, use `rehref links -`, `rehref absolute -` or \
                        `rehref relative -`";

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
    let (folder, file) = text.rsplit_once('/').unwrap_or((".", &text));
    let has = |ends: &[&str]| ends.iter().any(|end| text.starts_with(end) || text.ends_with(end));
    let advice = if has(&["http://", "https://", "ftp://"]) {
        format!(
            "rehref reads sites on disk and fetches nothing: download it first, with `wget --mirror {name}`"
        )
    } else if has(&["~/", "$"]) {
        let path = "write the path without quotes, so that the shell expands `~` and variables, or write the absolute path";
        path.to_owned()
    } else if matches!(text.as_bytes(), [drive, b':', b'\\', ..] if drive.is_ascii_alphabetic()) {
        "this is a path of Windows: in WSL, C: is /mnt/c".to_owned()
    } else if is_remote(&text) {
        "rehref reads sites on disk and fetches nothing: copy the site to this machine first"
            .to_owned()
    } else if text.contains('=') {
        format!("pass the site first, then the moves: rehref move SITE {name}")
    } else if let Some(path) = text.strip_prefix("file://") {
        format!("pass the path of the directory, not its URL: {path}")
    } else if std::env::current_dir().is_err_and(|error| error.kind() == io::ErrorKind::NotFound) {
        "the working directory no longer exists: change to another one".to_owned()
    } else if path.symlink_metadata().is_ok() {
        "the target of this symbolic link does not exist".to_owned()
    } else if file.contains(['*', '?']) {
        format!(
            "pass the directory {folder} and --include '/{file}', which selects documents in it"
        )
    } else if let Some(nearest) = nearest_name(path) {
        format!("did you mean {nearest}?")
    } else if file == text && has(&["www.", ".com", ".org", ".net", ".io", ".dev"]) {
        "rehref reads sites on disk and fetches nothing".to_owned()
    } else {
        return format!("{name}: no such file or directory");
    };
    format!("{name}: no such file or directory\nhelp: {advice}")
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
fn not_a_site(file: &Path) -> Option<String> {
    let file_name = file.file_name().unwrap_or_default();
    let name = file_name.to_string_lossy();
    Some(if name.ends_with(".arc") || name.ends_with(".arc.gz") {
        "rehref does not read ARC archives\nhelp: convert the archive to WARC".to_owned()
    } else if name.ends_with(".epub") {
        format!(
            "rehref does not read packed EPUB files\nhelp: unpack the file first (unzip {name} -d DIR), and pass the directory"
        )
    } else if is_packed(file) {
        "this is not a directory\nhelp: unpack it, and pass the directory".to_owned()
    } else if file.metadata().is_ok_and(|it| !it.is_file()) {
        "this is a pipe or a device, but rehref reads files\nhelp: write the document to a file, and pass the file".to_owned()
    } else if container_format(file_name).is_some() {
        "move does not rewrite archives\nhelp: pass the root directory of a site".to_owned()
    } else if CompressedPage::of(file).is_some() {
        let folder = folder_of(file).display();
        format!(
            "this is not a directory\nhelp: to read a compressed page, pass its directory: {folder} --compressed --include '/{name}'"
        )
    } else {
        return None;
    })
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
