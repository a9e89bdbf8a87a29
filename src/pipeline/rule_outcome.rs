//! Applies the rules to every page and finds its source, before any page is read.

use std::collections::HashMap;
use std::sync::Arc;

use super::first_chapter::first_chapter;
use super::histories::FilesToDate;
use super::mapped_sources::MappedSources;
use super::page_overrides::PageOverridesReader;
use super::sources::{KnownSource, PageSource, SourceDirs, SourceFinder, files_of, missing_also};
use super::survey::{RunError, Survey};
use crate::config::PageOverrides;
use crate::decide::own_path;
use crate::discover::Page;
use crate::rules::{MatchedRules, RuleSet, unused_rules};
use crate::settings::{DateSource, LastmodSettings};
use page_sources::generator::ContentIndex;
use site_paths::finding::Finding;
use site_paths::{BaseUrl, SitePath};
use sitemaps::Publication;
use sitemaps::RuleValues;

/// Combined effect of the rules that match a page.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RuleOutcome {
    /// Values for the sitemap entry.
    pub entry: Arc<RuleValues>,
    /// A fixed date.
    pub lastmod: Option<String>,
    /// Where dates come from, in order of precedence.
    pub lastmod_from: Option<Vec<DateSource>>,
    /// Additional sources.
    pub also: Option<Vec<String>>,
    /// The publication, if the page is news.
    pub news: Option<Publication>,
    /// What excludes the page.
    pub excluded_by: Option<ExcludedBy>,
    /// Overrides from the front matter of its source. They take precedence over rules and are
    /// already applied to the fields above.
    pub page: PageOverrides,
    /// Indices of the matching rules, in order.
    pub rules: Vec<usize>,
}

/// What excludes a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExcludedBy {
    /// The rule at an index.
    Rule(usize),
    /// The front matter of its source.
    FrontMatter,
}

impl RuleOutcome {
    /// Returns the date sources in order of precedence.
    pub(super) fn date_order<'s>(&'s self, settings: &'s LastmodSettings) -> &'s [DateSource] {
        self.lastmod_from.as_deref().unwrap_or(&settings.from)
    }

    /// Whether the pages get their date from the history.
    pub(super) fn wants_history(&self, settings: &LastmodSettings) -> bool {
        self.date_order(settings).contains(&DateSource::Git)
            && self.lastmod.is_none()
            && self.page.lastmod.is_none()
    }

    pub(super) fn of(outcome: &MatchedRules<'_>, page: &PageOverrides) -> Self {
        let by_rule = outcome.excluded_by.map(ExcludedBy::Rule);
        let entry = RuleValues {
            changefreq: page.changefreq.or(outcome.changefreq),
            priority: page.priority.or(outcome.priority),
            group: outcome.group.cloned(),
        };
        Self {
            entry: Arc::new(entry),
            lastmod: outcome.lastmod.map(str::to_owned),
            lastmod_from: outcome.lastmod_from.map(<[DateSource]>::to_vec),
            also: outcome.also.map(<[String]>::to_vec),
            news: outcome.news.cloned(),
            excluded_by: page.exclude.map_or(by_rule, |exclude| {
                exclude.then_some(ExcludedBy::FrontMatter)
            }),
            page: page.clone(),
            rules: outcome.matched.clone(),
        }
    }
}

/// Rules and sources of all pages, before they are read.
pub(super) struct RuledPages {
    /// One for each page.
    pub(super) pages: Vec<RuledPage>,
    /// Different sources found by later steps, by the page's index.
    pub(super) rivals: HashMap<usize, PageSource>,
    pub(super) files_to_date: FilesToDate,
    pub(super) folders: SourceDirs,
    pub(super) content: ContentIndex,
    pub(super) first_chapter: Option<SitePath>,
}

/// Rules and source of one page, before it is read.
pub(super) struct RuledPage {
    pub(super) treatment: Arc<RuleOutcome>,
    pub(super) source: Option<PageSource>,
}

