//! The result of a build, as JSON or as the text of a summary; and the files of a set, which
//! `waypost index` shows too.

use std::collections::BTreeMap;

use serde::Serialize;

use super::changes_result::{ChangesResult, named_urls};
use super::printer::Verbosity;
use super::site_result::{SiteResult, count_lines};
use super::text_layout::{FAINT, Part, STRONG, styled, summary};
use crate::findings::{counted, grouped};
use crate::pages::{Inventory, by_count};
use crate::publish::{WriteMode, WrittenFile};
use crate::run::PublishedSite;
use crate::site::{FoundBaseUrl, LoadedSite, stop_run};
use sitemaps::robots_txt::RobotsLines;
use sitemaps::site_paths::BaseUrl;

#[derive(Serialize)]
pub(super) struct BuildResult<'a> {
    #[serde(flatten)]
    pub(super) site: SiteResult<'a>,
    /// The pipeline of a preview build, for which nothing is written.
    preview: Option<&'a str>,
    /// Whether nothing was written because of a finding that stops a run.
    pub(super) refused: bool,
    dates: BTreeMap<&'static str, usize>,
    #[serde(flatten)]
    pub(super) files: FilesResult<'a>,
    pub(super) changes: ChangesResult<'a>,
}

/// The files of a set.
#[derive(Serialize)]
pub(super) struct FilesResult<'a> {
    files: Vec<WrittenFile>,
    /// The IndexNow key file, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    key_file: Option<WrittenFile>,
    removed: Vec<String>,
    #[serde(skip)]
    pub(super) published: &'a PublishedSite,
}

impl<'a> BuildResult<'a> {
    pub(super) fn new(
        loaded: &'a LoadedSite,
        base: &'a FoundBaseUrl,
        inventory: &'a Inventory,
        published: &'a PublishedSite,
    ) -> Self {
        let preview = loaded.skipped_preview();
        Self {
            site: SiteResult::new(loaded, base, inventory),
            preview: preview.map(|preview| preview.service.as_str()),
            refused: stop_run(&published.findings, &loaded.settings().levels),
            dates: inventory.dates(),
            files: FilesResult::new(published, preview.is_some()),
            changes: ChangesResult {
                changes: &published.changes,
                plan: &published.plan,
                compared: &published.compared,
                inventory,
                settings: loaded.settings(),
            },
        }
    }

    /// Formats the summary.
    pub(super) fn text(&self, volume: Verbosity) -> String {
        let parts = self.site.parts(volume).into_iter().chain([
            ("dates", self.date_lines()),
            self.files.part(&self.site.base.url, volume),
            self.changes.part(self.files.change(), volume),
        ]);
        summary(parts)
    }

    /// The listed pages by the origin of their date, or by the reason that they have none.
    fn date_lines(&self) -> Vec<String> {
        let undated: Vec<(String, usize)> = self
            .site
            .inventory
            .undated()
            .into_iter()
            .map(|(why, count)| (format!("none: {why}"), count))
            .collect();
        let mut counts: BTreeMap<&str, usize> = self.dates.clone();
        counts.remove("none");
        counts.extend(undated.iter().map(|(name, count)| (&**name, *count)));
        count_lines(&by_count(&counts), |name| styled(FAINT, date_meaning(name)))
    }
}

/// The meaning of a date's origin, in a few words; empty where the name itself says it.
fn date_meaning(name: &str) -> &'static str {
    match name {
        "git" => "last commit that changed the source",
        "front_matter" => "stated by the source",
        "page" => "stated by the page",
        "mtime" => "modification time of the source",
        "members" => "last page added to the list, removed or renamed",
        "memory" => "its present content was first published by then",
        "pages_below" => "newest page that the list shows",
        "rule" => "set by a rule",
        _ => "",
    }
}

impl<'a> FilesResult<'a> {
    /// A preview that writes nothing changes no file.
    pub(super) fn new(published: &'a PublishedSite, is_preview: bool) -> Self {
        let placed = &published.placed;
        let mut files: Vec<WrittenFile> = placed.shown().cloned().collect();
        let mut key_file = placed.key_file.clone();
        let mut removed: Vec<String> = placed.removed.iter().map(ToString::to_string).collect();
        if is_preview {
            for file in files.iter_mut().chain(&mut key_file) {
                file.changed = false;
            }
            removed.clear();
        }
        Self {
            files,
            key_file,
            removed,
            published,
        }
    }

    /// Whether a sitemap or robots.txt changes.
    fn change(&self) -> bool {
        let placed = &self.published.placed;
        placed.shown().any(|file| file.changed) || !placed.removed.is_empty()
    }

    /// The part of a summary.
    pub(super) fn part(&self, base: &BaseUrl, volume: Verbosity) -> Part {
        let placed = &self.published.placed;
        let lengths = placed.files.iter().map(|file| file.path.len());
        let width = lengths.fold("robots.txt".len(), usize::max);
        let (label, removed) = match self.published.mode {
            WriteMode::DryRun => ("would write", "would be removed"),
            WriteMode::Write => ("files", "removed"),
        };
        let mut lines = Vec::new();
        for file in &placed.files {
            lines.push(format!(
                "{:width$}  {:>7} {}  {:>8}  {}",
                file.path,
                grouped(file.urls),
                entries(file.urls),
                size(file.bytes),
                self.state(file)
            ));
        }
        if let Some(file) = &placed.robots_txt {
            let changed = robots_lines(self.published.robots_lines, self.published.mode);
            lines.push(format!("{:width$}  {changed}", file.path));
        } else if !base.is_host_root() && placed.files.iter().any(|file| file.changed) {
            let text = format!("not read here, but at {}/robots.txt", base.origin());
            lines.push(format!("{:width$}  {}", "robots.txt", styled(FAINT, text)));
        }
        if let Some(file) = &placed.key_file {
            let state = self.state(file);
            lines.push(format!("{:width$}  IndexNow key, {state}", file.path));
        }
        let gone: Vec<String> = placed.removed.iter().map(ToString::to_string).collect();
        for files in named_urls("", &gone, volume) {
            lines.push(format!("{}  {removed}", files.trim_start()));
        }
        (label, lines)
    }

    fn state(&self, file: &WrittenFile) -> String {
        match (file.changed, self.published.mode) {
            (true, WriteMode::Write) => styled(STRONG, "written"),
            (true, WriteMode::DryRun) => styled(STRONG, "differs"),
            (false, _) => styled(FAINT, "unchanged"),
        }
    }
}

/// Formats a number of bytes in decimal units.
fn size(bytes: usize) -> String {
    let mut value = bytes;
    let mut tenths = 0;
    for unit in ["B", "kB", "MB"] {
        if value < 1_000 {
            return if unit == "B" || value >= 100 {
                format!("{value} {unit}")
            } else {
                format!("{value}.{tenths} {unit}")
            };
        }
        tenths = value % 1_000 / 100;
        value /= 1_000;
    }
    format!("{value}.{tenths} GB")
}

/// The noun for a number of entries, as wide as its plural.
pub(super) fn entries(count: usize) -> &'static str {
    if count == 1 { "entry  " } else { "entries" }
}

/// Describes the changes to robots.txt: `1 Sitemap line added, 2 removed`.
fn robots_lines(lines: RobotsLines, mode: WriteMode) -> String {
    let verb = match mode {
        WriteMode::DryRun => "would be ",
        WriteMode::Write => "",
    };
    let added = counted(lines.added, "Sitemap line");
    let removed = match lines.removed {
        0 => String::new(),
        removed => format!(", {} {verb}removed", grouped(removed)),
    };
    format!("{added} {verb}added{removed}")
}
