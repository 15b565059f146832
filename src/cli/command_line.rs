//! The command line of this process, for messages and reports that repeat it.

use std::ffi::OsString;
use std::sync::OnceLock;

/// The command line, as given: the name of the program, then its arguments.
pub(super) static WORDS: OnceLock<Vec<OsString>> = OnceLock::new();
