//! Why pages cannot be compared.

use std::io;
use std::path::PathBuf;

use crate::chromium::BrowserError;
use rehref_site::SiteUrlError;

/// Why pages cannot be compared.
#[derive(Debug, thiserror::Error)]
pub enum PagesError {
    /// The browser fails.
    #[error(transparent)]
    Browser(#[from] BrowserError),
    /// AFTER has no `file:` URL.
    #[error(transparent)]
    FileUrl(#[from] SiteUrlError),
    /// The site's URL is one that browsers do not request from a server.
    #[error("a browser cannot open pages at {0}; give an http: or https: URL, or omit --browser")]
    Scheme(String),
    /// A picture cannot be written.
    #[error("{}: {source}", .path.display())]
    Screenshot {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
}

/// An error of a page, and the tree that has it.
pub(super) type SideError = (&'static str, PagesError);
