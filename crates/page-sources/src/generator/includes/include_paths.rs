//! Resolves a path that a file includes to a file of the site.

use std::collections::HashMap;
use std::path::Path;

use super::include_scanner::{ActivePattern, IncludeCall};
use sitemaps::site_paths::SitePath;
use sitemaps::site_paths::containment::Containment;

/// Resolves paths. A path is looked up on disk once.
#[derive(Debug)]
pub(super) struct IncludePaths<'s> {
    site_root: &'s Path,
    reach: Containment,
    content_dirs: Vec<String>,
    known: HashMap<SitePath, bool>,
}

/// Where a call is.
#[derive(Debug, Clone, Copy)]
pub(super) struct CallPlace<'p> {
    /// The file with the call.
    pub(super) file: &'p SitePath,
    /// The page's source.
    pub(super) page: &'p SitePath,
}

impl<'s> IncludePaths<'s> {
    pub(super) fn new(site_root: &'s Path, reach: Containment, content_dirs: Vec<String>) -> Self {
        Self {
            site_root,
            reach,
            content_dirs,
            known: HashMap::new(),
        }
    }

    /// Returns the included file, if it exists and is in the site or its repository.
    pub(super) fn resolve(
        &mut self,
        call: &IncludeCall,
        active: &ActivePattern<'_>,
        place: CallPlace<'_>,
    ) -> Option<SitePath> {
        let mut bases = active.bases.iter();
        let (path, bases) =
            bases.find_map(|(prefix, bases)| Some((below_prefix(&call.path, prefix)?, bases)))?;
        let dirs: Vec<Vec<u8>> = bases
            .iter()
            .flat_map(|base| self.dirs(base, place))
            .collect();
        let paths = if active.pattern.finds_modules() {
            module_files(path)
        } else {
            vec![path.to_owned()]
        };
        let mut files = paths.iter().flat_map(|path| {
            let dirs = dirs.iter();
            dirs.filter_map(|dir| joined(dir, path.as_bytes()))
        });
        files.find(|file| self.is_file(file))
    }

    /// The directories that a base of the manifest means.
    fn dirs(&self, base: &str, place: CallPlace<'_>) -> Vec<Vec<u8>> {
        match base {
            "file" => vec![place.file.dir().to_vec()],
            "page" => vec![place.page.dir().to_vec()],
            "content" => {
                let dirs = self.content_dirs.iter();
                dirs.map(|dir| dir.as_bytes().to_vec()).collect()
            }
            dir => match dir.strip_prefix("content/") {
                Some(below) => {
                    let dirs = self.content_dirs.iter();
                    dirs.map(|dir| format!("{dir}/{below}").into_bytes())
                        .collect()
                }
                None => vec![dir.as_bytes().to_vec()],
            },
        }
    }

    fn is_file(&mut self, file: &SitePath) -> bool {
        if let Some(known) = self.known.get(file) {
            return *known;
        }
        let path = file.below_dir(self.site_root);
        let is_file = self.reach.failures().is_file(&path) && !self.reach.is_escaped_by(&path);
        self.known.insert(file.clone(), is_file);
        is_file
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
    let ends = name.match_indices('.').map(|(at, _)| at);
    let mut ends: Vec<usize> = ends.chain([name.len()]).collect();
    ends.reverse();
    let files = ends.into_iter().flat_map(|end| {
        let module = name[..end].replace('.', "/");
        [format!("{module}.py"), format!("{module}/__init__.py")]
    });
    files.collect()
}

/// Joins a path to a directory and removes `.` and `..`; `..` stays only at the start. Returns
/// `None` if nothing is left.
fn joined(dir: &[u8], path: &[u8]) -> Option<SitePath> {
    let mut parts: Vec<&[u8]> = Vec::new();
    for part in dir
        .split(|&byte| byte == b'/')
        .chain(path.split(|&byte| byte == b'/'))
    {
        match part {
            b"" | b"." => {}
            b".." if parts.last().is_some_and(|last| *last != b"..") => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    let is_file = parts.last().is_some_and(|last| *last != b"..");
    is_file.then(|| SitePath::new(parts.join(&b'/')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dots_are_resolved_and_lead_out_of_the_site_only_at_the_start() {
        let check = |dir: &str, path: &str, expected: Option<&str>| {
            let found = joined(dir.as_bytes(), path.as_bytes());
            assert_eq!(found, expected.map(SitePath::from), "{dir} + {path}");
        };
        check("src/", "a.md", Some("src/a.md"));
        check("src/b/", "./../a.md", Some("src/a.md"));
        check("src", "../../a.md", Some("../a.md"));
        check("", "../../a.md", Some("../../a.md"));
        check("../docs/", "../a.md", Some("../a.md"));
        check("src/", "..", None);
        check(".", "", None);
    }
}
