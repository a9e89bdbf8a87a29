//! Reads, judges and dates every page and returns the inventory.
//!
//! `site/loaded_site.rs` has found the site and its settings. Then, for `blog/a/index.html`:
//!
//! 1. `survey/discover/mod.rs` finds the file, and `pages::Pages` has a `Page` for it, which each of the
//!    next steps completes.
//! 2. `sources/apply_rules.rs` applies the rules (`RuleOutcome`) and asks `source_finder.rs` for
//!    its source.
//! 3. Two threads go on. `pages/read_pages.rs` reads the HTML into `page_signals::PageFacts`, and
//!    `decide::judge` gives the page a `Verdict`. Meanwhile `sources/file_history.rs` asks
//!    `git_last_modified::date_sources` for all sources at once, and gets a `FileHistory` for
//!    each. `DateOrigin` combines those of a page: the commit that dates it, or why there is none.
//!    No later step has another type for this.
//! 4. `pages/compare.rs` compares all pages, which gives each its final `Verdict`.
//! 5. `sources/hinted_sources.rs` dates sources that only pages name, as step 3 did the others.
//! 6. `dates/dating.rs` chooses between that commit and the page's other dates, and keeps or
//!    replaces the `DateOrigin` accordingly: the page has its `LastMod`.
//! 7. `dates/date_pages.rs` does this for all pages. A list page also has the date of the commit
//!    that last added, removed or renamed a file that it shows, as `sources/list_members.rs` found
//!    in step 2; `dates/list_dates.rs` does what the settings want of lists instead.
//! 8. `site/guard.rs` looks at the whole inventory and refuses what cannot be right.
//! 9. `pages/inventory.rs` turns listed pages into `sitemaps::SitemapEntry`, `sitemaps::Plan` lays
//!    them out into files, and `publish/place.rs` writes those that differ.
//!
//! Steps 1 to 7 are here in this order. The refusals of step 8 are in `refusals.rs`; of step 9, the layout is in
//! `plan_of_inventory.rs` and the rest in `publish_site.rs`.

use super::memory_file::read_memory;
use super::replaced_content::{dropped_links, generator_sitemap, keep_images, kept_entries};
use crate::clock::built_at;
use crate::dates::{
    ContentDater, PageDater, Remembering, date_all, missing_dates, report_bulk_commits,
};
use crate::decide::SiteView;
use crate::files::tree::absolute;
use crate::generators::IncludeReader;
use crate::hosts::UrlForm;
use crate::pages::feeds::NamedFeeds;
use crate::pages::{
    GeneratorSitemap, Inventory, Pages, compare, exclude_omitted, owner_exclusions, read_all,
    report_by_level,
};
use crate::progress;
use crate::settings::{DraftPages, SubmitKey};
use crate::site::{ExclusionRules, LoadedSite, RunError, slashed_setting};
use crate::sources::{
    DraftSources, FilesToDate, HistoryOptions, MappedSources, SiteSources, SourceHistory,
    add_named_sources, apply_rules, lists_by_members, mark_deployed, mark_translated,
    report_history,
};
use crate::survey::{ReplacedEntry, discover};
use git_last_modified::{RepositoryReport, WalkedTree};
use page_signals::ReadOptions;
use sitemaps::is_set_file_name;
use sitemaps::site_paths::{BaseUrl, SitePath};

