//! Reads, judges and dates every page and returns the inventory.
//!
//! `site/loaded_site.rs` has found the site and its settings. Then, for `blog/a/index.html`:
//!
//! 1. `discover/mod.rs` lists the file as a `SitePath`.
//! 2. `sources/ruled_pages.rs` applies the rules (`RuleOutcome`) and asks `source_finder.rs` for
//!    its source: a `RuledPage`.
//! 3. Two threads go on. `reading/read_pages.rs` reads the HTML into `page_signals::PageFacts`,
//!    and `decide::judge` returns a `JudgedPage`. Meanwhile `sources/file_history.rs` asks
//!    `git_last_modified::date_sources` for all sources at once, and gets a `FileHistory` for
//!    each. `sources/date_origin.rs` combines those of a page into a `DateOrigin`: the commit
//!    that dates it, or why there is none. No later step has another type for this.
//! 4. `decide/resolve.rs` compares all pages, which gives each its final `Verdict`.
//! 5. `sources/hinted_sources.rs` dates sources that only pages name, as step 3 did the others.
//! 6. `dates/dating.rs` chooses between that commit and the page's other dates, and keeps or
//!    replaces the `DateOrigin` accordingly. The result is an `InventoryPage` with its `LastMod`.
//! 7. `dates/date_pages.rs` does this for all pages. A list page also has the date of the commit
//!    that last added, removed or renamed a file that it shows, as `sources/list_members.rs` found
//!    in step 2; `dates/list_dates.rs` does what the settings want of lists instead.
//! 8. `site/guard.rs` looks at the whole inventory and refuses what cannot be right.
//! 9. `inventory/mod.rs` turns listed pages into `sitemaps::SitemapEntry`, `sitemaps::Plan` lays
//!    them out into files, and `publish/place.rs` writes those that differ.
//!
//! Steps 1 to 7 are here in this order, the last two in `publish_site.rs`.

use std::collections::BTreeMap;

use super::replaced_set::{dropped_links, keep_images, own_sitemap};
use crate::clock::built_at;
use crate::dates::{ContentDater, PageDater, Remembering, bulk_commits, date_all, missing_dates};
use crate::decide::{SiteView, resolve_verdicts};
use crate::discover::discover;
use crate::feeds::NamedFeeds;
use crate::hosts::UrlForm;
use crate::inventory::{Inventory, InventoryPage, findings_by_level};
use crate::memory::Memory;
use crate::reading::read_all;
use crate::rules::ExcludedBy;
use crate::settings::{DraftPages, Settings, SubmitKey};
use crate::site::{ExclusionRules, LoadedSite, RobotsFile, RunError, slashed_setting};
use crate::sources::{
    DeployedOutput, DraftSources, GoneSearch, HintedSources, HistoryOptions, JudgedPages,
    MappedSources, RepositoryEvidence, RuledPage, RuledPages, SiteSources, SourceHistory,
    SourceMaps, apply_rules, exclude_omitted, history_findings, lists_by_members, owner_exclusions,
};
use git_last_modified::WalkedTree;
use page_signals::ReadOptions;
use page_sources::generator::IncludeReader;
use sitemaps::files::tree::{Tree, absolute};
use sitemaps::findings::{Finding, Place, WithFindings};
use sitemaps::site_paths::{BaseUrl, PageUrl, SitePath};
use sitemaps::{ReplacedEntry, is_set_file_name};

