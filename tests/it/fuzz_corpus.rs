//! The bodies of the fuzz targets over their committed corpora, on a stable toolchain.

#[path = "../fuzz/bodies.rs"]
mod bodies;

use std::path::Path;

type Body = fn(&[u8]);

/// Each target's name, which is its corpus folder, and its body.
const TARGETS: [(&str, Body); 8] = [
    ("read_front_matter", bodies::read_front_matter),
    ("read_generator_settings", bodies::read_generator_settings),
    ("read_page", bodies::read_page),
    ("read_robots_txt", bodies::read_robots_txt),
    ("read_serving", bodies::read_serving),
    ("read_settings", bodies::read_settings),
    ("read_settings_file", bodies::read_settings_file),
    ("read_sitemap", bodies::read_sitemap_file),
];

#[test]
fn the_weekly_workflow_runs_each_fuzz_target() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let workflow = std::fs::read_to_string(folder.join(".github/workflows/fuzz.yml")).expect("the workflow");
    for (name, _) in TARGETS {
        assert!(workflow.contains(&format!("- {name}\n")), "{name} is not run");
        assert!(folder.join(format!("tests/fuzz/fuzz_targets/{name}.rs")).is_file(), "{name} is no target");
    }
}

#[test]
fn no_input_of_the_corpora_brings_a_fuzz_target_down() {
    for (name, body) in TARGETS {
        let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz/corpus").join(name);
        let mut inputs = 0;
        for entry in std::fs::read_dir(&corpus).expect("each target has a corpus") {
            let path = entry.expect("the corpus can be listed").path();
            body(&std::fs::read(&path).expect("each input can be read"));
            inputs += 1;
        }
        assert!(inputs > 0, "{} is empty", corpus.display());
    }
}
