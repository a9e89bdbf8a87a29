//! Reads arbitrary bytes as the header and redirect files of a host.
#![no_main]

#[path = "../bodies.rs"]
#[expect(dead_code, reason = "each target uses one of the bodies")]
mod bodies;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| bodies::read_serving(bytes));
