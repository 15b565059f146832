//! Functions for many documents: a list of bytes, or an Arrow array (see [`crate::batch`]). A document that cannot
//! be processed is an error among the results, and costs the others nothing.

use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyTuple};
use rehref::{DocumentKind, Page, PageOptions, RelativeForm, Url};

use crate::batch::{Buffers, Builder, Column, Setting, Values};
use crate::document::Link;
use crate::keywords::with_attributes;
use crate::url::{form, parse};
use crate::{DocumentError, RehrefError, UrlError};

/// The documents of a batch as Python gives them.
#[derive(FromPyObject)]
pub(crate) enum Documents<'py> {
    Array(Buffers<'py>),
    List(Vec<Bound<'py, PyBytes>>),
}

/// The URLs of the documents.
#[derive(FromPyObject)]
pub(crate) enum Urls<'py> {
    Array(Buffers<'py>),
    List(Vec<String>),
}

/// The reason a document of many has no result.
#[derive(Debug)]
pub(crate) enum Failure {
    Url(String),
    Document(String),
    Setting(String),
}

impl Failure {
    pub(crate) fn document(error: impl ToString) -> Failure {
        Failure::Document(error.to_string())
    }

    pub(crate) fn message(&self) -> &str {
        let (Failure::Url(message) | Failure::Document(message) | Failure::Setting(message)) = self;
        message
    }

    fn into_error(self) -> PyErr {
        match self {
            Failure::Url(message) => UrlError::new_err(message),
            Failure::Document(message) => DocumentError::new_err(message),
            Failure::Setting(message) => RehrefError::new_err(message),
        }
    }
}

/// The documents of a batch, to read without the interpreter's lock.
pub(crate) struct Batch<'a> {
    documents: Vec<Option<&'a [u8]>>,
    urls: Vec<Option<&'a str>>,
    kinds: Values<'a>,
    charsets: Values<'a>,
    /// The options but for kind and charset.
    options: PageOptions,
}

/// The settings that all documents of a batch have: `attributes`, `json_ld`, `rdfa`.
type Shared = (Vec<String>, bool, bool);

impl<'a> Batch<'a> {
    pub(crate) fn of(
        documents: &'a Documents<'_>,
        urls: &'a Urls<'_>,
        kind: &'a Setting<'_>,
        charset: Option<&'a Setting<'_>>,
        (attributes, json_ld, rdfa): Shared,
    ) -> PyResult<Batch<'a>> {
        let documents: Vec<Option<&[u8]>> = match documents {
            Documents::List(list) => list.iter().map(|it| Some(it.as_bytes())).collect(),
            Documents::Array(buffers) => {
                let column = Column::of(buffers)?;
                (0..column.len()).map(|at| column.bytes(at)).collect()
            }
        };
        let urls: Vec<Option<&str>> = match urls {
            Urls::List(list) => list.iter().map(|it| Some(it.as_str())).collect(),
            Urls::Array(buffers) => {
                let column = Column::of(buffers)?;
                (0..column.len()).map(|at| column.text(at)).collect()
            }
        };
        let len = documents.len();
        if len != urls.len() {
            let message = format!("{len} documents, but {} URLs", urls.len());
            return Err(RehrefError::new_err(message));
        }
        if let Setting::All(kind) = kind {
            DocumentKind::of_name(kind).map_err(RehrefError::new_err)?;
        }
        let options = PageOptions::default().with_json_ld(json_ld).with_rdfa(rdfa);
        Ok(Batch {
            documents,
            urls,
            kinds: Values::of(Some(kind), len)?,
            charsets: Values::of(charset, len)?,
            options: with_attributes(options, attributes)?,
        })
    }

    pub(crate) fn len(&self) -> usize {
        self.documents.len()
    }

    /// The result of `with` for the document at this place; `None` for a null, and for content that is not a document:
    /// its kind is null.
    pub(crate) fn each<T>(
        &self,
        at: usize,
        with: impl FnOnce(&'a [u8], &Url, &PageOptions) -> Result<T, Failure>,
    ) -> Result<Option<T>, Failure> {
        let (Some(Some(bytes)), Some(kind)) = (self.documents.get(at), self.kinds.get(at)) else {
            return Ok(None);
        };
        let text = self.urls.get(at).copied().flatten();
        let text = text.ok_or_else(|| Failure::Url("the document has no URL".to_owned()))?;
        let url = Url::parse(text).map_err(|error| Failure::Url(format!("{text:?}: {error}")))?;
        let mut options = self.options.clone();
        options.kind = DocumentKind::of_name(kind).map_err(Failure::Setting)?;
        options.charset = self.charsets.get(at).map(str::to_owned);
        // Nothing is known to panic; if something does, it is one document of the batch.
        let result = catch_unwind(AssertUnwindSafe(|| with(bytes, &url, &options)));
        let result = result.unwrap_or_else(|_| {
            let message = "rehref panicked on this document; please report it";
            Err(Failure::Document(message.to_owned()))
        });
        result.map(Some)
    }
}

