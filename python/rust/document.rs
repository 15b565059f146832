//! Lists and rewrites the links of documents.

use std::borrow::Cow;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString, PyTuple};
use rehref::{Page, PageOptions};

use crate::keywords;
use crate::url::{form, parse};
use crate::{DocumentError, RehrefError};

/// A document of Python: its bytes, without a copy, and its type.
enum Source<'a, 'py> {
    Bytes(&'a Bound<'py, PyBytes>),
    Text(&'a Bound<'py, PyString>, &'a str),
}

impl<'a, 'py> Source<'a, 'py> {
    fn of(document: &'a Bound<'py, PyAny>) -> PyResult<Source<'a, 'py>> {
        if let Ok(bytes) = document.cast::<PyBytes>() {
            return Ok(Source::Bytes(bytes));
        }
        match document.cast::<PyString>() {
            // Lone surrogates are an error of Python's own.
            Ok(text) => Ok(Source::Text(text, text.to_str()?)),
            Err(_) => Err(PyTypeError::new_err(format!(
                "a document is bytes or str, not {}",
                document.get_type().name()?
            ))),
        }
    }

    fn bytes(&self) -> &[u8] {
        match self {
            Source::Bytes(bytes) => bytes.as_bytes(),
            Source::Text(_, text) => text.as_bytes(),
        }
    }

    /// The options for the document. Text is UTF-8 here, whatever it declares.
    fn options(
        &self,
        function: &str,
        keywords: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<PageOptions> {
        let options = keywords::options(function, keywords)?;
        match (self, &options.charset) {
            (Source::Text(..), Some(_)) => Err(RehrefError::new_err(
                "charset: a str is decoded already; pass bytes, or remove charset",
            )),
            (Source::Text(..), None) => Ok(options.with_charset("utf-8")),
            (Source::Bytes(_), _) => Ok(options),
        }
    }

    /// The result: `changed`, or the document itself.
    fn result(&self, changed: Cow<'_, [u8]>) -> PyResult<Bound<'py, PyAny>> {
        Ok(match (self, changed) {
            (Source::Bytes(bytes), Cow::Borrowed(_)) => bytes.as_any().clone(),
            (Source::Text(text, _), Cow::Borrowed(_)) => text.as_any().clone(),
            (Source::Bytes(bytes), Cow::Owned(changed)) => {
                PyBytes::new(bytes.py(), &changed).into_any()
            }
            (Source::Text(text, _), Cow::Owned(changed)) => {
                let changed = String::from_utf8(changed)
                    .map_err(|error| DocumentError::new_err(error.to_string()))?;
                PyString::new(text.py(), &changed).into_any()
            }
        })
    }
}

fn document_error(error: impl ToString) -> PyErr {
    DocumentError::new_err(error.to_string())
}

/// Makes every link of a document absolute; changes nothing else.
///
/// `document` is bytes, or str; the result has the same type, and is `document` itself if nothing changes. `url` is
/// the URL of the document; a base element in it counts. `kind` is html, xhtml, xml, css, message, manifest, robots or
/// markdown; `charset` a label of the Encoding Standard, as that of a Content-Type header. `attributes` names more
/// attributes with links, as `img@data-src`, `*@data-href`, `img@data-srcset=srcset`; with `json_ld`, JSON-LD has links,
/// with `rdfa`, the attributes about and resource of RDFa do.
///
/// Raises UrlError if `url` is not an absolute URL, DocumentError if the document cannot be rewritten.
///
/// >>> absolute(b"<a href=guide.html>", "https://example.org/docs/")
/// b'<a href=https://example.org/docs/guide.html>'
#[pyfunction]
#[pyo3(
    signature = (document, url, **keywords),
    text_signature = "(document, url, *, kind='html', charset=None, attributes=(), json_ld=False, rdfa=False)"
)]
pub(crate) fn absolute<'py>(
    document: &Bound<'py, PyAny>,
    url: &str,
    keywords: Option<&Bound<'_, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let source = Source::of(document)?;
    let (url, options) = (parse(url)?, source.options("absolute", keywords)?);
    let bytes = source.bytes();
    let changed = document.py().detach(|| rehref::absolute(bytes, &url, &options));
    source.result(changed.map_err(document_error)?)
}

