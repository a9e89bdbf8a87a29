//! Files that import each other in a circle: none of them can be read, tested or moved alone.
//!
//! An import is a `use`, or a path that begins with `crate`, `super`, `self` or a child module. A
//! name that a file only passes on with `pub use` is imported from the file that defines it, so a
//! `mod.rs` may list its children and pass on what they export.

use std::collections::{BTreeMap, BTreeSet};

use regex::Regex;

use super::modules::{SOURCE_DIRS, Source, sources};

/// A module path from the root of its crate, or a path to an item.
type ItemPath = Vec<String>;

/// The files of a crate by their module paths, and the items that modules pass on.
struct CrateFiles {
    files: BTreeMap<ItemPath, Source>,
    passed_on: BTreeMap<(ItemPath, String), ItemPath>,
}

impl CrateFiles {
    fn new(dir: &str, sources: Vec<Source>) -> Self {
        let mut all = Self {
            files: BTreeMap::new(),
            passed_on: BTreeMap::new(),
        };
        for source in sources {
            all.files.insert(module_of(dir, &source.path), source);
        }
        let pub_use = pattern(r"pub(?:\([a-z ]+\))? use ([^;]+);");
        for (module, source) in &all.files {
            for list in pub_use.captures_iter(&source.text) {
                for path in use_paths(&list[1]) {
                    let name = path.last().expect("a path has a part").clone();
                    all.passed_on.insert((module.clone(), name), path);
                }
            }
        }
        all
    }

    /// The path from the root of the crate, or `None` if another crate or a type is named.
    fn absolute(&self, module: &ItemPath, path: &[String]) -> Option<ItemPath> {
        let (first, rest) = path.split_first()?;
        let mut base = module.clone();
        match first.as_str() {
            "crate" => return Some(rest.to_vec()),
            "self" => {}
            "super" => {
                base.pop()?;
                if rest.first().is_some_and(|next| next == "super") {
                    return self.absolute(&base, rest);
                }
            }
            _ => {
                let child = [module.as_slice(), &path[..1]].concat();
                return self
                    .files
                    .contains_key(&child)
                    .then(|| [module.as_slice(), path].concat());
            }
        }
        Some([base.as_slice(), rest].concat())
    }

    /// The module whose file defines the item at a path.
    fn definer(&self, path: &ItemPath) -> Option<ItemPath> {
        let mut module = ItemPath::new();
        for part in path {
            let child = [module.as_slice(), std::slice::from_ref(part)].concat();
            if self.files.contains_key(&child) {
                module = child;
            } else if let Some(origin) = self.passed_on.get(&(module.clone(), part.clone())) {
                return self.definer(&self.absolute(&module, origin)?);
            } else {
                break;
            }
        }
        self.files.contains_key(&module).then_some(module)
    }

    /// The modules that the file of a module imports.
    fn imports(&self, module: &ItemPath, text: &str) -> BTreeSet<ItemPath> {
        let own = pattern(r"pub(?:\([a-z ]+\))? use [^;]+;").replace_all(text, "");
        let list = pattern(r"(?-u:\b)use ([^;]+);");
        let mut paths: Vec<ItemPath> = Vec::new();
        for found in list.captures_iter(&own) {
            paths.extend(use_paths(&found[1]));
        }
        let body = list.replace_all(&own, "");
        for found in pattern(r"(?:^|[^A-Za-z0-9_:.])((?:[a-z_][a-z0-9_]*::)+[A-Za-z0-9_]+)")
            .captures_iter(&body)
        {
            paths.push(found[1].split("::").map(str::to_owned).collect());
        }
        let absolute = paths.iter().filter_map(|path| self.absolute(module, path));
        let mut found: BTreeSet<_> = absolute.filter_map(|path| self.definer(&path)).collect();
        found.remove(module);
        found
    }

    /// Every file that imports itself through others.
    fn in_circles(&self) -> Vec<&str> {
        let direct: BTreeMap<&ItemPath, BTreeSet<ItemPath>> = self
            .files
            .iter()
            .map(|(module, source)| (module, self.imports(module, &source.text)))
            .collect();
        let imports_itself = |module: &&ItemPath| {
            let mut seen = BTreeSet::new();
            let mut next: Vec<&ItemPath> = direct[*module].iter().collect();
            while let Some(import) = next.pop() {
                if seen.insert(import) {
                    next.extend(&direct[import]);
                }
            }
            seen.contains(*module)
        };
        let found = self.files.keys().filter(imports_itself);
        found
            .map(|module| self.files[module].path.as_str())
            .collect()
    }
}

fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("the pattern is well-formed")
}

/// The module of a file: `["cli", "build"]` for `src/cli/build.rs`.
fn module_of(dir: &str, path: &str) -> ItemPath {
    let below = path
        .strip_prefix(dir)
        .expect("the file is in the directory");
    let mut parts: ItemPath = below
        .trim_start_matches('/')
        .trim_end_matches(".rs")
        .split('/')
        .map(str::to_owned)
        .collect();
    if parts
        .last()
        .is_some_and(|name| ["mod", "lib"].contains(&name.as_str()))
    {
        parts.pop();
    }
    parts
}

/// The paths that a `use` with braces names, without `as` and a final `self`.
fn use_paths(list: &str) -> Vec<ItemPath> {
    let mut prefixes: Vec<ItemPath> = Vec::new();
    let mut current = ItemPath::new();
    // Not after `}` or a comma before it.
    let mut is_named = false;
    let mut paths = Vec::new();
    for token in pattern(r"[A-Za-z0-9_]+(?:\s+as\s+[A-Za-z0-9_]+)?|\*|[{},]").find_iter(list) {
        match token.as_str() {
            "{" => {
                prefixes.push(current.clone());
                is_named = false;
            }
            end @ ("," | "}") => {
                if std::mem::take(&mut is_named) {
                    paths.push(current.clone());
                }
                if end == "}" {
                    prefixes.pop();
                }
                current = prefixes.last().cloned().unwrap_or_default();
            }
            word => {
                is_named = true;
                let name = word.split_whitespace().next().unwrap_or_default();
                if name != "self" || current.is_empty() {
                    current.push(name.to_owned());
                }
            }
        }
    }
    if is_named {
        paths.push(current);
    }
    paths
}

#[test]
fn no_files_import_each_other_in_a_circle() {
    for dir in SOURCE_DIRS {
        let files = sources().into_iter().filter(|source| {
            source.path.starts_with(&format!("{dir}/")) && !source.path.ends_with("/main.rs")
        });
        let files = CrateFiles::new(dir, files.collect());
        assert_eq!(
            files.in_circles(),
            [""; 0],
            "move what both sides need into a file of its own"
        );
    }
}

#[test]
fn a_circle_is_found_through_every_form_of_import() {
    let check = |files: &[(&str, &str)], expected: &[&str]| {
        let source = |&(path, text): &(&str, &str)| Source {
            path: format!("src/{path}"),
            text: text.to_owned(),
        };
        let files = CrateFiles::new("src", files.iter().map(source).collect());
        assert_eq!(files.in_circles(), expected);
    };
    let lib = ("lib.rs", "mod a;");
    check(
        &[
            lib,
            ("a/mod.rs", "mod b;\nmod c;"),
            ("a/b.rs", "use super::c::C;"),
            ("a/c.rs", ""),
        ],
        &[],
    );
    // A child imports from the parent that calls it.
    check(
        &[
            lib,
            ("a/mod.rs", "mod b;\nstruct A;\nfn f() { b::g() }"),
            ("a/b.rs", "use super::A;"),
        ],
        &["src/a/mod.rs", "src/a/b.rs"],
    );
    // The parent only passes on what another child defines.
    check(
        &[
            lib,
            (
                "a/mod.rs",
                "mod b;\nmod c;\npub use c::C;\nfn f() { b::g() }",
            ),
            ("a/b.rs", "use super::C;"),
            ("a/c.rs", "pub struct C;"),
        ],
        &[],
    );
    check(
        &[
            lib,
            ("a/mod.rs", "mod b;\nmod c;\npub use c::C;"),
            ("a/b.rs", "use crate::{a::{C, d as e}};"),
            ("a/c.rs", "pub struct C;\nfn f() { super::b::g() }"),
        ],
        &["src/a/b.rs", "src/a/c.rs"],
    );
}
