//! The audit: what is broken in a tree, found without asking any server.
//!
//! - [`checks`] is the table of what is looked for, [`finding`] what is found.
//! - [`report`] says it: to people, to other programs, as a page.

pub mod checks;
pub mod finding;
pub mod report;

pub use checks::{Check, Level};
pub use finding::Finding;
