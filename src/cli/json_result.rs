//! The JSON objects that `build --json` and `index --json` print, and the parts of all results.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Serialize;

use super::completed_run::{BuildRun, IndexRun};
use super::findings::PlaceResolver;
use crate::inventory::Inventory;
use crate::pipeline::WritePermission;
use crate::publish::WrittenFile;
use crate::settings::LevelOverrides;
use crate::site::PreviewBuild;
use page_sources::generator::Site;
use sitemaps::set::SitemapFileKind;
use sitemaps::site_paths::display_path;
use sitemaps::site_paths::finding::Finding;
use sitemaps::{ContentChange, DateFormat, Plan, SitemapChanges};

/// The version of all results. It changes if a key is removed or gets another meaning, not if one is
/// added.
pub(super) const RESULT_VERSION: u8 = 1;

/// A result with its version.
#[derive(Debug, Serialize)]
struct VersionedResult<'a, R> {
    version: u8,
    #[serde(flatten)]
    result: &'a R,
}

/// Formats the result of a command, with its version, as indented JSON with a final line break.
pub(super) fn result_text(result: &impl Serialize) -> String {
    let result = VersionedResult {
        version: RESULT_VERSION,
        result,
    };
    let mut text = serde_json::to_string_pretty(&result).expect("the keys are strings");
    text.push('\n');
    text
}

/// The result of a build.
#[derive(Debug, Serialize)]
pub(super) struct BuildResult<'a> {
    generator: Option<&'a str>,
    base_url: &'a str,
    output_dir: String,
    /// The pipeline of a preview build, for which nothing is written.
    preview: Option<&'a str>,
    /// Whether nothing was written because of a finding that stops a run.
    refused: bool,
    pages: PageCounts,
    dates: BTreeMap<&'static str, usize>,
    files: Vec<WrittenFile>,
    /// The IndexNow key file, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    key_file: Option<WrittenFile>,
    removed: Vec<String>,
    changes: ChangesResult<'a>,
    findings: Vec<FindingResult<'a>>,
}

#[derive(Debug, Serialize)]
pub(super) struct PageCounts {
    found: usize,
    listed: usize,
    excluded: BTreeMap<&'static str, usize>,
}

impl PageCounts {
    pub(super) fn of(inventory: &Inventory) -> Self {
        Self {
            found: inventory.pages.len(),
            listed: inventory.listed(),
            excluded: inventory.exclusion_counts(),
        }
    }
}

/// How the plan differs from the previous sitemaps.
#[derive(Debug, Serialize)]
pub(super) struct ChangesResult<'a> {
    added: usize,
    removed: usize,
    redated: usize,
    /// Pages in both sets that lost their date.
    undated: usize,
    /// Pages in both sets that have their first date.
    newly_dated: usize,
    language_links: ContentChange,
    images: ContentChange,
    /// Who wrote the sitemaps that were compared; `None` if there was none.
    since: Option<&'static str>,
    /// All changed URLs; `None` if there was no previous sitemap.
    urls: Option<ChangedUrlLists<'a>>,
}

#[derive(Debug, Serialize)]
struct ChangedUrlLists<'a> {
    added: Vec<&'a str>,
    removed: Vec<&'a str>,
    redated: Vec<&'a str>,
    undated: Vec<&'a str>,
    newly_dated: Vec<&'a str>,
}

