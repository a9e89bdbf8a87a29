//! Determines the base URL of the output directory from waypost's setting or the site's evidence.

use std::collections::BTreeMap;
use std::path::Path;

use super::evidence::{
    BaseUrlEvidence, EvidencePlaces, cname_disagreement, collect, disagreements, earlier_answer,
};
use super::found_base::{BaseUrlOrigin, FoundBaseUrl};
use super::misplaced_settings::misnamed_file;
use super::placeholder::placeholder_finding;
use super::run_error::RunError;
use super::site_sample::SiteSample;
use crate::config::{LoadedSettings, SETTINGS_FILE, SettingOrigin};
use crate::discover::discover;
use git_last_modified::enclosing_repository;
use page_sources::generator::{Pipelines, Site};
use sitemaps::site_paths::containment::{SitemapDir, absolute};
use sitemaps::site_paths::finding::WithFindings;
use sitemaps::site_paths::{BaseUrl, display_path};

/// Returns the origin of the setting `base_url`.
fn origin_of_setting(loaded: &LoadedSettings) -> BaseUrlOrigin {
    match loaded.origin_of("base_url") {
        Some(SettingOrigin::Flag(flag)) => BaseUrlOrigin::User((*flag).to_owned()),
        Some(SettingOrigin::Environment(variable)) => BaseUrlOrigin::User(variable.clone()),
        Some(SettingOrigin::File(..) | SettingOrigin::Default) | None => BaseUrlOrigin::Setting,
    }
}

/// Whether a build writes a sitemap, or is a preview that must not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BuildWrites {
    Sitemap,
    Nothing,
}

/// Where to look for the base URL.
pub(super) struct BaseUrlQuery<'q> {
    pub(super) site: &'q Site<'q>,
    pub(super) output: &'q SitemapDir,
    pub(super) sample: &'q SiteSample<'q>,
    pub(super) loaded: &'q LoadedSettings,
    pub(super) pipelines: Pipelines<'q>,
    /// Whether this build writes a sitemap.
    pub(super) writes: BuildWrites,
    pub(super) environment: &'q BTreeMap<String, String>,
}

/// Finds the base URL of an output directory, and what is doubtful about it.
pub(super) fn find(query: &BaseUrlQuery<'_>) -> Result<WithFindings<FoundBaseUrl>, RunError> {
    let (site, pipelines) = (query.site, query.pipelines);
    let output_dir = query.output.path();
    let hosts = site.hosts_in(output_dir);
    if !hosts.is_empty() {
        let dirs = hosts
            .into_iter()
            .map(|host| display_path(&host.dir))
            .collect();
        return Err(RunError::SeveralHosts(output_dir.to_owned(), dirs));
    }
    let answer = first_configured(query)?;
    // A preview that writes nothing may use its own URL.
    if query.writes == BuildWrites::Nothing {
        return Ok(answer.value.into());
    }
    let found = &answer.value;
    match pipelines.deploy_host(&found.url) {
        Some(host) => Err(RunError::DeployUrl {
            host: host.title.clone(),
            key: setting_to_change(&found.origin, site),
            base: found.url.clone(),
            origin: found.origin.to_string(),
        }),
        None => Ok(answer),
    }
}

fn first_configured(query: &BaseUrlQuery<'_>) -> Result<WithFindings<FoundBaseUrl>, RunError> {
    let root = absolute(&query.site.root);
    let failures = query.output.containment().failures();
    let repository = failures
        .note(&root, enclosing_repository(&root))
        .ok()
        .flatten();
    let places = EvidencePlaces {
        site: query.site,
        output_dir: query.output.path(),
        sample: query.sample,
        repository: repository.as_deref(),
        containment: query.output.containment(),
        pipelines: query.pipelines,
        environment: query.environment,
    };
    if let Some(url) = query.loaded.settings.base_url.clone() {
        let origin = origin_of_setting(query.loaded);
        let found = FoundBaseUrl { url, origin };
        let contrary = cname_disagreement(&found, &places);
        return Ok(WithFindings::new(found, Vec::from_iter(contrary)));
    }
    let evidence = collect(&places);
    let found = evidence
        .best()
        .cloned()
        .or_else(|| earlier_answer(&places))
        .ok_or_else(|| no_base(query, &evidence))?;
    let setting = base_url_setting(query.site);
    let placeholder = placeholder_finding(&found.url, &found.origin, &setting);
    let disagreement = disagreements(&found, &evidence);
    let findings = placeholder.into_iter().chain(disagreement).collect();
    Ok(WithFindings::new(found, findings))
}

