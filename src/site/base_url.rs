//! Determines the base URL of the output directory from waypost's setting or the site's evidence.

use std::path::Path;

use super::contradicted_path::path_contradicted;
use super::evidence::{BaseUrlQuery, best, collect, disagreements, earlier_answer, from_cname};
use super::found_base::{BaseUrlKind, FoundBaseUrl};
use super::full_url::nowhere;
use super::misplaced_settings::misnamed_file;
use super::page_evidence::stated_by_pages;
use super::placeholder::placeholder_finding;
use super::run_error::RunError;
use crate::config::{LoadedSettings, SETTINGS_FILE, SettingOrigin};
use crate::discover::discover;
use page_sources::generator::{Pipelines, Site};
use sitemaps::site_paths::containment::absolute;
use sitemaps::site_paths::finding::WithFindings;
use sitemaps::site_paths::{BaseUrl, HintedError, display_path};

/// Returns the setting `base_url`.
fn of_setting(loaded: &LoadedSettings) -> Option<FoundBaseUrl> {
    let (kind, origin) = match loaded.origin_of("base_url") {
        Some(SettingOrigin::Flag(flag)) => (BaseUrlKind::User, *flag),
        Some(SettingOrigin::Environment(variable)) => (BaseUrlKind::User, variable.as_str()),
        _ => (BaseUrlKind::Setting, "the settings"),
    };
    let url = loaded.settings.base_url.clone()?;
    Some(FoundBaseUrl::new(url, kind, origin))
}

/// Finds the base URL of an output directory, and what is doubtful about it.
pub(super) fn find(query: &BaseUrlQuery<'_>) -> Result<WithFindings<FoundBaseUrl>, RunError> {
    let output_dir = query.sample.output.path();
    let hosts = query.site.hosts_in(output_dir).into_iter();
    let commands: Vec<String> = hosts
        .map(|host| format!("`waypost -o {}`", display_path(&host.dir)))
        .collect();
    if !commands.is_empty() {
        let message = format!(
            "each language of this site has its own base URL, so `{}` contains several sites",
            display_path(output_dir)
        );
        let hint = format!("run waypost on each: {}", commands.join(", "));
        return Err(HintedError::new(message, hint).into());
    }
    if let Some(found) = of_setting(query.loaded) {
        let contrary = disagreements(&found, &Vec::from_iter(from_cname(query)));
        let contradicted = path_contradicted(query, &found);
        return Ok(WithFindings::new(
            found,
            contradicted.into_iter().chain(contrary).collect(),
        ));
    }
    let evidence = collect(query);
    let found = best(&evidence)
        .cloned()
        .or_else(|| earlier_answer(query.sample))
        .ok_or_else(|| no_base(query, &evidence))?;
    let setting = base_url_setting(query.site);
    let placeholder = placeholder_finding(&found.url, &found.origin, &setting);
    let disagreement = disagreements(&found, &evidence);
    let contradicted = path_contradicted(query, &found);
    let findings = placeholder.into_iter().chain(contradicted);
    let findings = findings.chain(disagreement).collect();
    Ok(WithFindings::new(found, findings))
}

/// Refuses the URL of a single deploy, which the next one replaces.
pub(super) fn refuse_deploy_url(
    found: &FoundBaseUrl,
    site: &Site<'_>,
    pipelines: Pipelines<'_>,
) -> Result<(), RunError> {
    let Some(host) = pipelines.deploy_host(&found.url) else {
        return Ok(());
    };
    let message = format!(
        "`{}`, from {}, is the URL of a single deploy on {} and must not appear in a sitemap",
        found.url, found.origin, host.title
    );
    // A flag or environment variable overrides all files.
    let setting = match found.kind {
        BaseUrlKind::User => format!("`{}`", found.origin),
        _ => base_url_setting(site),
    };
    let hint = format!(
        "set {setting} to the production URL and rebuild; `waypost explain --settings` shows the \
         value in use"
    );
    Err(HintedError::new(message, hint).into())
}

/// Returns the error for a missing base URL, for which there are only suggestions. If nothing is built
/// yet, the missing pages are the actual problem.
fn no_base(query: &BaseUrlQuery<'_>, evidence: &[FoundBaseUrl]) -> RunError {
    let (site, output) = (query.site, query.sample.output);
    match discover(output, &nowhere(), &query.loaded.settings.extensions.0) {
        Ok(found) if found.pages.is_empty() => return RunError::no_pages(output.path()),
        Ok(_) => {}
        Err(error) => return error.into(),
    }
    let flag = |found: &FoundBaseUrl| format!("`--base-url {}` ({})", found.url, found.origin);
    // Statements of the pages come before a host that only the remote suggests.
    let stated = stated_by_pages(query.sample);
    let mut flags: Vec<String> = match &stated {
        Some(stated) => vec![flag(stated)],
        None => evidence.iter().map(flag).collect(),
    };
    // `actions/configure-pages` has run, which sets this variable.
    if query.pipelines.has_value("GITHUB_PAGES", "true") {
        flags.insert(0, CONFIGURED_PAGES.to_owned());
    }
    if flags.is_empty() {
        // With the path that the generator's settings have.
        let path = site.own_base_path().unwrap_or_default();
        let path = path.trim_start_matches('/');
        flags.push(format!("`--base-url https://example.com/{path}`"));
    }
    let message = format!(
        "no base URL found for `{}`{}",
        display_path(output.path()),
        stated_base_url(site).unwrap_or_default()
    );
    let setting = setting_outside_pages(site, output.path());
    let hint = format!("set {setting}, or pass {}", flags.join(" or "));
    HintedError::new(message, hint).into()
}

/// The flag with the URL that `actions/configure-pages` found.
const CONFIGURED_PAGES: &str = "`--base-url ${{ steps.pages.outputs.base_url }}` (give the step of \
                                `actions/configure-pages` the key `id: pages`)";

/// Describes the mistake in the value of the generator's settings, after a colon.
fn stated_base_url(site: &Site<'_>) -> Option<String> {
    if let Some(key) = site.computed_base_url() {
        return Some(format!(": `{key}` is computed, and settings are not run"));
    }
    let (key, text) = site.stated_base_url()?;
    let error = BaseUrl::try_from(text.to_owned()).err()?;
    Some(format!(": `{key}` {}", error.replace('\n', "; ")))
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
    let file = display_path(&site.root.join(SETTINGS_FILE));
    match misnamed_file(site) {
        Some(misnamed) => {
            format!(
                "`base_url` in {file} (`{}` is not read)",
                display_path(&misnamed)
            )
        }
        None => generator_setting(site).unwrap_or_else(|| format!("`base_url` in {file}")),
    }
}

/// Names that setting if its value ends with a slash, which templates write before a path that begins
/// with one.
pub(crate) fn slashed_setting(site: &Site<'_>) -> Option<String> {
    let (_, text) = site.stated_base_url()?;
    generator_setting(site).filter(|_| text.ends_with('/'))
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
