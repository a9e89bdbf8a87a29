//! Checks the imports between modules, and which files may use certain crates or reach outside the
//! program. `clippy.toml` enforces the latter; here is the list of its exceptions.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use regex::Regex;
use walkdir::WalkDir;

/// The modules of the program from the bottom to the top, each with the ones that it imports. All of
/// those come before it, so imports have no cycle.
const MODULES: &[(&str, &[&str])] = &[
    ("clock", &[]),
    ("manifest", &[]),
    ("settings", &["manifest"]),
    ("config", &["settings"]),
    ("rules", &["config", "settings"]),
    ("hosts", &["settings"]),
    ("discover", &[]),
    ("memory", &[]),
    ("publish", &["settings"]),
    ("submit", &["settings"]),
    ("decide", &["hosts", "rules", "settings"]),
    (
        "site",
        &[
            "config", "decide", "discover", "hosts", "manifest", "memory", "settings",
        ],
    ),
    ("feeds", &["decide", "discover", "hosts"]),
    ("reading", &["decide", "feeds", "hosts", "rules"]),
    (
        "sources",
        &["config", "decide", "hosts", "rules", "settings", "site"],
    ),
    (
        "inventory",
        &["decide", "hosts", "rules", "settings", "sources"],
    ),
    (
        "dates",
        &[
            "decide",
            "inventory",
            "memory",
            "settings",
            "site",
            "sources",
        ],
    ),
    (
        "pipeline",
        &[
            "clock",
            "dates",
            "decide",
            "discover",
            "feeds",
            "hosts",
            "inventory",
            "memory",
            "publish",
            "reading",
            "rules",
            "settings",
            "site",
            "sources",
        ],
    ),
    (
        "check",
        &[
            "decide",
            "hosts",
            "inventory",
            "pipeline",
            "publish",
            "settings",
            "site",
            "sources",
            "submit",
        ],
    ),
    ("index", &["check", "settings", "site"]),
    ("report", &["decide", "inventory", "site"]),
    (
        "embed",
        &[
            "clock",
            "config",
            "inventory",
            "pipeline",
            "publish",
            "site",
        ],
    ),
    (
        "cli",
        &[
            "check",
            "clock",
            "config",
            "decide",
            "index",
            "inventory",
            "manifest",
            "pipeline",
            "publish",
            "report",
            "settings",
            "site",
            "sources",
            "submit",
        ],
    ),
    ("main", &[]),
    (
        "lib",
        &[
            "config", "decide", "hosts", "publish", "rules", "settings", "submit",
        ],
    ),
];

/// Crates that change often, and paths that `clippy.toml` cannot disallow as a whole, with the only
/// files that may use them.
const NAMED_ONLY_IN: &[(&str, &[&str])] = &[
    ("annotate_snippets", &["src/cli/diagnose.rs"]),
    (
        "clap",
        &[
            "src/cli/command_help.rs",
            "src/cli/completions.rs",
            "src/cli/mod.rs",
            "src/cli/opts.rs",
            "src/cli/shared_opts.rs",
            "src/cli/suggestion.rs",
            "src/config/flags.rs",
        ],
    ),
    ("flate2", &["crates/sitemaps/src/gzip.rs"]),
    (
        "gix",
        &[
            "crates/git-last-modified/src/remote.rs",
            "crates/git-last-modified/src/objects.rs",
            "crates/git-last-modified/src/repository.rs",
            "crates/git-last-modified/src/tree.rs",
        ],
    ),
    ("globset", &["crates/sitemaps/src/site_paths/glob.rs"]),
    ("process::ExitCode", &["src/cli/mod.rs", "src/main.rs"]),
    ("std::net", &[]),
    ("lol_html", &["crates/page-signals/src/tokens.rs"]),
    (
        "quick_xml",
        &[
            "crates/sitemaps/src/feed_form.rs",
            "crates/sitemaps/src/xml.rs",
        ],
    ),
    (
        "rustix",
        &["crates/sitemaps/src/site_paths/unlinked_file.rs"],
    ),
    ("ureq", &["src/submit/network.rs"]),
];

/// The files that may use what `clippy.toml` disallows.
const MAY_REACH_OUTSIDE: &[&str] = &[
    "src/cli/environment.rs",
    "src/cli/printer.rs",
    "src/clock.rs",
    "src/publish/disk/mod.rs",
];

/// Words that no file of the program contains.
const NOWHERE: &[&str] = &["todo!", "unimplemented!", "#[allow", "unsafe {"];

/// The directories of the program and its crates.
const SOURCE_DIRS: &[&str] = &[
    "src",
    "crates/git-last-modified/src",
    "crates/page-signals/src",
    "crates/page-sources/src",
    "crates/sitemaps/src",
];

/// The maximum number of lines per file; split a longer one.
const MOST_LINES: usize = 500;

/// A source file and its path from the top.
struct Source {
    path: String,
    text: String,
}

/// All Rust files below a directory of the project, by their paths from the top.
fn files_below(dir: &str) -> Vec<Source> {
    let top = Path::new(env!("CARGO_MANIFEST_DIR"));
    let files = WalkDir::new(top.join(dir))
        .sort_by_file_name()
        .into_iter()
        .map(|entry| entry.expect("the directory can be listed"));
    let files = files.filter(|entry| {
        entry
            .path()
            .extension()
            .is_some_and(|ending| ending == "rs")
    });
    let read = |entry: walkdir::DirEntry| Source {
        path: entry
            .path()
            .strip_prefix(top)
            .expect("the file is below the directory")
            .display()
            .to_string()
            .replace('\\', "/"),
        text: fs::read_to_string(entry.path()).expect("the file is UTF-8"),
    };
    files.map(read).collect()
}

