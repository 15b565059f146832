//! Compares what two WACZ files hold besides archives and pages: the indexes and digests, which follow the archives.

use std::collections::BTreeMap;
use std::path::Path;

use super::super::container::{ItemComparer, RecordPlaces, Remark};
use super::super::error::ContainerError;
use super::datapackage::{is_hash, resources};
use super::index_compare::{ComparedIndex, Indexes};
use super::json::{Members, without};
use super::records::ChangedArchive;
use super::sides::{in_after, in_before};
use super::{Entries, PACKAGE, PACKAGE_DIGEST, SIGNATURE, is_block_index, is_index};
use crate::warc::source::ArchiveReader;
use crate::warc::wacz::is_derived;
use crate::warc::zip_writer::DirectoryEntry;

/// Compares the entries of the WACZ file at `before` that state places and digests of records with those of `after`.
/// `archives`: the places of the records, by the names of their archives. Values that were wrong before must not change.
///
/// # Errors
/// When the directory of one of the files cannot be read.
pub(crate) fn derived_entries(
    before: &Path,
    after: &Path,
    archives: BTreeMap<String, Vec<RecordPlaces>>,
    comparer: &mut dyn ItemComparer,
) -> Result<(), ContainerError> {
    let old = Entries::open(before)?;
    let new = Entries::open(after)?;
    let has =
        |entries: &Entries<'_>, entry: &DirectoryEntry| entries.find(&entry.data.name).is_some();
    for entry in new.all.iter().filter(|it| is_derived(&it.data.name)) {
        if !has(&old, entry) {
            comparer.envelope_differs(&entry.data.name, "is not in BEFORE");
        }
    }
    let is_changed = |places: &RecordPlaces| places.is_changed || places.old != places.new;
    let mut changed = Vec::new();
    for (name, places) in archives {
        if !places.iter().any(is_changed) {
            continue;
        }
        let open = |entries: &Entries<'_>| Some(entries.read(entries.find(&name)?));
        if let (Some(Ok(old)), Some(Ok(new))) = (open(&old), open(&new)) {
            changed.push(ChangedArchive {
                name: name.clone(),
                places,
                old,
                new,
            });
        }
    }
    let mut comparison = Comparison {
        old: &old,
        new: &new,
        are_archives_same: changed.is_empty(),
        comparer,
    };
    let mut indexes = Indexes::new(changed);
    // The indexes of blocks need the blocks of the others.
    let derived = || old.all.iter().filter(|it| is_derived(&it.data.name));
    for entry in derived().filter(|it| !is_block_index(it)) {
        comparison.entry(entry, &mut indexes);
    }
    for entry in derived().filter(|it| is_block_index(it)) {
        comparison.entry(entry, &mut indexes);
    }
    Ok(())
}

struct Comparison<'c> {
    old: &'c Entries<'c>,
    new: &'c Entries<'c>,
    are_archives_same: bool,
    comparer: &'c mut dyn ItemComparer,
}

