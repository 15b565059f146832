//! Compares what two WACZ files hold besides the records of archives: the indexes and digests, which follow the archives,
//! and all other entries, which stay as they are.

use std::collections::{BTreeMap, VecDeque};
use std::path::Path;

use sha2::digest::Output;
use sha2::{Digest, Sha256};

use super::super::container::{CompareError, ItemComparer, Places};
use super::datapackage::{Hashes, resources};
use super::index_compare::{ComparedIndex, Indexes};
use super::json::{Members, without};
use super::records::{ChangedArchive, ChangedArchives};
use super::{
    Entries, PACKAGE, PACKAGE_DIGEST, SIGNATURE, in_after, in_before, is_block_index, is_index,
};
use crate::ContainerError;
use crate::files::open_file;
use crate::warc::ArchiveReader;
use crate::warc::wacz::{is_archive, is_derived};
use crate::warc::zip_directory::DirectoryEntry;
use rehref_site::Diagnostic;

/// Compares the entries of the WACZ file at `before` with those of `after`. Of archives, only the checksums are left to
/// compare. Entries that state places and digests of records are those of `archives`, the places of the records by the
/// names of their archives; without it, they are not compared. Values that were wrong before must not change.
///
/// # Errors
/// Returns an error if an entry, or the directory of one of the files, cannot be read.
pub(crate) fn compare_entries(
    before: &Path,
    after: &Path,
    archives: Option<BTreeMap<String, Vec<Places>>>,
    comparer: &mut dyn ItemComparer,
) -> Result<(), CompareError> {
    let old = Entries::open(before).map_err(CompareError::before)?;
    let new = Entries::open(after).map_err(CompareError::after)?;
    let mut compared = Vec::new();
    for (old_entry, new_entry) in pairs(&old, &new, comparer) {
        if comparer.is_cancelled() {
            return Ok(());
        }
        let is_same = is_same([&old, &new], [old_entry, new_entry], comparer)?;
        compared.push((old_entry, new_entry, is_same));
    }
    let states_records = |entry: &DirectoryEntry| is_derived(&entry.data.name);
    for (entry, _, is_same) in &compared {
        let name = &entry.data.name;
        if !is_same && !states_records(entry) && !is_archive(name) {
            comparer.envelope_differs(name, "the entry differs");
        }
    }
    let Some(archives) = archives else { return Ok(()) };
    let is_changed = |places: &Places| places.is_changed || places.old != places.new;
    let mut changed = Vec::new();
    for (name, places) in archives {
        if !places.iter().any(is_changed) {
            continue;
        }
        let open = |entries: &Entries<'_>| Some(entries.read(entries.find(&name)?));
        if let (Some(Ok(old)), Some(Ok(new))) = (open(&old), open(&new)) {
            changed.push(ChangedArchive { name: name.clone(), places, old, new });
        }
    }
    let mut comparison = Comparison {
        old: &old,
        new: &new,
        are_archives_same: changed.is_empty(),
        is_package_same: compared
            .iter()
            .any(|(entry, _, is_same)| *is_same && entry.data.name == PACKAGE),
        hashes: Hashes::default(),
        indexes: Indexes::new(ChangedArchives::new(changed, old.size)),
        comparer,
    };
    // The indexes of blocks need the blocks of the others.
    for is_of_blocks in [false, true] {
        let of_kind = compared.iter().filter(|(entry, ..)| {
            states_records(entry) && (is_index(entry) && is_block_index(entry)) == is_of_blocks
        });
        for (old, new, is_same) in of_kind {
            comparison.entry(old, new, *is_same);
        }
    }
    Ok(())
}

/// The entries of two files in pairs: those of one name in their order. Reports entries without a counterpart.
fn pairs<'e>(
    old: &'e Entries<'_>,
    new: &'e Entries<'_>,
    comparer: &mut dyn ItemComparer,
) -> Vec<(&'e DirectoryEntry, &'e DirectoryEntry)> {
    let mut by_name: BTreeMap<&str, VecDeque<&DirectoryEntry>> = BTreeMap::new();
    for entry in &new.all {
        by_name.entry(&entry.data.name).or_default().push_back(entry);
    }
    let mut found = Vec::new();
    for entry in &old.all {
        match by_name.get_mut(&*entry.data.name).and_then(VecDeque::pop_front) {
            Some(counterpart) => found.push((entry, counterpart)),
            None => comparer.envelope_differs(&entry.data.name, "is missing"),
        }
    }
    for (name, _) in by_name.into_iter().filter(|(_, left)| !left.is_empty()) {
        comparer.envelope_differs(
            name,
            match old.find(name) {
                Some(_) => "the zip file has more entries with this name than in the old tree",
                None => "the old tree has no such entry",
            },
        );
    }
    found
}

