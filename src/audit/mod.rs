//! The audit: what is broken in a tree, found without asking any server.
//!
//! - [`checks`] is the table of what is looked for, [`finding`] what is found;
//! - [`targets`] says whether anything is there, [`suggest`] what was meant where not;
//! - [`resolved`] is where references lead, [`links`] that as records, [`tree`] all documents of a tree.

pub mod checks;
pub mod finding;
pub mod links;
pub mod resolved;
pub mod suggest;
pub mod targets;
pub mod tree;

pub use checks::{Check, Level};
pub use finding::Finding;
