//! Many documents at once, in the layout of Arrow: the bytes of all values, and the offsets at which each ends.
//! Neither side makes a Python object per document; a batch is copied once on its way in and once on its way out,
//! which costs less than a hundredth of the work on it. `rehref/_arrow.py` makes pyarrow arrays of it.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};

use crate::RehrefError;

/// A column of texts or bytes as Python gives it: the width of an offset in bytes (4 or 8), the offsets, the data,
/// and a byte per value that is 0 for a null; empty if no value is null.
pub(crate) type Buffers<'py> =
    (usize, Bound<'py, PyBytes>, Bound<'py, PyBytes>, Bound<'py, PyBytes>);

/// A column to read.
#[derive(Clone, Copy)]
pub(crate) struct Column<'a> {
    width: usize,
    offsets: &'a [u8],
    data: &'a [u8],
    valid: &'a [u8],
}

impl<'a> Column<'a> {
    pub(crate) fn of(buffers: &'a Buffers<'_>) -> PyResult<Column<'a>> {
        let (width, offsets, data, valid) = buffers;
        let column = Column {
            width: *width,
            offsets: offsets.as_bytes(),
            data: data.as_bytes(),
            valid: valid.as_bytes(),
        };
        let is_whole = matches!(width, 4 | 8)
            && column.offsets.len().is_multiple_of(*width)
            && (column.valid.is_empty() || column.valid.len() == column.len());
        if is_whole {
            Ok(column)
        } else {
            Err(RehrefError::new_err("not the buffers of an Arrow array"))
        }
    }

    /// The number of values.
    pub(crate) fn len(&self) -> usize {
        (self.offsets.len() / self.width).saturating_sub(1)
    }

    fn offset(&self, at: usize) -> Option<usize> {
        let start = at.checked_mul(self.width)?;
        let bytes = self.offsets.get(start..start.checked_add(self.width)?)?;
        match self.width {
            4 => usize::try_from(i32::from_ne_bytes(bytes.try_into().ok()?)).ok(),
            _ => usize::try_from(i64::from_ne_bytes(bytes.try_into().ok()?)).ok(),
        }
    }

    /// The value at this place; `None` for a null.
    pub(crate) fn bytes(&self, at: usize) -> Option<&'a [u8]> {
        if self.valid.get(at) == Some(&0) {
            return None;
        }
        // The data begin with the first value, also those of a slice.
        let first = self.offset(0)?;
        let start = self.offset(at)?.checked_sub(first)?;
        let end = self.offset(at + 1)?.checked_sub(first)?;
        self.data.get(start..end)
    }

    /// The value at this place as text; `None` for a null, or for what is not UTF-8.
    pub(crate) fn text(&self, at: usize) -> Option<&'a str> {
        std::str::from_utf8(self.bytes(at)?).ok()
    }
}

/// A setting of each document: the same text for all, or a column.
#[derive(FromPyObject)]
pub(crate) enum Setting<'py> {
    All(String),
    Each(Buffers<'py>),
}

/// A [`Setting`] to read.
pub(crate) enum Values<'a> {
    None,
    All(&'a str),
    Each(Column<'a>),
}

impl<'a> Values<'a> {
    pub(crate) fn of(setting: Option<&'a Setting<'_>>, len: usize) -> PyResult<Values<'a>> {
        match setting {
            None => Ok(Values::None),
            Some(Setting::All(text)) => Ok(Values::All(text)),
            Some(Setting::Each(buffers)) => {
                let column = Column::of(buffers)?;
                if column.len() == len {
                    Ok(Values::Each(column))
                } else {
                    Err(RehrefError::new_err(format!(
                        "{len} documents, but an array of {}",
                        column.len()
                    )))
                }
            }
        }
    }

    /// The value for the document at this place.
    pub(crate) fn get(&self, at: usize) -> Option<&'a str> {
        match self {
            Values::None => None,
            Values::All(text) => Some(text),
            Values::Each(column) => column.text(at),
        }
    }
}

/// A column of texts, bytes or numbers to write.
pub(crate) struct Builder {
    /// The width of an offset; 0 for numbers, which have none.
    width: usize,
    offsets: Vec<u8>,
    data: Vec<u8>,
    /// A bit per value, the least significant first.
    valid: Vec<u8>,
    len: usize,
    nulls: usize,
}

impl Builder {
    /// A column of texts or bytes with offsets of this width.
    pub(crate) fn of_texts(width: usize) -> Builder {
        Builder { width, offsets: vec![0; width], ..Builder::of_numbers() }
    }

    /// A column of numbers of 64 bits.
    pub(crate) fn of_numbers() -> Builder {
        Builder {
            width: 0,
            offsets: Vec::new(),
            data: Vec::new(),
            valid: Vec::new(),
            len: 0,
            nulls: 0,
        }
    }

    fn count(&mut self, is_valid: bool) {
        if self.len.is_multiple_of(8) {
            self.valid.push(0);
        }
        if let Some(last) = self.valid.last_mut() {
            *last |= u8::from(is_valid) << (self.len % 8);
        }
        self.len += 1;
        self.nulls += usize::from(!is_valid);
    }

    /// Returns true if a value of so many bytes has an offset: those of 4 bytes end at 2 GiB.
    pub(crate) fn has_room_for(&self, bytes: usize) -> bool {
        self.width != 4 || i32::try_from(self.data.len() + bytes).is_ok()
    }

    /// Adds a value; `None` is a null, as is a value without room.
    pub(crate) fn push(&mut self, value: Option<&[u8]>) {
        let value = value.filter(|value| self.has_room_for(value.len()));
        self.data.extend_from_slice(value.unwrap_or_default());
        let end = self.data.len();
        match self.width {
            // `has_room_for` keeps it in range.
            4 => self.offsets.extend((end as i32).to_ne_bytes()),
            _ => self.offsets.extend((end as i64).to_ne_bytes()),
        }
        self.count(value.is_some());
    }

    /// Adds a text.
    pub(crate) fn push_text(&mut self, value: Option<&str>) {
        self.push(value.map(str::as_bytes));
    }

    /// Adds a number.
    pub(crate) fn push_number(&mut self, value: Option<usize>) {
        self.data.extend((value.unwrap_or_default() as i64).to_ne_bytes());
        self.count(value.is_some());
    }

    /// The arguments of `rehref._arrow.array` after the type: the number of values, the number of nulls, and the
    /// buffers in the order of Arrow.
    pub(crate) fn finish<'py>(self, python: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let valid = (self.nulls > 0).then(|| PyBytes::new(python, &self.valid));
        let data = PyBytes::new(python, &self.data);
        match self.width {
            0 => (self.len, self.nulls, valid, data).into_pyobject(python),
            _ => {
                let offsets = PyBytes::new(python, &self.offsets);
                (self.len, self.nulls, valid, offsets, data).into_pyobject(python)
            }
        }
    }
}
