//! The errors of a SITE that cannot be read: what is wrong with the path, and what to do about it.

use std::path::Path;
use std::{fs, io};

use rehref_corpus::files::CompressedPage;
use rehref_corpus::{SitePlaceError, container_format, folder_of};
use rehref_site::nearest::nearest;

/// The text of the error of a SITE that cannot be read, and what to do about it.
pub(super) fn explained(error: &SitePlaceError) -> String {
    let (path, source) = match error {
        SitePlaceError::Read { path, source } => (path, source),
        SitePlaceError::NotASite(file) => {
            return not_a_site(file, error);
        }
    };
    let name = path.display();
    if path == Path::new("-") {
        return "-: this command reads a site on disk; only absolute, relative, links and base read a document \
            from stdin (audit: an archive)"
            .to_owned();
    }
    if source.kind() != io::ErrorKind::NotFound {
        return error.to_string();
    }
    let text = path.to_string_lossy();
    if ["http://", "https://", "ftp://"].iter().any(|scheme| text.starts_with(scheme)) {
        return format!(
            "{name}: rehref reads sites on disk and fetches nothing; download it first, with `wget --mirror {name}`"
        );
    }
    if let Some((old, new)) = text.split_once('=')
        && let Some((site, old)) = old.split_once('/')
        && Path::new(site).is_dir()
    {
        let new = new.strip_prefix(site).and_then(|it| it.strip_prefix('/')).unwrap_or(new);
        return format!(
            "{name}: no such directory; give SITE first, then the moves: rehref move {site} {old}={new}"
        );
    }
    if text.contains('=') {
        return format!(
            "{name}: no such directory; give SITE first, then the moves: rehref move SITE {name}"
        );
    }
    if let Some(path) = text.strip_prefix("file://") {
        return format!("{name}: give the path of the directory, not its URL: {path}");
    }
    if std::env::current_dir().is_err_and(|error| error.kind() == io::ErrorKind::NotFound) {
        return format!("{name}: the working directory no longer exists; change to another one");
    }
    if path.symlink_metadata().is_ok() {
        return format!("{name}: the target of this symbolic link does not exist");
    }
    if let Some((folder, glob)) = text.rsplit_once('/')
        && glob.contains(['*', '?'])
        && !glob.trim_matches('*').is_empty()
        && Path::new(folder).is_dir()
    {
        return format!(
            "{name}: no such file or directory; give the directory {folder}; --include '/{glob}' selects documents in it"
        );
    }
    if let Some(folder) = text.strip_suffix("/*").or(text.strip_suffix("/**")) {
        return format!("{name}: no such file or directory; give the directory: {folder}");
    }
    if text == "help" {
        return "help: no such file or directory; --help prints the help".to_owned();
    }
    if is_like_host(&text) {
        return format!(
            "{name}: no such file or directory; rehref reads sites on disk and fetches nothing"
        );
    }
    match nearest_name(path) {
        Some(nearest) => format!("{name}: no such file or directory; did you mean {nearest}?"),
        None => format!("{name}: no such file or directory"),
    }
}

/// Whether the file at `path` is an archive that rehref does not read, by its name.
pub(super) fn is_packed(path: &Path) -> bool {
    let name = path.to_string_lossy();
    let packed = [".zip", ".tar", ".tar.gz", ".tgz", ".7z", ".rar", ".arc", ".arc.gz"];
    packed.iter().any(|suffix| name.ends_with(suffix))
}

/// The text of the error about the file `file`, which is not a site.
fn not_a_site(file: &Path, error: &SitePlaceError) -> String {
    let file_name = file.file_name().unwrap_or_default();
    let (path, name) = (file.display(), file_name.to_string_lossy());
    if name.ends_with(".arc") || name.ends_with(".arc.gz") {
        return format!("{path}: rehref does not read ARC archives; convert the archive to WARC");
    }
    if is_packed(file) {
        return format!("{path}: not a directory; unpack it, and give the directory");
    }
    if file.metadata().is_ok_and(|it| !it.is_file()) {
        return format!(
            "{path}: this is a pipe or a device, but rehref reads files; write the document to a file, and give the file"
        );
    }
    if container_format(file_name).is_some() {
        return format!(
            "{path}: move does not rewrite archives; give the root directory of a site"
        );
    }
    if CompressedPage::of(file).is_some() {
        let folder = folder_of(file).display();
        return format!(
            "{path}: not a directory; to read a compressed page, give its directory: {folder} --compressed --include \
             '/{name}'"
        );
    }
    format!("{error}; give the root directory of the site")
}

/// Whether `text` is more likely the name of a host than of a file.
fn is_like_host(text: &str) -> bool {
    let endings = [".com", ".org", ".net", ".io", ".dev"];
    !text.contains('/')
        && (text.starts_with("www.") || endings.iter().any(|ending| text.ends_with(ending)))
}

/// The path beside a missing one whose name is the most similar.
pub(super) fn nearest_name(missing: &Path) -> Option<String> {
    let wanted = missing.file_name()?.to_str()?;
    let entries = fs::read_dir(folder_of(missing)).ok()?;
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let limit = 1 + wanted.chars().count() / 4;
    let (_, name) = nearest(names.map(|name| (name.clone(), name)), wanted, limit)?;
    Some(missing.with_file_name(name).display().to_string())
}
