//! The ordered queue: several threads work on items, the calling thread takes the results in order.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::io;
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, TryRecvError};
use std::sync::{Mutex, TryLockError};
use std::thread;

use rayon::ThreadPoolBuilder;

/// The number of items that may be begun and not taken. A slow item holds up the others only when
/// they are this far ahead.
const AHEAD: usize = 512;

/// The number of results that a worker thread collects before it hands them over: to wake the
/// consumer costs as much as a small document.
const BATCH: usize = 16;

/// No further item is begun while the items in work and the results not yet taken need this number
/// of bytes.
const WAITING_BYTES: usize = 32 << 20;

/// The most worker threads. More cost memory and gain nothing on any machine of today.
const MOST_THREADS: usize = 512;

/// The number of threads, and when they stop.
#[derive(Clone, Copy, Debug)]
pub struct ThreadOptions<'c> {
    /// The number of worker threads; 0 for one per core.
    pub threads: usize,
    /// Cancellation, checked before each item: once the flag is set, no further item is begun.
    pub cancel: &'c AtomicBool,
}

impl ThreadOptions<'_> {
    /// The number of threads for at most `items` items; at least one.
    fn thread_count(&self, items: Option<usize>) -> usize {
        let threads = match self.threads {
            0 => thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        };
        let most = items.unwrap_or(usize::MAX).min(MOST_THREADS);
        threads.min(most).max(1)
    }
}

/// An item of work, or its result, with the memory it needs.
#[derive(Clone, Copy, Debug)]
pub struct QueueItem<T> {
    /// The item or result itself.
    pub value: T,
    /// A rough count of the bytes it holds in memory; 0 if negligible.
    pub bytes: usize,
}

/// The progress of a queue at its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Completion {
    /// The number of items whose results were taken: the first ones.
    pub done: usize,
    /// True if the source ran out of items before [`ThreadOptions::cancel`] was set.
    pub is_complete: bool,
}

impl Completion {
    /// Checks that all items were done, of which there are `files`.
    ///
    /// # Errors
    /// Returns an error if the queue was cancelled before.
    pub fn of_all(self, files: usize) -> Result<(), Error> {
        let Completion { done, is_complete } = self;
        if is_complete { Ok(()) } else { Err(Error::Interrupted { done, files }) }
    }
}

/// The reason a queue ended before its last item.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No worker thread could be started.
    #[error("cannot start a thread: {0}")]
    Threads(#[source] io::Error),
    /// [`ThreadOptions::cancel`] was set before the last item started.
    #[error("interrupted after {done} of {files} files")]
    Interrupted {
        /// The number of items whose results were taken: the first ones.
        done: usize,
        /// The number of all items.
        files: usize,
    },
    /// As [`Error::Interrupted`], of work on items whose number is not known.
    #[error("interrupted")]
    Cancelled,
    /// The consumer returned an error.
    #[error(transparent)]
    Output(io::Error),
}

/// Calls `work` on every one of `items`, on several threads, and `take` on each item with its
/// result, on the calling thread, in the order of the items. As [`in_order_from`], for items that
/// are all in memory already.
///
/// # Errors
/// See [`Error`]. An error of `take` ends the queue.
///
/// # Panics
/// When `work` or `take` panics.
pub fn in_order<I: Sync, T: Send>(
    items: &[I],
    options: ThreadOptions<'_>,
    work: impl Fn(&I) -> QueueItem<T> + Sync,
    mut take: impl FnMut(&I, T) -> io::Result<()>,
) -> Result<(), Error> {
    let Completion { done, .. } = in_order_from(
        options,
        items.iter().map(|value| QueueItem { value, bytes: 0 }),
        |item| {
            let QueueItem { value, bytes } = work(item);
            let value = (item, value);
            QueueItem { value, bytes }
        },
        |(item, result)| take(item, result),
    )?;
    // A cancellation after the last item has begun changes nothing.
    let is_complete = done == items.len();
    Completion { done, is_complete }.of_all(items.len())
}

