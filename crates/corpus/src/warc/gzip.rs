//! The members of a gzip file, read and written one by one.

use std::io::{self, BufRead, Read, Seek, SeekFrom, Write};

use flate2::Compression;
use flate2::bufread::GzDecoder;
use flate2::write::GzEncoder;

/// The first bytes of a gzip file.
pub const MAGIC: [u8; 2] = [0x1F, 0x8B];

/// A reader of a gzip file, member by member.
///
/// All members share one decoder. A decoder takes 50 KB, which the allocator of the GNU C library returns to no use when
/// something small is allocated before the next one: an index of URLs took 13 KB for each.
#[derive(Debug)]
pub struct Members<R> {
    decoder: Box<GzDecoder<Input<R>>>,
    /// Whether a member is being read. If not, the next byte is the first of a member.
    is_within: bool,
}

/// The file that a decoder reads; `None` only while the decoder is reset.
#[derive(Debug)]
struct Input<R>(Option<R>);

impl<R: BufRead> Read for Input<R> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        self.0.as_mut().map_or(Ok(0), |file| file.read(room))
    }
}

impl<R: BufRead> BufRead for Input<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.0.as_mut().map_or(Ok(&[]), BufRead::fill_buf)
    }

    fn consume(&mut self, read: usize) {
        if let Some(file) = &mut self.0 {
            file.consume(read);
        }
    }
}

impl<R: BufRead + Seek> Members<R> {
    /// Returns the members of `file`, whose next byte is the first of one.
    pub fn new(file: R) -> Members<R> {
        // A decoder reads the header of its first member at once, and of others when they are read.
        let mut decoder = Box::new(GzDecoder::new(Input(None)));
        decoder.reset(Input(Some(file)));
        Members { decoder, is_within: false }
    }

    /// Begins the next member. Returns `false` at the end of the file. Does nothing within a member.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read.
    pub fn begin(&mut self) -> io::Result<bool> {
        if !self.is_within {
            let input = self.decoder.get_mut();
            if input.fill_buf()?.is_empty() {
                return Ok(false);
            }
            let file = input.0.take();
            self.decoder.reset(Input(file));
            self.is_within = true;
        }
        Ok(true)
    }

    /// Returns the offset of the next byte to read; between members, the offset of the next member.
    ///
    /// # Errors
    /// Returns an error if the file has no position.
    pub fn position(&mut self) -> io::Result<u64> {
        self.file()?.stream_position()
    }

    /// Continues at the byte `position`, the first of a member.
    ///
    /// # Errors
    /// Returns an error if the file cannot seek.
    pub fn seek_to(&mut self, position: u64) -> io::Result<()> {
        self.file()?.seek(SeekFrom::Start(position))?;
        self.is_within = false;
        Ok(())
    }

    /// Returns the file itself. The caller must restore its position.
    ///
    /// # Errors
    /// Never: the decoder always has its file.
    pub fn file(&mut self) -> io::Result<&mut R> {
        let file = self.decoder.get_mut().0.as_mut();
        file.ok_or_else(|| io::ErrorKind::NotConnected.into())
    }
}

impl<R: BufRead> Read for Members<R> {
    /// Reads bytes of the current member; none at its end, and between members.
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        if !self.is_within {
            return Ok(0);
        }
        let read = read(&mut self.decoder, room)?;
        if read == 0 && !room.is_empty() {
            self.is_within = false;
        }
        Ok(read)
    }
}

/// Reads bytes of `source` into `room`, again after an interruption, and returns their number.
pub(super) fn read(source: &mut impl Read, room: &mut [u8]) -> io::Result<usize> {
    loop {
        match source.read(room) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            read => return read,
        }
    }
}

/// A member that is being written.
pub type MemberWriter = GzEncoder<Vec<u8>>;

/// Begins a new member, without name and time, which records have in their headers.
pub fn member_writer() -> MemberWriter {
    GzEncoder::new(Vec::new(), Compression::default())
}

/// Compresses `parts` as one member.
///
/// # Errors
/// Returns an error if the encoder fails, for lack of memory.
pub fn member(parts: &[&[u8]]) -> io::Result<Vec<u8>> {
    let mut writer = member_writer();
    for part in parts {
        writer.write_all(part)?;
    }
    writer.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::io::Cursor;

    type Member = (Vec<u8>, std::ops::Range<u64>);

    fn members(file: &[u8], step: usize) -> io::Result<Vec<Member>> {
        let mut members = Members::new(Cursor::new(file));
        let mut found = Vec::new();
        loop {
            let start = members.position()?;
            if !members.begin()? {
                return Ok(found);
            }
            let (mut bytes, mut room) = (Vec::new(), vec![0; step]);
            loop {
                match members.read(&mut room)? {
                    0 => break,
                    read => bytes.extend_from_slice(&room[..read]),
                }
            }
            found.push((bytes, start..members.position()?));
        }
    }

    proptest! {
        #[test]
        fn members_are_read_one_by_one(
            contents in proptest::collection::vec(
                proptest::collection::vec(any::<u8>(), 0..300), 0..5,
            ),
            step in 1_usize..400,
        ) {
            let written: Vec<_> = contents.iter().map(|it| member(&[it]).unwrap()).collect();
            let file = written.concat();
            let found = members(&file, step).unwrap();
            prop_assert_eq!(found.len(), contents.len());
            for (at, (bytes, range)) in found.iter().enumerate() {
                prop_assert_eq!(bytes, &contents[at]);
                let range = range.start as usize..range.end as usize;
                prop_assert_eq!(&file[range], &written[at][..]);
            }
        }

        #[test]
        fn a_cut_file_is_an_error(
            content in proptest::collection::vec(any::<u8>(), 0..300),
            cut in any::<proptest::sample::Index>(),
        ) {
            let whole = member(&[&content]).unwrap();
            let cut = 1 + cut.index(whole.len() - 1);
            prop_assert!(members(&whole[..cut], 64).is_err());
        }
    }

    #[test]
    fn a_member_can_be_read_again() {
        let file = [member(&[b"one"]).unwrap(), member(&[b"two"]).unwrap()].concat();
        let mut members = Members::new(Cursor::new(&file));
        let mut room = [0; 2];
        assert!(members.begin().unwrap());
        assert_eq!((members.read(&mut room).unwrap(), &room), (2, b"on"));
        members.seek_to(0).unwrap();
        assert!(members.begin().unwrap());
        assert_eq!((members.read(&mut room).unwrap(), &room), (2, b"on"));
    }
}
