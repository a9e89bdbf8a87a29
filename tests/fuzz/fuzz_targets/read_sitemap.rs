//! Reads arbitrary bytes as a sitemap, a sitemap index or a text sitemap, compressed or not.
#![no_main]

#[path = "../bodies.rs"]
#[expect(dead_code, reason = "each target uses one of the bodies")]
mod bodies;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| bodies::read_sitemap_file(bytes));
