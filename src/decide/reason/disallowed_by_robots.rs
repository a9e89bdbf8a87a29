//! robots.txt forbids the page to everyone (`User-agent: *`), so no engine may fetch what the sitemap would name.
//!
//! Matched by RFC 9309: longest rule wins, `*` and `$` count. Only a robots.txt at the host's root is one; switch off with
//! `robots_txt.obey = false`.

use super::{Evidence, Reason};
use crate::decide::PageCase;
use crate::finding::{Code, Finding, Level, Subject, quoted};
use crate::robots_txt::RobotsAccess;

/// The reason `disallowed-by-robots`.
pub(crate) const REASON: &Reason = &Reason {
    code: &Code {
        name: "disallowed-by-robots",
        level: Level::Warn,
        about: "robots.txt forbids the page to everyone (`User-agent: *`), so no engine may fetch what the sitemap would name.",
    },
    judge,
};

fn judge(case: &PageCase<'_>, findings: &mut Vec<Finding>) -> Option<Evidence> {
    let RobotsAccess::Disallowed(rule) = case.site.robots_txt?.access(&case.url) else {
        return None;
    };
    let (file, path) = (&case.page.file, quoted(&rule.path));
    let message = format!(
        "`{file}` is forbidden to everyone by `Disallow: {path}` in robots.txt, so it is left out"
    );
    let finding = Finding::new(REASON.code, Subject::Page(file.clone(), None), message).with_hint(
        "allow it there, or ask for `noindex` in the page: a page that may not be fetched can still be indexed",
    );
    findings.push(finding);
    Some(Evidence::text(format!(
        "robots.txt:{}: Disallow: {path}",
        rule.line
    )))
}
