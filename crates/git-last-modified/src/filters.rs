//! Files that Git stores in another form than the checked-out one: those with the attributes `ident`,
//! `filter` or `working-tree-encoding` (`gitattributes`).

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use super::repository::{Repository, common_dir, matches_pattern, on_disk};

/// Attributes that change the content of a file.
const CHANGING: [&str; 3] = ["ident", "filter", "working-tree-encoding"];

/// The attributes of a work tree, read as they are asked for.
pub(super) struct Filters<'r> {
    repository: &'r Repository,
    /// The lines of each file of attributes, by its directory.
    lines: HashMap<Vec<u8>, Vec<AttributeLine>>,
}

/// A line with at least one of the attributes.
struct AttributeLine {
    pattern: Vec<u8>,
    /// Whether one of them is set.
    is_set: bool,
}

impl<'r> Filters<'r> {
    pub(super) fn new(repository: &'r Repository) -> Self {
        let common = common_dir(&repository.work_tree.join(".git"));
        let info = common.map(|dir| lines_of(&dir.join("info/attributes")));
        let own = (b"info".to_vec(), info.unwrap_or_default());
        Self {
            repository,
            lines: HashMap::from([own]),
        }
    }

    /// Whether a filter changes the content of a file when it is checked out.
    pub(super) fn change(&mut self, path: &[u8]) -> bool {
        // The last line counts, and that of `info` before those of the nearest directory.
        let mut in_info = self.lines[&b"info"[..]].iter().rev();
        if let Some(line) = in_info.find(|line| line.matches(path)) {
            return line.is_set;
        }
        let dirs = memchr::memrchr_iter(b'/', path).map(|at| &path[..at]);
        for dir in dirs.chain([&b""[..]]) {
            let root = &self.repository.work_tree;
            let lines = self.lines.entry([b"/", dir].concat()).or_insert_with(|| {
                let dir = on_disk(root, dir);
                lines_of(&dir.join(".gitattributes"))
            });
            let rest = path.strip_prefix(dir).unwrap_or(path);
            let below = rest.strip_prefix(b"/").unwrap_or(rest);
            if let Some(line) = lines.iter().rev().find(|line| line.matches(below)) {
                return line.is_set;
            }
        }
        false
    }
}

fn lines_of(file: &Path) -> Vec<AttributeLine> {
    // Without them, a file that differs counts as edited.
    let text = fs::read_to_string(file).unwrap_or_default();
    let mut lines = Vec::new();
    for line in text.lines() {
        let mut words = line.split_whitespace();
        let Some(pattern) = words.next().filter(|word| !word.starts_with('#')) else {
            continue;
        };
        let mut is_named = false;
        let mut is_set = false;
        for word in words {
            let (name, is_on) = match word.strip_prefix(['-', '!']) {
                Some(name) => (name, false),
                None => (word.split('=').next().unwrap_or(word), true),
            };
            if CHANGING.contains(&name) {
                is_named = true;
                is_set |= is_on;
            }
        }
        if is_named {
            let pattern = pattern.as_bytes().to_vec();
            lines.push(AttributeLine { pattern, is_set });
        }
    }
    lines
}

impl AttributeLine {
    /// Whether the pattern matches a path relative to the directory of its file. One without a slash
    /// matches the name.
    fn matches(&self, path: &[u8]) -> bool {
        let pattern = self.pattern.strip_prefix(b"/").unwrap_or(&self.pattern);
        if self.pattern.contains(&b'/') {
            return matches_pattern(pattern, path);
        }
        let name = path.rsplit(|&byte| byte == b'/').next().unwrap_or(path);
        matches_pattern(pattern, name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_as_in_git() {
        let check = |pattern: &str, path: &str, expected: bool| {
            let line = AttributeLine {
                pattern: pattern.as_bytes().to_vec(),
                is_set: true,
            };
            assert_eq!(line.matches(path.as_bytes()), expected, "{pattern} {path}");
        };
        check("*.md", "a/b.md", true);
        check("*.md", "a.mdx", false);
        check("/*.md", "a/b.md", false);
        check("a/*.md", "a/b.md", true);
        check("a/*.md", "a/c/b.md", false);
        check("a/**", "a/c/b.md", true);
        check("**/c/*", "a/c/b.md", true);
        check("?.md", "a.md", true);
        check("*", "a/b", true);
        check("[a-c].md", "b.md", true);
        check("\\*.md", "a.md", false);
    }

    #[test]
    fn a_pattern_of_many_stars_is_matched_at_once() {
        let line = AttributeLine {
            pattern: [b"*a".repeat(30), b"b".to_vec()].concat(),
            is_set: true,
        };
        assert!(!line.matches(&b"a".repeat(200)));
    }
}
