//! The written files are read back by the reader of the crate `parquet`, which shares the encodings with its writer but
//! knows nothing of [`Rows`]; `tests/cli/parquet.rs` compares with JSON, and the guide with DuckDB.

use std::fs::File;
use std::io::{self, Write};

use parquet::basic::Encoding;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::{Field, Row};
use proptest::prelude::*;

use super::{Rows, Table, TableWriter};

const TABLE: Table = Table {
    format: "rehref-test",
    schema: "
message test {
    REQUIRED BYTE_ARRAY text (STRING);
    REQUIRED INT64 number;
    OPTIONAL BYTE_ARRAY maybe (STRING);
    OPTIONAL INT64 line;
    OPTIONAL GROUP group {
        REQUIRED BYTE_ARRAY path (STRING);
        OPTIONAL INT64 line;
    }
    OPTIONAL BOOLEAN flag;
}",
};

/// A row of the table.
#[derive(Clone, Debug, PartialEq)]
struct Record {
    text: String,
    number: usize,
    maybe: Option<String>,
    line: Option<usize>,
    group: Option<(String, Option<usize>)>,
    flag: Option<bool>,
}

impl Record {
    fn add_to(&self, rows: &mut Rows) {
        let group = self.group.as_ref();
        rows.add()
            .text(&self.text)
            .integer(self.number)
            .optional_text(self.maybe.as_deref())
            .optional_integer(self.line)
            .optional_text(group.map(|(path, _)| &**path))
            .grouped_integer(group.map(|(_, line)| *line))
            .optional_boolean(self.flag);
    }

    fn read(row: &Row) -> Record {
        let fields: Vec<&Field> = row.get_column_iter().map(|(_, field)| field).collect();
        let text = |field: &Field| match field {
            Field::Null => None,
            Field::Str(text) => Some(text.clone()),
            other => panic!("{other:?}"),
        };
        let number = |field: &Field| match field {
            Field::Null => None,
            Field::Long(number) => Some(usize::try_from(*number).unwrap()),
            other => panic!("{other:?}"),
        };
        Record {
            text: text(fields[0]).unwrap(),
            number: number(fields[1]).unwrap(),
            maybe: text(fields[2]),
            line: number(fields[3]),
            group: match fields[4] {
                Field::Group(row) => {
                    let fields: Vec<&Field> = row.get_column_iter().map(|(_, it)| it).collect();
                    Some((text(fields[0]).unwrap(), number(fields[1])))
                }
                Field::Null => None,
                other => panic!("{other:?}"),
            },
            flag: match fields[5] {
                Field::Null => None,
                Field::Bool(flag) => Some(*flag),
                other => panic!("{other:?}"),
            },
        }
    }
}

/// A file with the rows of `documents`.
fn written(documents: &[Vec<Record>]) -> Vec<u8> {
    let mut writer = TableWriter::new(&TABLE, Vec::new()).unwrap();
    for document in documents {
        let mut rows = Rows::default();
        document.iter().for_each(|record| record.add_to(&mut rows));
        writer.append(rows).unwrap();
    }
    writer.finish().unwrap()
}

fn reader(bytes: &[u8]) -> SerializedFileReader<File> {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(bytes).unwrap();
    SerializedFileReader::new(file).unwrap()
}

fn read(reader: &SerializedFileReader<File>) -> Vec<Record> {
    let rows = reader.get_row_iter(None).unwrap();
    rows.map(|row| Record::read(&row.unwrap())).collect()
}

/// Texts as pages and file names have them, some of them equal.
fn texts() -> impl Strategy<Value = String> {
    prop_oneof![
        Just(String::new()),
        Just("../index.html".to_owned()),
        Just("nul \0, quote \", line\n\r\u{2028}, \u{feff}bom, \u{10ffff}".to_owned()),
        any::<String>(),
        ("[a-z]{1,3}", 0..4000_usize).prop_map(|(text, count)| text.repeat(count)),
    ]
}

