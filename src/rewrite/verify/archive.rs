//! Two archives, of which the second should be the first with its documents rewritten: record by
//! record.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use encoding_rs::Encoding;

use super::document::{Context, Verified, verify_document};
use super::report::{Difference, DifferenceKind};
use crate::archive::ArchiveError;
use crate::archive::digest::Scheme;
use crate::archive::document::Archived;
use crate::archive::record::{Piece, Record, Records};
use crate::document::{DocumentKind, ParseOptions};
use crate::url::{AbsoluteUrl, Standard};

/// What is to be the same in two archives.
#[derive(Clone, Copy)]
pub(super) struct ArchiveContext<'c> {
    pub(super) options: ParseOptions,
    pub(super) standard: Standard,
    pub(super) follow: &'c dyn Fn(&AbsoluteUrl) -> AbsoluteUrl,
    pub(super) same: &'c dyn Fn(&AbsoluteUrl, &AbsoluteUrl) -> bool,
    pub(super) limit: usize,
}

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
) -> Result<Verified, ArchiveError> {
    let (mut old, mut new) = (Reader::open(before)?, Reader::open(after)?);
    let mut verified = Verified::default();
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
    verified: &mut Verified,
    context: &ArchiveContext<'_>,
    kind: DifferenceKind,
    place: &str,
    message: &str,
) {
    verified.count += 1;
    if verified.differences.len() < context.limit {
        verified.differences.push(Difference {
            place: place.to_owned(),
            ..Difference::of_file(kind, message)
        });
    }
}

fn compare(old: &Record, new: &Record, context: &ArchiveContext<'_>, verified: &mut Verified) {
    if old.head.bytes() == new.head.bytes() && old.block == new.block && old.tail == new.tail {
        return;
    }
    let number = old.number;
    let name = match old.head.target_uri() {
        Some(uri) => format!("record {number}, {uri}"),
        None => format!("record {number}"),
    };
    let mut bytes_differ =
        |message: &str| add(verified, context, DifferenceKind::Bytes, &name, message);
    let constant = |record: &Record| {
        let values = CHANGING.map(|name| (name, String::new()));
        record.head.with_values(&values).bytes().to_vec()
    };
    if constant(old) != constant(new) || old.tail != new.tail {
        return bytes_differ("its header differs");
    }
    let digest = |record: &Record| record.head.value("WARC-Block-Digest");
    let is_right = |record: &Record| {
        digest(record).is_none_or(|value| Scheme::of(value.trim(), &record.block).is_some())
    };
    if is_right(old) && !is_right(new) {
        bytes_differ("its WARC-Block-Digest does not fit");
    }
    let (Ok(Some(before)), Ok(Some(after))) = (Archived::of(old), Archived::of(new)) else {
        return bytes_differ("it differs, and is no document");
    };
    // What a record says of its contents is what it would say if they were put in now.
    let new_headers = after.headers(new);
    let content = Some(after.bytes()).filter(|bytes| *bytes != before.bytes());
    let is_consistent = match before.replace(old, new_headers, content) {
        Ok(expected) => {
            let field = |record: &Record| record.head.value("WARC-Payload-Digest");
            let is_coded = before.is_coded();
            is_coded
                || (expected.record.block == new.block && field(&expected.record) == field(new))
        }
        Err(_) => false,
    };
    if !is_consistent {
        bytes_differ("its headers do not fit its contents");
    }
    if let (Some(old_headers), Some(new_headers)) = (before.headers(old), new_headers) {
        let url = AbsoluteUrl::new(context.standard, before.url.clone());
        let pair = [(old_headers, &url), (new_headers, &url)];
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
    verified: &mut Verified,
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
                .extend(differences.map(|it| Difference {
                    place: format!("{name}: {}", it.place),
                    ..it
                }));
        }
        Err(error) if before != after => {
            let message = format!("changed, though BEFORE cannot be worked on: {error}");
            add(verified, context, DifferenceKind::Bytes, name, &message);
        }
        Err(_) => {}
    }
}

/// All records of an archive, each whole.
struct Reader {
    records: Records<BufReader<File>>,
}

impl Reader {
    fn open(path: &Path) -> Result<Reader, ArchiveError> {
        let records = Records::open(path, false)?;
        Ok(Reader { records })
    }

    fn next(&mut self) -> Result<Option<Record>, ArchiveError> {
        loop {
            match self.records.next_piece(|_, _, _| true)? {
                Some(Piece::Held(record)) => return Ok(Some(record)),
                // Nothing but white space.
                Some(Piece::Passed(_) | Piece::Member(_)) => {}
                None => return Ok(None),
            }
        }
    }
}
