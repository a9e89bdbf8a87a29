//! The search engines that ever took a ping with a sitemap's address, what became of it, and what to do instead.

use url::{Host, Url};

/// What became of a ping.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PingState {
    /// It does nothing any more: naming it is a mistake.
    Gone,
    /// Nobody documents it; it may answer, and that may mean nothing.
    Doubtful,
}

/// An address that once took the address of a sitemap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ping {
    /// Whose it was.
    pub engine: &'static str,
    /// Names under which it is asked for.
    names: &'static [&'static str],
    /// Where it was, for people.
    pub address: &'static str,
    /// Hosts, each with those below it, and what the path then holds, in lower case.
    places: &'static [(&'static str, &'static str)],
    /// What became of it.
    pub state: PingState,
    /// Since when, and by whose word.
    pub since: &'static str,
    /// What to do instead.
    pub instead: &'static str,
}

/// Every ping that is known of.
pub const PINGS: &[Ping] = &[
    Ping {
        engine: "Google",
        names: &["google", "google-ping"],
        address: "https://www.google.com/ping?sitemap=",
        places: &[("google.com", "ping")],
        state: PingState::Gone,
        since: "deprecated in June 2023, off since the end of 2023, answers 404 (Google Search Central blog)",
        instead: "the Sitemap line in robots.txt, and Search Console once; Google takes no part in IndexNow",
    },
    Ping {
        engine: "Bing",
        names: &["bing-ping", "live", "live-ping", "msn", "msn-ping"],
        address: "https://www.bing.com/ping?sitemap=",
        places: &[("bing.com", "ping"), ("webmaster.live.com", "ping")],
        state: PingState::Gone,
        since: "answers 410 since December 2021, announced in May 2022 (Bing Webmaster blog)",
        instead: "IndexNow (`--engine bing`), and Bing Webmaster Tools once",
    },
    Ping {
        engine: "Yahoo",
        names: &["yahoo", "yahoo-ping"],
        address: "http://search.yahooapis.com/SiteExplorerService/V1/ping?sitemap=",
        places: &[("search.yahooapis.com", "")],
        state: PingState::Gone,
        since: "Site Explorer was shut down after November 2010",
        instead: "nothing of its own: Yahoo shows Bing's results",
    },
    Ping {
        engine: "Ask",
        names: &["ask", "ask-ping"],
        address: "http://submissions.ask.com/ping?sitemap=",
        places: &[("submissions.ask.com", "")],
        state: PingState::Gone,
        since: "retired in June 2012, its host is gone",
        instead: "the Sitemap line in robots.txt",
    },
    Ping {
        engine: "Yandex",
        names: &["yandex-ping"],
        address: "https://webmaster.yandex.com/ping?sitemap=",
        places: &[],
        state: PingState::Doubtful,
        since: "not documented since 2017; still answered in 2022",
        instead: "IndexNow (`--engine yandex`), and Yandex Webmaster once",
    },
    Ping {
        engine: "Didikle",
        names: &["didikle", "didikle-ping"],
        address: "http://www.didikle.com/ping?sitemap=",
        places: &[],
        state: PingState::Doubtful,
        since: "known from lists of pings in old blogs alone",
        instead: "the Sitemap line in robots.txt",
    },
    Ping {
        engine: "Moreover",
        names: &["moreover", "moreover-ping"],
        address: "http://api.moreover.com/ping?u=",
        places: &[("api.moreover.com", "ping")],
        state: PingState::Gone,
        since: "no sitemap service any more",
        instead: "nothing",
    },
    Ping {
        engine: "Baidu",
        names: &["baidu", "baidu-ping"],
        address: "http://ping.baidu.com/ping/RPC2",
        places: &[("ping.baidu.com", "")],
        state: PingState::Gone,
        since: "ended in 2017",
        instead: "Baidu Search Resource Platform",
    },
];

impl PingState {
    /// The state in a word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Gone => "gone",
            Self::Doubtful => "not documented",
        }
    }
}

impl Ping {
    /// The ping that somebody asks for by name.
    pub fn named(name: &str) -> Option<&'static Self> {
        PINGS
            .iter()
            .find(|ping| ping.names.iter().any(|own| own.eq_ignore_ascii_case(name)))
    }

    /// The ping that is gone and that this address would go to.
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
    fn a_ping_that_is_gone_is_known_by_its_address() {
        let check = |address: &str, expected: Option<&str>| {
            let ping = Ping::gone_at(&Url::parse(address).expect("a URL"));
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
    fn every_name_is_of_one_ping_and_of_no_engine() {
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
