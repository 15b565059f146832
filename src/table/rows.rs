//! Rows of a table, in memory.

/// Rows, stored by column. Equal neighbors in a column of texts, such as the document of many links, are stored once.
#[derive(Debug, Default)]
pub struct Rows {
    count: usize,
    /// In the order of the schema.
    columns: Vec<Column>,
}

/// The values of a column, all of one type.
#[derive(Debug, Default)]
pub(super) struct Column {
    /// For each row, the definition level of Parquet: how many of the optional fields that enclose the value, and
    /// itself, are not null. Empty for a required column.
    pub(super) levels: Vec<i16>,
    pub(super) texts: Texts,
    pub(super) integers: Vec<i64>,
    pub(super) booleans: Vec<bool>,
}

/// Texts, of which equal neighbors are stored once.
#[derive(Debug, Default)]
pub(super) struct Texts {
    /// The stored texts, one after the other.
    pub(super) bytes: Vec<u8>,
    /// The end of each stored text in `bytes`.
    pub(super) ends: Vec<usize>,
    /// For each value, the number of its stored text.
    pub(super) indices: Vec<usize>,
}

/// A row that is being added. Its values must be set in the order of the schema.
#[derive(Debug)]
pub struct Row<'r> {
    rows: &'r mut Rows,
    /// The number of the next column.
    next: usize,
}

impl Rows {
    /// Adds a row.
    pub fn add(&mut self) -> Row<'_> {
        self.count += 1;
        Row { rows: self, next: 0 }
    }

    /// Returns the number of rows.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Returns the bytes of the stored texts.
    pub(super) fn text_size(&self) -> usize {
        self.columns.iter().map(|column| column.texts.bytes.len()).sum()
    }

    /// Adds the rows `more` of the same table.
    pub(super) fn append(&mut self, more: Rows) {
        if self.count == 0 {
            *self = more;
            return;
        }
        self.count += more.count;
        for (column, more) in self.columns.iter_mut().zip(more.columns) {
            column.levels.extend(more.levels);
            column.texts.append(more.texts);
            column.integers.extend(more.integers);
            column.booleans.extend(more.booleans);
        }
    }

    /// Returns the columns in the order of the schema.
    pub(super) fn into_columns(self) -> impl Iterator<Item = Column> {
        self.columns.into_iter()
    }
}

impl Row<'_> {
    /// Sets the value of a required column of texts.
    pub fn text(mut self, value: &str) -> Self {
        self.column().texts.add(value.as_bytes());
        self
    }

    /// Sets the value of a required column of integers.
    pub fn integer(mut self, value: usize) -> Self {
        self.column().integers.push(integer(value));
        self
    }

    /// Sets the value of an optional column of texts.
    pub fn optional_text(mut self, value: Option<&str>) -> Self {
        let column = self.column();
        column.levels.push(value.is_some().into());
        if let Some(value) = value {
            column.texts.add(value.as_bytes());
        }
        self
    }

    /// Sets the value of an optional column of integers.
    pub fn optional_integer(mut self, value: Option<usize>) -> Self {
        let column = self.column();
        column.levels.push(value.is_some().into());
        column.integers.extend(value.map(integer));
        self
    }

    /// Sets the value of an optional column of integers in an optional group; `None` for no group.
    pub fn grouped_integer(mut self, value: Option<Option<usize>>) -> Self {
        let column = self.column();
        column.levels.push(value.map_or(0, |value| 1 + i16::from(value.is_some())));
        column.integers.extend(value.flatten().map(integer));
        self
    }

    /// Sets the value of an optional column of booleans.
    pub fn optional_boolean(mut self, value: Option<bool>) -> Self {
        let column = self.column();
        column.levels.push(value.is_some().into());
        column.booleans.extend(value);
        self
    }

    /// The next column of the row.
    fn column(&mut self) -> &mut Column {
        let (columns, next) = (&mut self.rows.columns, self.next);
        self.next += 1;
        if columns.len() <= next {
            columns.resize_with(next + 1, Column::default);
        }
        &mut columns[next]
    }
}

/// No line or column is beyond 2^63.
fn integer(value: usize) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

impl Texts {
    /// Returns the stored text `index`, as a range of `bytes`.
    pub(super) fn range(&self, index: usize) -> std::ops::Range<usize> {
        let before = index.checked_sub(1).and_then(|before| self.ends.get(before));
        let start = before.copied().unwrap_or(0);
        start..self.ends.get(index).copied().unwrap_or(start)
    }

    fn add(&mut self, value: &[u8]) {
        let last = self.ends.len().checked_sub(1);
        let known = last.filter(|last| self.bytes.get(self.range(*last)) == Some(value));
        self.indices.push(known.unwrap_or(self.ends.len()));
        if known.is_none() {
            self.bytes.extend_from_slice(value);
            self.ends.push(self.bytes.len());
        }
    }

    fn append(&mut self, more: Texts) {
        let (bytes, stored) = (self.bytes.len(), self.ends.len());
        self.bytes.extend(more.bytes);
        self.ends.extend(more.ends.iter().map(|end| bytes + end));
        self.indices.extend(more.indices.iter().map(|index| stored + index));
    }
}
