//! The ordered queue: several threads work on items, the calling thread takes the results in order.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread;

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
    /// Whether the source ran out of items before [`ThreadOptions::cancel`] was set.
    pub is_complete: bool,
}

/// Why a queue ended before its last item.
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
    let files = items.len();
    if done < files {
        return Err(Error::Interrupted { done, files });
    }
    Ok(())
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
pub fn in_order_from<I, T: Send>(
    options: ThreadOptions<'_>,
    items: impl Iterator<Item = QueueItem<I>> + Send,
    work: impl Fn(I) -> QueueItem<T> + Sync,
    mut take: impl FnMut(T) -> io::Result<()>,
) -> Result<Completion, Error> {
    let threads = options.thread_count(items.size_hint().1);
    let queue = Queue {
        source: Mutex::new(Source {
            items,
            begun: 0,
            is_exhausted: false,
        }),
        backlog: Backlog::default(),
        cancel: options.cancel,
    };
    let (queue, work) = (&queue, &work);
    let (sender, receiver) = mpsc::channel();
    thread::scope(|scope| {
        // No worker may wait for room forever, even if this closure returns an error or panics.
        let _close = CloseOnDrop(&queue.backlog);
        for started in 0..threads {
            let sender = sender.clone();
            let worker = move || queue.work_through(work, &sender);
            if let Err(error) = thread::Builder::new().spawn_scoped(scope, worker) {
                if started == 0 {
                    return Err(Error::Threads(error));
                }
                // Fewer threads do as well.
                break;
            }
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let mut done = 0;
        for batch in receiver {
            waiting.extend(batch);
            let (before, mut freed) = (done, 0);
            while let Some(result) = waiting.remove(&done) {
                let QueueItem { value, bytes } =
                    result.unwrap_or_else(|panic| resume_unwind(panic));
                take(value).map_err(Error::Output)?;
                done += 1;
                freed += bytes;
            }
            queue.backlog.remove(done - before, freed);
        }
        Ok(Completion {
            done,
            is_complete: queue.source().is_exhausted,
        })
    })
}

/// Results with the numbers of their items; a panic in place of a result.
type Batch<T> = Vec<(usize, thread::Result<QueueItem<T>>)>;

/// The state that the worker threads share.
///
/// No thread waits forever. Only a thread that has handed over all its results waits, be it for the
/// source or for room in the backlog. So the result that is to be taken next is on its way to the
/// consumer, or still in work, since items are begun in order.
struct Queue<'c, S> {
    source: Mutex<Source<S>>,
    backlog: Backlog,
    cancel: &'c AtomicBool,
}

struct Source<S> {
    items: S,
    begun: usize,
    is_exhausted: bool,
}

impl<I, S: Iterator<Item = QueueItem<I>>> Queue<'_, S> {
    /// The loop of a worker thread: works on one item after the other, and hands the results over in
    /// batches, each result with the number of its item.
    fn work_through<T>(&self, work: impl Fn(I) -> QueueItem<T>, consumer: &mpsc::Sender<Batch<T>>) {
        let mut batch = Vec::new();
        loop {
            let next = self.next(|| hand_over(consumer, &mut batch));
            let Some((number, item)) = next else {
                return hand_over(consumer, &mut batch);
            };
            let held = item.as_ref().map_or(0, |item| item.bytes);
            let result = item.and_then(|item| catch_unwind(AssertUnwindSafe(|| work(item.value))));
            let bytes = result.as_ref().map_or(0, |result| result.bytes);
            if bytes != held {
                self.backlog.replace_bytes(held, bytes);
            }
            batch.push((number, result));
            if batch.len() >= BATCH {
                hand_over(consumer, &mut batch);
            }
        }
    }

    /// The next item with its number, counted from 0, or the panic of the source; `None` at the end
    /// of the queue. Calls `before_wait` before it waits.
    fn next(&self, mut before_wait: impl FnMut()) -> Option<(usize, thread::Result<QueueItem<I>>)> {
        let mut source = self.source.try_lock().unwrap_or_else(|_| {
            before_wait();
            self.source()
        });
        self.backlog.wait_for_room(before_wait)?;
        if source.is_exhausted || self.cancel.load(Ordering::Relaxed) {
            return None;
        }
        let item = catch_unwind(AssertUnwindSafe(|| source.items.next())).transpose();
        source.is_exhausted = !matches!(item, Some(Ok(_)));
        let item = item?;
        let number = source.begun;
        source.begun += 1;
        self.backlog.add(item.as_ref().map_or(0, |item| item.bytes));
        Some((number, item))
    }

    fn source(&self) -> MutexGuard<'_, Source<S>> {
        self.source.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Sends `batch` to the consumer. Sending fails only after the consumer has returned; then the queue
/// is closed, and the results are not needed.
fn hand_over<R>(consumer: &mpsc::Sender<Vec<R>>, batch: &mut Vec<R>) {
    if !batch.is_empty() {
        let _ = consumer.send(std::mem::take(batch));
    }
}

/// The count of what is begun and not taken.
#[derive(Default)]
struct Backlog {
    load: Mutex<Load>,
    has_room: Condvar,
}

#[derive(Default)]
struct Load {
    items: usize,
    /// The memory that the items in work and the results not yet taken need.
    bytes: usize,
    is_closed: bool,
}

impl Load {
    fn is_full(&self) -> bool {
        !self.is_closed && (self.items >= AHEAD || self.bytes >= WAITING_BYTES)
    }
}

impl Backlog {
    /// Waits until there is room for one more item; `None` when the queue is closed. Calls
    /// `before_wait` only if there is no room yet.
    fn wait_for_room(&self, mut before_wait: impl FnMut()) -> Option<()> {
        let mut load = self.load();
        if load.is_full() {
            drop(load);
            before_wait();
            load = self
                .has_room
                .wait_while(self.load(), |load| load.is_full())
                .unwrap_or_else(PoisonError::into_inner);
        }
        (!load.is_closed).then_some(())
    }

    fn add(&self, bytes: usize) {
        let mut load = self.load();
        load.items += 1;
        load.bytes += bytes;
    }

    /// An item of `held` bytes has become a result of `bytes`. If that makes room, a waiting thread
    /// learns of it when the next result is taken.
    fn replace_bytes(&self, held: usize, bytes: usize) {
        let mut load = self.load();
        load.bytes = load.bytes + bytes - held;
    }

    fn remove(&self, items: usize, bytes: usize) {
        let mut load = self.load();
        load.items -= items;
        load.bytes -= bytes;
        drop(load);
        // Only one thread can wait: the one that holds the source.
        self.has_room.notify_one();
    }

    fn load(&self) -> MutexGuard<'_, Load> {
        // Nothing panics while it is held.
        self.load.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Lets a waiting worker thread go, and ends the queue.
struct CloseOnDrop<'b>(&'b Backlog);

impl Drop for CloseOnDrop<'_> {
    fn drop(&mut self) {
        self.0.load().is_closed = true;
        self.0.has_room.notify_one();
    }
}
