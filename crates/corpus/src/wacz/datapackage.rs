//! Updates `datapackage.json` and `datapackage-digest.json`: the sizes and hashes of changed files.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

use data_encoding::HEXLOWER;
use md5::Md5;
use sha2::{Digest, Sha256};

use super::json::{Edits, Members, Value, string};
use super::{BUFFER, Entries, PACKAGE, SIGNATURE};
use crate::ContainerError;
use crate::warc::zip_directory::DirectoryEntry;

/// For `map_err`: a text is not one of a data package.
fn no_package(error: serde_json::Error) -> ContainerError {
    ContainerError::Other(format!("the file is not a data package: {error}"))
}

/// A new text.
pub(super) struct UpdatedText {
    pub(super) text: String,
    /// The files whose size or hash was wrong in the old text.
    pub(super) wrong: Vec<String>,
}

/// Updates `text`, that of `datapackage.json` in `entries`: the sizes and hashes of the files in `contents`; `None` for
/// contents that are not written. Other files keep them.
///
/// # Errors
/// Returns an error if the text is not a data package, or a hash in it cannot be computed.
pub(super) fn package(
    text: &str,
    entries: &Entries<'_>,
    contents: &mut BTreeMap<String, Option<File>>,
) -> Result<UpdatedText, ContainerError> {
    let mut edits = Edits::new(text);
    let mut wrong = Vec::new();
    let (mut old_hashes, mut new_hashes) = (Hashes::default(), Hashes::default());
    for resource in resources(text)? {
        let path = resource.string("path").unwrap_or_default();
        let Some(entry) = entries.find(&path) else { continue };
        let (bytes, hash) = (resource.number_value("bytes"), resource.string_value("hash"));
        let is_size = |bytes: &Value<'_, u64>| bytes.value == entry.data.size;
        let mut is_right = bytes.as_ref().is_none_or(is_size);
        if let Some(hash) = &hash
            && let Ok(right) = old_hashes.of_entry(&hash.value, entries, entry)
        {
            is_right &= right.eq_ignore_ascii_case(&hash.value);
        }
        if !is_right {
            wrong.push(path.clone());
        }
        let Some(new) = contents.get_mut(&path) else { continue };
        if let Some(hash) = &hash {
            algorithm(&hash.value)?;
        }
        let Some(new) = new else { continue };
        if let Some(bytes) = resource.get("bytes") {
            let length = new.metadata()?.len();
            edits.replace(bytes, Value { text: bytes, value: 0 }.spell(length));
        }
        if let Some(hash) = &hash {
            let right = new_hashes.of(&hash.value, &path, || {
                new.seek(SeekFrom::Start(0))?;
                Ok(new)
            })?;
            edits.replace(hash.text, hash.spell(&right));
        }
    }
    Ok(UpdatedText { text: edits.finish().unwrap_or_else(|| text.to_owned()), wrong })
}

/// Returns the members of `resources` in the text of `datapackage.json`.
///
/// # Errors
/// Returns an error if the text is not a data package.
pub(super) fn resources(text: &str) -> Result<Vec<Members<'_>>, ContainerError> {
    let package: Members<'_> = serde_json::from_str(text).map_err(no_package)?;
    let resources = package.get("resources").unwrap_or("[]");
    serde_json::from_str(resources).map_err(no_package)
}

/// Updates `text`, that of `datapackage-digest.json`, and returns whether a signature was removed from it: that of the old
/// hash is not valid for the new one. `package`: the old and the new text of `datapackage.json`.
///
/// # Errors
/// Returns an error if the text is not a JSON object, or the hash in it cannot be computed.
pub(super) fn digest(
    text: &str,
    [old, new]: [&str; 2],
) -> Result<(UpdatedText, bool), ContainerError> {
    let mut edits = Edits::new(text);
    let mut wrong = Vec::new();
    let members: Members<'_> = serde_json::from_str(text).map_err(no_package)?;
    if let Some(hash) = members.string_value("hash") {
        edits.replace(hash.text, hash.spell(&hash_like(&hash.value, &mut new.as_bytes())?));
        let right = hash_like(&hash.value, &mut old.as_bytes())?;
        if !right.eq_ignore_ascii_case(&hash.value) {
            wrong.push(PACKAGE.to_owned());
        }
    }
    let text = edits.finish().unwrap_or_else(|| text.to_owned());
    if members.get(SIGNATURE).is_none() || old == new {
        return Ok((UpdatedText { text, wrong }, false));
    }
    let members: Members<'_> = serde_json::from_str(&text).map_err(no_package)?;
    let kept = members.0.iter().filter(|(name, _)| name != SIGNATURE);
    let kept: Vec<String> =
        kept.map(|(name, value)| format!("  {}: {}", string(name), value.get())).collect();
    let text = format!("{{\n{}\n}}", kept.join(",\n"));
    Ok((UpdatedText { text, wrong }, true))
}

