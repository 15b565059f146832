//! The module `rehref._rehref`: the functions of the crate for Python. Doc comments of what Python
//! sees are its docstrings, whose examples are tests; types are in `_rehref.pyi`.
//!
//! A document is `bytes`, or `str`, which is then UTF-8 whatever it declares; the result has the same type. The
//! engine runs without the interpreter's lock.

mod batch;
mod document;
mod keywords;
mod many;
mod site;
mod url;
mod warc;

use std::ffi::OsString;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::{create_exception, wrap_pyfunction};

create_exception!(_rehref, RehrefError, PyValueError, "The base of the errors of this module.");
create_exception!(_rehref, UrlError, RehrefError, "A text is not a URL, or cannot be a base URL.");
create_exception!(
    _rehref,
    DocumentError,
    RehrefError,
    "A document cannot be rewritten: malformed XML, too complex, not decodable without loss, or its place cannot have a new link."
);

/// Runs the command `rehref` with these words, whose first is the name of the program; returns the exit status.
#[pyfunction]
fn run_command(python: Python<'_>, words: Vec<OsString>) -> u8 {
    python.detach(|| rehref::run_command(words))
}

/// The module.
#[pymodule]
fn _rehref(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let python = module.py();
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("RehrefError", python.get_type::<RehrefError>())?;
    module.add("UrlError", python.get_type::<UrlError>())?;
    module.add("DocumentError", python.get_type::<DocumentError>())?;
    module.add_class::<document::Link>()?;
    module.add_class::<site::Site>()?;
    module.add_class::<site::Finding>()?;
    module.add_function(wrap_pyfunction!(document::absolute, module)?)?;
    module.add_function(wrap_pyfunction!(document::relative, module)?)?;
    module.add_function(wrap_pyfunction!(document::rewrite, module)?)?;
    module.add_function(wrap_pyfunction!(document::links, module)?)?;
    module.add_function(wrap_pyfunction!(document::base_url, module)?)?;
    module.add_function(wrap_pyfunction!(document::anchors, module)?)?;
    module.add_function(wrap_pyfunction!(many::rewrite_many, module)?)?;
    module.add_function(wrap_pyfunction!(many::links_many, module)?)?;
    module.add_function(wrap_pyfunction!(many::anchors_many, module)?)?;
    module.add_function(wrap_pyfunction!(warc::warc_batches, module)?)?;
    module.add_function(wrap_pyfunction!(warc::warc_with_content, module)?)?;
    module.add_function(wrap_pyfunction!(warc::has_archive_name, module)?)?;
    module.add_class::<warc::WarcBytes>()?;
    module.add_function(wrap_pyfunction!(keywords::refuse_option, module)?)?;
    module.add_function(wrap_pyfunction!(run_command, module)?)?;
    module.add_function(wrap_pyfunction!(url::resolve, module)?)?;
    module.add_function(wrap_pyfunction!(url::relativize, module)?)?;
    Ok(())
}
