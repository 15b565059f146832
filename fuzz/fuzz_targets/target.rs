//! The program of every target: it checks the property that has its name, and mutates inputs as the tests
//! do, beside libFuzzer's own mutations.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};
use rehref::fuzzing::{Random, Target, mutate, target};

static TARGET: LazyLock<Target> = LazyLock::new(|| target(env!("CARGO_BIN_NAME")));

fuzz_target!(|data: &[u8]| (TARGET.check)(data));

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    if seed % 2 == 0 {
        return fuzzer_mutate(data, size, max_size);
    }
    let mut input = data[..size].to_vec();
    mutate(&mut input, TARGET.pieces, &mut Random::new(seed.into()), max_size);
    data[..input.len()].copy_from_slice(&input);
    input.len()
});
