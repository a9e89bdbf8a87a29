//! Determines the base URL of the output directory and where it comes from.

use std::fmt;

use super::survey::{RunError, Survey};
use crate::config::{LoadedSettings, SETTINGS_FILE, SettingOrigin};
use crate::decide::{counting_canonicals, files_for_path};
use crate::discover::has_pages;
use page_signals::{PageReader, ReadOptions};
use site_paths::{BaseUrl, SitePath};

/// A base URL and its origin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundBaseUrl {
    /// The base URL.
    pub url: BaseUrl,
    /// Where it comes from.
    pub origin: BaseUrlOrigin,
}

/// Origin of a base URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BaseUrlOrigin {
    /// waypost's own setting, in a file.
    Setting,
    /// A flag or an environment variable, by its name; it applies to this run only.
    User(String),
    /// The canonical link of the root page.
    RootCanonical,
    /// A key in the generator's settings.
    Generator(String),
    /// A `CNAME` file in the output directory.
    Cname,
    /// An environment variable of the pipeline.
    Pipeline(String),
}

impl BaseUrlOrigin {
    /// Returns the origin of the setting `base_url`.
    fn of_setting(loaded: &LoadedSettings) -> Self {
        match loaded.origin_of("base_url") {
            Some(SettingOrigin::Flag(flag)) => Self::User((*flag).to_owned()),
            Some(SettingOrigin::Environment(variable)) => Self::User(variable.clone()),
            Some(SettingOrigin::File(..) | SettingOrigin::Default) | None => Self::Setting,
        }
    }

    /// Whether it is waypost's own setting, from a file, a flag or the environment.
    fn is_setting(&self) -> bool {
        matches!(self, Self::Setting | Self::User(_))
    }
}

impl fmt::Display for BaseUrlOrigin {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Setting => out.write_str("the settings"),
            Self::User(name) => out.write_str(name),
            Self::RootCanonical => out.write_str("the canonical link of index.html"),
            Self::Generator(key) => write!(out, "`{key}` in the generator's settings"),
            Self::Cname => out.write_str("CNAME"),
            Self::Pipeline(variable) => write!(out, "the pipeline's {variable}"),
        }
    }
}

pub(super) fn find(survey: &Survey<'_>) -> Result<FoundBaseUrl, RunError> {
    let hosts = survey.site.hosts_in(&survey.output_dir);
    if !hosts.is_empty() {
        let dirs = hosts
            .into_iter()
            .map(|host| Survey::display_path(&host.dir))
            .collect();
        return Err(RunError::SeveralHosts(survey.output_dir.clone(), dirs));
    }
    let base = first_configured(survey)?;
    // A preview that writes nothing may use its own URL.
    if survey.skipped_preview().is_some() {
        return Ok(base);
    }
    if !base.origin.is_setting() && base.url.is_local() {
        return Err(RunError::LocalhostUrl {
            base: base.url,
            origin: base.origin.to_string(),
        });
    }
    match survey.pipelines().deploy_host(&base.url) {
        Some(host) => {
            let (host, key) = (host.title.clone(), setting_to_change(&base.origin, survey));
            Err(RunError::DeployUrl {
                base: base.url,
                origin: base.origin.to_string(),
                host,
                key,
            })
        }
        None => Ok(base),
    }
}

fn first_configured(survey: &Survey<'_>) -> Result<FoundBaseUrl, RunError> {
    let found = |url, origin| Some(FoundBaseUrl { url, origin });
    let own = survey
        .settings()
        .base_url
        .clone()
        .and_then(|url| found(url, BaseUrlOrigin::of_setting(&survey.loaded)));
    own.or_else(|| root_canonical(survey).and_then(|url| found(url, BaseUrlOrigin::RootCanonical)))
        .or_else(|| {
            survey
                .site
                .own_base_url(&survey.output_dir)
                .and_then(|(key, url)| found(url, BaseUrlOrigin::Generator(key)))
        })
        .or_else(|| cname(survey).and_then(|url| found(url, BaseUrlOrigin::Cname)))
        .or_else(|| {
            let (variable, url) = survey.pipelines().base_url()?;
            found(url, BaseUrlOrigin::Pipeline(variable.to_owned()))
        })
        .ok_or_else(|| no_base(survey))
}

