//! Pictures of pages.

use std::fs;
use std::path::Path;

use super::{PagesError, SideError};
use crate::chromium::Browser;
use crate::report::{Difference, DifferenceKind};

/// The number of pixels in which two pictures of an equal page may differ: rounded corners do not come
/// out equal in every load.
const TOLERATED_PIXELS: u64 = 16;

/// Writes the pictures of a page and of its counterpart to `folder`, and compares them.
pub(super) fn compare(
    folder: &Path,
    name: &str,
    (before, after): (Option<&[u8]>, Option<&[u8]>),
    browser: Option<&mut Browser>,
) -> Result<Option<Difference>, SideError> {
    let (Some(before), Some(after)) = (before, after) else { return Ok(None) };
    let written = |side: &'static str, picture: &[u8]| {
        let file = folder.join(format!("{name}.{}.png", side.to_ascii_lowercase()));
        write(&file, picture).map_err(|error| (side, error))?;
        Ok::<_, SideError>(file.display().to_string())
    };
    let (file_before, file_after) = (written("BEFORE", before)?, written("AFTER", after)?);
    let pixels = match browser {
        Some(browser) if before != after => {
            browser.different_pixels(before, after).map_err(|error| ("AFTER", error.into()))?
        }
        _ => 0,
    };
    if pixels <= TOLERATED_PIXELS {
        return Ok(None);
    }
    let difference = Difference::of_file(DifferenceKind::Picture, "the page looks different");
    Ok(Some(difference.between(file_before, file_after)))
}

fn write(file: &Path, picture: &[u8]) -> Result<(), PagesError> {
    let folder = file.parent().map_or(Ok(()), fs::create_dir_all);
    let written = folder.and_then(|()| fs::write(file, picture));
    written.map_err(|source| PagesError::Screenshot { path: file.to_owned(), source })
}