/// The operation of [`rewrite_many`] on each document.
enum Rewriting {
    Absolute,
    Relative { site: Url, form: RelativeForm },
}

impl Rewriting {
    fn of(site: Option<&str>, form: &str) -> PyResult<Rewriting> {
        let form = self::form(form)?;
        let Some(site) = site else { return Ok(Rewriting::Absolute) };
        let site = parse(site)?;
        // One error of the call, not one of each document.
        let probe = rehref::relative("", &site, &PageOptions::default(), &site, form);
        probe.map_err(|error| UrlError::new_err(error.to_string()))?;
        Ok(Rewriting::Relative { site, form })
    }

    fn apply(
        &self,
        bytes: &[u8],
        url: &Url,
        options: &PageOptions,
    ) -> Result<Option<Vec<u8>>, Failure> {
        let changed = match self {
            Rewriting::Absolute => rehref::absolute(bytes, url, options).map_err(Failure::document),
            Rewriting::Relative { site, form } => {
                rehref::relative(bytes, url, options, site, *form).map_err(Failure::document)
            }
        };
        Ok(match changed? {
            Cow::Borrowed(_) => None,
            Cow::Owned(changed) => Some(changed),
        })
    }
}

/// Makes the links of many documents absolute, or with `site` relative. Returns a list, or for an array the columns
/// `content` and `error`.
#[pyfunction]
#[pyo3(signature = (documents, urls, kind, charset, shared, site, form))]
#[expect(clippy::too_many_arguments, reason = "those of `_rewritten` in Python")]
pub(crate) fn rewrite_many<'py>(
    python: Python<'py>,
    documents: Documents<'py>,
    urls: Urls<'py>,
    kind: Setting<'py>,
    charset: Option<Setting<'py>>,
    shared: Shared,
    site: Option<&str>,
    form: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let rewriting = Rewriting::of(site, form)?;
    let batch = Batch::of(&documents, &urls, &kind, charset.as_ref(), shared)?;
    let rewritten = |at: usize| {
        let result = batch.each(at, |bytes, url, options| rewriting.apply(bytes, url, options));
        result.map(Option::flatten)
    };
    let Documents::Array((width, ..)) = &documents else {
        let results: Vec<_> = python.detach(|| (0..batch.len()).map(rewritten).collect());
        let list = PyList::empty(python);
        for (at, result) in results.into_iter().enumerate() {
            match (result, &documents) {
                (Ok(Some(changed)), _) => list.append(PyBytes::new(python, &changed))?,
                (Ok(None), Documents::List(all)) => list.append(all.get(at))?,
                (Ok(None), _) => list.append(python.None())?,
                (Err(failure), _) => list.append(failure.into_error().into_value(python))?,
            }
        }
        return Ok(list.into_any());
    };
    let (content, error) = python.detach(|| {
        let (mut content, mut error) = (Builder::of_texts(*width), Builder::of_texts(4));
        for at in 0..batch.len() {
            let result = rewritten(at);
            let original = batch.documents.get(at).copied().flatten();
            let value = match &result {
                Ok(Some(changed)) => Some(changed.as_slice()),
                Ok(None) => original,
                Err(_) => None,
            };
            let fits = value.is_none_or(|value| content.has_room_for(value.len()));
            content.push(value);
            error.push_text(match &result {
                Err(failure) => Some(failure.message()),
                Ok(_) if !fits => Some(
                    "the results of the batch exceed 2 GiB: pass smaller batches, or large_binary",
                ),
                Ok(_) => None,
            });
        }
        (content, error)
    });
    let columns = (content.finish(python)?, error.finish(python)?);
    Ok(columns.into_pyobject(python)?.into_any())
}

/// The columns of the table of links.
struct LinkColumns {
    document: Builder,
    element: Builder,
    attribute: Builder,
    reference: Builder,
    target: Builder,
    numbers: [Builder; 4],
    error: Builder,
}

impl LinkColumns {
    fn new() -> LinkColumns {
        LinkColumns {
            document: Builder::of_numbers(),
            element: Builder::of_texts(4),
            attribute: Builder::of_texts(4),
            // The texts of many links may exceed 2 GiB.
            reference: Builder::of_texts(8),
            target: Builder::of_texts(8),
            numbers: std::array::from_fn(|_| Builder::of_numbers()),
            error: Builder::of_texts(4),
        }
    }

