//! The form of URLs for pages without a canonical link, and where it comes from: that of each page in the
//! set that is replaced or in the links to it, or else that of the site.

use std::borrow::Cow;
use std::cell::LazyCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::base_evidence::base_of_sitemap;
use super::base_of_pages::named_base;
use super::nowhere;
use super::site_sample::SiteSample;
use crate::hosts::{UrlForm, candidate_files};
use crate::settings::UrlStyle;
use page_sources::generator::Site;
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
    site: &Site<'_>,
    sample: &SiteSample<'_>,
    base: Option<&BaseUrl>,
) -> FoundUrlForm {
    let canonicals = canonical_votes(sample);
    let listed = LazyCell::new(|| sitemap_votes(sample, base));
    let file = canonicals
        .file()
        .or_else(|| stated_form(site))
        .or_else(|| link_votes(sample, base).file())
        .or_else(|| listed.file());
    let dir = canonicals.dir().or_else(|| listed.dir());
    let ((file, of_files), (dir, of_dirs)) = (file.unzip(), dir.unzip());
    let mut origins: Vec<String> = of_files.into_iter().chain(of_dirs).collect();
    origins.dedup();
    FoundUrlForm {
        style: style_of(file, dir),
        origin: (!origins.is_empty()).then(|| origins.join(" and ")),
    }
}

fn style_of(file: Option<FileForm>, dir: Option<DirForm>) -> UrlStyle {
    match (file, dir) {
        (None | Some(FileForm::Html), None | Some(DirForm::Slash)) => UrlStyle::Keep,
        (None | Some(FileForm::Html), Some(DirForm::Bare)) => UrlStyle::KeepSlashless,
        (Some(FileForm::Bare), None | Some(DirForm::Slash)) => UrlStyle::Clean,
        (Some(FileForm::Bare), Some(DirForm::Bare)) => UrlStyle::CleanSlashless,
        (Some(FileForm::Slash), _) => UrlStyle::CleanSlashed,
    }
}

/// The form of files in the generator's settings, if they state one.
fn stated_form(site: &Site<'_>) -> Option<(FileForm, String)> {
    let condition = site.generator?.clean_urls_if.as_ref()?;
    site.config
        .get(&condition.key)
        .filter(|value| !value.is_null())?;
    let form = if site.config.meets(condition) {
        FileForm::Bare
    } else {
        FileForm::Html
    };
    Some((
        form,
        format!("`{}` in the generator's settings", condition.key),
    ))
}

/// The form of the URL of a file `x.html`, the most widely served first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum FileForm {
    /// `/x.html`.
    Html,
    /// `/x`.
    Bare,
    /// `/x/`.
    Slash,
}

/// The form of the URL of a file `x/index.html`, the most widely served first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum DirForm {
    /// `/x/`.
    Slash,
    /// `/x`.
    Bare,
}

/// The number of URLs in each form.
#[derive(Debug, Default)]
struct UrlVotes {
    /// Where the URLs are, in words.
    origin: String,
    files: BTreeMap<FileForm, usize>,
    dirs: BTreeMap<DirForm, usize>,
}

impl UrlVotes {
    /// Counts the URLs of files.
    fn of(origin: &str, urls: impl Iterator<Item = (SitePath, PageUrl)>) -> Self {
        let mut votes = Self {
            origin: origin.to_owned(),
            ..Self::default()
        };
        for (file, url) in urls {
            votes.add(&file, without_query(&url));
        }
        votes
    }

    /// Counts the URL of a file. The home page has only one form.
    fn add(&mut self, file: &SitePath, path: &str) {
        match file.index_of() {
            Some(b"") => {}
            Some(_) => *self.dirs.entry(dir_form(path)).or_default() += 1,
            None => {
                if let Some(form) = file_form(file, path) {
                    *self.files.entry(form).or_default() += 1;
                }
            }
        }
    }

    /// The form that most URLs of files have, and where they are.
    fn file(&self) -> Option<(FileForm, String)> {
        Some((most(&self.files)?, self.origin.clone()))
    }

