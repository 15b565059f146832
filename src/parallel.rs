//! Many items worked on at once, their results taken one by one, in order.

mod source;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, mpsc};

pub use source::in_order_from;

/// How many items may be begun and not taken: so far the others go on beside one that takes long.
const AHEAD: usize = 512;

/// How many results a thread keeps before it hands them over: waking whoever takes them costs as
/// much as a small document does.
const KEPT: usize = 16;

/// How many bytes of results may wait to be taken before no other item is begun.
const WAITING_BYTES: usize = 32 << 20;

/// Who works.
#[derive(Clone, Copy, Debug)]
pub struct Crew<'c> {
    /// How many threads; 0 for as many as there are cores.
    pub threads: usize,
    /// Looked at before each item: once it is set, no other is begun.
    pub cancel: &'c AtomicBool,
}

/// The result of an item.
#[derive(Clone, Copy, Debug)]
pub struct Done<T> {
    /// What is handed on.
    pub result: T,
    /// About how much memory it takes; 0 where that is next to nothing.
    pub bytes: usize,
}

/// Why not all items are done.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The threads cannot be started.
    #[error("threads cannot be started: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// [`Crew::cancel`] was set before all was done.
    #[error("interrupted after {done} of {files} files")]
    Interrupted {
        /// How many items are done, the first ones; each has been taken.
        done: usize,
        /// How many there are.
        files: usize,
    },
    /// Whoever takes the results gave up.
    #[error(transparent)]
    Output(io::Error),
}

/// Does `work` on all `items`, on several threads, and hands each item with its result to `take`,
/// on this thread and in the order of the items. Items are begun in their order, too, and one that
/// is begun is finished and taken, whatever comes between.
///
/// The memory that results take while they wait for their turn is bounded, by their number and by
/// [`Done::bytes`].
///
/// # Errors
/// See [`Error`]. An error of `take` ends it all.
///
/// # Panics
/// Where `work` or `take` does.
pub fn in_order<I: Sync, T: Send>(
    items: &[I],
    crew: Crew<'_>,
    work: impl Fn(&I) -> Done<T> + Sync,
    mut take: impl FnMut(&I, T) -> io::Result<()>,
) -> Result<(), Error> {
    let gate = Gate::default();
    let (work, gate) = (&work, &gate);
    let (sender, receiver) = mpsc::channel();
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(crew.threads)
        .build()?;
    // Each thread of the pool runs one worker until nothing is left; this thread takes.
    let done = pool.in_place_scope(|scope| {
        // Whatever ends this, no thread may be left waiting.
        let _closed = CloseOnDrop(gate);
        for _ in 0..pool.current_num_threads().min(items.len()) {
            let sender = sender.clone();
            scope.spawn(move |_| {
                let mut kept = Vec::new();
                while let Some((index, item)) = gate.next(items, crew.cancel, || {
                    let _ = sender.send(std::mem::take(&mut kept));
                }) {
                    let done = catch_unwind(AssertUnwindSafe(|| work(item)));
                    gate.add_waiting(done.as_ref().map_or(0, |done| done.bytes));
                    kept.push((index, item, done));
                    if kept.len() >= KEPT && sender.send(std::mem::take(&mut kept)).is_err() {
                        break;
                    }
                }
                let _ = sender.send(kept);
            });
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let mut taken = 0;
        for kept in receiver {
            waiting.extend(
                kept.into_iter()
                    .map(|(index, item, done)| (index, (item, done))),
            );
            let (before, mut freed) = (taken, 0);
            while let Some((item, done)) = waiting.remove(&taken) {
                let Done { result, bytes } = done.unwrap_or_else(|panic| resume_unwind(panic));
                take(item, result).map_err(Error::Output)?;
                taken += 1;
                freed += bytes;
            }
            gate.taken(taken - before, freed);
        }
        Ok::<usize, Error>(taken)
    })?;
    if done < items.len() {
        let files = items.len();
        return Err(Error::Interrupted { done, files });
    }
    Ok(())
}

/// Where threads get their next item, and wait while too much is ahead of what is taken.
///
/// Nobody waits for ever: items are begun in order, so whatever waits to be taken, the item that is
/// to be taken next is in work.
#[derive(Default)]
struct Gate {
    state: Mutex<State>,
    has_room: Condvar,
}

#[derive(Default)]
struct State {
    begun: usize,
    taken: usize,
    waiting_bytes: usize,
    /// How many threads wait for room.
    sleepers: usize,
    is_closed: bool,
}

impl State {
    fn is_full(&self) -> bool {
        let ahead = self.begun - self.taken;
        !self.is_closed && (ahead >= AHEAD || self.waiting_bytes >= WAITING_BYTES)
    }
}

impl Gate {
    /// The next item. A thread that has to wait for it hands over first what it kept.
    fn next<'i, I>(
        &self,
        items: &'i [I],
        cancel: &AtomicBool,
        hand_over: impl FnOnce(),
    ) -> Option<(usize, &'i I)> {
        let mut state = self.lock();
        if state.is_full() {
            drop(state);
            hand_over();
            state = self.lock();
            state.sleepers += 1;
            state = self
                .has_room
                .wait_while(state, |state| state.is_full())
                .unwrap_or_else(PoisonError::into_inner);
            state.sleepers -= 1;
        }
        if state.is_closed || cancel.load(Ordering::Relaxed) {
            return None;
        }
        let index = state.begun;
        let item = items.get(index)?;
        state.begun += 1;
        Some((index, item))
    }

    fn add_waiting(&self, bytes: usize) {
        self.lock().waiting_bytes += bytes;
    }

    fn taken(&self, items: usize, bytes: usize) {
        let mut state = self.lock();
        state.taken += items;
        state.waiting_bytes -= bytes;
        let has_sleepers = state.sleepers > 0;
        drop(state);
        if has_sleepers {
            self.has_room.notify_all();
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Nothing panics while it is held.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Lets all threads go when it goes.
struct CloseOnDrop<'g>(&'g Gate);

impl Drop for CloseOnDrop<'_> {
    fn drop(&mut self) {
        self.0.lock().is_closed = true;
        self.0.has_room.notify_all();
    }
}
