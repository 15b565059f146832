//! How a browser compares pages.

use std::path::PathBuf;
use std::time::Duration;

/// How a browser compares pages.
#[derive(Clone, Debug)]
pub struct BrowserOptions {
    /// The program; `None` for the first known one that is installed.
    pub program: Option<PathBuf>,
    /// Whether the browser may run without its sandbox, where there is none.
    pub may_lack_sandbox: bool,
    /// The number of pages to open; `None` for all.
    pub pages: Option<usize>,
    /// The folder for pictures of all pages.
    pub screenshots: Option<PathBuf>,
    /// Open the pages of AFTER from disk, as `file:` URLs.
    pub from_disk: bool,
    /// How long a page may take to load.
    pub timeout: Duration,
}