    /// The form that most URLs of directories have, and where they are.
    fn dir(&self) -> Option<(DirForm, String)> {
        Some((most(&self.dirs)?, self.origin.clone()))
    }
}

/// The form with the most votes; of several, the first.
fn most<F: Copy + Ord>(votes: &BTreeMap<F, usize>) -> Option<F> {
    let first_wins = |best: (F, usize), next: (F, usize)| if next.1 > best.1 { next } else { best };
    let votes = votes.iter().map(|(form, count)| (*form, *count));
    votes.reduce(first_wins).map(|(form, _)| form)
}

fn file_form(file: &SitePath, path: &str) -> Option<FileForm> {
    file.as_bytes().strip_suffix(b".html")?;
    // Docusaurus with `trailingSlash` gives 404.html the canonical link `/404.html/`.
    if path.ends_with(".html/") {
        return None;
    }
    Some(if path.ends_with('/') {
        FileForm::Slash
    } else if path.strip_suffix(".html").is_some() {
        FileForm::Html
    } else {
        FileForm::Bare
    })
}

/// The directory's own URL ends with a slash, also where a link names its index file.
fn dir_form(path: &str) -> DirForm {
    let name = path.rsplit('/').next().unwrap_or_default();
    if name.is_empty() || name.starts_with("index.") {
        DirForm::Slash
    } else {
        DirForm::Bare
    }
}

/// Counts the forms that canonical links have, where they name the page itself.
fn canonical_votes(sample: &SiteSample<'_>) -> UrlVotes {
    let urls = sample.pages().iter().filter_map(|page| {
        let url = page.canonical.clone()?;
        // A link with two slashes where one belongs has no form.
        if url.with_single_slashes().is_some() {
            return None;
        }
        // `/about/` is the URL of `about/index.html` if that exists, and not of `about.html`.
        let named = existing_file(sample, &named_base(&page.file, &url)?, &url)?;
        (named == page.file).then_some((named, url))
    });
    UrlVotes::of("the canonical links", urls)
}

/// Counts the forms of the URLs in the first sitemap, of the generator or of an earlier run.
fn sitemap_votes(sample: &SiteSample<'_>, base: Option<&BaseUrl>) -> UrlVotes {
    let Some(sitemap) = sample.sitemaps().first() else {
        return UrlVotes::default();
    };
    let writer = if sitemap.has_mark {
        "waypost's earlier"
    } else {
        "the generator's"
    };
    let origin = format!("{writer} {}", sitemap.name);
    let own = base_of_sitemap(sample, sitemap);
    let Some(base) = own.or_else(|| base.cloned()) else {
        return UrlVotes::default();
    };
    let urls = sitemap
        .locs
        .iter()
        .filter_map(|loc| PageUrl::parse(loc).ok());
    let files = urls.filter_map(|url| Some((existing_file(sample, &base, &url)?, url)));
    let mut votes = UrlVotes::of(&origin, files);
    if sitemap.has_mark {
        keep_unanimous(&mut votes.files, &FileForm::Html);
        keep_unanimous(&mut votes.dirs, &DirForm::Slash);
    }
    votes
}

/// Of an earlier run, only a form other than the default, and one that all URLs have, counts: with
/// `_redirects`, the URL of a page can have another form than that of the site.
fn keep_unanimous<F: Ord>(votes: &mut BTreeMap<F, usize>, default: &F) {
    if votes.len() > 1 || votes.contains_key(default) {
        votes.clear();
    }
}

