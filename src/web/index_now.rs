//! Builds IndexNow messages (indexnow.org, "Documentation"), and selects the changed URLs that a key covers.

use serde::Serialize;
use serde_json::json;
use url::{Host, Url};

use super::fetch::parse_address;
use crate::findings::HintedError;
use crate::settings::{KeyLocation, SubmitKey};
use crate::survey::SitemapChanges;
use sitemaps::Plan;
use sitemaps::site_paths::{BaseUrl, without_scheme};

/// Maximum number of URLs in a message.
pub const MAX_URLS: usize = 10_000;

/// The content type of every message.
pub const CONTENT_TYPE: &str = "application/json; charset=utf-8";

/// Pings that are known to be gone, so requesting one is a mistake: the engine, its domain, since when,
/// and the alternative.
const GONE_PINGS: [(&str, &str, &str, &str); 2] = [
    (
        "Google",
        "google.com",
        "shut down at the end of 2023, returns 404 (Google Search Central blog)",
        "instead: the `Sitemap:` line in robots.txt, and Search Console once",
    ),
    (
        "Bing",
        "bing.com",
        "returns 410 since May 2022 (Bing Webmaster blog)",
        "instead: IndexNow, and Bing Webmaster Tools once",
    ),
];

/// The host and key that messages are sent for.
#[derive(Debug)]
pub struct IndexNowSender {
    host: String,
    key: SubmitKey,
    /// The URL of the key file, unless it is at the root of the host.
    key_location: Option<String>,
    /// Host, port and directory that every covered URL starts with.
    covered: String,
}

impl IndexNowSender {
    /// Creates the sender for a site. `own` is the URL of the key file, if it is not the one that `build`
    /// writes into the output directory; it must be on the host of the site.
    ///
    /// A key covers the directory of its file, over both http and https.
    pub fn new(
        base: &BaseUrl,
        key: SubmitKey,
        own: Option<&KeyLocation>,
    ) -> Result<Self, HintedError> {
        let dir = own.map_or(base.as_str(), KeyLocation::dir_url);
        let covered = without_scheme(dir).to_owned();
        let host = base.host().to_owned();
        if !covered.starts_with(&format!("{host}/")) {
            return Err(HintedError::new(
                format!(
                    "the key file (`submit.key_location`) is not on the host of `{base}`, so the \
                     key does not cover the site"
                ),
                "put the key file on the site's own host",
            ));
        }
        let key_location = match own {
            Some(own) => Some(own.as_str().to_owned()),
            None if base.is_host_root() => None,
            None => Some(base.path_url(key.file_name().as_bytes()).to_string()),
        };
        Ok(Self {
            host,
            key,
            key_location,
            covered,
        })
    }

    /// Whether the key covers a URL.
    pub fn covers(&self, url: &str) -> bool {
        without_scheme(url).starts_with(&self.covered)
    }

    /// Formats one message as JSON.
    pub fn message(&self, urls: &[String]) -> String {
        let mut message = json!({ "host": self.host, "key": self.key.as_str() });
        if let Some(location) = &self.key_location {
            message["keyLocation"] = json!(location);
        }
        message["urlList"] = json!(urls);
        message.to_string()
    }
}

/// Parses a URL that a request may be sent to.
pub fn target_url(address: &str) -> Result<Url, HintedError> {
    let url = parse_address(address)?;
    let is_ping = url.path().to_ascii_lowercase().contains("ping");
    for (engine, domain, since, instead) in GONE_PINGS {
        if is_ping
            && let Some(Host::Domain(host)) = url.host()
            && let Some(rest) = host.strip_suffix(domain)
            && (rest.is_empty() || rest.ends_with('.'))
        {
            return Err(HintedError::new(
                format!("{engine}'s ping no longer accepts sitemaps: {since}"),
                instead,
            ));
        }
    }
    Ok(url)
}

/// URLs to submit to search engines.
#[derive(Debug, Default, Serialize)]
pub struct ChangedUrls {
    /// The number of new URLs.
    pub added: usize,
    /// The number of URLs with another date.
    pub changed: usize,
    /// The number of URLs that are no longer listed.
    pub removed: usize,
    /// URLs that the key does not cover, in byte order.
    pub not_covered: Vec<String>,
    /// Added, changed and removed URLs, in byte order and without duplicates.
    #[serde(skip)]
    pub urls: Vec<String>,
}

