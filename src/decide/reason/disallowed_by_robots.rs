//! robots.txt disallows the page for all crawlers (`User-agent: *`), so no search engine may fetch
//! it.
//!
//! Rules match as in RFC 9309: the longest rule wins, and `*` and `$` are supported. Only a
//! robots.txt at the root of the host applies. Disable with `robots_txt.obey = false`.

use crate::decide::exclusion_reason::{Evidence, FoundEvidence, Reason};
use crate::decide::page_case::PageCase;
use site_paths::finding::{Code, Finding, Level, Subject, quoted};
use sitemaps::robots_txt::RobotsAccess;

/// The reason `disallowed-by-robots`.
pub(crate) const REASON: &Reason = &Reason {
    code: &Code {
        name: "disallowed-by-robots",
        level: Level::Warn,
        about: "robots.txt disallows the page for all crawlers (`User-agent: *`), so no search \
                engine may fetch it.",
    },
    judge,
};

fn judge(case: &PageCase<'_>) -> FoundEvidence {
    let access = case.site.robots_txt.map(|rules| rules.access(&case.url));
    let Some(RobotsAccess::Disallowed(rule)) = access else {
        return None.into();
    };
    let (file, path) = (&case.page.file, quoted(&rule.path));
    let message = format!(
        "`{file}` is disallowed for all crawlers by `Disallow: {path}` in robots.txt, so it is \
         excluded"
    );
    let finding = Finding::new(REASON.code, Subject::Page(file.clone(), None), message).with_hint(
        "allow it in robots.txt; to keep it out of search results, use `noindex` instead, because \
         a disallowed page can still be indexed",
    );
    let evidence = Evidence::text(format!("robots.txt:{}: Disallow: {path}", rule.line));
    FoundEvidence::new(Some(evidence), vec![finding])
}