/// Makes the links of a document to pages of its own site relative; changes nothing else.
///
/// `site` is the URL of the directory that the site is published at; other links stay absolute. A base element loses
/// its href. `form` is path, root or scheme (see `relativize`). Otherwise as `absolute`.
///
/// >>> relative("<a href='https://example.org/b'>", "https://example.org/docs/a", site="https://example.org/")
/// "<a href='../b'>"
#[pyfunction]
#[pyo3(
    signature = (document, url, *, site, form = "path", **keywords),
    text_signature = "(document, url, *, site, form='path', kind='html', charset=None, attributes=(), json_ld=False, rdfa=False)"
)]
pub(crate) fn relative<'py>(
    document: &Bound<'py, PyAny>,
    url: &str,
    site: &str,
    form: &str,
    keywords: Option<&Bound<'_, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let source = Source::of(document)?;
    let (url, site, form) = (parse(url)?, parse(site)?, self::form(form)?);
    let (bytes, options) = (source.bytes(), source.options("relative", keywords)?);
    let changed = document.py().detach(|| rehref::relative(bytes, &url, &options, &site, form));
    source.result(changed.map_err(document_error)?)
}

/// Replaces each link of a document with what `function` returns for it, a str; None keeps the link.
///
/// `function` is called with a Link; TypeError if it returns something else. The new reference is escaped for its place in the document; DocumentError if the
/// place cannot have it, such as a space in a srcset. An exception of `function` is raised, and nothing is rewritten.
/// Otherwise as `absolute`.
///
/// >>> rewrite("<img srcset='a.png 1x, b.png 2x'>", "https://example.org/", lambda link: "/img/" + link.reference)
/// "<img srcset='/img/a.png 1x, /img/b.png 2x'>"
#[pyfunction]
#[pyo3(
    signature = (document, url, function, **keywords),
    text_signature = "(document, url, function, *, kind='html', charset=None, attributes=(), json_ld=False, rdfa=False)"
)]
pub(crate) fn rewrite<'py>(
    document: &Bound<'py, PyAny>,
    url: &str,
    function: &Bound<'py, PyAny>,
    keywords: Option<&Bound<'_, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let source = Source::of(document)?;
    let (url, options) = (parse(url)?, source.options("rewrite", keywords)?);
    // The engine cannot stop in the middle: after an error of the function, all other links stay.
    let mut failed = None;
    let replacement = |link: &rehref::Link<'_>| {
        if failed.is_some() {
            return None;
        }
        let replaced = function.call1((Link::from(link),)).and_then(|it| replacement_of(&it, link));
        replaced.unwrap_or_else(|error| {
            failed = Some(error);
            None
        })
    };
    let changed = rehref::rewrite(source.bytes(), &url, &options, replacement);
    match failed {
        Some(error) => Err(error),
        None => source.result(changed.map_err(document_error)?.complete().map_err(document_error)?),
    }
}

/// The new link that the function of `rewrite` returned.
fn replacement_of(
    returned: &Bound<'_, PyAny>,
    link: &rehref::Link<'_>,
) -> PyResult<Option<String>> {
    if let Ok(replacement) = returned.extract() {
        return Ok(replacement);
    }
    let position = link.position;
    Err(PyTypeError::new_err(format!(
        "line {}, column {}, {}: the function returned {}, not a str; None keeps the link",
        position.line,
        position.column,
        link.reference,
        returned.get_type().name()?
    )))
}

/// The parsed page of `source`, and what `with` makes of it, without the interpreter's lock.
fn with_page<T: Send>(
    function: &str,
    document: &Bound<'_, PyAny>,
    url: &str,
    keywords: Option<&Bound<'_, PyDict>>,
    with: impl FnOnce(&Page<'_>) -> T + Send,
) -> PyResult<T> {
    let source = Source::of(document)?;
    let (url, options) = (parse(url)?, source.options(function, keywords)?);
    let bytes = source.bytes();
    let result =
        document.py().detach(|| Page::parse(bytes, &url, &options).map(|page| with(&page)));
    result.map_err(document_error)
}

/// Returns the links of a document as a list of Link, in their order in the document.
///
/// >>> for link in links("<a href='#top'>", "https://example.org/docs/"):
/// ...     print(link.element, link.attribute, link.reference, link.target, link.span)
/// a href #top https://example.org/docs/#top (9, 13)
#[pyfunction]
#[pyo3(
    signature = (document, url, **keywords),
    text_signature = "(document, url, *, kind='html', charset=None, attributes=(), json_ld=False, rdfa=False)"
)]
pub(crate) fn links(
    document: &Bound<'_, PyAny>,
    url: &str,
    keywords: Option<&Bound<'_, PyDict>>,
) -> PyResult<Vec<Link>> {
    with_page("links", document, url, keywords, |page| {
        page.links().map(|link| Link::from(&link)).collect()
    })
}