/// Whether two entries have the same data, which is read to its end. Damage that both have is a warning.
///
/// # Errors
/// Returns an error if one of the entries is damaged, or cannot be read.
fn is_same(
    [old_entries, new_entries]: [&Entries<'_>; 2],
    [old, new]: [&DirectoryEntry; 2],
    comparer: &mut dyn ItemComparer,
) -> Result<bool, CompareError> {
    let (error, is_before) = match (content(old_entries, old), content(new_entries, new)) {
        // The rewriting copies no such damage.
        (Ok(_), Ok(_)) if old.has_same_header && !new.has_same_header => {
            let message = "the header before the data differs from the zip directory";
            (ContainerError::Other(message.to_owned()), false)
        }
        (Ok(old), Ok(new)) => return Ok(old == new),
        (Err(error), _) => (error, true),
        (_, Err(error)) => (error, false),
    };
    let raw = |entries: &Entries<'_>, entry| {
        let mut hash = Sha256::new();
        let read = entries.read_raw(entry, |part| hash.update(part));
        read.ok().map(|()| hash.finalize())
    };
    let raw_old = raw(old_entries, old);
    let is_damage_same = raw_old.is_some() && raw_old == raw(new_entries, new);
    let declared = |entry: &DirectoryEntry| {
        let data = &entry.data;
        (data.is_deflated, data.size, data.crc, entry.has_same_header)
    };
    if is_damage_same && declared(old) == declared(new) {
        let message = format!("{}: {error}, in both trees", old.data.name);
        comparer.warn(Diagnostic::warning("", "damaged-entry", message));
        return Ok(true);
    }
    let error = ContainerError::Other(format!("{}: {error}", old.data.name));
    Err(if is_before { CompareError::before(error) } else { CompareError::after(error) })
}

/// The hash of the data of `entry`; for an entry that rehref does not decompress, the hash of its bytes in the file.
///
/// # Errors
/// Returns an error if the entry is damaged, or cannot be read.
fn content(
    entries: &Entries<'_>,
    entry: &DirectoryEntry,
) -> Result<Output<Sha256>, ContainerError> {
    let mut hash = Sha256::new();
    if entry.is_readable {
        // Its size and checksum must be right.
        entry.data.read(open_file(entries.path)?.0, |part| hash.update(part))?
    } else {
        entries.read_raw(entry, |part| hash.update(part))?
    }
    Ok(hash.finalize())
}

struct Comparison<'c> {
    old: &'c Entries<'c>,
    new: &'c Entries<'c>,
    are_archives_same: bool,
    is_package_same: bool,
    hashes: Hashes,
    indexes: Indexes,
    comparer: &'c mut dyn ItemComparer,
}

