//! The ledger: exactly one line a page, sorted by file.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::config::DateSource;
use crate::date::{DatedBy, LastMod};
use crate::decide::Verdict;
use crate::finding::Finding;
use crate::history::ObjectId;
use crate::location::{BaseUrl, PageUrl, SitePath};
use crate::rule::{ChangeFreq, GroupName, Outcome, Priority};
use crate::write::Entry;

use super::sources::SourceStep;

/// All that became of one page.
#[derive(Debug, Clone)]
pub struct LedgerLine {
    /// Its file below the output folder.
    pub file: SitePath,
    /// The address under which it is or would be listed.
    pub url: PageUrl,
    /// Whether it is listed.
    pub verdict: Verdict,
    /// When it last changed.
    pub lastmod: Option<LastMod>,
    /// What dated it.
    pub dated_by: Option<DatedBy>,
    /// Its source below the site root, and how that was found.
    pub source: Option<(SitePath, SourceStep)>,
    /// The commit that dated it.
    pub commit: Option<Box<ObjectId>>,
    /// What the rules say of it; shared by all pages that the same rules match.
    pub treatment: Arc<Treatment>,
    /// Its language versions, itself among them.
    pub alternates: Box<[(Box<str>, PageUrl)]>,
    /// Addresses of its images.
    pub images: Box<[PageUrl]>,
}

/// What a set of rules says of the pages that they match.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Treatment {
    /// `<priority>`.
    pub priority: Option<Priority>,
    /// `<changefreq>`.
    pub changefreq: Option<ChangeFreq>,
    /// A fixed date.
    pub lastmod: Option<String>,
    /// Where the date comes from.
    pub lastmod_from: Option<Vec<DateSource>>,
    /// Further sources.
    pub also: Option<Vec<String>>,
    /// The child sitemap.
    pub group: Option<GroupName>,
    /// The rule that excludes the page.
    pub excluded_by: Option<usize>,
    /// The rules that match, by their position, in order.
    pub rules: Vec<usize>,
}

impl Treatment {
    pub(super) fn of(outcome: &Outcome<'_>) -> Self {
        Self {
            priority: outcome.priority,
            changefreq: outcome.changefreq,
            lastmod: outcome.lastmod.map(str::to_owned),
            lastmod_from: outcome.lastmod_from.map(<[DateSource]>::to_vec),
            also: outcome.also.map(<[String]>::to_vec),
            group: outcome.group.cloned(),
            excluded_by: outcome.excluded_by,
            rules: outcome.matched.clone(),
        }
    }
}

/// Every page of a site with what became of it, and what was found wrong on the way.
#[derive(Debug)]
pub struct Ledger {
    /// One line a page, sorted by file.
    pub lines: Vec<LedgerLine>,
    /// What is wrong with the site, in the order of files and places.
    pub findings: Vec<Finding>,
    /// The address of the output folder.
    pub base: BaseUrl,
}

impl Ledger {
    /// How many pages are listed.
    pub fn listed(&self) -> usize {
        self.lines.iter().filter(|line| line.verdict == Verdict::Listed).count()
    }

    /// How many pages are left out, by reason code.
    pub fn left_out(&self) -> BTreeMap<&'static str, usize> {
        let mut counts = BTreeMap::new();
        for line in &self.lines {
            if let Verdict::LeftOut(left_out) = &line.verdict {
                *counts.entry(left_out.reason.code.name).or_insert(0) += 1;
            }
        }
        counts
    }

    /// How many listed pages have a date from where; `none` for those without.
    pub fn dates(&self) -> BTreeMap<&'static str, usize> {
        let mut counts = BTreeMap::new();
        for line in self.lines.iter().filter(|line| line.verdict == Verdict::Listed) {
            *counts.entry(line.dated_by.map_or("none", DatedBy::as_str)).or_insert(0) += 1;
        }
        counts
    }

    /// What the sitemaps list.
    pub fn entries(&self) -> Vec<Entry> {
        let listed = self.lines.iter().filter(|line| line.verdict == Verdict::Listed);
        let entry = |line: &LedgerLine| Entry {
            loc: line.url.clone(),
            lastmod: line.lastmod,
            changefreq: line.treatment.changefreq,
            priority: line.treatment.priority,
            alternates: line.alternates.clone(),
            images: line.images.clone(),
            group: line.treatment.group.clone(),
        };
        listed.map(entry).collect()
    }
}
