//! Order, bounds, and every way in which a queue ends early.

use std::iter;
use std::sync::OnceLock;
use std::sync::atomic::AtomicUsize;
use std::time::Duration;

use super::*;

fn options(threads: usize, cancel: &AtomicBool) -> ThreadOptions<'_> {
    ThreadOptions { threads, cancel }
}

fn light<T>(value: T) -> QueueItem<T> {
    QueueItem { value, bytes: 0 }
}

#[test]
fn threads_are_no_more_than_items_and_the_limit() {
    let go_on = AtomicBool::new(false);
    let count = |threads, items| options(threads, &go_on).thread_count(items);
    assert_eq!(count(100_000, None), MOST_THREADS);
    assert_eq!(count(100_000, Some(100_000)), MOST_THREADS);
    assert_eq!(count(100_000, Some(3)), 3);
    assert_eq!(count(2, Some(0)), 1);
    assert!((1..=MOST_THREADS).contains(&count(0, None)));
}

#[test]
fn results_come_in_order() {
    let go_on = AtomicBool::new(false);
    for threads in [0, 1, 2, 7] {
        for count in [0, 1, 2, 3 * AHEAD] {
            let items: Vec<usize> = (0..count).collect();
            let mut taken = Vec::new();
            in_order(
                &items,
                options(threads, &go_on),
                |&item| {
                    if item % 97 == 0 {
                        thread::yield_now();
                    }
                    light(item + 1)
                },
                |&item, result| {
                    taken.push((item, result));
                    Ok(())
                },
            )
            .unwrap();
            let expected: Vec<_> = items.iter().map(|item| (*item, item + 1)).collect();
            assert!(taken == expected, "{threads} threads, {count} items");
        }
    }
}

/// The greatest number of items that are begun beside the first, which waits for that many.
fn begun_beside_first(wanted: usize, bytes: usize) -> usize {
    let go_on = AtomicBool::new(false);
    let begun = AtomicUsize::new(0);
    let most = OnceLock::new();
    let items: Vec<usize> = (0..3 * AHEAD).collect();
    let work = |&item: &usize| {
        if item > 0 {
            begun.fetch_add(1, Ordering::SeqCst);
            return QueueItem { value: (), bytes };
        }
        while begun.load(Ordering::SeqCst) < wanted {
            thread::yield_now();
        }
        // Time for one too many.
        thread::sleep(Duration::from_millis(50));
        most.set(begun.load(Ordering::SeqCst)).unwrap();
        light(())
    };
    in_order(&items, options(2, &go_on), work, |_, ()| Ok(())).unwrap();
    *most.get().unwrap()
}

#[test]
fn one_long_item_holds_up_no_more_than_bounds_do() {
    assert_eq!(begun_beside_first(AHEAD - 1, 0), AHEAD - 1);
    assert_eq!(begun_beside_first(4, WAITING_BYTES / 4), 4);
    assert_eq!(begun_beside_first(1, 2 * WAITING_BYTES), 1);
}

#[test]
fn items_begun_before_a_cancellation_are_taken() {
    for threads in [1, 4] {
        let cancel = AtomicBool::new(false);
        let worked = AtomicUsize::new(0);
        let items: Vec<usize> = (0..500).collect();
        let mut taken = Vec::new();
        let result = in_order(
            &items,
            options(threads, &cancel),
            |&item| {
                worked.fetch_add(1, Ordering::SeqCst);
                if item >= 200 {
                    cancel.store(true, Ordering::SeqCst);
                }
                light(item)
            },
            |_, item| {
                taken.push(item);
                Ok(())
            },
        );
        let worked = worked.into_inner();
        assert!((201..=200 + threads).contains(&worked), "{worked}");
        assert!(taken.into_iter().eq(0..worked));
        assert!(
            matches!(result, Err(Error::Interrupted { done, files: 500 }) if done == worked),
            "{result:?}"
        );
    }
    let cancel = AtomicBool::new(true);
    let result = in_order(&[1], options(1, &cancel), |_| light(()), |_, ()| Ok(()));
    assert!(matches!(result, Err(Error::Interrupted { done: 0, files: 1 })));
    // The last item is begun already.
    let cancel = AtomicBool::new(false);
    let work = |_: &i32| {
        cancel.store(true, Ordering::SeqCst);
        light(())
    };
    assert!(in_order(&[1], options(1, &cancel), work, |_, ()| Ok(())).is_ok());
}

