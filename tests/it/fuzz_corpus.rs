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
    let names = targets.iter().filter_map(|path| path.file_stem()?.to_str());
    let names: Vec<&str> = names.collect();
    assert_eq!(names, TARGETS.map(|(name, _)| name));
    let workflow = include_str!("../../.github/workflows/nightly.yml");
    for name in names {
        assert!(workflow.contains(&format!("- {name}\n")), "{name}");
    }
}

/// Numbers that are the same in every run (SplitMix64).
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) % limit as u64).expect("it is below the limit")
    }

    /// A part of some bytes, at most this long.
    fn part<'b>(&mut self, bytes: &'b [u8], longest: usize) -> &'b [u8] {
        let start = self.below(bytes.len() + 1);
        let length = self.below(longest.min(bytes.len() - start) + 1);
        &bytes[start..start + length]
    }

    /// Changes an input in a few places, some of them with parts of another one.
    fn mutant(&mut self, input: &[u8], other: &[u8]) -> Vec<u8> {
        let mut mutant = input.to_vec();
        for _ in 0..=self.below(4) {
            let at = self.below(mutant.len() + 1);
            let rest = mutant.split_off(at);
            let inserted = match self.below(5) {
                0 => vec![u8::try_from(self.below(256)).expect("a byte")],
                1 => self.part(other, 64).to_vec(),
                2 => self.part(input, 64).repeat(1 + self.below(8)),
                3 => b"<>\"'=&%/\\#[]{}-:,\n\0\xff\xc3"[self.below(21)..].to_vec(),
                _ => Vec::new(),
            };
            let removed = self.part(&rest, 16).len();
            mutant.extend(inserted);
            mutant.extend_from_slice(&rest[removed..]);
        }
        mutant
    }
}

/// How many mutants of the inputs of each corpus to run; `FUZZ_MUTANTS` sets another number.
const MUTANTS: usize = 40;

#[test]
fn no_corpus_input_and_no_mutant_crashes_a_fuzz_target() {
    let wanted = std::env::var("FUZZ_MUTANTS").ok();
    let wanted = wanted.map_or(MUTANTS, |text| text.parse().expect("a number"));
    for (name, body) in TARGETS {
        let files = list(&format!("tests/fuzz/corpus/{name}")).into_iter();
        let inputs: Vec<Vec<u8>> = files
            .map(|file| std::fs::read(file).expect("the input is readable"))
            .collect();
        assert!(!inputs.is_empty(), "{name} has no corpus");
        let mut dice = Dice(wanted as u64);
        let mutants = (0..wanted).map(|_| {
            let (input, other) = (dice.below(inputs.len()), dice.below(inputs.len()));
            dice.mutant(&inputs[input], &inputs[other])
        });
        for input in inputs.iter().cloned().chain(mutants) {
            let passes = std::panic::catch_unwind(|| body(&input)).is_ok();
            let input = input.escape_ascii().to_string();
            assert!(passes, "{name} fails for {input:?}");
        }
    }
}
