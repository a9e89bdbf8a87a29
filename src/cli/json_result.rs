//! The JSON objects that `build --json`, `check --json` and `index --json` print.

use std::collections::BTreeMap;

use serde::Serialize;

use super::check::CheckRun;
use super::findings::PlaceResolver;
use super::index::IndexRun;
use crate::pipeline::{Inventory, PublishedSite, Survey};
use site_paths::PageUrl;
use sitemaps::{Plan, SitemapChanges, SitemapListing};

/// The result of a build.
#[derive(Debug, Serialize)]
pub(super) struct BuildResult<'a> {
    generator: Option<&'a str>,
    base_url: &'a str,
    output_dir: String,
    /// The pipeline of a preview build, for which nothing is written.
    preview: Option<&'a str>,
    pages: PageCounts,
    dates: BTreeMap<&'static str, usize>,
    files: Vec<FileResult>,
    /// The IndexNow key file, if there is one. Its name is the key, so it is not shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    key_file: Option<KeyFileResult>,
    removed: Vec<String>,
    changes: ChangesResult<'a>,
    findings: Vec<FindingResult<'a>>,
}

#[derive(Debug, Serialize)]
struct PageCounts {
    found: usize,
    listed: usize,
    excluded: BTreeMap<&'static str, usize>,
}

#[derive(Debug, Serialize)]
struct FileResult {
    path: String,
    urls: usize,
    bytes: usize,
    changed: bool,
}

#[derive(Debug, Serialize)]
struct KeyFileResult {
    changed: bool,
}

/// How the plan differs from the previous sitemaps.
#[derive(Debug, Serialize)]
struct ChangesResult<'a> {
    added: usize,
    removed: usize,
    redated: usize,
    /// All changed URLs; `None` if there was no previous sitemap.
    urls: Option<ChangedUrlLists<'a>>,
}

#[derive(Debug, Serialize)]
struct ChangedUrlLists<'a> {
    added: Vec<&'a str>,
    removed: Vec<&'a str>,
    redated: Vec<&'a str>,
}

impl<'a> ChangesResult<'a> {
    fn new(changes: &'a SitemapChanges, plan: &'a Plan) -> Self {
        let urls = changes.had_sitemap.then(|| ChangedUrlLists {
            added: plan.urls(&changes.added).collect(),
            removed: changes.removed.iter().map(String::as_str).collect(),
            redated: plan.urls(&changes.redated).collect(),
        });
        let (added, removed, redated) = (
            changes.added.len(),
            changes.removed.len(),
            changes.redated.len(),
        );
        Self {
            added,
            removed,
            redated,
            urls,
        }
    }
}

/// The result of a check.
#[derive(Debug, Serialize)]
pub(super) struct CheckResult<'a> {
    generator: Option<&'a str>,
    base_url: &'a str,
    output_dir: String,
    pages: PageCounts,
    sitemaps: Vec<SitemapResult>,
    changes: ChangesResult<'a>,
    findings: Vec<FindingResult<'a>>,
}

#[derive(Debug, Serialize)]
struct SitemapResult {
    path: String,
    kind: &'static str,
    entries: usize,
}

impl<'a> CheckResult<'a> {
    pub(super) fn new(survey: &'a Survey<'_>, run: &'a CheckRun) -> Self {
        let sitemaps = run.report.sitemaps.iter().map(|sitemap| SitemapResult {
            path: sitemap.file.to_text().into_owned(),
            kind: kind_of(sitemap.listing),
            entries: sitemap.entries,
        });
        let inventory = &run.inventory;
        Self {
            generator: survey.site.generator.map(|generator| &*generator.name),
            base_url: inventory.base.as_str(),
            output_dir: Survey::display_path(&survey.output_dir),
            pages: PageCounts {
                found: inventory.pages.len(),
                listed: inventory.listed(),
                excluded: inventory.exclusion_counts(),
            },
            sitemaps: sitemaps.collect(),
            changes: ChangesResult::new(&run.report.changes, &run.plan),
            findings: findings_of(survey, inventory),
        }
    }
}

