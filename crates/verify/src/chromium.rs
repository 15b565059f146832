//! A Chromium without a window, driven over the DevTools protocol.
//!
//! This module knows browsers and nothing of sites. [`Browser`] starts Chromium with the network off
//! and loads pages, each in a profile of its own. The caller answers the requests ([`Respond`]): a
//! page at `https://example.org/docs/` has that URL, its origin and its security, without a server, a
//! certificate or a name on the network.
//!
//! - `launch` finds and starts the program, which ends with this process, however that ends; `connection` carries the
//!   commands, answers and events of the protocol (<https://chromedevtools.github.io/devtools-protocol/>);
//! - `page` loads one page: `traffic` records what it requests, `page` when it is complete, `clicks` what follows clicks.

mod clicks;
mod connection;
mod error;
mod launch;
mod page;
mod traffic;

pub use error::BrowserError;
pub use launch::{Browser, end_all};
pub use page::{ConsoleError, LoadedPage, PageRequest};
pub use traffic::{Outcome, ResourceRequest, SOCKET};

/// The content that a server sends for a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HttpResponse {
    /// The status: 200, 301, 404.
    pub status: u16,
    /// Name and value of its header.
    pub header: (&'static str, String),
    /// The content.
    pub body: Vec<u8>,
    /// True if the file at this URL, a `file:` URL, has that content: then the browser reads it itself, and refuses
    /// what it refuses people (module scripts, for one).
    pub is_on_disk: bool,
}

/// Answers the requests of pages in place of the network: the response to a request for a URL; `None` if the URL is
/// not one of this site: the network is off, so that the request fails.
pub type Respond<'r> = dyn Fn(&str) -> Option<HttpResponse> + 'r;