/// Reads, judges and dates every page of a site. `stated` are the entries with links that the replaced set
/// has.
pub fn take_inventory(
    loaded: &LoadedSite,
    base: &BaseUrl,
    mut stated: Vec<ReplacedEntry>,
) -> Result<Inventory, RunError> {
    let (site, settings, findings) = (&loaded.site, loaded.settings(), &loaded.findings);
    let (memory_file, remembered) = read_memory(loaded)?;

    // Find.
    let (files, walked) = find_files(loaded, base)?;
    loaded.report_settings();
    let mut pages = Pages::new(&files, base);

    // Rules and sources, and what excludes a page before it is read.
    let exclusion = ExclusionRules::read(loaded, base)?;
    let mut used_rules = Vec::new();
    let kept = kept_entries(loaded, base, &exclusion, &mut stated, &mut used_rules);
    let (sources, mut to_date) = find_sources(loaded, used_rules, &mut pages)?;
    let mut includes = IncludeReader::new(site, &sources.content, &loaded.output);
    if let Some(reader) = &mut includes {
        let sources = pages.iter().map(|page| page.source.as_ref());
        to_date.add_included(reader, sources, findings);
    }
    let drafts = DraftSources::new(settings.drafts, site, &sources.content);
    let own = generator_sitemap(loaded, base);
    let omitted = exclude_before_reading(loaded, &sources, drafts.as_ref(), own, &mut pages);

    // Read and judge; meanwhile, ask Git.
    let options = HistoryOptions::of(loaded, Some(&walked));
    // Git is asked while the pages are read. A page without such a file is its own source.
    let source_files: Vec<Option<SitePath>> = pages
        .iter()
        .map(|page| page.source.as_ref()?.file().cloned())
        .collect();
    let feeds = NamedFeeds::default();
    let has_copy = sources.front_page.is_some();
    let ((), history) = rayon::join(
        || {
            read(loaded, &exclusion, &files, has_copy, &feeds, &mut pages);
        },
        || {
            to_date.query(&options, |page| {
                let dirs = &sources.dirs;
                dirs.on_disk(source_files[page].as_ref(), &files[page])
            })
        },
    );
    progress::begin("comparing and dating pages", 0);
    loaded.output.check()?;
    let mut history = history?;
    drop((files, source_files));

    // Compare with each other.
    let replaced_links = if settings.sitemap.hreflang {
        &*stated
    } else {
        &[]
    };
    let front_page = has_copy.then(|| SitePath::from("index.html"));
    compare(
        &mut pages,
        UrlForm::of(settings),
        front_page.as_ref(),
        replaced_links,
        slashed_setting(site).as_deref(),
        findings,
    );

    // Date.
    history.asked.members.keep_lists(&pages, &sources);
    history.note(&mut pages);
    findings.extend(mark_deployed(
        &mut pages,
        &history,
        &sources.dirs,
        &options,
    )?);
    let includes = includes.as_mut();
    let repositories = date_pages(&sources, &mut pages, includes, &history, &options)?;
    let mut remembering = Remembering::default();
    if memory_file.is_some() {
        let content = ContentDater {
            sources: &sources,
            history: &history,
            ignored: &settings.lastmod.ignore.changes,
            base,
            repositories: &repositories,
            built_at: built_at(&loaded.site.environment, loaded.now),
            now: loaded.now,
        };
        remembering = content.date(remembered.as_ref(), &mut pages, findings);
    }
    keep_images(loaded, &stated, &mut pages);
    let dropped_links = dropped_links(loaded, &stated, &pages);
    // Those that are kept are in the pages.
    drop(stated);

    // Doubt.
    let paths = pages.listed().filter_map(|page| base.path_below(&page.url));
    exclusion.report_doubts(paths, findings);
    exclusion.report_hidden_sitemap(loaded, base);
    findings.extend(drafts.and_then(|drafts| drafts.finding(&pages)));
    findings.extend(missing_dates(site, &pages, findings));
    report_by_level(&settings.levels, &pages, findings);
    Ok(Inventory {
        pages,
        feeds: feeds.into_map(),
        kept,
        dropped_links,
        omitted,
        allows_stylesheet: exclusion.allow_stylesheet(base, settings),
        restless: remembering.restless,
        memory: memory_file.map(|file| (file, remembering.memory.to_bytes())),
    })
}

/// Applies the rules to every page and finds its source; `used_rules` match what is not a page. Source maps of large
/// sites take much memory, so they are freed here.
fn find_sources(
    loaded: &LoadedSite,
    used_rules: Vec<usize>,
    pages: &mut Pages,
) -> Result<(SiteSources, FilesToDate), RunError> {
    let site = &loaded.site;
    let mut sources = SiteSources::read(site, &loaded.output, &loaded.findings);
    let mapped = MappedSources::read(loaded, pages)?;
    let mut to_date = apply_rules(loaded, &mut sources, &mapped, used_rules, pages);
    to_date.members = lists_by_members(site, &sources, &loaded.settings().lastmod, pages);
    Ok((sources, to_date))
}

