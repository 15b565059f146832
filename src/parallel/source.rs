//! The same for items that come one by one, and are not there all at once.

use std::collections::BTreeMap;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::Ordering;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, mpsc};

use super::{AHEAD, Crew, Done, Error, WAITING_BYTES};

/// Takes items from `next`, which says about how much memory each takes, until there is none; does
/// `work` on them, on several threads, and hands the results to `take`, on this thread and in the
/// order of the items. Only one thread at a time is in `next`.
///
/// The memory that items and results take is bounded: while too much of it is not taken yet, no
/// further item is asked for. Says whether all was done; not where [`Crew::cancel`] was set.
///
/// # Errors
/// See [`Error`], but not [`Error::Interrupted`]. An error of `take` ends it all.
///
/// # Panics
/// Where `next`, `work` or `take` does.
pub fn in_order_from<I, T: Send>(
    crew: Crew<'_>,
    next: impl FnMut() -> Option<(I, usize)> + Send,
    work: impl Fn(I) -> Done<T> + Sync,
    mut take: impl FnMut(T) -> io::Result<()>,
) -> Result<bool, Error> {
    let source = Mutex::new(Source {
        next,
        begun: 0,
        is_at_end: false,
    });
    let flow = Flow::default();
    let (source, flow, work) = (&source, &flow, &work);
    let (sender, receiver) = mpsc::channel();
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(crew.threads)
        .build()?;
    pool.in_place_scope(|scope| {
        // Whatever ends this, no thread may be left waiting.
        let _closed = CloseOnDrop(flow);
        for _ in 0..pool.current_num_threads() {
            let sender = sender.clone();
            scope.spawn(move |_| {
                while let Some((index, item, held)) = pull(source, flow, crew) {
                    let done = item.and_then(|item| catch_unwind(AssertUnwindSafe(|| work(item))));
                    let bytes = done.as_ref().map_or(0, |done| done.bytes);
                    // The item is gone, the result is there.
                    flow.change(|state| state.bytes = state.bytes + bytes - held);
                    if sender.send((index, bytes, done)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let mut taken = 0;
        for (index, bytes, done) in receiver {
            waiting.insert(index, (bytes, done));
            while let Some((bytes, done)) = waiting.remove(&taken) {
                let result = done.unwrap_or_else(|panic| resume_unwind(panic)).result;
                take(result).map_err(Error::Output)?;
                taken += 1;
                flow.change(|state| {
                    state.bytes -= bytes;
                    state.ahead -= 1;
                });
            }
        }
        let source = source.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(source.is_at_end)
    })
}

/// Where the items come from.
struct Source<N> {
    next: N,
    begun: usize,
    is_at_end: bool,
}

type Pulled<I> = (usize, std::thread::Result<I>, usize);

/// The next item, when there is room for it; `None` where there is no other.
fn pull<I, N: FnMut() -> Option<(I, usize)>>(
    source: &Mutex<Source<N>>,
    flow: &Flow,
    crew: Crew<'_>,
) -> Option<Pulled<I>> {
    let mut source = source.lock().unwrap_or_else(PoisonError::into_inner);
    if !flow.wait() || source.is_at_end || crew.cancel.load(Ordering::Relaxed) {
        return None;
    }
    let index = source.begun;
    let (item, bytes) = match catch_unwind(AssertUnwindSafe(|| (source.next)())) {
        Ok(Some((item, bytes))) => (Ok(item), bytes),
        Ok(None) => {
            source.is_at_end = true;
            return None;
        }
        Err(panic) => {
            source.is_at_end = true;
            (Err(panic), 0)
        }
    };
    source.begun += 1;
    flow.change(|state| {
        state.bytes += bytes;
        state.ahead += 1;
    });
    Some((index, item, bytes))
}

/// How much is on its way.
#[derive(Default)]
struct Flow {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// Items that are begun and not taken.
    ahead: usize,
    /// What they and their results take.
    bytes: usize,
    is_closed: bool,
}

impl Flow {
    /// Waits for room. Nobody waits for ever: the item that is to be taken next is in work. Says
    /// whether to go on.
    fn wait(&self) -> bool {
        let is_full = |state: &mut State| {
            let has_much = state.ahead >= AHEAD || state.bytes >= WAITING_BYTES;
            has_much && state.ahead > 0 && !state.is_closed
        };
        let state = self
            .changed
            .wait_while(self.lock(), is_full)
            .unwrap_or_else(PoisonError::into_inner);
        !state.is_closed
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.lock());
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Lets all threads go when it goes.
struct CloseOnDrop<'f>(&'f Flow);

impl Drop for CloseOnDrop<'_> {
    fn drop(&mut self) {
        self.0.change(|state| state.is_closed = true);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicBool, AtomicUsize};

    fn counting(to: usize, bytes: usize) -> impl FnMut() -> Option<(usize, usize)> + Send {
        let mut items = 0..to;
        move || items.next().map(|item| (item, bytes))
    }

    fn crew(threads: usize, cancel: &AtomicBool) -> Crew<'_> {
        Crew { threads, cancel }
    }

    #[test]
    fn all_are_taken_in_order_and_in_bounded_memory() {
        let cancel = AtomicBool::new(false);
        for (threads, bytes) in [
            (1, 0),
            (4, 0),
            (4, WAITING_BYTES / 3),
            (3, 2 * WAITING_BYTES),
        ] {
            let on_the_way = AtomicUsize::new(0);
            let most = AtomicUsize::new(0);
            let mut taken = Vec::new();
            let mut items = 0..300;
            let is_all = in_order_from(
                crew(threads, &cancel),
                || {
                    let item = items.next()?;
                    let now = 1 + on_the_way.fetch_add(1, Ordering::SeqCst);
                    most.fetch_max(now, Ordering::SeqCst);
                    Some((item, bytes))
                },
                |item| {
                    if item % 7 == 0 {
                        std::thread::yield_now();
                    }
                    let result = item * 2;
                    Done { result, bytes }
                },
                |result| {
                    on_the_way.fetch_sub(1, Ordering::SeqCst);
                    taken.push(result);
                    Ok(())
                },
            );
            assert!(is_all.unwrap());
            assert_eq!(taken, (0..300).map(|it| it * 2).collect::<Vec<_>>());
            let most = most.into_inner();
            let limit = match bytes {
                0 => AHEAD + 1,
                bytes => WAITING_BYTES / bytes + 2,
            };
            assert!(most <= limit, "{threads} threads, {bytes} bytes: {most}");
        }
    }

    #[test]
    fn it_ends_early_when_told() {
        let cancel = AtomicBool::new(false);
        let mut taken = 0;
        let is_all = in_order_from(
            crew(2, &cancel),
            counting(1000, 0),
            |item| {
                cancel.store(item >= 10, Ordering::Relaxed);
                Done {
                    result: item,
                    bytes: 0,
                }
            },
            |item| {
                assert_eq!(item, taken);
                taken += 1;
                Ok(())
            },
        );
        assert!(!is_all.unwrap());
        assert!((11..1000).contains(&taken), "{taken}");
    }

    #[test]
    fn an_error_and_a_panic_end_it() {
        let cancel = AtomicBool::new(false);
        let done = |result| Done { result, bytes: 0 };
        let error = in_order_from(
            crew(2, &cancel),
            counting(1000, 0),
            done,
            |item| match item {
                5 => Err(io::Error::other("full")),
                _ => Ok(()),
            },
        );
        assert!(matches!(error, Err(Error::Output(_))));
        for panics_in_next in [false, true] {
            let mut next = counting(1000, 0);
            let caught = catch_unwind(AssertUnwindSafe(|| {
                in_order_from(
                    crew(2, &cancel),
                    || {
                        let item = next();
                        assert!(!panics_in_next || item != Some((9, 0)), "next");
                        item
                    },
                    |item| {
                        assert!(panics_in_next || item != 9, "work");
                        done(item)
                    },
                    |_| Ok(()),
                )
            }));
            assert!(caught.is_err());
        }
    }
}
