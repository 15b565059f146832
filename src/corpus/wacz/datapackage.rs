//! Updates `datapackage.json` and `datapackage-digest.json`: the sizes and hashes of changed files.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

use data_encoding::HEXLOWER;
use md5::Md5;
use sha2::{Digest, Sha256};

use super::BUFFER;
use super::json::{Edits, Members, number_like, string};

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

/// The new text of `datapackage.json`, whose old text is `text`, with the sizes and hashes of the files in `contents`.
///
/// # Errors
/// When the text is not a data package, or a hash in it cannot be computed.
pub(super) fn package(
    text: &str,
    contents: &mut BTreeMap<String, File>,
) -> Result<String, PackageError> {
    let mut edits = Edits::new(text);
    let package: Members<'_> = serde_json::from_str(text)?;
    let resources: Vec<Members<'_>> =
        serde_json::from_str(package.get("resources").unwrap_or("[]"))?;
    for resource in &resources {
        let path = resource.string("path").unwrap_or_default();
        let Some(file) = contents.get_mut(&path) else {
            continue;
        };
        if let Some(bytes) = resource.get("bytes") {
            edits.replace(bytes, number_like(bytes, file.metadata()?.len()));
        }
        if let (Some(old), Some(hash)) = (resource.get("hash"), resource.string("hash")) {
            edits.replace(old, string(&hash_like(&hash, file)?));
        }
    }
    Ok(edits.finish().unwrap_or_else(|| text.to_owned()))
}

/// The new text of `datapackage-digest.json`, whose old text is `text`, and whether a signature was removed from it: that of
/// the old hash is not valid for the new one. `package` is the new `datapackage.json`.
///
/// # Errors
/// When the text is not a JSON object, or the hash in it cannot be computed.
pub(super) fn digest(text: &str, package: &mut File) -> Result<(String, bool), PackageError> {
    let mut edits = Edits::new(text);
    let members: Members<'_> = serde_json::from_str(text)?;
    if let (Some(old), Some(hash)) = (members.get("hash"), members.string("hash")) {
        edits.replace(old, string(&hash_like(&hash, package)?));
    }
    let new = edits.finish().unwrap_or_else(|| text.to_owned());
    if members.get("signedData").is_none() {
        return Ok((new, false));
    }
    let members: Members<'_> = serde_json::from_str(&new)?;
    let kept = members.0.iter().filter(|(name, _)| name != "signedData");
    let kept: Vec<String> = kept
        .map(|(name, value)| format!("  {}: {}", string(name), value.get()))
        .collect();
    Ok((format!("{{\n{}\n}}", kept.join(",\n")), true))
}

/// The hash of `file` by the algorithm of the hash `old`.
fn hash_like(old: &str, file: &mut File) -> Result<String, PackageError> {
    let (label, digits) = old.split_once(':').unwrap_or_default();
    let new = match label {
        "sha256" => hash::<Sha256>(file)?,
        "md5" => hash::<Md5>(file)?,
        _ => return Err(PackageError::Hash(old.to_owned())),
    };
    match digits.len() == new.len() {
        true => Ok(format!("{label}:{new}")),
        false => Err(PackageError::Hash(old.to_owned())),
    }
}

fn hash<D: Digest>(file: &mut File) -> io::Result<String> {
    file.seek(SeekFrom::Start(0))?;
    let (mut hash, mut step) = (D::new(), vec![0; BUFFER]);
    loop {
        match file.read(&mut step)? {
            0 => return Ok(HEXLOWER.encode(&hash.finalize())),
            read => hash.update(step.get(..read).unwrap_or_default()),
        }
    }
}
