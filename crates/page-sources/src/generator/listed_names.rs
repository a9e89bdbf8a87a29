//! Names in a directory that a search for a site looks into.
//!
//! A search asks each directory for some seventy files, of which most directories have none. Listing
//! a directory takes four system calls, asking for each file takes one.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

/// How many names to read. In a larger directory, asking for each file takes less time.
const MAX_NAMES: usize = 512;

/// Names in one directory, in lower case; `None` if a file system may know them under other names, or
/// if they could not be listed.
#[derive(Debug)]
pub(crate) struct DirNames(Option<HashSet<String>>);

impl DirNames {
    /// The names in a directory.
    pub(crate) fn of(dir: &Path) -> Self {
        Self(Self::listed(dir))
    }

    fn listed(dir: &Path) -> Option<HashSet<String>> {
        let mut names = HashSet::new();
        for entry in fs::read_dir(dir).ok()? {
            let name = entry.ok()?.file_name().into_string().ok()?;
            // A file system that ignores case may also ignore the difference to other letters.
            if !name.is_ascii() || names.len() == MAX_NAMES {
                return None;
            }
            names.insert(name.to_ascii_lowercase());
        }
        Some(names)
    }

    /// Whether a file may exist, by the first part of its path in the directory. The caller asks the
    /// file system about those that may.
    pub(crate) fn may_have(&self, file: &str) -> bool {
        let Some(names) = &self.0 else { return true };
        let first = file.split('/').next().unwrap_or(file);
        // A path such as `./file` or `../file` is not in the list.
        matches!(first, "" | "." | "..") || names.contains(&first.to_ascii_lowercase())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn check(files: &[&str], expected: &[(&str, bool)]) {
        let dir = tempfile::tempdir().expect("a temporary directory");
        for file in files {
            let path = dir.path().join(file);
            fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
            fs::write(path, "x").expect("a file");
        }
        let names = DirNames::of(dir.path());
        for (file, may_have) in expected {
            assert_eq!(names.may_have(file), *may_have, "{file}");
        }
        assert!(DirNames::of(&dir.path().join("missing")).may_have("hugo.toml"));
    }

    #[test]
    fn only_a_file_whose_first_name_is_listed_may_exist() {
        let expected = [
            ("hugo.toml", true),
            ("zola.toml", false),
            ("config/_default/hugo.toml", true),
            ("config", true),
            ("configuration/x", false),
            ("../hugo.toml", true),
            ("./zola.toml", true),
        ];
        check(&["Hugo.toml", "config/other"], &expected);
    }

    #[test]
    fn every_file_may_exist_among_names_that_are_not_ascii_or_too_many() {
        check(&["\u{212a}", "b"], &[("a", true), ("k", true)]);
        let many: Vec<String> = (0..=MAX_NAMES).map(|number| number.to_string()).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        check(&many, &[("a", true)]);
    }
}
