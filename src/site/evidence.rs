//! Evidence for the base URL, in order of precedence. Each piece names where it comes from.

use std::cell::OnceCell;
use std::path::Path;

use super::found_base::{BaseUrlKind, FoundBaseUrl};
use super::full_url::absolute_url;
use super::host_dirs::HostDirs;
use super::named_base::{base_of_file, most_named};
use super::page_evidence::canonical_base_url;
use super::pages_publication::{PagesSite, published_site};
use super::placeholder::is_placeholder;
use super::remote;
use super::site_sample::{SampledSitemap, SiteSample};
use crate::config::LoadedSettings;
use crate::hosts::files_for_path;
use page_sources::generator::{Manifest, Pipelines, Site};
use sitemaps::robots_txt::sitemaps_in;
use sitemaps::site_paths::finding::{Finding, Subject, code};
use sitemaps::site_paths::{BaseUrl, without_scheme};

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
    /// Read when they are first needed.
    pub(super) answers: RenderedAnswers,
}

/// The base URLs that the build itself names, each found once.
#[derive(Default)]
pub(super) struct RenderedAnswers {
    canonical: OnceCell<Option<FoundBaseUrl>>,
    own_sitemap: OnceCell<Option<FoundBaseUrl>>,
}

/// The first answer that is not a placeholder, or else the first.
pub(super) fn best(evidence: &[FoundBaseUrl]) -> Option<&FoundBaseUrl> {
    let is_answer = |found: &&FoundBaseUrl| found.kind != BaseUrlKind::Suggestion;
    let mut answers = evidence.iter().filter(is_answer);
    let first = answers.clone().next();
    answers.find(|found| !is_placeholder(&found.url)).or(first)
}

/// Collects the evidence for a site without a base URL in waypost's settings: the answers, in order of
/// precedence, and suggestions.
pub(super) fn collect(query: &BaseUrlQuery<'_>) -> Vec<FoundBaseUrl> {
    let own = query.own_base_url();
    let pipeline = query.pipelines.base_url();
    let pipeline = pipeline.map(|(variable, url)| {
        FoundBaseUrl::new(
            url,
            BaseUrlKind::Guess,
            format!("the pipeline's {variable}"),
        )
    });
    let answers = query.canonical().cloned().into_iter();
    let answers = answers.chain(own).chain(cname_of_output(query));
    let answers = answers.chain(from_sitemaps(query));
    let mut answers: Vec<FoundBaseUrl> = answers.chain(from_cname(query)).chain(pipeline).collect();
    // The repository is asked only where nothing else names a site.
    if answers.iter().all(|found| is_placeholder(&found.url)) {
        answers.extend(pages_urls(query));
    }
    answers
}

/// Reads the base URL of an earlier run from the sitemap that it wrote over the evidence. Without
/// it, `waypost` would find a base URL only once, and `waypost check` never.
pub(super) fn earlier_answer(sample: &SiteSample<'_>) -> Option<FoundBaseUrl> {
    let mut sitemaps = sample.sitemaps().iter();
    let sitemap = sitemaps.find(|sitemap| sitemap.has_mark)?;
    let origin = format!("waypost's earlier {}", sitemap.name);
    base_of_sitemap(sample, sitemap).map(|url| FoundBaseUrl::new(url, BaseUrlKind::Guess, origin))
}

/// Returns the base URL under which most of a sitemap's URLs are files of the output directory; `None`
/// if fewer than half of them are, as in the sitemap of another build.
fn base_of_sitemap(sample: &SiteSample<'_>, sitemap: &SampledSitemap) -> Option<BaseUrl> {
    let urls = sitemap.locs.iter().filter_map(|loc| absolute_url(loc));
    let bases = urls.filter_map(|url| base_of_file(sample, &url));
    let (url, named, _) = most_named(bases)?;
    (named * 2 >= sitemap.locs.len()).then_some(url)
}

/// Reads the generator's own sitemap. A set that waypost wrote is only an earlier answer.
fn from_own_sitemap(sample: &SiteSample<'_>) -> Option<FoundBaseUrl> {
    let sitemaps = sample.sitemaps().iter();
    let (url, name) = sitemaps
        .take_while(|sitemap| !sitemap.has_mark)
        .find_map(|sitemap| Some((base_of_sitemap(sample, sitemap)?, sitemap.name)))?;
    let origin = format!("the generator's {name}");
    Some(FoundBaseUrl::new(url, BaseUrlKind::Statement, origin))
}

/// Whether the sampled sitemaps list a file of the output directory below a base URL, besides the home
/// page.
pub(super) fn lists_below(sample: &SiteSample<'_>, base: &BaseUrl) -> bool {
    let locs = sample.sitemaps().iter().flat_map(|sitemap| &sitemap.locs);
    locs.filter_map(|loc| absolute_url(loc)).any(|url| {
        let path = base.path_below(&url).filter(|path| !path.is_empty());
        path.is_some_and(|path| {
            let mut files = files_for_path(path).into_iter();
            files.any(|file| sample.has_file(&file))
        })
    })
}

