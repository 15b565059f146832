//! Writes rows as a Parquet file.

use std::io::{self, Write};
use std::sync::Arc;

use parquet::basic::{Compression, ZstdLevel};
use parquet::column::writer::ColumnWriter;
use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::parser::parse_message_type;

use super::Table;
use super::rows::{Column, Rows, Texts};

/// The number of rows in a row group, the same as DuckDB writes. Readers skip row groups by their statistics, and read
/// row groups in parallel.
const GROUP_ROWS: usize = 122_880;

/// The size of the texts in a row group, in bytes, at which the group ends before it has [`GROUP_ROWS`] rows.
const GROUP_TEXT: usize = 32 << 20;

/// The maximum size of a text, in bytes. Parquet stores the sizes of pages in 31 bits.
const MAX_TEXT: usize = 1 << 30;

/// A writer of a table as a Parquet file. The same rows give the same bytes.
pub struct TableWriter<W: Write + Send> {
    file: SerializedFileWriter<W>,
    /// The rows of the next row group.
    rows: Rows,
}

impl<W: Write + Send> TableWriter<W> {
    /// Creates a writer of `table` to `out`.
    ///
    /// # Errors
    /// Returns an error if `out` cannot be written.
    pub fn new(table: &Table, out: W) -> io::Result<TableWriter<W>> {
        let schema = parse_message_type(table.schema).map_err(io_error)?;
        // Readers parse `NAME version VERSION` to work around the bugs of known writers.
        let tool = concat!(env!("CARGO_PKG_NAME"), " version ", env!("CARGO_PKG_VERSION"));
        let metadata = [("format", table.format), ("version", "1"), ("tool", tool)];
        let metadata = metadata.map(|(key, value)| KeyValue::new(key.to_owned(), value.to_owned()));
        let properties = WriterProperties::builder()
            .set_created_by(tool.to_owned())
            .set_key_value_metadata(Some(metadata.to_vec()))
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_dictionary_enabled(true);
        let properties = Arc::new(properties.build());
        let file = SerializedFileWriter::new(out, Arc::new(schema), properties);
        Ok(TableWriter { file: file.map_err(io_error)?, rows: Rows::default() })
    }

    /// Writes `rows`, or keeps them until a row group is full.
    ///
    /// # Errors
    /// Returns an error if a row group cannot be written.
    pub fn append(&mut self, rows: Rows) -> io::Result<()> {
        self.rows.append(rows);
        if self.rows.count() >= GROUP_ROWS || self.rows.text_size() >= GROUP_TEXT {
            self.write_group()
        } else {
            Ok(())
        }
    }

    /// Writes the remaining rows and the end of the file, and returns the writer `W`.
    ///
    /// # Errors
    /// Returns an error if the rest cannot be written.
    pub fn finish(mut self) -> io::Result<W> {
        if self.rows.count() > 0 {
            self.write_group()?;
        }
        self.file.into_inner().map_err(io_error)
    }

    fn write_group(&mut self) -> io::Result<()> {
        let mut group = self.file.next_row_group().map_err(io_error)?;
        for column in std::mem::take(&mut self.rows).into_columns() {
            if let Some(mut writer) = group.next_column().map_err(io_error)? {
                write_column(&mut writer, column)?;
                writer.close().map_err(io_error)?;
            }
        }
        group.close().map_err(io_error)?;
        Ok(())
    }
}

/// Writes the values of a column.
fn write_column(writer: &mut SerializedColumnWriter<'_>, column: Column) -> io::Result<()> {
    let levels = Some(column.levels.as_slice()).filter(|levels| !levels.is_empty());
    let written = match writer.untyped() {
        ColumnWriter::ByteArrayColumnWriter(writer) => {
            writer.write_batch(&byte_arrays(column.texts)?, levels, None)
        }
        ColumnWriter::Int64ColumnWriter(writer) => {
            writer.write_batch(&column.integers, levels, None)
        }
        ColumnWriter::BoolColumnWriter(writer) => {
            writer.write_batch(&column.booleans, levels, None)
        }
        _ => {
            let text = "a column that holds neither text, integers nor booleans";
            Err(ParquetError::NYI(text.to_owned()))
        }
    };
    written.map(|_| ()).map_err(io_error)
}

/// One slice for each value; all slices share the memory of the texts.
fn byte_arrays(texts: Texts) -> io::Result<Vec<ByteArray>> {
    let ranges: Vec<_> = (0..texts.ends.len()).map(|index| texts.range(index)).collect();
    if let Some(large) = ranges.iter().find(|range| range.len() > MAX_TEXT) {
        return Err(io::Error::other(format!(
            "a text of {} bytes is too large for a Parquet report (limit: 1 GiB)\nhelp: add --max-document-size 1G to skip documents that may have such texts",
            large.len()
        )));
    }
    let bytes = ByteArray::from(texts.bytes);
    let slices: Vec<ByteArray> =
        ranges.into_iter().map(|range| bytes.slice(range.start, range.len())).collect();
    let values = texts.indices.iter().filter_map(|&index| slices.get(index));
    Ok(values.cloned().collect())
}

/// The error of the file that was written, if it is one.
fn io_error(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(inner) => match inner.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(inner) => io::Error::other(inner),
        },
        error => io::Error::other(error),
    }
}
