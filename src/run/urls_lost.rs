//! The gate: URLs of the previous set whose pages are still there, but excluded now.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::decide::reason::{NOINDEX, REDIRECT};
use crate::decide::{DecidedBy, Exclusion};
use crate::findings::{Finding, Subject, code, counted, grouped};
use crate::pages::{Inventory, Page};
use crate::survey::SitemapChanges;
use sitemaps::{Plan, quoted};

/// How many statements to report, and how many URLs to name for one of them.
const NAMED: usize = 10;

const AS_PRODUCTION: &str =
    "build the site of this job as for production, to see what a change takes out";

/// Search engines follow this many redirects (developers.google.com, "how HTTP status codes affect
/// Google's crawlers").
const MOST_REDIRECTS: usize = 10;

/// Reports the URLs of the previous set that the pages at them lost, once for each statement: that of a
/// layout excludes many pages, and HTML does not say whether a page has it from there.
pub(super) fn urls_lost(
    inventory: &Inventory,
    removed: &[String],
    is_preview: bool,
) -> Vec<Finding> {
    let mut lost: BTreeMap<(&str, &str), Vec<(&str, &Exclusion)>> = BTreeMap::new();
    for listed in removed {
        if let Some(exclusion) = loss_of(inventory, listed) {
            let statement = (exclusion.reason.code.name, exclusion.evidence.as_str());
            lost.entry(statement).or_default().push((listed, exclusion));
        }
    }
    let mut lost: Vec<_> = lost.into_iter().collect();
    lost.sort_by_key(|(_, pages)| Reverse(pages.len()));
    let Some((_, largest)) = lost.first() else {
        return Vec::new();
    };
    let counts = lost.iter().map(|(_, pages)| pages.len());
    if is_preview
        && inventory.pages.listed().next().is_none()
        && lost
            .iter()
            .all(|((reason, _), _)| *reason == NOINDEX.code.name)
    {
        let message = format!(
            "each of the {} has noindex in this preview",
            counted(counts.sum(), "listed URL")
        );
        let subject = largest[0].1.statement.clone();
        return vec![Finding::new(code::URLS_LOST_NOTE, subject, message).with_hint(AS_PRODUCTION)];
    }
    let rest: usize = counts.skip(NAMED).sum();
    let mut findings: Vec<Finding> = lost.iter().take(NAMED).map(finding).collect();
    if rest > 0 {
        let message = format!("{} are no longer listed", counted(rest, "further URL"));
        findings.push(Finding::new(code::URLS_LOST, Subject::Site, message));
    }
    findings
}

/// Why the page at a URL of the previous set is excluded now. A page that is gone, that now redirects to
/// a listed one, or that the owner of the site excludes is not lost.
pub fn loss_of<'i>(inventory: &'i Inventory, listed: &str) -> Option<&'i Exclusion> {
    let page = inventory.page_at(&inventory.base().resolve(listed)?)?;
    let exclusion = page.verdict.exclusion()?;
    (exclusion.reason.by != DecidedBy::Owner && !has_moved(inventory, page)).then_some(exclusion)
}

/// Reports that the sets have no URL in common: the base URL has another path.
pub(super) fn set_moved(plan: &Plan, changes: &SitemapChanges) -> Option<Finding> {
    let (before, now) = (changes.removed.len(), plan.entries().len());
    let is_moved = before > 0 && now > 0 && changes.added.len() == now;
    let message = format!(
        "the new sitemap, of `{}`, lists none of the {} of the previous one",
        plan.base(),
        counted(before, "URL")
    );
    let finding = Finding::new(code::URLS_LOST, Subject::Site, message);
    is_moved.then(|| finding.with_hint(AS_PRODUCTION))
}

fn finding(((reason, evidence), pages): &((&str, &str), Vec<(&str, &Exclusion)>)) -> Finding {
    let (first, exclusion) = pages[0];
    let why = format!("{reason} ({evidence})");
    let (message, them) = if pages.len() == 1 {
        let message = format!("`{}` is no longer listed: {why}", quoted(first));
        (message, "it")
    } else {
        let named = pages.iter().take(NAMED);
        let named: Vec<String> = named.map(|(url, _)| format!("`{}`", quoted(url))).collect();
        let more = match pages.len() - named.len() {
            0 => String::new(),
            more => format!(" and {} more", grouped(more)),
        };
        let (count, named) = (counted(pages.len(), "URL"), named.join(", "));
        let message = format!("{count} are no longer listed: {why}: {named}{more}");
        (message, "them")
    };
    let hint = format!(
        "remove what excludes {them}, or accept the loss once with `--accept {}`",
        code::URLS_LOST.name
    );
    Finding::new(code::URLS_LOST, exclusion.statement.clone(), message).with_hint(hint)
}

/// Whether a page redirects to a listed page, maybe by way of others.
fn has_moved(inventory: &Inventory, page: &Page) -> bool {
    let mut page = page;
    for _ in 0..MOST_REDIRECTS {
        let Some(exclusion) = page.verdict.exclusion() else {
            return true;
        };
        if exclusion.reason != REDIRECT {
            return false;
        }
        let target = exclusion.target.as_ref();
        let Some(next) = target.and_then(|target| inventory.page_at(target)) else {
            return false;
        };
        page = next;
    }
    false
}