/// The hashes of files, each computed once, however often a data package names the file.
#[derive(Default)]
pub(super) struct Hashes(BTreeMap<(String, String), String>);

impl Hashes {
    /// Returns the hash of the data of `entry` by the algorithm of the hash `like`.
    ///
    /// # Errors
    /// Returns an error if the algorithm is not known, or the entry cannot be read.
    pub(super) fn of_entry(
        &mut self,
        like: &str,
        entries: &Entries<'_>,
        entry: &DirectoryEntry,
    ) -> Result<String, ContainerError> {
        self.of(like, &entry.data.name, || entries.read(entry))
    }

    /// The hash of the file at `path`, which `open` opens, by the algorithm of the hash `like`.
    fn of<R: Read>(
        &mut self,
        like: &str,
        path: &str,
        open: impl FnOnce() -> Result<R, ContainerError>,
    ) -> Result<String, ContainerError> {
        let key = (path.to_owned(), algorithm(like)?.0.to_owned());
        if let Some(known) = self.0.get(&key) {
            return Ok(known.clone());
        }
        let hash = hash_like(like, &mut open()?)?;
        self.0.insert(key, hash.clone());
        Ok(hash)
    }
}

/// The hash of `data` by the algorithm of the hash `old`.
fn hash_like(old: &str, data: &mut impl Read) -> Result<String, ContainerError> {
    let (label, hash) = algorithm(old)?;
    Ok(format!("{label}:{}", hash(data)?))
}

/// Computes a hash in hexadecimal digits.
type Hasher = fn(&mut dyn Read) -> io::Result<String>;

/// The algorithms by their names, and the lengths of their hashes in hexadecimal digits.
const ALGORITHMS: [(&str, Hasher, usize); 2] =
    [("sha256", hash::<Sha256>, 64), ("md5", hash::<Md5>, 32)];

/// The algorithm of `hash`, after its name.
fn algorithm(hash: &str) -> Result<(&str, Hasher), ContainerError> {
    let (label, digits) = hash.split_once(':').unwrap_or_default();
    let mut rows = ALGORITHMS.iter();
    let row = rows.find(|(name, _, length)| *name == label && *length == digits.len());
    let (_, algorithm, _) = row.ok_or_else(|| {
        let message = format!("the hash {hash} is not of SHA-256 or MD5 in hexadecimal digits");
        ContainerError::Other(message)
    })?;
    Ok((label, *algorithm))
}

fn hash<D: Digest>(data: &mut dyn Read) -> io::Result<String> {
    let (mut hash, mut step) = (D::new(), vec![0; BUFFER]);
    loop {
        match data.read(&mut step)? {
            0 => return Ok(HEXLOWER.encode(&hash.finalize())),
            read => hash.update(step.get(..read).unwrap_or_default()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_once_for_each_algorithm() {
        let mut hashes = Hashes::default();
        let mut opened = 0;
        let (sha256, md5) = (format!("sha256:{:064}", 0), format!("md5:{:032}", 0));
        for like in [&sha256, &md5, &sha256, &md5] {
            for path in ["a", "b"] {
                let mut open = || {
                    opened += 1;
                    Ok(path.as_bytes())
                };
                let hash = hashes.of(like, path, &mut open).unwrap();
                assert_eq!(hash, hash_like(like, &mut path.as_bytes()).unwrap());
            }
        }
        assert_eq!(opened, 4);
        assert!(hashes.of("sha1:00", "a", || Ok(&b""[..])).is_err());
    }
}
