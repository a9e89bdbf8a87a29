//! Resolves a path that a file includes to a file of the site.

use std::iter;

use super::include_pattern::IncludeCall;
use super::include_reader::IncludeReader;
use sitemaps::site_paths::SitePath;

impl IncludeReader<'_> {
    /// Returns the file that a call in `file` includes on the page of `source`, if it exists and is in
    /// the site or its repository.
    pub(super) fn resolve(
        &self,
        call: &IncludeCall,
        file: &SitePath,
        source: &SitePath,
    ) -> Option<SitePath> {
        let active = &self.scanner.patterns[call.pattern];
        let (path, bases) = active
            .bases
            .iter()
            .find_map(|(prefix, bases)| Some((below_prefix(&call.path, prefix)?, bases)))?;
        let dirs: Vec<Vec<u8>> = bases
            .iter()
            .flat_map(|base| self.dirs(base, file, source))
            .collect();
        let paths = if active.pattern.finds_modules() {
            module_files(path)
        } else {
            vec![path.to_owned()]
        };
        for path in paths {
            for dir in &dirs {
                let file = SitePath::joined(dir, path.as_bytes());
                if !file.as_bytes().is_empty() && self.is_file(&file) {
                    return Some(file);
                }
            }
        }
        None
    }

    /// The directories that a base of the manifest means.
    fn dirs(&self, base: &str, file: &SitePath, source: &SitePath) -> Vec<Vec<u8>> {
        match (base, base.strip_prefix("content")) {
            ("file", _) => vec![file.dir().to_vec()],
            ("page", _) => vec![source.dir().to_vec()],
            (_, Some(below)) if below.is_empty() || below.starts_with('/') => {
                let dirs = self.content.dirs.iter();
                dirs.map(|dir| format!("{dir}{below}").into_bytes())
                    .collect()
            }
            (dir, _) => vec![dir.as_bytes().to_vec()],
        }
    }

    pub(super) fn is_file(&self, file: &SitePath) -> bool {
        let mut known = self.known.borrow_mut();
        *known.entry(file.clone()).or_insert_with(|| {
            let path = file.below_dir(&self.site.root);
            self.tree.is_file(&path) && !self.tree.is_escaped_by(&path)
        })
    }
}

/// The part of a path that is relative to the directories of a prefix, if it has that prefix.
fn below_prefix<'p>(path: &'p str, prefix: &str) -> Option<&'p str> {
    match prefix {
        "." => (path.starts_with("./") || path.starts_with("../")).then_some(path),
        "/" => Some(path.strip_prefix('/')?.trim_start_matches('/')),
        "" => (!path.starts_with('/')).then_some(path),
        prefix => path.strip_prefix(prefix),
    }
}

/// The files that may be the module of a dotted name of Python: `a.b.C` may be in `a/b/C.py`,
/// `a/b.py` or `a.py`, or be such a package. Sphinx marks a name with `~` to show only its last part.
fn module_files(name: &str) -> Vec<String> {
    let name = name.trim_start_matches('~');
    let ends = name.rmatch_indices('.').map(|(at, _)| at);
    let mut files = Vec::new();
    for end in iter::once(name.len()).chain(ends) {
        let module = name[..end].replace('.', "/");
        files.extend([format!("{module}.py"), format!("{module}/__init__.py")]);
    }
    files
}
