//! Helpers of the benchmarks: groups of measurements, the program, and real documents.

use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::process::Command;

use criterion::{BatchSize, Criterion, Throughput};

/// Measurements of the same work, beside each other.
#[derive(Debug)]
pub struct Group {
    name: String,
    samples: usize,
    /// How much a run works through.
    work: Option<Throughput>,
}

impl Group {
    /// A group whose measurements have `samples` samples each (criterion takes at least 10).
    pub fn new(name: impl Display, samples: usize) -> Group {
        Group { name: name.to_string(), samples: samples.max(10), work: None }
    }

    /// Prints the speed as well, for runs over `amount` bytes, or over so many elements if `unit` is
    /// another.
    #[must_use]
    pub fn with_work(mut self, amount: usize, unit: &str) -> Group {
        let amount = u64::try_from(amount).unwrap_or(u64::MAX);
        self.work = Some(match unit {
            "bytes" => Throughput::Bytes(amount),
            _ => Throughput::Elements(amount),
        });
        self
    }

    /// Measures `run`.
    pub fn measure<R>(&self, name: impl Display, mut run: impl FnMut() -> R) {
        self.measure_with(name, || (), |()| run());
    }

    /// Measures `run` on a value that `set_up` makes for each run, which is not measured.
    pub fn measure_with<S, R>(
        &self,
        name: impl Display,
        mut set_up: impl FnMut() -> S,
        mut run: impl FnMut(&mut S) -> R,
    ) {
        let mut criterion = Criterion::default().configure_from_args();
        let mut group = criterion.benchmark_group(&self.name);
        group.sample_size(self.samples);
        if let Some(work) = &self.work {
            group.throughput(work.clone());
        }
        group.bench_function(name.to_string(), |bencher| {
            bencher.iter_batched_ref(&mut set_up, &mut run, BatchSize::PerIteration);
        });
        group.finish();
    }
}

/// The repository's root.
pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The release build of the program, which is brought up to date.
pub fn program() -> PathBuf {
    let built = Command::new(env!("CARGO"))
        .args(["build", "--release", "--quiet", "--bin", "rehref", "--target-dir"])
        .arg(repository().join("target"))
        .current_dir(repository())
        .status();
    assert!(built.is_ok_and(|status| status.success()), "the build failed");
    repository().join("target/release/rehref")
}

/// Trees of very different HTML to measure on, those of the corpora that were fetched.
pub fn trees() -> Vec<PathBuf> {
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
pub fn tree() -> PathBuf {
    if let Some(tree) = std::env::var_os("REHREF_BENCH_TREE") {
        return tree.into();
    }
    let cached = std::env::var_os("HOME")
        .map(|home| Path::new(&home).join(".cache/rehref-corpora/python3.11-doc"));
    match cached {
        Some(tree) if tree.is_dir() => tree,
        _ => repository().join("sample-site"),
    }
}
