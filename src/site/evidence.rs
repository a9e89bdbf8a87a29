//! Evidence for the base URL, in order of precedence. Each piece names where it comes from.

use std::collections::BTreeMap;
use std::path::Path;

use super::found_base::{BaseUrlOrigin, FoundBaseUrl};
use super::named_base::{BaseVotes, base_of_file};
use super::page_evidence::{absolute_url, canonical_base_url, open_graph_base};
use super::placeholder::is_placeholder;
use super::remote;
use super::site_sample::{SampledSitemap, SiteSample};
use page_sources::generator::{Pipelines, Site};
use sitemaps::robots_txt::sitemaps_in;
use sitemaps::site_paths::containment::Containment;
use sitemaps::site_paths::finding::{Finding, Subject, code};
use sitemaps::site_paths::{BaseUrl, without_scheme};

/// Where to look for evidence.
pub(super) struct EvidencePlaces<'a> {
    /// The site.
    pub site: &'a Site<'a>,
    /// The output directory.
    pub output_dir: &'a Path,
    /// A sample of its pages and sitemaps.
    pub sample: &'a SiteSample<'a>,
    /// The top of the repository.
    pub repository: Option<&'a Path>,
    /// The directories in which files may be read.
    pub containment: &'a Containment,
    /// The build pipelines.
    pub pipelines: Pipelines<'a>,
    /// The environment.
    pub environment: &'a BTreeMap<String, String>,
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
pub(super) fn collect(places: &EvidencePlaces<'_>) -> BaseUrlEvidence {
    let own = places.site.own_base_url(places.output_dir);
    let own = own.map(|(key, url)| found(url, BaseUrlOrigin::Generator(key)));
    let open_graph = open_graph_base(places.sample);
    let open_graph = open_graph.map(|url| found(url, BaseUrlOrigin::OpenGraph));
    let pipeline = places.pipelines.base_url();
    let pipeline = pipeline.map(|(name, url)| found(url, BaseUrlOrigin::Pipeline(name.to_owned())));
    let answers = canonical_base_url(places.sample).into_iter();
    let answers = answers.chain(own).chain(from_sitemaps(places));
    let answers = answers.chain(open_graph).chain(from_cname(places));
    let mut evidence = BaseUrlEvidence {
        answers: answers.chain(pipeline).collect(),
        suggestions: Vec::new(),
    };
    for (known, is_published) in pages_urls(places) {
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
pub(super) fn earlier_answer(places: &EvidencePlaces<'_>) -> Option<FoundBaseUrl> {
    let mut sitemaps = places.sample.sitemaps().iter();
    let sitemap = sitemaps.find(|sitemap| sitemap.has_mark)?;
    let origin = BaseUrlOrigin::EarlierSitemap(sitemap.name.to_owned());
    base_of_sitemap(places, sitemap).map(|url| found(url, origin))
}

/// Returns the base URL under which most of a sitemap's URLs are files of the output directory.
fn base_of_sitemap(places: &EvidencePlaces<'_>, sitemap: &SampledSitemap) -> Option<BaseUrl> {
    let mut votes = BaseVotes::default();
    let urls = sitemap.locs.iter().filter_map(|loc| absolute_url(loc));
    let bases = urls.filter_map(|url| base_of_file(places.sample, &url));
    bases.for_each(|base| votes.add(base));
    votes.most().map(|(url, ..)| url)
}

/// Reads the generator's own sitemap and the lines of robots.txt. A set that waypost wrote is only
/// an earlier answer.
fn from_sitemaps(places: &EvidencePlaces<'_>) -> Vec<FoundBaseUrl> {
    let mut evidence = Vec::new();
    for sitemap in places.sample.sitemaps() {
        if sitemap.has_mark {
            return Vec::new();
        }
        if let Some(url) = base_of_sitemap(places, sitemap) {
            let origin = BaseUrlOrigin::OwnSitemap(sitemap.name.to_owned());
            evidence.push(found(url, origin));
            break;
        }
    }
    evidence.extend(from_robots(places).map(|url| found(url, BaseUrlOrigin::RobotsTxt)));
    evidence
}

fn from_robots(places: &EvidencePlaces<'_>) -> Option<BaseUrl> {
    let file = places.output_dir.join("robots.txt");
    let bytes = places.containment.read(&file).ok()?;
    let mut votes = BaseVotes::default();
    for url in sitemaps_in(&bytes) {
        let is_at_root = url.path_and_query().matches('/').count() == 1;
        let at_root = || BaseUrl::parse(&format!("{}/", url.origin())).ok();
        let base = base_of_file(places.sample, &url).or_else(|| is_at_root.then(at_root).flatten());
        if let Some(base) = base {
            votes.add(base);
        }
    }
    votes.most().map(|(url, ..)| url)
}

/// Reads the `CNAME` file, in which GitHub Pages and similar hosts expect a custom domain, with the
/// path in the generator's settings.
fn from_cname(places: &EvidencePlaces<'_>) -> Option<FoundBaseUrl> {
    let path = places.site.own_base_path().unwrap_or_default();
    let read = |dir: &Path| {
        let text = places.containment.read_text(&dir.join("CNAME")).ok()?;
        // The file has a domain, but a URL is a common mistake that means the same.
        let host = text.lines().next()?.trim().trim_end_matches('/');
        let host = without_scheme(host);
        let url = format!("https://{host}/{}", path.trim_start_matches('/'));
        (!host.is_empty()).then(|| BaseUrl::parse(&url).ok())?
    };
    let own = read(places.output_dir).map(|url| found(url, BaseUrlOrigin::Cname));
    own.or_else(|| {
        let dirs = [Some(places.site.root.as_path()), places.repository];
        let url = dirs.into_iter().flatten().find_map(read)?;
        Some(found(url, BaseUrlOrigin::RepositoryCname))
    })
}

/// The Pages URLs of the repository, and whether it is published there.
fn pages_urls(places: &EvidencePlaces<'_>) -> Vec<(FoundBaseUrl, bool)> {
    let variable = "GITHUB_REPOSITORY";
    let in_actions = places.environment.get("GITHUB_ACTIONS").map(String::as_str) == Some("true");
    let project = places.environment.get(variable).filter(|_| in_actions);
    let failures = places.containment.failures();
    let url = project.and_then(|project| remote::github_pages(project));
    let publishes = places
        .repository
        .is_some_and(|root| remote::pages_host(root, failures).is_some());
    let of_pipeline = url.map(|url| {
        (
            found(url, BaseUrlOrigin::Pipeline(variable.to_owned())),
            publishes,
        )
    });
    let path = places.site.own_base_path();
    let of_remote = places
        .repository
        .and_then(|root| remote::of_repository(root, path, publishes, failures))
        .map(|pages| (found(pages.url, BaseUrlOrigin::Remote), pages.is_published));
    of_pipeline.into_iter().chain(of_remote).collect()
}

/// Reports a `CNAME` that names another host than waypost's own setting.
pub(super) fn cname_disagreement(
    used: &FoundBaseUrl,
    places: &EvidencePlaces<'_>,
) -> Option<Finding> {
    let evidence = BaseUrlEvidence {
        answers: Vec::from_iter(from_cname(places)),
        ..BaseUrlEvidence::default()
    };
    disagreements(used, &evidence)
}

/// Reports statements that name another host than the base URL in use.
pub(super) fn disagreements(used: &FoundBaseUrl, evidence: &BaseUrlEvidence) -> Option<Finding> {
    let differs = |other: &&FoundBaseUrl| {
        other.origin.is_statement()
            && other.url.origin() != used.url.origin()
            && !is_placeholder(&other.url)
    };
    let others: Vec<String> = evidence
        .answers
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
