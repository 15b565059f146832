//! WARC archives: records in batches of Arrow's layout, and the rows of the tables by which queries audit a crawl.

use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};
use rehref::{AuditTables, CaptureState, LinkRow, Url, WarcReader, WarcRecord};

use crate::DocumentError;
use crate::batch::Builder;

/// A batch ends after so many records, or so many bytes of content.
const RECORDS: usize = 2000;
const BYTES: usize = 16 << 20;

/// An error of one record, also if the engine panics on it.
fn caught<T, E: ToString>(work: impl FnOnce() -> Result<T, E>) -> Result<T, String> {
    let result = catch_unwind(AssertUnwindSafe(work));
    let panicked = || Err("rehref panicked on this record; please report it".to_owned());
    result.map_or_else(|_| panicked(), |it| it.map_err(|error| error.to_string()))
}

fn number(value: u64) -> usize {
    usize::try_from(value).unwrap_or(usize::MAX)
}

/// Columns of texts (true) and numbers (false).
struct Columns(Vec<Builder>);

impl Columns {
    /// Columns of these widths of offsets; 0 for numbers.
    fn new(widths: &[usize]) -> Columns {
        let column = |width: &usize| match width {
            0 => Builder::of_numbers(),
            width => Builder::of_texts(*width),
        };
        Columns(widths.iter().map(column).collect())
    }

    /// Adds a row of as many values.
    fn push(&mut self, row: &[Value<'_>]) {
        for (column, value) in self.0.iter_mut().zip(row) {
            match value {
                Value::Bytes(bytes) => column.push(*bytes),
                Value::Text(text) => column.push_text(*text),
                Value::Number(number) => column.push_number(*number),
            }
        }
    }

    fn finish<'py>(self, python: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let columns = self.0.into_iter().map(|column| column.finish(python));
        PyTuple::new(python, columns.collect::<PyResult<Vec<_>>>()?)
    }
}

enum Value<'a> {
    Bytes(Option<&'a [u8]>),
    Text(Option<&'a str>),
    Number(Option<usize>),
}

use Value::{Bytes, Number, Text};

/// Reads an archive or WACZ file in batches: an iterator.
#[pyclass(module = "rehref._rehref")]
pub(crate) struct WarcBatches {
    reader: WarcReader,
    /// For the rows of tables; without it, the batches are of records.
    tables: Option<AuditTables>,
}

/// An exception about the file at `path`.
fn failed(path: &Path) -> impl Fn(&dyn Display) -> PyErr {
    move |error| PyOSError::new_err(format!("{}: {error}", path.display()))
}

/// The records of the archive or WACZ file at `path`, or the rows of the tables of an audit.
#[pyfunction]
#[pyo3(signature = (path, *, tables))]
pub(crate) fn warc_batches(path: PathBuf, tables: bool) -> PyResult<WarcBatches> {
    let failed = failed(&path);
    Ok(WarcBatches {
        reader: WarcReader::open(&path).map_err(|error| failed(&error))?,
        tables: if tables {
            Some(AuditTables::new().map_err(|error| failed(&error))?)
        } else {
            None
        },
    })
}

/// Returns true if the name of a file says that it is an archive or a WACZ file.
#[pyfunction]
pub(crate) fn has_archive_name(path: PathBuf) -> bool {
    WarcReader::has_archive_name(path)
}

/// Reads the bytes of records of the archive at `path`, or of the archive called `archive` in the WACZ file at `path`.
#[pyclass(module = "rehref._rehref")]
pub(crate) struct WarcBytes {
    path: PathBuf,
    bytes: rehref::WarcBytes,
}

#[pymethods]
impl WarcBytes {
    #[new]
    fn new(path: PathBuf, archive: Option<&str>) -> PyResult<WarcBytes> {
        let bytes =
            rehref::WarcBytes::open(&path, archive).map_err(|error| failed(&path)(&error))?;
        Ok(WarcBytes { path, bytes })
    }

    /// The `length` bytes from the byte `offset` on.
    fn read<'py>(
        &mut self,
        python: Python<'py>,
        offset: u64,
        length: u64,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let place = offset..offset.saturating_add(length);
        let bytes = python.detach(|| self.bytes.read(&place));
        let bytes = bytes.map_err(|error| failed(&self.path)(&error))?;
        Ok(PyBytes::new(python, &bytes))
    }
}

#[pymethods]
impl WarcBatches {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    /// The columns of the next batch, one tuple for each table.
    fn __next__<'py>(&mut self, python: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        let WarcBatches { reader, tables } = self;
        let batches = python.detach(|| match tables {
            None => records(reader).map(|columns| vec![columns]),
            Some(tables) => rows(reader, tables).map(Vec::from),
        });
        let Some(batches) = batches else { return Ok(None) };
        let batches = batches.into_iter().map(|columns| columns.finish(python));
        PyTuple::new(python, batches.collect::<PyResult<Vec<_>>>()?).map(Some)
    }
}

