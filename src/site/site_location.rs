//! Where a site is served: its base URL, with the evidence for and against it.
//!
//! `base_evidence.rs` has the sources in order of precedence. The first that is not a placeholder is
//! chosen, then its path is proved: what the build rendered beats its settings, and two rendered
//! pieces of evidence that contradict each other refuse the run.

use super::base_evidence::{BaseUrlKind, BaseUrlQuery, FoundBaseUrl};
use super::base_url_hints::{
    base_url_setting, no_base, published_elsewhere, refuse_deploy_url, unproved_path,
};
use crate::findings::{Finding, HintedError, Subject, code};
use crate::generators::Pipelines;
use crate::survey::{is_placeholder, placeholder_finding};
use sitemaps::site_paths::{BaseUrl, display_path};

/// The base URL of a site, and every piece of evidence that names one.
#[derive(Debug, Clone)]
pub(crate) struct SiteLocation {
    /// The base URL in use.
    pub(crate) base: FoundBaseUrl,
    /// All evidence, in order of precedence.
    pub(crate) evidence: Vec<FoundBaseUrl>,
    /// Doubts about the base URL.
    pub(crate) doubts: Vec<Finding>,
}

/// Finds the base URL of an output directory.
pub(super) fn locate(query: &BaseUrlQuery<'_>) -> Result<SiteLocation, HintedError> {
    refuse_several_hosts(query)?;
    let mut evidence = query.evidence();
    let chosen = best(query, &evidence).ok_or_else(|| no_base(query, &evidence))?;
    let mut doubts = Vec::new();
    let mut base = chosen.clone();
    let settings = evidence
        .iter()
        .find(|found| found.kind == BaseUrlKind::Generator && found.url == base.url);
    if let Some(settings) = settings.filter(|_| base.kind == BaseUrlKind::Sitemap) {
        // This is where the user changes it.
        base.origin.clone_from(&settings.origin);
    }
    if !base.is_given() {
        let setting = base_url_setting(query.site);
        doubts.extend(placeholder_finding(&base.url, &base.origin, &setting));
    }
    match proved_path(query, &base, &evidence)? {
        Proof::Right => {}
        Proof::Other(other) => {
            evidence.insert(0, other.clone());
            base = other;
        }
        Proof::Against(finding) => doubts.push(finding),
    }
    if doubts.is_empty() {
        doubts.extend(disagreements(query, &base, &evidence));
    }
    // A preview that writes nothing may use its own URL.
    if query.is_preview {
        doubts.clear();
    } else {
        refuse_deploy_url(&base, query.site, query.pipelines)?;
    }
    Ok(SiteLocation {
        base,
        evidence,
        doubts,
    })
}

/// Refuses an output directory that contains a site for each language.
fn refuse_several_hosts(query: &BaseUrlQuery<'_>) -> Result<(), HintedError> {
    let output_dir = query.sample.output.path();
    let site = query.site;
    if !site.tree.is_same(output_dir, &site.output_dir) {
        return Ok(());
    }
    let commands: Vec<String> = site
        .languages_with_hosts()
        .iter()
        .map(|host| format!("`waypost -o {}`", display_path(&host.dir)))
        .collect();
    if commands.is_empty() {
        return Ok(());
    }
    let message = format!(
        "each language of this site has its own base URL, so `{}` contains several sites",
        display_path(output_dir)
    );
    let hint = format!("run waypost on each: {}", commands.join(", "));
    Err(HintedError::new(message, hint))
}

/// The first piece of evidence that the user gives or that names a public site, or else the first. The
/// URL of a single deploy counts only in canonical links, which every page has: then it is refused.
fn best<'e>(query: &BaseUrlQuery<'_>, evidence: &'e [FoundBaseUrl]) -> Option<&'e FoundBaseUrl> {
    let mut answers = evidence
        .iter()
        .filter(|found| found.kind != BaseUrlKind::Suggestion);
    answers
        .clone()
        .find(|found| {
            found.is_given()
                || !is_placeholder(&found.url)
                    && (found.kind == BaseUrlKind::Canonical
                        || query.pipelines.deploy_host(&found.url).is_none())
        })
        .or_else(|| answers.next())
}

/// The result of proving the path of a base URL.
enum Proof {
    /// Nothing speaks against it.
    Right,
    /// It is this one.
    Other(FoundBaseUrl),
    /// All URLs of this or of the other path do not exist, or only the user knows.
    Against(Finding),
}

