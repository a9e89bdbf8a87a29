//! The search engines that take part in IndexNow, by name, and where each takes its messages.

/// An engine of IndexNow. What one takes, all of them come to know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IndexNowEngine {
    /// Its name on the command line.
    pub name: &'static str,
    /// Who it is.
    pub title: &'static str,
    /// Where it takes messages.
    pub endpoint: &'static str,
}

/// The engine that is meant where none is named.
pub const DEFAULT_ENGINE: &str = "indexnow";

/// Every engine (indexnow.org, `searchengines.json`); the first one belongs to none of them and passes on to all.
pub const ENGINES: &[IndexNowEngine] = &[
    IndexNowEngine {
        name: DEFAULT_ENGINE,
        title: "IndexNow itself",
        endpoint: "https://api.indexnow.org/indexnow",
    },
    IndexNowEngine {
        name: "bing",
        title: "Microsoft Bing",
        endpoint: "https://www.bing.com/indexnow",
    },
    IndexNowEngine {
        name: "yandex",
        title: "Yandex",
        endpoint: "https://yandex.com/indexnow",
    },
    IndexNowEngine {
        name: "seznam",
        title: "Seznam.cz",
        endpoint: "https://search.seznam.cz/indexnow",
    },
    IndexNowEngine {
        name: "naver",
        title: "Naver",
        endpoint: "https://searchadvisor.naver.com/indexnow",
    },
    IndexNowEngine {
        name: "yep",
        title: "Yep",
        endpoint: "https://indexnow.yep.com/indexnow",
    },
    IndexNowEngine {
        name: "amazon",
        title: "Amazon",
        endpoint: "https://indexnow.amazonbot.amazon/indexnow",
    },
    IndexNowEngine {
        name: "archive",
        title: "Internet Archive",
        endpoint: "https://web-static.archive.org/indexnow",
    },
];

/// The engine of this name.
pub fn engine_of(name: &str) -> Option<&'static IndexNowEngine> {
    ENGINES
        .iter()
        .find(|engine| engine.name.eq_ignore_ascii_case(name))
}
