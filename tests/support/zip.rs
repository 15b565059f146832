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