/// The result of `waypost index`.
#[derive(Debug, Serialize)]
pub(super) struct IndexResult<'a> {
    base_url: &'a str,
    output_dir: String,
    sitemaps: Vec<MemberResult<'a>>,
    /// The files written; `None` if a finding fails the run.
    files: Option<Vec<FileResult>>,
    removed: Vec<String>,
    changes: Option<ChangesResult<'a>>,
    findings: Vec<FindingResult<'a>>,
}

#[derive(Debug, Serialize)]
struct MemberResult<'a> {
    source: String,
    url: Option<&'a str>,
    kind: &'static str,
    entries: usize,
    lastmod: Option<String>,
}

impl<'a> IndexResult<'a> {
    pub(super) fn new(survey: &'a Survey<'_>, run: &'a IndexRun) -> Self {
        let format = survey.settings().lastmod.format;
        let sitemaps = run.parts.iter().map(|member| MemberResult {
            source: member.source.name(),
            url: member.url.as_ref().map(PageUrl::as_str),
            kind: kind_of(member.listing),
            entries: member.entries,
            lastmod: member.newest.map(|date| date.to_text(format)),
        });
        let delivered = run.published.as_ref();
        let removed = delivered
            .into_iter()
            .flat_map(|delivered| &delivered.placed.removed);
        let merged = delivered.filter(|delivered| !delivered.plan.entries().is_empty());
        Self {
            base_url: run.inventory.base.as_str(),
            output_dir: Survey::display_path(&survey.output_dir),
            sitemaps: sitemaps.collect(),
            files: delivered.map(files_of),
            removed: removed.map(ToString::to_string).collect(),
            changes: merged
                .map(|delivered| ChangesResult::new(&delivered.changes, &delivered.plan)),
            findings: findings_of(survey, &run.inventory),
        }
    }
}

fn kind_of(listing: SitemapListing) -> &'static str {
    if listing == SitemapListing::Pages {
        "pages"
    } else {
        "index"
    }
}

fn files_of(delivered: &PublishedSite) -> Vec<FileResult> {
    let files = delivered
        .placed
        .files
        .iter()
        .chain(&delivered.placed.robots_txt)
        .map(|file| FileResult {
            path: file.path.clone(),
            urls: file.urls,
            bytes: file.bytes,
            changed: file.changed,
        });
    files.collect()
}

#[derive(Debug, Serialize)]
struct FindingResult<'a> {
    code: &'static str,
    level: &'static str,
    message: &'a str,
    file: Option<String>,
    line: Option<usize>,
    column: Option<usize>,
}

impl<'a> BuildResult<'a> {
    pub(super) fn new(
        survey: &'a Survey<'_>,
        inventory: &'a Inventory,
        delivered: &'a PublishedSite,
    ) -> Self {
        let changes = &delivered.changes;
        Self {
            generator: survey.site.generator.map(|generator| &*generator.name),
            base_url: inventory.base.as_str(),
            output_dir: Survey::display_path(&survey.output_dir),
            preview: survey
                .skipped_preview()
                .map(|pipeline| pipeline.title.as_str()),
            pages: PageCounts {
                found: inventory.pages.len(),
                listed: inventory.listed(),
                excluded: inventory.exclusion_counts(),
            },
            dates: inventory.dates(),
            files: files_of(delivered),
            key_file: delivered
                .placed
                .key_file
                .as_ref()
                .map(|file| KeyFileResult {
                    changed: file.changed,
                }),
            removed: delivered
                .placed
                .removed
                .iter()
                .map(ToString::to_string)
                .collect(),
            changes: ChangesResult::new(changes, &delivered.plan),
            findings: findings_of(survey, inventory),
        }
    }
}

fn findings_of<'a>(survey: &Survey<'_>, inventory: &'a Inventory) -> Vec<FindingResult<'a>> {
    let mut pointers = PlaceResolver::new(survey);
    let result = |finding: &'a site_paths::finding::Finding| {
        let level = survey.settings().levels.level_of(finding.code);
        let (file, line_column) = pointers.resolve(finding);
        FindingResult {
            code: finding.code.name,
            level: level.as_str(),
            message: &finding.message,
            file,
            line: line_column.map(|(line, _)| line),
            column: line_column.map(|(_, column)| column),
        }
    };
    inventory.findings.iter().map(result).collect()
}
