//! Ctrl-C and SIGTERM: the first lets the run finish the files in flight, the second ends the process.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use super::exit::{CliError, Exit};
use rehref_verify::chromium::end_all;

/// After a signal, waits until nothing of a browser is left.
pub(super) fn finish() {
    if FLAG.get().is_some_and(|flag| flag.load(Ordering::Relaxed)) {
        end_all();
    }
}

static FLAG: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// The flag that the first signal sets, one for the whole process. A second signal exits at once,
/// without waiting for the files in flight.
pub(super) fn flag() -> Result<Arc<AtomicBool>, CliError> {
    if let Some(flag) = FLAG.get() {
        return Ok(Arc::clone(flag));
    }
    let flag = Arc::new(AtomicBool::new(false));
    let ours = Arc::clone(&flag);
    ctrlc::set_handler(move || {
        if ours.swap(true, Ordering::Relaxed) {
            end_all();
            std::process::exit(Exit::Interrupted as i32);
        }
    })?;
    Ok(Arc::clone(FLAG.get_or_init(|| flag)))
}
