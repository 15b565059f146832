//! Properties of web archives and compressions.

use std::io::Cursor;
use std::ops::Range;

use super::input::Input;
use crate::coding::{Coding, Effort, decode, decoded_limit};
use crate::warc::record::{Piece, Records};
use crate::warc::{ArchiveError, gzip};

/// The pieces of an archive are all of it, in order, whatever records are wanted; its records are the
/// same in a compressed archive.
pub(super) fn warc(data: &[u8]) {
    let mut input = Input::new(data);
    let wanted = input.pick(&[0, 1, 2, 3]);
    let file = input.bytes();
    let plain = copy(file, wanted);
    if let Ok((written, _)) = &plain {
        assert_eq!(written.escape_ascii().to_string(), file.escape_ascii().to_string());
    }
    if file.starts_with(&gzip::MAGIC) {
        return;
    }
    let compressed = gzip::member(&[file]).expect("memory");
    if let (Ok((_, plain)), Ok((_, packed))) = (plain, copy(&compressed, wanted)) {
        assert_eq!(plain, packed);
    }
}

/// The bytes of an archive, written again piece by piece, and the headers and blocks of the wanted records.
fn copy(file: &[u8], wanted: usize) -> Result<(Vec<u8>, Vec<Vec<u8>>), ArchiveError> {
    let mut records = Records::new(Cursor::new(file), true)?;
    let format = records.format();
    let (mut written, mut held) = (Vec::new(), Vec::new());
    let slice = |range: Range<u64>| &file[range.start as usize..range.end as usize];
    let is_wanted = |number: usize| wanted == 3 || wanted > 0 && number % 3 == wanted;
    while let Some(piece) = records.next_piece(|number, _, _| is_wanted(number))? {
        match piece {
            Piece::Range(range) => written.extend_from_slice(slice(range)),
            Piece::Member(bytes) => written.extend_from_slice(&bytes),
            Piece::Record(record) => {
                let _ = crate::warc::capture::Capture::of(&record);
                held.push([record.head.bytes(), &record.block].concat());
                match &record.place {
                    Some(place) => written.extend_from_slice(slice(place.clone())),
                    None => written.extend(record.write(format).expect("memory")),
                }
            }
        }
    }
    Ok((written, held))
}

/// A decoded body can be encoded again, with the same codings, to the same content.
pub(super) fn codings(data: &[u8]) {
    let mut input = Input::new(data);
    let coding = input.pick(&[Coding::Gzip, Coding::Deflate, Coding::Brotli, Coding::Zstd]);
    let is_content = input.pick(&[false, true]);
    let bytes = input.bytes();
    let encoded = if is_content { encode(coding, bytes) } else { bytes.to_vec() };
    let Ok((content, compressor)) = decode(coding, &encoded, decoded_limit(encoded.len())) else {
        assert!(!is_content, "{coding:?} cannot be decoded again");
        return;
    };
    assert!(!is_content || content == bytes);
    let again = compressor.encode(&content, Effort::Quick).expect("memory");
    let (content_again, compressor) = decode(coding, &again, content.len()).expect("just encoded");
    assert_eq!(content_again, content);
    assert_eq!(compressor.encode(&content, Effort::Quick).expect("memory"), again);
}

/// `content`, encoded by the library that the coding stands for.
fn encode(coding: Coding, content: &[u8]) -> Vec<u8> {
    use flate2::Compression;
    use flate2::write::{GzEncoder, ZlibEncoder};
    use std::io::Write;
    match coding {
        Coding::Gzip => {
            let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
            encoder.write_all(content).expect("memory");
            encoder.finish().expect("memory")
        }
        Coding::Deflate => {
            let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
            encoder.write_all(content).expect("memory");
            encoder.finish().expect("memory")
        }
        Coding::Brotli => {
            let params = brotli::enc::BrotliEncoderParams { quality: 1, ..Default::default() };
            let mut encoded = Vec::new();
            brotli::BrotliCompress(&mut &*content, &mut encoded, &params).expect("memory");
            encoded
        }
        Coding::Zstd => zstd::bulk::compress(content, 1).expect("memory"),
    }
}
