//! Reads, judges and dates every page and returns the inventory.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::dated::{Dated, Undated};
use super::dating::{date, published_by_source};
use super::hinted_sources::HintedSources;
use super::histories;
use super::host_files;
use super::ignored_settings::ignored_settings;
use super::inventory::{Inventory, InventoryPage};
use super::list_dates::date_lists_of;
use super::named_feeds::NamedFeeds;
use super::progress::RunProgress;
use super::reading::{ExtraFacts, UnjudgedFacts, read_all};
use super::robots::RobotsFile;
use super::rule_outcome::{ExcludedBy, RuleOutcome, RuledPages, apply_rules};
use super::sources::PageSource;
use super::survey::{RunError, Survey};
use crate::decide::{
    DecidedPage, ExclusionRequest, JudgedPage, SiteView, Verdict, resolve_verdicts,
};
use crate::discover::discover;
use crate::settings::SubmitKey;
use git_last_modified::History;
use page_signals::Fingerprint;
use site_paths::finding::{Finding, Level, Subject};
use site_paths::glob::PatternSet;
use site_paths::{BaseUrl, PageUrl, SitePath};
use sitemaps::{EntryLinks, is_set_file_name};

/// Number of records after which memory is released, about 1 MB at a time.
const PAGES_PER_RELEASE: usize = 1 << 13;

/// How much detail to collect about the pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InventoryDetail {
    /// As much as a sitemap needs.
    Usual,
    /// Also compares pages with each other and records the feeds that they link to.
    Close,
}

/// Reads, judges and dates every page of a site.
pub fn take_inventory(
    survey: &Survey<'_>,
    base: &BaseUrl,
    robots: &RobotsFile,
    scrutiny: InventoryDetail,
    progress: &RunProgress,
) -> Result<Inventory, RunError> {
    let mut found = discover(&survey.output_dir, base, &survey.settings().extensions)?;
    let root = &survey.settings().sitemap.file;
    // The IndexNow key file is not part of the site, and its name is the secret.
    let key_file = survey
        .settings()
        .submit
        .key
        .as_ref()
        .map(SubmitKey::file_name);
    found.pages.retain(|page| {
        let is_key_file = key_file
            .as_ref()
            .is_some_and(|name| page.file.file_name() == name.as_bytes());
        page.file.as_bytes() != b"robots.txt" && !is_set_file_name(&page.file, root) && !is_key_file
    });
    if found.pages.is_empty() {
        return Err(RunError::NoPages(survey.output_dir.clone()));
    }
    progress.found(found.pages.len());
    let mut findings = found.findings;
    findings.extend(ignored_settings(survey));
    let mut treated = apply_rules(survey, base, &found.pages, &mut findings)?;

    let rules = robots.rules(survey, base);
    let for_everyone = rules
        .as_ref()
        .map(sitemaps::robots_txt::RobotsTxt::rules_for_everyone);
    let generic = &survey.manifest.generic;
    let site = SiteView {
        base,
        settings: survey.settings(),
        pages: &found.pages,
        robots_txt: for_everyone.as_ref(),
        error_pages: &PatternSet::parse(generic.error_pages.iter())?,
        not_pages: &PatternSet::parse(
            generic
                .not_pages
                .iter()
                .chain(&survey.site.copied_templates()),
        )?,
        host_rules: &host_files::read(survey, base, &mut findings),
        now: survey.now,
    };
    let excluded_by = |index: usize| match treated.pages[index].treatment.excluded_by? {
        ExcludedBy::FrontMatter => Some(ExclusionRequest::FrontMatter),
        ExcludedBy::Rule(rule) => {
            let pattern = survey.settings().rules[rule].patterns.first();
            pattern.map(|pattern| ExclusionRequest::Rule(pattern.as_str()))
        }
    };
    let compares = treated.first_chapter.is_some() || scrutiny == InventoryDetail::Close;
    let fingerprint = if compares {
        Fingerprint::Wanted
    } else {
        Fingerprint::Unwanted
    };
    let feeds = NamedFeeds::default();
    let wants_feeds = scrutiny == InventoryDetail::Close || survey.settings().sitemap.feeds;
    let besides = ExtraFacts {
        fingerprint,
        feeds: wants_feeds.then_some(&feeds),
    };
    // Read history and pages concurrently: one is bound by the processor, the other by the disk.
    let (read, history) = rayon::join(
        || {
            read_all(
                &site,
                &survey.output_dir,
                &found.pages,
                besides,
                excluded_by,
                progress,
            )
        },
        || treated.files_to_date.query(survey),
    );
    let history = history?;
    // Free the page list: each record owns its path.
    drop(found.pages);
    findings.extend(read.findings);
    let lines = date_all(
        survey,
        base,
        &mut treated,
        (read.judged, read.unjudged),
        &history,
        &mut findings,
    )?;
    findings.extend(findings_by_level(survey, &lines, &findings));
    let published = published_by_source(survey, &treated.content, &lines);
    findings.sort_by(|left, right| left.order().cmp(&right.order()));
    Ok(Inventory {
        pages: lines,
        findings,
        base: base.clone(),
        feeds: feeds.into_map(),
        published,
    })
}