/// Returns the error for a missing base URL. If nothing is built yet, the missing pages are the
/// actual problem.
fn no_base(survey: &Survey<'_>) -> RunError {
    match has_pages(&survey.output_dir, &survey.settings().extensions) {
        Ok(true) => RunError::NoBaseUrl(survey.output_dir.clone(), base_url_setting(survey)),
        Ok(false) => RunError::NoPages(survey.output_dir.clone()),
        Err(error) => error.into(),
    }
}

/// Returns the URL in the root page's canonical link, unless the root page is a copy of another
/// page.
///
/// `/en/` may be the URL of the whole site or of `en/index.html`. The canonical link of that second
/// page decides: the root page is a copy if `en/index.html` names the same URL or none.
fn root_canonical(survey: &Survey<'_>) -> Option<BaseUrl> {
    canonical_of(survey, &SitePath::from("index.html")).filter(|base| {
        let path = base.path().trim_matches('/');
        let ends = path
            .match_indices('/')
            .map(|(at, _)| &path[at + 1..])
            .chain([path])
            .filter(|end| !end.is_empty());
        let mut named = ends
            .flat_map(files_for_path)
            .filter(|file| file.below_dir(&survey.output_dir).is_file());
        !named.any(|file| canonical_of(survey, &file).is_none_or(|own| own == *base))
    })
}

/// Reads the canonical link of a page as a base URL.
///
/// Returns `None` for a page that redirects (to `/en/`, for example), because its link names the
/// target, and for a page with conflicting links.
fn canonical_of(survey: &Survey<'_>, file: &SitePath) -> Option<BaseUrl> {
    let page = file.below_dir(&survey.output_dir);
    if !page.is_file() || survey.containment.is_escaped_by(&page) {
        return None;
    }
    let facts = PageReader::new(ReadOptions::default()).read(&page);
    let mut hrefs = counting_canonicals(&facts).map(|link| link.value.href.trim());
    let href = hrefs.next()?;
    if hrefs.any(|other| other != href)
        || !facts.refreshes.is_empty()
        || facts.script_redirect.is_some()
    {
        return None;
    }
    BaseUrl::parse(href.strip_suffix("index.html").unwrap_or(href)).ok()
}

/// Reads the `CNAME` file, in which GitHub Pages and similar hosts expect a custom domain.
fn cname(survey: &Survey<'_>) -> Option<BaseUrl> {
    let text = survey
        .containment
        .read_text(&survey.output_dir.join("CNAME"))
        .ok()?;
    let host = text.lines().next()?.trim();
    (!host.is_empty()).then(|| BaseUrl::parse(&format!("https://{host}/")).ok())?
}

/// Names the setting to change for a different base URL. A flag or environment variable overrides
/// all files, so it is named itself.
fn setting_to_change(origin: &BaseUrlOrigin, survey: &Survey<'_>) -> String {
    match origin {
        BaseUrlOrigin::User(name) => format!("`{name}`"),
        _ => base_url_setting(survey),
    }
}

/// Names the base URL setting of this generator, or waypost's own if it has none.
fn base_url_setting(survey: &Survey<'_>) -> String {
    let file = survey.site.config_file().map(Survey::display_path);
    let key = survey
        .site
        .generator
        .and_then(|generator| generator.base_url_key.clone());
    match (key, file) {
        (Some(key), Some(file)) => format!("`{key}` in {file}"),
        _ => format!(
            "`base_url` in {}",
            Survey::display_path(&survey.site.root.join(SETTINGS_FILE))
        ),
    }
}
