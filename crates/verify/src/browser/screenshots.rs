//! Pictures of pages.

use std::fs;
use std::path::{Path, PathBuf};

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
    let (Some(before), Some(after)) = (before, after) else {
        return Ok(None);
    };
    let files = [("before", before), ("after", after)].map(|(side, picture)| {
        let file = folder.join(format!("{name}.{side}.png"));
        write(&file, picture).map(|()| file)
    });
    let [file_before, file_after] = files;
    let (file_before, file_after) = (
        file_before.map_err(|error| ("BEFORE", error))?,
        file_after.map_err(|error| ("AFTER", error))?,
    );
    let pixels = match browser {
        Some(browser) if before != after => {
            browser.different_pixels(before, after).map_err(|error| ("AFTER", error.into()))?
        }
        _ => 0,
    };
    if pixels <= TOLERATED_PIXELS {
        return Ok(None);
    }
    let [before, after] = [file_before, file_after].map(|file| file.display().to_string());
    let difference = Difference::of_file(DifferenceKind::Picture, "the page looks different");
    Ok(Some(difference.between(before, after)))
}

fn write(file: &Path, picture: &[u8]) -> Result<(), PagesError> {
    let error = |path: &Path| {
        let path: PathBuf = path.to_owned();
        move |source| PagesError::Screenshot { path, source }
    };
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder).map_err(error(folder))?;
    }
    fs::write(file, picture).map_err(error(file))
}
