//! Runs over real trees of documentation, judged by an independent witness (`tests/support/witness`,
//! whose own tests run here) and by a second judge of moves (`tests/support/broken`).
//!
//! A test prints a line and passes where its tree does not exist in `$REHREF_CORPORA` or
//! `~/.cache/rehref-corpora`; `docs/internals/testing.md` says how to fetch them. `REHREF_MORE_CORPORA` names more
//! packages. Every test crate links all of rehref, so there is one for all of them.

#![allow(missing_docs)]

#[path = "../support/broken/mod.rs"]
mod broken;
#[path = "../support/kinds.rs"]
mod kinds;
#[path = "../support/mod.rs"]
mod support;
#[path = "../support/witness/mod.rs"]
mod witness;

mod absolute;
mod moves;
