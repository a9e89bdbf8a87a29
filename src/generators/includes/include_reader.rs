//! Follows includes from the sources of pages to all files that they include, of the site or its
//! repository.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::iter;

use rayon::prelude::*;

use super::{IncludeCall, IncludeScanner};
use crate::files::tree::Tree;
use crate::findings::{Finding, Findings, code};
use crate::generators::front_matter::beginning_of;
use crate::generators::{ContentIndex, Site};
use sitemaps::site_paths::SitePath;

/// How deep includes are followed; mdBook stops at the same depth (`MAX_LINK_NESTED_DEPTH`).
const MAX_DEPTH: usize = 10;

/// Limit for the files that all pages of a site include.
const MAX_INCLUDED: usize = 2_000_000;

/// Size limit of all included files that are not content files, in bytes.
const MAX_BYTES: usize = 256 << 20;

/// The files that the sources of pages include.
#[derive(Debug, Default)]
pub struct IncludedFiles {
    /// All included files, each once.
    pub files: Vec<SitePath>,
    /// The indices of the files that the source of a page includes, directly or not, by the page's
    /// index.
    pub by_page: HashMap<usize, BTreeSet<usize>>,
}

/// Follows includes. Each file is read once.
#[derive(Debug)]
pub struct IncludeReader<'s> {
    site: &'s Site,
    scanner: IncludeScanner<'s>,
    content: &'s ContentIndex,
    tree: Tree,
    /// Which paths are files of the site, so that each is looked up on disk once.
    known: RefCell<HashMap<SitePath, bool>>,
    /// The calls of the files that are not content files.
    calls: HashMap<SitePath, Vec<IncludeCall>>,
    bytes: usize,
}

impl<'s> IncludeReader<'s> {
    /// Creates a reader; `None` if content files of this site cannot include others.
    pub fn new(site: &'s Site, content: &'s ContentIndex, output: &Tree) -> Option<Self> {
        Some(Self {
            site,
            scanner: IncludeScanner::new(site.generator?, &site.config),
            content,
            tree: output.clone(),
            known: RefCell::default(),
            calls: HashMap::new(),
            bytes: 0,
        })
    }

    /// Follows the includes of these sources, each with the index of its page.
    pub fn follow(&mut self, sources: &[(usize, &SitePath)], findings: &Findings) -> IncludedFiles {
        let (mut found, mut indices) = (IncludedFiles::default(), HashMap::new());
        let mut count = 0;
        self.read(sources.iter().map(|(_, source)| *source));
        // The files whose calls are followed next, each for the page of a source.
        let mut next = Vec::new();
        for (at, (_, source)) in sources.iter().enumerate() {
            if !self.content.resources_of(source).is_empty()
                || self.calls_of(source).next().is_some()
                || self.catalogue_of(source).is_some()
            {
                next.push((at, (*source).clone()));
            }
        }
        for _ in 0..MAX_DEPTH {
            let mut included = Vec::new();
            for (at, file) in next {
                let (page, source) = sources[at];
                for (path, is_verbatim) in self.included_by(&file, source) {
                    let index = *indices.entry(path.clone()).or_insert_with(|| {
                        found.files.push(path.clone());
                        found.files.len() - 1
                    });
                    let is_new = found.by_page.entry(page).or_default().insert(index);
                    count += usize::from(is_new);
                    if is_new && !is_verbatim {
                        included.push((at, path));
                    }
                }
                if count > MAX_INCLUDED {
                    break;
                }
            }
            next = included;
            self.read(next.iter().map(|(_, file)| file));
            if count > MAX_INCLUDED || self.bytes > MAX_BYTES {
                findings.add(self.limit_finding());
                break;
            }
        }
        found
    }

    /// The catalogue with the translation of a source, if there is one.
    fn catalogue_of(&self, source: &SitePath) -> Option<SitePath> {
        self.site
            .conventions()
            .catalogue(&self.site.config, source)
            .filter(|file| self.is_file(file))
    }

    /// Returns the files that a file includes on the page of a source, and whether each is inserted as
    /// it is.
    fn included_by(&self, file: &SitePath, source: &SitePath) -> Vec<(SitePath, bool)> {
        let included = self.calls_of(file).filter_map(|call| {
            let path = self.resolve(call, file, source)?;
            let active = &self.scanner.patterns[call.pattern];
            Some((path, active.pattern.is_verbatim))
        });
        let resources = self.content.resources_of(file).iter();
        let catalogue = self.catalogue_of(file).filter(|_| file == source);
        included
            .chain(resources.map(|path| (path.clone(), false)))
            .chain(catalogue.map(|path| (path, true)))
            .collect()
    }

    /// Returns the file that a call in `file` includes on the page of `source`, if it exists and is in
    /// the site or its repository.
    fn resolve(&self, call: &IncludeCall, file: &SitePath, source: &SitePath) -> Option<SitePath> {
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

    fn is_file(&self, file: &SitePath) -> bool {
        let mut known = self.known.borrow_mut();
        *known.entry(file.clone()).or_insert_with(|| {
            let path = file.below_dir(&self.site.root);
            self.tree.is_file(&path) && !self.tree.is_escaped_by(&path)
        })
    }

    fn calls_of(&self, file: &SitePath) -> impl Iterator<Item = &IncludeCall> {
        let calls = self.content.include_calls.get(file);
        calls.or_else(|| self.calls.get(file)).into_iter().flatten()
    }

    /// Reads the calls of files that are not content files.
    fn read<'f>(&mut self, files: impl Iterator<Item = &'f SitePath>) {
        if self.scanner.is_empty() || self.bytes > MAX_BYTES {
            return;
        }
        let unread: BTreeSet<&SitePath> = files
            .filter(|file| !self.content.has_walked(file) && !self.calls.contains_key(*file))
            .collect();
        let (scanner, tree, root) = (&self.scanner, &self.tree, &self.site.root);
        let read = unread.into_par_iter().map(|file| {
            let path = file.below_dir(root);
            // A file that cannot be read includes nothing; its own date still counts.
            let text = tree.note(&path, beginning_of(&path)).unwrap_or_default();
            (file.clone(), text.len(), scanner.calls(file, &text))
        });
        for (file, length, calls) in read.collect::<Vec<_>>() {
            self.bytes += length;
            self.calls.insert(file, calls);
        }
    }

    fn limit_finding(&self) -> Finding {
        let message = format!(
            "the content files include more than {MAX_INCLUDED} files or {} MiB; further files do \
             not count for dates",
            MAX_BYTES >> 20
        );
        Finding::new(code::SOURCE_UNREADABLE, &*self.site.root, message)
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
