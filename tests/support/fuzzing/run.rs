//! Runs the targets: each for some inputs, which are the same every time (`REHREF_FUZZ_INPUTS` is their number,
//! `REHREF_FUZZ_SEED` makes others), or for as many seconds as `REHREF_FUZZ_SECONDS` says. With
//! `REHREF_FUZZ_TARGET`, only the target of this name.

use std::fs;
use std::panic::catch_unwind;
use std::path::Path;
use std::time::{Duration, Instant};

use super::Target;
use super::mutation::{Random, mutate};

/// The number of inputs of each target when neither it nor a time is given.
const INPUTS: usize = 300;

/// The largest input, in bytes.
const MOST: usize = 8 << 10;

/// The number of inputs that are kept to be changed again.
const KEPT: usize = 2000;

/// The files of the sample site and of the tests of carriers with these extensions.
fn files(root: &Path, extensions: &[&str]) -> Vec<Vec<u8>> {
    let folders = ["sample-site", "tests/carriers", "tests/support"];
    let walk =
        folders.iter().flat_map(|it| walkdir::WalkDir::new(root.join(it)).sort_by_file_name());
    let files = walk.flatten().filter(|entry| {
        let extension = entry.path().extension().and_then(|it| it.to_str());
        entry.file_type().is_file() && extension.is_some_and(|it| extensions.contains(&it))
    });
    let files = files.map(|entry| fs::read(entry.path()).unwrap());
    files.filter(|bytes| bytes.len() <= MOST).collect()
}

/// The first inputs of a target: files, several of which make one input if the target wants so, and pieces.
fn seeds(root: &Path, target: &Target, random: &mut Random) -> Vec<Vec<u8>> {
    let files = files(root, target.seeds);
    let mut seeds = files.clone();
    if target.files > 1 {
        seeds = (0..64)
            .map(|_| {
                let some: Vec<&[u8]> = (0..target.files).map(|_| &**random.of(&files)).collect();
                some.join(&b'\x1E')
            })
            .collect();
    }
    for _ in 0..64 {
        let pieces = (0..random.below(24)).map(|_| *random.of(target.pieces));
        seeds.push(pieces.collect::<String>().into_bytes());
    }
    seeds
}

fn fails(target: &Target, input: &[u8]) -> bool {
    let (check, input) = (target.check, input.to_vec());
    catch_unwind(|| check(&input)).is_err()
}

/// The smallest input that still fails, by leaving out pieces.
fn smallest(target: &Target, mut input: Vec<u8>) -> Vec<u8> {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let mut size = input.len() / 2;
    while size > 0 {
        let mut at = 0;
        while at < input.len() {
            let mut shorter = input.clone();
            shorter.drain(at..(at + size).min(input.len()));
            if fails(target, &shorter) { input = shorter } else { at += size }
        }
        size /= 2;
    }
    std::panic::set_hook(hook);
    input
}

/// How long a target runs.
#[derive(Clone, Copy)]
enum Limit {
    Time(Duration),
    Inputs(usize),
}

/// Runs `target` for inputs of its own; returns how many.
fn fuzz(root: &Path, target: &Target, limit: Limit, seed: u64) -> usize {
    let mut random = Random::new(seed);
    let mut inputs = seeds(root, target, &mut random);
    let begin = Instant::now();
    let mut count = 0;
    loop {
        let is_over = match limit {
            Limit::Time(time) => begin.elapsed() >= time,
            Limit::Inputs(inputs) => count >= inputs,
        };
        if is_over {
            return count;
        }
        let mut input = random.of(&inputs).clone();
        if count >= inputs.len() || count % 2 == 1 {
            mutate(&mut input, target.pieces, &mut random, MOST);
        }
        if fails(target, &input) {
            let input = smallest(target, input);
            eprintln!("{}: {}", target.name, input.escape_ascii());
            (target.check)(&input);
            panic!("{} fails only once", target.name);
        }
        // Changes add up.
        if random.below(4) == 0 {
            if inputs.len() < KEPT {
                inputs.push(input)
            } else {
                let at = random.below(KEPT);
                inputs[at] = input;
            }
        }
        count += 1;
    }
}

/// Runs `targets`, as the environment says, with first inputs from the checkout at `root`.
///
/// # Panics
/// When a property does not hold.
pub fn run(targets: &[Target], root: &Path) {
    let number = |name: &str| Some(std::env::var(name).ok()?.parse::<u32>().expect("a number"));
    let seconds = number("REHREF_FUZZ_SECONDS");
    let limit = match (seconds, number("REHREF_FUZZ_INPUTS")) {
        (Some(seconds), _) => Limit::Time(Duration::from_secs(seconds.into())),
        (None, inputs) => Limit::Inputs(inputs.map_or(INPUTS, |inputs| inputs as usize)),
    };
    let only = std::env::var("REHREF_FUZZ_TARGET").ok();
    // With a time, other inputs every time.
    let now = || std::time::UNIX_EPOCH.elapsed().unwrap().as_secs();
    let seed = number("REHREF_FUZZ_SEED").map(u64::from);
    let seed = seed.unwrap_or_else(|| seconds.map_or(1, |_| now()));
    for target in targets {
        if only.as_ref().is_none_or(|only| only == target.name) {
            let begin = Instant::now();
            let count = fuzz(root, target, limit, seed);
            let rate = count as f64 / begin.elapsed().as_secs_f64();
            println!("{}: {count} inputs, {rate:.0} a second, seed {seed}", target.name);
        }
    }
}
