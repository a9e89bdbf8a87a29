//! Directories that contain the sources of a site or a program: the site around them, and the sites
//! up to two levels below.

use std::path::{Component, Path, PathBuf};

use super::known_outputs::{built_outputs, dirs_among, dirs_in};
use super::unclear_site::SiteCandidate;
use crate::files::tree::{Tree, absolute, strip_canonical_prefix};
use crate::generators::{GeneratorError, Site, SiteSearch, marked_by};

/// waypost's own settings file, which makes its directory the root of a site.
pub(super) const OWN_SETTINGS: &str = "waypost.toml";

/// How many levels above a directory to look for its site.
const LEVELS_ABOVE: usize = 8;

/// Files at the top of a program's sources. Pages among them are tests and documentation.
const PROGRAM_FILES: [&str; 8] = [
    "Cargo.toml",
    "Gemfile",
    "composer.json",
    "go.mod",
    "package.json",
    "pom.xml",
    "pyproject.toml",
    "setup.py",
];

/// Directories of templates, whichever generator reads them.
const TEMPLATE_DIRS: [&str; 8] = [
    "_includes",
    "_layouts",
    "archetypes",
    "layouts",
    "node_modules",
    "partials",
    "templates",
    "themes",
];

/// Whether a directory contains the sources of a program.
pub(super) fn is_source_tree(dir: &Path, tree: &Tree) -> bool {
    PROGRAM_FILES
        .iter()
        .any(|name| tree.is_file(&dir.join(name)))
}

/// Whether a directory is the top of a project, which contains its output.
pub(super) fn is_project(dir: &Path, tree: &Tree) -> bool {
    tree.exists(&dir.join(".git"))
        || tree.is_file(&dir.join(OWN_SETTINGS))
        || is_source_tree(dir, tree)
}

/// The site whose content or templates a directory contains.
pub(super) fn site_around<'m>(given: &Path, search: &SiteSearch<'m>) -> Option<Site<'m>> {
    let dir = search.tree.resolved(given)?;
    let site = site_above(&dir, search)?;
    let output = absolute(&site.output_dir);
    let path = dir.strip_prefix(&site.root).ok()?;
    let is_source = !dir.starts_with(output) && is_source_dir(path, &site);
    is_source.then_some(site)
}

/// Whether a path from the site root is in the content or the templates. Static files may be a site
/// of their own: a book below a blog.
fn is_source_dir(path: &Path, site: &Site<'_>) -> bool {
    let first = path.components().next().map(Component::as_os_str);
    site.generator
        .into_iter()
        .flat_map(|generator| &generator.roots)
        .map(|root| root.dir_in(&site.config))
        .any(|dir| dir != "." && !dir.is_empty() && path.starts_with(dir))
        || first.is_some_and(|first| TEMPLATE_DIRS.iter().any(|dir| first == *dir))
}

/// The site of a generator that writes its pages to `output`, or to a directory around it.
pub(super) fn site_of_output<'m>(output: &Path, search: &SiteSearch<'m>) -> Option<Site<'m>> {
    let output = search.tree.resolved(output)?;
    let site = site_above(&output, search)?;
    let own = search.tree.resolved(&site.output_dir)?;
    output.starts_with(own).then_some(site)
}

/// The site with this output directory: of the generator that writes there, or else plain pages.
///
/// Sphinx in `docs` writes to `docs/_build/html`, which is also known by its name.
pub(super) fn site_of_pages<'m>(root: &Path, output: PathBuf, search: &SiteSearch<'m>) -> Site<'m> {
    let known = || {
        let site = site_of_output(&output, search)?;
        match strip_canonical_prefix(root, &site.root) {
            Some(below) => Site::at_root(&root.join(below), site.generator?, search).ok(),
            None => Some(site),
        }
    };
    let is_root = search.tree.is_file(&root.join(OWN_SETTINGS));
    let known = if is_root { None } else { known() };
    known.unwrap_or_else(|| Site::plain(root, output, search))
}

