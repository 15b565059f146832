//! The bytes of records in a rewritten archive.

use super::container::PieceBytes;
use super::error::ContainerError;
use crate::warc::record::{Format, Record};
use crate::warc::{ArchiveError, ArchiveErrorKind};

/// The bytes of `record` in an archive of this format.
pub(super) fn written(
    record: &Record,
    format: Format,
    is_changed: bool,
    needs_bytes: bool,
) -> Result<PieceBytes, ContainerError> {
    match &record.place {
        Some(place) if !is_changed => Ok(PieceBytes::Copy(place.clone())),
        _ if !needs_bytes => Ok(PieceBytes::Bytes(Vec::new())),
        place => record.write(format).map(PieceBytes::Bytes).map_err(|error| {
            let error = ArchiveError {
                entry: None,
                record: record.number,
                offset: place.as_ref().map_or(0, |place| place.start),
                kind: ArchiveErrorKind::Read(error),
            };
            error.into()
        }),
    }
}
