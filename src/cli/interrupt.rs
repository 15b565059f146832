//! Ctrl-C and SIGTERM: the first lets the run finish the files in flight, the second ends the process.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use super::exit::{CliError, Exit};
use rehref_verify::chromium::end_all;

/// After a signal, waits until nothing of a browser is left.
pub(super) fn finish() {
    if FLAG.get().is_some_and(|flag| flag.load(Ordering::Relaxed)) {
        end_all();
    }
}

static FLAG: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// Signals within this time are one: `timeout` and runners of CI send one to the process and one to its group.
const ONE_SIGNAL: Duration = Duration::from_secs(1);

/// Returns the flag that the first signal sets, one for the whole process. A later signal exits at once, without
/// waiting for the files in flight.
pub(super) fn flag() -> Result<Arc<AtomicBool>, CliError> {
    if let Some(flag) = FLAG.get() {
        return Ok(Arc::clone(flag));
    }
    let flag = Arc::new(AtomicBool::new(false));
    let ours = Arc::clone(&flag);
    let first = OnceLock::new();
    ctrlc::set_handler(move || {
        ours.store(true, Ordering::Relaxed);
        if first.get_or_init(Instant::now).elapsed() > ONE_SIGNAL {
            end_all();
            std::process::exit(Exit::Interrupted as i32);
        }
    })?;
    Ok(Arc::clone(FLAG.get_or_init(|| flag)))
}
