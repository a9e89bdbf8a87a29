//! Checks the allowed imports between modules, and which files may use certain crates and system
//! calls.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use regex::Regex;
use walkdir::WalkDir;

/// The modules that each module may import. `cli` is the top layer, `site_paths` the bottom one.
const MAY_IMPORT: &[(&str, &[&str])] = &[
    ("site_paths", &[]),
    ("bounds", &["site_paths"]),
    ("finding", &["site_paths"]),
    ("rules", &["config", "finding", "site_paths"]),
    ("dates", &["config"]),
    (
        "config",
        &["bounds", "dates", "finding", "site_paths", "rules"],
    ),
    ("hosts", &["config", "finding", "site_paths"]),
    ("read", &["finding"]),
    ("robots_txt", &["finding", "site_paths"]),
    ("history", &["bounds", "config"]),
    ("discover", &["bounds", "finding", "site_paths"]),
    ("extension", &["dates", "site_paths", "read", "sitemaps"]),
    ("feed", &["finding"]),
    (
        "generator",
        &[
            "bounds",
            "config",
            "finding",
            "site_paths",
            "rules",
            "hosts",
        ],
    ),
    ("source_map", &["bounds"]),
    (
        "decide",
        &[
            "config",
            "dates",
            "discover",
            "finding",
            "site_paths",
            "read",
            "robots_txt",
            "rules",
            "hosts",
        ],
    ),
    (
        "sitemaps",
        &[
            "bounds",
            "config",
            "dates",
            "finding",
            "site_paths",
            "rules",
        ],
    ),
    (
        "pipeline",
        &[
            "bounds",
            "config",
            "dates",
            "decide",
            "discover",
            "extension",
            "feed",
            "finding",
            "generator",
            "history",
            "site_paths",
            "publish",
            "read",
            "robots_txt",
            "rules",
            "hosts",
            "source_map",
            "sitemaps",
        ],
    ),
    (
        "check",
        &[
            "bounds",
            "dates",
            "decide",
            "feed",
            "finding",
            "site_paths",
            "read",
            "pipeline",
            "robots_txt",
            "rules",
            "sitemaps",
        ],
    ),
    (
        "merge",
        &[
            "bounds",
            "check",
            "config",
            "dates",
            "finding",
            "site_paths",
            "rules",
            "submit",
            "sitemaps",
        ],
    ),
    (
        "report",
        &[
            "dates",
            "decide",
            "finding",
            "site_paths",
            "pipeline",
            "sitemaps",
        ],
    ),
    ("submit", &["config", "site_paths", "sitemaps"]),
    (
        "cli",
        &[
            "bounds",
            "check",
            "config",
            "dates",
            "decide",
            "finding",
            "merge",
            "generator",
            "site_paths",
            "publish",
            "read",
            "report",
            "pipeline",
            "rules",
            "submit",
            "source_map",
            "sitemaps",
        ],
    ),
    ("publish", &["bounds", "config", "site_paths", "sitemaps"]),
    ("main", &[]),
    ("lib", &[]),
];

/// Crates that change often and APIs with side effects, with the only files that may use them.
const NAMED_ONLY_IN: &[(&str, &[&str])] = &[
    ("annotate_snippets", &["cli/diagnose.rs"]),
    ("clap", &["cli/mod.rs", "cli/opts.rs"]),
    ("flate2", &["read/page_bytes.rs", "sitemaps/gzip.rs"]),
    ("gix", &["history/pack_file.rs", "history/repository.rs"]),
    ("globset", &["rules/pattern.rs"]),
    ("lol_html", &["read/tokens.rs"]),
    (
        "quick_xml",
        &["feed/mod.rs", "sitemaps/conformance.rs", "sitemaps/xml.rs"],
    ),
    ("std::env", &["cli/mod.rs"]),
    ("std::net", &[]),
    ("process::ExitCode", &["cli/mod.rs", "main.rs"]),
    ("process::id", &["publish/disk.rs"]),
    ("process::{", &[]),
    ("process::Command", &[]),
    ("process::exit", &[]),
    ("SystemTime::now", &["cli/mod.rs"]),
    (
        "Instant::now",
        &[
            "cli/build.rs",
            "cli/check.rs",
            "cli/index.rs",
            "cli/progress.rs",
        ],
    ),
    ("Zoned::now", &[]),
    ("Timestamp::now", &[]),
    ("print!", &[]),
    ("println!", &[]),
    ("eprint!", &[]),
    ("eprintln!", &[]),
    ("stdout()", &["cli/printer.rs"]),
    ("stderr()", &["cli/printer.rs"]),
    ("fs::write", &["publish/disk.rs"]),
    ("fs::rename", &["publish/disk.rs"]),
    ("fs::remove_", &["publish/disk.rs"]),
    ("fs::create_dir", &["publish/disk.rs"]),
    ("fs::copy", &["publish/disk.rs"]),
    ("fs::hard_link", &["publish/disk.rs"]),
    ("fs::set_permissions", &["publish/disk.rs"]),
    ("File::create", &["publish/disk.rs"]),
    ("File::options", &["publish/disk.rs"]),
    ("OpenOptions", &[]),
    ("todo!", &[]),
    ("unimplemented!", &[]),
    ("#[allow", &[]),
    ("ureq", &["submit/network.rs"]),
    ("unsafe {", &[]),
];

