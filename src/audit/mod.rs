//! The audit: what is broken in a tree, found without asking any server.
//!
//! - [`checks`] is the table of what is looked for, [`finding`] what is found.

pub mod checks;
pub mod finding;

pub use checks::{Check, Level};
pub use finding::Finding;
