//! Findings and errors where no base URL is right, or where the one in use is wrong, each with the setting or
//! flag to use.

use std::path::Path;

use super::base_evidence::{BaseUrlKind, BaseUrlQuery, FoundBaseUrl};
use super::base_of_pages::{PageBases, stated_by_pages};
use super::guard::FEW_PAGES;
use super::misplaced_settings::misnamed_file;
use super::nowhere;
use super::run_error::RunError;
use crate::config::SETTINGS_FILE;
use crate::files::tree::absolute;
use crate::findings::{Finding, Findings, HintedError, Subject, code};
use crate::generators::{Pipelines, Site};
use crate::survey::{discover, is_placeholder};
use sitemaps::site_paths::{BaseUrl, SitePath, display_path};

/// Refuses the URL of a single deploy, which the next one replaces.
pub(super) fn refuse_deploy_url(
    found: &FoundBaseUrl,
    site: &Site,
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
    let extensions = &query.loaded.settings.extensions.0;
    match discover(output, &nowhere(), extensions, &Findings::default()) {
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
    // The sitemap of another build may have the right host.
    if flags.is_empty() {
        let sitemaps = query.sample.sitemaps().iter();
        let hosts = sitemaps.filter_map(|sitemap| {
            let host = BaseUrl::parse(&format!("{}/", sitemap.urls.first()?.origin())).ok()?;
            (!is_placeholder(&host)).then(|| flag(&host, &format!("the host in {}", sitemap.name)))
        });
        flags.extend(hosts.take(1));
    }
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
    let how = if query.domain.as_ref() == Some(&published) {
        "the `CNAME` file in the output directory has it served"
    } else if query.pages_url()?.host() != used.url.host() {
        return None;
    } else if query.is_top_of_repository() {
        "this repository is served from its top by GitHub Pages only"
    } else {
        "this repository publishes itself"
    };
    let message = format!(
        "the base URL is `{}`, from {}, but {how} at `{published}`",
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
fn stated_base_url(site: &Site) -> Option<String> {
    if let Some(key) = site.computed_base_url() {
        return Some(format!(": `{key}` is computed, and settings are not run"));
    }
    let (key, text) = site.stated_base_url()?;
    let error = BaseUrl::try_from(text.to_owned()).err()?;
    Some(format!(": `{key}` {}", error.replace('\n', "; ")))
}

/// Names the setting for the base URL. If the user named a directory of pages as the site, its
/// settings file would be published with them.
fn setting_outside_pages(site: &Site, output_dir: &Path) -> String {
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
pub(super) fn base_url_setting(site: &Site) -> String {
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
pub(crate) fn slashed_setting(site: &Site) -> Option<String> {
    let (_, text) = site.stated_base_url()?;
    generator_setting(site).filter(|_| text.ends_with('/'))
}

/// Names the setting of the generator for its base URL, and its file.
pub fn generator_setting(site: &Site) -> Option<String> {
    let file = site.config_file().map(display_path)?;
    let key = match site.generator?.base_url.as_slice() {
        [key] => key,
        [host, _] if site.config.text(host).is_some() => host,
        _ => return None,
    };
    Some(format!("`{key}` in {file}"))
}

/// Refuses a base URL that more than half of the pages contradict. `setting` is where the generator
/// has its base URL.
pub fn base_contradicted(
    used: &FoundBaseUrl,
    bases: &PageBases,
    setting: Option<&str>,
) -> Option<Finding> {
    let contradicting: usize = bases.others.values().sum();
    if contradicting * 2 <= bases.pages {
        return None;
    }
    let (other, count) = bases.others.iter().max_by_key(|(_, count)| **count)?;
    let message = format!(
        "{count} of {} pages name `{other}` as their base URL, not `{}`, from {}: was the site \
         built with another base URL?",
        bases.pages, used.url, used.origin
    );
    let rebuild = match setting {
        Some(setting) => format!("set {setting} to `{}` and build the site again", used.url),
        None => format!("build the site again with `{}`", used.url),
    };
    let is_template = !is_placeholder(&used.url)
        && BaseUrl::parse(other).is_ok_and(|other| is_placeholder(&other));
    let hint = if is_template {
        rebuild
    } else {
        let code = code::BASE_URL_CONTRADICTED.name;
        format!("{rebuild}, or pass `--base-url {other}`; `--accept {code}` overrules this")
    };
    let finding = Finding::new(code::BASE_URL_CONTRADICTED, Subject::Site, message);
    Some(finding.with_hint(hint))
}

/// Refuses a base URL whose path is that of the directory which contains all listed pages: their
/// URLs would have it twice.
pub fn base_path_twice<'p>(
    used: &FoundBaseUrl,
    output_dir: &Path,
    listed: impl IntoIterator<Item = &'p SitePath>,
) -> Option<Finding> {
    let dir = used.url.path().trim_matches('/');
    if dir.is_empty() || used.kind == BaseUrlKind::Canonical {
        return None;
    }
    let prefix = format!("{dir}/");
    let mut listed = listed.into_iter().peekable();
    if listed.peek().is_none() || !listed.all(|file| file.as_bytes().starts_with(prefix.as_bytes()))
    {
        return None;
    }
    let below = display_path(&output_dir.join(dir));
    let message = format!(
        "every listed page is in `{below}`, so the URLs would begin with `{}{prefix}`: the base URL, \
         from {}, has the path already",
        used.url, used.origin
    );
    let hint = format!(
        "pass the directory that is served at it, `-o {below}`, or the URL of the output directory, \
         `--base-url {}/`",
        used.url.origin()
    );
    Some(Finding::new(code::BASE_PATH_TWICE, Subject::Site, message).with_hint(hint))
}

/// Reports that most pages are excluded because of a canonical link to the home page.
pub fn canonical_home(base: &BaseUrl, bases: &PageBases) -> Option<Finding> {
    let count = bases.to_home;
    if count < FEW_PAGES || count * 2 <= bases.pages {
        return None;
    }
    let message = format!(
        "{count} of {} pages have the home page `{base}` as canonical link, so they are excluded",
        bases.pages
    );
    let hint = "write the URL of each page, not of the site, in the template's canonical link";
    Some(Finding::new(code::CANONICAL_HOME, Subject::Site, message).with_hint(hint))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn base(text: &str) -> BaseUrl {
        BaseUrl::parse(text).expect("a base URL")
    }

    fn found(text: &str, kind: BaseUrlKind) -> FoundBaseUrl {
        FoundBaseUrl::new(base(text), kind, "a test")
    }

    #[test]
    fn a_base_url_is_contradicted_only_by_more_than_half_of_the_pages() {
        let check = |listed: usize, links: &[(&str, &str)], here: &str, expected: bool| {
            let used = found("https://example.com/", BaseUrlKind::Generator);
            let mut bases = PageBases::default();
            (0..listed).for_each(|_| bases.add_listed());
            for (file, url) in links {
                let page = used.url.resolve(url).expect("a URL");
                let is_here = || *url == here;
                bases.add_elsewhere(&used.url, &SitePath::from(*file), &page, is_here);
            }
            let finding = base_contradicted(&used, &bases, None);
            assert_eq!(finding.is_some(), expected, "{listed} {links:?}");
        };
        let staging = ("a.html", "https://staging.example.com/a");
        check(0, &[staging], "", true);
        check(1, &[staging], "", false);
        check(1, &[staging, staging], "", true);
        check(0, &[("a/index.html", "http://example.com/a/")], "", true);
        check(
            0,
            &[("a/index.html", "https://example.com/docs/a/")],
            "",
            true,
        );
        // A copy of a page of this site.
        let copy = "https://example.com/en/a/";
        check(0, &[("a/index.html", copy)], copy, false);
        // Posts that first appeared elsewhere.
        check(
            0,
            &[("a/index.html", "https://example.org/post/7")],
            "",
            false,
        );
        check(0, &[], "", false);
    }
}
