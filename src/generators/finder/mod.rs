//! Finds the site that the user means: at the given directory, above it, or up to two levels below.
//!
//! Generators are known by their files, built pages by the names of output directories. One
//! candidate is taken. Several are an error that names the command for each, because a sitemap of
//! the wrong directory has only false URLs. Reads no page.

mod known_outputs;
mod sources;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::files::tree::Tree;
use crate::generators::error::{SiteCandidate, UnclearSite};
use crate::generators::{BuildEnvironment, GeneratorError, Site, SiteSearch};
use known_outputs::{
    built_outputs, empty_output, has_html_files, is_package_template, names_generator,
    only_output_with_pages,
};
pub use known_outputs::{dirs_with_pages, has_pages};
use sources::{
    OWN_SETTINGS, candidates_below, is_project, is_source_tree, marked_by, only_of, site_around,
    site_of_output, site_of_pages,
};

/// Finds the site at a directory that the user named, with the output directory of `--output-dir`. A
/// failure of the machine is an error, because a file that cannot be read may belong to another site.
pub fn find_site(
    given: &Path,
    output: Option<&Path>,
    environment: &BuildEnvironment,
) -> Result<Site, GeneratorError> {
    let search = SiteSearch {
        tree: Tree::new(given),
        environment: Arc::new(environment.clone()),
    };
    let found = search_site(given, output, &search);
    search.tree.check()?;
    found
}

fn search_site(
    given: &Path,
    output: Option<&Path>,
    search: &SiteSearch,
) -> Result<Site, GeneratorError> {
    let tree = &search.tree;
    if !tree.exists(given) {
        return Err(GeneratorError::NoSuchDir(given.to_owned()));
    }
    if !tree.is_dir(given) {
        return Err(GeneratorError::NotADir(given.to_owned()));
    }
    let marked = marked_by(given, search);
    if let Ok(Some(generator)) = marked {
        return Site::at_root(given, generator, search);
    }
    if let Some(output) = output {
        return Ok(site_of_output_in(given, output.to_owned(), search));
    }
    let mut ignored_error = None;
    if let Some(site) = Site::built_into(given, search, &mut ignored_error)? {
        return Ok(site);
    }
    // Within its output, the site is the whole one, unless the user named the directory.
    if !is_typed(given)
        && let Some(site) = site_of_output(given, search)
    {
        return Ok(site);
    }
    if let Some(site) = site_around(given, search) {
        return Ok(site);
    }
    if !tree.is_file(&given.join("index.html")) {
        marked?;
    }
    let site = plain_or_below(given, search)?;
    Ok(Site {
        ignored_error,
        ..site
    })
}

/// The site with this output directory: of the generator below `top` that wrote it, or else
/// [`site_of_pages`].
fn site_of_output_in(top: &Path, output: PathBuf, search: &SiteSearch) -> Site {
    only_maker(top, &output, search).unwrap_or_else(|| site_of_pages(top, output, search))
}

/// The only site of a generator below `top` that can have written to `output`: it contains that
/// directory, or the home page there names the generator, which has not written to its own directory.
fn only_maker(top: &Path, output: &Path, search: &SiteSearch) -> Option<Site> {
    if search.tree.is_file(&top.join(OWN_SETTINGS)) {
        return None;
    }
    let mut below = candidates_below(top, Some(output), search);
    below.retain(|known| known.generator.is_some());
    let [only] = &below[..] else {
        return None;
    };
    let site = only.site(search).ok()?;
    let name = &site.generator?.name;
    let [real_output, real_root] =
        [output, &only.root].map(|dir| search.tree.resolved(dir).unwrap_or_else(|| dir.to_owned()));
    let is_its = real_output.starts_with(real_root)
        || !only.is_built && names_generator(output, name, &search.tree);
    is_its.then(|| Site {
        output_dir: output.to_owned(),
        ..site
    })
}

/// Finds the site in a directory without a generator, or below it:
///
/// 1. its own `index.html`, unless a package builds the site from it;
/// 2. a directory that the user typed, if it has pages at its top and is not a project;
/// 3. a known output directory in it;
/// 4. a site up to two levels below;
/// 5. a known output directory without `index.html`, as in a part of a site, if no other directory
///    has pages;
/// 6. a directory without `index.html` that the user typed, or that has pages at its top.
fn plain_or_below(given: &Path, search: &SiteSearch) -> Result<Site, GeneratorError> {
    let tree = &search.tree;
    if let Some(site) = at_top(given, search) {
        return Ok(site);
    }
    let plain = Site::plain(given, given.to_owned(), search);
    let has_settings = tree.is_file(&given.join(OWN_SETTINGS));
    let below = candidates_below(given, None, search);
    if let (Some(only), false) = (only_of(&below), has_settings) {
        return only.site(search);
    }
    if !below.is_empty() {
        return Ok(plain.unclear(UnclearSite::Several(below)));
    }
    if tree.is_file(&given.join("index.html")) {
        return Ok(plain.unclear(UnclearSite::NotBuilt));
    }
    if let Some(output) = only_output_with_pages(given, search) {
        return Ok(site_of_pages(given, output, search));
    }
    let is_named = is_typed(given) || has_html_files(given, tree);
    if is_named && !is_source_tree(given, tree) {
        return Ok(plain);
    }
    let with_pages = dirs_with_pages(given, tree);
    Ok(plain.unclear(match empty_output(given, search) {
        Some(output) if with_pages.is_empty() => UnclearSite::Empty(output),
        _ => UnclearSite::Nothing(with_pages),
    }))
}

/// The first three steps of [`plain_or_below`].
fn at_top(given: &Path, search: &SiteSearch) -> Option<Site> {
    let tree = &search.tree;
    let plain = Site::plain(given, given.to_owned(), search);
    let has_index = tree.is_file(&given.join("index.html"));
    let is_package = tree.is_file(&given.join("package.json"));
    let is_output = is_typed(given) && has_html_files(given, tree) && !is_project(given, tree);
    if has_index && !is_package || !has_index && is_output {
        return Some(plain);
    }
    let mut outputs = built_outputs(given, search);
    match outputs.len() {
        0 => (has_index && !is_package_template(given, tree)).then_some(plain),
        1 => Some(site_of_output_in(given, outputs.remove(0), search)),
        _ => {
            let candidates = outputs
                .into_iter()
                .map(|output| SiteCandidate::from_output(given, output));
            Some(plain.unclear(UnclearSite::Several(candidates.collect())))
        }
    }
}

/// Whether the user named the directory; `.` is the default.
fn is_typed(given: &Path) -> bool {
    given != Path::new(".")
}
