//! The URLs of pages that templates in the configuration of a generator say.

mod date;
mod hugo;
mod jekyll;
mod template;

pub(super) use date::Date;
pub(super) use hugo::sanitized;
pub use hugo::{HugoPermalinks, unread as unread_of_hugo};
pub use jekyll::JekyllPermalinks;
pub(super) use template::encoded;

use super::published::PageUrl;

/// The settings that determine the URLs of pages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Permalinks {
    /// The settings of Jekyll.
    Jekyll(JekyllPermalinks),
    /// The settings of Hugo.
    Hugo(HugoPermalinks),
}

impl Permalinks {
    /// Returns true if the generator publishes the file at `path`, which is relative to the directory of the
    /// site's sources.
    pub fn publishes(&self, path: &str) -> bool {
        match self {
            Permalinks::Jekyll(it) => it.publishes(path),
            Permalinks::Hugo(_) => true,
        }
    }

    /// Returns the URLs of pages, if the settings decide it.
    pub(super) fn form(&self) -> Option<PageUrl> {
        match self {
            Permalinks::Jekyll(it) => it.has_folders().then_some(PageUrl::Directory),
            Permalinks::Hugo(_) => None,
        }
    }
}
