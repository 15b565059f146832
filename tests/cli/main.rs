//! Everything that runs the real binary on files: a module for each subcommand, and one for each
//! subject that concerns several subcommands. One crate, since every test crate links all of rehref.
//!
//! - Subcommands: `absolute`, `audit`, `base`, `links`, `moving` (`rehref move`), `verify`.
//! - What visitors find: `browser` compares pages in Chromium, `browser_integrity` those whose digests
//!   decide what it loads, `browser_trust` what hostile pages can do.
//! - What documents are stored in: `compressed`, `extract` (files out of archives), `messages`, `single` (one file), `streams` (stdin and
//!   stdout), `warc`, `revisits` (records of WARC archives), `wacz`, `wacz_rewriting`.
//! - What they hold: `attributes` (`--attr`), `carriers` runs the folders of `tests/carriers`, `integrity` has digests;
//!   `malformed` is about documents that cannot be parsed.
//! - What the user's own generator says: `build`.
//! - How a run ends: `nothing` (no command succeeds over nothing).
//! - What each system promises: `platforms`.
//! - What a site is made of: `index_pages`, `served_anywhere`, `symlinks`; what scripts name:
//!   `stale_paths`; where it is published: `site_url`, `no_url`; its redirect rules: `redirects`.
//! - What `verify` has to notice: `verify_damage` plants damages; `base_elements` has those of `base`.
//! - How files are written: `diff`, `interrupt` and `interrupted` (in this process), `kill`, `move_kill`, `permissions`; `git` has what git does and does not run; `system_calls` asks strace,
//!   and `faults` lets it make calls fail.
//! - `move_properties` moves random sites; `docs` runs the commands of the README and of the book.
//! - The judges of `tests/corpora`, `witness` and `broken`, are here for their own tests: the harness there runs no
//!   `#[test]`.
//! - What reads better as text: `cases` runs the files of `tests/cases`, a folder for each subcommand or subject. A module
//!   holds what a case file cannot: processes, permissions, times, bytes that are not text, properties.
//!
//! `cargo test --test cli warc::` runs one module, `INSTA_UPDATE=always cargo test --test cli` rewrites
//! the snapshots and the case files. Proptest keeps failed cases in `tests/proptest-regressions`.

#![allow(missing_docs)]

#[cfg(unix)]
#[path = "../support/broken/mod.rs"]
mod broken;
#[cfg(unix)]
#[path = "../support/damage/mod.rs"]
mod damage;
#[cfg(unix)]
#[path = "../support/planted/mod.rs"]
mod planted;
#[path = "../support/run.rs"]
mod run;
#[path = "../support/mod.rs"]
mod support;
#[path = "../support/warc.rs"]
mod warc_reader;
#[cfg(unix)]
#[path = "../support/witness/mod.rs"]
mod witness;
#[path = "../support/zip.rs"]
mod zip;

mod absolute;
mod anchor_moves;
mod attributes;
mod audit;
mod base;
mod base_elements;
mod browser;
mod browser_causes;
mod browser_integrity;
#[cfg(unix)]
mod browser_trust;
#[cfg(unix)]
mod build;
mod carriers;
mod cases;
mod cdx;
mod compare;
mod compressed;
mod config;
mod diff;
#[cfg(unix)]
mod docs;
mod document_size;
mod extract;
#[cfg(target_os = "linux")]
mod faults;
#[cfg(unix)]
mod file_systems;
mod generators;
#[cfg(unix)]
mod git;
mod gitignore;
mod habits;
mod help;
mod index_pages;
mod integrity;
#[cfg(unix)]
mod interrupt;
#[cfg(unix)]
mod interrupted;
#[cfg(unix)]
mod kill;
mod links;
mod malformed;
mod many_projects;
mod markdown;
mod markdown_jekyll;
mod markdown_redirects;
mod markdown_yaml;
mod messages;
#[cfg(any(target_os = "linux", target_os = "macos"))]
mod move_kill;
mod move_properties;
mod moving;
mod no_url;
mod nothing;
mod parquet;
#[cfg(unix)]
mod permissions;
mod platforms;
mod public_api;
mod redirects;
mod reports;
mod repositories;
mod revisits;
mod running;
mod schemas;
mod served_anywhere;
mod single;
mod site_url;
mod slips;
mod stale_paths;
mod streams;
#[cfg(unix)]
mod symlinks;
#[cfg(target_os = "linux")]
mod system_calls;
mod templates;
mod verify;
#[cfg(unix)]
mod verify_damage;
mod wacz;
mod wacz_rewriting;
mod warc;
