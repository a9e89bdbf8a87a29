//! Maps pages to the sources that source maps name for them.

use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};

use super::survey::{RunError, Survey};
use crate::decide::files_for_path;
use crate::discover::Page;
use page_sources::source_map::{BuildCertainty, PageName, SourceMapEntry, read_list};
use site_paths::containment::absolute;
use site_paths::finding::{Finding, Subject, code};
use site_paths::{BaseUrl, SitePath};

/// The sources from all source maps, by the page's index.
#[derive(Debug, Default)]
pub(super) struct MappedSources(HashMap<usize, MappedSource>);

/// The source of one page.
#[derive(Debug)]
struct MappedSource {
    source: SitePath,
    certainty: BuildCertainty,
    /// A different source named for the same page.
    rival: Option<SitePath>,
}

impl MappedSources {
    /// Reads every source map of the run.
    pub(super) fn read(
        survey: &Survey<'_>,
        base: &BaseUrl,
        pages: &[Page],
        findings: &mut Vec<Finding>,
    ) -> Result<Self, RunError> {
        let mut truths = Self::default();
        let finder = MappedPageFinder::new(survey, base, pages);
        for file in &survey.settings().source_map {
            let file = survey.site.root.join(file);
            let reported = read_list(&file)?;
            let used = reported
                .iter()
                .filter(|reported| truths.insert(survey, &finder, reported))
                .count();
            if used == 0 {
                findings.push(unused(&file, reported.len(), base));
            }
        }
        for reported in &survey.reported_sources {
            truths.insert(survey, &finder, reported);
        }
        Ok(truths)
    }

    /// Returns the mapped source of a page, or both sources if two entries disagree.
    pub(super) fn of(&self, page: usize) -> Option<Result<&SitePath, [&SitePath; 2]>> {
        let answer = self.0.get(&page)?;
        Some(match &answer.rival {
            Some(rival) => Err([&answer.source, rival]),
            None => Ok(&answer.source),
        })
    }

    /// Records an entry; returns whether this site has the page.
    fn insert(
        &mut self,
        survey: &Survey<'_>,
        finder: &MappedPageFinder<'_>,
        reported: &SourceMapEntry,
    ) -> bool {
        let Some(page) = finder.find(&reported.page) else {
            return false;
        };
        let source = path_from_root(&survey.site.root, Path::new(&reported.source));
        let new = MappedSource {
            source,
            certainty: reported.certainty,
            rival: None,
        };
        match self.0.get_mut(&page) {
            None => {
                self.0.insert(page, new);
            }
            // Drafts are built only on request, so a draft never replaces a published page.
            Some(known)
                if known.certainty == BuildCertainty::Draft
                    && new.certainty == BuildCertainty::Published =>
            {
                *known = new;
            }
            Some(known) if known.certainty == new.certainty && known.source != new.source => {
                known.rival = Some(new.source);
            }
            Some(_) => {}
        }
        true
    }
}

fn unused(file: &Path, lines: usize, base: &BaseUrl) -> Finding {
    let message = format!("none of the {lines} lines of the source map name a page of this site");
    Finding::new(
        code::SOURCE_MAP_UNUSED,
        Subject::File(file.to_owned(), None),
        message,
    )
    .with_hint(format!(
        "its URLs must start with {base} or with the base URL in the generator's settings"
    ))
}

/// Finds the pages that source maps name.
struct MappedPageFinder<'s> {
    pages: &'s [Page],
    /// The base URLs that a source map may use for the output directory or a directory below it.
    bases: Vec<(BaseUrl, String)>,
}

impl<'s> MappedPageFinder<'s> {
    fn new(survey: &Survey<'_>, base: &BaseUrl, pages: &'s [Page]) -> Self {
        let mut bases = vec![(base.clone(), String::new())];
        bases.extend(
            survey
                .site
                .own_base_url(&survey.output_dir)
                .map(|(_, own)| (own, String::new())),
        );
        bases.extend(
            survey
                .site
                .languages_with_hosts()
                .into_iter()
                .map(|host| (host.base_url, host.prefix)),
        );
        Self { pages, bases }
    }

    fn find(&self, name: &PageName) -> Option<usize> {
        match name {
            PageName::Below(path) => {
                let path = path.trim_start_matches('/');
                self.page_at(&SitePath::from(path))
                    .or_else(|| self.answering(path, ""))
            }
            PageName::Address(address) => self.bases.iter().find_map(|(base, dir)| {
                let url = base.of_path(b"").resolve(address).ok()?;
                self.answering(base.path_below(&url)?, dir)
            }),
        }
    }

    /// Returns the page that a host serves for a path below `folder`.
    fn answering(&self, path: &str, dir: &str) -> Option<usize> {
        let files = files_for_path(path).into_iter();
        files
            .map(|file| SitePath::new([dir.as_bytes(), file.as_bytes()].concat()))
            .find_map(|file| self.page_at(&file))
    }

    fn page_at(&self, file: &SitePath) -> Option<usize> {
        self.pages.binary_search_by(|page| page.file.cmp(file)).ok()
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
    let mut parts: Vec<Component<'_>> = Vec::new();
    for part in relative.components() {
        match (part, parts.last()) {
            (Component::CurDir, _) => {}
            (Component::ParentDir, Some(Component::Normal(_))) => {
                parts.pop();
            }
            _ => parts.push(part),
        }
    }
    SitePath::from_relative(&parts.into_iter().collect::<PathBuf>())
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
