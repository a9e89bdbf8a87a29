//! The base URL that a sample of the pages names, by canonical links and by `og:url`.

use std::fs;
use std::path::{Path, PathBuf};

use page_signals::{MetadataRequest, PageReader, ReadOptions, metadata_of};
use site_paths::{BaseUrl, SitePath};

use super::named_base::{BaseVotes, named_base};
use crate::decide::{counting_canonicals, files_for_path};

/// How many pages to read.
const SAMPLE: usize = 32;

/// How many directories to list for the sample.
const MAX_DIRS: usize = 256;

/// The base URL that most of the pages name, with the number of these pages and of all pages that
/// name one.
pub(super) struct PageVote {
    pub(super) url: BaseUrl,
    pub(super) named: usize,
    pub(super) of: usize,
    /// Whether only the home page names it.
    pub(super) is_home_alone: bool,
}

/// Lists a sample of the HTML files: those nearest to the top, in the order of their names.
pub(super) fn sample(output_dir: &Path) -> Vec<SitePath> {
    let mut found = Vec::new();
    let mut level = vec![output_dir.to_owned()];
    let mut left = MAX_DIRS;
    while !level.is_empty() && left > 0 && found.len() < SAMPLE {
        let mut below = Vec::new();
        for dir in level.iter().take(left) {
            let (files, dirs) = entries_of(dir);
            found.extend(
                files
                    .iter()
                    .filter_map(|file| SitePath::below(output_dir, file)),
            );
            below.extend(dirs);
        }
        left = left.saturating_sub(level.len());
        level = below;
    }
    found.truncate(SAMPLE);
    found
}

/// The HTML files and the directories of a directory, sorted. Links are not followed.
fn entries_of(dir: &Path) -> (Vec<PathBuf>, Vec<PathBuf>) {
    let (mut files, mut dirs) = (Vec::new(), Vec::new());
    for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
        let is_hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
        match entry.file_type() {
            Ok(kind) if kind.is_dir() && !is_hidden => dirs.push(entry.path()),
            Ok(kind) if kind.is_file() && !is_hidden => files.push(entry.path()),
            _ => {}
        }
    }
    let is_html = |file: &PathBuf| {
        let name = file
            .file_name()
            .map(|name| name.to_string_lossy().into_owned());
        name.is_some_and(|name| SitePath::from(name.as_str()).is_html())
    };
    files.retain(is_html);
    files.sort();
    // The home page is part of every sample.
    files.sort_by_key(|file| !file.ends_with("index.html"));
    dirs.sort();
    (files, dirs)
}

/// Counts the base URLs that the canonical links of pages imply.
pub(super) fn canonical_vote(output_dir: &Path, sample: &[SitePath]) -> Option<PageVote> {
    let mut votes = BaseVotes::default();
    let home = SitePath::from("index.html");
    let mut only_home = true;
    for file in sample {
        let base = if *file == home {
            home_canonical(output_dir)
        } else {
            canonical_base(output_dir, file)
        };
        if let Some(base) = base {
            only_home &= *file == home;
            votes.add(base);
        }
    }
    let (url, named, of) = votes.most()?;
    Some(PageVote {
        url,
        named,
        of,
        is_home_alone: only_home,
    })
}

/// Returns the base URL that `og:url` of most pages implies.
pub(super) fn open_graph_base(output_dir: &Path, sample: &[SitePath]) -> Option<BaseUrl> {
    let mut votes = BaseVotes::default();
    for file in sample {
        let metadata = metadata_of(&file.below_dir(output_dir), MetadataRequest::Everything);
        let url = metadata.meta(&["og:url"]).and_then(absolute_url);
        if let Some(base) = url.and_then(|url| named_base(file, &url)) {
            votes.add(base);
        }
    }
    votes.most().map(|(url, ..)| url)
}

/// Parses an absolute URL.
pub(super) fn absolute_url(text: &str) -> Option<site_paths::PageUrl> {
    let text = text.trim();
    // A relative URL would resolve to any host.
    let has_scheme = text.starts_with("https://") || text.starts_with("http://");
    let root = BaseUrl::parse("https://host.invalid/").expect("the URL is absolute");
    has_scheme
        .then(|| root.of_path(b"").resolve(text).ok())
        .flatten()
}

/// Reads the canonical link of a page. `None` for a page that redirects (to `/en/`, for example),
/// because its link names the target, and for a page with conflicting links.
fn canonical_of(output_dir: &Path, file: &SitePath) -> Option<String> {
    let page = file.below_dir(output_dir);
    if !page.is_file() {
        return None;
    }
    let facts = PageReader::new(ReadOptions::default()).read(&page);
    let mut hrefs = counting_canonicals(&facts).map(|link| link.value.href.trim());
    let href = hrefs.next()?.to_owned();
    let is_alone = hrefs.all(|other| other == href);
    let redirects = !facts.refreshes.is_empty() || facts.script_redirect.is_some();
    (is_alone && !redirects).then_some(href)
}

fn canonical_base(output_dir: &Path, file: &SitePath) -> Option<BaseUrl> {
    let url = absolute_url(&canonical_of(output_dir, file)?)?;
    named_base(file, &url)
}

/// Returns the URL in the home page's canonical link, unless the home page is a copy of another
/// page.
///
/// `/en/` may be the URL of the whole site or of `en/index.html`. The canonical link of that second
/// page decides: the home page is a copy if `en/index.html` names the same URL or none.
fn home_canonical(output_dir: &Path) -> Option<BaseUrl> {
    home_base(output_dir, &SitePath::from("index.html")).filter(|base| {
        let path = base.path().trim_matches('/');
        let ends = path
            .match_indices('/')
            .map(|(at, _)| &path[at + 1..])
            .chain([path])
            .filter(|end| !end.is_empty());
        let mut named = ends
            .flat_map(files_for_path)
            .filter(|file| file.below_dir(output_dir).is_file());
        !named.any(|file| home_base(output_dir, &file).is_none_or(|own| own == *base))
    })
}

/// Reads the canonical link of a page as a base URL.
fn home_base(output_dir: &Path, file: &SitePath) -> Option<BaseUrl> {
    let href = canonical_of(output_dir, file)?;
    BaseUrl::parse(href.strip_suffix("index.html").unwrap_or(&href)).ok()
}