/// Reads, judges and dates every page of a site. The findings are ordered by file and place.
pub fn take_inventory(
    loaded: &LoadedSite<'_>,
    base: &BaseUrl,
    robots: &RobotsFile,
) -> Result<WithFindings<Inventory>, RunError> {
    let (site, settings) = (&loaded.site, loaded.settings());
    let mut findings = Vec::new();
    let memory_file = settings.lastmod.memory.as_ref();
    let memory_file = memory_file.map(|file| site.root.join(file));
    let remembered = match &memory_file {
        Some(file) => Memory::read(file, loaded.now)?,
        None => None,
    };
    let mut replaced = loaded.survey.replaced(site, &settings.sitemap.file);
    let stated = loaded.survey.take_links(&replaced);
    let (pages, walked) = discover_pages(&loaded.output, base, settings)?.take_into(&mut findings);
    findings.extend(loaded.settings_findings());
    let (sources, mut ruled) = find_sources(loaded, base, &pages)?.take_into(&mut findings);
    let mut includes = IncludeReader::new(site, &sources.content, &loaded.output);
    if let Some(reader) = &mut includes {
        let sources = ruled.pages.iter().map(|page| page.source.as_ref());
        findings.append(&mut ruled.files_to_date.add_included(reader, sources));
    }
    let drafts = DraftSources::new(settings.drafts, site, &sources.content);
    let mut excluded = excluded_drafts(settings.drafts, drafts.as_ref(), &ruled.pages);
    let by_owner = owner_exclusions(site, &sources.content, settings, &pages, &ruled.pages);
    excluded.extend(by_owner);
    let omitted = own_sitemap(loaded, base, &replaced).map_or_else(Vec::new, |own| {
        exclude_omitted(site, &own, &pages, &ruled.pages, &mut excluded)
    });
    let options = HistoryOptions::of(loaded, Some(&walked));
    let exclusion = ExclusionRules::read(loaded, base, robots)?.take_into(&mut findings);
    let reading = SiteReading {
        loaded,
        base,
        sources: &sources,
        exclusion: &exclusion,
        excluded,
        replaced: &stated,
    };
    let (judged, mut history, feeds) = reading
        .read(pages, ruled, &options)?
        .take_into(&mut findings);
    if let Some(deployed) = DeployedOutput::find(&judged, &history, &sources.dirs, &options)? {
        findings.push(deployed.finding());
        history.mark_deployed(deployed.pages);
    }
    let (mut lines, remembering) = date_pages(
        loaded,
        &sources,
        judged,
        includes.as_mut(),
        &history,
        &options,
        remembered.as_ref(),
    )?
    .take_into(&mut findings);
    findings.extend(keep_images(&loaded.output, base, &stated, &mut lines));
    if !replaced.foreign.is_empty() {
        replaced.dropped_links = dropped_links(base, &stated, &lines);
    }
    // Those that are kept are in the pages.
    drop(stated);
    let search = GoneSearch {
        site,
        sources: &sources,
        output: &loaded.output,
        base,
        survey: &loaded.survey,
        replaced: &replaced,
    };
    findings.extend(doubts_about(&lines, &exclusion, drafts.as_ref(), &search));
    findings.extend(missing_dates(site, &lines, &findings));
    findings.extend(findings_by_level(&settings.levels, &lines, &findings));
    findings.sort_by(|left, right| left.order().cmp(&right.order()));
    let inventory = Inventory {
        pages: lines,
        base: base.clone(),
        feeds,
        replaced,
        omitted,
        restless: remembering.restless,
        memory: memory_file.map(|file| (file, remembering.memory.to_bytes())),
    };
    Ok(WithFindings::new(inventory, findings))
}

/// Reports listed pages that may have to be excluded: by the host, or because of their source.
fn doubts_about(
    lines: &[InventoryPage],
    exclusion: &ExclusionRules,
    drafts: Option<&DraftSources<'_>>,
    search: &GoneSearch<'_>,
) -> Vec<Finding> {
    let listed = lines.iter().filter(|line| line.is_listed());
    let paths = listed.clone();
    let paths = paths.filter_map(|line| search.base.path_below(&line.url));
    let mut findings = exclusion.doubts(paths);
    let sources = listed.clone().filter_map(unasked_source);
    findings.extend(drafts.and_then(|drafts| drafts.finding(sources)));
    let files: Vec<&SitePath> = lines.iter().map(|line| &line.file).collect();
    let without_source = listed.filter(|line| line.source.is_none());
    findings.extend(search.finding(&files, without_source.map(|line| &line.file)));
    findings
}

/// Applies the rules to every page and finds its source. Source maps of large sites take much
/// memory, so they are freed here.
fn find_sources(
    loaded: &LoadedSite<'_>,
    base: &BaseUrl,
    pages: &[SitePath],
) -> Result<WithFindings<(SiteSources, RuledPages)>, RunError> {
    let (site, settings, output) = (&loaded.site, loaded.settings(), &loaded.output);
    let mut findings = Vec::new();
    let sources = SiteSources::read(site, output).take_into(&mut findings);
    let maps = SourceMaps {
        files: &settings.source_map,
        reported: &loaded.reported_sources,
    };
    let mapped =
        MappedSources::read(maps, site, output.path(), base, pages)?.take_into(&mut findings);
    let mut ruled = apply_rules(site, settings, &sources, &mapped, pages).take_into(&mut findings);
    let lists = lists_by_members(site, &sources, &settings.lastmod, pages, &ruled.pages);
    ruled.files_to_date.set_members(lists);
    Ok(WithFindings::new((sources, ruled), findings))
}

