//! The evidence for the base URL: a table of its sources, in order of precedence. Each piece names where
//! it comes from.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::base_of_pages::{base_of_file, canonical_base_url, most_named};
use super::host_dirs::HostDirs;
use super::pages_publication::{PagesSite, published_site};
use super::placeholder::is_placeholder;
use super::remote;
use super::site_sample::{SampledSitemap, SiteSample};
use crate::config::LoadedSettings;
use crate::hosts::files_for_path;
use crate::survey::own_base;
use page_sources::generator::{Manifest, Pipelines, Site};
use sitemaps::site_paths::{BaseUrl, PageUrl, without_scheme};

/// How many links between the pages to follow.
const MAX_LINKS: usize = 64;

/// A base URL and its origin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundBaseUrl {
    /// The base URL.
    pub url: BaseUrl,
    /// The kind of its origin.
    pub kind: BaseUrlKind,
    /// Where it comes from, in words.
    pub origin: String,
}

/// The kinds of origins of a base URL, in order of precedence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum BaseUrlKind {
    /// A flag or an environment variable, whose name is the origin; it applies to this run only.
    User,
    /// waypost's own setting, in a file.
    Setting,
    /// The canonical links of pages.
    Pages,
    /// A `CNAME` file in the output directory, which is published at the root of that domain.
    Domain,
    /// The sitemap that the generator wrote, or waypost's that replaced it.
    Sitemap,
    /// The generator's settings.
    Generator,
    /// A line or file written by hand: a `Sitemap` line, a `CNAME` at the top of the repository.
    Hand,
    /// Where it could be served: by the pipeline or the repository.
    Guess,
    /// The set of an earlier run.
    Earlier,
    /// Where it could be served, for the user to choose.
    Suggestion,
}

impl FoundBaseUrl {
    pub(super) fn new(url: BaseUrl, kind: BaseUrlKind, origin: impl Into<String>) -> Self {
        let origin = origin.into();
        Self { url, kind, origin }
    }

    /// Whether it is where the site is served, rather than where it could be.
    pub fn is_statement(&self) -> bool {
        self.kind < BaseUrlKind::Guess
    }

    /// Whether the user gives it.
    pub(super) fn is_given(&self) -> bool {
        self.kind <= BaseUrlKind::Setting
    }

    /// Whether another URL has another path at the same host.
    pub(super) fn differs_in_path(&self, other: &BaseUrl) -> bool {
        other.origin() == self.url.origin() && other.path() != self.url.path()
    }
}

/// Where to look for the base URL.
pub(super) struct BaseUrlQuery<'q> {
    pub(super) site: &'q Site<'q>,
    /// A sample of the pages and sitemaps.
    pub(super) sample: &'q SiteSample<'q>,
    pub(super) loaded: &'q LoadedSettings,
    /// The top of the repository.
    pub(super) repository: Option<&'q Path>,
    pub(super) pipelines: Pipelines<'q>,
    /// The directories with files of the host.
    pub(super) host_dirs: &'q HostDirs,
    /// All hosts.
    pub(super) manifest: &'q Manifest,
    /// Whether nothing is written, as this is a preview.
    pub(super) is_preview: bool,
}

