//! Runs over real trees of documentation, judged by an independent witness (`tests/support/witness`)
//! and by a second judge of moves (`tests/support/broken`), whose own tests run in `tests/cli`.
//!
//! A test is ignored where its tree does not exist in `$REHREF_CORPORA` or `~/.cache/rehref-corpora`;
//! `docs/internals/testing.md` says how to fetch them. `REHREF_MORE_CORPORA` names more packages. Every
//! test crate links all of rehref, so there is one for all of them.
//!
//! Rust's own harness knows when it compiles which tests it ignores, and a test that only returns counts
//! as passed. So libtest-mimic runs these, and a test is a row of `trials`: `#[test]` does nothing here.

#![allow(missing_docs)]

#[path = "../support/broken/mod.rs"]
mod broken;
#[path = "../support/kinds.rs"]
mod kinds;
#[path = "../support/run.rs"]
mod run;
#[path = "../support/mod.rs"]
mod support;
#[path = "../support/witness/mod.rs"]
mod witness;

mod absolute;
mod moves;

use std::path::{Path, PathBuf};

use libtest_mimic::{Arguments, Completion, Trial};

fn main() {
    let trials = absolute::trials().into_iter().chain(moves::trials());
    libtest_mimic::run(&Arguments::from_args(), trials.collect()).exit();
}

/// A test of the trees of these packages that are there, ignored where none is.
fn over_trees(name: &str, packages: &str, test: fn(&Path)) -> Trial {
    let trees = trees(packages).filter(|tree| tree.is_dir()).collect();
    let otherwise = format!("no {packages} in {}", support::corpora().display());
    over(name, trees, otherwise, test)
}

/// A test of the trees whose packages `REHREF_MORE_CORPORA` names, all of which have to be there.
fn over_more_trees(name: &str, test: fn(&Path)) -> Trial {
    let packages = std::env::var("REHREF_MORE_CORPORA").unwrap_or_default();
    let otherwise = "REHREF_MORE_CORPORA names none".to_owned();
    over(name, trees(&packages).collect(), otherwise, test)
}

fn trees(packages: &str) -> impl Iterator<Item = PathBuf> {
    let packages = packages.split_whitespace();
    packages.map(|package| support::corpora().join(package))
}

/// A test of each of these trees, ignored with the reason `otherwise` if there are none.
fn over(name: &str, trees: Vec<PathBuf>, otherwise: String, test: fn(&Path)) -> Trial {
    Trial::ignorable_test(name, move || {
        if trees.is_empty() {
            return Ok(Completion::ignored_with(otherwise));
        }
        for tree in trees {
            assert!(tree.is_dir(), "{} is not there", tree.display());
            test(&tree);
        }
        Ok(Completion::Completed)
    })
}
