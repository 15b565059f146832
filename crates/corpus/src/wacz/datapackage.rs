//! Updates `datapackage.json` and `datapackage-digest.json`: the sizes and hashes of changed files.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

use data_encoding::HEXLOWER;
use md5::Md5;
use sha2::{Digest, Sha256};

use super::json::{Edits, Members, Value, string};
use super::{BUFFER, Entries, PACKAGE, SIGNATURE};

/// Why a file cannot be updated.
#[derive(Debug, thiserror::Error)]
pub(super) enum PackageError {
    #[error("cannot be read: {0}")]
    Read(#[from] io::Error),
    #[error("is not a data package: {0}")]
    Json(#[from] serde_json::Error),
    #[error("the hash {0} is not of SHA-256 or MD5 in hexadecimal digits")]
    Hash(String),
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
/// When the text is not a data package, or a hash in it cannot be computed.
pub(super) fn package(
    text: &str,
    entries: &Entries<'_>,
    contents: &mut BTreeMap<String, Option<File>>,
) -> Result<UpdatedText, PackageError> {
    let mut edits = Edits::new(text);
    let mut wrong = Vec::new();
    for resource in resources(text)? {
        let path = resource.string("path").unwrap_or_default();
        let Some(entry) = entries.find(&path) else {
            continue;
        };
        let (bytes, hash) = (
            resource.number_value("bytes"),
            resource.string_value("hash"),
        );
        let is_size = |bytes: &Value<'_, u64>| bytes.value == entry.data.size;
        let mut is_right = bytes.as_ref().is_none_or(is_size);
        if let (Some(hash), Ok(mut data)) = (&hash, entries.read(entry))
            && let Ok(is_hash) = is_hash(&hash.value, &mut data)
        {
            is_right &= is_hash;
        }
        if !is_right {
            wrong.push(path.clone());
        }
        let Some(new) = contents.get_mut(&path) else {
            continue;
        };
        if let Some(hash) = &hash {
            algorithm(&hash.value)?;
        }
        let Some(new) = new else { continue };
        if let Some(bytes) = resource.get("bytes") {
            let length = new.metadata()?.len();
            edits.replace(
                bytes,
                Value {
                    text: bytes,
                    value: 0,
                }
                .spell(length),
            );
        }
        if let Some(hash) = &hash {
            new.seek(SeekFrom::Start(0))?;
            edits.replace(hash.text, hash.spell(&hash_like(&hash.value, new)?));
        }
    }
    Ok(UpdatedText {
        text: edits.finish().unwrap_or_else(|| text.to_owned()),
        wrong,
    })
}

/// The members of `resources` in the text of `datapackage.json`.
///
/// # Errors
/// When the text is not a data package.
pub(super) fn resources(text: &str) -> Result<Vec<Members<'_>>, PackageError> {
    let package: Members<'_> = serde_json::from_str(text)?;
    let resources = package.get("resources").unwrap_or("[]");
    Ok(serde_json::from_str(resources)?)
}

/// Updates `text`, that of `datapackage-digest.json`, and returns whether a signature was removed from it: that of the old
/// hash is not valid for the new one. `package`: the old and the new text of `datapackage.json`.
///
/// # Errors
/// When the text is not a JSON object, or the hash in it cannot be computed.
pub(super) fn digest(
    text: &str,
    [old, new]: [&str; 2],
) -> Result<(UpdatedText, bool), PackageError> {
    let mut edits = Edits::new(text);
    let mut wrong = Vec::new();
    let members: Members<'_> = serde_json::from_str(text)?;
    if let Some(hash) = members.string_value("hash") {
        edits.replace(
            hash.text,
            hash.spell(&hash_like(&hash.value, &mut new.as_bytes())?),
        );
        if !is_hash(&hash.value, &mut old.as_bytes())? {
            wrong.push(PACKAGE.to_owned());
        }
    }
    let text = edits.finish().unwrap_or_else(|| text.to_owned());
    if members.get(SIGNATURE).is_none() {
        return Ok((UpdatedText { text, wrong }, false));
    }
    let members: Members<'_> = serde_json::from_str(&text)?;
    let kept = members.0.iter().filter(|(name, _)| name != SIGNATURE);
    let kept: Vec<String> = kept
        .map(|(name, value)| format!("  {}: {}", string(name), value.get()))
        .collect();
    let text = format!("{{\n{}\n}}", kept.join(",\n"));
    Ok((UpdatedText { text, wrong }, true))
}

/// Whether `hash` is that of the bytes of `data`.
///
/// # Errors
/// When the algorithm is not known, or `data` cannot be read.
pub(super) fn is_hash(hash: &str, data: &mut impl Read) -> Result<bool, PackageError> {
    Ok(hash.eq_ignore_ascii_case(&hash_like(hash, data)?))
}

/// The hash of `data` by the algorithm of the hash `old`.
fn hash_like(old: &str, data: &mut impl Read) -> Result<String, PackageError> {
    let (label, algorithm) = algorithm(old)?;
    let hash = match algorithm {
        Algorithm::Sha256 => hash::<Sha256>(data)?,
        Algorithm::Md5 => hash::<Md5>(data)?,
    };
    Ok(format!("{label}:{hash}"))
}

#[derive(Clone, Copy)]
enum Algorithm {
    Sha256,
    Md5,
}

/// The algorithms by their names, and the lengths of their hashes in hexadecimal digits.
const ALGORITHMS: [(&str, Algorithm, usize); 2] = [
    ("sha256", Algorithm::Sha256, 64),
    ("md5", Algorithm::Md5, 32),
];

/// The algorithm of `hash`, and its name.
fn algorithm(hash: &str) -> Result<(&str, Algorithm), PackageError> {
    let (label, digits) = hash.split_once(':').unwrap_or_default();
    let mut rows = ALGORITHMS.iter();
    let row = rows.find(|(name, _, length)| *name == label && *length == digits.len());
    let (_, algorithm, _) = row.ok_or_else(|| PackageError::Hash(hash.to_owned()))?;
    Ok((label, *algorithm))
}

fn hash<D: Digest>(data: &mut impl Read) -> io::Result<String> {
    let (mut hash, mut step) = (D::new(), vec![0; BUFFER]);
    loop {
        match data.read(&mut step)? {
            0 => return Ok(HEXLOWER.encode(&hash.finalize())),
            read => hash.update(step.get(..read).unwrap_or_default()),
        }
    }
}