impl Comparison<'_> {
    /// Compares the entry `old` of BEFORE with its counterpart `new`. `is_same`: their data is the same.
    fn entry(&mut self, old: &DirectoryEntry, new: &DirectoryEntry, is_same: bool) {
        if self.comparer.is_cancelled() || self.are_archives_same && is_same {
            return;
        }
        let name = &old.data.name;
        let compared = match &**name {
            PACKAGE => self.package(old, new),
            PACKAGE_DIGEST => self.package_digest(old, new),
            _ if is_index(old) => self.index(old, new),
            _ if is_same => Ok(()),
            _ => Err("the entry differs".to_owned()),
        };
        if let Err(message) = compared {
            self.comparer.envelope_differs(name, &message);
        }
    }

    fn index(&mut self, old: &DirectoryEntry, new: &DirectoryEntry) -> Result<(), String> {
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
            return self.indexes.compare_blocks(files, &mut report);
        }
        let blocks = self.indexes.compare(files, &mut report)?;
        if !blocks.is_empty() {
            let index = ComparedIndex { name: name.clone(), files: open()?, blocks };
            self.indexes.compressed.push(index);
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
        let (old_resources, new_resources) =
            (resources(old).map_err(in_before)?, resources(new).map_err(in_after)?);
        let without = |text, resources: &[Members<'_>]| {
            let values = resources.iter().flat_map(|it| [it.get("bytes"), it.get("hash")]);
            without(text, values.flatten())
        };
        if without(old, &old_resources) != without(new, &new_resources) {
            return Err("the file differs in more than the sizes and hashes of files".to_owned());
        }
        for (old, new) in old_resources.iter().zip(&new_resources) {
            self.resource(old, new);
        }
        Ok(())
    }

    /// Compares what `datapackage.json` says of a file: what changes must be right.
    fn resource(&mut self, old: &Members<'_>, new: &Members<'_>) {
        let path = new.string("path").unwrap_or_default();
        let is_kept = |name: &str| old.get(name) == new.get(name);
        let is_unchanged = is_kept("bytes") && is_kept("hash");
        let (before, after) = (self.old.find(&path), self.new.find(&path));
        let wrong = match after {
            None if is_unchanged => return,
            None => Some(
                "the size or the hash differs, but the WACZ file does not contain this file"
                    .to_owned(),
            ),
            Some(after) => self.wrong_resource(new, after, is_kept),
        };
        let Some(message) = wrong else { return };
        let item = format!("{PACKAGE}: {path}");
        let is_data_same = before.zip(after).is_some_and(|(before, after)| {
            (before.data.size, before.data.crc) == (after.data.size, after.data.crc)
        });
        if is_unchanged && is_data_same {
            let message = format!("{item}: {message}, in both trees");
            self.comparer.warn(Diagnostic::warning("", "wrong-digest", message));
        } else {
            self.comparer.envelope_differs(&item, &message);
        }
    }

    /// Describes what `resource` of AFTER says wrongly of `entry`. `is_kept`: whether the member is as in BEFORE.
    fn wrong_resource(
        &mut self,
        resource: &Members<'_>,
        entry: &DirectoryEntry,
        is_kept: impl Fn(&str) -> bool,
    ) -> Option<String> {
        let is_size = match resource.number_value("bytes") {
            Some(size) => size.value == entry.data.size,
            None => is_kept("bytes"),
        };
        if !is_size {
            return Some("the size does not match the file".to_owned());
        }
        let Some(hash) = resource.string("hash") else {
            return (!is_kept("hash")).then(|| "the hash differs".to_owned());
        };
        match self.hashes.of_entry(&hash, self.new, entry) {
            Ok(right) if is_right(&hash, &right, is_kept("hash")) => None,
            Ok(_) => Some("the hash does not match the file".to_owned()),
            Err(error) => Some(error.to_string()),
        }
    }

    /// Compares `datapackage-digest.json`: only the hash may differ, and must be right. If it differs, a signature must be
    /// gone.
    fn package_digest(&mut self, old: &DirectoryEntry, new: &DirectoryEntry) -> Result<(), String> {
        let texts = self.texts(old, new)?;
        let [old, new] = &texts;
        let parse = |text| serde_json::from_str::<Members<'_>>(text);
        let (old_members, new_members) =
            (parse(old).map_err(in_before)?, parse(new).map_err(in_after)?);
        let Some(package) = self.new.find(PACKAGE) else { return Ok(()) };
        if let Some(hash) = new_members.string("hash") {
            let right = self.hashes.of_entry(&hash, self.new, package);
            let is_kept = old_members.get("hash") == new_members.get("hash");
            if !is_right(&hash, &right.map_err(in_after)?, is_kept) {
                return Err(format!("the hash does not match {PACKAGE}"));
            }
        }
        let is_signed = |members: &Members<'_>| members.get(SIGNATURE).is_some();
        let is_same = match (is_signed(&old_members), is_signed(&new_members)) {
            // Of the same contents, the signature stays valid.
            (true, false) if self.is_package_same => {
                return Err("the signature is missing".to_owned());
            }
            (true, false) => others(&old_members) == others(&new_members),
            (true, true) if old_members.get("hash") != new_members.get("hash") => {
                return Err(format!("the signature is not valid for the new {PACKAGE}"));
            }
            _ => without(old, old_members.get("hash")) == without(new, new_members.get("hash")),
        };
        if is_same {
            Ok(())
        } else {
            Err("the file differs in more than the hash and the signature".to_owned())
        }
    }
}

/// The members other than the hash and the signature.
fn others<'m>(members: &'m Members<'_>) -> Vec<(&'m str, &'m str)> {
    let members = members.0.iter();
    let others = members.filter(|(name, _)| name != "hash" && name != SIGNATURE);
    others.map(|(name, value)| (&**name, value.get())).collect()
}

/// Returns true if `hash` is the `right` one. Other programs may write capital letters, but a new hash has none.
fn is_right(hash: &str, right: &str, is_kept: bool) -> bool {
    hash == right || is_kept && hash.eq_ignore_ascii_case(right)
}
