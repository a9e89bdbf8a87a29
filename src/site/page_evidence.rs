//! The base URL that the canonical links of a sample of the pages name.

use sitemaps::site_paths::{BaseUrl, SitePath, has_web_scheme};

use super::found_base::{BaseUrlOrigin, FoundBaseUrl};
use super::named_base::{BaseVotes, named_base};
use super::site_sample::{SampledCanonical, SampledPage, SiteSample};
use crate::hosts::files_for_path;

/// Returns the base URL that the canonical links of most pages imply.
pub(super) fn canonical_base_url(sample: &SiteSample<'_>) -> Option<FoundBaseUrl> {
    let mut votes = BaseVotes::default();
    let home = SitePath::from("index.html");
    let mut only_home = true;
    for SampledPage { file, canonical } in sample.pages() {
        let base = if *file == home {
            home_canonical(sample)
        } else {
            canonical_base(file, canonical)
        };
        if let Some(base) = base {
            only_home &= *file == home;
            votes.add(base);
        }
    }
    let (url, named, of) = votes.most()?;
    let origin = if only_home {
        BaseUrlOrigin::RootCanonical
    } else {
        BaseUrlOrigin::Canonicals(named, of)
    };
    Some(FoundBaseUrl { url, origin })
}

/// Parses an absolute URL.
pub(super) fn absolute_url(text: &str) -> Option<sitemaps::site_paths::PageUrl> {
    let text = text.trim();
    // A relative URL would resolve to any host.
    let root = BaseUrl::parse("https://host.invalid/").expect("the URL is absolute");
    has_web_scheme(text)
        .then(|| root.of_path(b"").resolve(text).ok())
        .flatten()
}

fn canonical_base(file: &SitePath, canonical: &SampledCanonical) -> Option<BaseUrl> {
    match canonical {
        SampledCanonical::Href(href) => named_base(file, &absolute_url(href)?),
        SampledCanonical::None | SampledCanonical::Redirect => None,
    }
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
            .filter(|file| sample.has_file(file));
        !named.any(|file| home_base(sample, &file).is_none_or(|own| own == *base))
    })
}

/// Reads the canonical link of a page as a base URL.
fn home_base(sample: &SiteSample<'_>, file: &SitePath) -> Option<BaseUrl> {
    match sample.canonical_of(file) {
        SampledCanonical::Href(href) => {
            BaseUrl::parse(href.strip_suffix("index.html").unwrap_or(&href)).ok()
        }
        SampledCanonical::None | SampledCanonical::Redirect => None,
    }
}