/// A source of evidence, with what is known by the sources before it.
type Source = fn(&BaseUrlQuery<'_>, &[FoundBaseUrl]) -> Vec<FoundBaseUrl>;

/// The sources, in order of precedence: what the build rendered, the generator's settings, what is written
/// by hand, what could be.
pub(super) const SOURCES: [Source; 9] = [
    |query, _| canonical_links(query).into_iter().collect(),
    |query, _| {
        let domain = domain_in_output(query).into_iter();
        let found = domain.map(|url| FoundBaseUrl::new(url, BaseUrlKind::Domain, "CNAME"));
        found.collect()
    },
    |query, _| own_sitemap(query).into_iter().collect(),
    |query, _| query.own_base_url().into_iter().collect(),
    |query, _| robots_lines(query.sample).into_iter().collect(),
    |query, known| {
        let found = domain_of_repository(query);
        let is_new = |found: &FoundBaseUrl| {
            let domain = known.iter().find(|other| other.kind == BaseUrlKind::Domain);
            domain.is_none_or(|other| other.url != found.url)
        };
        found.filter(is_new).into_iter().collect()
    },
    |query, _| pipeline(query).into_iter().collect(),
    // The repository is asked only where nothing else names a site.
    |query, known| {
        let is_known = known.iter().any(|found| !is_placeholder(&found.url));
        if is_known {
            Vec::new()
        } else {
            pages_urls(query)
        }
    },
    |query, _| earlier(query.sample).into_iter().collect(),
];

fn canonical_links(query: &BaseUrlQuery<'_>) -> Option<FoundBaseUrl> {
    let (url, origin) = canonical_base_url(query.sample)?;
    Some(FoundBaseUrl::new(url, BaseUrlKind::Pages, origin))
}

/// Returns the base URL under which most of a sitemap's URLs are files of the output directory; `None`
/// if fewer than half of them are, as in the sitemap of another build.
pub(super) fn base_of_sitemap(
    sample: &SiteSample<'_>,
    sitemap: &SampledSitemap,
) -> Option<BaseUrl> {
    let locs = sitemap.locs.iter().map(|loc| loc.as_str().into());
    own_base(locs, |file| sample.has_file(file))
}

/// Reads the generator's own sitemap. waypost's set that replaced it counts for its path, if this adds
/// to the path in the generator's settings, at the same host.
fn own_sitemap(query: &BaseUrlQuery<'_>) -> Option<FoundBaseUrl> {
    let sitemaps = query.sample.sitemaps().iter();
    let own = sitemaps
        .take_while(|sitemap| !sitemap.has_mark)
        .find_map(|sitemap| {
            let origin = format!("the generator's {}", sitemap.name);
            let url = base_of_sitemap(query.sample, sitemap)?;
            // An entry for a home page alone could be of any path.
            let is_sure = url.is_host_root() || lists_below(query.sample, &url);
            let kind = if is_sure {
                BaseUrlKind::Sitemap
            } else {
                BaseUrlKind::Hand
            };
            Some(FoundBaseUrl::new(url, kind, origin))
        });
    own.or_else(|| {
        let generator = query.site.generator?;
        let earlier = earlier(query.sample)?;
        let settings = query.own_base_url()?;
        let is_longer = earlier.url.as_str().starts_with(settings.url.as_str());
        let writes = !generator.own_sitemaps.default_text().is_empty();
        (is_longer && writes).then_some(FoundBaseUrl {
            kind: BaseUrlKind::Sitemap,
            ..earlier
        })
    })
}

/// Reads the base URL of an earlier run from the sitemap that it wrote over the evidence. Without
/// it, `waypost` would find a base URL only once, and `waypost check` never.
fn earlier(sample: &SiteSample<'_>) -> Option<FoundBaseUrl> {
    let mut sitemaps = sample.sitemaps().iter();
    let sitemap = sitemaps.find(|sitemap| sitemap.has_mark)?;
    let origin = format!("waypost's earlier {}", sitemap.name);
    base_of_sitemap(sample, sitemap).map(|url| FoundBaseUrl::new(url, BaseUrlKind::Earlier, origin))
}

/// Whether the sampled sitemaps list a file of the output directory below a base URL, besides the home
/// page.
fn lists_below(sample: &SiteSample<'_>, base: &BaseUrl) -> bool {
    let locs = sample.sitemaps().iter().flat_map(|sitemap| &sitemap.locs);
    locs.filter_map(|loc| PageUrl::parse(loc).ok())
        .any(|url| has_file_below(sample, base, &url))
}

/// Whether a URL below a base URL is that of a file, other than the home page.
fn has_file_below(sample: &SiteSample<'_>, base: &BaseUrl, url: &PageUrl) -> bool {
    let path = base.path_below(url).filter(|path| !path.is_empty());
    path.is_some_and(|path| {
        let mut files = files_for_path(path).into_iter();
        files.any(|file| sample.has_file(&file))
    })
}

/// Reads the lines of robots.txt, unless waypost wrote the set that they name.
fn robots_lines(sample: &SiteSample<'_>) -> Option<FoundBaseUrl> {
    let sitemaps = sample.sitemaps();
    if sitemaps.first().is_some_and(|sitemap| sitemap.has_mark) {
        return None;
    }
    let bases = sample.robots.sitemaps().into_iter().filter_map(|url| {
        let is_at_root = url.path_and_query().matches('/').count() == 1;
        let at_root = || BaseUrl::parse(&format!("{}/", url.origin())).ok();
        base_of_file(sample, &url).or_else(|| is_at_root.then(at_root).flatten())
    });
    let (url, ..) = most_named(bases)?;
    Some(FoundBaseUrl::new(url, BaseUrlKind::Hand, "robots.txt"))
}

/// Reads the `CNAME` file of the output directory, in which GitHub Pages and similar hosts expect a custom
/// domain. The directory is published at its root.
fn domain_in_output(query: &BaseUrlQuery<'_>) -> Option<BaseUrl> {
    query.cname_in(query.sample.output.path())
}

/// Reads the `CNAME` file at the top of the site or of the repository, with the path in the generator's
/// settings.
fn domain_of_repository(query: &BaseUrlQuery<'_>) -> Option<FoundBaseUrl> {
    let dirs = [Some(query.site.root.as_path()), query.repository];
    let host = dirs
        .into_iter()
        .flatten()
        .find_map(|dir| query.cname_in(dir))?;
    let path = query.site.own_base_path().unwrap_or_default();
    let url = BaseUrl::parse(&format!("{host}{}", path.trim_start_matches('/'))).ok()?;
    let origin = "CNAME in the repository";
    Some(FoundBaseUrl::new(url, BaseUrlKind::Hand, origin))
}

fn pipeline(query: &BaseUrlQuery<'_>) -> Option<FoundBaseUrl> {
    let (variable, url) = query.pipelines.base_url()?;
    let origin = format!("the pipeline's {variable}");
    Some(FoundBaseUrl::new(url, BaseUrlKind::Guess, origin))
}

/// The proof by the root-relative links between the pages of the path of a base URL.
pub(super) struct LinkProof {
    /// The base URL below which they lead to files instead.
    pub(super) other: Option<BaseUrl>,
    /// Whether they lead to files below the one in use.
    pub(super) proves_used: bool,
}

impl BaseUrlQuery<'_> {
    /// The base URL in the generator's settings.
    pub(super) fn own_base_url(&self) -> Option<FoundBaseUrl> {
        let (key, url) = self.site.own_base_url(self.sample.output.path())?;
        let origin = format!("`{key}` in the generator's settings");
        Some(FoundBaseUrl::new(url, BaseUrlKind::Generator, origin))
    }

    /// Compares the paths below which root-relative links lead to files. Two prove a path, if they are at
    /// least four times as many as below the one in use. A directory below that one is never a path.
    pub(super) fn link_proof(&self, used: &BaseUrl) -> LinkProof {
        let mut here = 0;
        let mut elsewhere: BTreeMap<String, (BaseUrl, usize)> = BTreeMap::new();
        for link in self.root_links() {
            let Ok(url) = used.resolve(link) else {
                continue;
            };
            let is_home = url.as_str() == used.as_str() && !used.is_host_root();
            if is_home || has_file_below(self.sample, used, &url) {
                here += 1;
            } else if let Some(base) = base_of_file(self.sample, &url) {
                let below = base.as_str().strip_prefix(used.as_str());
                let dir = below.map(|below| self.sample.output.path().join(below));
                if dir.is_none_or(|dir| !self.site.tree.is_dir(&dir)) {
                    elsewhere
                        .entry(base.as_str().to_owned())
                        .or_insert((base, 0))
                        .1 += 1;
                }
            }
        }
        let most = elsewhere.into_values().max_by_key(|(_, count)| *count);
        let other = most.filter(|(_, count)| *count >= 2 && *count >= 4 * here);
        LinkProof {
            proves_used: here >= 2 && other.is_none(),
            other: other.map(|(base, _)| base),
        }
    }

    /// The root-relative links of the sample, each once and without that to the root.
    fn root_links(&self) -> BTreeSet<&str> {
        let mut found = BTreeSet::new();
        for (_, links) in self.sample.links() {
            for link in links.links.iter().chain(&links.resources) {
                let path = link.split(['?', '#']).next().unwrap_or_default().trim();
                if found.len() < MAX_LINKS
                    && path.len() > 1
                    && path.starts_with('/')
                    && !path.starts_with("//")
                {
                    found.insert(path);
                }
            }
        }
        found
    }

    /// The URL of the repository's Pages, by its remote.
    pub(super) fn pages_url(&self) -> Option<BaseUrl> {
        remote::pages_url_of(self.repository?, self.sample.output)
    }

    /// Where the repository publishes itself, if a base URL is another place of Pages: each repository has a
    /// path of its own there, and each owner a host.
    pub(super) fn published_elsewhere(&self, used: &BaseUrl) -> Option<BaseUrl> {
        let url = self.pages_url()?;
        let domain = |url: &BaseUrl| Some(url.host().split_once('.')?.1.to_owned());
        let has_path = used
            .path()
            .get(..url.path().len())
            .is_some_and(|path| path.eq_ignore_ascii_case(url.path()));
        if domain(used) != domain(&url) || used.host() == url.host() && has_path {
            return None;
        }
        match self.publication(&url) {
            PagesSite::Own => domain_in_output(self).or(Some(url)),
            PagesSite::Domain(domain) => Some(domain),
            PagesSite::Unknown | PagesSite::Elsewhere => None,
        }
    }

    fn publication(&self, url: &BaseUrl) -> PagesSite {
        let Some(repository) = self.repository else {
            return PagesSite::Unknown;
        };
        let hosts = self.manifest.host.iter();
        let others = hosts.filter_map(|(name, host)| (*name != "github-pages").then_some(host));
        published_site(repository, url, self.host_dirs, others)
    }

    /// The root of the domain in the `CNAME` file of a directory.
    fn cname_in(&self, dir: &Path) -> Option<BaseUrl> {
        let text = self.sample.output.text(&dir.join("CNAME")).ok()?;
        // The file has a domain, but a URL is a common mistake that means the same.
        let host = text.lines().next()?.trim().trim_end_matches('/');
        let host = without_scheme(host);
        (!host.is_empty()).then(|| BaseUrl::parse(&format!("https://{host}/")).ok())?
    }
}