#[test]
fn an_error_of_the_consumer_ends_the_queue() {
    let go_on = AtomicBool::new(false);
    let items: Vec<usize> = (0..4 * AHEAD).collect();
    let worked = AtomicUsize::new(0);
    let result = in_order(
        &items,
        options(2, &go_on),
        |&item| {
            worked.fetch_add(1, Ordering::SeqCst);
            light(item)
        },
        |_, item| match item {
            3 => Err(io::Error::other("full")),
            _ => Ok(()),
        },
    );
    assert!(matches!(result, Err(Error::Output(error)) if error.to_string() == "full"));
    assert!(worked.into_inner() <= AHEAD + 3);
}

#[test]
fn panics_reach_the_caller() {
    let go_on = AtomicBool::new(false);
    let items: Vec<usize> = (0..4 * AHEAD).collect();
    let message = |panic: Box<dyn std::any::Any + Send>| *panic.downcast::<&str>().unwrap();
    let in_work = catch_unwind(AssertUnwindSafe(|| {
        let work = |&item: &usize| match item {
            5 => panic!("work"),
            _ => light(()),
        };
        in_order(&items, options(3, &go_on), work, |_, ()| Ok(()))
    }));
    assert_eq!(message(in_work.unwrap_err()), "work");
    let in_take = catch_unwind(AssertUnwindSafe(|| {
        in_order(
            &items,
            options(3, &go_on),
            |_| light(()),
            |_, ()| {
                // The workers wait for room by then.
                thread::sleep(Duration::from_millis(50));
                panic!("take")
            },
        )
    }));
    assert_eq!(message(in_take.unwrap_err()), "take");
}

fn counting(to: usize) -> impl Iterator<Item = QueueItem<usize>> + Send {
    iter::from_fn({
        let mut items = 0..to;
        move || items.next().map(light)
    })
}

#[test]
fn items_of_a_source_are_taken_in_order_and_in_bounded_memory() {
    let cancel = AtomicBool::new(false);
    for (threads, bytes) in [(1, 0), (4, 0), (4, WAITING_BYTES / 3), (3, 2 * WAITING_BYTES)] {
        let on_the_way = AtomicUsize::new(0);
        let most = AtomicUsize::new(0);
        let mut taken = Vec::new();
        let mut items = 0..300;
        let completion = in_order_from(
            options(threads, &cancel),
            iter::from_fn(|| {
                let value = items.next()?;
                let now = 1 + on_the_way.fetch_add(1, Ordering::SeqCst);
                most.fetch_max(now, Ordering::SeqCst);
                Some(QueueItem { value, bytes })
            }),
            |item| {
                if item % 7 == 0 {
                    std::thread::yield_now();
                }
                let value = item * 2;
                QueueItem { value, bytes }
            },
            |result| {
                on_the_way.fetch_sub(1, Ordering::SeqCst);
                taken.push(result);
                Ok(())
            },
        );
        let expected = Completion { done: 300, is_complete: true };
        assert_eq!(completion.unwrap(), expected);
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
fn a_cancellation_ends_a_source_early() {
    let cancel = AtomicBool::new(false);
    let mut taken = 0;
    let completion = in_order_from(
        options(2, &cancel),
        counting(1000),
        |item| {
            cancel.store(item >= 10, Ordering::Relaxed);
            light(item)
        },
        |item| {
            assert_eq!(item, taken);
            taken += 1;
            Ok(())
        },
    );
    let expected = Completion { done: taken, is_complete: false };
    assert_eq!(completion.unwrap(), expected);
    assert!((11..1000).contains(&taken), "{taken}");
}

#[test]
fn an_error_and_a_panic_end_a_source() {
    let cancel = AtomicBool::new(false);
    let error = in_order_from(options(2, &cancel), counting(1000), light, |item| match item {
        5 => Err(io::Error::other("full")),
        _ => Ok(()),
    });
    assert!(matches!(error, Err(Error::Output(_))));
    for panics_in_next in [false, true] {
        let mut items = counting(1000);
        let caught = catch_unwind(AssertUnwindSafe(|| {
            in_order_from(
                options(2, &cancel),
                items.by_ref().inspect(|item| {
                    assert!(!panics_in_next || item.value != 9, "next");
                }),
                |item| {
                    assert!(panics_in_next || item != 9, "work");
                    light(item)
                },
                |_| Ok(()),
            )
        }));
        assert!(caught.is_err());
    }
}
