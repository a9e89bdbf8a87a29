//! Expected outputs in files: compared as a whole, rewritten with `UPDATE_EXPECTED=1`.

use std::fs;
use std::path::Path;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/expected");

/// Whether this run rewrites the expected outputs instead of comparing them.
pub(crate) fn is_to_be_rewritten() -> bool {
    std::env::var_os("UPDATE_EXPECTED").is_some_and(|value| value == "1")
}

/// Asserts that a text equals a file in tests/it/expected.
#[track_caller]
pub(crate) fn is_as_expected(file: &str, text: &str) {
    let path = Path::new(FOLDER).join(file);
    if is_to_be_rewritten() {
        fs::create_dir_all(FOLDER).expect("the directory can be created");
        fs::write(path, text).expect("the expected output can be written");
        return;
    }
    let expected = fs::read_to_string(path).unwrap_or_default();
    assert!(
        text == expected,
        "{file} differs; set UPDATE_EXPECTED=1 to rewrite it. New content:\n{text}"
    );
}

/// The text of a sitemap without its stylesheet.
pub(crate) fn unstyled(sitemap: &str) -> String {
    let (before, rest) = sitemap.split_once("<?xml-stylesheet ").expect("it has one");
    let (_, after) = rest.split_once("?>\n").expect("the instruction ends");
    before.to_owned() + after
}
