//! Evidence for the base URL, in order of precedence. Each piece names where it comes from.

use std::path::Path;

use super::found_base::{BaseUrlKind, FoundBaseUrl};
use super::named_base::{base_of_file, most_named};
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
    let own = query.site.own_base_url(query.sample.output.path());
    let own = own.map(|(key, url)| {
        let origin = format!("`{key}` in the generator's settings");
        FoundBaseUrl::new(url, BaseUrlKind::Statement, origin)
    });
    let pipeline = query.pipelines.base_url();
    let pipeline = pipeline.map(|(variable, url)| of_variable(url, BaseUrlKind::Guess, variable));
    let answers = canonical_base_url(query.sample).into_iter();
    let answers = answers.chain(own).chain(from_sitemaps(query.sample));
    let answers = answers.chain(from_cname(query)).chain(pipeline);
    answers.chain(pages_urls(query)).collect()
}

fn of_variable(url: BaseUrl, kind: BaseUrlKind, variable: &str) -> FoundBaseUrl {
    FoundBaseUrl::new(url, kind, format!("the pipeline's {variable}"))
}

/// Reads the base URL of an earlier run from the sitemap that it wrote over the evidence. Without
/// it, `waypost` would find a base URL only once, and `waypost check` never.
pub(super) fn earlier_answer(sample: &SiteSample<'_>) -> Option<FoundBaseUrl> {
    let mut sitemaps = sample.sitemaps().iter();
    let sitemap = sitemaps.find(|sitemap| sitemap.has_mark)?;
    let origin = format!("waypost's earlier {}", sitemap.name);
    base_of_sitemap(sample, sitemap).map(|url| FoundBaseUrl::new(url, BaseUrlKind::Guess, origin))
}

/// Returns the base URL under which most of a sitemap's URLs are files of the output directory.
fn base_of_sitemap(sample: &SiteSample<'_>, sitemap: &SampledSitemap) -> Option<BaseUrl> {
    let urls = sitemap.locs.iter().filter_map(|loc| absolute_url(loc));
    let bases = urls.filter_map(|url| base_of_file(sample, &url));
    most_named(bases).map(|(url, ..)| url)
}

/// Reads the generator's own sitemap and the lines of robots.txt. A set that waypost wrote is only
/// an earlier answer.
fn from_sitemaps(sample: &SiteSample<'_>) -> Vec<FoundBaseUrl> {
    let statement = |url, origin: &str| FoundBaseUrl::new(url, BaseUrlKind::Statement, origin);
    let mut evidence = Vec::new();
    for sitemap in sample.sitemaps() {
        if sitemap.has_mark {
            return Vec::new();
        }
        if let Some(url) = base_of_sitemap(sample, sitemap) {
            evidence.push(statement(url, &format!("the generator's {}", sitemap.name)));
            break;
        }
    }
    evidence.extend(from_robots(sample).map(|url| statement(url, "robots.txt")));
    evidence
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
    let path = query.site.own_base_path().unwrap_or_default();
    let output = query.sample.output;
    let read = |dir: &Path| {
        let text = output.containment().read_text(&dir.join("CNAME")).ok()?;
        // The file has a domain, but a URL is a common mistake that means the same.
        let host = text.lines().next()?.trim().trim_end_matches('/');
        let host = without_scheme(host);
        let url = format!("https://{host}/{}", path.trim_start_matches('/'));
        (!host.is_empty()).then(|| BaseUrl::parse(&url).ok())?
    };
    let in_repository = || {
        let dirs = [Some(query.site.root.as_path()), query.repository];
        let url = dirs.into_iter().flatten().find_map(read)?;
        Some((url, "CNAME in the repository"))
    };
    let found = read(output.path()).map(|url| (url, "CNAME"));
    let (url, origin) = found.or_else(in_repository)?;
    Some(FoundBaseUrl::new(url, BaseUrlKind::Statement, origin))
}

/// The Pages URLs of the repository: answers, as far as its files say that it is published there, or
/// else suggestions.
fn pages_urls(query: &BaseUrlQuery<'_>) -> impl Iterator<Item = FoundBaseUrl> {
    let variable = "GITHUB_REPOSITORY";
    let in_actions = query.pipelines.has_value("GITHUB_ACTIONS", "true");
    let project = query.pipelines.value(variable).filter(|_| in_actions);
    let failures = query.sample.output.failures();
    let publishes = query
        .repository
        .is_some_and(|root| remote::pages_host(root, failures).is_some());
    let kind = if publishes {
        BaseUrlKind::Guess
    } else {
        BaseUrlKind::Suggestion
    };
    let of_pipeline = project
        .and_then(|project| remote::pages_url(project, "github.io"))
        .map(|url| of_variable(url, kind, variable));
    let path = query.site.own_base_path();
    let of_remote = query
        .repository
        .and_then(|root| remote::of_repository(root, path, kind, failures));
    of_pipeline.into_iter().chain(of_remote)
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
