//! Expectations that are files: compared as a whole, rewritten with `UPDATE_EXPECTED=1`.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/expected");

/// Whether this run is to write the expectations that it would else compare.
pub(crate) fn is_to_be_rewritten() -> bool {
    std::env::var_os("UPDATE_EXPECTED").is_some_and(|value| value == "1")
}

/// A text is what a file of tests/it/expected holds.
#[track_caller]
pub(crate) fn is_as_expected(file: &str, text: &str) {
    assert!(
        USED.contains(&file),
        "enter `{file}` in the list of expectations"
    );
    let path = Path::new(FOLDER).join(file);
    if is_to_be_rewritten() {
        fs::create_dir_all(FOLDER).expect("the folder can be made");
        fs::write(path, text).expect("the expectation can be written");
        return;
    }
    let expected = fs::read_to_string(path).unwrap_or_default();
    assert!(
        text == expected,
        "{file} differs; UPDATE_EXPECTED=1 rewrites it. It is now:\n{text}"
    );
}

/// Every expectation that a test compares.
const USED: &[&str] = &[
    "sample-site.explain.jsonl",
    "sample-site.said.txt",
    "sample-site.sitemap.xml",
];

#[test]
fn every_expectation_is_compared_by_a_test() {
    let files = fs::read_dir(FOLDER)
        .expect("there are expectations")
        .map(|entry| entry.expect("it is there"));
    let files: BTreeSet<String> = files
        .map(|file| file.file_name().to_string_lossy().into_owned())
        .collect();
    assert_eq!(files, USED.iter().map(|&file| file.to_owned()).collect());
}
