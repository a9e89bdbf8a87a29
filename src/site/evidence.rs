//! Evidence for the base URL, in order of precedence. Each piece names where it comes from.

use std::collections::BTreeMap;
use std::path::Path;

use super::found_base::{BaseUrlOrigin, FoundBaseUrl};
use super::named_base::{BaseVotes, base_of_file};
use super::page_evidence::{absolute_url, canonical_base_url};
use super::placeholder::is_placeholder;
use super::remote;
use super::site_sample::{SampledSitemap, SiteSample};
use crate::config::LoadedSettings;
use page_sources::generator::{Pipelines, Site};
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
    pub(super) environment: &'q BTreeMap<String, String>,
}

/// Everything that names a base URL.
#[derive(Debug, Default)]
pub(super) struct BaseUrlEvidence {
    /// The answers, in order of precedence.
    pub answers: Vec<FoundBaseUrl>,
    /// URLs that may be right, for the user to choose.
    pub suggestions: Vec<FoundBaseUrl>,
}

impl BaseUrlEvidence {
    /// The first answer that is not a placeholder, or else the first.
    pub(super) fn best(&self) -> Option<&FoundBaseUrl> {
        let real = self
            .answers
            .iter()
            .find(|found| !is_placeholder(&found.url));
        real.or_else(|| self.answers.first())
    }
}

/// Collects the evidence for a site without a base URL in waypost's settings.
pub(super) fn collect(query: &BaseUrlQuery<'_>) -> BaseUrlEvidence {
    let own = query.site.own_base_url(query.sample.output.path());
    let own = own.map(|(key, url)| found(url, BaseUrlOrigin::Generator(key)));
    let pipeline = query.pipelines.base_url();
    let pipeline = pipeline.map(|(name, url)| found(url, BaseUrlOrigin::Pipeline(name.to_owned())));
    let answers = canonical_base_url(query.sample).into_iter();
    let answers = answers.chain(own).chain(from_sitemaps(query));
    let answers = answers.chain(from_cname(query)).chain(pipeline);
    let mut evidence = BaseUrlEvidence {
        answers: answers.collect(),
        suggestions: Vec::new(),
    };
    for (known, is_published) in pages_urls(query) {
        if is_published {
            evidence.answers.push(known);
        } else {
            evidence.suggestions.push(known);
        }
    }
    evidence
}

fn found(url: BaseUrl, origin: BaseUrlOrigin) -> FoundBaseUrl {
    FoundBaseUrl { url, origin }
}

/// Reads the base URL of an earlier run from the sitemap that it wrote over the evidence. Without
/// it, `waypost` would find a base URL only once, and `waypost check` never.
pub(super) fn earlier_answer(query: &BaseUrlQuery<'_>) -> Option<FoundBaseUrl> {
    let mut sitemaps = query.sample.sitemaps().iter();
    let sitemap = sitemaps.find(|sitemap| sitemap.has_mark)?;
    let origin = BaseUrlOrigin::EarlierSitemap(sitemap.name.to_owned());
    base_of_sitemap(query, sitemap).map(|url| found(url, origin))
}

/// Returns the base URL under which most of a sitemap's URLs are files of the output directory.
fn base_of_sitemap(query: &BaseUrlQuery<'_>, sitemap: &SampledSitemap) -> Option<BaseUrl> {
    let mut votes = BaseVotes::default();
    let urls = sitemap.locs.iter().filter_map(|loc| absolute_url(loc));
    let bases = urls.filter_map(|url| base_of_file(query.sample, &url));
    bases.for_each(|base| votes.add(base));
    votes.most().map(|(url, ..)| url)
}

