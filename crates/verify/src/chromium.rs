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

/// The response to a request of the browser.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HttpResponse {
    /// The HTTP status: 200, 301 or 404.
    pub status: u16,
    /// The name and the value of the only header.
    pub header: (&'static str, String),
    /// The body of the response.
    pub body: Vec<u8>,
    /// True if this is the response for a `file:` URL whose file has this content. The browser then reads the
    /// file itself, and blocks features that it blocks for users, such as module scripts.
    pub is_on_disk: bool,
}

/// A function that answers the requests of pages instead of the network. It returns `None` for a URL outside
/// the site: the request then fails.
pub type Respond<'r> = dyn Fn(&str) -> Option<HttpResponse> + 'r;
