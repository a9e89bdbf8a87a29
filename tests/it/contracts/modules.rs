//! Checks the imports between modules, and which files may use certain crates or reach outside the
//! program. `clippy.toml` enforces the latter; here is the list of its exceptions.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use regex::Regex;
use walkdir::WalkDir;

use crate::platform::slashed;

/// Crates that change often, and texts that neither `clippy.toml` nor a lint disallows as a whole,
/// with the number of files that may name them.
const NAMED_IN_FEW: &[(&str, usize)] = &[
    ("annotate_snippets", 1),
    ("flate2", 1),
    ("gix", 4),
    ("globset", 1),
    ("lol_html", 1),
    ("process::ExitCode", 2),
    ("quick_xml", 2),
    ("rustix", 1),
    // The reader of sets: a build, a check of files, a check of a server, a comparison with a live set.
    ("SetWalk::new(", 4),
    ("std::net", 0),
    ("ureq", 1),
    ("#[allow", 0),
];

/// The files that may use what `clippy.toml` disallows.
const MAY_REACH_OUTSIDE: &[&str] = &[
    "src/cli/environment.rs",
    "src/cli/printer.rs",
    "src/clock.rs",
    "src/publish/disk/mod.rs",
];

/// The directories of the program and its crates.
const SOURCE_DIRS: &[&str] = &[
    "src",
    "crates/git-last-modified/src",
    "crates/page-signals/src",
    "crates/sitemaps/src",
];

/// The conventions of generators.
const GENERATORS: &str = "src/generators/";

/// The directories there of files about one generator, or one list that it writes.
const OF_ONE: &[&str] = &["own/", "source_map/"];

/// The maximum number of directories below `src`.
const MOST_ROOMS: usize = 18;

/// The maximum number of lines per file; split a longer one.
const MOST_LINES: usize = 500;

/// A source file and its path from the top.
pub(super) struct Source {
    pub(super) path: String,
    pub(super) text: String,
}

/// All Rust files below a directory of the project, by their paths from the top.
fn files_below(dir: &str) -> Vec<Source> {
    let top = Path::new(env!("CARGO_MANIFEST_DIR"));
    let entries = WalkDir::new(top.join(dir)).sort_by_file_name().into_iter();
    let files = entries.map(|entry| entry.expect("the directory can be listed").into_path());
    let read = |file: PathBuf| {
        let path = file.strip_prefix(top).expect("it is below the top");
        Source {
            path: slashed(&path.to_string_lossy()),
            text: fs::read_to_string(&file).expect("the file is UTF-8"),
        }
    };
    let sources = files.filter(|file| file.extension() == Some("rs".as_ref()));
    sources.map(read).collect()
}

/// All files of the program and its crates, by their paths from the top, without comments and
/// without test code.
pub(super) fn sources() -> Vec<Source> {
    let all: Vec<Source> = SOURCE_DIRS
        .iter()
        .flat_map(|dir| files_below(dir))
        .collect();
    let test_module =
        Regex::new(r"#\[cfg\([^\n]*test[^\n]*\)\]\n(?:pub(?:\([a-z]+\))? )?mod ([a-z_]+);")
            .expect("the pattern is well-formed");
    let mut of_tests = BTreeSet::new();
    for source in &all {
        let path = source.path.trim_end_matches(".rs");
        let dir = path.trim_end_matches("/mod").trim_end_matches("/lib");
        let names = test_module.captures_iter(&source.text);
        of_tests.extend(names.map(|name| format!("{dir}/{}.rs", &name[1])));
    }
    let built = all
        .into_iter()
        .filter(|source| !of_tests.contains(&source.path));
    let stripped = built.map(|Source { path, text }| {
        let text = text.split("#[cfg(test)]\nmod tests {").next();
        let lines = text.unwrap_or_default().lines();
        let lines = lines.filter(|line| !line.trim_start().starts_with("//"));
        let text = lines.collect::<Vec<_>>().join("\n");
        Source { path, text }
    });
    stripped.collect()
}

/// The modules of the program that a file of `src` imports: by `crate::`, or by a chain of
/// `super::` that reaches the root. A braced list of modules counts as an import of `{`, which no
/// module may import: each is named on a line of its own.
fn imported_modules(path: &str, text: &str) -> BTreeSet<String> {
    let parts = path.trim_end_matches(".rs").split('/').count();
    let depth = parts - usize::from(path.ends_with("/mod.rs")) - 1;
    let pattern = format!(r"(?-u:\b)(?:crate|(?:super::){{{depth}}}super)::(\{{|[a-z_]+)");
    let import = Regex::new(&pattern).expect("the pattern is well-formed");
    let imports = import.captures_iter(text);
    imports.map(|name| name[1].to_owned()).collect()
}