/// Proves the path of the chosen base URL by the links between the pages and by the other evidence.
fn proved_path(
    query: &BaseUrlQuery<'_>,
    used: &FoundBaseUrl,
    evidence: &[FoundBaseUrl],
) -> Result<Proof, HintedError> {
    let first = |kind| evidence.iter().find(|found| found.kind == kind);
    let is_used = |kind| first(kind).is_some_and(|found| found.url == used.url);
    let (by_sitemap, by_domain) = (is_used(BaseUrlKind::Sitemap), is_used(BaseUrlKind::Domain));
    let stated = stated_path(query, used);
    let is_stated = !used.url.is_host_root() && query.states_path_of(&used.url);
    let links = query.link_proof(&used.url);
    // A template that adds the path to links that have it writes it twice.
    let path = used.url.path();
    let twice = format!("{path}{}", path.trim_start_matches('/'));
    if let Some(linked) = &links.other
        && (linked.path() != twice || used.kind > BaseUrlKind::Sitemap)
    {
        let extends = linked.as_str().starts_with(used.url.as_str());
        let is_named = query.states_path_of(linked)
            || query.own_base_url().is_some_and(|(own, _)| own == *linked)
            || query.site.computed_base_path().is_some()
            || query.pages_url().as_ref() == Some(linked);
        let replaces = match used.kind {
            BaseUrlKind::Sitemap => is_named && !linked.is_host_root(),
            kind => kind > BaseUrlKind::Sitemap && extends && linked.path() != twice,
        };
        if replaces {
            let origin = format!("{}, with the path of the pages' links", used.origin);
            return Ok(Proof::Other(FoundBaseUrl::new(
                linked.clone(),
                used.kind,
                origin,
            )));
        }
        // Templates that ignore a path link to the root, and a menu leads to other sites at this host.
        let is_path_known =
            used.kind <= BaseUrlKind::Generator || used.kind == BaseUrlKind::Earlier;
        if extends || !is_path_known {
            let linked = FoundBaseUrl::new(linked.clone(), BaseUrlKind::Hand, "the pages' links");
            return Ok(contradicted(used, &linked));
        }
    }
    if !used.is_given()
        && let Some(finding) = published_elsewhere(query, used)
    {
        return Ok(Proof::Against(finding));
    }
    let is_given_and_linked = used.is_given() && is_used(BaseUrlKind::Canonical);
    let is_sure = is_stated || is_given_and_linked || links.proves_used;
    // All pages, not only those of the sample, are compared with a base URL that the user gives.
    let canonical = first(BaseUrlKind::Canonical).filter(|_| !used.is_given());
    let domain = first(BaseUrlKind::Domain).filter(|_| !by_sitemap && !is_stated);
    let sitemap = first(BaseUrlKind::Sitemap).filter(|found| {
        let is_added = used.kind == BaseUrlKind::Canonical && adds_path(query, found, evidence);
        !(by_domain || is_sure || is_added)
    });
    for other in [canonical, domain, sitemap].into_iter().flatten() {
        if used.differs_in_path(&other.url)
            && !is_placeholder(&other.url)
            && !query.is_directory_here(&used.url, &other.url)
        {
            return Ok(contradicted(used, other));
        }
    }
    if let Some((key, other)) = stated.filter(|_| !links.proves_used) {
        if used.kind == BaseUrlKind::Sitemap {
            // A plugin for sitemaps may not know the path of the links.
            let origin = format!("{}, with the path of `{key}`", used.origin);
            return Ok(Proof::Other(FoundBaseUrl::new(other, used.kind, origin)));
        }
        return Ok(without_stated_path(query, used, key, &other));
    }
    let is_doubtful = matches!(
        used.kind,
        BaseUrlKind::Generator | BaseUrlKind::Hand | BaseUrlKind::Guess
    ) && !(links.proves_used || query.is_preview);
    if is_doubtful && let Some(refusal) = unproved_path(query, used) {
        return Err(refusal);
    }
    Ok(Proof::Right)
}

/// Whether the generator's own sitemap puts a path of its own before each page, and nothing else has it.
fn adds_path(query: &BaseUrlQuery<'_>, own: &FoundBaseUrl, evidence: &[FoundBaseUrl]) -> bool {
    let generator = query.site.generator;
    let mut others = evidence
        .iter()
        .filter(|found| found.kind > BaseUrlKind::Sitemap);
    generator.is_some_and(|known| known.own_sitemaps_add_path)
        && !others.any(|found| found.url == own.url)
}