/// Reads the generator's own sitemap and the lines of robots.txt. A set that waypost wrote is only
/// an earlier answer.
fn from_sitemaps(query: &BaseUrlQuery<'_>) -> Vec<FoundBaseUrl> {
    let mut evidence = Vec::new();
    for sitemap in query.sample.sitemaps() {
        if sitemap.has_mark {
            return Vec::new();
        }
        if let Some(url) = base_of_sitemap(query, sitemap) {
            let origin = BaseUrlOrigin::OwnSitemap(sitemap.name.to_owned());
            evidence.push(found(url, origin));
            break;
        }
    }
    evidence.extend(from_robots(query).map(|url| found(url, BaseUrlOrigin::RobotsTxt)));
    evidence
}

fn from_robots(query: &BaseUrlQuery<'_>) -> Option<BaseUrl> {
    let file = query.sample.output.path().join("robots.txt");
    let bytes = query.sample.output.containment().read(&file).ok()?;
    let mut votes = BaseVotes::default();
    for url in sitemaps_in(&bytes) {
        let is_at_root = url.path_and_query().matches('/').count() == 1;
        let at_root = || BaseUrl::parse(&format!("{}/", url.origin())).ok();
        let base = base_of_file(query.sample, &url).or_else(|| is_at_root.then(at_root).flatten());
        if let Some(base) = base {
            votes.add(base);
        }
    }
    votes.most().map(|(url, ..)| url)
}

/// Reads the `CNAME` file, in which GitHub Pages and similar hosts expect a custom domain, with the
/// path in the generator's settings.
pub(super) fn from_cname(query: &BaseUrlQuery<'_>) -> Option<FoundBaseUrl> {
    let path = query.site.own_base_path().unwrap_or_default();
    let read = |dir: &Path| {
        let text = query
            .sample
            .output
            .containment()
            .read_text(&dir.join("CNAME"))
            .ok()?;
        // The file has a domain, but a URL is a common mistake that means the same.
        let host = text.lines().next()?.trim().trim_end_matches('/');
        let host = without_scheme(host);
        let url = format!("https://{host}/{}", path.trim_start_matches('/'));
        (!host.is_empty()).then(|| BaseUrl::parse(&url).ok())?
    };
    let own = read(query.sample.output.path()).map(|url| found(url, BaseUrlOrigin::Cname));
    own.or_else(|| {
        let dirs = [Some(query.site.root.as_path()), query.repository];
        let url = dirs.into_iter().flatten().find_map(read)?;
        Some(found(url, BaseUrlOrigin::RepositoryCname))
    })
}

/// The Pages URLs of the repository, and whether it is published there.
fn pages_urls(query: &BaseUrlQuery<'_>) -> Vec<(FoundBaseUrl, bool)> {
    let variable = "GITHUB_REPOSITORY";
    let in_actions = query.environment.get("GITHUB_ACTIONS").map(String::as_str) == Some("true");
    let project = query.environment.get(variable).filter(|_| in_actions);
    let failures = query.sample.output.containment().failures();
    let url = project.and_then(|project| remote::github_pages(project));
    let publishes = query
        .repository
        .is_some_and(|root| remote::pages_host(root, failures).is_some());
    let of_pipeline = url.map(|url| {
        (
            found(url, BaseUrlOrigin::Pipeline(variable.to_owned())),
            publishes,
        )
    });
    let path = query.site.own_base_path();
    let of_remote = query
        .repository
        .and_then(|root| remote::of_repository(root, path, publishes, failures))
        .map(|pages| (found(pages.url, BaseUrlOrigin::Remote), pages.is_published));
    of_pipeline.into_iter().chain(of_remote).collect()
}

/// Reports statements that name another host than the base URL in use.
pub(super) fn disagreements(used: &FoundBaseUrl, answers: &[FoundBaseUrl]) -> Option<Finding> {
    let differs = |other: &&FoundBaseUrl| {
        other.origin.is_statement()
            && other.url.origin() != used.url.origin()
            && !is_placeholder(&other.url)
    };
    let others: Vec<String> = answers
        .iter()
        .filter(differs)
        .map(|other| format!("`{}` from {}", other.url, other.origin))
        .collect();
    if others.is_empty() || !used.origin.is_statement() || is_placeholder(&used.url) {
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