/// The modules of the program from the bottom to the top, as ARCHITECTURE.md lists them.
fn modules() -> Vec<&'static str> {
    let document = include_str!("../../../ARCHITECTURE.md");
    let (_, table) = document.split_once("| module |").expect("a table");
    let rows = table.lines().skip(2).take_while(|row| row.starts_with('|'));
    let names = rows.filter_map(|row| row.split('`').nth(1)?.split(['/', '.']).next());
    names.chain(["lib", "main"]).collect()
}

#[test]
fn a_module_imports_only_modules_that_the_architecture_lists_above_it() {
    let modules = modules();
    let place_of = |name: &str| modules.iter().position(|module| *module == name);
    let mut found = BTreeSet::new();
    for Source { path, text } in sources() {
        let Some(path) = path.strip_prefix("src/") else {
            continue;
        };
        let module = path.split(['/', '.']).next().expect("a first part");
        let place = place_of(module);
        assert!(place.is_some(), "ARCHITECTURE.md does not list `{module}`");
        for import in imported_modules(path, &text) {
            let is_above = import == module || place_of(&import) < place;
            let is_known = place_of(&import).is_some();
            assert!(is_above && is_known, "{path} imports `{import}`");
        }
        found.insert(module.to_owned());
    }
    assert_eq!(found, modules.iter().map(|&name| name.to_owned()).collect());
    let rows = include_str!("../../../ARCHITECTURE.md").lines();
    let rooms = rows.filter(|row| {
        row.starts_with("| `")
            && row
                .split('`')
                .nth(1)
                .is_some_and(|name| name.ends_with('/'))
    });
    assert!(rooms.count() <= MOST_ROOMS);
}

#[test]
fn unstable_crates_are_confined_to_few_files() {
    let sources = sources();
    for (name, count) in NAMED_IN_FEW {
        // `gix` must not match in `prefixgix`.
        let whole = Regex::new(&format!(r"(?:^|[^A-Za-z0-9_]){}", regex::escape(name)))
            .expect("the pattern is well-formed");
        let naming = sources.iter().filter(|source| whole.is_match(&source.text));
        let found: Vec<&str> = naming.map(|source| source.path.as_str()).collect();
        assert_eq!(found.len(), *count, "`{name}`: {found:?}");
    }
}

#[test]
fn few_files_reach_outside_the_program() {
    let of_tests = Regex::new(r"cfg_attr\(\s*test,\s*allow\([^()]*\)\s*\)").expect("a pattern");
    let mut sources = sources();
    sources.retain(|Source { text, .. }| {
        let text = of_tests.replace(text, "");
        text.contains("clippy::disallowed")
    });
    let found: Vec<&str> = sources.iter().map(|source| source.path.as_str()).collect();
    assert_eq!(found, MAY_REACH_OUTSIDE);
}

#[test]
fn only_the_own_file_of_a_generator_names_it() {
    let manifest: toml::Table =
        toml::from_str(include_str!("../../../plugin-manifest.toml")).expect("TOML");
    let generators = manifest["generator"].as_table().expect("a table");
    // `next` is also a method of iterators.
    let names: Vec<&str> = generators.keys().map(String::as_str).collect();
    let names = names.into_iter().filter(|name| *name != "next");
    let pattern = format!("(?i){}", names.collect::<Vec<_>>().join("|"));
    let generator = Regex::new(&pattern).expect("the pattern is well-formed");
    let mut shared = 0;
    for Source { path, text } in sources() {
        let Some(below) = path.strip_prefix(GENERATORS) else {
            continue;
        };
        if !OF_ONE.iter().any(|dir| below.starts_with(dir)) {
            let found = generator.find(&text).map(|found| found.as_str());
            assert_eq!(found, None, "{path} names a generator");
            shared += 1;
        }
    }
    assert!(shared > 10, "{GENERATORS} has {shared} files");
}

#[test]
fn every_file_is_documented_and_short_enough() {
    let tests = ["tests/it", "crates/git-last-modified/tests"];
    for dir in SOURCE_DIRS.iter().copied().chain(tests) {
        let sources = files_below(dir);
        assert!(!sources.is_empty(), "{dir}");
        for Source { path, text } in sources {
            assert!(text.starts_with("//! "), "{path} lacks a `//!` comment");
            let lines = text.lines().count();
            assert!(lines <= MOST_LINES, "{path} has {lines} lines");
        }
    }
}
