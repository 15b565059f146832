//! stdin as SITE: a document, or an archive, which is stored in a file, because commands read it more than once.

use std::fs::File;
use std::io::{self, IsTerminal, Read};
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::arguments::SiteArguments;
use super::exit::{CliError, usage_error};
use super::kind::{KindArguments, not_a_document};
use super::{site_url, terminal};
use rehref_audit::publication::stated_url;
use rehref_corpus::SingleDocument;
use rehref_corpus::files::read_to_end;
use rehref_corpus::warc::record::Format;
use rehref_corpus::warc::wacz;
use rehref_document::{Document, DocumentKind, ParseOptions};
use rehref_url::{AbsoluteUrl, Url};

/// The number of bytes that show whether stdin is an archive.
const START: u64 = 64 << 10;

/// The content of stdin, if it is SITE.
pub(super) enum Stdin {
    /// SITE is a path.
    Unread,
    /// A document.
    Document(Vec<u8>),
    /// An archive.
    Archive(StoredArchive),
}

/// A file with the archive that stdin contained, removed when this is dropped.
pub(super) struct StoredArchive {
    path: PathBuf,
    _directory: TempDir,
}

impl StoredArchive {
    /// Returns the path of the file.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

/// The name of the file for an archive that begins with `start`; `None` for a document.
fn archive_name(start: &[u8]) -> Option<&'static str> {
    if start.starts_with(wacz::MAGIC) {
        return Some("stdin.wacz");
    }
    Some(match Format::of_archive(start)? {
        Format::Plain => "stdin.warc",
        Format::Gzip => "stdin.warc.gz",
    })
}

impl Stdin {
    /// Reads all of stdin if `site` is `-`. Its first bytes show an archive, unless it is a document of this `kind`.
    /// Where a user would have to type the document, does `check` first.
    pub(super) fn of<T>(
        site: &Path,
        kind: Option<DocumentKind>,
        check: impl FnOnce() -> Result<T, CliError>,
    ) -> Result<Stdin, CliError> {
        refuse_own_output(site)?;
        if site != Path::new("-") {
            return Ok(Stdin::Unread);
        }
        if io::stdin().is_terminal() {
            check()?;
        }
        let mut input = io::stdin().lock();
        let mut start = Vec::new();
        let read = input.by_ref().take(START).read_to_end(&mut start);
        read.map_err(CliError::io("stdin"))?;
        let name = match kind {
            None => archive_name(&start),
            Some(_) => None,
        };
        let Some(name) = name else {
            let read = read_to_end(input, &mut start);
            read.map_err(CliError::io("stdin"))?;
            return Ok(Stdin::Document(start));
        };
        let store = || -> io::Result<StoredArchive> {
            let directory = tempfile::Builder::new().prefix("rehref-").tempdir()?;
            let path = rehref_site::canonical(directory.path())?.join(name);
            let mut file = File::create(&path)?;
            io::copy(&mut start.as_slice().chain(input), &mut file)?;
            Ok(StoredArchive { path, _directory: directory })
        };
        store()
            .map(Stdin::Archive)
            .map_err(CliError::io("the archive on stdin, stored in a temporary file"))
    }
}

/// Returns the document `bytes` from stdin, retrieved from `url`: its bytes, its URL, and how to parse it.
pub(super) fn document(
    bytes: Vec<u8>,
    url: Url,
    kind: &KindArguments,
    site: &SiteArguments,
) -> Result<(Vec<u8>, AbsoluteUrl, ParseOptions), CliError> {
    let SingleDocument { kind, bytes, url } =
        SingleDocument::of_stdin(bytes, url, kind.kind).or_else(not_a_document("stdin"))?;
    if bytes.is_empty() {
        terminal::warning("stdin is empty, so it has no links");
    }
    let no_url = site_url::is_none(site.url.as_deref());
    let options = ParseOptions { kind, no_url, ..site.selection.options(None)? };
    if let Some(document) = Document::parse(&bytes, &options).ok().filter(|_| !no_url)
        && let Some(own) = stated_url(&document)
        && own.strip_prefix(url.as_str()).is_some_and(|rest| rest.contains('/'))
        && url.as_str().ends_with('/')
    {
        terminal::warning(format!(
            "stdin: the document says that its URL is {own}\nhelp: pass its own URL, not that of the site: --url {own}"
        ));
    }
    Ok((bytes, AbsoluteUrl::new(site.standard, url), options))
}

/// Refuses the document at `site` (`-` for stdin) if stdout writes to the same file: the shell has emptied it.
#[cfg(unix)]
fn refuse_own_output(site: &Path) -> Result<(), CliError> {
    use std::fs::Metadata;
    use std::os::fd::{AsFd, OwnedFd};
    use std::os::unix::fs::MetadataExt;

    let number = |found: io::Result<Metadata>| {
        found.ok().filter(Metadata::is_file).map(|it| (it.dev(), it.ino()))
    };
    let of_stream = |stream: io::Result<OwnedFd>| number(File::from(stream.ok()?).metadata());
    let (name, file) = match site == Path::new("-") {
        true => ("stdin".into(), of_stream(io::stdin().as_fd().try_clone_to_owned())),
        false => (site.display().to_string(), number(site.metadata())),
    };
    let stdout = of_stream(io::stdout().as_fd().try_clone_to_owned());
    if file.is_none() || file != stdout {
        return Ok(());
    }
    usage_error(format!(
        "{name}: stdout writes to the same file, so the shell has emptied it\nhelp: restore the file (`git restore FILE`), then pass it with --in-place"
    ))
}

#[cfg(not(unix))]
fn refuse_own_output(_: &Path) -> Result<(), CliError> {
    Ok(())
}