impl ChangedUrls {
    /// Selects the URLs to submit. A page that only lost its date has not changed, because a
    /// shallow clone has no dates. One that has a date for the first time has changed if that date is
    /// later than every earlier one.
    pub fn since(plan: &Plan, sender: &IndexNowSender, changes: &SitemapChanges) -> Self {
        let mut due = Self::default();
        let mut redated: Vec<u32> = changes.redated.iter().map(|(number, _)| *number).collect();
        redated.extend(&changes.changed_since);
        due.added = due.add_covered(plan.urls(&changes.added).map(str::to_owned), sender);
        due.changed = due.add_covered(plan.urls(&redated).map(str::to_owned), sender);
        let removed = changes.removed.iter().map(|url| plan.normalize_url(url));
        due.removed = due.add_covered(removed, sender);
        for urls in [&mut due.urls, &mut due.not_covered] {
            urls.sort_unstable();
            urls.dedup();
        }
        due
    }

    /// Adds the URLs that the key covers and returns their number. The others go to `not_covered`.
    fn add_covered(&mut self, urls: impl Iterator<Item = String>, key: &IndexNowSender) -> usize {
        let (covered, others): (Vec<_>, Vec<_>) = urls.partition(|url| key.covers(url));
        let count = covered.len();
        self.urls.extend(covered);
        self.not_covered.extend(others);
        count
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sender(base: &str, location: Option<&str>) -> Result<IndexNowSender, HintedError> {
        let base = BaseUrl::parse(base).expect("a valid base URL");
        let key = SubmitKey::parse("a1b2c3d4").expect("a valid key");
        let location =
            location.map(|text| KeyLocation::try_from(text.to_owned()).expect("a valid location"));
        IndexNowSender::new(&base, key, location.as_ref())
    }

    #[test]
    fn a_message_has_the_form_of_the_protocol() {
        let check = |base: &str, expected: &str| {
            let sender = sender(base, None).expect("the key file is on the host");
            assert_eq!(
                sender.message(&["https://example.com/a".to_owned()]),
                expected
            );
        };
        check(
            "https://example.com/",
            r#"{"host":"example.com","key":"a1b2c3d4","urlList":["https://example.com/a"]}"#,
        );
        check(
            "http://example.com:8080/docs/",
            r#"{"host":"example.com:8080","key":"a1b2c3d4","keyLocation":"http://example.com:8080/docs/a1b2c3d4.txt","urlList":["https://example.com/a"]}"#,
        );
    }

    #[test]
    fn a_key_covers_its_host_or_the_directory_of_its_file() {
        let check = |base: &str, location: Option<&str>, url: &str, expected: bool| {
            let sender = sender(base, location).expect("the key file is on the host");
            assert_eq!(sender.covers(url), expected, "{url}");
        };
        let [root, docs] = ["https://example.com/", "https://example.com/docs/"];
        check(root, None, "https://example.com/a", true);
        check(root, None, "http://example.com/a", true);
        check(root, None, "https://example.com.example.org/a", false);
        check(root, None, "https://docs.example.com/a", false);
        check(docs, None, "https://example.com/a", false);
        check(
            docs,
            Some("https://example.com/key.txt"),
            "https://example.com/a",
            true,
        );
        check(
            root,
            Some("https://example.com/docs/key.txt"),
            "https://example.com/docsa",
            false,
        );
        assert!(sender(root, Some("http://example.com/a/key.txt")).is_ok());
        assert!(sender(root, Some("https://example.com.example.org/key.txt")).is_err());
    }

    #[test]
    fn a_discontinued_ping_is_recognized_by_its_url() {
        let check = |address: &str, expected: bool| {
            assert_eq!(target_url(address).is_err(), expected, "{address}");
        };
        check("https://www.google.com/ping?sitemap=x", true);
        check("http://google.com/webmasters/sitemaps/ping?sitemap=x", true);
        check("https://www.bing.com/webmaster/ping.aspx?siteMap=x", true);
        check("https://www.bing.com/indexnow", false);
        check("https://notgoogle.com/ping", false);
        check("http://127.0.0.1/ping", false);
    }
}
