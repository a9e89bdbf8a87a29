//! Checks the language versions that sitemaps name with `<xhtml:link>`: each code must be one that
//! search engines support, each entry must name itself, and each version must link back
//! (developers.google.com, "localized versions").
//!
//! Only sitemaps with such links are read again, and each link takes eight bytes of memory.

use rayon::prelude::*;

use super::context::CheckContext;
use super::existing::ExistingSitemap;
use super::tally::FindingTally;
use crate::decide::is_language_code;
use site_paths::PageUrl;
use site_paths::finding::{code, quoted};
use sitemaps::ListedEntry;

/// A link from one entry of the plan to another.
type VersionLink = (u32, u32);

/// Reports links to language versions that search engines ignore.
pub(super) fn check(case: &CheckContext<'_>) -> FindingTally {
    let sitemaps: Vec<_> = case
        .existing
        .pages()
        .filter(|sitemap| sitemap.has_alternates)
        .collect();
    let looked_at: Vec<_> = sitemaps
        .par_iter()
        .map(|sitemap| look_at(case, sitemap))
        .collect();
    let (tallies, links): (Vec<FindingTally>, Vec<Vec<VersionLink>>) =
        looked_at.into_iter().unzip();
    let mut tally: FindingTally = tallies.into_iter().collect();
    let mut links = links.concat();
    links.par_sort_unstable();
    links.dedup();
    let is_missing = |&(from, to): &VersionLink| links.binary_search(&(to, from)).is_err();
    let missing: Vec<VersionLink> = links.par_iter().copied().filter(is_missing).collect();
    if !missing.is_empty() {
        let tallies: Vec<FindingTally> = sitemaps
            .into_par_iter()
            .map(|sitemap| not_returned(case, sitemap, &missing))
            .collect();
        tally.absorb(tallies.into_iter().collect());
    }
    tally
}

/// Findings about the entries of one sitemap, and the links from these entries to others.
fn look_at(case: &CheckContext<'_>, sitemap: &ExistingSitemap) -> (FindingTally, Vec<VersionLink>) {
    let mut checks = VersionChecks {
        case,
        sitemap,
        tally: FindingTally::default(),
        links: Vec::new(),
    };
    sitemap.read_again_with_details(case.output_dir, &mut |listed| checks.check_entry(listed));
    (checks.tally, checks.links)
}

/// Checks the language versions in one sitemap.
struct VersionChecks<'a> {
    case: &'a CheckContext<'a>,
    sitemap: &'a ExistingSitemap,
    tally: FindingTally,
    /// The links from entries of this sitemap to others.
    links: Vec<VersionLink>,
}

impl VersionChecks<'_> {
    fn check_entry(&mut self, listed: &ListedEntry) {
        if listed.details.alternates.is_empty() {
            return;
        }
        let own = number_of(self.case, &listed.loc);
        let mut names_itself = false;
        for (language, href) in &listed.details.alternates {
            self.check_code(listed, language);
            let target = resolved(self.case, href);
            let number = target
                .as_ref()
                .and_then(|url| number_of(self.case, url.as_str()));
            names_itself |= *href == listed.loc || number.is_some() && number == own;
            match (own, number, target) {
                (Some(own), Some(number), _) if own != number => self.links.push((own, number)),
                // Whether a page on another host links back is unknown.
                (Some(_), None, Some(url))
                    if self.case.inventory.base.path_below(&url).is_some() =>
                {
                    self.report_unlisted(listed, language, href);
                }
                _ => {}
            }
        }
        if !names_itself {
            self.report_without_self(listed);
        }
    }

    /// Reports a language code that search engines do not support.
    fn check_code(&mut self, listed: &ListedEntry, language: &str) {
        if is_language_code(language) {
            return;
        }
        let message = || {
            format!(
                "`{}` is not a language code that search engines support",
                quoted(language)
            )
        };
        let hint = "use a form like `de`, `pt-BR`, `zh-Hant-TW` or `x-default`";
        let subject = self.sitemap.subject_at(listed.place);
        self.tally
            .report(code::HREFLANG_IGNORED, subject, message, hint);
    }

    /// Reports a version that no sitemap lists.
    fn report_unlisted(&mut self, listed: &ListedEntry, language: &str, href: &str) {
        let message = || {
            format!(
                "no sitemap lists the {} version `{}`",
                quoted(language),
                quoted(href)
            )
        };
        let hint = "link only to listed versions";
        let subject = self.sitemap.subject_at(listed.place);
        self.tally
            .report(code::HREFLANG_IGNORED, subject, message, hint);
    }

    /// Reports an entry that does not link to itself.
    fn report_without_self(&mut self, listed: &ListedEntry) {
        let message = || {
            format!(
                "`{}` links to language versions but not to itself",
                quoted(&listed.loc)
            )
        };
        let hint = "add an `<xhtml:link>` with its own language and URL";
        let subject = self.sitemap.subject_at(listed.place);
        self.tally
            .report(code::HREFLANG_IGNORED, subject, message, hint);
    }
}

/// Reports the links of one sitemap that have no link back.
fn not_returned(
    case: &CheckContext<'_>,
    sitemap: &ExistingSitemap,
    missing: &[VersionLink],
) -> FindingTally {
    let mut tally = FindingTally::default();
    sitemap.read_again_with_details(case.output_dir, &mut |listed| {
        let Some(own) = number_of(case, &listed.loc) else {
            return;
        };
        let first = missing.partition_point(|&(from, _)| from < own);
        for &(_, to) in missing[first..]
            .iter()
            .take_while(|&&(from, _)| from == own)
        {
            let other = case.plan.entries()[to as usize].loc.as_str();
            let message = || {
                format!(
                    "`{}` does not link back to `{}`",
                    quoted(other),
                    quoted(&listed.loc)
                )
            };
            let hint = "list all versions of a page in the entry of each version";
            tally.report(
                code::HREFLANG_IGNORED,
                sitemap.subject_at(listed.place),
                message,
                hint,
            );
        }
    });
    tally
}

fn number_of(case: &CheckContext<'_>, loc: &str) -> Option<u32> {
    case.plan
        .number_of_equivalent(loc)
        .and_then(|number| u32::try_from(number).ok())
}

fn resolved(case: &CheckContext<'_>, href: &str) -> Option<PageUrl> {
    case.inventory.base.of_path(b"").resolve(href).ok()
}
