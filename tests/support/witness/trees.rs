//! Whole trees.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use url::Url;

use super::files::{FileType, compare_as, file_type};
use super::{Options, Stats};

/// The URL of a file of the site. `site_url` is a directory, with or without its final slash.
///
/// Percent-encoded are the URL Standard's path percent-encode set, `%` and `\`.
pub fn document_url(site_url: &Url, relative_path: &Path) -> Url {
    let mut url = site_url.clone();
    url.set_query(None);
    url.set_fragment(None);
    let mut spelled = url.as_str().trim_end_matches('/').to_string();
    for component in relative_path.components() {
        if let Component::Normal(name) = component {
            spelled.push('/');
            for &byte in file_name_bytes(name).iter() {
                match byte {
                    b'%' | b'\\' | b'"' | b'#' | b'<' | b'>' | b'?' | b'^' | b'`' | b'{' | b'}' => {
                        let _ = write!(spelled, "%{byte:02X}");
                    }
                    b'!'..=b'~' => spelled.push(char::from(byte)),
                    _ => {
                        let _ = write!(spelled, "%{byte:02X}");
                    }
                }
            }
        }
    }
    Url::parse(&spelled).expect("a hierarchical site URL and encoded segments make a URL")
}

#[cfg(unix)]
fn file_name_bytes(name: &std::ffi::OsStr) -> Cow<'_, [u8]> {
    Cow::Borrowed(std::os::unix::ffi::OsStrExt::as_bytes(name))
}

#[cfg(not(unix))]
fn file_name_bytes(name: &std::ffi::OsStr) -> Cow<'_, [u8]> {
    Cow::Owned(name.to_string_lossy().into_owned().into_bytes())
}

/// What a file of the input is expected to have become.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expectation {
    /// A document, or another file with links: compared link by link, as what its name says it is;
    /// as HTML where that says nothing.
    Document,
    /// Anything else, or a document that the run reported to have kept: the same bytes.
    SameBytes,
}

/// What `compare_trees` found. No failures: the output is what it should be.
#[derive(Debug, Default)]
pub struct TreeComparison {
    pub documents: usize,
    pub other_files: usize,
    pub symbolic_links: usize,
    pub stats: Stats,
    /// One line each, beginning with the path inside the tree.
    pub failures: Vec<String>,
}

/// Compares the tree `input` with what a run made of it in `output`, file by file: the same names,
/// the same symbolic links, documents compared as by `compare_file`, all else the same bytes.
pub fn compare_trees(
    input: &Path,
    output: &Path,
    site_url: &Url,
    options: impl Into<Options>,
    expectation: &(dyn Fn(&Path, &[u8]) -> Expectation + Sync),
) -> TreeComparison {
    let options = options.into();
    let mut comparison = TreeComparison::default();
    let paths = paths_of(input);
    let paths_after = paths_of(output);
    for missing in paths.iter().filter(|p| paths_after.binary_search(p).is_err()) {
        comparison.failures.push(format!("{}: missing", missing.display()));
    }
    for extra in paths_after.iter().filter(|p| paths.binary_search(p).is_err()) {
        comparison.failures.push(format!("{}: not in the input", extra.display()));
    }
    let next = AtomicUsize::new(0);
    let shared = Mutex::new(comparison);
    std::thread::scope(|scope| {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(path) = paths.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let mut found = TreeComparison::default();
                    compare_files(
                        (input, output, path),
                        site_url,
                        options,
                        expectation,
                        &mut found,
                    );
                    let mut all = shared.lock().expect("no comparison panics");
                    all.documents += found.documents;
                    all.other_files += found.other_files;
                    all.symbolic_links += found.symbolic_links;
                    all.stats.add(found.stats);
                    all.failures.append(&mut found.failures);
                }
            });
        }
    });
    let mut comparison = shared.into_inner().expect("no comparison panics");
    comparison.failures.sort();
    comparison
}

fn paths_of(root: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = walkdir::WalkDir::new(root)
        .min_depth(1)
        .into_iter()
        .map(|entry| {
            let entry = entry.expect("the tree can be read");
            entry.path().strip_prefix(root).expect("entries are below the root").to_path_buf()
        })
        .collect();
    paths.sort();
    paths
}

fn compare_files(
    (input, output, path): (&Path, &Path, &Path),
    site_url: &Url,
    options: Options,
    expectation: &(dyn Fn(&Path, &[u8]) -> Expectation + Sync),
    found: &mut TreeComparison,
) {
    let (before, after) = (input.join(path), output.join(path));
    let mut fail = |problem: String| found.failures.push(format!("{}: {problem}", path.display()));
    let (Ok(kind), Ok(kind_after)) = (fs::symlink_metadata(&before), fs::symlink_metadata(&after))
    else {
        // Missing ones are reported already.
        return;
    };
    if kind.file_type() != kind_after.file_type() {
        fail("not of the same type".to_string());
    } else if kind.is_symlink() {
        found.symbolic_links += 1;
        if fs::read_link(&before).ok() != fs::read_link(&after).ok() {
            fail("the symbolic link leads elsewhere".to_string());
        }
    } else if kind.is_file() {
        let (Ok(bytes), Ok(bytes_after)) = (fs::read(&before), fs::read(&after)) else {
            fail("cannot be read".to_string());
            return;
        };
        if expectation(path, &bytes) == Expectation::SameBytes {
            found.other_files += 1;
            if bytes != bytes_after {
                fail("the bytes differ".to_string());
            }
            return;
        }
        found.documents += 1;
        let url = document_url(site_url, path);
        let kind = match file_type(path, &bytes) {
            FileType::Other => FileType::Html,
            kind => kind,
        };
        match compare_as(kind, &bytes, &bytes_after, &url, options) {
            Ok(stats) => found.stats.add(stats),
            Err(differences) => {
                for difference in differences {
                    fail(difference);
                }
            }
        }
    }
}
