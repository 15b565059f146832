//! Writes WACZ files with rewritten archives.
//!
//! The indexes, `datapackage.json` and `datapackage-digest.json` are updated. All other entries are copied. New
//! contents are in temporary files until the new file is written.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use super::super::container::{PackError, RewrittenArchive};
use super::super::error::ContainerError;
use super::index_update::Updater;
use super::records::{ChangedArchive, ChangedArchives};
use super::{Entries, PACKAGE, PACKAGE_DIGEST, datapackage};
use crate::temporary::{TemporaryFile, is_temporary};
use crate::warc::source::reader;
use crate::warc::zip_directory::DirectoryEntry;
use crate::warc::zip_writer;
use rehref_site::{Diagnostic, plural::counted};

/// For `map_err`: `entry` cannot be updated.
fn failed(entry: &DirectoryEntry) -> impl Fn(ContainerError) -> PackError {
    let entry = &entry.data.name;
    move |error| match error {
        ContainerError::Read(error) if is_temporary(&error) => PackError::Output(error),
        error => PackError::Container(ContainerError::Other(format!(
            "{entry}: {error}\nhelp: to make a new WACZ file without it, unzip the file, rewrite the archives in its directory \
             archive/, and run `wacz create` on them"
        ))),
    }
}

/// Writes the WACZ file at `path` to `out`, with `archives` in place of its archives of the same names. Without `out`, only
/// reads what the run would update. Returns warnings, without a path.
///
/// # Errors
/// Returns an error if something in the file cannot be read or updated, or `out` cannot be written.
pub(crate) fn pack(
    path: &Path,
    archives: Vec<RewrittenArchive>,
    out: Option<&mut dyn Write>,
) -> Result<Vec<Diagnostic>, PackError> {
    let entries = Entries::open(path)?;
    let mut contents: BTreeMap<String, Option<File>> = BTreeMap::new();
    let mut changed_archives = Vec::new();
    for archive in archives {
        if let Some(entry) = entries.find(&archive.name) {
            let (changed, file) = changed(&entries, entry, archive)?;
            changed_archives.push(changed);
            contents.insert(entry.data.name.clone(), file);
        }
    }
    let mut updater = Updater {
        archives: ChangedArchives::new(changed_archives, entries.size),
        wrong_digests: 0,
    };
    let mut compressed = Vec::new();
    for entry in entries.indexes(false) {
        let updated = entries.read(entry).and_then(|old| updater.index(old));
        let updated = updated.map_err(failed(entry))?;
        let (name, old) = (entry.data.name.clone(), entries.read(entry).map_err(failed(entry))?);
        let file = updated.file.try_clone().map_err(PackError::Output)?;
        contents.insert(name.clone(), Some(file));
        if !updated.blocks.is_empty() {
            compressed.push((name, old, updated));
        }
    }
    for entry in entries.indexes(true) {
        let updated = entries.read(entry).and_then(|old| updater.blocks(old, &mut compressed));
        let file = updated.map_err(failed(entry))?;
        contents.insert(entry.data.name.clone(), Some(file));
    }
    let mut warnings = Vec::new();
    if updater.wrong_digests > 0 {
        let digests = counted(updater.wrong_digests, "digest");
        let message = format!(
            "{digests} in the indexes did not match the records before the rewrite, so rehref did not update them"
        );
        warnings.push(Diagnostic::warning("", "wrong-digest", message));
    }
    packages(&entries, &mut contents, &mut warnings)?;
    if let Some(out) = out {
        let files = contents.into_iter();
        let mut files = files.filter_map(|(name, file)| Some((name, file?))).collect();
        zip_writer::write(path, &entries.all, &mut files, out).map_err(PackError::Output)?;
    }
    Ok(warnings)
}

/// The archive of `entry` before and after the rewrite, and its new file. A run that writes nothing has no new file: it
/// reads the old one instead, to find the errors of a run that writes.
fn changed(
    entries: &Entries<'_>,
    entry: &DirectoryEntry,
    archive: RewrittenArchive,
) -> Result<(ChangedArchive, Option<File>), PackError> {
    let old = || entries.read(entry).map_err(failed(entry));
    let new = match &archive.file {
        None => old()?,
        Some(file) => {
            let new = file.try_clone().and_then(reader);
            new.map_err(PackError::Output)?
        }
    };
    let changed = ChangedArchive { name: archive.name, places: archive.places, old: old()?, new };
    Ok((changed, archive.file))
}

/// Adds the new `datapackage.json` and `datapackage-digest.json` to `contents`.
fn packages(
    entries: &Entries<'_>,
    contents: &mut BTreeMap<String, Option<File>>,
    warnings: &mut Vec<Diagnostic>,
) -> Result<(), PackError> {
    let text = |entry: &DirectoryEntry| entries.text(entry).map_err(failed(entry));
    let Some(entry) = entries.find(PACKAGE) else { return Ok(()) };
    let old = text(entry)?;
    let new = datapackage::package(&old, entries, contents).map_err(failed(entry))?;
    let wrong = |file: &str, path: &str, is_updated: bool| {
        let outcome = if is_updated {
            "the new one is right"
        } else {
            "rehref did not update it, because the file did not change"
        };
        let message =
            format!("{file}: the size or hash of {path} was wrong before the rewrite; {outcome}");
        Diagnostic::warning("", "wrong-digest", message)
    };
    let is_updated = |path: &str| contents.contains_key(path);
    warnings.extend(new.wrong.iter().map(|path| wrong(PACKAGE, path, is_updated(path))));
    if let Some(entry) = entries.find(PACKAGE_DIGEST) {
        let updated = datapackage::digest(&text(entry)?, [&old, &new.text]);
        let (new, is_signed) = updated.map_err(failed(entry))?;
        warnings.extend(new.wrong.iter().map(|path| wrong(PACKAGE_DIGEST, path, true)));
        if is_signed {
            let message = format!(
                "{PACKAGE_DIGEST}: the signature is not valid for the new contents, so rehref removed it; sign the file \
                 again"
            );
            warnings.push(Diagnostic::warning("", "signature", message));
        }
        let file = stored(&new.text).map_err(PackError::Output)?;
        contents.insert(PACKAGE_DIGEST.to_owned(), Some(file));
    }
    let package = stored(&new.text).map_err(PackError::Output)?;
    contents.insert(PACKAGE.to_owned(), Some(package));
    Ok(())
}

/// A temporary file with `text`.
fn stored(text: &str) -> io::Result<File> {
    let mut file = TemporaryFile::new()?;
    file.write_all(text.as_bytes())?;
    Ok(file.into_file())
}
