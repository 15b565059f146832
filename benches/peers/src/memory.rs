//! Documents that were read beforehand, on one thread.

use std::fs;
use std::hint::black_box;
use std::path::Path;

use rustix::time::{ClockId, clock_gettime};
use url::Url;

use crate::{Absolute, Failure, about, is_html, url_of, walk};

struct Document {
    bytes: Vec<u8>,
    url: String,
}

pub(crate) fn run(
    absolute: Absolute,
    site: &Path,
    url: &Url,
    limit: usize,
    rounds: usize,
) -> Result<(), Failure> {
    let documents = read(site, url, limit)?;
    let bytes: usize = documents.iter().map(|document| document.bytes.len()).sum();
    let megabytes = bytes as f64 / 1e6;
    let mut failures = 0;
    let mut speeds = Vec::new();
    for _ in 0..rounds.max(1) {
        let start = cpu_seconds();
        failures = documents
            .iter()
            .filter(|document| black_box(absolute(&document.bytes, &document.url)).is_err())
            .count();
        speeds.push(megabytes / (cpu_seconds() - start));
    }
    speeds.sort_by(f64::total_cmp);
    let median = speeds.get(speeds.len() / 2).copied().unwrap_or_default();
    println!(
        "{median:.1} MB/s (median of {} rounds over {megabytes:.1} MB in {} documents, {failures} \
         of which failed)",
        speeds.len(),
        documents.len(),
    );
    Ok(())
}

/// The first HTML documents of `site`, up to the one that reaches `limit` bytes.
fn read(site: &Path, url: &Url, limit: usize) -> Result<Vec<Document>, Failure> {
    let mut documents = Vec::new();
    let mut size = 0;
    for entry in walk(site) {
        let entry = entry?;
        if size >= limit {
            break;
        }
        if !entry.file_type().is_file() || !is_html(entry.path()) {
            continue;
        }
        let bytes = fs::read(entry.path()).map_err(about(entry.path()))?;
        size += bytes.len();
        documents.push(Document {
            bytes,
            url: url_of(entry.path(), site, url)?.into(),
        });
    }
    if documents.is_empty() {
        return Err(format!("{}: no HTML documents in it", site.display()).into());
    }
    Ok(documents)
}

fn cpu_seconds() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}
