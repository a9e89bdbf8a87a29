//! Expected outputs in files: compared as a whole, rewritten with `UPDATE_EXPECTED=1`.

use std::collections::BTreeSet;
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
    assert!(USED.contains(&file), "add `{file}` to `USED`");
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

/// Every file that a test compares.
const USED: &[&str] = &[
    "edge-site.explain.jsonl",
    "edge-site.said.txt",
    "edge-site.sitemap.xml",
];

#[test]
fn every_expected_output_is_compared_by_a_test() {
    let files = fs::read_dir(FOLDER)
        .expect("the directory exists")
        .map(|entry| entry.expect("the entry can be read"));
    let files: BTreeSet<String> = files
        .map(|file| file.file_name().to_string_lossy().into_owned())
        .collect();
    assert_eq!(files, USED.iter().map(|&file| file.to_owned()).collect());
}