/// The URLs of files that links between the pages have, each with the number of pages that have it.
fn linked_urls(
    sample: &SiteSample<'_>,
    base: Option<&BaseUrl>,
) -> BTreeMap<SitePath, BTreeMap<PageUrl, usize>> {
    let nowhere = nowhere();
    let base = base.unwrap_or(&nowhere);
    let mut counts: BTreeMap<PageUrl, usize> = BTreeMap::new();
    for (file, found) in sample.links() {
        let mut document = UrlForm::default().url_of(base, file);
        let stated = found.base.as_ref();
        if let Some(url) = stated.and_then(|base| document.resolve(base).ok()) {
            document = url;
        }
        // Many links of a page are repeated or lead to its own parts, and resolving takes long.
        let links = found
            .links
            .iter()
            .filter_map(|link| link.split(['?', '#']).next());
        let links = links.filter(|link| !link.is_empty()).take(MAX_LINKS);
        let links = links.collect::<BTreeSet<_>>().into_iter();
        let targets = links.filter_map(|link| document.resolve(link).ok());
        for url in targets.collect::<BTreeSet<_>>() {
            *counts.entry(url).or_default() += 1;
        }
    }
    let mut found: BTreeMap<SitePath, BTreeMap<PageUrl, usize>> = BTreeMap::new();
    for (url, count) in counts {
        if let Some(file) = existing_file(sample, base, &url) {
            found.entry(file).or_default().insert(url, count);
        }
    }
    found
}

/// Counts the forms that links between the pages have, each URL once. Only the form of files counts:
/// most servers redirect `/x` to `/x/`, so a link without the slash does not show the URL of a
/// directory.
fn link_votes(sample: &SiteSample<'_>, base: Option<&BaseUrl>) -> UrlVotes {
    let linked = linked_urls(sample, base).into_iter();
    let files = linked.flat_map(|(file, urls)| {
        let urls = urls.into_keys();
        urls.map(move |url| (file.clone(), url))
    });
    UrlVotes::of("the pages' links", files)
}

/// The URLs of single pages, by file.
pub(super) type PageUrls = BTreeMap<SitePath, PageUrl>;

/// Returns the URLs of files that at least two of the first pages link to, if all links agree.
pub(super) fn agreed_links(sample: &SiteSample<'_>, base: &BaseUrl) -> PageUrls {
    let mut agreed = PageUrls::new();
    for (file, urls) in linked_urls(sample, Some(base)) {
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
                None => found.extend(self.page_at(&loc)),
            }
        }
        // Another code for the same character is no other form.
        found.retain(|file, url| {
            let own = self.form.url_of(self.base, file);
            decode(url.as_str()) != decode(own.as_str()) && self.form.answers(self.base, file, url)
        });
        found
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
            .resolve(loc.strip_suffix("index.html").unwrap_or(loc))
            .ok()?;
        if url.with_single_slashes().is_some() {
            return None;
        }
        let mut files = candidate_files(self.base, &url).into_iter();
        let page = files.find(|file| self.pages.binary_search(file).is_ok())?;
        Some((page, url))
    }
}

/// The file that a host serves at a URL, if it exists.
fn existing_file(sample: &SiteSample<'_>, base: &BaseUrl, url: &PageUrl) -> Option<SitePath> {
    let mut files = candidate_files(base, url).into_iter();
    files.find(|file| sample.has_file(file))
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
        let check = |urls: &[(&str, &str)], file: Option<FileForm>, dir: Option<DirForm>| {
            let mut votes = UrlVotes::default();
            for (file, path) in urls {
                votes.add(&SitePath::from(*file), path);
            }
            let forms = (most(&votes.files), most(&votes.dirs));
            assert_eq!(forms, (file, dir), "{urls:?}");
        };
        check(&[("index.html", "/"), ("a.pdf", "/a.pdf")], None, None);
        check(&[("a.html", "/a")], Some(FileForm::Bare), None);
        check(&[("a.html", "/x/a/")], Some(FileForm::Slash), None);
        check(&[("a.html", "/a.html")], Some(FileForm::Html), None);
        check(&[("a.html", "/a.html/")], None, None);
        check(&[("a/index.html", "/a")], None, Some(DirForm::Bare));
        check(&[("a/index.html", "/a/")], None, Some(DirForm::Slash));
        let by_name = ("a/index.html", "/a/index.html");
        check(&[by_name], None, Some(DirForm::Slash));
        let (bare, html) = (("a.html", "/a"), ("b.html", "/b.html"));
        check(&[bare, html], Some(FileForm::Html), None);
        check(&[bare, html, ("c.html", "/c")], Some(FileForm::Bare), None);
    }
}