/// Applies the rules to every page and finds its source.
pub(super) fn apply_rules(
    survey: &Survey<'_>,
    base: &BaseUrl,
    pages: &[Page],
    findings: &mut Vec<Finding>,
) -> Result<RuledPages, RunError> {
    let settings = survey.settings();
    let content = ContentIndex::build(&survey.site, &survey.output_dir, findings);
    let first_chapter = first_chapter(survey);
    let truths = MappedSources::read(survey, base, pages, findings)?;
    let finder = SourceFinder::new(survey, &content, &truths, first_chapter.clone());
    let rules = RuleSet::new(&settings.rules)?;
    findings.extend(missing_also(survey));

    let mut treated_alike: HashMap<(Vec<usize>, PageOverrides), Arc<RuleOutcome>> = HashMap::new();
    let mut speech = PageOverridesReader::new(survey, &content);
    let dirs = SourceDirs::of(survey);
    let mut treated = Vec::with_capacity(pages.len());
    let mut rivals = HashMap::new();
    let mut requested = FilesToDate::default();
    for (index, page) in pages.iter().enumerate() {
        let outcome = rules.evaluate(&page.file, &own_path(&page.file, settings.url_style));
        let mut found = SourceCandidates::default();
        // Front matter can override a rule that excludes the page.
        if outcome.excluded_by.is_none() || speech.is_known() {
            found.known = finder.find((index, &page.file), &outcome, &mut found.findings);
            let source = found.known.source.as_ref();
            found.words = source
                .and_then(|source| speech.of(source.file()?, &mut found.findings))
                .cloned()
                .unwrap_or_default();
        }
        let rule_outcome = shared(&mut treated_alike, &outcome, &found.words);
        let excluded = rule_outcome.excluded_by.is_some();
        let by_rule = matches!(rule_outcome.excluded_by, Some(ExcludedBy::Rule(_)));
        let known = if by_rule {
            KnownSource::default()
        } else {
            found.known
        };
        if !by_rule {
            findings.append(&mut found.findings);
        }
        // If the source named by a rule is missing, the other sources could give a date that is too
        // old.
        let lacks_source = outcome.source.is_some() && known.source.is_none();
        let is_dated = !excluded && !lacks_source && rule_outcome.wants_history(&settings.lastmod);
        requested.add(
            is_dated
                .then(|| {
                    files_of(
                        &dirs,
                        &page.file,
                        known.source.as_ref(),
                        rule_outcome.also.as_deref(),
                    )
                })
                .into_iter()
                .flatten(),
        );
        treated.push(RuledPage {
            treatment: rule_outcome,
            source: known.source,
        });
        rivals.extend(known.rival.map(|rival| (index, rival)));
    }
    findings.extend(unused_rules(&settings.rules, used_rules(&treated_alike)));
    Ok(RuledPages {
        pages: treated,
        rivals,
        files_to_date: requested,
        folders: dirs,
        content,
        first_chapter,
    })
}

/// Source, overrides and findings of one page; dropped if a rule excludes the page.
#[derive(Default)]
struct SourceCandidates {
    known: KnownSource,
    words: PageOverrides,
    findings: Vec<Finding>,
}

/// Returns the outcome for a page; pages with the same rules and overrides share one.
fn shared(
    known: &mut HashMap<(Vec<usize>, PageOverrides), Arc<RuleOutcome>>,
    outcome: &MatchedRules<'_>,
    page: &PageOverrides,
) -> Arc<RuleOutcome> {
    let key = (outcome.matched.clone(), page.clone());
    Arc::clone(
        known
            .entry(key)
            .or_insert_with(|| Arc::new(RuleOutcome::of(outcome, page))),
    )
}

fn used_rules(known: &HashMap<(Vec<usize>, PageOverrides), Arc<RuleOutcome>>) -> Vec<usize> {
    let mut used: Vec<usize> = known.keys().flat_map(|(rules, _)| rules).copied().collect();
    used.sort_unstable();
    used.dedup();
    used
}
