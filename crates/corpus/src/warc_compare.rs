//! Compares two WARC archives record by record, and two WACZ files archive by archive.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use sha2::{Digest, Sha256};

use super::container::Places;
use super::wacz::compare_entries;
use super::warc_counts::RecordCounts;
use super::warc_revisits::{revisit_keys, with_digest};
use crate::warc::source::pairs;
use crate::warc::{ArchiveSource, Capture, PAYLOAD_DIGEST, Record, RecordHeader, Records};
use crate::{
    CompareError, ContainerFile, ContainerFormat, ItemComparer, RecordDocuments, SourceDocument,
};

/// The message about a record that differs although it must not.
const NOT_A_DOCUMENT: &str = "the record differs, and is not a document";

const HEADER: &str = "the header of the record differs";

/// The message about a revisit record with the digest of no capture, or of another one.
const REVISIT_DIGEST: &str =
    "the WARC-Payload-Digest does not match the record that this revisit record refers to";

/// The fields that change with the contents of a record.
const CHANGING: [&str; 3] = ["Content-Length", "WARC-Block-Digest", PAYLOAD_DIGEST];

/// Compares two containers of this `format`, the second of which should be the first after a rewrite, and
/// passes each pair of items to `comparer`. Archives of WACZ files are paired by name. Their other entries must
/// be equal, except indexes and digests, which must match the archives.
///
/// # Errors
/// Returns an error if an archive, an entry, or the directory of one of the files, cannot be read.
pub fn compare_containers(
    format: ContainerFormat,
    before: ContainerFile<'_>,
    after: &Path,
    comparer: &mut dyn ItemComparer,
) -> Result<(), CompareError> {
    let old = format.archives(before.path).map_err(CompareError::before)?;
    let new = format.archives(after).map_err(CompareError::after)?;
    let name = |archive: &ArchiveSource| archive.entry_name().unwrap_or_default().to_owned();
    let names = |archives: &[ArchiveSource]| archives.iter().map(name).collect::<BTreeSet<_>>();
    if names(&old) != names(&new) {
        comparer
            .envelope_differs("", "the file does not contain the same archives as in the old tree");
        return Ok(());
    }
    let mut places = BTreeMap::new();
    let mut is_complete = true;
    for pair in pairs(old, &new) {
        let name = name(&pair[0]);
        let within = if name.is_empty() { String::new() } else { format!("{name}: ") };
        let mut of_archive: Vec<Places> = Vec::new();
        let mut add = |old: &Record, new: &Record, is_changed| {
            if let (Some(old), Some(new)) = (old.place.clone(), new.place.clone()) {
                of_archive.push(Places { old, new, is_changed });
            }
        };
        is_complete &= compare(before, &pair, &within, comparer, &mut add)?;
        places.insert(name, of_archive);
    }
    if format == ContainerFormat::Warc {
        return Ok(());
    }
    // Without counterparts of all records, each line of the indexes would be wrong.
    compare_entries(before.path, after, is_complete.then_some(places), comparer)
}

/// Compares two archives: the same records, of which only documents may differ. Lengths and digests
/// that were right before must be right now, also the digests of revisit records. `within` stands before the names of records.
/// `add` takes each record with its counterpart, and whether they differ. Returns whether all records have one.
fn compare(
    file: ContainerFile<'_>,
    [before, after]: &[ArchiveSource; 2],
    within: &str,
    comparer: &mut dyn ItemComparer,
    add: &mut dyn FnMut(&Record, &Record, bool),
) -> Result<bool, CompareError> {
    let open = |archive| Records::open(archive, false).map(Records::hashing);
    let mut old = open(before).map_err(CompareError::before)?;
    let mut new = open(after).map_err(CompareError::after)?;
    let (mut counts, mut counts_after) = (RecordCounts::default(), RecordCounts::default());
    loop {
        if comparer.is_cancelled() {
            return Ok(false);
        }
        let [next_old, next_new] = [
            old.next_record(|number, head, start| counts.may_hold_references(number, head, start)),
            new.next_record(|number, head, start| {
                counts_after.may_hold_references(number, head, start)
            }),
        ];
        match (next_old.map_err(CompareError::before)?, next_new.map_err(CompareError::after)?) {
            (None, None) => {
                counts.skipped().for_each(|warning| comparer.warn(warning));
                return Ok(true);
            }
            (Some(old), Some(new)) => {
                if old.is_whole {
                    comparer.item();
                }
                add(&old, &new, !is_same(&old, &new));
                records(&old, &new, file, within, comparer);
            }
            (old, _) => {
                let message = match old {
                    Some(_) => "the archive has fewer records than in the old tree",
                    None => "the archive has more records than in the old tree",
                };
                comparer.envelope_differs(within.trim_end_matches(": "), message);
                return Ok(false);
            }
        }
    }
}

