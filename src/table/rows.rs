//! Rows of a table, in memory.

/// Rows, stored by column. Equal neighbors in a column of texts, such as the document of many links, are stored once.
#[derive(Debug, Default)]
pub struct Rows {
    count: usize,
    /// In the order of the schema.
    columns: Vec<Column>,
}

/// The values of a column.
#[derive(Debug, Default)]
pub(super) struct Column {
    /// For each row, the definition level of Parquet: how many of the optional fields that enclose the value, and
    /// itself, are not null. Empty for a required column.
    pub(super) levels: Vec<i16>,
    /// The values that are not null.
    pub(super) values: Values,
}

#[derive(Debug, Default)]
pub(super) enum Values {
    /// A column without any value so far.
    #[default]
    None,
    Texts(Texts),
    Integers(Vec<i64>),
    Booleans(Vec<bool>),
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

/// A row that is being added: its values come in the order of the schema.
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

    /// The number of rows.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The bytes of the stored texts.
    pub(super) fn text_size(&self) -> usize {
        let texts = self.columns.iter().filter_map(|column| match &column.values {
            Values::Texts(texts) => Some(texts.bytes.len()),
            _ => None,
        });
        texts.sum()
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
            column.values.append(more.values);
        }
    }

    /// The columns in the order of the schema.
    pub(super) fn into_columns(self) -> impl Iterator<Item = Column> {
        self.columns.into_iter()
    }
}

impl Row<'_> {
    /// The value of a required column of texts.
    pub fn text(mut self, value: &str) -> Self {
        self.column().values.add_text(value);
        self
    }

    /// The value of a required column of integers.
    pub fn integer(mut self, value: usize) -> Self {
        self.column().values.add_integer(value);
        self
    }

    /// The value of an optional column of texts.
    pub fn optional_text(mut self, value: Option<&str>) -> Self {
        let column = self.column();
        column.levels.push(value.is_some().into());
        if let Some(value) = value {
            column.values.add_text(value);
        }
        self
    }

    /// The value of an optional column of integers.
    pub fn optional_integer(self, value: Option<usize>) -> Self {
        self.integer_at(value.is_some().into(), value)
    }

    /// The value of an optional column of integers in an optional group; `None` for no group.
    pub fn grouped_integer(self, value: Option<Option<usize>>) -> Self {
        let level = match value {
            None => 0,
            Some(None) => 1,
            Some(Some(_)) => 2,
        };
        self.integer_at(level, value.flatten())
    }

    fn integer_at(mut self, level: i16, value: Option<usize>) -> Self {
        let column = self.column();
        column.levels.push(level);
        if let Some(value) = value {
            column.values.add_integer(value);
        }
        self
    }

    /// The value of an optional column of booleans.
    pub fn optional_boolean(mut self, value: Option<bool>) -> Self {
        let column = self.column();
        column.levels.push(value.is_some().into());
        if let Some(value) = value {
            column.values.add_boolean(value);
        }
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

impl Values {
    fn add_text(&mut self, value: &str) {
        if let Values::None = self {
            *self = Values::Texts(Texts::default());
        }
        if let Values::Texts(texts) = self {
            texts.add(value.as_bytes());
        }
    }

    fn add_integer(&mut self, value: usize) {
        // No line or column is beyond 2^63.
        let value = i64::try_from(value).unwrap_or(i64::MAX);
        match self {
            Values::Integers(values) => values.push(value),
            _ => *self = Values::Integers(vec![value]),
        }
    }

    fn add_boolean(&mut self, value: bool) {
        match self {
            Values::Booleans(values) => values.push(value),
            _ => *self = Values::Booleans(vec![value]),
        }
    }

    fn append(&mut self, more: Values) {
        match (self, more) {
            (_, Values::None) => {}
            (Values::Texts(texts), Values::Texts(more)) => texts.append(more),
            (Values::Integers(values), Values::Integers(more)) => values.extend(more),
            (Values::Booleans(values), Values::Booleans(more)) => values.extend(more),
            (values, more) => *values = more,
        }
    }
}

impl Texts {
    /// The stored text `index`, as a range of `bytes`.
    pub(super) fn range(&self, index: usize) -> std::ops::Range<usize> {
        let before = index.checked_sub(1).and_then(|before| self.ends.get(before));
        let start = before.copied().unwrap_or(0);
        start..self.ends.get(index).copied().unwrap_or(start)
    }

    fn add(&mut self, value: &[u8]) {
        let last = self.ends.len().checked_sub(1);
        match last {
            Some(last) if self.bytes.get(self.range(last)) == Some(value) => {
                self.indices.push(last)
            }
            _ => {
                self.bytes.extend_from_slice(value);
                self.indices.push(self.ends.len());
                self.ends.push(self.bytes.len());
            }
        }
    }

    fn append(&mut self, more: Texts) {
        let (bytes, stored) = (self.bytes.len(), self.ends.len());
        self.bytes.extend(more.bytes);
        self.ends.extend(more.ends.iter().map(|end| bytes + end));
        self.indices.extend(more.indices.iter().map(|index| stored + index));
    }
}
