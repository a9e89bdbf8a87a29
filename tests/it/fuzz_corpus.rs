//! Runs the bodies of the fuzz targets over their committed corpora, on a stable toolchain.

#[path = "../fuzz/bodies.rs"]
mod bodies;

use std::path::{Path, PathBuf};

type Body = fn(&[u8]);

/// The name of each target, which is its corpus directory, and its body; sorted by name.
const TARGETS: [(&str, Body); 10] = [
    ("read_front_matter", bodies::read_front_matter),
    ("read_generator_settings", bodies::read_generator_settings),
    ("read_page", bodies::read_page),
    ("read_repository", bodies::read_repository),
    ("read_robots_txt", bodies::read_robots_txt),
    ("read_serving", bodies::read_serving),
    ("read_settings", bodies::read_settings),
    ("read_settings_file", bodies::read_settings_file),
    ("read_sitemap", bodies::read_sitemap_file),
    ("read_source_list", bodies::read_source_list),
];

/// Returns the files of a directory of this repository, sorted.
fn list(dir: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(dir))
        .expect("the directory exists");
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("the directory is readable").path())
        .collect();
    files.sort();
    files
}

#[test]
fn each_fuzz_target_is_run_here_and_by_the_workflow() {
    let targets = list("tests/fuzz/fuzz_targets");
    let names: Vec<&str> = targets
        .iter()
        .filter_map(|path| path.file_stem()?.to_str())
        .collect();
    assert_eq!(names, TARGETS.map(|(name, _)| name));
    let workflow = Path::new(env!("CARGO_MANIFEST_DIR")).join(".github/workflows/fuzz.yml");
    let workflow = std::fs::read_to_string(workflow).expect("the workflow exists");
    for name in names {
        assert!(
            workflow.contains(&format!("- {name}\n")),
            "{name} is not run"
        );
    }
}

#[test]
fn no_corpus_input_crashes_a_fuzz_target() {
    for (name, body) in TARGETS {
        let inputs = list(&format!("tests/fuzz/corpus/{name}"));
        assert!(!inputs.is_empty(), "{name} has no corpus");
        for input in inputs {
            body(&std::fs::read(input).expect("the input is readable"));
        }
    }
}