/// The Pages URLs of the repository: answers, as far as what is in it says that it is published there,
/// or else suggestions.
fn pages_urls(query: &BaseUrlQuery<'_>) -> Vec<FoundBaseUrl> {
    let variable = "GITHUB_REPOSITORY";
    let in_actions = query.pipelines.has_value("GITHUB_ACTIONS", "true");
    let project = query.pipelines.value(variable).filter(|_| in_actions);
    let of_pipeline = project.and_then(|project| remote::pages_url(project, "github.io"));
    let found = [
        (of_pipeline, format!("the pipeline's {variable}")),
        (query.pages_url(), "the repository's remote".to_owned()),
    ];
    let found = found.into_iter();
    let found = found.filter_map(|(url, origin)| pages_answer(query, url?, origin));
    found.collect()
}

/// Decides whether a Pages URL is an answer. A repository `OWNER.github.io` of that owner has no other
/// use, and a path with the name of the repository is made for Pages.
fn pages_answer(query: &BaseUrlQuery<'_>, url: BaseUrl, origin: String) -> Option<FoundBaseUrl> {
    let published = query.publication(&url);
    let path = query.site.own_base_path().unwrap_or_default();
    let is_named = if url.is_host_root() {
        url.host().ends_with(".github.io")
    } else {
        path.trim_matches('/') == url.path().trim_matches('/')
    };
    match published {
        PagesSite::Domain(domain) => {
            let origin = "the custom domain of the repository's pages";
            Some(FoundBaseUrl::new(domain, BaseUrlKind::Guess, origin))
        }
        PagesSite::Unknown | PagesSite::Elsewhere if is_named => {
            Some(FoundBaseUrl::new(url, BaseUrlKind::Guess, origin))
        }
        PagesSite::Own => Some(FoundBaseUrl::new(url, BaseUrlKind::Guess, origin)),
        PagesSite::Unknown => Some(FoundBaseUrl::new(url, BaseUrlKind::Suggestion, origin)),
        PagesSite::Elsewhere => None,
    }
}