/// Calls `work` on every item that `items` yields, on several threads, and `take` on each result, on
/// the calling thread, in the order of the items. One thread at a time asks `items` for the next
/// item, so `items` may read a file from front to back ([`std::iter::from_fn`] makes an iterator of
/// a closure). After its first `None` it is not asked again.
///
/// Items are begun in order, too. Once begun, an item is finished and its result taken, even after
/// a cancellation or after another item's panic, unless `take` fails or an earlier item panics.
///
/// Memory is bounded: while too many items are begun and not taken, or items and results together
/// need too many bytes, `items` is not asked for more.
///
/// # Errors
/// See [`Error`], but never [`Error::Interrupted`]: a cancellation shows in the [`Completion`]. An
/// error of `take` ends the queue.
///
/// # Panics
/// When `items`, `work` or `take` panics. What comes before the item that panicked is taken first.
pub fn in_order_from<I: Send, T: Send>(
    options: ThreadOptions<'_>,
    items: impl Iterator<Item = QueueItem<I>> + Send,
    work: impl Fn(I) -> QueueItem<T> + Sync,
    mut take: impl FnMut(T) -> io::Result<()>,
) -> Result<Completion, Error> {
    let most_items = items.size_hint().1;
    let slot = |_| Mutex::new(Slot::Empty);
    let slots: Vec<Mutex<Slot<I, T>>> =
        (0..most_items.unwrap_or(AHEAD).clamp(1, AHEAD)).map(slot).collect();
    let replace = |number: usize, new| {
        // One thread at a time uses a slot, and none panics meanwhile.
        let slot = slots.get(number % slots.len())?.lock().ok();
        Some(mem::replace(&mut *slot?, new))
    };
    let items = Mutex::new(items);
    let begin = |number| {
        let QueueItem { value, bytes } = items.lock().ok()?.next()?;
        replace(number, Slot::Begun(value))?;
        Some(bytes)
    };
    let finish = |number| {
        let Some(Slot::Begun(item)) = replace(number, Slot::Empty) else { return 0 };
        let QueueItem { value, bytes } = work(item);
        replace(number, Slot::Finished(value));
        bytes
    };
    let mut take_number = |number| match replace(number, Slot::Empty) {
        Some(Slot::Finished(result)) => take(result),
        _ => Ok(()),
    };
    let steps = Steps { begin: &begin, finish: &finish };
    run(options, most_items, steps, &mut take_number)
}

/// The place of an item that is begun and not taken. At most [`AHEAD`] items are, with consecutive numbers, so each
/// has a slot of its own.
enum Slot<I, T> {
    Empty,
    Begun(I),
    Finished(T),
}

/// The steps of an item, by its number. Only they depend on the types of items and results, so [`run`] is compiled
/// once.
#[derive(Clone, Copy)]
struct Steps<'s> {
    /// Asks for the item; `None` at the end. Returns its bytes.
    begin: &'s (dyn Fn(usize) -> Option<usize> + Sync),
    /// Works on it. Returns the bytes of the result.
    finish: &'s (dyn Fn(usize) -> usize + Sync),
}

fn run(
    options: ThreadOptions<'_>,
    most_items: Option<usize>,
    steps: Steps<'_>,
    take: &mut dyn FnMut(usize) -> io::Result<()>,
) -> Result<Completion, Error> {
    let pool = |threads| ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool(options.thread_count(most_items))
        // Fewer threads do as well.
        .or_else(|_| pool(1))
        .map_err(|error| Error::Threads(io::Error::other(error)))?;
    let (consumer, results) = mpsc::channel();
    let (taken_sender, taken_receiver) = mpsc::channel();
    let queue = Queue {
        source: Mutex::new(Source { begun: 0, taken: 0, taken_receiver, is_exhausted: false }),
        steps,
        bytes: AtomicUsize::new(0),
        cancel: options.cancel,
    };
    let queue = &queue;
    let wait_and_take = move || {
        let mut waiting = BTreeMap::new();
        let mut done = 0;
        for batch in results {
            waiting.extend::<Batch>(batch);
            while let Some(result) = waiting.remove(&done) {
                let bytes = result.unwrap_or_else(|panic| resume_unwind(panic));
                take(done).map_err(Error::Output)?;
                done += 1;
                queue.bytes.fetch_sub(bytes, Ordering::Relaxed);
            }
            // Cannot fail: the queue outlives the scope.
            let _ = taken_sender.send(done);
        }
        let is_complete = queue.source.lock().is_ok_and(|source| source.is_exhausted);
        Ok(Completion { done, is_complete })
    };
    pool.in_place_scope(move |scope| {
        // One job for each thread. A job of `spawn` could run inside the work of another, and wait
        // for its result.
        scope.spawn_broadcast(move |_, _| queue.work_through(&consumer));
        wait_and_take()
    })
}

