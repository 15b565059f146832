//! A whole tree, on all cores.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use rayon::iter::{IntoParallelIterator, ParallelIterator};
use url::Url;

use crate::{Absolute, Failure, about, is_html, url_of, walk};

pub(crate) fn run(absolute: Absolute, site: &Path, out: &Path, url: &Url) -> Result<(), Failure> {
    fs::create_dir(out).map_err(about(out))?;
    let mut files = Vec::new();
    for entry in walk(site) {
        let entry = entry?;
        let (kind, from) = (entry.file_type(), entry.into_path());
        let to = out.join(from.strip_prefix(site)?);
        if kind.is_dir() {
            fs::create_dir(&to).map_err(about(&to))?;
        } else if kind.is_symlink() {
            let target = fs::read_link(&from).map_err(about(&from))?;
            symlink(target, &to).map_err(about(&to))?;
        } else {
            files.push((from, to));
        }
    }
    let write = |(from, to): (PathBuf, PathBuf)| -> Result<(), Failure> {
        if !is_html(&from) {
            fs::copy(&from, &to).map_err(about(&from))?;
            return Ok(());
        }
        let bytes = fs::read(&from).map_err(about(&from))?;
        let own = url_of(&from, site, url)?;
        let rewritten = absolute(&bytes, own.as_str()).unwrap_or_else(|error| {
            eprintln!("{}: left as it is: {error}", from.display());
            bytes
        });
        fs::write(&to, rewritten).map_err(about(&to))
    };
    files.into_par_iter().try_for_each(write)
}