/// Determines the final verdicts and dates every listed page.
fn date_all(
    survey: &Survey<'_>,
    base: &BaseUrl,
    treated: &mut RuledPages,
    (judged, mut all_said): (Vec<JudgedPage>, Vec<UnjudgedFacts>),
    history: &History,
    findings: &mut Vec<Finding>,
) -> Result<Vec<InventoryPage>, RunError> {
    let original = treated
        .first_chapter
        .as_ref()
        .map(|_| SitePath::from("index.html"));
    let mut settled = resolve_verdicts(judged, base, original.as_ref(), findings);
    let hinted = HintedSources::ask(survey, treated, (&settled, &all_said), history, findings)?;
    histories::findings_of(survey, [history, &hinted.history], findings);

    let mut lines = Vec::with_capacity(settled.len());
    // From last to first, to release the memory of finished pages along the way.
    while let (Some(line), Some(mut stated), Some(page)) =
        (settled.pop(), all_said.pop(), treated.pages.pop())
    {
        let index = settled.len();
        if index.is_multiple_of(PAGES_PER_RELEASE) {
            settled.shrink_to_fit();
            all_said.shrink_to_fit();
            treated.pages.shrink_to_fit();
        }
        let (source, page_history) = match hinted.of(index) {
            Some(hinted) => hinted,
            None => (page.source, treated.files_to_date.page(index, history)),
        };
        let mut line = undated(line, stated.take_images(), source, page.treatment);
        if line.verdict == Verdict::Listed {
            date(survey, treated, &mut line, &page_history, &stated, findings);
        }
        lines.push(line);
    }
    lines.reverse();
    date_lists_of(survey, &treated.content, &mut lines);
    Ok(lines)
}

/// Returns one finding for each excluded page whose reason has a level other than `allow`, unless
/// already reported.
fn findings_by_level(
    survey: &Survey<'_>,
    lines: &[InventoryPage],
    findings: &[Finding],
) -> Vec<Finding> {
    let levels = &survey.settings().levels;
    let reported: BTreeSet<(&str, &SitePath)> = findings.iter().filter_map(code_and_page).collect();
    let finding = |line: &InventoryPage| {
        let Verdict::Excluded(exclusion) = &line.verdict else {
            return None;
        };
        let code = exclusion.reason.code;
        if levels.level_of(code) == Level::Allow || reported.contains(&(code.name, &line.file)) {
            return None;
        }
        let message = format!("`{}` is excluded: {}", line.file, exclusion.evidence);
        Some(Finding::new(
            code,
            Subject::Page(line.file.clone(), exclusion.place),
            message,
        ))
    };
    lines.iter().filter_map(finding).collect()
}

fn code_and_page(finding: &Finding) -> Option<(&str, &SitePath)> {
    match &finding.subject {
        Subject::Page(file, _) => Some((finding.code.name, file)),
        _ => None,
    }
}

fn undated(
    line: DecidedPage,
    images: Box<[PageUrl]>,
    source: Option<PageSource>,
    rule_outcome: Arc<RuleOutcome>,
) -> InventoryPage {
    InventoryPage {
        file: line.file,
        url: line.url,
        verdict: line.verdict,
        lastmod: None,
        dated: Dated::Not(Undated::Excluded),
        source,
        rule_outcome,
        links: EntryLinks {
            alternates: line.alternates,
            images,
        }
        .shared(),
    }
}
