//! Sites on disk.

use std::path::PathBuf;

use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;

use crate::url::parse;

/// A site on disk: `root`, the directory of its files, and `url`, the URL that the directory is published at.
///
/// Raises OSError if the directory cannot be read, UrlError if `url` is not an absolute URL.
#[pyclass(frozen, subclass, module = "rehref._rehref")]
pub(crate) struct Site {
    site: rehref::Site,
}

#[pymethods]
impl Site {
    #[new]
    fn new(python: Python<'_>, root: PathBuf, url: &str) -> PyResult<Site> {
        let url = parse(url)?;
        let site = python.detach(|| rehref::Site::open(root, &url));
        let site = site.map_err(|error| PyOSError::new_err(error.to_string()))?;
        Ok(Site { site })
    }

    #[getter]
    fn root(&self) -> PathBuf {
        self.site.root().to_owned()
    }

    /// The paths of all files below the root, sorted by name within each directory.
    fn files(&self) -> Vec<PathBuf> {
        self.site.files().map(PathBuf::from).collect()
    }

    /// The URL at which visitors read the file at a path of `files`.
    fn url_of(&self, path: PathBuf) -> Option<String> {
        self.site.url_of(&path).map(|url| url.as_str().to_owned())
    }

    /// Checks the links between the files, and returns a list of Finding by document and place.
    ///
    /// Raises OSError if a document cannot be read.
    fn audit(&self, python: Python<'_>) -> PyResult<Vec<Finding>> {
        let audit = python.detach(|| self.site.audit());
        let audit = audit.map_err(|error| PyOSError::new_err(error.to_string()))?;
        match audit.unread.first() {
            Some((path, why)) => Err(PyOSError::new_err(format!("{}: {why}", path.display()))),
            None => Ok(audit.findings.iter().map(Finding::from).collect()),
        }
    }

    fn __repr__(&self) -> String {
        format!("Site({:?})", self.site.root())
    }
}

/// A finding of an audit, with the members of `rehref audit --format jsonl`.
///
/// `check`: the stable name of the check. `level`: error, warning or note. `line`, `column`: from 1, in characters;
/// None for a whole file. `target`: the absolute URL that the link resolves to.
#[pyclass(frozen, eq, get_all, skip_from_py_object, module = "rehref")]
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Finding {
    check: String,
    level: String,
    document: String,
    line: Option<usize>,
    column: Option<usize>,
    element: String,
    attribute: String,
    reference: Option<String>,
    target: Option<String>,
    message: String,
    suggestion: Option<String>,
}

impl From<&rehref::Finding> for Finding {
    fn from(finding: &rehref::Finding) -> Finding {
        let diagnostic = &finding.diagnostic;
        let location = &diagnostic.location;
        Finding {
            check: finding.check.id().to_owned(),
            level: diagnostic.severity.name().to_owned(),
            document: location.path.to_string(),
            line: location.position.map(|position| position.line),
            column: location.position.map(|position| position.column),
            element: location.element.to_string(),
            attribute: location.attribute.to_string(),
            reference: diagnostic.reference.as_deref().map(str::to_owned),
            target: finding.target.as_deref().map(str::to_owned),
            message: diagnostic.message.to_string(),
            suggestion: finding.suggestion.as_deref().map(str::to_owned),
        }
    }
}

#[pymethods]
impl Finding {
    fn __repr__(&self) -> String {
        let line = self.line.map_or(String::new(), |line| format!(":{line}"));
        format!("Finding({}: {}{line}: {})", self.check, self.document, self.message)
    }
}
