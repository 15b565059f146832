//! Zip files as programs write them that cannot seek.

use std::io::Write;

use flate2::Compression;
use flate2::write::DeflateEncoder;
use rawzip::{CompressionMethod, ZipArchiveWriter};

/// A WACZ file as programs write it that write to a stream: sizes and checksums follow the data.
pub fn streamed(entries: &[(&str, CompressionMethod, &[u8])]) -> Vec<u8> {
    let mut zip = ZipArchiveWriter::new(Vec::new());
    for (name, method, data) in entries {
        let builder = zip.new_file(*name).compression_method(*method);
        let (mut entry, config) = builder.start().unwrap();
        let descriptor = if *method == CompressionMethod::STORE {
            let mut writer = config.wrap(&mut entry);
            writer.write_all(data).unwrap();
            writer.finish().unwrap().1
        } else {
            let encoder = DeflateEncoder::new(&mut entry, Compression::default());
            let mut writer = config.wrap(encoder);
            writer.write_all(data).unwrap();
            let (encoder, descriptor) = writer.finish().unwrap();
            encoder.finish().unwrap();
            descriptor
        };
        entry.finish(descriptor).unwrap();
    }
    zip.finish().unwrap()
}
