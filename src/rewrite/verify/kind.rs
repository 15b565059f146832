//! Which files are documents.

use std::fs;
use std::io::{self, Read};
use std::path::Path;

use crate::document::DocumentKind;
use crate::rewrite::tree::Selection;
use crate::site::{FileKind, SNIFF_LENGTH, kind_of_name, sniff_html};

/// What kind of document the file at `relative` below `root` is; `None` where it is none, or none
/// that `selection` wants. Files whose name says nothing are read, as far as sniffing goes.
///
/// # Errors
/// When such a file cannot be read.
pub fn document_kind(
    selection: &Selection,
    root: &Path,
    relative: &Path,
) -> io::Result<Option<DocumentKind>> {
    let include = selection.include.as_ref();
    if selection.exclude.is_match(relative)
        || include.is_some_and(|include| !include.is_match(relative))
    {
        return Ok(None);
    }
    if selection.html.is_match(relative) {
        return Ok(Some(DocumentKind::Html));
    }
    match kind_of_name(relative.file_name().unwrap_or_default()) {
        FileKind::Document(kind) => Ok(Some(kind)),
        FileKind::Other => Ok(None),
        FileKind::Unknown => {
            let mut start = Vec::new();
            let limit = u64::try_from(SNIFF_LENGTH).unwrap_or(u64::MAX);
            fs::File::open(root.join(relative))?
                .take(limit)
                .read_to_end(&mut start)?;
            Ok(sniff_html(&start).then_some(DocumentKind::Html))
        }
    }
}
