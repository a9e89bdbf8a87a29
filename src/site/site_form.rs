//! The form of URLs for pages without a canonical link, and where it comes from: that of each page in the
//! set that is replaced or in the links to it, or else that of the site.

use std::borrow::Cow;
use std::cell::LazyCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::nowhere;
use super::site_sample::SiteSample;
use crate::generators::Site;
use crate::hosts::{UrlForm, candidate_files};
use crate::settings::UrlStyle;
use crate::survey::{file_at, named_base};
use sitemaps::site_paths::{BaseUrl, PageUrl, SitePath, decode};

/// How many links of a page to look at.
const MAX_LINKS: usize = 64;

/// A form of URLs and its origin.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FoundUrlForm {
    /// The form.
    pub style: UrlStyle,
    /// Where it comes from, in words; `None` if nothing names a form.
    pub origin: Option<String>,
    /// Where the links between the pages decide, and not the sitemap.
    pub(super) by_links: ByLinks,
}

/// The forms that all links between the pages have, where only the sitemap says otherwise, of all pages alike. Other
/// programs make such sitemaps of the names of files, and while a dead link is noticed, a redirected entry is not.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct ByLinks {
    /// No page `x.html` has that name in its URL.
    files: bool,
    /// Each `x/index.html` has a URL that ends with a slash.
    dirs: bool,
}

impl fmt::Display for FoundUrlForm {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let example = match self.style {
            UrlStyle::Host | UrlStyle::Keep | UrlStyle::KeepSlashed => "/x.html and /x/",
            UrlStyle::KeepSlashless => "/x.html and /x",
            UrlStyle::Clean => "/x and /x/",
            UrlStyle::CleanSlashless => "/x",
            UrlStyle::CleanSlashed => "/x/",
            UrlStyle::Exact => "/x.html and /x/index.html",
        };
        match &self.origin {
            Some(origin) => write!(out, "{example} from {origin}"),
            None => write!(out, "{example} by default"),
        }
    }
}

/// Finds the form that the site itself names: by its canonical links, its generator's setting, its
/// links, the sitemap that the generator wrote, or else the sitemap of an earlier run. The form of
/// files and that of directories may come from different places. A sitemap comes last, because this
/// run replaces it: the next run finds the other answers again.
pub(super) fn form_of_site(
    site: &Site,
    sample: &SiteSample<'_>,
    base: Option<&BaseUrl>,
    linked: &LinkedUrls,
) -> FoundUrlForm {
    let canonical = canonical_votes(sample);
    let links = link_votes(linked);
    let listed = LazyCell::new(|| sitemap_votes(sample, base));
    let stated_file = canonical.file().or_else(|| stated_form(site));
    let stated_dir = canonical.dir();
    let by_links = ByLinks {
        files: stated_file
            .as_ref()
            .is_none_or(|(end, _)| *end != UrlEnding::Html)
            && agree(&links.files).is_some_and(|end| end != UrlEnding::Html)
            && listed.files.keys().eq([&UrlEnding::Html]),
        dirs: stated_dir.is_none()
            && agree(&links.dirs) == Some(UrlEnding::Slash)
            && listed.dirs.keys().eq([&UrlEnding::Bare]),
    };
    let file = stated_file
        .or_else(|| links.file())
        .or_else(|| listed.file());
    let dir = stated_dir
        .or_else(|| links.dir().filter(|_| by_links.dirs))
        .or_else(|| listed.dir());
    let ((file, file_origin), (dir, dir_origin)) = (file.unzip(), dir.unzip());
    let mut origins: Vec<String> = file_origin.into_iter().chain(dir_origin).collect();
    origins.dedup();
    FoundUrlForm {
        style: match (file, dir) {
            (Some(UrlEnding::Slash), _) => UrlStyle::CleanSlashed,
            (Some(UrlEnding::Bare), Some(UrlEnding::Bare)) => UrlStyle::CleanSlashless,
            (Some(UrlEnding::Bare), _) => UrlStyle::Clean,
            (_, Some(UrlEnding::Bare)) => UrlStyle::KeepSlashless,
            _ => UrlStyle::Keep,
        },
        origin: (!origins.is_empty()).then(|| origins.join(" and ")),
        by_links,
    }
}

