//! The audit: what is broken in a tree, found without asking any server.
//!
//! - [`checks`] is the table of what is looked for, [`finding`] what is found, [`explain()`] a page on
//!   each check;
//! - [`url_checks`] are the checks of one reference by itself, [`fragments`] the fragments that no
//!   anchor in a document stands for;
//! - [`report`] says it: to people, to other programs, as a page;
//! - [`targets`] says whether anything is there, [`suggest`] what was meant where not;
//! - [`resolved`] is where references lead, [`links`] that as records, [`tree`] all documents of a tree.

pub mod checks;
pub mod explain;
pub mod finding;
pub mod fragments;
pub mod links;
pub mod report;
pub mod resolved;
pub mod suggest;
pub mod targets;
pub mod tree;
pub mod url_checks;

pub use checks::{Check, Level};
pub use explain::explain;
pub use finding::Finding;
