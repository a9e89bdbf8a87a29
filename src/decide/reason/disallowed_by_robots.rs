//! The reason `disallowed-by-robots`.
//!
//! Rules match as in RFC 9309: the longest rule wins, and `*` and `$` are supported. Only a
//! robots.txt at the root of the host applies. Disable with `robots_txt.obey = false`.

use crate::decide::exclusion_reason::{Evidence, FoundEvidence, define_reason};
use crate::decide::page_case::PageCase;
use sitemaps::robots_txt::RobotsAccess;
use sitemaps::site_paths::finding::{Finding, Subject, quoted};

define_reason! {
    /// robots.txt disallows the page for all crawlers of `robots_txt.agents`: by default those without a
    /// group of their own (`User-agent: *`).
    "disallowed-by-robots", Warn, "robots.txt forbids crawling it", judge
}

fn judge(case: &PageCase<'_>) -> FoundEvidence {
    let Some(rules) = case.site.robots_txt else {
        return None.into();
    };
    let RobotsAccess::Disallowed(rule) = rules.access(&case.url) else {
        return None.into();
    };
    let (file, path) = (&case.page.file, quoted(&rule.path));
    let message = format!(
        "`{file}` is disallowed for {} by `Disallow: {path}` in robots.txt, so it is excluded",
        rules.crawlers()
    );
    let finding = Finding::new(REASON.code, Subject::Page(file.clone(), None), message).with_hint(
        "allow it in robots.txt; to keep it out of search results, use `noindex` instead, because \
         a disallowed page can still be indexed",
    );
    let evidence = Evidence::text(format!("robots.txt:{}: Disallow: {path}", rule.line));
    FoundEvidence::new(Some(evidence), vec![finding])
}
