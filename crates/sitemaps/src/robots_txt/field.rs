//! Recognizes the names of fields, as Google's parser does.

/// A field that crawlers know. Of two rules of equal length, `Allow` comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum RobotsField {
    UserAgent,
    Allow,
    Disallow,
    Sitemap,
}

/// The spellings that Google accepts at the start of a field, in the order of its parser, which is
/// that of the fields; the first of each field is the right one (`robots.cc` of google/robotstxt).
const SPELLINGS: &[(RobotsField, &[&str])] = &[
    (
        RobotsField::UserAgent,
        &["User-agent", "useragent", "user agent"],
    ),
    (RobotsField::Allow, &["Allow"]),
    (
        RobotsField::Disallow,
        &[
            "Disallow",
            "dissallow",
            "dissalow",
            "disalow",
            "diasllow",
            "disallaw",
        ],
    ),
    (RobotsField::Sitemap, &["Sitemap", "site-map"]),
];

impl RobotsField {
    /// The field that begins with one of the accepted spellings, ignoring case.
    pub(super) fn parse(written: &[u8]) -> Option<Self> {
        for (field, spellings) in SPELLINGS {
            for spelling in *spellings {
                let start = written.get(..spelling.len());
                if start.is_some_and(|start| start.eq_ignore_ascii_case(spelling.as_bytes())) {
                    return Some(*field);
                }
            }
        }
        None
    }

    /// Its right spelling.
    pub(super) fn name(self) -> &'static str {
        SPELLINGS[self as usize].1[0]
    }
}
