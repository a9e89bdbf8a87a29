//! Arbitrary bytes as robots.txt.
#![no_main]

#[path = "../bodies.rs"]
mod bodies;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| bodies::read_robots_txt(bytes));
