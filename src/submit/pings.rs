//! Search engines that once accepted pings with a sitemap URL, with the current state of each ping
//! and its alternative.

use url::{Host, Url};

/// The state of a ping.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PingState {
    /// It no longer works, so using it is a mistake.
    Gone,
    /// It is undocumented. It may respond, but that may mean nothing.
    Doubtful,
}

/// A URL pattern that once accepted sitemap URLs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ping {
    /// The search engine.
    pub engine: &'static str,
    /// Names that select it on the command line.
    names: &'static [&'static str],
    /// Its URL as shown to users.
    pub url: &'static str,
    /// Hosts, including their subdomains, and what the path must contain, in lower case.
    places: &'static [(&'static str, &'static str)],
    /// Its state.
    pub state: PingState,
    /// The date of the state, and the source.
    pub since: &'static str,
    /// The alternative.
    pub instead: &'static str,
}

/// All known pings.
pub const PINGS: &[Ping] = &[
    Ping {
        engine: "Google",
        names: &["google", "google-ping"],
        url: "https://www.google.com/ping?sitemap=",
        places: &[("google.com", "ping")],
        state: PingState::Gone,
        since: "deprecated in June 2023, shut down at the end of 2023, returns 404 \
                (Google Search Central blog)",
        instead: "the Sitemap line in robots.txt, and Search Console once; \
                  Google does not support IndexNow",
    },
    Ping {
        engine: "Bing",
        names: &["bing-ping", "live", "live-ping", "msn", "msn-ping"],
        url: "https://www.bing.com/ping?sitemap=",
        places: &[("bing.com", "ping"), ("webmaster.live.com", "ping")],
        state: PingState::Gone,
        since: "returns 410 since December 2021, announced in May 2022 (Bing Webmaster blog)",
        instead: "IndexNow (`--engine bing`), and Bing Webmaster Tools once",
    },
    Ping {
        engine: "Yahoo",
        names: &["yahoo", "yahoo-ping"],
        url: "http://search.yahooapis.com/SiteExplorerService/V1/ping?sitemap=",
        places: &[("search.yahooapis.com", "")],
        state: PingState::Gone,
        since: "Site Explorer was shut down after November 2010",
        instead: "nothing; Yahoo shows Bing's results",
    },
    Ping {
        engine: "Ask",
        names: &["ask", "ask-ping"],
        url: "http://submissions.ask.com/ping?sitemap=",
        places: &[("submissions.ask.com", "")],
        state: PingState::Gone,
        since: "retired in June 2012; the host no longer exists",
        instead: "the Sitemap line in robots.txt",
    },
    Ping {
        engine: "Yandex",
        names: &["yandex-ping"],
        url: "https://webmaster.yandex.com/ping?sitemap=",
        places: &[],
        state: PingState::Doubtful,
        since: "not documented since 2017; still responded in 2022",
        instead: "IndexNow (`--engine yandex`), and Yandex Webmaster once",
    },
    Ping {
        engine: "Didikle",
        names: &["didikle", "didikle-ping"],
        url: "http://www.didikle.com/ping?sitemap=",
        places: &[],
        state: PingState::Doubtful,
        since: "known only from lists of pings in old blogs",
        instead: "the Sitemap line in robots.txt",
    },
    Ping {
        engine: "Moreover",
        names: &["moreover", "moreover-ping"],
        url: "http://api.moreover.com/ping?u=",
        places: &[("api.moreover.com", "ping")],
        state: PingState::Gone,
        since: "no longer offers a sitemap service",
        instead: "nothing",
    },
    Ping {
        engine: "Baidu",
        names: &["baidu", "baidu-ping"],
        url: "http://ping.baidu.com/ping/RPC2",
        places: &[("ping.baidu.com", "")],
        state: PingState::Gone,
        since: "ended in 2017",
        instead: "Baidu Search Resource Platform",
    },
];

impl PingState {
    /// The state in words.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Gone => "gone",
            Self::Doubtful => "not documented",
        }
    }
}

impl Ping {
    /// The ping with this name, ignoring case.
    pub fn by_name(name: &str) -> Option<&'static Self> {
        PINGS
            .iter()
            .find(|ping| ping.names.iter().any(|own| own.eq_ignore_ascii_case(name)))
    }

    /// The discontinued ping that this URL belongs to.
    pub fn gone_at(url: &Url) -> Option<&'static Self> {
        let Some(Host::Domain(host)) = url.host() else {
            return None;
        };
        let path = url.path().to_ascii_lowercase();
        let is_at = |&(place, part): &(&str, &str)| {
            let is_host = host
                .strip_suffix(place)
                .is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
            is_host && path.contains(part)
        };
        PINGS
            .iter()
            .find(|ping| ping.state == PingState::Gone && ping.places.iter().any(is_at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_discontinued_ping_is_recognized_by_its_url() {
        let check = |address: &str, expected: Option<&str>| {
            let ping = Ping::gone_at(&Url::parse(address).expect("a valid URL"));
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
        check(
            "http://search.yahooapis.com/SiteExplorerService/V1/updateNotification?url=x",
            Some("Yahoo"),
        );
        check("https://notgoogle.com/ping", None);
        check("https://webmaster.yandex.com/ping?sitemap=x", None);
        check("http://127.0.0.1/ping", None);
    }

    #[test]
    fn names_of_pings_and_engines_are_unique() {
        let mut names: Vec<&str> = PINGS
            .iter()
            .flat_map(|ping| ping.names.iter().copied())
            .collect();
        names.extend(super::super::ENGINES.iter().map(|engine| engine.name));
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }
}