/// All files of the program and its crates, by their paths from the top, without comments and
/// without test code.
fn sources() -> Vec<Source> {
    let all: Vec<Source> = SOURCE_DIRS
        .iter()
        .flat_map(|dir| files_below(dir))
        .collect();
    let test_module =
        Regex::new(r"#\[cfg\([^\n]*test[^\n]*\)\]\n(?:pub(?:\([a-z]+\))? )?mod ([a-z_]+);")
            .expect("the pattern is well-formed");
    let mut of_tests = BTreeSet::new();
    for source in &all {
        let path = source.path.strip_suffix(".rs").unwrap_or(&source.path);
        let dir = ["/mod", "/lib"]
            .iter()
            .find_map(|name| path.strip_suffix(name))
            .unwrap_or(path);
        let names = test_module.captures_iter(&source.text);
        of_tests.extend(names.map(|name| format!("{dir}/{}.rs", &name[1])));
    }
    let built = all
        .into_iter()
        .filter(|source| !of_tests.contains(&source.path));
    let stripped = built.map(|source| {
        let text = source
            .text
            .split("#[cfg(test)]\nmod tests {")
            .next()
            .expect("split gives at least one part");
        let lines = text
            .lines()
            .filter(|line| !line.trim_start().starts_with("//"));
        Source {
            path: source.path,
            text: lines.collect::<Vec<_>>().join("\n"),
        }
    });
    stripped.collect()
}

/// The modules of the program that a file of `src` imports: by `crate::`, or by a chain of
/// `super::` that reaches the root. A braced list of modules counts as an import of `{`, which no
/// module may import: each is named on a line of its own.
fn imported_modules(path: &str, text: &str) -> BTreeSet<String> {
    let parts = path.trim_end_matches(".rs").split('/').count();
    let depth = parts - usize::from(path.ends_with("/mod.rs"));
    let pattern = format!(
        r"(?-u:\b)(?:crate|(?:super::){{{}}}super)::(\{{|[a-z_]+)",
        depth - 1
    );
    let import = Regex::new(&pattern).expect("the pattern is well-formed");
    import
        .captures_iter(text)
        .map(|name| name[1].to_owned())
        .collect()
}

#[test]
fn a_module_imports_only_modules_below_it() {
    let mut imports: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for source in sources() {
        let Some(path) = source.path.strip_prefix("src/") else {
            continue;
        };
        let module = path.split(['/', '.']).next().expect("a first part");
        let mut others = imported_modules(path, &source.text);
        others.remove(module);
        imports.entry(module.to_owned()).or_default().extend(others);
    }
    for (at, (module, expected)) in MODULES.iter().enumerate() {
        let found = imports.remove(*module).unwrap_or_default();
        let found: Vec<&str> = found.iter().map(String::as_str).collect();
        assert_eq!(found, *expected, "imports of `{module}`");
        for import in found {
            assert!(
                MODULES[..at].iter().any(|(below, _)| *below == import),
                "`{module}` imports `{import}`, which is not below it"
            );
        }
    }
    assert!(
        imports.is_empty(),
        "not in the list of modules: {imports:?}"
    );
}

#[test]
fn unstable_crates_are_confined_to_few_files() {
    let sources = sources();
    let naming = |name: &str| -> Vec<String> {
        // `gix` must not match in `prefixgix`.
        let whole = Regex::new(&format!(r"(?:^|[^A-Za-z0-9_]){}", regex::escape(name)))
            .expect("the pattern is well-formed");
        let naming = sources.iter().filter(|source| whole.is_match(&source.text));
        naming.map(|source| source.path.clone()).collect()
    };
    for (name, files) in NAMED_ONLY_IN {
        let mut files = files.to_vec();
        files.sort_unstable();
        let mut found = naming(name);
        found.sort_unstable();
        assert_eq!(found, files, "`{name}`");
    }
    for name in NOWHERE {
        assert_eq!(naming(name), [""; 0], "`{name}`");
    }
}

#[test]
fn few_files_reach_outside_the_program() {
    let of_tests = Regex::new(r"cfg_attr\(\s*test,\s*allow\([^()]*\)\s*\)").expect("a pattern");
    let found = sources()
        .into_iter()
        .filter(|source| {
            of_tests
                .replace(&source.text, "")
                .contains("clippy::disallowed")
        })
        .map(|source| source.path);
    assert_eq!(found.collect::<Vec<_>>(), MAY_REACH_OUTSIDE);
}

#[test]
fn every_file_is_documented_and_short_enough() {
    let tests = ["tests/it", "crates/git-last-modified/tests"];
    for dir in SOURCE_DIRS.iter().copied().chain(tests) {
        let sources = files_below(dir);
        assert!(!sources.is_empty(), "{dir}");
        for Source { path, text } in sources {
            assert!(
                text.starts_with("//! "),
                "{path} does not begin with a `//!` comment"
            );
            let lines = text.lines().count();
            assert!(lines <= MOST_LINES, "{path} has {lines} lines");
        }
    }
}