/// Reads the generator's own sitemap and the lines of robots.txt, unless waypost wrote the set.
fn from_sitemaps(query: &BaseUrlQuery<'_>) -> Vec<FoundBaseUrl> {
    let (sample, own) = (query.sample, query.own_sitemap().cloned());
    if own.is_none() && sample.sitemaps().iter().any(|sitemap| sitemap.has_mark) {
        return Vec::new();
    }
    let robots =
        from_robots(sample).map(|url| FoundBaseUrl::new(url, BaseUrlKind::Statement, "robots.txt"));
    own.into_iter().chain(robots).collect()
}

fn from_robots(sample: &SiteSample<'_>) -> Option<BaseUrl> {
    let output = sample.output;
    let bytes = output.containment().read(&output.path().join("robots.txt"));
    let bases = sitemaps_in(&bytes.ok()?).into_iter().filter_map(|url| {
        let is_at_root = url.path_and_query().matches('/').count() == 1;
        let at_root = || BaseUrl::parse(&format!("{}/", url.origin())).ok();
        base_of_file(sample, &url).or_else(|| is_at_root.then(at_root).flatten())
    });
    most_named(bases).map(|(url, ..)| url)
}

/// Reads the `CNAME` file, in which GitHub Pages and similar hosts expect a custom domain, with the
/// path in the generator's settings.
pub(super) fn from_cname(query: &BaseUrlQuery<'_>) -> Option<FoundBaseUrl> {
    let in_repository = || {
        let dirs = [Some(query.site.root.as_path()), query.repository];
        let host = dirs
            .into_iter()
            .flatten()
            .find_map(|dir| query.cname_in(dir))?;
        Some((host, "CNAME in the repository"))
    };
    let host = query.cname_in(query.sample.output.path());
    let (host, origin) = host.map(|host| (host, "CNAME")).or_else(in_repository)?;
    let path = query.site.own_base_path().unwrap_or_default();
    let url = BaseUrl::parse(&format!("{host}{}", path.trim_start_matches('/'))).ok()?;
    Some(FoundBaseUrl::new(url, BaseUrlKind::Statement, origin))
}

/// Reads the `CNAME` file of the output directory, which is published at the root of that domain.
pub(super) fn cname_of_output(query: &BaseUrlQuery<'_>) -> Option<FoundBaseUrl> {
    let url = query.cname_in(query.sample.output.path())?;
    Some(FoundBaseUrl::new(url, BaseUrlKind::Statement, "CNAME"))
}

impl BaseUrlQuery<'_> {
    /// The base URL that the canonical links of the sample imply.
    pub(super) fn canonical(&self) -> Option<&FoundBaseUrl> {
        let found = self
            .answers
            .canonical
            .get_or_init(|| canonical_base_url(self.sample));
        found.as_ref()
    }

    /// The base URL of the generator's own sitemap.
    pub(super) fn own_sitemap(&self) -> Option<&FoundBaseUrl> {
        let found = self
            .answers
            .own_sitemap
            .get_or_init(|| from_own_sitemap(self.sample));
        found.as_ref()
    }

    /// The base URL in the generator's settings.
    pub(super) fn own_base_url(&self) -> Option<FoundBaseUrl> {
        let (key, url) = self.site.own_base_url(self.sample.output.path())?;
        let origin = format!("`{key}` in the generator's settings");
        Some(FoundBaseUrl::new(url, BaseUrlKind::Statement, origin))
    }

    /// The root of the domain in the `CNAME` file of a directory.
    fn cname_in(&self, dir: &Path) -> Option<BaseUrl> {
        let containment = self.sample.output.containment();
        let text = containment.read_text(&dir.join("CNAME")).ok()?;
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
    let failures = query.sample.output.failures();
    let of_remote = query
        .repository
        .and_then(|root| remote::pages_url_of(root, failures));
    let found = [
        (of_pipeline, format!("the pipeline's {variable}")),
        (of_remote, "the repository's remote".to_owned()),
    ];
    let found = found.into_iter();
    let found = found.filter_map(|(url, origin)| pages_answer(query, url?, origin));
    found.collect()
}

/// Decides whether a Pages URL is an answer. A repository `OWNER.github.io` of that owner has no other
/// use, and a path with the name of the repository is made for Pages.
fn pages_answer(query: &BaseUrlQuery<'_>, url: BaseUrl, origin: String) -> Option<FoundBaseUrl> {
    let hosts = query.manifest.host.iter();
    let others = hosts.filter_map(|(name, host)| (*name != "github-pages").then_some(host));
    let published = query.repository.map_or(PagesSite::Unknown, |root| {
        published_site(root, &url, query.host_dirs, others)
    });
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

/// Reports statements that name another host than the base URL in use.
pub(super) fn disagreements(used: &FoundBaseUrl, answers: &[FoundBaseUrl]) -> Option<Finding> {
    let differs = |other: &&FoundBaseUrl| {
        other.is_statement()
            && other.url.origin() != used.url.origin()
            && !is_placeholder(&other.url)
    };
    let others: Vec<String> = answers
        .iter()
        .filter(differs)
        .map(|other| format!("`{}` from {}", other.url, other.origin))
        .collect();
    if others.is_empty() || !used.is_statement() || is_placeholder(&used.url) {
        return None;
    }
    let message = format!(
        "the base URL is `{}`, from {}, but the site also names {}",
        used.url,
        used.origin,
        others.join(" and ")
    );
    let finding = Finding::new(code::BASE_URL_DISAGREEMENT, Subject::Site, message);
    Some(finding.with_hint("make them agree, or set `base_url` in waypost.toml"))
}