/// A key of the generator's settings with a path that the base URL in use lacks, and the base URL with it.
fn stated_path<'q>(query: &BaseUrlQuery<'q>, used: &FoundBaseUrl) -> Option<(&'q str, BaseUrl)> {
    if used.kind == BaseUrlKind::Canonical {
        return None;
    }
    query.site.base_paths().find_map(|(key, path)| {
        let path = path.trim_matches('/');
        if matches!(path, "" | ".") || used.url.path().starts_with(&format!("/{path}/")) {
            return None;
        }
        let url = BaseUrl::parse(&format!("{}/{path}/", used.url.origin())).ok()?;
        (!query.is_directory_here(&used.url, &url)).then_some((key, url))
    })
}

fn without_stated_path(
    query: &BaseUrlQuery<'_>,
    used: &FoundBaseUrl,
    key: &str,
    other: &BaseUrl,
) -> Proof {
    let message = format!(
        "the base URL `{}`, from {}, does not have the path `{}` of `{key}` in the generator's settings",
        used.url,
        used.origin,
        other.path()
    );
    let own = query.own_base_url();
    let is_stated_host = own.is_some_and(|(own, _)| own.host() == used.url.host());
    // A site may be at another path of another host: that only the user knows.
    if used.is_given() && !is_stated_host {
        let finding = Finding::new(code::BASE_URL_DISAGREEMENT, Subject::Site, message);
        let hint = format!("if the site is served below that path, pass `--base-url {other}`");
        return Proof::Against(finding.with_hint(hint));
    }
    Proof::Against(refusal(message, used, other))
}

fn contradicted(used: &FoundBaseUrl, other: &FoundBaseUrl) -> Proof {
    let message = format!(
        "the base URL is `{}`, from {}, but `{}`, from {}, has another path",
        used.url, used.origin, other.url, other.origin
    );
    Proof::Against(refusal(message, used, &other.url))
}

fn refusal(message: String, used: &FoundBaseUrl, other: &BaseUrl) -> Finding {
    let code = code::BASE_URL_CONTRADICTED;
    let hint = format!(
        "if the site is served at `{other}`, pass `--base-url {other}`; else build it again with `{}`, or \
         overrule this with `--accept {}`",
        used.url, code.name
    );
    Finding::new(code, Subject::Site, message).with_hint(hint)
}

/// Reports statements that name another host than the base URL in use, or another path than the one that
/// was proved.
fn disagreements(
    query: &BaseUrlQuery<'_>,
    used: &FoundBaseUrl,
    evidence: &[FoundBaseUrl],
) -> Option<Finding> {
    if !used.is_statement() || is_placeholder(&used.url) {
        return None;
    }
    // A host redirects its own domain to that of the site, or serves both.
    let host = query.pipelines.host(None);
    let is_on_own_host = host.is_some() && Pipelines::host_of_domain(&used.url) == host;
    let mut others = Vec::new();
    for other in evidence {
        let is_asked = if used.is_given() {
            matches!(other.kind, BaseUrlKind::Domain | BaseUrlKind::Hand)
                && other.origin != "robots.txt"
        } else {
            let is_production = other.kind == BaseUrlKind::Guess && is_on_own_host;
            (other.is_statement() || is_production) && other != used
        };
        let is_other_path = match other.kind {
            // Only the sitemap of this build has a path that was set aside.
            BaseUrlKind::Sitemap => other.url != used.url,
            // A flag replaces the whole URL, a plugin may know the host alone.
            BaseUrlKind::Generator => {
                other.url != used.url
                    && other.url.as_str().starts_with(used.url.as_str())
                    && !query.is_directory_here(&used.url, &other.url)
            }
            _ => false,
        };
        let is_other_host = other.url.origin() != used.url.origin()
            && !(other.kind == BaseUrlKind::Generator && query.site.names_host_of(&used.url));
        if is_asked && (is_other_path || is_other_host) && !is_placeholder(&other.url) {
            let same = query.same_pages(other).unwrap_or_default();
            others.push(format!("`{}` from {}{same}", other.url, other.origin));
        }
    }
    // The former owner of a site, or of a template, has another host of Pages. In a fork, it may be right.
    let published = query.published_elsewhere(used);
    if let Some(published) = published.filter(|_| !used.is_given()) {
        others.push(format!(
            "`{published}`, where this repository publishes itself"
        ));
    }
    if others.is_empty() {
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
