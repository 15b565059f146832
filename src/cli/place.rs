//! Where a site is: SITE on disk, and the URL it is published at.

use std::io::Read;
use std::path::{Path, PathBuf};

use super::exit::CliError;
use super::terminal;
use crate::site::{Entry, EntryKind, FileTree, PLACEHOLDER_URL, SiteUrl, walk};
use crate::warc::is_archive_name;

/// Reads all of stdin.
pub(super) fn stdin() -> Result<Vec<u8>, CliError> {
    let mut bytes = Vec::new();
    let read = std::io::stdin().read_to_end(&mut bytes);
    read.map_err(CliError::io("stdin"))?;
    Ok(bytes)
}

/// The canonical path of SITE.
#[derive(Debug)]
pub(super) enum SitePlace {
    /// A directory.
    Directory(PathBuf),
    /// One archive.
    Archive(PathBuf),
}

impl SitePlace {
    /// Finds out what `site` names.
    pub(super) fn of(site: &Path) -> Result<SitePlace, CliError> {
        let path = site.canonicalize().map_err(CliError::io(site.display()))?;
        let is_archive = path.file_name().is_some_and(is_archive_name) && path.is_file();
        match is_archive {
            true => Ok(SitePlace::Archive(path)),
            false => site_root(site).map(SitePlace::Directory),
        }
    }

    /// The root directory; for an archive, the directory that holds it.
    pub(super) fn root(&self) -> PathBuf {
        match self {
            SitePlace::Directory(root) => root.clone(),
            SitePlace::Archive(path) => path.parent().unwrap_or(path).to_owned(),
        }
    }

    /// The files of the site.
    pub(super) fn walk(&self) -> FileTree {
        match self {
            SitePlace::Directory(root) => walk(root),
            SitePlace::Archive(path) => FileTree {
                entries: vec![Entry {
                    path: path.file_name().unwrap_or_default().into(),
                    kind: EntryKind::File,
                }],
                errors: Vec::new(),
            },
        }
    }

    /// Refuses options that have no meaning for an archive, instead of ignoring them.
    pub(super) fn refuse(&self, options: &[(&str, bool)]) -> Result<(), CliError> {
        let SitePlace::Archive(_) = self else {
            return Ok(());
        };
        match options.iter().find(|(_, is_given)| *is_given) {
            None => Ok(()),
            Some((name, _)) => Err(CliError::Usage(format!(
                "{name} is for directories; SITE is an archive, whose records have URLs of their own"
            ))),
        }
    }
}

/// The canonical path of the directory `site`.
pub(super) fn site_root(site: &Path) -> Result<PathBuf, CliError> {
    let root = site.canonicalize().map_err(CliError::io(site.display()))?;
    if !root.is_dir() {
        return Err(CliError::Usage(format!(
            "{}: not a directory; give the root directory of the site, or an archive (.warc, .warc.gz)",
            site.display()
        )));
    }
    Ok(root)
}

/// Parses `--url`; prints a note if `url` looks like a mistake.
pub(super) fn parse_site_url(url: &str) -> Result<SiteUrl, CliError> {
    let (site_url, note) = SiteUrl::parse(url)?;
    if let Some(note) = note {
        terminal::note(note);
    }
    Ok(site_url)
}

/// The URL of the site at `root`: `url`, or else the `file:` URL of `root`.
pub(super) fn site_url(root: &Path, url: Option<&str>) -> Result<SiteUrl, CliError> {
    if let Some(url) = url {
        return parse_site_url(url);
    }
    let site_url = SiteUrl::of_directory(root)?;
    terminal::note(format!("no --url: SITE is {}", site_url.url()));
    Ok(site_url)
}

/// The URL of the site at `place`: `url`, or else the root of a host without a name.
pub(super) fn site_url_or_placeholder(
    place: &SitePlace,
    url: Option<&str>,
) -> Result<SiteUrl, CliError> {
    // The records of an archive have URLs of their own.
    if let (SitePlace::Directory(_), None) = (place, url) {
        terminal::note(
            "no --url: assuming the site is at the root of its host; links with a host name count \
             as external",
        );
    }
    parse_site_url(url.unwrap_or(PLACEHOLDER_URL))
}
