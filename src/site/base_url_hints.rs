//! Refusals where no base URL is right, each with the setting or flag to use.

use std::path::Path;

use super::base_evidence::{BaseUrlKind, BaseUrlQuery, FoundBaseUrl};
use super::base_of_pages::stated_by_pages;
use super::misplaced_settings::misnamed_file;
use super::nowhere;
use super::run_error::RunError;
use crate::config::SETTINGS_FILE;
use crate::discover::discover;
use crate::generators::{Pipelines, Site};
use sitemaps::files::tree::absolute;
use sitemaps::findings::{Finding, Subject, code};
use sitemaps::site_paths::{BaseUrl, HintedError, display_path};

/// Refuses the URL of a single deploy, which the next one replaces.
pub(super) fn refuse_deploy_url(
    found: &FoundBaseUrl,
    site: &Site<'_>,
    pipelines: Pipelines<'_>,
) -> Result<(), HintedError> {
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
    let production = match pipelines.base_url() {
        Some((variable, url)) => format!("`{url}` ({variable})"),
        None => "the production URL".to_owned(),
    };
    let hint = format!(
        "set {setting} to {production} and rebuild; `waypost explain --settings` shows the value in use"
    );
    Err(HintedError::new(message, hint))
}

/// Returns the error for a missing base URL, for which there are only suggestions. If nothing is built
/// yet, the missing pages are the actual problem.
pub(super) fn no_base(query: &BaseUrlQuery<'_>, evidence: &[FoundBaseUrl]) -> HintedError {
    let (site, output) = (query.site, query.sample.output);
    match discover(output, &nowhere(), &query.loaded.settings.extensions.0) {
        Ok(found) if found.pages.is_empty() => return RunError::no_pages(output.path()).into(),
        Ok(_) => {}
        Err(error) => return error.into(),
    }
    let flag = |url: &BaseUrl, origin: &str| format!("`--base-url {url}` ({origin})");
    // Statements of the pages come before a host that only the remote suggests.
    let mut flags: Vec<String> = match stated_by_pages(query.sample) {
        Some((url, origin)) => vec![flag(&url, &origin)],
        None => evidence
            .iter()
            .map(|found| flag(&found.url, &found.origin))
            .collect(),
    };
    // `actions/configure-pages` has run, which sets this variable.
    if query.pipelines.has_value("GITHUB_PAGES", "true") {
        flags.insert(0, CONFIGURED_PAGES.to_owned());
    }
    if flags.is_empty() {
        // With the path that the generator's settings have.
        let path = site.own_base_path().unwrap_or_default();
        flags.push(format!(
            "`--base-url https://example.com/{}`",
            path.trim_start_matches('/')
        ));
    }
    let message = format!(
        "no base URL found for `{}`{}",
        display_path(output.path()),
        stated_base_url(site).unwrap_or_default()
    );
    let setting = setting_outside_pages(site, output.path());
    let hint = format!("set {setting}, or pass {}", flags.join(" or "));
    HintedError::new(message, hint)
}

/// Returns the error for a base URL whose path nothing proves, as that of the generator's settings is
/// computed.
pub(super) fn unproved_path(query: &BaseUrlQuery<'_>, used: &FoundBaseUrl) -> Option<HintedError> {
    let key = query.site.computed_base_path()?;
    let file = query.site.config_file().map(display_path);
    let message = format!(
        "the base URL is below `{}`, from {}, but its path is unknown: `{key}` in {} is computed, and \
         neither a sitemap nor links between the pages prove it",
        used.url,
        used.origin,
        file.unwrap_or_default()
    );
    let hint = format!("pass the whole base URL: `--base-url {}PATH/`", used.url);
    Some(HintedError::new(message, hint))
}

/// Refuses a base URL at the host where this repository publishes itself at another one. A build for the
/// wrong place is wrong in its sitemap and links alike.
pub(super) fn published_elsewhere(
    query: &BaseUrlQuery<'_>,
    used: &FoundBaseUrl,
) -> Option<Finding> {
    let published = query.published_elsewhere(used)?;
    if query.pages_url()?.host() != used.url.host() {
        return None;
    }
    let how = if query.is_top_of_repository() {
        "is served from its top by GitHub Pages only"
    } else {
        "publishes itself"
    };
    let message = format!(
        "the base URL is `{}`, from {}, but this repository {how} at `{published}`",
        used.url, used.origin
    );
    let hint = format!(
        "set {} to `{published}` and build the site again; if it is served at `{}`, pass that with \
         `--base-url`",
        base_url_setting(query.site),
        used.url
    );
    Some(Finding::new(code::BASE_URL_CONTRADICTED, Subject::Site, message).with_hint(hint))
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
    if !is_named
        || site.generator.is_some()
        || site.tree.is_file(&site.root.join(SETTINGS_FILE))
        || misnamed_file(site).is_some()
    {
        return base_url_setting(site);
    }
    let dir = display_path(&site.root);
    format!("`base_url` in {SETTINGS_FILE} and run `waypost -o {dir}`")
}

/// Names the base URL setting of this generator, or waypost's own if it has none.
pub(super) fn base_url_setting(site: &Site<'_>) -> String {
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
