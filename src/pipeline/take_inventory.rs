//! Reads, judges and dates every page and returns the inventory.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::dates::{PageDater, date_lists_of, published_by_source};
use crate::decide::{DecidedPage, ExclusionRequest, SiteView, Verdict, resolve_verdicts};
use crate::discover::{Page, discover};
use crate::feeds::NamedFeeds;
use crate::hosts::HostRules;
use crate::inventory::{Dated, Inventory, InventoryPage, Undated};
use crate::reading::{ExtraFacts, RunProgress, read_all};
use crate::rules::{ExcludedBy, RuleOutcome};
use crate::settings::{DraftPages, LevelOverrides, Settings, SubmitKey};
use crate::site::{
    LoadedSite, RobotsFile, RunError, ignored_settings, misplaced_settings, read_host_files,
};
use crate::sources::{
    DecidedPages, DraftSources, HintedSources, HistoryOptions, MappedSources, PageSource,
    RuledPage, SiteSources, SourceHistory, SourceMaps, apply_rules,
    findings_of as history_findings, given_repository,
};
use page_signals::Fingerprint;
use site_paths::containment::SitemapDir;
use site_paths::finding::{Finding, Level, Subject, WithFindings};
use site_paths::glob::{PatternError, PatternSet};
use site_paths::{BaseUrl, PageUrl, SitePath};
use sitemaps::robots_txt::RobotsTxt;
use sitemaps::{EntryLinks, is_set_file_name};

/// How much detail to collect about the pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InventoryDetail {
    /// As much as a sitemap needs.
    Usual,
    /// Also compares pages with each other and records the feeds that they link to.
    Close,
}

/// Reads, judges and dates every page of a site. The findings are ordered by file and place.
pub fn take_inventory(
    loaded: &LoadedSite<'_>,
    base: &BaseUrl,
    robots: &RobotsFile,
    detail: InventoryDetail,
    progress: &RunProgress,
) -> Result<WithFindings<Inventory>, RunError> {
    let (site, settings, output) = (&loaded.site, loaded.settings(), &loaded.output);
    let mut findings = Vec::new();
    let pages = discover_pages(output, base, settings)?.take_into(&mut findings);
    progress.found(pages.len());
    findings.extend(settings_findings(loaded));
    let sources = SiteSources::read(site, output).take_into(&mut findings);
    let maps = SourceMaps {
        files: &settings.source_map,
        reported: &loaded.reported_sources,
    };
    let mapped =
        MappedSources::read(maps, site, output.path(), base, &pages)?.take_into(&mut findings);
    let ruled = apply_rules(site, settings, &sources, &mapped, &pages)?.take_into(&mut findings);
    // Every page has its source by now, and source maps of large sites take much memory.
    drop(mapped);

    let exclusion = ExclusionRules::read(loaded, base, robots)?.take_into(&mut findings);
    let for_everyone = exclusion.robots.as_ref().map(RobotsTxt::rules_for_everyone);
    let view = SiteView {
        base,
        settings,
        pages: &pages,
        robots_txt: for_everyone.as_ref(),
        error_pages: &exclusion.error_pages,
        not_pages: &exclusion.not_pages,
        host_rules: &exclusion.host_rules,
        now: loaded.now,
    };
    let drafts = DraftSources::new(settings.drafts, site, &sources.content, loaded.now);
    let draft_states = excluded_drafts(settings.drafts, drafts.as_ref(), &ruled.pages);
    let excluded_by = |index: usize| {
        exclusion_of(&ruled.pages[index].rule_outcome, settings).or_else(|| {
            let state = draft_states.get(&index)?;
            Some(ExclusionRequest::Draft(state))
        })
    };
    let compares = sources.first_chapter.is_some() || detail == InventoryDetail::Close;
    let wants_feeds = detail == InventoryDetail::Close || settings.sitemap.feeds;
    let feeds = NamedFeeds::default();
    let extra = ExtraFacts {
        fingerprint: if compares {
            Fingerprint::Wanted
        } else {
            Fingerprint::Unwanted
        },
        feeds: wants_feeds.then_some(&feeds),
    };
    let options = HistoryOptions {
        settings: &settings.lastmod,
        site_root: &site.root,
        given: given_repository(&loaded.environment),
    };
    // Read history and pages concurrently: one is bound by the processor, the other by the disk.
    let files_to_date = ruled.files_to_date;
    let (read, history) = rayon::join(
        || read_all(&view, output, &pages, extra, excluded_by, progress),
        || files_to_date.query(&options),
    );
    output.check_failures()?;
    let history = history?;
    // Free the page list: each record owns its path.
    drop(pages);
    findings.extend(read.findings);
    let original = sources
        .first_chapter
        .as_ref()
        .map(|_| SitePath::from("index.html"));
    let decided = resolve_verdicts(read.judged, base, original.as_ref()).take_into(&mut findings);
    let decided = DecidedPages::new(decided, read.unjudged, ruled.pages, ruled.rivals);
    let hinted = HintedSources::find(&sources.dirs, settings, &decided, &history, &options)?
        .take_into(&mut findings);
    let histories = [&history.history, &hinted.history];
    findings.extend(history_findings(loaded.pipelines(), &options, histories));
    let dater = PageDater {
        site,
        sources: &sources,
        settings: &settings.lastmod,
        now: loaded.now,
    };
    let lines = date_all(&dater, decided, &hinted, &history).take_into(&mut findings);
    findings.extend(drafts.and_then(|drafts| drafts.finding(listed_sources(&lines))));
    findings.extend(findings_by_level(&settings.levels, &lines, &findings));
    findings.sort_by(|left, right| left.order().cmp(&right.order()));
    let inventory = Inventory {
        published: published_by_source(site.generator, &sources.content, &lines),
        pages: lines,
        base: base.clone(),
        feeds: feeds.into_map(),
    };
    Ok(WithFindings::new(inventory, findings))
}

