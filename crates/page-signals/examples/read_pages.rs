//! Reads pages again and again, for a profiler that counts instructions.
//!
//! usage: `read_pages TIMES FILE…`
//!
//! The difference between two numbers of times, divided by the pages in between, is the cost of a
//! page without that of the start:
//!
//! ```text
//! valgrind --tool=callgrind target/release/examples/read_pages 1000 page.html
//! ```

#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::print_stdout,
    reason = "an example reads files and prints"
)]

use std::fs::File;
use std::io;

use page_signals::{PageReader, ReadOptions};

fn main() -> io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let times: usize = arguments
        .next()
        .and_then(|times| times.parse().ok())
        .ok_or_else(|| io::Error::other("usage: read_pages TIMES FILE…"))?;
    let files: Vec<File> = arguments.map(File::open).collect::<io::Result<_>>()?;
    let mut reader = PageReader::new(ReadOptions::default());
    let mut canonical_links = 0;
    for file in files.iter().cycle().take(times * files.len()) {
        canonical_links += reader.read(file)?.canonicals.len();
    }
    println!("{canonical_links} canonical links");
    Ok(())
}
