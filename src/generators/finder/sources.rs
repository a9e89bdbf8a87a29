//! Directories that contain the sources of a site or a program: the generator that their files identify,
//! the site around them, and the sites up to two levels below.

use std::path::{Path, PathBuf};

use super::known_outputs::{built_outputs, dirs_among, dirs_in};
use crate::files::tree::{Tree, absolute, strip_canonical_prefix};
use crate::generators::error::SiteCandidate;
use crate::generators::profile::MarkerFile;
use crate::generators::{Generator, GeneratorError, Manifest, OwnConfig, Site, SiteSearch};

/// waypost's own settings file, which makes its directory the root of a site.
pub(super) const OWN_SETTINGS: &str = "waypost.toml";

/// How many levels above a directory to look for its site.
const LEVELS_ABOVE: usize = 8;

impl Site {
    /// The site, one or two levels up, whose output directory is `dir`. Settings that cannot be
    /// read are ignored, because they may belong to another program.
    pub(super) fn built_into(
        dir: &Path,
        search: &SiteSearch,
        passed_over: &mut Option<GeneratorError>,
    ) -> Result<Option<Self>, GeneratorError> {
        let tree = &search.tree;
        let Some(dir) = tree.resolved(dir) else {
            return Ok(None);
        };
        for root in dir.ancestors().skip(1).take(2) {
            match marked_by(root, search) {
                Ok(Some(generator)) => {
                    let site = Self::at_root(root, generator, search)?;
                    let is_output = tree.resolved(&site.output_dir) == Some(dir);
                    return Ok(is_output.then_some(site));
                }
                Err(error)
                    if Manifest::embedded()
                        .generic
                        .outputs
                        .iter()
                        .any(|name| root.join(name) == dir) =>
                {
                    *passed_over = Some(error);
                }
                _ => {}
            }
        }
        Ok(None)
    }
}

/// The generator identified by the files in a directory.
///
/// A marker file that must contain a key but cannot be read may belong to another program. It is an
/// error only if no other file identifies a generator.
pub(super) fn marked_by(
    root: &Path,
    search: &SiteSearch,
) -> Result<Option<&'static Generator>, GeneratorError> {
    let (mut likely, mut unreadable) = (None, None);
    for generator in Manifest::embedded().generator.values() {
        for marker in &generator.detect {
            match is_marked(root, marker, generator, search) {
                Ok(true) => return Ok(Some(generator)),
                Ok(false) => {}
                // No key must be set, so the file name is evidence enough: let reading the settings
                // report the error.
                Err(_) if !marker.conditions.iter().any(|condition| condition.expected) => {
                    likely = likely.or(Some(generator));
                }
                Err(error) => unreadable = unreadable.or(Some(error)),
            }
        }
    }
    match unreadable {
        Some(error) if likely.is_none() => Err(error),
        _ => Ok(likely),
    }
}

fn is_marked(
    root: &Path,
    marker: &MarkerFile,
    generator: &Generator,
    search: &SiteSearch,
) -> Result<bool, GeneratorError> {
    let tree = &search.tree;
    let file = root.join(&marker.file);
    if !tree.is_file(&file) {
        return Ok(false);
    }
    if marker.conditions.is_empty() {
        return Ok(true);
    }
    let config = OwnConfig::from_file(&tree.at(root), &file, generator, &search.environment)?;
    let conditions = &marker.conditions;
    Ok(config.value.is_object() && conditions.iter().all(|condition| config.meets(condition)))
}

/// Whether a directory contains the sources of a program.
pub(super) fn is_source_tree(dir: &Path, tree: &Tree) -> bool {
    let mut names = Manifest::embedded().generic.program_files.iter();
    names.any(|name| tree.is_file(&dir.join(name)))
}

/// Whether a directory is the top of a project, which contains its output.
pub(super) fn is_project(dir: &Path, tree: &Tree) -> bool {
    tree.exists(&dir.join(".git"))
        || tree.is_file(&dir.join(OWN_SETTINGS))
        || is_source_tree(dir, tree)
}

/// The site whose content or templates a directory contains.
pub(super) fn site_around(given: &Path, search: &SiteSearch) -> Option<Site> {
    let dir = search.tree.resolved(given)?;
    let site = site_above(&dir, search)?;
    let output = absolute(&site.output_dir);
    let path = dir.strip_prefix(&site.root).ok()?;
    let is_source = !dir.starts_with(output) && is_source_dir(path, &site);
    is_source.then_some(site)
}

/// Whether a path from the site root is in the content or the templates. Static files may be a site
/// of their own: a book below a blog.
fn is_source_dir(path: &Path, site: &Site) -> bool {
    let templates = &Manifest::embedded().generic.template_dirs;
    site.generator
        .into_iter()
        .flat_map(|generator| &generator.roots)
        .map(|root| root.dir_in(&site.config))
        .any(|dir| dir != "." && !dir.is_empty() && path.starts_with(dir))
        || templates.iter().any(|dir| path.starts_with(dir))
}

/// The site of a generator that writes its pages to `output`, or to a directory around it.
pub(super) fn site_of_output(output: &Path, search: &SiteSearch) -> Option<Site> {
    let output = search.tree.resolved(output)?;
    let site = site_above(&output, search)?;
    let own = search.tree.resolved(&site.output_dir)?;
    output.starts_with(own).then_some(site)
}

/// The site with this output directory: of the generator that writes there, or else plain pages.
///
/// Sphinx in `docs` writes to `docs/_build/html`, which is also known by its name.
pub(super) fn site_of_pages(root: &Path, output: PathBuf, search: &SiteSearch) -> Site {
    if !search.tree.is_file(&root.join(OWN_SETTINGS))
        && let Some(site) = site_of_output(&output, search)
    {
        match (strip_canonical_prefix(root, &site.root), site.generator) {
            (None, _) => return site,
            (Some(below), Some(generator)) => {
                if let Ok(site) = Site::at_root(&root.join(below), generator, search) {
                    return site;
                }
            }
            (Some(_), None) => {}
        }
    }
    Site::plain(root, output, search)
}

/// The site at the nearest directory above `dir` with a generator's files, within the repository.
fn site_above(dir: &Path, search: &SiteSearch) -> Option<Site> {
    for root in dir.ancestors().take(LEVELS_ABOVE + 1) {
        if root != dir
            && let Ok(Some(generator)) = marked_by(root, search)
        {
            return Site::at_root(root, generator, search).ok();
        }
        if search.tree.exists(&root.join(".git")) {
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
    fn from_site(site: &Site, tree: &Tree) -> Self {
        Self {
            root: site.root.clone(),
            output: site.output_dir.clone(),
            generator: site.generator.map(|generator| generator.title.clone()),
            is_built: tree.is_dir(&site.output_dir),
        }
    }

    /// The site at this directory.
    pub(super) fn site(&self, search: &SiteSearch) -> Result<Site, GeneratorError> {
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
    search: &SiteSearch,
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
    let names = Manifest::embedded().names_in_sites();
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
fn sites_at(dir: &Path, search: &SiteSearch) -> Vec<SiteCandidate> {
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
