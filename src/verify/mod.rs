//! The proof that a rewriting kept every link and every other byte.
//!
//! It shares nothing with the rewriting but the reading of documents and URLs, so that a mistake
//! there does not excuse itself here.
//!
//! - [`document`] compares two documents, [`tree`] two trees, [`site`] says where targets have to
//!   lead, [`report`] is what they have to say;
//! - `meaning` is what a reference stands for, `align` pairs the references of two documents,
//!   `bytes` compares what is between them (of both `side`s), `allowed` and `base_element` know
//!   what may change there.

mod align;
mod allowed;
mod archive;
mod base_element;
mod bytes;
pub mod document;
mod exemptions;
mod meaning;
#[cfg(test)]
mod properties;
pub mod report;
mod side;
pub mod site;
#[cfg(test)]
mod tests;
pub mod tree;

pub use document::{Context, DocumentComparison, verify_document};
pub use report::{Difference, DifferenceKind, Report};
pub use tree::{TreePlan, verify_tree};
