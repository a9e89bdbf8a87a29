//! The items that other programs may use: every change to them is a change to this list.
//!
//! `src/lib.rs` names the public types, `src/embed` defines them. rustfmt puts each item at the
//! start of a line, so reading lines finds all of them.

use std::collections::BTreeSet;

use regex::Regex;

use super::modules::{Source, sources};
use crate::expected::is_as_expected;

/// Every public item of a file in `src/embed`: types with their variants, then functions. An item
/// is one line, whatever its length.
fn items_of(text: &str) -> Vec<String> {
    let mut items = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let is_type = line.starts_with("pub struct ") || line.starts_with("pub enum ");
        let is_function = line.starts_with("    pub fn ") || line.starts_with("pub fn ");
        let is_impl = line.starts_with("impl");
        if line.starts_with("pub enum ") {
            items.push(line.trim_end_matches(" {").to_owned());
            let body = lines.by_ref().take_while(|line| *line != "}");
            items.extend(body.filter(|line| !line.is_empty()).map(str::to_owned));
        } else if is_type || is_function || is_impl {
            let mut item = line.to_owned();
            while !item.ends_with([';', '{', '}']) {
                item.push(' ');
                item.push_str(lines.next().expect("an item has an end").trim());
            }
            let item = item.trim_end_matches(['{', '}', ';', ' ']);
            items.push(item.replace("( ", "(").replace(", )", ")"));
        } else if line.trim_start().starts_with("pub ") && !line.starts_with("pub use ") {
            items.push(line.to_owned());
        }
    }
    items
}

/// The names that a `pub use` at the start of a line of `src/lib.rs` gives to other programs, and
/// those of `internals`.
fn reexports(lib: &str) -> BTreeSet<String> {
    let list =
        Regex::new(r"(?m)^ *pub use ([a-z_:]+)::(?:\{([^}]*)\}|([^;{]+));").expect("a pattern");
    let mut all = BTreeSet::new();
    for found in list.captures_iter(lib) {
        let names = found.get(2).or(found.get(3)).expect("one of both").as_str();
        let names = names.split(',').map(str::trim);
        let names = names.filter(|name| !name.is_empty());
        all.extend(names.map(|name| format!("{}::{name}", &found[1])));
    }
    all
}

fn file<'s>(sources: &'s [Source], path: &str) -> &'s str {
    let found = sources.iter().find(|source| source.path == path);
    &found.unwrap_or_else(|| panic!("no file {path}")).text
}

#[test]
fn the_public_items_of_the_library_are_listed() {
    let sources = sources();
    let mut surface = String::from("# src/lib.rs\n");
    for name in reexports(file(&sources, "src/lib.rs")) {
        surface.push_str(&name);
        surface.push('\n');
    }
    let public = reexports(file(&sources, "src/embed/mod.rs"));
    let is_public = |path: &str| {
        let module = path
            .trim_start_matches("src/embed/")
            .trim_end_matches(".rs");
        public
            .iter()
            .any(|name| name.starts_with(&format!("{module}::")))
    };
    for Source { path, text } in &sources {
        if path.starts_with("src/embed/") && is_public(path) {
            let lines = items_of(text).join("\n");
            surface.extend(["\n# ", path, "\n", &lines, "\n"]);
        }
    }
    is_as_expected("library-surface.txt", &surface);
}

/// The lines of the first example in a text whose lines begin with `prefix`, without those that
/// rustdoc hides.
fn example_in(text: &str, prefix: &str, opening: &str) -> Vec<String> {
    let lines = text.lines().filter_map(|line| line.strip_prefix(prefix));
    let lines = lines.map(|line| {
        line.strip_prefix(' ')
            .filter(|_| !prefix.is_empty())
            .unwrap_or(line)
    });
    let block = lines.skip_while(|line| *line != opening).skip(1);
    let block = block.take_while(|line| *line != "```");
    let is_shown = |line: &&str| !line.starts_with("# ");
    block.filter(is_shown).map(str::to_owned).collect()
}

#[test]
fn the_book_has_the_example_that_rustdoc_compiles() {
    let lib = concat!(env!("CARGO_MANIFEST_DIR"), "/src/lib.rs");
    let lib = std::fs::read_to_string(lib).expect("the file exists");
    let compiled = example_in(&lib, "//!", "```");
    assert!(compiled.len() > 10, "{compiled:?}");
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/src/how-to/library.md");
    let page = std::fs::read_to_string(page).expect("the file exists");
    assert_eq!(example_in(&page, "", "```rust"), compiled);
}

#[test]
fn the_library_has_no_other_public_module() {
    let sources = sources();
    let lib = file(&sources, "src/lib.rs");
    let modules: Vec<&str> = lib
        .lines()
        .filter(|line| line.contains("pub mod"))
        .collect();
    assert_eq!(modules, ["pub mod internals {"]);
    let before = lib
        .split("pub mod internals {")
        .next()
        .expect("a first part");
    assert!(
        before.ends_with("#[doc(hidden)]\n"),
        "`internals` is hidden"
    );
}

#[test]
fn every_public_type_can_gain_fields_and_variants() {
    let sources = sources();
    let mut types = 0;
    for Source { path, text } in &sources {
        if !path.starts_with("src/embed/") {
            continue;
        }
        let mut previous = "";
        for line in text.lines() {
            if line.starts_with("pub struct ") || line.starts_with("pub enum ") {
                assert_eq!(previous, "#[non_exhaustive]", "{path}: {line}");
                types += 1;
            }
            previous = line;
        }
    }
    let lib = reexports(file(&sources, "src/lib.rs"));
    let public = lib.iter().filter(|name| name.starts_with("embed::"));
    assert_eq!(types, public.count(), "src/lib.rs names every type");
}

#[test]
fn an_item_over_several_lines_is_one_item() {
    let text = "pub enum A<'s> {\n    B,\n}\n\nimpl A<'_> {\n    pub fn c(\n        self,\n        \
                d: usize,\n    ) -> usize {\n        let pub_e = d;\n    }\n    fn f() {}\n}";
    let expected = [
        "pub enum A<'s>",
        "    B,",
        "impl A<'_>",
        "    pub fn c(self, d: usize) -> usize",
    ];
    assert_eq!(items_of(text), expected);
}
