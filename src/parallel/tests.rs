//! Order, bounds, and every way to end before the end.

use std::sync::OnceLock;
use std::sync::atomic::AtomicUsize;
use std::thread;
use std::time::Duration;

use super::*;

fn crew(threads: usize, cancel: &AtomicBool) -> Crew<'_> {
    Crew { threads, cancel }
}

fn light<T>(result: T) -> Done<T> {
    Done { result, bytes: 0 }
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
                crew(threads, &go_on),
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
            return Done { result: (), bytes };
        }
        while begun.load(Ordering::SeqCst) < wanted {
            thread::yield_now();
        }
        // Time for one too many.
        thread::sleep(Duration::from_millis(50));
        most.set(begun.load(Ordering::SeqCst)).unwrap();
        light(())
    };
    in_order(&items, crew(2, &go_on), work, |_, ()| Ok(())).unwrap();
    *most.get().unwrap()
}

#[test]
fn one_long_item_holds_up_no_more_than_bounds_do() {
    assert_eq!(begun_beside_first(AHEAD - 1, 0), AHEAD - 1);
    assert_eq!(begun_beside_first(4, WAITING_BYTES / 4), 4);
    assert_eq!(begun_beside_first(1, 2 * WAITING_BYTES), 1);
}

#[test]
fn what_is_begun_is_taken_when_cancelled() {
    for threads in [1, 4] {
        let cancel = AtomicBool::new(false);
        let worked = AtomicUsize::new(0);
        let items: Vec<usize> = (0..500).collect();
        let mut taken = Vec::new();
        let result = in_order(
            &items,
            crew(threads, &cancel),
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
    let result = in_order(&[1], crew(1, &cancel), |_| light(()), |_, ()| Ok(()));
    assert!(matches!(
        result,
        Err(Error::Interrupted { done: 0, files: 1 })
    ));
    // Too late to leave anything out.
    let cancel = AtomicBool::new(false);
    let work = |_: &i32| {
        cancel.store(true, Ordering::SeqCst);
        light(())
    };
    assert!(in_order(&[1], crew(1, &cancel), work, |_, ()| Ok(())).is_ok());
}

#[test]
fn an_error_of_the_taker_ends_it() {
    let go_on = AtomicBool::new(false);
    let items: Vec<usize> = (0..4 * AHEAD).collect();
    let worked = AtomicUsize::new(0);
    let result = in_order(
        &items,
        crew(2, &go_on),
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
fn panics_pass_through() {
    let go_on = AtomicBool::new(false);
    let items: Vec<usize> = (0..4 * AHEAD).collect();
    let message = |panic: Box<dyn std::any::Any + Send>| *panic.downcast::<&str>().unwrap();
    let in_work = catch_unwind(AssertUnwindSafe(|| {
        let work = |&item: &usize| match item {
            5 => panic!("work"),
            _ => light(()),
        };
        in_order(&items, crew(3, &go_on), work, |_, ()| Ok(()))
    }));
    assert_eq!(message(in_work.unwrap_err()), "work");
    let in_take = catch_unwind(AssertUnwindSafe(|| {
        in_order(
            &items,
            crew(3, &go_on),
            |_| light(()),
            |_, ()| {
                // The threads are at the gate by then.
                thread::sleep(Duration::from_millis(50));
                panic!("take")
            },
        )
    }));
    assert_eq!(message(in_take.unwrap_err()), "take");
}
