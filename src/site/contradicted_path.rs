//! Refuses a base URL if what is there names another path at the same host: all URLs of one of the two
//! do not exist.
//!
//! What the build rendered counts against everything, also the user's word. A path in the generator's
//! settings counts unless the pages themselves name the base URL.

use super::evidence::{BaseUrlQuery, cname_of_output, from_own_sitemap, lists_below};
use super::found_base::{BaseUrlKind, FoundBaseUrl};
use super::page_evidence::canonical_base_url;
use super::placeholder::is_placeholder;
use sitemaps::site_paths::BaseUrl;
use sitemaps::site_paths::finding::{Code, Finding, Subject, code};

/// Returns the refusal of the base URL in use, if anything contradicts its path.
pub(super) fn path_contradicted(query: &BaseUrlQuery<'_>, used: &FoundBaseUrl) -> Option<Finding> {
    let is_given = matches!(used.kind, BaseUrlKind::User | BaseUrlKind::Setting);
    let mut own_paths = query.site.base_paths();
    let is_own_path = !used.url.is_host_root()
        && own_paths.any(|(_, path)| path.trim_matches('/') == used.url.path().trim_matches('/'));
    let cname = cname_of_output(query);
    // A custom domain has no path. The generator's own sitemap may lack the path that its settings have,
    // as VitePress's does, and an entry for a home page alone could be of any path.
    let is_own_domain = cname.as_ref().is_some_and(|cname| cname.url == used.url);
    let own_sitemap = from_own_sitemap(query.sample)
        .filter(|found| !is_own_path && !is_own_domain && lists_below(query.sample, &found.url));
    // All pages, not only those of the sample, are compared with a base URL that the user gives.
    let canonical = canonical_base_url(query.sample).filter(|_| !is_given);
    let is_rendered = [&own_sitemap, &canonical]
        .into_iter()
        .flatten()
        .any(|found| found.url == used.url);
    let settings = query.own_base_url();
    let is_stated_host = settings
        .as_ref()
        .is_some_and(|own| own.url.host() == used.url.host());
    let settings = settings.filter(|_| !is_rendered);
    let pieces = [
        canonical,
        cname.filter(|_| !is_own_path),
        own_sitemap,
        settings,
    ];
    let mut pieces = pieces.into_iter().flatten();
    let other = pieces.find(|other| {
        other.url.origin() == used.url.origin()
            && other.url.path() != used.url.path()
            && !is_placeholder(&other.url)
    });
    if let Some(other) = other {
        return Some(contradiction(code::BASE_URL_CONTRADICTED, used, &other));
    }
    // A site may be at another path of another host: that only the user knows.
    let code = if is_given && !is_stated_host {
        code::BASE_URL_DISAGREEMENT
    } else {
        code::BASE_URL_CONTRADICTED
    };
    path_of_settings(query, used).map(|other| contradiction(code, used, &other))
}

/// The base URL in use with the path that a key of the generator's settings has, if it lacks that path.
fn path_of_settings(query: &BaseUrlQuery<'_>, used: &FoundBaseUrl) -> Option<FoundBaseUrl> {
    if used.kind == BaseUrlKind::Pages {
        return None;
    }
    query.site.base_paths().find_map(|(key, path)| {
        let path = path.trim_matches('/');
        if matches!(path, "" | ".") || used.url.path().starts_with(&format!("/{path}/")) {
            return None;
        }
        let url = BaseUrl::parse(&format!("{}/{path}/", used.url.origin())).ok()?;
        let origin = format!("`{key}` in the generator's settings");
        Some(FoundBaseUrl::new(url, BaseUrlKind::Statement, origin))
    })
}

fn contradiction(code: &'static Code, used: &FoundBaseUrl, other: &FoundBaseUrl) -> Finding {
    let message = format!(
        "the base URL is `{}`, from {}, but `{}`, from {}, has another path",
        used.url, used.origin, other.url, other.origin
    );
    let hint = format!(
        "if the site is served at `{0}`, pass `--base-url {0}`; else build it again with `{1}`, or \
         overrule this with `--accept {2}`",
        other.url, used.url, code.name
    );
    Finding::new(code, Subject::Site, message).with_hint(hint)
}
