//! Maps pages to the sources that source maps name for them.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use crate::files::tree::absolute;
use crate::findings::{Finding, code};
use crate::generators::Site;
use crate::generators::source_map::{PageName, SourceMapEntry, SourceMapError, read_list};
use crate::hosts::files_for_path;
use crate::pages::Pages;
use crate::site::LoadedSite;
use sitemaps::site_paths::{BaseUrl, SitePath};

/// The sources from all source maps, by the page's index.
#[derive(Debug)]
pub(crate) struct MappedSources {
    by_page: HashMap<usize, MappedSource>,
    /// Whether the generator that started the run reported its sources.
    pub(super) are_reported: bool,
}

/// The source of one page.
#[derive(Debug)]
pub(super) struct MappedSource {
    pub(super) source: SitePath,
    /// A different source named for the same page.
    pub(super) rival: Option<SitePath>,
}

impl MappedSources {
    /// Reads every source map of the run, and the list that the generator has written beside the site.
    /// Of that list, sources that are gone do not count: it may be older than the build.
    pub(crate) fn read(loaded: &LoadedSite, pages: &Pages) -> Result<Self, SourceMapError> {
        let site = &loaded.site;
        let maps = &loaded.settings().source_map;
        let finder = &MappedPageFinder::new(site, loaded.output.path(), pages);
        let mut sources = Self {
            by_page: HashMap::new(),
            are_reported: !loaded.reported_sources.is_empty(),
        };
        for file in maps {
            let file = site.root.join(file);
            let reported = read_list(&file)?;
            let used = reported
                .iter()
                .filter(|reported| sources.insert(&site.root, finder, reported))
                .count();
            if used == 0 {
                loaded
                    .findings
                    .add(unused(&file, reported.len(), &pages.base));
            }
        }
        if let Some(file) = site.own_source_list(maps) {
            for reported in own_list(&file)? {
                let source = site.root.join(&reported.source);
                if site.tree.is_file(&source) {
                    sources.insert(&site.root, finder, &reported);
                }
            }
        }
        for reported in &loaded.reported_sources {
            sources.insert(&site.root, finder, reported);
        }
        Ok(sources)
    }

    /// Returns all sources that the maps name.
    pub(super) fn sources(&self) -> impl Iterator<Item = &SitePath> {
        self.by_page.values().map(|mapped| &mapped.source)
    }

    /// Returns the answer of the source maps about a page.
    pub(super) fn of(&self, page: usize) -> Option<&MappedSource> {
        self.by_page.get(&page)
    }

    /// Records an entry; returns whether this site has the page.
    fn insert(
        &mut self,
        site_root: &Path,
        finder: &MappedPageFinder<'_>,
        reported: &SourceMapEntry,
    ) -> bool {
        let Some(page) = finder.find(&reported.page) else {
            return false;
        };
        let source = path_from_root(site_root, Path::new(&reported.source));
        let first = self.by_page.entry(page).or_insert_with(|| MappedSource {
            source: source.clone(),
            rival: None,
        });
        if first.source != source {
            first.rival = Some(source);
        }
        true
    }
}

/// Reads the list that the generator has written itself. A file of that name in another format is
/// ignored.
fn own_list(file: &Path) -> Result<Vec<SourceMapEntry>, SourceMapError> {
    match read_list(file) {
        Err(error @ SourceMapError::Unreadable(..)) => Err(error),
        read => Ok(read.unwrap_or_default()),
    }
}

fn unused(file: &Path, lines: usize, base: &BaseUrl) -> Finding {
    let message = format!("none of the {lines} lines of the source map name a page of this site");
    Finding::new(code::SETTING_UNUSED, file, message).with_hint(format!(
        "its URLs must start with {base} or with the base URL in the generator's settings"
    ))
}

/// Finds the pages that source maps name.
struct MappedPageFinder<'s> {
    pages: &'s Pages,
    /// The base URLs that a source map may use for the output directory or a directory below it.
    bases: Vec<(BaseUrl, String)>,
}

impl<'s> MappedPageFinder<'s> {
    fn new(site: &Site, output_dir: &Path, pages: &'s Pages) -> Self {
        let mut bases = vec![(pages.base.clone(), String::new())];
        let own = site.own_base_url(output_dir);
        bases.extend(own.map(|(_, own)| (own, String::new())));
        bases.extend(
            site.languages_with_hosts()
                .into_iter()
                .map(|host| (host.base_url, host.prefix)),
        );
        Self { pages, bases }
    }

    fn find(&self, name: &PageName) -> Option<usize> {
        match name {
            PageName::Below(path) => {
                let path = path.trim_start_matches('/');
                self.pages
                    .index_of(&SitePath::from(path))
                    .or_else(|| self.answering(path, ""))
            }
            PageName::Address(address) => self.bases.iter().find_map(|(base, dir)| {
                let url = base.resolve(address)?;
                self.answering(base.path_below(&url)?, dir)
            }),
        }
    }

    /// Returns the page that a host serves for a path below `dir`.
    fn answering(&self, path: &str, dir: &str) -> Option<usize> {
        files_for_path(path)
            .into_iter()
            .map(|file| SitePath::new([dir.as_bytes(), file.as_bytes()].concat()))
            .find_map(|file| self.pages.index_of(&file))
    }
}

/// Makes a path relative to the site root and normalizes it; a path outside the root starts with
/// `..`.
pub(super) fn path_from_root(root: &Path, written: &Path) -> SitePath {
    let relative = if written.is_absolute() {
        relative_path(&absolute(root), written)
    } else {
        written.to_owned()
    };
    SitePath::joined("", SitePath::from_relative(&relative).as_bytes())
}

/// Returns the relative path from a directory to a file, both given as absolute paths.
fn relative_path(dir: &Path, file: &Path) -> PathBuf {
    let shared = dir
        .ancestors()
        .find(|above| file.starts_with(above))
        .unwrap_or(Path::new("/"));
    let up = dir
        .strip_prefix(shared)
        .map_or(0, |below| below.components().count());
    let down = file.strip_prefix(shared).unwrap_or(file);
    std::iter::repeat_n(Path::new(".."), up)
        .chain([down])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_becomes_relative_to_the_site_root() {
        let check = |written: &str, expected: &str| {
            assert_eq!(
                path_from_root(Path::new("/repo/site"), Path::new(written)).to_text(),
                expected,
                "{written}"
            );
        };
        check("content/a.md", "content/a.md");
        check("./content//x/../a.md", "content/a.md");
        check("/repo/site/content/a.md", "content/a.md");
        check("/repo/README.md", "../README.md");
        check("../README.md", "../README.md");
        check("/elsewhere/a.md", "../../elsewhere/a.md");
    }
}
