//! The search engines that support IndexNow, with their endpoints.

/// A search engine that supports IndexNow. Engines share the URLs that they receive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IndexNowEngine {
    /// Its name on the command line.
    pub name: &'static str,
    /// Its display name.
    pub title: &'static str,
    /// The URL that messages are sent to.
    pub endpoint: &'static str,
}

/// The engine used by default.
pub const DEFAULT_ENGINE: &str = "indexnow";

/// All engines (indexnow.org, `searchengines.json`). The first is the shared endpoint, which passes
/// messages on to all of them.
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

/// The engine with this name, ignoring case.
pub fn engine_of(name: &str) -> Option<&'static IndexNowEngine> {
    ENGINES
        .iter()
        .find(|engine| engine.name.eq_ignore_ascii_case(name))
}