/// Returns the error for a missing base URL. If nothing is built yet, the missing pages are the
/// actual problem.
fn no_base(query: &BaseUrlQuery<'_>, evidence: &BaseUrlEvidence) -> RunError {
    let output_dir = query.output.path();
    let nowhere = BaseUrl::parse("https://example.com/").expect("a valid URL");
    match discover(query.output, &nowhere, &query.loaded.settings.extensions) {
        Ok(found) if !found.pages.is_empty() => {
            let flag =
                |found: &FoundBaseUrl| format!("`--base-url {}` ({})", found.url, found.origin);
            let mut suggested: Vec<String> = evidence.suggestions.iter().map(flag).collect();
            // `actions/configure-pages` has run, which sets this variable.
            if query
                .environment
                .get("GITHUB_PAGES")
                .is_some_and(|value| value == "true")
            {
                suggested.insert(0, CONFIGURED_PAGES.to_owned());
            }
            RunError::NoBaseUrl {
                stated: stated_base_url(query.site).unwrap_or_default(),
                output_dir: output_dir.to_owned(),
                key: setting_outside_pages(query.site, output_dir),
                flags: if suggested.is_empty() {
                    example_flag(query.site)
                } else {
                    suggested.join(" or ")
                },
            }
        }
        Ok(_) => RunError::NoPages(output_dir.to_owned()),
        Err(error) => error.into(),
    }
}

/// The flag with the URL that `actions/configure-pages` found.
const CONFIGURED_PAGES: &str = "`--base-url ${{ steps.pages.outputs.base_url }}` (give the step of \
                                `actions/configure-pages` the key `id: pages`)";

/// Describes the mistake in the value of the generator's settings, after a colon.
fn stated_base_url(site: &Site<'_>) -> Option<String> {
    let (key, text) = site.stated_base_url()?;
    let error = BaseUrl::try_from(text.to_owned()).err()?;
    Some(format!(": `{key}` {}", error.replace('\n', "; ")))
}

/// An example of the flag, with the path that the generator's settings have.
fn example_flag(site: &Site<'_>) -> String {
    let path = site.own_base_path().unwrap_or_default();
    format!(
        "`--base-url https://example.com/{}`",
        path.trim_start_matches('/')
    )
}

/// Names the setting to change for a different base URL. A flag or environment variable overrides
/// all files, so it is named itself.
fn setting_to_change(origin: &BaseUrlOrigin, site: &Site<'_>) -> String {
    match origin {
        BaseUrlOrigin::User(name) => format!("`{name}`"),
        _ => base_url_setting(site),
    }
}

/// Names the setting for the base URL. If the user named a directory of pages as the site, its
/// settings file would be published with them.
fn setting_outside_pages(site: &Site<'_>, output_dir: &Path) -> String {
    let is_named = site.root != Path::new(".") && absolute(&site.root) == absolute(output_dir);
    let has_settings = || {
        let file = site.root.join(SETTINGS_FILE);
        site.failures.is_file(&file) || misnamed_file(site).is_some()
    };
    if !is_named || site.generator.is_some() || has_settings() {
        return base_url_setting(site);
    }
    let dir = display_path(&site.root);
    format!("`base_url` in {SETTINGS_FILE} and run `waypost -o {dir}`")
}

/// Names the base URL setting of this generator, or waypost's own if it has none.
fn base_url_setting(site: &Site<'_>) -> String {
    if let Some(misnamed) = misnamed_file(site) {
        return format!(
            "`base_url` in {} (`{}` is not read)",
            display_path(&site.root.join(SETTINGS_FILE)),
            display_path(&misnamed)
        );
    }
    generator_setting(site).unwrap_or_else(|| {
        format!(
            "`base_url` in {}",
            display_path(&site.root.join(SETTINGS_FILE))
        )
    })
}

/// Names the setting of the generator for its base URL, and its file.
pub fn generator_setting(site: &Site<'_>) -> Option<String> {
    let file = site.config_file().map(display_path)?;
    let key = match site.generator?.base_url.as_slice() {
        [key] => key,
        [host, _] if site.config.text(host).is_some() => host,
        _ => return None,
    };
    Some(format!("`{key}` in {file}"))
}
