//! The keyword arguments of all functions on documents, and options of the commands that such a function cannot have,
//! since they need the whole tree.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use rehref::{DocumentKind, PageOptions};

use crate::RehrefError;

/// The options: their names, why they need the whole tree, and what offers them.
const OPTIONS: [(&str, &str, &str); 6] = [
    (
        "offline",
        "it adds the name of an index file where that file exists",
        "use `rehref relative --offline`",
    ),
    (
        "index",
        "whether a URL is that of an index file depends on the files of its directory",
        "use `rehref relative --index`",
    ),
    (
        "directory_links",
        "only the files show which URLs are directories",
        "use `rehref relative --directory-links`",
    ),
    (
        "moves",
        "links change in all documents that lead to a moved file",
        "use Site.move, or `rehref move`",
    ),
    (
        "fragments",
        "the anchors are in other documents",
        "use Site.audit, `rehref audit`, or the tables of rehref.warc",
    ),
    (
        "verify",
        "a proof compares all documents before and after",
        "use Site.verify, or `rehref verify`",
    ),
];

/// The options for a document, by the keyword arguments of `function`.
pub(crate) fn options(
    function: &str,
    keywords: Option<&Bound<'_, PyDict>>,
) -> PyResult<PageOptions> {
    let mut options = PageOptions::default();
    for (name, value) in keywords.iter().flat_map(|keywords| keywords.iter()) {
        match name.cast::<PyString>()?.to_str()? {
            "kind" => {
                options.kind =
                    DocumentKind::of_name(value.extract()?).map_err(RehrefError::new_err)?
            }
            "charset" => options.charset = value.extract()?,
            "json_ld" => options.json_ld = value.extract()?,
            "rdfa" => options.rdfa = value.extract()?,
            "attributes" => options = with_attributes(options, value.extract()?)?,
            other => return Err(refused(function, other)),
        }
    }
    Ok(options)
}

/// The options with links in these attributes.
pub(crate) fn with_attributes(
    options: PageOptions,
    attributes: Vec<String>,
) -> PyResult<PageOptions> {
    let options = options.with_attributes(attributes);
    options.map_err(|error| RehrefError::new_err(format!("attributes: {error}")))
}

/// The error for a keyword argument that `function` does not have: with the reason if it is an option of a command, as
/// Python does otherwise.
fn refused(function: &str, name: &str) -> PyErr {
    match OPTIONS.iter().find(|(option, ..)| *option == name) {
        Some((option, why, instead)) => RehrefError::new_err(format!(
            "{option} needs the whole tree, and {function} sees one document: {why}; {instead}"
        )),
        None => PyTypeError::new_err(format!(
            "{function}() got an unexpected keyword argument '{name}'"
        )),
    }
}

/// For functions in Python; see [`refused`].
#[pyfunction]
pub(crate) fn refuse_option(function: &str, name: &str) -> PyResult<()> {
    Err(refused(function, name))
}
