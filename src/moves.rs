//! Moves of files and folders in a tree.
//!
//! [`plan()`] turns requests into [`Moves`](rehref_site::Moves), old and new paths without conflicts, or lists every
//! move that is impossible ([`MoveError`]). What follows from the moves is elsewhere: new URLs and
//! redirects in `rehref_site`, stale paths in `rehref_corpus::stale_paths`, the rewriting in `rehref_rewrite`. Nothing
//! here writes a file.

mod conflict;
mod error;
mod name;
mod nearest;
mod pattern;
mod plan;
mod request;
#[cfg(test)]
pub(crate) mod tests;

use rehref_corpus::Corpus;
use rehref_rewrite::SiteMapping;
use rehref_site::{MovedUrls, Moves, SiteUrl};

pub use error::MoveError;
pub use plan::plan;
pub use request::Request;

/// Returns the mapping of targets for the site of `corpus`, whose URL becomes `new_url`.
pub fn mapping(corpus: &Corpus, moves: &Moves, new_url: &SiteUrl) -> SiteMapping {
    let files = corpus.file_index();
    SiteMapping {
        also: corpus.also.clone(),
        after: new_url.clone(),
        moved: MovedUrls::of(moves, &corpus.walk.entries, &files).into(),
        files,
        ..SiteMapping::unmoved(corpus.site_url.clone())
    }
}
