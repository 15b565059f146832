//! The links of a document, and those of a document before and after a run side by side: for judges
//! who know better than the witness where a link should lead afterwards.

use std::path::Path;
use std::rc::Rc;

use url::Url;

use super::Options;
use super::files::{FileType, file_type, walk_as};

/// One link of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    pub reference: String,
    /// Nothing where it does not parse.
    pub target: Option<Url>,
}

/// A link before and after.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkPair {
    /// The element and its attribute, or what else holds it.
    pub carrier: String,
    /// A tool need not take it for a link.
    pub optional: bool,
    pub before: Link,
    pub after: Link,
}

/// The links of a file that stands at `url`. Those that mean nothing (template markup, an empty
/// `src`) are not among them.
pub fn list_links(path: &Path, bytes: &[u8], url: &Url) -> Vec<(String, Link)> {
    let pairs = pair_links(path, (bytes, url), (bytes, url)).expect("it is the same as itself");
    let links = pairs.into_iter().map(|pair| (pair.carrier, pair.before));
    links.collect()
}

/// The links of a file before and after a run. Each version has its own URL; what the file is,
/// `path` and its bytes before say.
///
/// Errors: the differences in everything but links.
pub fn pair_links(
    path: &Path,
    (before, url): (&[u8], &Url),
    (after, url_after): (&[u8], &Url),
) -> Result<Vec<LinkPair>, Vec<String>> {
    let kind = match file_type(path, before) {
        FileType::Other => FileType::Html,
        kind => kind,
    };
    let options = Options { pairs: true, ..Options::default() };
    let urls = (Rc::new(url.clone()), Rc::new(url_after.clone()));
    match walk_as(kind, before, after, urls, options)? {
        Some(comparison) => comparison.finish_with_pairs().map(|(_, pairs)| pairs),
        None => Ok(Vec::new()),
    }
}
