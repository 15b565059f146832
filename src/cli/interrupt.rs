//! Ctrl-C and its like: the run ends in order.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use super::exit::{CliError, Exit};

static FLAG: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// A flag that is set when the user, or the system, wants this process to end; the same for all
/// that this process does. Whoever cannot wait for the files in flight asks a second time.
pub(super) fn flag() -> Result<Arc<AtomicBool>, CliError> {
    if let Some(flag) = FLAG.get() {
        return Ok(Arc::clone(flag));
    }
    let flag = Arc::new(AtomicBool::new(false));
    let ours = Arc::clone(&flag);
    ctrlc::set_handler(move || {
        if ours.swap(true, Ordering::Relaxed) {
            std::process::exit(Exit::Interrupted as i32);
        }
    })?;
    Ok(Arc::clone(FLAG.get_or_init(|| flag)))
}
