//! A file of the site, read as a whole.
//!
//! Only what is a file is opened: reading a pipe would wait for ever for somebody to write, and a device has no end.

use std::fs;
use std::io;
use std::path::Path;

pub(super) fn read(path: &Path) -> io::Result<Vec<u8>> {
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::other("it is not a file"));
    }
    fs::read(path)
}

pub(super) fn read_text(path: &Path) -> io::Result<String> {
    String::from_utf8(read(path)?).map_err(io::Error::other)
}
