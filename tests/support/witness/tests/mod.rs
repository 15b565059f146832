//! Does the witness itself see what it should?

use std::path::Path;

use url::Url;

use super::{Options, Stats, compare_documents, compare_file, document_url, sniff_encoding};

mod documents;
mod embedded;
mod files;

pub(super) const PAGE_URL: &str = "https://example.org/docs/a/page.html";

pub(super) fn compare(input: &str, output: &str, absolute: bool) -> Result<Stats, Vec<String>> {
    let url = Url::parse(PAGE_URL).unwrap();
    compare_documents(input.as_bytes(), output.as_bytes(), &url, absolute)
}

/// Passes as the result of `absolute`.
#[track_caller]
pub(super) fn accepts(input: &str, output: &str) {
    if let Err(differences) = compare(input, output, true) {
        panic!("{input}\n{output}\n{differences:#?}");
    }
}

/// Fails with a message that holds `message`.
#[track_caller]
pub(super) fn rejects(input: &str, output: &str, message: &str) {
    match compare(input, output, true) {
        Ok(stats) => panic!("accepted, {stats:?}: {input}\n{output}"),
        Err(differences) => {
            assert!(differences.iter().any(|line| line.contains(message)), "{differences:#?}")
        }
    }
}
