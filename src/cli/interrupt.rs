//! Ctrl-C and its like: the run ends in order.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::{CliError, Exit};

/// A flag that is set when the user, or the system, wants this process to end. Whoever cannot wait
/// for the files in flight asks a second time.
pub(super) fn flag() -> Result<Arc<AtomicBool>, CliError> {
    let flag = Arc::new(AtomicBool::new(false));
    let ours = Arc::clone(&flag);
    ctrlc::set_handler(move || {
        if ours.swap(true, Ordering::Relaxed) {
            std::process::exit(Exit::Interrupted as i32);
        }
    })?;
    Ok(flag)
}