fn records(
    old: &Record,
    new: &Record,
    file: ContainerFile<'_>,
    within: &str,
    comparer: &mut dyn ItemComparer,
) {
    let is_block_same = is_block_same(old, new);
    let name = match old.head.target_uri() {
        Some(uri) => format!("{within}record {}, {uri}", old.number),
        None => format!("{within}record {}", old.number),
    };
    let constant = |record: &Record| {
        let values = CHANGING.map(|name| (name, String::new()));
        record.head.with_values(&values).bytes().to_vec()
    };
    if let Some(keys) = revisit_keys(&old.head) {
        let digest = comparer.revisit_digests().of(&keys);
        let expected = with_digest(&old.head, digest);
        let expected = expected.as_ref().unwrap_or(&old.head);
        if is_block_same && old.tail == new.tail {
            if expected.bytes() != new.head.bytes() {
                let without_digest =
                    |head: &RecordHeader| head.with_values(&[(PAYLOAD_DIGEST, String::new())]);
                let is_other_digest =
                    without_digest(expected).bytes() == without_digest(&new.head).bytes();
                comparer
                    .envelope_differs(&name, if is_other_digest { REVISIT_DIGEST } else { HEADER });
            }
            return;
        }
    }
    let is_head_same = old.head.bytes() == new.head.bytes();
    if is_head_same && is_block_same && old.tail == new.tail {
        return;
    }
    if is_block_same || constant(old) != constant(new) || old.tail != new.tail {
        return comparer.envelope_differs(&name, HEADER);
    }
    if !old.is_whole || !new.is_whole {
        return comparer.envelope_differs(&name, NOT_A_DOCUMENT);
    }
    let (Ok(Some(before)), Ok(Some(after))) = (Capture::of(old), Capture::of(new)) else {
        return comparer.envelope_differs(&name, NOT_A_DOCUMENT);
    };
    for difference in before.differences(old, &after, new) {
        comparer.envelope_differs(&name, difference);
    }
    let [old_headers, new_headers] =
        [(&before, old), (&after, new)].map(|(it, of)| it.headers_with_zero_length(of));
    let (options, standard) = (file.options, file.standard);
    let before = RecordDocuments::new(old, &before, &name, options, standard);
    let after = RecordDocuments::new(new, &after, &name, options, standard);
    if let (Some(before), Some(after)) = (before.headers(), after.headers()) {
        // The length of the body has been compared; only the references are left.
        comparer.documents(
            &name,
            &SourceDocument { bytes: old_headers.as_deref().unwrap_or_default(), ..before },
            &SourceDocument { bytes: new_headers.as_deref().unwrap_or_default(), ..after },
        );
    }
    if let Some(before) = before.content() {
        comparer.documents(&name, &before, &after.content_as(before.options));
    }
}

/// Returns true if two records have the same bytes, before compression.
fn is_same(one: &Record, other: &Record) -> bool {
    one.head.bytes() == other.head.bytes() && is_block_same(one, other) && one.tail == other.tail
}

fn is_block_same(one: &Record, other: &Record) -> bool {
    let [one, other] = [(one, other), (other, one)].map(|(record, other)| {
        if record.is_whole && !other.is_whole {
            Cow::Owned(Sha256::digest(&record.block).to_vec())
        } else {
            Cow::Borrowed(&record.block)
        }
    });
    one == other
}