/// Feeds that pages link to, each with the first such page and the place of the tag.
type LinkedFeeds = BTreeMap<PageUrl, (SitePath, Place)>;

/// How to read and judge the pages of a site.
struct SiteReading<'s> {
    loaded: &'s LoadedSite<'s>,
    base: &'s BaseUrl,
    sources: &'s SiteSources,
    exclusion: &'s ExclusionRules,
    /// What excludes pages whose source is not to be published, or that are not in the generator's own
    /// sitemap on purpose, by index.
    excluded: BTreeMap<usize, ExcludedBy>,
    /// The entries of the sitemap that is replaced.
    replaced: &'s [ReplacedEntry],
}

impl SiteReading<'_> {
    /// Reads and judges the pages, and reads the history of their sources.
    fn read(
        &self,
        pages: Vec<SitePath>,
        ruled: RuledPages,
        options: &HistoryOptions<'_>,
    ) -> Result<WithFindings<(JudgedPages, SourceHistory, LinkedFeeds)>, RunError> {
        let (settings, exclusion) = (self.loaded.settings(), self.exclusion);
        let robots = exclusion.robots.as_ref();
        let agent_rules = robots.map(|robots| robots.rules_for_agents(&settings.robots_txt.agents));
        let (generator, config) = (self.loaded.site.generator, &self.loaded.site.config);
        let lists_drafts = generator.and_then(|known| known.lists_drafts_if.as_ref());
        let view = SiteView {
            base: self.base,
            settings,
            pages: &pages,
            robots_txt: agent_rules.as_ref(),
            error_pages: &exclusion.error_pages,
            not_pages: &exclusion.not_pages,
            has_generator: generator.is_some(),
            lists_drafts: lists_drafts.is_some_and(|key| config.meets(key)),
            host_rules: &exclusion.host_rules,
            now: self.loaded.now,
        };
        let excluded_by = |index: usize| {
            let by_settings = ruled.pages[index].rule_outcome.excluded_by.as_ref();
            by_settings.or_else(|| self.excluded.get(&index))
        };
        // The page whose copies are excluded.
        let has_copy = self.sources.front_page.is_some();
        let original = has_copy.then(|| SitePath::from("index.html"));
        let read_options = ReadOptions {
            images: settings.sitemap.images,
            fingerprint: has_copy,
        };
        let feeds = NamedFeeds::default();
        let wanted_feeds = settings.sitemap.feeds.then_some(&feeds);
        let output = &self.loaded.output;
        let files_to_date = ruled.files_to_date;
        let path_of = |index: usize| {
            let source = ruled.pages[index].source.as_ref();
            let source = source.expect("only pages with a source are dated by it");
            source.on_disk(&self.sources.dirs, &pages[index])
        };
        // Read history and pages concurrently: one is bound by the processor, the other by the
        // disk.
        let (read, history) = rayon::join(
            || read_all(&view, output, &read_options, wanted_feeds, excluded_by),
            || files_to_date.query(options, path_of),
        );
        output.check()?;
        let history = history?;
        // Free the page list: each record owns its path.
        drop(pages);
        let mut findings = Vec::new();
        let replaced = if settings.sitemap.hreflang {
            self.replaced
        } else {
            &[]
        };
        let judged = resolve_verdicts(
            read.take_into(&mut findings),
            self.base,
            UrlForm::of(settings),
            original.as_ref(),
            replaced,
            slashed_setting(&self.loaded.site).as_deref(),
        );
        let pages = JudgedPages {
            judged: judged.take_into(&mut findings),
            ruled: ruled.pages,
        };
        let read = (pages, history, feeds.into_map());
        Ok(WithFindings::new(read, findings))
    }
}

