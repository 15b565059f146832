//! The scanner finds what the authority finds, or declines.

#![no_main]

use libfuzzer_sys::fuzz_target;
use rehref::document::html::{authority, scanner};

fuzz_target!(|html: &[u8]| {
    for metadata in [false, true] {
        let Ok(found) = scanner::find_values(html, 0, metadata) else {
            continue;
        };
        // What is too much for the authority may not be for the scanner.
        if let Ok(expected) = authority::find_values(html, 0, metadata) {
            assert_eq!(found, expected);
        }
    }
});
