//! Placeholders of templates and local servers: they do not say where a site is served.

use std::fmt::Display;

use sitemaps::findings::{Finding, Subject, code};
use sitemaps::site_paths::BaseUrl;

/// Names that no site in the public DNS has: RFC 2606, RFC 6761 and RFC 6762.
const RESERVED_ENDINGS: [&str; 5] = ["example", "invalid", "local", "localhost", "test"];

/// What follows `your-` in a placeholder. `your-` alone also begins the names of real sites.
const YOURS: [&str; 15] = [
    "app", "blog", "company", "docs", "domain", "host", "name", "org", "page", "project", "repo",
    "site", "url", "username", "website",
];

/// Whether a URL is the placeholder of a template (`example.com`, `your-site.com`) or the URL of a
/// local server.
///
/// Subdomains of `example.com` count as a site's own choice: documentation uses them, templates do
/// not.
pub(crate) fn is_placeholder(base: &BaseUrl) -> bool {
    let host = base.host().trim_end_matches('.').to_ascii_lowercase();
    let labels: Vec<&str> = host.split('.').collect();
    let is_example = matches!(
        labels[..],
        ["example", "com" | "net" | "org"] | ["www", "example", "com" | "net" | "org"]
    );
    let is_reserved = labels
        .last()
        .is_some_and(|last| RESERVED_ENDINGS.contains(last));
    base.is_local() || is_example || is_reserved || labels.iter().any(|label| is_yours(label))
}

/// Whether a label is `yoursite`, `your-site` or `your-docusaurus-site`.
fn is_yours(label: &str) -> bool {
    let Some(rest) = label.strip_prefix("your") else {
        return false;
    };
    match rest.strip_prefix('-') {
        Some(words) => words.split('-').any(|word| YOURS.contains(&word)),
        None => YOURS.contains(&rest),
    }
}

/// The finding about a base URL that is only a placeholder. `origin` is where it was found, and
/// `setting` what sets it.
pub fn placeholder_finding(base: &BaseUrl, origin: impl Display, setting: &str) -> Option<Finding> {
    if !is_placeholder(base) {
        return None;
    }
    let message = format!(
        "`{base}`, from {origin}, is a placeholder or the URL of a local server, not the URL of a site"
    );
    let hint = format!(
        "set {setting} to the URL of the site and build the site again; if `{base}` is right, pass it \
         with `--base-url`"
    );
    Some(Finding::new(code::BASE_URL_PLACEHOLDER, Subject::Site, message).with_hint(hint))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_differ_from_the_urls_of_sites() {
        let check = |host: &str, expected: bool| {
            let base = BaseUrl::parse(&format!("https://{host}/")).expect("a base URL");
            assert_eq!(is_placeholder(&base), expected, "{host}");
        };
        for host in [
            "example.com",
            "EXAMPLE.org",
            "www.example.net",
            "yoursite.com",
            "yourdomain.io",
            "your-site.netlify.app",
            "your-docusaurus-site.example.com",
            "your-username.github.io",
            "localhost",
            "localhost:4000",
            "127.0.0.1:1111",
            "0.0.0.0:8000",
            "[::1]:3000",
            "mac.local",
            "blog.test",
            "a.invalid",
        ] {
            check(host, true);
        }
        for host in [
            "example.dev",
            "examples.com",
            "example.github.io",
            "my-example.com",
            "docs.example.com",
            "yours.org",
            "yourmove.co.uk",
            "your-home.de",
            "localhost.run",
            "test.de",
            "local.ch",
            "latest.site",
            "192.0.2.7",
        ] {
            check(host, false);
        }
    }
}