/// Dates the pages by the history of their sources, including those that only the pages name, and by
/// what was remembered of them. Returns the memory for the next build too.
fn date_pages(
    loaded: &LoadedSite<'_>,
    sources: &SiteSources,
    judged: JudgedPages,
    includes: Option<&mut IncludeReader<'_>>,
    history: &SourceHistory,
    options: &HistoryOptions<'_>,
    remembered: Option<&Memory>,
) -> Result<WithFindings<(Vec<InventoryPage>, Remembering)>, RunError> {
    let settings = loaded.settings();
    let mut findings = Vec::new();
    let repository = RepositoryEvidence {
        site: &loaded.site,
        environment: &loaded.environment,
    };
    let hinted = HintedSources::find(sources, &judged, history, options, includes, repository)?
        .take_into(&mut findings);
    let histories = [&history.history, &hinted.history];
    findings.extend(history_findings(loaded.pipelines(), options, histories));
    let mut repositories = histories.map(|history| &*history.repositories).concat();
    let mut rules = judged.ruled.iter().map(|page| &page.rule_outcome);
    if repositories.is_empty() && rules.any(|rules| rules.wants_history(&settings.lastmod)) {
        // No source is known, but the pages may state what a generator took from the repository.
        repositories = options.query_around_site()?.repositories;
    }
    let boundary = repositories.into_iter().flat_map(|report| report.boundary);
    let dater = PageDater {
        site: &loaded.site,
        sources,
        settings: &settings.lastmod,
        now: loaded.now,
        boundary: boundary.collect(),
    };
    let mut lines = date_all(&dater, judged, &hinted, history).take_into(&mut findings);
    findings.extend(bulk_commits(&sources.dirs, options, &lines)?);
    let mut remembering = Remembering::default();
    if settings.lastmod.memory.is_some() {
        let content = ContentDater {
            sources,
            history,
            hinted: &hinted,
            ignored: &settings.lastmod.ignore.changes,
            head: history.head_of(&sources.dirs, loaded.now),
            built_at: built_at(&loaded.environment, loaded.now),
        };
        remembering = content
            .date(remembered, &mut lines)
            .take_into(&mut findings);
    }
    Ok(WithFindings::new((lines, remembering), findings))
}

/// Finds the pages of a site, without the files that waypost writes, and its directories as the walk
/// found them.
fn discover_pages(
    output: &Tree,
    base: &BaseUrl,
    settings: &Settings,
) -> Result<WithFindings<(Vec<SitePath>, WalkedTree)>, RunError> {
    let mut found = discover(output, base, &settings.extensions.0)?;
    // The IndexNow key file is not part of the site.
    let key_file = settings.submit.key.as_ref().map(SubmitKey::file_name);
    found.pages.retain(|file| {
        let is_key_file = key_file
            .as_ref()
            .is_some_and(|name| file.file_name() == name.as_bytes());
        file.as_bytes() != b"robots.txt"
            && !is_set_file_name(file, &settings.sitemap.file)
            && !is_key_file
    });
    if found.pages.is_empty() {
        return Err(RunError::no_pages(output.path()));
    }
    let special = found.special_dirs.iter();
    let special = special.map(|dir| dir.to_relative().into_owned());
    let walked = WalkedTree::new(absolute(output.path()), special);
    Ok(WithFindings::new((found.pages, walked), found.findings))
}

/// Returns what excludes each page whose source is a draft, by index. A page whose front matter has
/// `exclude = false` is not among them.
fn excluded_drafts(
    mode: DraftPages,
    drafts: Option<&DraftSources<'_>>,
    pages: &[RuledPage],
) -> BTreeMap<usize, ExcludedBy> {
    let Some(drafts) = drafts.filter(|_| mode == DraftPages::Exclude) else {
        return BTreeMap::new();
    };
    let marks = drafts.marks(pages.iter().map(|page| {
        let is_wanted = page.rule_outcome.page.exclude == Some(false);
        page.source.as_ref().filter(|_| !is_wanted)
    }));
    let excluded = marks.into_iter();
    excluded
        .map(|(index, mark)| (index, ExcludedBy::Draft(mark)))
        .collect()
}

/// Returns a page with its source, unless its front matter has `exclude = false`.
fn unasked_source(line: &InventoryPage) -> Option<(&SitePath, &SitePath)> {
    let is_wanted = line.rule_outcome.page.exclude == Some(false);
    let source = line.source.as_ref().filter(|_| !is_wanted)?;
    Some((&line.file, source.file()?))
}