impl<'a> ChangesResult<'a> {
    pub(super) fn new(changes: &'a SitemapChanges, plan: &'a Plan) -> Self {
        let urls = changes.had_sitemap.then(|| ChangedUrlLists {
            added: plan.urls(&changes.added).collect(),
            removed: changes.removed.iter().map(String::as_str).collect(),
            redated: plan.urls(&changes.redated).collect(),
            undated: plan.urls(&changes.undated).collect(),
            newly_dated: plan.urls(&changes.first_dated).collect(),
        });
        let since = if changes.is_by_waypost {
            "waypost"
        } else {
            "another-program"
        };
        Self {
            added: changes.added.len(),
            removed: changes.removed.len(),
            redated: changes.redated.len(),
            undated: changes.undated.len(),
            newly_dated: changes.first_dated.len(),
            language_links: changes.alternates,
            images: changes.images,
            since: changes.had_sitemap.then_some(since),
            urls,
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
    files: Option<Vec<WrittenFile>>,
    removed: Vec<String>,
    findings: Vec<FindingResult<'a>>,
}

#[derive(Debug, Serialize)]
struct MemberResult<'a> {
    source: &'a str,
    url: &'a str,
    kind: SitemapFileKind,
    entries: usize,
    lastmod: Option<String>,
}

impl<'a> IndexResult<'a> {
    pub(super) fn new(
        output_dir: &Path,
        format: DateFormat,
        preview: Option<&PreviewBuild>,
        run: &'a IndexRun,
        findings: Vec<FindingResult<'a>>,
    ) -> Self {
        let sitemaps = run.children.iter().map(|member| MemberResult {
            source: &member.name,
            url: member.url.as_str(),
            kind: member.kind,
            entries: member.entries,
            lastmod: member.newest.map(|date| date.to_text(format)),
        });
        let delivered = run.published.as_ref();
        let removed = delivered
            .into_iter()
            .flat_map(|delivered| &delivered.placed.removed)
            .filter(|_| preview.is_none());
        Self {
            base_url: run.base.url.as_str(),
            output_dir: display_path(output_dir),
            sitemaps: sitemaps.collect(),
            files: delivered.map(|delivered| files_of(delivered.placed.shown(), preview)),
            removed: removed.map(ToString::to_string).collect(),
            findings,
        }
    }
}

/// The files of a plan. A preview that writes nothing changes none.
fn files_of<'f>(
    files: impl IntoIterator<Item = &'f WrittenFile>,
    preview: Option<&PreviewBuild>,
) -> Vec<WrittenFile> {
    let files = files.into_iter().map(|file| WrittenFile {
        changed: file.changed && preview.is_none(),
        ..file.clone()
    });
    files.collect()
}

/// A finding of a run.
#[derive(Debug, Serialize)]
pub(super) struct FindingResult<'a> {
    code: &'static str,
    level: &'static str,
    message: &'a str,
    /// The remedy.
    hint: Option<&'a str>,
    file: Option<String>,
    line: Option<usize>,
    column: Option<usize>,
}

impl<'a> BuildResult<'a> {
    pub(super) fn new(
        site: &Site<'a>,
        output_dir: &Path,
        preview: Option<&'a PreviewBuild>,
        run: &'a BuildRun,
        findings: Vec<FindingResult<'a>>,
    ) -> Self {
        let (inventory, delivered) = (&run.inventory, &run.published);
        let changes = &delivered.changes;
        Self {
            generator: site.generator.map(|generator| &*generator.name),
            base_url: inventory.base.as_str(),
            output_dir: display_path(output_dir),
            preview: preview.map(|preview| preview.service.as_str()),
            refused: delivered.permission == WritePermission::Refused,
            pages: PageCounts::of(inventory),
            dates: inventory.dates(),
            files: files_of(delivered.placed.shown(), preview),
            key_file: files_of(&delivered.placed.key_file, preview).pop(),
            removed: delivered
                .placed
                .removed
                .iter()
                .filter(|_| preview.is_none())
                .map(ToString::to_string)
                .collect(),
            changes: ChangesResult::new(changes, &delivered.plan),
            findings,
        }
    }
}

impl<'a> FindingResult<'a> {
    /// The findings of a run, each with its level and place.
    pub(super) fn all(
        findings: &'a [Finding],
        levels: &LevelOverrides,
        pointers: &mut PlaceResolver<'_>,
    ) -> Vec<Self> {
        let result = |finding: &'a Finding| {
            let (file, line_column) = pointers.resolve(finding);
            Self {
                code: finding.code.name,
                level: levels.level_of(finding.code).as_str(),
                message: &finding.message,
                hint: finding.hint.as_deref(),
                file,
                line: line_column.map(|(line, _)| line),
                column: line_column.map(|(_, column)| column),
            }
        };
        findings.iter().map(result).collect()
    }
}
