//! What the benchmarks share: the clock, and real documents.

#![allow(dead_code)]

use std::fmt::Display;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Measurements of the same work, printed one below the other.
///
/// No statistics beyond the median and the extremes: what rehref is compared with runs in the same
/// program, and a library for more would be compiled with every `cargo test`.
pub(crate) struct Group {
    samples: usize,
    /// What a run works through, and its unit.
    work: Option<(usize, &'static str)>,
}

impl Group {
    /// A group whose measurements are repeated `samples` times, after a run that is not counted.
    pub(crate) fn new(name: impl Display, samples: usize) -> Group {
        println!("{name}");
        Group {
            samples,
            work: None,
        }
    }

    /// Prints the speed as well, `amount` being what each run works through.
    pub(crate) fn with_work(mut self, amount: usize, unit: &'static str) -> Group {
        self.work = Some((amount, unit));
        self
    }

    pub(crate) fn measure<R>(&self, name: impl Display, mut run: impl FnMut() -> R) {
        self.measure_with(name, || (), |()| run());
    }

    /// Measures `run` on a value that `set_up` makes for each run. `cargo bench -- TEXT` measures only
    /// names that contain TEXT.
    pub(crate) fn measure_with<S, R>(
        &self,
        name: impl Display,
        mut set_up: impl FnMut() -> S,
        mut run: impl FnMut(&mut S) -> R,
    ) {
        let name = name.to_string();
        let mut filters = std::env::args().skip(1).filter(|it| !it.starts_with('-'));
        if filters.next().is_some_and(|filter| !name.contains(&filter)) {
            return;
        }
        let mut times: Vec<Duration> = (0..=self.samples)
            .map(|_| {
                let mut value = set_up();
                let started = Instant::now();
                black_box(run(&mut value));
                started.elapsed()
            })
            .skip(1)
            .collect();
        times.sort();
        let median = times[times.len() / 2];
        let (least, most) = (times[0], times[times.len() - 1]);
        print!("    {name}: {median:.3?} ({least:.3?} to {most:.3?})");
        if let Some((amount, unit)) = self.work {
            let speed = amount as f64 / median.as_secs_f64() / 1e6;
            print!(", {speed:.2} million {unit} a second");
        }
        println!();
    }
}

/// Trees of very different HTML to measure on, those of the corpora that were fetched.
pub(crate) fn trees() -> Vec<PathBuf> {
    let home = std::env::var_os("HOME").unwrap_or_default();
    let corpora = Path::new(&home).join(".cache/rehref-corpora");
    let names = ["python3.11-doc", "rust-doc"].into_iter();
    let mut trees: Vec<PathBuf> = names.map(|name| corpora.join(name)).collect();
    trees.retain(|tree| tree.is_dir());
    if trees.is_empty() {
        trees.push(tree());
    }
    trees
}

/// The tree to measure on: `REHREF_BENCH_TREE`, or python3.11-doc where it was fetched, or the
/// sample site.
pub(crate) fn tree() -> PathBuf {
    if let Some(tree) = std::env::var_os("REHREF_BENCH_TREE") {
        return tree.into();
    }
    let cached = std::env::var_os("HOME")
        .map(|home| Path::new(&home).join(".cache/rehref-corpora/python3.11-doc"));
    match cached {
        Some(tree) if tree.is_dir() => tree,
        _ => Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-site"),
    }
}