/// Returns the URL that the links of a document are resolved against; None if it holds template markup.
///
/// >>> base_url("<base href='/docs/'>", "https://example.org/a.html")
/// 'https://example.org/docs/'
#[pyfunction]
#[pyo3(
    signature = (document, url, **keywords),
    text_signature = "(document, url, *, kind='html', charset=None, attributes=(), json_ld=False, rdfa=False)"
)]
pub(crate) fn base_url(
    document: &Bound<'_, PyAny>,
    url: &str,
    keywords: Option<&Bound<'_, PyDict>>,
) -> PyResult<Option<String>> {
    with_page("base_url", document, url, keywords, |page| {
        page.base_url().map(|url| url.as_str().to_owned())
    })
}

/// Returns the anchors of a document, which fragments of links can indicate: ids, and names of `a` elements. Sorted.
///
/// >>> anchors("<h1 id=intro>Title</h1><a name=notes>Notes</a>")
/// ['intro', 'notes']
#[pyfunction]
#[pyo3(
    signature = (document, **keywords),
    text_signature = "(document, *, kind='html', charset=None, attributes=(), json_ld=False, rdfa=False)"
)]
pub(crate) fn anchors(
    document: &Bound<'_, PyAny>,
    keywords: Option<&Bound<'_, PyDict>>,
) -> PyResult<Vec<String>> {
    let source = Source::of(document)?;
    let options = source.options("anchors", keywords)?;
    let bytes = source.bytes();
    let anchors = document.py().detach(|| rehref::anchors(bytes, &options));
    anchors.map_err(document_error)
}

/// A link of a document.
///
/// `reference`: the link as the author wrote it, decoded. `target`: the URL that it resolves to, or None. `element`
/// and `attribute`: where it is; of a link in markup in an attribute, `element` is like `iframe srcdoc > img`.
/// `span`: its first byte and the byte behind it, in the document's bytes (of a str, of its UTF-8 form; of a document
/// in UTF-16 or ISO-2022-JP, too). `line` and `column`: of its first character, from 1.
#[pyclass(frozen, eq, hash, get_all, skip_from_py_object, module = "rehref")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Link {
    pub(crate) element: String,
    pub(crate) attribute: String,
    pub(crate) reference: String,
    pub(crate) target: Option<String>,
    pub(crate) span: (usize, usize),
    pub(crate) line: usize,
    pub(crate) column: usize,
}

impl From<&rehref::Link<'_>> for Link {
    fn from(link: &rehref::Link<'_>) -> Link {
        Link {
            element: link.element.to_string(),
            attribute: link.attribute.to_string(),
            reference: link.reference.to_owned(),
            target: link.target.as_ref().ok().map(|url| url.as_str().to_owned()),
            span: (link.span.start, link.span.end),
            line: link.position.line,
            column: link.position.column,
        }
    }
}

#[pymethods]
impl Link {
    /// For pickle and copy.
    #[new]
    fn new(
        element: String,
        attribute: String,
        reference: String,
        target: Option<String>,
        span: (usize, usize),
        line: usize,
        column: usize,
    ) -> Link {
        Link { element, attribute, reference, target, span, line, column }
    }

    fn __getnewargs__<'py>(&self, python: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let Link { element, attribute, reference, target, span, line, column } = self;
        (element, attribute, reference, target, *span, *line, *column).into_pyobject(python)
    }

    fn __repr__(&self) -> String {
        let target = self.target.as_ref();
        let target = target.map_or("None".to_owned(), |target| format!("{target:?}"));
        format!(
            "Link({:?}, {:?}, {:?}, target={target}, line={}, column={})",
            self.element, self.attribute, self.reference, self.line, self.column
        )
    }
}