/// The numbers of items, with the bytes of their results; a panic in place of a result.
type Batch = Vec<(usize, thread::Result<usize>)>;

/// The state that the threads share.
///
/// No thread waits forever. Only a thread that has handed over all its results waits, be it for the
/// source or for room. So the result that is to be taken next is on its way to the consumer, or still
/// in work, since items are begun in order. The consumer makes room, or goes, and says so.
struct Queue<'c> {
    source: Mutex<Source>,
    steps: Steps<'c>,
    /// The memory that the items in work and the results not yet taken need.
    bytes: AtomicUsize,
    cancel: &'c AtomicBool,
}

struct Source {
    begun: usize,
    /// The number of results taken, as last read from `taken_receiver`.
    taken: usize,
    /// The consumer's news; disconnected once it needs no more results.
    taken_receiver: mpsc::Receiver<usize>,
    is_exhausted: bool,
}

impl Queue<'_> {
    /// The loop of a thread: works on one item after the other, and hands the results over in
    /// batches.
    fn work_through(&self, consumer: &mpsc::Sender<Batch>) {
        let mut batch = Vec::new();
        let hand_over = |batch: &mut Batch| {
            if !batch.is_empty() {
                // Fails only when the consumer needs no more results.
                let _ = consumer.send(mem::take(batch));
            }
        };
        loop {
            let mut number = 0;
            let result = catch_unwind(AssertUnwindSafe(|| {
                let item_bytes = self.next(&mut number, || hand_over(&mut batch))?;
                let bytes = (self.steps.finish)(number);
                // Wraps around if the result is the smaller one; so does the addition.
                let growth = bytes.wrapping_sub(item_bytes);
                self.bytes.fetch_add(growth, Ordering::Relaxed);
                Some(bytes)
            }));
            let Some(result) = result.transpose() else { return hand_over(&mut batch) };
            batch.push((number, result));
            if batch.len() >= BATCH {
                hand_over(&mut batch);
            }
        }
    }

    /// Begins the next item; returns its bytes, or `None` at the end of the queue. Sets `number` to its number,
    /// counted from 0, before the source can panic. Calls `before_wait` before it waits.
    fn next(&self, number: &mut usize, mut before_wait: impl FnMut()) -> Option<usize> {
        let mut source = match self.source.try_lock() {
            Ok(source) => source,
            Err(TryLockError::WouldBlock) => {
                before_wait();
                self.source.lock().ok()?
            }
            // The source has panicked.
            Err(TryLockError::Poisoned(_)) => return None,
        };
        loop {
            match source.taken_receiver.try_recv() {
                Ok(taken) => source.taken = taken,
                Err(TryRecvError::Disconnected) => return None,
                Err(TryRecvError::Empty) if self.has_room(&source) => break,
                Err(TryRecvError::Empty) => {
                    before_wait();
                    source.taken = source.taken_receiver.recv().ok()?;
                }
            }
        }
        if source.is_exhausted || self.cancel.load(Ordering::Relaxed) {
            return None;
        }
        *number = source.begun;
        let bytes = (self.steps.begin)(*number);
        source.is_exhausted = bytes.is_none();
        let bytes = bytes?;
        source.begun += 1;
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
        Some(bytes)
    }

    fn has_room(&self, source: &Source) -> bool {
        source.begun < source.taken + AHEAD && self.bytes.load(Ordering::Relaxed) < WAITING_BYTES
    }
}
