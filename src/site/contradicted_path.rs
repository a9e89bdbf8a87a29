//! Refuses a base URL if what is there names another path at the same host: all URLs of one of the two
//! do not exist.
//!
//! Rendered evidence counts against everything, also the user's word. A path in the generator's
//! settings counts unless the build itself names the base URL.

use super::evidence::{BaseUrlQuery, cname_of_output, lists_below};
use super::found_base::{BaseUrlKind, FoundBaseUrl};
use super::placeholder::is_placeholder;
use sitemaps::site_paths::finding::{Finding, Subject, code};
use sitemaps::site_paths::{BaseUrl, SitePath};

/// Returns the refusal of the base URL in use, if anything contradicts its path, or the doubt about what the
/// user gives.
pub(super) fn path_contradicted(query: &BaseUrlQuery<'_>, used: &FoundBaseUrl) -> Option<Finding> {
    let is_given = matches!(used.kind, BaseUrlKind::User | BaseUrlKind::Setting);
    let mut own_paths = query.site.base_paths();
    let is_own_path = !used.url.is_host_root()
        && own_paths.any(|(_, path)| path.trim_matches('/') == used.url.path().trim_matches('/'));
    let is_used = |found: Option<&FoundBaseUrl>| found.is_some_and(|found| found.url == used.url);
    let is_contrary = |other: &FoundBaseUrl| {
        other.url.origin() == used.url.origin()
            && other.url.path() != used.url.path()
            && !is_placeholder(&other.url)
            && !is_directory_here(query, used, &other.url)
    };
    let (own_sitemap, cname) = (query.own_sitemap(), cname_of_output(query));
    let (by_sitemap, by_cname) = (is_used(own_sitemap), is_used(cname.as_ref()));
    // Pages are read only if something contradicts.
    let by_links = || is_used(query.canonical());
    // Nothing contradicts a base URL that the user gives and the links name. The own sitemap may lack
    // the path that the settings have, as VitePress's does.
    let is_sure = || is_own_path || is_given && by_links();
    let settings = query.own_base_url();
    let is_stated_host = settings
        .as_ref()
        .is_some_and(|own| own.url.host() == used.url.host());
    // All pages, not only those of the sample, are compared with a base URL that the user gives.
    let canonical = if is_given { None } else { query.canonical() };
    let pieces = [
        canonical.filter(|found| is_contrary(found)).cloned(),
        // A custom domain has no path, but a copy of its file may be in a part of the site.
        cname.filter(|found| is_contrary(found) && !by_sitemap && !is_sure()),
        // An entry for a home page alone could be of any path.
        own_sitemap
            .filter(|found| is_contrary(found) && !by_cname && !is_sure())
            .filter(|found| lists_below(query.sample, &found.url))
            .cloned(),
        settings.filter(|found| {
            is_contrary(found) && !(is_given || is_own_path || by_sitemap) && !by_links()
        }),
    ];
    if let Some(other) = pieces.into_iter().flatten().next() {
        let message = format!(
            "the base URL is `{}`, from {}, but `{}`, from {}, has another path",
            used.url, used.origin, other.url, other.origin
        );
        return Some(refusal(message, used, &other.url));
    }
    let (key, other) = path_of_settings(query, used)?;
    let message = format!(
        "the base URL `{}`, from {}, does not have the path `{}` of `{key}` in the generator's settings",
        used.url,
        used.origin,
        other.path()
    );
    // A site may be at another path of another host: that only the user knows.
    if is_given && !is_stated_host {
        let finding = Finding::new(code::BASE_URL_DISAGREEMENT, Subject::Site, message);
        let hint = format!("if the site is served below that path, pass `--base-url {other}`");
        return Some(finding.with_hint(hint));
    }
    Some(refusal(message, used, &other))
}

/// Whether a URL is that of a directory below the base URL in use.
fn is_directory_here(query: &BaseUrlQuery<'_>, used: &FoundBaseUrl, other: &BaseUrl) -> bool {
    let below = other.as_str().strip_prefix(used.url.as_str());
    let below = below.filter(|below| !below.is_empty());
    below.is_some_and(|below| {
        let home = format!("{below}index.html");
        query.sample.has_file(&SitePath::from(home.as_str()))
    })
}

/// A key of the generator's settings with a path that the base URL in use lacks, and the base URL with it.
fn path_of_settings<'q>(
    query: &BaseUrlQuery<'q>,
    used: &FoundBaseUrl,
) -> Option<(&'q str, BaseUrl)> {
    if used.kind == BaseUrlKind::Pages {
        return None;
    }
    query.site.base_paths().find_map(|(key, path)| {
        let path = path.trim_matches('/');
        if matches!(path, "" | ".") || used.url.path().starts_with(&format!("/{path}/")) {
            return None;
        }
        let url = BaseUrl::parse(&format!("{}/{path}/", used.url.origin())).ok()?;
        (!is_directory_here(query, used, &url)).then_some((key, url))
    })
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