/// The maximum number of lines per file; split a longer one.
const MOST_LINES: usize = 500;

/// A source file and its path in the listed directory.
struct Source {
    path: String,
    text: String,
}

impl Source {
    fn module(&self) -> &str {
        self.path
            .split(['/', '.'])
            .next()
            .expect("a path has a first part")
    }
}

/// All Rust files below a directory of the project.
fn files_below(dir: &str) -> Vec<Source> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join(dir);
    let files = WalkDir::new(&dir)
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
            .strip_prefix(&dir)
            .expect("the file is below the directory")
            .display()
            .to_string()
            .replace('\\', "/"),
        text: fs::read_to_string(entry.path()).expect("the file is UTF-8"),
    };
    files.map(read).collect()
}

/// All files of `src`, without comments and without test code.
fn sources() -> Vec<Source> {
    let all = files_below("src");
    let test_module = Regex::new(r"#\[cfg\(test\)\]\n(?:pub\([a-z]+\) )?mod ([a-z_]+);")
        .expect("the pattern is well-formed");
    let mut of_tests = BTreeSet::new();
    for source in &all {
        let path = source.path.strip_suffix(".rs").unwrap_or(&source.path);
        let dir = path.strip_suffix("/mod").unwrap_or(path);
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

#[test]
fn a_module_imports_only_what_the_design_allows() {
    let import = Regex::new(r"(?-u:\b)crate::(\{|[a-z_]+)").expect("the pattern is well-formed");
    let mut imports: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for source in sources() {
        let named = import
            .captures_iter(&source.text)
            .map(|name| name[1].to_owned());
        let of_others = named.filter(|name| name != source.module());
        imports
            .entry(source.module().to_owned())
            .or_default()
            .extend(of_others);
    }
    let allowed: BTreeMap<String, BTreeSet<String>> = MAY_IMPORT
        .iter()
        .map(|(room, others)| {
            (
                (*room).to_owned(),
                others.iter().map(|&other| other.to_owned()).collect(),
            )
        })
        .collect();
    let mut wrong: Vec<String> = Vec::new();
    for (room, others) in &imports {
        let Some(allowed) = allowed.get(room) else {
            wrong.push(format!("the module `{room}` is not in the table"));
            continue;
        };
        wrong.extend(
            others
                .difference(allowed)
                .map(|other| format!("`{room}` may not import `{other}`")),
        );
        wrong.extend(
            allowed.difference(others).map(|other| {
                format!("`{room}` does not import `{other}`; remove it from the table")
            }),
        );
    }
    wrong.extend(
        allowed
            .keys()
            .filter(|room| !imports.contains_key(*room))
            .map(|room| format!("the module `{room}` does not exist")),
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn unstable_crates_and_side_effects_are_confined_to_few_files() {
    let sources = sources();
    for (name, files) in NAMED_ONLY_IN {
        // `print!` must not match in `eprint!`, nor `gix` in `prefixgix`.
        let whole = Regex::new(&format!(r"(?:^|[^A-Za-z0-9_]){}", regex::escape(name)))
            .expect("the pattern is well-formed");
        let naming = sources
            .iter()
            .filter(|source| whole.is_match(&source.text))
            .map(|source| source.path.as_str());
        assert_eq!(naming.collect::<Vec<_>>(), *files, "`{name}`");
    }
}

#[test]
fn every_file_is_documented_and_short_enough() {
    for dir in ["src", "tests/it"] {
        let sources = files_below(dir);
        assert!(!sources.is_empty(), "{dir}");
        for Source { path, text } in sources {
            assert!(
                text.starts_with("//! "),
                "{dir}/{path} does not begin with a `//!` comment"
            );
            let lines = text.lines().count();
            assert!(lines <= MOST_LINES, "{dir}/{path} has {lines} lines");
        }
    }
}

#[test]
fn every_file_belongs_to_a_module() {
    for dir in ["src", "tests/it"] {
        let sources = files_below(dir);
        let all: String = sources.iter().map(|source| source.text.as_str()).collect();
        for Source { path, .. } in &sources {
            let name = path
                .trim_end_matches(".rs")
                .trim_end_matches("/mod")
                .rsplit('/')
                .next()
                .expect("split gives at least one part");
            let is_root = ["main", "lib"].contains(&path.trim_end_matches(".rs"));
            assert!(
                is_root || all.contains(&format!("mod {name};")),
                "no `mod` declaration includes {dir}/{path}"
            );
        }
    }
}