/// The ending on which the URLs of at least two pages agree.
fn agree(votes: &BTreeMap<UrlEnding, usize>) -> Option<UrlEnding> {
    let mut votes = votes.iter();
    let (&ending, &count) = votes.next()?;
    (count >= 2 && votes.next().is_none()).then_some(ending)
}

/// The form of files in the generator's settings, if they state one.
fn stated_form(site: &Site) -> Option<(UrlEnding, String)> {
    let condition = site.generator?.clean_urls_if.as_ref()?;
    site.config
        .get(&condition.key)
        .filter(|value| !value.is_null())?;
    let ending = if site.config.meets(condition) {
        UrlEnding::Bare
    } else {
        UrlEnding::Html
    };
    let origin = format!("`{}` in the generator's settings", condition.key);
    Some((ending, origin))
}

/// The end of the URL of a page `x.html` or `x/index.html`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum UrlEnding {
    /// `/x.html`, only of files.
    Html,
    /// `/x`.
    Bare,
    /// `/x/`.
    Slash,
}

/// The number of URLs with each ending.
#[derive(Debug, Default)]
struct UrlVotes {
    /// Where the URLs are, in words.
    origin: String,
    files: BTreeMap<UrlEnding, usize>,
    dirs: BTreeMap<UrlEnding, usize>,
}

impl UrlVotes {
    /// Counts the URL of a file. The home page has only one form.
    fn add(&mut self, file: &SitePath, path: &str) {
        let name = path.rsplit('/').next().unwrap_or_default();
        let (votes, ending) = match file.index_of() {
            Some(b"") => return,
            // The directory's own URL ends with a slash, also where a link names its index file.
            Some(_) if name.is_empty() || name.starts_with("index.") => {
                (&mut self.dirs, UrlEnding::Slash)
            }
            Some(_) => (&mut self.dirs, UrlEnding::Bare),
            // Docusaurus with `trailingSlash` gives 404.html the canonical link `/404.html/`.
            None if !file.as_bytes().ends_with(b".html") || path.ends_with(".html/") => return,
            None if name.is_empty() => (&mut self.files, UrlEnding::Slash),
            None if name.strip_suffix(".html").is_some() => (&mut self.files, UrlEnding::Html),
            None => (&mut self.files, UrlEnding::Bare),
        };
        *votes.entry(ending).or_default() += 1;
    }

    /// The ending that most URLs of files have, of several the most widely served, and where they are.
    fn file(&self) -> Option<(UrlEnding, String)> {
        let (ending, _) = self.files.iter().rev().max_by_key(|(_, count)| **count)?;
        Some((*ending, self.origin.clone()))
    }

    /// The same of directories.
    fn dir(&self) -> Option<(UrlEnding, String)> {
        let (ending, _) = self.dirs.iter().max_by_key(|(_, count)| **count)?;
        Some((*ending, self.origin.clone()))
    }
}

/// Counts the forms that canonical links have, where they name the page itself.
fn canonical_votes(sample: &SiteSample<'_>) -> UrlVotes {
    let mut votes = UrlVotes {
        origin: "the canonical links".to_owned(),
        ..UrlVotes::default()
    };
    for page in sample.pages() {
        // A link with two slashes where one belongs has no form.
        if let Some(url) = &page.canonical
            && url.with_single_slashes().is_none()
            && let Some(base) = named_base(&page.file, url)
            // `/about/` is the URL of `about/index.html` if that exists, and not of `about.html`.
            && file_at(sample.output, &base, url).as_ref() == Some(&page.file)
        {
            votes.add(&page.file, url.path_and_query());
        }
    }
    votes
}