impl Comparison<'_> {
    /// Compares the entry `old` of BEFORE with the one of the same name.
    fn entry(&mut self, old: &DirectoryEntry, indexes: &mut Indexes) {
        if self.comparer.is_cancelled() {
            return;
        }
        let name = &old.data.name;
        let Some(new) = self.new.find(name) else {
            return self.comparer.envelope_differs(name, "is missing");
        };
        if self.are_archives_same && is_same(old, new) {
            return;
        }
        let compared = match &**name {
            PACKAGE => self.package(old, new),
            PACKAGE_DIGEST => self.package_digest(old, new),
            _ if is_index(old) => self.index(old, new, indexes),
            _ if is_same(old, new) => Ok(()),
            _ => Err("the entry differs".to_owned()),
        };
        if let Err(message) = compared {
            self.comparer.envelope_differs(name, &message);
        }
    }

    fn index(
        &mut self,
        old: &DirectoryEntry,
        new: &DirectoryEntry,
        indexes: &mut Indexes,
    ) -> Result<(), String> {
        let open = || {
            Ok::<_, String>([
                self.old.read(old).map_err(in_before)?,
                self.new.read(new).map_err(in_after)?,
            ])
        };
        let files: [ArchiveReader; 2] = open()?;
        let name = &old.data.name;
        let comparer = &mut *self.comparer;
        let mut report = |line: usize, message: &str| {
            comparer.envelope_differs(&format!("{name}: line {line}"), message)
        };
        if is_block_index(old) {
            return indexes.compare_blocks(files, &mut report);
        }
        let blocks = indexes.compare(files, &mut report)?;
        if !blocks.is_empty() {
            indexes.compressed.push(ComparedIndex {
                name: name.clone(),
                files: open()?,
                blocks,
            });
        }
        Ok(())
    }

    /// The texts of an entry in BEFORE and AFTER.
    fn texts(&self, old: &DirectoryEntry, new: &DirectoryEntry) -> Result<[String; 2], String> {
        let old = self.old.text(old).map_err(in_before)?;
        Ok([old, self.new.text(new).map_err(in_after)?])
    }

    /// Compares `datapackage.json`: only the sizes and hashes of files may differ, and must be right.
    fn package(&mut self, old: &DirectoryEntry, new: &DirectoryEntry) -> Result<(), String> {
        let texts = self.texts(old, new)?;
        let [old, new] = &texts;
        let (old_resources, new_resources) = (
            resources(old).map_err(in_before)?,
            resources(new).map_err(in_after)?,
        );
        let without = |text, resources: &[Members<'_>]| {
            let values = resources
                .iter()
                .flat_map(|it| [it.get("bytes"), it.get("hash")]);
            without(text, values.flatten())
        };
        if without(old, &old_resources) != without(new, &new_resources) {
            return Err("differs in more than sizes and hashes of files".to_owned());
        }
        for (old, new) in old_resources.iter().zip(&new_resources) {
            self.resource(old, new);
        }
        Ok(())
    }

    /// Compares what `datapackage.json` says of a file.
    fn resource(&mut self, old: &Members<'_>, new: &Members<'_>) {
        let path = new.string("path").unwrap_or_default();
        let (Some(before), Some(after)) = (self.old.find(&path), self.new.find(&path)) else {
            return;
        };
        let data = || self.new.read(after).map_err(|error| error.to_string());
        let size = new.number_value("bytes");
        let is_size = size.is_none_or(|size| size.value == after.data.size);
        let is_hash = || match new.string("hash") {
            None => Ok(true),
            Some(hash) => is_hash(&hash, &mut data()?).map_err(|error| error.to_string()),
        };
        let message = match (is_size, is_hash()) {
            (true, Ok(true)) => return,
            (false, _) => "the size is not that of the file".to_owned(),
            (true, Ok(false)) => "the hash is not that of the file".to_owned(),
            (true, Err(error)) => error,
        };
        let item = format!("{PACKAGE}: {path}");
        let is_unchanged = ["bytes", "hash"]
            .iter()
            .all(|it| old.get(it) == new.get(it));
        if is_unchanged && is_same(before, after) {
            self.comparer.remark(Remark {
                code: "wrong-digest",
                message: format!("{item}: {message}, in BEFORE and AFTER"),
                is_skipped: false,
            });
        } else {
            self.comparer.envelope_differs(&item, &message);
        }
    }

    /// Compares `datapackage-digest.json`: only the hash may differ, and must be right. If it differs, a signature must be
    /// gone.
    fn package_digest(&mut self, old: &DirectoryEntry, new: &DirectoryEntry) -> Result<(), String> {
        let texts = self.texts(old, new)?;
        let [old, new] = &texts;
        let parse = |text| serde_json::from_str::<Members<'_>>(text);
        let (old_members, new_members) = (
            parse(old).map_err(in_before)?,
            parse(new).map_err(in_after)?,
        );
        let Some(package) = self.new.find(PACKAGE) else {
            return Ok(());
        };
        if let Some(hash) = new_members.string("hash") {
            let mut package = self.new.read(package).map_err(in_after)?;
            if !is_hash(&hash, &mut package).map_err(in_after)? {
                return Err(format!("the hash is not that of {PACKAGE}"));
            }
        }
        let is_signed = |members: &Members<'_>| members.get(SIGNATURE).is_some();
        let is_same = match (is_signed(&old_members), is_signed(&new_members)) {
            (true, false) => others(&old_members) == others(&new_members),
            (true, true) if old_members.get("hash") != new_members.get("hash") => {
                return Err(format!("the signature is not valid for the new {PACKAGE}"));
            }
            _ => without(old, old_members.get("hash")) == without(new, new_members.get("hash")),
        };
        match is_same {
            true => Ok(()),
            false => Err("differs in more than the hash and the signature".to_owned()),
        }
    }
}

/// The members other than the hash and the signature.
fn others<'m>(members: &'m Members<'_>) -> Vec<(&'m str, &'m str)> {
    let members = members.0.iter();
    let others = members.filter(|(name, _)| name != "hash" && name != SIGNATURE);
    others.map(|(name, value)| (&**name, value.get())).collect()
}

/// Whether two entries have the same data, by size and checksum.
fn is_same(one: &DirectoryEntry, other: &DirectoryEntry) -> bool {
    (one.data.size, one.data.crc) == (other.data.size, other.data.crc)
}
