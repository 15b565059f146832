//! Zip files, written by hand. Shares no code with rehref.

use std::io::Write;

use flate2::write::DeflateEncoder;
use flate2::{Compression, Crc};

/// How an entry is stored.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Method {
    Stored = 0,
    Deflated = 8,
}

fn checksum(bytes: &[u8]) -> u32 {
    let mut crc = Crc::new();
    crc.update(bytes);
    crc.sum()
}

/// The zip file with these entries: names and contents.
pub fn zip(entries: &[(&str, Method, &[u8])]) -> Vec<u8> {
    let (mut file, mut directory) = (Vec::new(), Vec::new());
    for (name, method, bytes) in entries {
        let data = match method {
            Method::Stored => bytes.to_vec(),
            Method::Deflated => {
                let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
                encoder.write_all(bytes).unwrap();
                encoder.finish().unwrap()
            }
        };
        let offset = file.len() as u32;
        // Version 2.0, no flags, the method, 2024-05-06 07:08:10.
        let mut common = Vec::new();
        for word in [20, 0, *method as u16, 0x3905, 0x58A6] {
            common.extend(word.to_le_bytes());
        }
        for number in [checksum(bytes), data.len() as u32, bytes.len() as u32] {
            common.extend(number.to_le_bytes());
        }
        common.extend((name.len() as u16).to_le_bytes());
        common.extend([0, 0]);
        file.extend(b"PK\x03\x04");
        file.extend(&common);
        file.extend(name.as_bytes());
        file.extend(data);
        directory.extend(b"PK\x01\x02\x14\x03");
        directory.extend(&common);
        // No comment, disk 0, no internal attributes, a regular file of mode 644.
        directory.extend([0; 6]);
        directory.extend((0o100_644_u32 << 16).to_le_bytes());
        directory.extend(offset.to_le_bytes());
        directory.extend(name.as_bytes());
    }
    let (start, count) = (file.len() as u32, entries.len() as u16);
    file.extend(&directory);
    file.extend(b"PK\x05\x06\0\0\0\0");
    file.extend(count.to_le_bytes());
    file.extend(count.to_le_bytes());
    file.extend((directory.len() as u32).to_le_bytes());
    file.extend(start.to_le_bytes());
    file.extend([0, 0]);
    file
}

/// The entries of a zip file that has at most one comment of no bytes: their names, methods and decompressed contents, in
/// the order of its directory. Checksums are checked.
pub fn unzip(file: &[u8]) -> Vec<(String, u16, Vec<u8>)> {
    let word = |at: usize| u16::from_le_bytes(file[at..at + 2].try_into().unwrap());
    let long = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().unwrap()) as usize;
    let end = file.len() - 22;
    assert_eq!(&file[end..end + 4], b"PK\x05\x06");
    let mut at = long(end + 16);
    let mut entries = Vec::new();
    for _ in 0..word(end + 10) {
        assert_eq!(&file[at..at + 4], b"PK\x01\x02");
        let (method, crc, length) = (word(at + 10), long(at + 16), long(at + 20));
        let name = usize::from(word(at + 28));
        let local = long(at + 42);
        let data = local + 30 + usize::from(word(local + 26)) + usize::from(word(local + 28));
        let data = &file[data..data + length];
        let bytes = match method {
            0 => data.to_vec(),
            _ => {
                let mut bytes = Vec::new();
                let mut decoder = flate2::read::DeflateDecoder::new(data);
                std::io::Read::read_to_end(&mut decoder, &mut bytes).unwrap();
                bytes
            }
        };
        assert_eq!(checksum(&bytes) as usize, crc);
        let text = String::from_utf8(file[at + 46..at + 46 + name].to_vec()).unwrap();
        entries.push((text, method, bytes));
        at += 46 + name + usize::from(word(at + 30)) + usize::from(word(at + 32));
    }
    entries
}