/// What excludes pages besides their own content and the rules of the settings.
struct ExclusionRules {
    robots: Option<RobotsTxt>,
    /// Paths of the host's error pages.
    error_pages: PatternSet,
    /// Paths of files that are not pages.
    not_pages: PatternSet,
    host_rules: HostRules,
}

impl ExclusionRules {
    fn read(
        loaded: &LoadedSite<'_>,
        base: &BaseUrl,
        robots: &RobotsFile,
    ) -> Result<WithFindings<Self>, PatternError> {
        let (site, generic) = (&loaded.site, &loaded.manifest.generic);
        let templates = site.copied_templates();
        let error_pages = PatternSet::parse(generic.error_pages.iter())?;
        let not_pages = PatternSet::parse(generic.not_pages.iter().chain(&templates))?;
        let host = loaded.host.as_ref().map(|host| host.model);
        let host_rules = read_host_files(host, &loaded.host_dirs, &loaded.output, base);
        Ok(host_rules.map(|host_rules| Self {
            robots: robots.rules(&loaded.settings().robots_txt, base),
            error_pages,
            not_pages,
            host_rules,
        }))
    }
}

/// Returns what excludes a page before it is read.
fn exclusion_of<'s>(
    rule_outcome: &RuleOutcome,
    settings: &'s Settings,
) -> Option<ExclusionRequest<'s>> {
    match rule_outcome.excluded_by? {
        ExcludedBy::FrontMatter => Some(ExclusionRequest::FrontMatter),
        ExcludedBy::Rule(rule) => {
            let pattern = settings.rules[rule].patterns.first();
            pattern.map(|pattern| ExclusionRequest::Rule(pattern.as_str()))
        }
    }
}

/// Finds the pages of a site, without the files that waypost writes.
fn discover_pages(
    output: &SitemapDir,
    base: &BaseUrl,
    settings: &Settings,
) -> Result<WithFindings<Vec<Page>>, RunError> {
    let mut found = discover(output.path(), base, &settings.extensions)?;
    // The IndexNow key file is not part of the site, and its name is the secret.
    let key_file = settings.submit.key.as_ref().map(SubmitKey::file_name);
    found.pages.retain(|page| {
        let is_key_file = key_file
            .as_ref()
            .is_some_and(|name| page.file.file_name() == name.as_bytes());
        page.file.as_bytes() != b"robots.txt"
            && !is_set_file_name(&page.file, &settings.sitemap.file)
            && !is_key_file
    });
    if found.pages.is_empty() {
        return Err(RunError::NoPages(output.path().to_owned()));
    }
    Ok(WithFindings::new(found.pages, found.findings))
}

/// Returns the problems of settings files that do not prevent a run.
fn settings_findings(loaded: &LoadedSite<'_>) -> Vec<Finding> {
    let site = &loaded.site;
    let mut findings = site.config.findings().to_vec();
    findings.extend(ignored_settings(site, loaded.typed_settings.as_deref()));
    findings.extend(misplaced_settings(site, loaded.output_dir()));
    findings
}

/// Returns the state of each page to exclude because of its source, by index. A page whose front
/// matter has `exclude = false` is not among them.
fn excluded_drafts(
    mode: DraftPages,
    drafts: Option<&DraftSources<'_>>,
    pages: &[RuledPage],
) -> BTreeMap<usize, String> {
    let Some(drafts) = drafts.filter(|_| mode == DraftPages::Exclude) else {
        return BTreeMap::new();
    };
    drafts.states(pages.iter().map(|page| {
        let is_wanted = page.rule_outcome.page.exclude == Some(false);
        page.source.as_ref().filter(|_| !is_wanted)
    }))
}

/// Returns each listed page with its source, except pages whose front matter has
/// `exclude = false`.
fn listed_sources(lines: &[InventoryPage]) -> impl Iterator<Item = (&SitePath, &SitePath)> {
    let listed = lines.iter().filter(|line| {
        line.verdict == Verdict::Listed && line.rule_outcome.page.exclude != Some(false)
    });
    listed.filter_map(|line| Some((&line.file, line.source.as_ref()?.file()?)))
}

/// Dates every listed page, list pages last.
fn date_all(
    dater: &PageDater<'_>,
    mut pages: DecidedPages,
    hinted: &HintedSources,
    history: &SourceHistory,
) -> WithFindings<Vec<InventoryPage>> {
    let mut findings = Vec::new();
    let mut lines = Vec::with_capacity(pages.decided().len());
    // From last to first, to release the memory of finished pages along the way.
    while let Some(mut page) = pages.pop() {
        let (source, page_history) = match hinted.of(page.index) {
            Some(hinted) => hinted,
            None => (page.ruled.source, history.page(page.index)),
        };
        let images = page.unjudged.take_images();
        let mut line = undated(page.decided, images, source, page.ruled.rule_outcome);
        if line.verdict == Verdict::Listed {
            let date = dater
                .date(&line, &page_history, &page.unjudged)
                .take_into(&mut findings);
            (line.lastmod, line.dated) = (date.lastmod, date.dated);
        }
        lines.push(line);
    }
    lines.reverse();
    let (content, lists) = (&dater.sources.content, dater.settings.lists);
    date_lists_of(dater.site, content, lists, &mut lines);
    WithFindings::new(lines, findings)
}

/// Returns one finding for each excluded page whose reason has a level other than `allow`, unless
/// already reported.
fn findings_by_level(
    levels: &LevelOverrides,
    lines: &[InventoryPage],
    findings: &[Finding],
) -> Vec<Finding> {
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
