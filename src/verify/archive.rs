//! Two archives, of which the second should be the first with its documents rewritten: record by
//! record.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use encoding_rs::Encoding;
use sha2::{Digest, Sha256};

use super::document::{Context, DocumentComparison, verify_document};
use super::report::{Difference, DifferenceKind};
use crate::document::{DocumentKind, ParseOptions};
use crate::url::{AbsoluteUrl, Standard};
use crate::warc::ArchiveError;
use crate::warc::document::{Archived, may_be_document};
use crate::warc::record::{Hashed, Head, Piece, Record, Records};

/// What is to be the same in two archives.
#[derive(Clone, Copy)]
pub(super) struct ArchiveContext<'c> {
    pub(super) options: ParseOptions,
    pub(super) standard: Standard,
    pub(super) follow: &'c dyn Fn(&AbsoluteUrl) -> AbsoluteUrl,
    pub(super) same: &'c dyn Fn(&AbsoluteUrl, &AbsoluteUrl) -> bool,
    pub(super) limit: usize,
}

/// Said of what only a document may do.
const NO_DOCUMENT: &str = "it differs, and is no document";

/// The fields that change with the contents of a record.
const CHANGING: [&str; 3] = ["Content-Length", "WARC-Block-Digest", "WARC-Payload-Digest"];

/// Compares the archives `before` and `after`: the same records, of which only documents may differ,
/// and those as [`verify_document`] says; what their headers say of their contents is right where it
/// was.
///
/// # Errors
/// When one of them cannot be read.
pub(super) fn verify_archive(
    before: &Path,
    after: &Path,
    context: &ArchiveContext<'_>,
) -> Result<DocumentComparison, ArchiveError> {
    let (mut old, mut new) = (Reader::open(before)?, Reader::open(after)?);
    let mut verified = DocumentComparison::default();
    loop {
        let (old, new) = match (old.next()?, new.next()?) {
            (None, None) => return Ok(verified),
            (Some(old), Some(new)) => (old, new),
            (old, _) => {
                let message = match old {
                    Some(_) => "has fewer records than BEFORE",
                    None => "has more records than BEFORE",
                };
                add(&mut verified, context, DifferenceKind::Bytes, "", message);
                return Ok(verified);
            }
        };
        compare(&old, &new, context, &mut verified);
    }
}

fn add(
    verified: &mut DocumentComparison,
    context: &ArchiveContext<'_>,
    kind: DifferenceKind,
    place: &str,
    message: &str,
) {
    verified.count += 1;
    if verified.differences.len() < context.limit {
        let difference = Difference::of_file(kind, message);
        verified.differences.push(difference.within(place));
    }
}

fn compare(
    old: &Read,
    new: &Read,
    context: &ArchiveContext<'_>,
    verified: &mut DocumentComparison,
) {
    let name = match old.head().target_uri() {
        Some(uri) => format!("record {}, {uri}", old.number()),
        None => format!("record {}", old.number()),
    };
    let mut bytes_differ =
        |message: &str| add(verified, context, DifferenceKind::Bytes, &name, message);
    let constant = |read: &Read| {
        let values = CHANGING.map(|name| (name, String::new()));
        read.head().with_values(&values).bytes().to_vec()
    };
    let is_head_same = old.head().bytes() == new.head().bytes();
    let is_block_same = old.is_block_of(new);
    if is_head_same && is_block_same && old.tail() == new.tail() {
        return;
    }
    if is_block_same || constant(old) != constant(new) || old.tail() != new.tail() {
        return bytes_differ("its header differs");
    }
    let (Read::Whole(old), Read::Whole(new)) = (old, new) else {
        return bytes_differ(NO_DOCUMENT);
    };
    let (Ok(Some(before)), Ok(Some(after))) = (Archived::of(old), Archived::of(new)) else {
        return bytes_differ(NO_DOCUMENT);
    };
    for misfit in before.misfits(old, &after, new) {
        bytes_differ(misfit);
    }
    let headers = [(&before, old), (&after, new)].map(|(it, of)| it.headers_without_length(of));
    if let [Some(old_headers), Some(new_headers)] = headers {
        let url = AbsoluteUrl::new(context.standard, before.url.clone());
        let pair = [(&*old_headers, &url), (&*new_headers, &url)];
        documents(pair, DocumentKind::Message, None, context, &name, verified);
    }
    if let Some(kind) = before.kind {
        let own_before = before.own(old, context.standard);
        let own_after = after.own(new, context.standard);
        let pair = [(before.bytes(), &own_before), (after.bytes(), &own_after)];
        documents(pair, kind, before.charset, context, &name, verified);
    }
}

