//! Checks the documents at the top of the project; `docs` checks the book.

use std::fs;
use std::path::Path;

const README: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");

/// The text of README.md.
pub(crate) fn readme() -> String {
    fs::read_to_string(README).expect("the README exists")
}

#[test]
fn links_within_the_project_are_not_broken() {
    let top = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut links = 0;
    for document in [
        "README.md",
        "ARCHITECTURE.md",
        "CHANGELOG.md",
        "tests/edge-site/README.md",
        "tests/cases/README.md",
    ] {
        let file = top.join(document);
        let text = fs::read_to_string(&file).expect("the document exists");
        let targets = text.split("](").skip(1);
        let targets = targets.filter_map(|rest| rest.split([')', '#']).next());
        for target in targets.filter(|target| !target.is_empty() && !target.contains(':')) {
            let exists = file.with_file_name(target).exists();
            assert!(exists, "{document} links to the missing file {target}");
            links += 1;
        }
    }
    assert!(links > 0);
}
