//! Options of the commands that a function for one document cannot have, since they need the whole tree.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

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

/// Refuses the keyword arguments that a function does not have: with the reason if they are options of a command, as
/// Python does otherwise.
pub(crate) fn refuse(function: &str, others: Option<&Bound<'_, PyDict>>) -> PyResult<()> {
    let Some((name, _)) = others.and_then(|others| others.iter().next()) else { return Ok(()) };
    let name: String = name.extract()?;
    let row = OPTIONS.iter().find(|(option, ..)| *option == name);
    Err(match row {
        Some((option, why, instead)) => RehrefError::new_err(format!(
            "{option} needs the whole tree, and {function} sees one document: {why}; {instead}"
        )),
        None => PyTypeError::new_err(format!(
            "{function}() got an unexpected keyword argument '{name}'"
        )),
    })
}

/// For functions in Python; see [`refuse`].
#[pyfunction]
pub(crate) fn refuse_options(function: &str, others: &Bound<'_, PyDict>) -> PyResult<()> {
    refuse(function, Some(others))
}
