//! What the programs have in common that make the links of documents absolute: one command line,
//! one way to read and write a tree, one way to measure. Each brings only its [`Absolute`].
//!
//! - `tree SITE OUT URL` does what `rehref absolute` does: OUT becomes SITE with absolute links.
//! - `memory SITE URL` works on documents that were read beforehand, on one thread, writes nothing,
//!   and prints MB/s of CPU time.

mod memory;
mod tree;

use std::error::Error;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use url::Url;
use walkdir::WalkDir;

/// Makes the links of a document absolute: the document's bytes and its own URL in, its new bytes
/// out.
pub type Absolute = fn(&[u8], &str) -> Result<Vec<u8>, Failure>;

/// Whatever went wrong.
pub type Failure = Box<dyn Error + Send + Sync>;

#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    job: Job,
}

#[derive(Subcommand)]
enum Job {
    /// Writes SITE to OUT, its HTML documents with absolute links
    Tree {
        site: PathBuf,
        /// Must not be there yet
        out: PathBuf,
        /// Where SITE is published
        url: Url,
    },
    /// Prints how many MB/s of CPU time the work takes in memory, on one thread
    Memory {
        site: PathBuf,
        /// Where SITE is published
        url: Url,
        /// Only the first documents, until there are this many bytes of them
        #[arg(long, value_name = "BYTES", default_value_t = usize::MAX, hide_default_value = true)]
        limit: usize,
        /// How often; the median counts
        #[arg(long, value_name = "N", default_value_t = 3)]
        rounds: usize,
    },
}

/// Does what the command line says with `absolute`; the status to end the process with.
pub fn run(absolute: Absolute) -> ExitCode {
    let result = match Arguments::parse().job {
        Job::Tree { site, out, url } => tree::run(absolute, &site, &out, &url),
        Job::Memory {
            site,
            url,
            limit,
            rounds,
        } => memory::run(absolute, &site, &url, limit, rounds),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

/// Every file and folder below `site`, folders before what is in them, always in the same order.
fn walk(site: &Path) -> impl Iterator<Item = walkdir::Result<walkdir::DirEntry>> {
    WalkDir::new(site)
        .min_depth(1)
        .sort_by_file_name()
        .into_iter()
}

fn is_html(path: &Path) -> bool {
    matches!(
        path.extension().and_then(OsStr::to_str),
        Some("html" | "htm")
    )
}

/// The URL of the file at `path` below `site`, which is published at `url`.
fn url_of(path: &Path, site: &Path, url: &Url) -> Result<Url, Failure> {
    let mut own = url.clone();
    own.path_segments_mut()
        .map_err(|()| format!("{url} cannot have a path"))?
        .pop_if_empty()
        .extend(path.strip_prefix(site)?.iter().map(OsStr::to_string_lossy));
    Ok(own)
}

fn about(path: &Path) -> impl Fn(std::io::Error) -> Failure {
    move |error| format!("{}: {error}", path.display()).into()
}
