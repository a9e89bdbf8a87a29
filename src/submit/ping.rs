//! Builds ping URLs from a pattern given by the user and the URL of a sitemap.

use url::form_urlencoded::byte_serialize;
use url::{Host, Url};

use super::fetch::parse;
use sitemaps::site_paths::HintedError;

/// The placeholder for the sitemap URL in a pattern.
pub const PLACEHOLDER: &str = "{sitemap}";

/// A ping that no longer exists, so requesting it is a mistake.
#[derive(Debug)]
pub struct GonePing {
    engine: &'static str,
    /// Its host, or a parent domain of it. The path contains `ping`.
    domain: &'static str,
    /// The date of its end, and the source.
    since: &'static str,
    /// The alternative.
    instead: &'static str,
}

/// The pings that are known to be gone.
const GONE_PINGS: [GonePing; 2] = [
    GonePing {
        engine: "Google",
        domain: "google.com",
        since: "shut down at the end of 2023, returns 404 (Google Search Central blog)",
        instead: "the `Sitemap:` line in robots.txt, and Search Console once",
    },
    GonePing {
        engine: "Bing",
        domain: "bing.com",
        since: "returns 410 since May 2022 (Bing Webmaster blog)",
        instead: "IndexNow, and Bing Webmaster Tools once",
    },
];

/// Inserts the URL of a sitemap into a pattern.
pub fn ping_url(pattern: &str, sitemap: &str) -> Result<Url, HintedError> {
    if !pattern.contains(PLACEHOLDER) {
        return Err(HintedError::new(
            format!(
                "`{}` does not contain the placeholder `{PLACEHOLDER}`",
                pattern.escape_debug()
            ),
            format!("use `--ping 'https://engine.example/ping?sitemap={PLACEHOLDER}'`"),
        ));
    }
    let encoded: String = byte_serialize(sitemap.as_bytes()).collect();
    target_url(&pattern.replace(PLACEHOLDER, &encoded))
}

/// Parses a URL that a request may be sent to.
pub fn target_url(address: &str) -> Result<Url, HintedError> {
    let url = parse(address)?;
    match gone_at(&url) {
        Some(GonePing {
            engine,
            since,
            instead,
            ..
        }) => Err(HintedError::new(
            format!("{engine}'s ping no longer accepts sitemaps: {since}"),
            format!("instead: {instead}"),
        )),
        None => Ok(url),
    }
}

/// The discontinued ping that a URL belongs to.
fn gone_at(url: &Url) -> Option<&'static GonePing> {
    let Some(Host::Domain(host)) = url.host() else {
        return None;
    };
    let is_at = |ping: &&GonePing| {
        let rest = host.strip_suffix(ping.domain);
        rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
    };
    let is_ping = url.path().to_ascii_lowercase().contains("ping");
    GONE_PINGS.iter().filter(|_| is_ping).find(is_at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sitemaps::site_paths::Hint;

    #[test]
    fn a_discontinued_ping_is_recognized_by_its_url() {
        let check = |address: &str, expected: Option<&str>| {
            let ping = gone_at(&Url::parse(address).expect("a valid URL"));
            assert_eq!(ping.map(|ping| ping.engine), expected, "{address}");
        };
        check("https://www.google.com/ping?sitemap=x", Some("Google"));
        check(
            "http://google.com/webmasters/sitemaps/ping?sitemap=x",
            Some("Google"),
        );
        check(
            "https://www.bing.com/webmaster/ping.aspx?siteMap=x",
            Some("Bing"),
        );
        check("https://www.bing.com/indexnow", None);
        check("https://notgoogle.com/ping", None);
        check("https://webmaster.yandex.com/ping?sitemap=x", None);
        check("http://127.0.0.1/ping", None);
    }

    #[test]
    fn the_sitemap_is_encoded_as_one_value() {
        let check = |pattern: &str, sitemap: &str, expected: &str| {
            assert_eq!(
                ping_url(pattern, sitemap)
                    .expect("a valid pattern")
                    .as_str(),
                expected
            );
        };
        check(
            "https://engine.example/ping?sitemap={sitemap}",
            "https://example.com/a/sitemap.xml",
            "https://engine.example/ping?sitemap=https%3A%2F%2Fexample.com%2Fa%2Fsitemap.xml",
        );
        check(
            "http://engine.example/{sitemap}?x",
            "http://e.example/%20?a&b",
            "http://engine.example/http%3A%2F%2Fe.example%2F%2520%3Fa%26b?x",
        );
    }

    #[test]
    fn an_unusable_pattern_is_rejected() {
        let check = |pattern: &str, expected: &str| {
            let error = ping_url(pattern, "https://example.com/sitemap.xml")
                .expect_err("an unusable pattern");
            assert!(error.to_string().contains(expected), "{error}");
            assert!(error.hint().is_some());
        };
        check(
            "https://engine.example/ping",
            "does not contain the placeholder `{sitemap}`",
        );
        check(
            "https://www.google.com/ping?sitemap={sitemap}",
            "Google's ping no longer accepts sitemaps",
        );
        check(
            "https://u:p@engine.example/?{sitemap}",
            "user name or password",
        );
    }
}
