//! The minimum work of any tool that reads a site: walk the directory; open, read and close every
//! page.
//!
//! usage: `floor DIR all|BYTES THREADS`
//!
//! Reads up to `BYTES` of each page, and prints the number of pages and bytes. It must do nothing
//! else: benchmarks count everything beyond it as the cost of waypost.

#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "tests set up files, run programs and compare with the system"
)]
#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Bytes per read.
const BLOCK_SIZE: usize = 64 << 10;
/// Pages per unit of work of a thread.
const BATCH_SIZE: usize = 32;

fn main() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [dir, bytes, threads] = arguments.as_slice() else {
        println!("usage: floor DIR all|BYTES THREADS");
        return Ok(());
    };
    let most = if bytes == "all" {
        usize::MAX
    } else {
        parse_number(bytes)?
    };
    let pages = find_pages(Path::new(dir))?;
    let read = read_pages(&pages, most, parse_number(threads)?)?;
    println!("{} pages, {read} bytes", pages.len());
    Ok(())
}

fn parse_number(text: &str) -> io::Result<usize> {
    text.parse()
        .map_err(|_| io::Error::other(format!("`{text}` is not a number")))
}

fn find_pages(dir: &Path) -> io::Result<Vec<PathBuf>> {
    let mut pages = Vec::new();
    let mut dirs = vec![dir.to_owned()];
    while let Some(dir) = dirs.pop() {
        for entry in std::fs::read_dir(&dir)? {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                dirs.push(entry.path());
            } else if entry.file_name().as_encoded_bytes().ends_with(b".html") {
                pages.push(entry.path());
            }
        }
    }
    Ok(pages)
}

/// Reads up to `most` bytes of every page, and returns the number of bytes read.
fn read_pages(pages: &[PathBuf], most: usize, threads: usize) -> io::Result<usize> {
    let next = AtomicUsize::new(0);
    let work = || -> io::Result<usize> {
        let mut buffer = vec![0; most.min(BLOCK_SIZE)];
        let mut read = 0;
        loop {
            let start = next.fetch_add(BATCH_SIZE, Ordering::Relaxed);
            let Some(rest) = pages.get(start..) else {
                return Ok(read);
            };
            for page in rest.iter().take(BATCH_SIZE) {
                read += read_page(page, most, &mut buffer)?;
            }
        }
    };
    thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        let own = work()?;
        others.into_iter().try_fold(own, |sum, other| {
            Ok(sum + other.join().expect("reading does not panic")?)
        })
    })
}

fn read_page(page: &Path, most: usize, buffer: &mut [u8]) -> io::Result<usize> {
    let mut file = File::open(page)?;
    let mut read = 0;
    while read < most {
        let room = buffer.len().min(most - read);
        match file.read(&mut buffer[..room])? {
            0 => break,
            length => read += length,
        }
    }
    Ok(read)
}
