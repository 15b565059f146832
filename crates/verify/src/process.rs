//! Programs that run in a process group of their own, so that they end together with everything they started.

#[cfg(unix)]
use std::os::unix::process::CommandExt;
use std::process::{Child, Command};

#[cfg(unix)]
use rustix::process;

/// Puts the process of `command` into a process group of its own.
pub fn in_own_group(command: &mut Command) -> &mut Command {
    #[cfg(unix)]
    command.process_group(0);
    command
}

/// Kills a process that was started with [`in_own_group`], and all processes that it started.
pub fn kill(child: &mut Child) {
    #[cfg(unix)]
    if let Some(group) = id(child).filter(|&id| ended(id).is_ok()) {
        let _ = process::kill_process_group(group, process::Signal::KILL);
    }
    let _ = child.kill();
    let _ = child.wait();
}

/// As [`kill`], for the child with the process id `id`, which another thread may be waiting for. Does not
/// consume its exit status.
pub fn kill_group(id: u32) {
    #[cfg(unix)]
    if let Some(group) = i32::try_from(id).ok().and_then(process::Pid::from_raw)
        && ended(group).is_ok()
    {
        let _ = process::kill_process_group(group, process::Signal::KILL);
    }
    #[cfg(not(unix))]
    let _ = id;
}

/// Returns true if the process has not ended yet. Does not consume its exit status, which [`Child::wait`]
/// returns.
#[cfg(unix)]
pub fn is_running(child: &mut Child) -> bool {
    id(child).is_some_and(|id| matches!(ended(id), Ok(None)))
}

/// Returns true if the process has not ended yet.
#[cfg(not(unix))]
pub fn is_running(child: &mut Child) -> bool {
    matches!(child.try_wait(), Ok(None))
}

#[cfg(unix)]
fn id(child: &Child) -> Option<process::Pid> {
    process::Pid::from_raw(i32::try_from(child.id()).ok()?)
}

/// The status of a child that has ended, which it keeps: until somebody takes it, no other process or group gets its
/// id.
///
/// # Errors
/// Returns an error if somebody took it.
#[cfg(unix)]
fn ended(id: process::Pid) -> rustix::io::Result<Option<process::WaitIdStatus>> {
    use process::WaitIdOptions as Options;
    process::waitid(process::WaitId::Pid(id), Options::EXITED | Options::NOHANG | Options::NOWAIT)
}
