//! Tests that call several crates at once: `stale_paths` (the fast test of strings against the full one),
//! `absolute_spans` (reads real trees too), and `verify_*`.

#[path = "../tests/support/mod.rs"]
pub(crate) mod support;

mod absolute_spans;
mod stale_paths;
mod verify_properties;
mod verify_targets;
#[cfg(unix)]
mod verify_trees;
