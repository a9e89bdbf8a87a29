//! The base URL that pages imply: a page that names itself also names the URL of its site. A sample of the
//! pages is evidence for the choice; when all are read, they may contradict it.

use std::collections::BTreeMap;

use page_signals::MetadataRequest;

use super::nowhere;
use super::site_sample::{SiteSample, page_metadata};
use crate::findings::counted;
use crate::hosts::files_for_path;
use crate::survey::{base_of_file, is_placeholder, most_named, named_base};
use sitemaps::site_paths::{BaseUrl, PageUrl, SitePath};

/// Returns the base URL that the canonical links of most pages imply, and its origin in words.
pub(super) fn canonical_base_url(sample: &SiteSample<'_>) -> Option<(BaseUrl, String)> {
    let home = SitePath::from("index.html");
    let (mut bases, mut copies) = (Vec::new(), Vec::new());
    let mut base_of_home = None;
    let mut only_home = true;
    for page in sample.pages() {
        let canonical = page.canonical.as_ref().filter(|url| is_somewhere(url));
        if page.file == home {
            base_of_home = home_canonical(sample);
            bases.extend(base_of_home.clone());
        } else if let Some(base) = canonical.and_then(|url| named_base(&page.file, url)) {
            only_home = false;
            bases.push(base);
        } else if let Some(url) = canonical
            && let Some(base) = base_of_file(url, sample.output)
            && base.as_str() != url.as_str()
        {
            copies.push(base);
        }
    }
    // All may name a version whose directory is a link, which the sample does not follow.
    if bases.is_empty() && copies.len() > 1 {
        only_home = false;
        bases = copies;
    }
    let (url, named, of) = most_named(bases)?;
    // Where no base URL is that of most pages, the home page knows its own.
    let home = base_of_home.filter(|home| only_home || named * 2 <= of && !is_placeholder(home));
    if let Some(home) = home {
        return Some((home, "the canonical link of index.html".to_owned()));
    }
    let origin = match (named, of) {
        (1, 1) => "the canonical link of one page".to_owned(),
        _ if named == of => format!("the canonical links of {named} pages"),
        _ => format!("the canonical links of {named} of {of} pages"),
    };
    Some((url, origin))
}

/// Returns the base URL that most pages state elsewhere than in their canonical link: in `og:url`, in
/// JSON-LD, or in the link to a feed. Only a suggestion, as templates fill these in with anything.
pub(super) fn stated_by_pages(sample: &SiteSample<'_>) -> Option<(BaseUrl, String)> {
    let mut bases = Vec::new();
    for page in sample.pages() {
        let metadata = page_metadata(sample.output, &page.file, MetadataRequest::Url);
        let json_urls = metadata.json_ld.iter().filter_map(|text| {
            let value: serde_json::Value = serde_json::from_str(text).ok()?;
            Some(value.get("url")?.as_str()?.to_owned())
        });
        let by_urls = metadata
            .og_url
            .iter()
            .cloned()
            .chain(json_urls)
            .filter_map(|url| named_base(&page.file, &PageUrl::parse(&url)?));
        let by_feeds = page
            .feeds
            .iter()
            .filter_map(|feed| base_of_file(feed, sample.output));
        // A page that states it twice is one page.
        bases.extend(by_urls.chain(by_feeds).next());
    }
    bases.retain(|base| !is_placeholder(base));
    let (url, named, _) = most_named(bases)?;
    Some((url, format!("stated by {}", counted(named, "page"))))
}

/// Returns the URL in the home page's canonical link, unless the home page is a copy of another
/// page.
///
/// `/en/` may be the URL of the whole site or of `en/index.html`. The canonical link of that second
/// page decides: the home page is a copy if `en/index.html` names the same URL or none.
fn home_canonical(sample: &SiteSample<'_>) -> Option<BaseUrl> {
    home_base(sample, &SitePath::from("index.html")).filter(|base| {
        let path = base.path().trim_matches('/');
        let ends = path
            .match_indices('/')
            .map(|(at, _)| &path[at + 1..])
            .chain([path])
            .filter(|end| !end.is_empty());
        let mut named = ends
            .flat_map(files_for_path)
            .filter(|file| sample.output.has_file(file));
        !named.any(|file| home_base(sample, &file).is_none_or(|own| own == *base))
    })
}

/// Reads the canonical link of a page as a base URL.
fn home_base(sample: &SiteSample<'_>, file: &SitePath) -> Option<BaseUrl> {
    let url = sample.canonical_of(file).filter(is_somewhere)?;
    let single = url.with_single_slashes().unwrap_or(url);
    let text = single.as_str();
    BaseUrl::parse(text.strip_suffix("index.html").unwrap_or(text)).ok()
}

/// Whether a link of the sample has a host of its own: a relative one says nothing of the host.
fn is_somewhere(url: &PageUrl) -> bool {
    url.origin() != nowhere().origin()
}

/// How many pages name themselves under which base URL.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct PageBases {
    /// Pages that are listed, or excluded only because of their canonical link.
    pub pages: usize,
    /// Pages by the other base URL that their canonical link implies.
    pub(super) others: BTreeMap<String, usize>,
    /// Pages other than the home page whose canonical link is the home page.
    pub(super) to_home: usize,
}

impl PageBases {
    /// Counts a page that is listed.
    pub fn add_listed(&mut self) {
        self.pages += 1;
    }

    /// Counts a page that is excluded because of a canonical link to `url`. `is_here` reports
    /// whether the output directory has the target: then the page is a copy of that page.
    pub fn add_elsewhere(
        &mut self,
        base: &BaseUrl,
        file: &SitePath,
        url: &PageUrl,
        is_here: impl FnOnce() -> bool,
    ) {
        self.pages += 1;
        self.to_home += usize::from(url.as_str() == base.as_str());
        let Some(named) = named_base(file, url).filter(|named| named != base) else {
            return;
        };
        if named.origin() != base.origin() || !is_here() {
            *self.others.entry(named.as_str().to_owned()).or_insert(0) += 1;
        }
    }
}