fn records() -> impl Strategy<Value = Record> {
    let numbers = || prop_oneof![0..5_usize, Just(i64::MAX as usize)];
    let group = proptest::option::of((texts(), proptest::option::of(numbers())));
    (
        texts(),
        numbers(),
        proptest::option::of(texts()),
        proptest::option::of(numbers()),
        group,
        proptest::option::of(any::<bool>()),
    )
        .prop_map(|(text, number, maybe, line, group, flag)| Record {
            text,
            number,
            maybe,
            line,
            group,
            flag,
        })
}

proptest! {
    #[test]
    fn rows_are_read_back(
        documents in proptest::collection::vec(proptest::collection::vec(records(), 0..9), 0..5)
    ) {
        let bytes = written(&documents);
        prop_assert_eq!(read(&reader(&bytes)), documents.concat());
        prop_assert_eq!(written(&documents), bytes);
    }
}

/// A row with `text`, and null wherever it can be.
fn plain(number: usize, text: &str) -> Record {
    Record { text: text.to_owned(), number, maybe: None, line: None, group: None, flag: None }
}

#[test]
fn row_groups_are_bounded_by_rows_and_by_text() {
    let documents: Vec<Vec<Record>> = (0..300)
        .map(|document| {
            let page = format!("page-{document}.html");
            (0..1000).map(|number| plain(number, &page)).collect()
        })
        .collect();
    let file = reader(&written(&documents));
    let groups = file.metadata().row_groups();
    let rows: Vec<i64> = groups.iter().map(|group| group.num_rows()).collect();
    assert_eq!(rows, [123_000, 123_000, 54_000]);
    assert_eq!(read(&file), documents.concat());
    let large: Vec<Vec<Record>> =
        (0..5).map(|number| vec![plain(number, &number.to_string().repeat(20 << 20))]).collect();
    let file = reader(&written(&large));
    assert_eq!(file.num_row_groups(), 3);
    assert!(read(&file) == large.concat());
}

#[test]
fn columns_are_compressed_have_dictionaries_and_statistics() {
    let documents = [vec![plain(1, "b"), plain(2, "a"), plain(3, "c")]];
    let file = reader(&written(&documents));
    let metadata = file.metadata();
    let created_by = metadata.file_metadata().created_by().unwrap();
    assert_eq!(created_by, concat!("rehref version ", env!("CARGO_PKG_VERSION")));
    let pairs = metadata.file_metadata().key_value_metadata().unwrap();
    let format = pairs.iter().find(|pair| pair.key == "format").unwrap();
    assert_eq!(format.value.as_deref(), Some("rehref-test"));
    let text = metadata.row_group(0).column(0);
    assert!(format!("{:?}", text.compression()).starts_with("ZSTD"));
    assert!(
        text.encodings()
            .any(|it| it == Encoding::RLE_DICTIONARY || it == Encoding::PLAIN_DICTIONARY)
    );
    let statistics = text.statistics().unwrap();
    assert_eq!(statistics.min_bytes_opt(), Some(&b"a"[..]));
    assert_eq!(statistics.max_bytes_opt(), Some(&b"c"[..]));
    let maybe = metadata.row_group(0).column(2).statistics().unwrap();
    assert_eq!(maybe.null_count_opt(), Some(3));
}

#[test]
fn a_table_without_rows_has_its_columns() {
    let file = reader(&written(&[]));
    assert_eq!(file.metadata().file_metadata().num_rows(), 0);
    assert_eq!(file.metadata().file_metadata().schema().get_fields().len(), 6);
}

#[test]
fn the_error_of_the_file_is_reported() {
    struct Full;
    impl Write for Full {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::StorageFull.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut writer = TableWriter::new(&TABLE, Full).unwrap();
    let mut rows = Rows::default();
    plain(1, "a").add_to(&mut rows);
    writer.append(rows).unwrap();
    let error = writer.finish().err().unwrap();
    assert_eq!(error.kind(), io::ErrorKind::StorageFull);
}