/// The columns of the next records; `None` at the end. An archive that is damaged from a record on ends with a row
/// that has only an error; the records of the next archive in its WACZ file follow.
fn records(reader: &mut WarcReader) -> Option<Columns> {
    let mut columns = Columns::new(&[4, 0, 0, 0, 4, 4, 4, 0, 4, 4, 4, 4, 4]);
    let (mut count, mut bytes) = (0, 0);
    while count < RECORDS && bytes < BYTES {
        let Some(record) = reader.next() else { break };
        count += 1;
        let record = match record {
            Ok(record) => record,
            Err(error) => {
                let error = error.to_string();
                let (number, text) = (|| Number(None), || Text(None));
                let row = [
                    text(),
                    number(),
                    number(),
                    number(),
                    text(),
                    text(),
                    text(),
                    number(),
                    text(),
                    text(),
                    text(),
                    Bytes(None),
                    Text(Some(&error)),
                ];
                columns.push(&row);
                continue;
            }
        };
        let document = caught(|| record.document());
        let found = document.as_ref().ok().and_then(Option::as_ref);
        let content = found.map(|it| it.content.as_slice());
        bytes += content.map_or(0, <[u8]>::len);
        let place = record.place.as_ref();
        columns.push(&[
            Text(record.archive.as_deref()),
            Number(Some(record.number)),
            Number(place.map(|it| number(it.start))),
            Number(place.map(|it| number(it.end - it.start))),
            Text(Some(&record.record_type)),
            Text(record.url.as_deref()),
            Text(found.map(|it| it.base_url.as_str())),
            Number(record.status.map(usize::from)),
            Text(Some(&record.media_type)),
            Text(record.charset.as_deref()),
            Text(found.and_then(|it| it.kind.name())),
            Bytes(content),
            Text(document.as_ref().err().map(String::as_str)),
        ]);
    }
    (count > 0).then_some(columns)
}

/// The columns of the tables pages, links and anchors, of the next records that are captures.
fn rows(reader: &mut WarcReader, tables: &AuditTables) -> Option<[Columns; 3]> {
    let mut pages = Columns::new(&[0, 4, 4, 0, 4, 4, 0, 0, 4, 4]);
    let mut links = Columns::new(&[0, 4, 4, 4, 4, 0, 0, 4, 4, 4, 4, 0, 4, 4, 0]);
    let mut anchors = Columns::new(&[0, 4, 4]);
    let (mut count, mut read) = (0, 0);
    while count < RECORDS * 10 && read < RECORDS {
        let Some(record) = reader.next() else { break };
        (count, read) = (count + 1, read + 1);
        let record = match record {
            Ok(record) => record,
            Err(error) => {
                let error = error.to_string();
                pages.push(&[
                    Number(None),
                    Text(None),
                    Text(None),
                    Number(None),
                    Text(None),
                    Text(None),
                    Number(None),
                    Number(None),
                    Text(None),
                    Text(Some(&error)),
                ]);
                continue;
            }
        };
        let (Some(url), Some(capture)) = (&record.url, &record.capture) else { continue };
        let rows = caught(|| tables.rows(&record));
        let error = rows.as_ref().err().cloned();
        let rows = rows.unwrap_or_default();
        let (state, redirect) = match capture {
            CaptureState::Content => ("content", None),
            CaptureState::Redirect(to) => ("redirect", Some(to.as_str())),
            CaptureState::Error => ("error", None),
        };
        pages.push(&[
            Number(Some(record.number)),
            Text(Some(url)),
            Text(host_of(url).as_deref()),
            Number(record.status.map(usize::from)),
            Text(Some(state)),
            Text(redirect),
            Number(Some(usize::from(rows.anchors.is_some()))),
            Number(Some(usize::from(rows.shapes))),
            Text(rows.forwards_to.as_deref()),
            Text(error.as_deref()),
        ]);
        count += rows.links.len();
        for link in &rows.links {
            push_link(&mut links, &record, url, link);
        }
        for name in rows.anchors.iter().flatten() {
            count += 1;
            anchors.push(&[Number(Some(record.number)), Text(Some(url)), Text(Some(name))]);
        }
    }
    (read > 0).then_some([pages, links, anchors])
}

fn host_of(url: &str) -> Option<String> {
    Url::parse(url).ok()?.host_and_port().map(str::to_owned)
}

fn push_link(links: &mut Columns, record: &WarcRecord, url: &str, link: &LinkRow) {
    // A fragment may indicate one of two names; often they are the same.
    let anchor = |at: usize| link.anchors.get(at).or(link.anchors.first()).map(String::as_str);
    links.push(&[
        Number(Some(record.number)),
        Text(Some(url)),
        Text(Some(&link.element)),
        Text(Some(&link.attribute)),
        Text(Some(&link.reference)),
        Number(Some(link.line)),
        Number(Some(link.column)),
        Text(link.target.as_deref()),
        Text(link.finding.map(|check| check.id())),
        Text(link.target_url.as_deref()),
        Text(link.target_host.as_deref()),
        Number(Some(usize::from(link.reports_target))),
        Text(anchor(0)),
        Text(anchor(1)),
        Number(Some(usize::from(link.shapes))),
    ]);
}

/// The bytes of a record with other content.
#[pyfunction]
pub(crate) fn warc_with_content<'py>(
    python: Python<'py>,
    record: &[u8],
    content: &[u8],
) -> PyResult<Bound<'py, PyBytes>> {
    let replaced = python.detach(|| caught(|| rehref::with_content(record, content)));
    let replaced = replaced.map_err(DocumentError::new_err)?;
    Ok(PyBytes::new(python, &replaced))
}
