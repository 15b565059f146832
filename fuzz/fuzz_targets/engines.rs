//! The scanner finds what the authority finds, or declines.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|html: &[u8]| rehref::fuzzing::compare_engines(html));
