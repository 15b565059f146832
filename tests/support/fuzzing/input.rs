//! Divides an input into a text and choices.

/// An input: a text, followed by bytes each of which chooses from a table. So a file can be a seed as it
/// is: its last bytes choose options, too.
pub struct Input<'d> {
    rest: &'d [u8],
}

impl<'d> Input<'d> {
    /// An input of these bytes.
    pub fn new(data: &'d [u8]) -> Input<'d> {
        Input { rest: data }
    }

    /// Takes a byte from the end, which chooses from `table`.
    pub fn pick<T: Copy>(&mut self, table: &[T]) -> T {
        let (choice, rest) = self.rest.split_last().unwrap_or((&0, &[]));
        self.rest = rest;
        table[usize::from(*choice) % table.len()]
    }

    /// The bytes that have not chosen.
    pub fn bytes(self) -> &'d [u8] {
        self.rest
    }

    /// As [`Input::bytes`], without what is not UTF-8.
    pub fn text(self) -> String {
        String::from_utf8_lossy(self.rest).into_owned()
    }
}
