//! The program of every target: it checks the property that has its name, and mutates inputs as the tests
//! do, beside libFuzzer's own mutations.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};
use rehref::fuzzing::mutation::{Random, mutate};

/// What is checked, and the pieces that mutations insert.
struct Target(fn(&[u8]), &'static [&'static str]);

static TARGET: LazyLock<Target> = LazyLock::new(|| {
    // Each crate has its own type of targets.
    macro_rules! targets {
        ($($krate:ident),*) => {
            [$($krate::fuzzing::TARGETS.iter().map(|it| (it.name, Target(it.check, it.pieces))).collect::<Vec<_>>()),*]
        };
    }
    let all = targets!(rehref, rehref_corpus, rehref_document, rehref_site, rehref_url);
    let mut all = all.into_iter().flatten();
    let found = all.find(|(name, _)| *name == env!("CARGO_BIN_NAME"));
    found.expect("a target").1
});

fuzz_target!(|data: &[u8]| (TARGET.0)(data));

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    if seed % 2 == 0 {
        return fuzzer_mutate(data, size, max_size);
    }
    let mut input = data[..size].to_vec();
    mutate(&mut input, TARGET.1, &mut Random::new(seed.into()), max_size);
    data[..input.len()].copy_from_slice(&input);
    input.len()
});
