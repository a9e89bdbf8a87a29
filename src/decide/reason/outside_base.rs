//! The page's canonical link names the page itself, but on a host, port or scheme other than that
//! of the site's base URL.
//!
//! A sitemap may list only URLs below its own (sitemaps.org, "sitemap file location"). If this
//! affects every page, the base URL of waypost or of the generator is wrong.

use super::{Evidence, Reason};
use crate::decide::PageCase;
use crate::decide::canonical::Canonical;
use site_paths::finding::{Code, Finding, Level};

/// The reason `outside-base`.
pub(crate) const REASON: &Reason = &Reason {
    code: &Code {
        name: "outside-base",
        level: Level::Allow,
        about: "The page's canonical link names the page itself, but on a host, port or scheme \
                other than that of the site's base URL.",
    },
    judge,
};

fn judge(case: &PageCase<'_>, _: &mut Vec<Finding>) -> Option<Evidence> {
    let Canonical::ItselfOutside(target) = &case.canonical else {
        return None;
    };
    let text = format!("{}, outside {}", target.evidence(), case.site.base);
    Some(Evidence {
        text,
        place: target.place(),
    })
}