/// Counts the forms of the URLs in the first sitemap, of the generator or of an earlier run.
fn sitemap_votes(sample: &SiteSample<'_>, base: Option<&BaseUrl>) -> UrlVotes {
    let mut votes = UrlVotes::default();
    let Some(sitemap) = sample.sitemaps().first() else {
        return votes;
    };
    let Some(base) = sitemap.base.as_ref().or(base) else {
        return votes;
    };
    for url in &sitemap.urls {
        if let Some(file) = file_at(sample.output, base, url) {
            votes.add(&file, without_query(url));
        }
    }
    let writer = if sitemap.has_mark {
        // Of an earlier run, only a form other than the default, and one that all URLs have, counts: with
        // `_redirects`, the URL of a page can have another form than that of the site.
        let is_default = |votes: &BTreeMap<UrlEnding, usize>, default| {
            votes.len() > 1 || votes.contains_key(default)
        };
        if is_default(&votes.files, &UrlEnding::Html) {
            votes.files.clear();
        }
        if is_default(&votes.dirs, &UrlEnding::Slash) {
            votes.dirs.clear();
        }
        "waypost's earlier"
    } else {
        "the generator's"
    };
    votes.origin = format!("{writer} {}", sitemap.name);
    votes
}

/// The URLs of files that links between the pages have, each with the number of pages that have it.
pub(super) type LinkedUrls = BTreeMap<SitePath, BTreeMap<PageUrl, usize>>;

/// Returns the URLs of files to which the first pages link.
pub(super) fn linked_urls(sample: &SiteSample<'_>, base: Option<&BaseUrl>) -> LinkedUrls {
    let nowhere = nowhere();
    let base = base.unwrap_or(&nowhere);
    let mut counts: BTreeMap<PageUrl, usize> = BTreeMap::new();
    for (file, found) in sample.links() {
        let own = UrlForm::default().url_of(base, file);
        let stated = found.base.as_ref();
        let document = stated.and_then(|base| own.resolve(base)).unwrap_or(own);
        // Many links of a page are repeated or lead to its own parts, and resolving takes long.
        let links: BTreeSet<&str> = found
            .links
            .iter()
            .filter_map(|link| link.split(['?', '#']).next())
            .filter(|link| !link.is_empty())
            .take(MAX_LINKS)
            .collect();
        let targets = links.into_iter().filter_map(|link| document.resolve(link));
        for url in targets.collect::<BTreeSet<_>>() {
            *counts.entry(url).or_default() += 1;
        }
    }
    let mut found = LinkedUrls::new();
    for (url, count) in counts {
        if let Some(file) = file_at(sample.output, base, &url) {
            found.entry(file).or_default().insert(url, count);
        }
    }
    found
}

/// Counts the forms that links between the pages have, each URL once. Most servers redirect `/x` to `/x/`, so links
/// without the slash do not show the URL of a directory.
fn link_votes(linked: &LinkedUrls) -> UrlVotes {
    let mut votes = UrlVotes {
        origin: "the pages' links".to_owned(),
        ..UrlVotes::default()
    };
    for (file, urls) in linked {
        for url in urls.keys() {
            votes.add(file, without_query(url));
        }
    }
    votes
}

/// The URLs of single pages, by file.
pub(super) type PageUrls = BTreeMap<SitePath, PageUrl>;

/// Returns the URLs of files that at least two of the first pages link to, if all links agree.
pub(super) fn agreed_links(linked: LinkedUrls) -> PageUrls {
    let mut agreed = PageUrls::new();
    for (file, urls) in linked {
        let mut urls = urls.into_iter();
        if let (Some((url, 2..)), None) = (urls.next(), urls.next())
            && file.index_of().is_none()
        {
            agreed.insert(file, url);
        }
    }
    agreed
}

/// How the URLs of single pages are found.
pub(super) struct PageUrlSearch<'s> {
    pub(super) base: &'s BaseUrl,
    /// The form of the site, whose host may answer others.
    pub(super) form: UrlForm,
    pub(super) by_links: ByLinks,
    /// All pages, sorted.
    pub(super) pages: &'s [SitePath],
}