/// The site at the nearest directory above `dir` with a generator's files, within the repository.
fn site_above<'m>(dir: &Path, search: &SiteSearch<'m>) -> Option<Site<'m>> {
    let is_repository = |dir: &Path| search.tree.exists(&dir.join(".git"));
    if is_repository(dir) {
        return None;
    }
    for root in dir.ancestors().skip(1).take(LEVELS_ABOVE) {
        if let Ok(Some(generator)) = marked_by(root, search) {
            return Site::at_root(root, generator, search).ok();
        }
        if is_repository(root) {
            return None;
        }
    }
    None
}

/// How many levels to search.
const LEVELS: usize = 2;

/// How many directories to look at. A larger tree is a disk rather than a project.
const MAX_DIRS: usize = 2_000;

impl SiteCandidate {
    fn from_site(site: &Site<'_>, tree: &Tree) -> Self {
        Self {
            root: site.root.clone(),
            output: site.output_dir.clone(),
            generator: site.generator.map(|generator| generator.title.clone()),
            is_built: tree.is_dir(&site.output_dir),
        }
    }

    /// The site at this directory.
    pub(super) fn site<'m>(&self, search: &SiteSearch<'m>) -> Result<Site<'m>, GeneratorError> {
        match marked_by(&self.root, search)? {
            Some(generator) => Site::at_root(&self.root, generator, search),
            None => Ok(site_of_pages(&self.root, self.output.clone(), search)),
        }
    }
}

/// The only candidate, or the only one that is built: it was built a moment ago.
pub(super) fn only_of(candidates: &[SiteCandidate]) -> Option<&SiteCandidate> {
    let mut built = candidates.iter().filter(|known| known.is_built);
    match (candidates, built.next(), built.next()) {
        ([only], ..) | (_, Some(only), None) => Some(only),
        _ => None,
    }
}

/// Finds the sites of known generators and the known output directories below a directory, but not
/// in `output`, whose many directories are pages, nor below a page that `given` itself publishes. A site
/// within another site belongs to that one.
pub(super) fn candidates_below(
    given: &Path,
    output: Option<&Path>,
    search: &SiteSearch<'_>,
) -> Vec<SiteCandidate> {
    // As the directories below `given` are named.
    let output = output.and_then(|output| {
        let below = absolute(output)
            .strip_prefix(absolute(given))
            .ok()?
            .to_owned();
        Some(given.join(below))
    });
    let publishes_itself = output.as_deref() == Some(given);
    let names = search.manifest.names_in_sites();
    let mut found = Vec::new();
    let mut level = dirs_in(given, &search.tree);
    let mut left = MAX_DIRS;
    for _ in 0..LEVELS {
        let mut next = Vec::new();
        for dir in level {
            if output.as_ref() == Some(&dir) {
                continue;
            }
            if left == 0 {
                return found;
            }
            left -= 1;
            // A directory is listed once, rather than asked for each name.
            let entries = search.tree.entries(&dir);
            let before = found.len();
            if entries
                .iter()
                .any(|entry| names.contains(entry.file_name().as_os_str()))
            {
                found.extend(sites_at(&dir, search));
            }
            let is_page = publishes_itself
                && entries
                    .iter()
                    .any(|entry| entry.file_name() == "index.html");
            if found.len() == before && !is_page {
                next.extend(dirs_among(entries, &search.tree));
            }
        }
        level = next;
    }
    found
}

/// The sites of one directory. If there is none, the search goes on below it.
fn sites_at(dir: &Path, search: &SiteSearch<'_>) -> Vec<SiteCandidate> {
    // Settings that cannot be read may belong to any program, so they do not count.
    if let Ok(Some(generator)) = marked_by(dir, search) {
        return Site::at_root(dir, generator, search)
            .iter()
            .map(|site| SiteCandidate::from_site(site, &search.tree))
            .collect();
    }
    built_outputs(dir, search)
        .into_iter()
        .map(|output| SiteCandidate::from_output(dir, output))
        .collect()
}
