//! Redirects from old URLs to new ones: which ones a move needs, and the formats that servers keep
//! redirects in.
//!
//! [`FORMATS`] is the table of formats; a format is one row. [`of_move`] lists the redirects of a
//! move. A format reports each redirect that it cannot express, and never writes a wrong rule.

mod apache;
mod format;
mod json;
mod netlify;
mod nginx;
mod of_move;
mod read;
mod redirect;
mod stub;
#[cfg(test)]
mod tests;

pub use format::{FORMATS, RedirectFormat, RedirectWriter};
pub use of_move::{MoveRedirect, MoveRedirects, MovedSite, of_move};
pub use read::{ServerRules, read};
pub use redirect::Redirect;
#[cfg(any(test, fuzzing))]
pub use redirect::RedirectText;
pub use stub::stub;