/// Excludes the pages that need not be read: drafts, and those that the owner of the site keeps out of
/// the generator's own sitemap. Returns the hashes of those that only that sitemap omits.
fn exclude_before_reading(
    loaded: &LoadedSite,
    sources: &SiteSources,
    drafts: Option<&DraftSources<'_>>,
    own: Option<GeneratorSitemap>,
    pages: &mut Pages,
) -> Vec<u64> {
    let (site, settings) = (&loaded.site, loaded.settings());
    if let Some(drafts) = drafts.filter(|_| settings.drafts == DraftPages::Exclude) {
        drafts.exclude(pages);
    }
    owner_exclusions(
        site,
        &sources.content,
        |file| sources.pagers.contain(file),
        settings,
        pages,
    );
    own.map_or_else(Vec::new, |own| exclude_omitted(site, &own, pages))
}

/// Reads and judges the pages. `files` are those of all pages; `has_copy` says whether pages are
/// compared with the home page by content.
fn read(
    loaded: &LoadedSite,
    exclusion: &ExclusionRules,
    files: &[SitePath],
    has_copy: bool,
    feeds: &NamedFeeds,
    pages: &mut Pages,
) {
    let (settings, base) = (loaded.settings(), &pages.base.clone());
    let robots = exclusion.robots.as_ref();
    let agent_rules = robots.map(|robots| robots.rules_for_agents(&settings.robots_txt.agents));
    let (generator, config) = (loaded.site.generator, &loaded.site.config);
    let lists_drafts = generator.and_then(|known| known.lists_drafts_if.as_ref());
    let view = SiteView {
        base,
        settings,
        pages: files,
        page_urls: &loaded.page_urls(base, files),
        robots_txt: agent_rules.as_ref(),
        error_pages: &exclusion.error_pages,
        not_pages: &exclusion.not_pages,
        has_generator: generator.is_some(),
        lists_drafts: lists_drafts.is_some_and(|key| config.meets(key)),
        host_rules: &exclusion.host_rules,
        now: loaded.now,
        findings: &loaded.findings,
    };
    let options = ReadOptions {
        fingerprint: has_copy,
    };
    let wanted_feeds = settings.sitemap.feeds.then_some(feeds);
    read_all(pages, &view, &loaded.output, &options, wanted_feeds);
}

/// Dates the pages by the history of their sources, including those that only the pages name. Returns the
/// repositories that were read.
fn date_pages(
    sources: &SiteSources,
    pages: &mut Pages,
    includes: Option<&mut IncludeReader<'_>>,
    history: &SourceHistory,
    options: &HistoryOptions<'_>,
) -> Result<Vec<RepositoryReport>, RunError> {
    let (loaded, settings) = (options.loaded, options.settings());
    let findings = &loaded.findings;
    let named = add_named_sources(sources, pages, history, options, includes)?;
    mark_translated(&loaded.site, &sources.dirs, pages);
    let histories = [&history.history, &named];
    report_history(loaded, histories);
    let mut repositories = histories.map(|history| &*history.repositories).concat();
    let mut rules = pages.iter().map(|page| &page.rule_outcome);
    if repositories.is_empty() && rules.any(|rules| rules.wants_history(settings)) {
        // No source is known, but the pages may state what a generator took from the repository.
        repositories = options.query_around_site()?.repositories;
    }
    let dater = PageDater {
        site: &loaded.site,
        sources,
        settings,
        now: loaded.now,
        boundary: repositories
            .iter()
            .flat_map(|report| report.boundary.iter().copied())
            .collect(),
    };
    date_all(&dater, pages, history, findings);
    report_bulk_commits(&sources.dirs, options, pages, findings)?;
    Ok(repositories)
}

/// Finds the files of the pages, without those that waypost writes, and the directories as the walk
/// found them.
fn find_files(
    loaded: &LoadedSite,
    base: &BaseUrl,
) -> Result<(Vec<SitePath>, WalkedTree), RunError> {
    let (output, settings) = (&loaded.output, loaded.settings());
    progress::begin("finding pages", 0);
    let mut found = discover(output, base, &settings.extensions.0, &loaded.findings)?;
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
    let walked = WalkedTree::new(&absolute(output.path()), special);
    Ok((found.pages, walked))
}
