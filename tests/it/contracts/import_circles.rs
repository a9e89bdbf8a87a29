//! Checks that no files import each other, also by way of others. An import of an item that a room
//! re-exports counts as one of the file that has it; what a room's door itself re-exports does not. A
//! module that names a child, as in `hugo::Hugo`, imports it.

use std::collections::{BTreeMap, BTreeSet};

use regex::Regex;

use super::modules::{Source, sources};

/// Files that import each other, with the reason.
const ALLOWED: &[(&[&str], &str)] = &[];

/// The files of the program and its crates, by their path in modules: `waypost::decide::verdict`.
struct Modules {
    files: BTreeMap<String, Source>,
    /// The file of each item that a module re-exports: `waypost::decide::Verdict`.
    reexported: BTreeMap<String, String>,
}

/// The module of a file: `src/decide/mod.rs` is `waypost::decide`.
fn module_of(path: &str) -> String {
    let in_crate = path.strip_prefix("crates/").unwrap_or(path);
    let (name, rest) = in_crate.split_once("/src/").unwrap_or_else(|| {
        let rest = path.strip_prefix("src/").expect("a source directory");
        ("waypost", rest)
    });
    let rest = rest.trim_end_matches(".rs").replace('/', "::");
    let full = format!("{}::{rest}", name.replace('-', "_"));
    let trimmed = full.trim_end_matches("::mod").trim_end_matches("::lib");
    trimmed.to_owned()
}

/// The paths that a text names after `use`, with braces expanded, and whether each is re-exported.
fn uses(text: &str) -> Vec<(bool, String)> {
    let statement = Regex::new(r"(?m)^\s*(pub(?:\([^)]*\))? )?use ([^;]+);").expect("a pattern");
    let mut found = Vec::new();
    for captures in statement.captures_iter(text) {
        let path: String = captures[2].split_whitespace().collect::<Vec<_>>().join(" ");
        let paths = expanded(&path).into_iter();
        found.extend(paths.map(|path| (captures.get(1).is_some(), path)));
    }
    found
}

/// `a::{b, c::{d, e}}` as `a::b`, `a::c::d`, `a::c::e`.
fn expanded(path: &str) -> Vec<String> {
    let Some((before, inside)) = path.split_once('{') else {
        let name = path.split(" as ").next().unwrap_or_default();
        return vec![name.trim().trim_end_matches("::self").to_owned()];
    };
    let inside = inside.trim().trim_end_matches('}');
    let (mut depth, mut start, mut parts) = (0, 0, Vec::new());
    for (at, byte) in inside.bytes().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            b',' if depth == 0 => {
                parts.push(&inside[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&inside[start..]);
    let parts = parts.into_iter().map(str::trim);
    let parts = parts.filter(|part| !part.is_empty());
    parts
        .flat_map(|part| expanded(&format!("{before}{part}")))
        .collect()
}

impl Modules {
    fn read() -> Self {
        let files = sources().into_iter();
        let files = files.map(|source| (module_of(&source.path), source));
        let mut modules = Self {
            files: files.collect(),
            reexported: BTreeMap::new(),
        };
        let mut reexported = BTreeMap::new();
        for (module, source) in &modules.files {
            for (is_public, path) in uses(&source.text) {
                let name = path.rsplit("::").next().unwrap_or_default();
                if is_public {
                    // An item of another crate is not in a file of these.
                    let full = modules.absolute(module, &path).unwrap_or_default();
                    reexported.insert(format!("{module}::{name}"), full);
                }
            }
        }
        modules.reexported = reexported;
        modules
    }

    /// The path from the top of a crate; `None` for another crate.
    fn absolute(&self, module: &str, path: &str) -> Option<String> {
        let mut within = module.to_owned();
        let mut rest = path;
        if let Some(below) = rest.strip_prefix("crate::") {
            module.split("::").next()?.clone_into(&mut within);
            rest = below;
        } else if !rest.starts_with("super::") && !rest.starts_with("self::") {
            let first = rest.split("::").next()?;
            if self.files.contains_key(&format!("{module}::{first}")) {
                return Some(format!("{module}::{rest}"));
            }
            return self.files.contains_key(first).then(|| rest.to_owned());
        }
        while let Some(below) = rest.strip_prefix("super::") {
            within.truncate(within.rfind("::")?);
            rest = below;
        }
        Some(format!("{within}::{}", rest.trim_start_matches("self::")))
    }

    /// The module with an item, also through doors that re-export it.
    fn home(&self, path: &str) -> Option<&str> {
        let mut path = path.to_owned();
        for _ in 0..8 {
            let Some(next) = self.reexported.get(&path) else {
                break;
            };
            path.clone_from(next);
        }
        let mut candidate = path.as_str();
        loop {
            if let Some((module, _)) = self.files.get_key_value(candidate) {
                return Some(module);
            }
            candidate = &candidate[..candidate.rfind("::")?];
        }
    }

    /// The modules that each module imports.
    fn imports(&self) -> BTreeMap<&str, BTreeSet<&str>> {
        let import = Regex::new(r"use [^;]+;").expect("a pattern");
        let named_child = Regex::new(r"[^:a-z_]([a-z_]+)::").expect("a pattern");
        let mut imports = BTreeMap::new();
        for (module, source) in &self.files {
            let private = uses(&source.text)
                .into_iter()
                .filter(|(is_public, _)| !is_public);
            let homes = private.filter_map(|(_, path)| {
                let home = self.home(&self.absolute(module, &path)?)?;
                (home != module).then_some(home)
            });
            let mut imported: BTreeSet<&str> = homes.collect();
            for named in named_child.captures_iter(&import.replace_all(&source.text, "")) {
                let child = self
                    .files
                    .get_key_value(&format!("{module}::{}", &named[1]));
                imported.extend(child.map(|(child, _)| child.as_str()));
            }
            imports.insert(module.as_str(), imported);
        }
        imports
    }
}

/// The modules that one leads to.
fn reached<'m>(imports: &BTreeMap<&'m str, BTreeSet<&'m str>>, from: &'m str) -> BTreeSet<&'m str> {
    let (mut seen, mut open) = (BTreeSet::new(), vec![from]);
    while let Some(module) = open.pop() {
        for next in imports.get(module).into_iter().flatten() {
            if seen.insert(*next) {
                open.push(next);
            }
        }
    }
    seen
}

#[test]
fn no_files_import_each_other() {
    let modules = Modules::read();
    let imports = modules.imports();
    assert!(imports.len() > 300 && imports.values().any(|found| found.len() > 5));
    let reach: BTreeMap<&str, BTreeSet<&str>> = imports
        .keys()
        .map(|module| (*module, reached(&imports, module)))
        .collect();
    let mut circles = BTreeSet::new();
    for (module, others) in &reach {
        if others.contains(module) {
            let circle = others
                .iter()
                .filter(|other| reach[**other].contains(module));
            circles.insert(circle.copied().collect::<Vec<_>>());
        }
    }
    let allowed = ALLOWED.iter().map(|(files, _)| files.to_vec());
    assert_eq!(circles, allowed.collect());
}