impl PageUrlSearch<'_> {
    /// Returns the URLs of pages that have another form than the site's: those that the replaced set
    /// `lists`, or else those on which the links to the page agree.
    pub(super) fn find<'l>(
        &self,
        linked: &PageUrls,
        lists: impl Iterator<Item = Cow<'l, str>>,
    ) -> PageUrls {
        let mut found = linked.clone();
        for loc in lists {
            match self.page_in_form(&loc) {
                Some(page) => drop(found.remove(&page)),
                None => found.extend(
                    self.page_at(&loc)
                        .filter(|(page, url)| self.counts(page, url)),
                ),
            }
        }
        // Another code for the same character is no other form.
        found.retain(|file, url| {
            let own = self.form.url_of(self.base, file);
            decode(url.as_str()) != decode(own.as_str()) && self.form.answers(self.base, file, url)
        });
        found
    }

    /// Whether the set may give a page this URL.
    fn counts(&self, page: &SitePath, url: &PageUrl) -> bool {
        match page.index_of() {
            Some(_) => !self.by_links.dirs || url.as_str().ends_with('/'),
            None => !self.by_links.files || !without_query(url).as_bytes().ends_with(b".html"),
        }
    }

    /// The page that an entry names in the form of the site, as most do: parsing a URL takes longer.
    fn page_in_form(&self, loc: &str) -> Option<SitePath> {
        let path = loc.strip_prefix(self.base.as_str())?;
        let is_dir = path.is_empty() || path.ends_with('/');
        let file = format!("{path}{}", if is_dir { "index.html" } else { "" });
        let page = SitePath::from(file.as_str());
        let is_page = !path.contains(['%', '?']) && self.pages.binary_search(&page).is_ok();
        (is_page && *self.form.path_of(&page) == *path.as_bytes()).then_some(page)
    }

    /// The page that an entry names, and its URL. A final `index.html` names the directory, and two slashes
    /// name no form.
    fn page_at(&self, loc: &str) -> Option<(SitePath, PageUrl)> {
        let url = self
            .base
            .resolve(loc.strip_suffix("index.html").unwrap_or(loc))?;
        if url.with_single_slashes().is_some() {
            return None;
        }
        let mut files = candidate_files(self.base, &url).into_iter();
        let page = files.find(|file| self.pages.binary_search(file).is_ok())?;
        Some((page, url))
    }
}

fn without_query(url: &PageUrl) -> &str {
    let path = url.path_and_query();
    path.split('?').next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_form_is_that_of_most_urls() {
        let check = |urls: &[(&str, &str)], file: Option<UrlEnding>, dir: Option<UrlEnding>| {
            let mut votes = UrlVotes::default();
            for (file, path) in urls {
                votes.add(&SitePath::from(*file), path);
            }
            let forms = (votes.file().unzip().0, votes.dir().unzip().0);
            assert_eq!(forms, (file, dir), "{urls:?}");
        };
        check(&[("index.html", "/"), ("a.pdf", "/a.pdf")], None, None);
        check(&[("a.html", "/a")], Some(UrlEnding::Bare), None);
        check(&[("a.html", "/x/a/")], Some(UrlEnding::Slash), None);
        check(&[("a.html", "/a.html")], Some(UrlEnding::Html), None);
        check(&[("a.html", "/a.html/")], None, None);
        check(&[("a/index.html", "/a")], None, Some(UrlEnding::Bare));
        check(&[("a/index.html", "/a/")], None, Some(UrlEnding::Slash));
        let by_name = ("a/index.html", "/a/index.html");
        check(&[by_name], None, Some(UrlEnding::Slash));
        let (bare, html) = (("a.html", "/a"), ("b.html", "/b.html"));
        check(&[bare, html], Some(UrlEnding::Html), None);
        check(&[bare, html, ("c.html", "/c")], Some(UrlEnding::Bare), None);
    }
}