    fn push(&mut self, document: usize, link: Option<&Link>, error: Option<&str>) {
        self.document.push_number(Some(document));
        self.element.push_text(link.map(|link| &*link.element));
        self.attribute.push_text(link.map(|link| &*link.attribute));
        self.reference.push_text(link.map(|link| &*link.reference));
        self.target.push_text(link.and_then(|link| link.target.as_deref()));
        let numbers = |link: &Link| [link.span.0, link.span.1, link.line, link.column];
        let numbers = link.map(numbers);
        for (at, column) in self.numbers.iter_mut().enumerate() {
            column.push_number(numbers.and_then(|numbers| numbers.get(at).copied()));
        }
        self.error.push_text(error);
    }

    fn finish<'py>(self, python: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let mut columns = vec![self.document.finish(python)?];
        for texts in [self.element, self.attribute, self.reference, self.target] {
            columns.push(texts.finish(python)?);
        }
        for numbers in self.numbers {
            columns.push(numbers.finish(python)?);
        }
        columns.push(self.error.finish(python)?);
        Ok(PyTuple::new(python, columns)?.into_any())
    }
}

fn links_of(bytes: &[u8], url: &Url, options: &PageOptions) -> Result<Vec<Link>, Failure> {
    let page = Page::parse(bytes, url, options).map_err(Failure::document)?;
    Ok(page.links().map(|link| Link::from(&link)).collect())
}

/// Returns the links of many documents: a list of lists, or for an array the columns of the table.
#[pyfunction]
#[pyo3(signature = (documents, urls, kind, charset, shared))]
pub(crate) fn links_many<'py>(
    python: Python<'py>,
    documents: Documents<'py>,
    urls: Urls<'py>,
    kind: Setting<'py>,
    charset: Option<Setting<'py>>,
    shared: Shared,
) -> PyResult<Bound<'py, PyAny>> {
    let batch = Batch::of(&documents, &urls, &kind, charset.as_ref(), shared)?;
    let links = |at: usize| batch.each(at, links_of);
    if let Documents::List(_) = &documents {
        let results: Vec<_> = python.detach(|| (0..batch.len()).map(links).collect());
        let list = PyList::empty(python);
        for result in results {
            match result {
                Ok(links) => list.append(links.unwrap_or_default())?,
                Err(failure) => list.append(failure.into_error().into_value(python))?,
            }
        }
        return Ok(list.into_any());
    }
    let columns = python.detach(|| {
        let mut columns = LinkColumns::new();
        for at in 0..batch.len() {
            match links(at) {
                Ok(links) => {
                    for link in links.iter().flatten() {
                        columns.push(at, Some(link), None);
                    }
                }
                Err(failure) => columns.push(at, None, Some(failure.message())),
            }
        }
        columns
    });
    columns.finish(python)
}

/// Returns the anchors of many documents: a list of lists, or for an array the columns of the table.
#[pyfunction]
#[pyo3(signature = (documents, kind, charset))]
pub(crate) fn anchors_many<'py>(
    python: Python<'py>,
    documents: Documents<'py>,
    kind: Setting<'py>,
    charset: Option<Setting<'py>>,
) -> PyResult<Bound<'py, PyAny>> {
    // Anchors do not depend on the URL.
    let len = match &documents {
        Documents::List(list) => list.len(),
        Documents::Array(buffers) => Column::of(buffers)?.len(),
    };
    let urls = Urls::List(vec!["https://localhost/".to_owned(); len]);
    let batch = Batch::of(&documents, &urls, &kind, charset.as_ref(), Shared::default())?;
    let anchors = |at: usize| {
        batch.each(at, |bytes, _, options| {
            rehref::anchors(bytes, options).map_err(Failure::document)
        })
    };
    if let Documents::List(_) = &documents {
        let results: Vec<_> = python.detach(|| (0..batch.len()).map(anchors).collect());
        let list = PyList::empty(python);
        for result in results {
            match result {
                Ok(names) => list.append(names.unwrap_or_default())?,
                Err(failure) => list.append(failure.into_error().into_value(python))?,
            }
        }
        return Ok(list.into_any());
    }
    let columns = python.detach(|| {
        let (mut documents, mut names, mut errors) =
            (Builder::of_numbers(), Builder::of_texts(8), Builder::of_texts(4));
        let mut push = |at: usize, name: Option<&str>, error: Option<&str>| {
            documents.push_number(Some(at));
            names.push_text(name);
            errors.push_text(error);
        };
        for at in 0..batch.len() {
            match anchors(at) {
                Ok(all) => all.iter().flatten().for_each(|name| push(at, Some(name), None)),
                Err(failure) => push(at, None, Some(failure.message())),
            }
        }
        [documents, names, errors]
    });
    let columns = columns.map(|column| column.finish(python));
    let columns: PyResult<Vec<_>> = columns.into_iter().collect();
    Ok(PyTuple::new(python, columns?)?.into_any())
}