/// Compares two documents of the record `name`, each with its URL.
fn documents(
    [(before, own_before), (after, own_after)]: [(&[u8], &AbsoluteUrl); 2],
    kind: DocumentKind,
    charset: Option<&'static Encoding>,
    context: &ArchiveContext<'_>,
    name: &str,
    verified: &mut DocumentComparison,
) {
    let documents = Context {
        options: ParseOptions {
            kind,
            charset: context.options.charset.or(charset),
            ..context.options
        },
        before: own_before,
        after: own_after,
        follow: context.follow,
        same: context.same,
        limit: context.limit,
    };
    match verify_document(before, after, &documents) {
        Ok(found) => {
            verified.references += found.references;
            verified.count += found.count;
            let room = context.limit.saturating_sub(verified.differences.len());
            let differences = found.differences.into_iter().take(room);
            verified
                .differences
                .extend(differences.map(|difference| difference.within(name)));
        }
        Err(error) if before != after => {
            let message = format!("changed, though BEFORE cannot be worked on: {error}");
            add(verified, context, DifferenceKind::Bytes, name, &message);
        }
        Err(_) => {}
    }
}

/// A record as far as it takes to compare it: those that may be documents whole.
enum Read {
    Whole(Record),
    Hashed(Hashed),
}

impl Read {
    fn number(&self) -> usize {
        match self {
            Read::Whole(record) => record.number,
            Read::Hashed(record) => record.number,
        }
    }

    fn head(&self) -> &Head {
        match self {
            Read::Whole(record) => &record.head,
            Read::Hashed(record) => &record.head,
        }
    }

    fn tail(&self) -> &[u8] {
        match self {
            Read::Whole(record) => &record.tail,
            Read::Hashed(record) => &record.tail,
        }
    }

    /// Whether its block is that of `other`, too.
    fn is_block_of(&self, other: &Read) -> bool {
        let digest = |record: &Record| <[u8; 32]>::from(Sha256::digest(&record.block));
        match (self, other) {
            (Read::Whole(one), Read::Whole(other)) => one.block == other.block,
            (Read::Hashed(one), Read::Hashed(other)) => one.digest == other.digest,
            (Read::Whole(whole), Read::Hashed(hashed))
            | (Read::Hashed(hashed), Read::Whole(whole)) => digest(whole) == hashed.digest,
        }
    }
}

/// All records of an archive.
struct Reader {
    records: Records<BufReader<File>>,
}

impl Reader {
    fn open(path: &Path) -> Result<Reader, ArchiveError> {
        let records = Records::open(path, false)?.hashing();
        Ok(Reader { records })
    }

    fn next(&mut self) -> Result<Option<Read>, ArchiveError> {
        let is_wanted =
            |_, head: &Head, start: &[u8]| may_be_document(head, start).unwrap_or(false);
        loop {
            match self.records.next_piece(is_wanted)? {
                Some(Piece::Held(record)) => return Ok(Some(Read::Whole(record))),
                Some(Piece::Hashed(record)) => return Ok(Some(Read::Hashed(record))),
                // Nothing but white space.
                Some(Piece::Passed(_) | Piece::Member(_)) => {}
                None => return Ok(None),
            }
        }
    }
}
