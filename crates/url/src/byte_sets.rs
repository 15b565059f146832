//! Sets of bytes, eight in one table.

pub(crate) const UPPERCASE: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
pub(crate) const LOWERCASE_AND_DIGITS: &str = "abcdefghijklmnopqrstuvwxyz0123456789";

/// The sets that each byte is in, a bit each.
pub(crate) struct ByteSets([u8; 256]);

impl ByteSets {
    /// Returns the characters of each row, which are ASCII, are in the sets of the row. Bytes that are not printable
    /// ASCII are in the sets `others`.
    pub(crate) const fn new(rows: &[(u8, &str)], others: u8) -> ByteSets {
        let mut sets = [0; 256];
        let mut byte = 0;
        while byte < 256 {
            if byte < 0x20 || byte >= 0x7F {
                sets[byte] = others;
            }
            byte += 1;
        }
        let mut row = 0;
        while row < rows.len() {
            let (bits, members) = rows[row];
            let mut member = 0;
            while member < members.len() {
                sets[members.as_bytes()[member] as usize] |= bits;
                member += 1;
            }
            row += 1;
        }
        ByteSets(sets)
    }

    /// Returns the sets of `byte`.
    #[inline]
    pub(crate) fn of(&self, byte: u8) -> u8 {
        // The table has all bytes.
        self.0[usize::from(byte)]
    }
}
