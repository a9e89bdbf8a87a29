//! The result of a build, as JSON or as the text of a summary; and the files of a set, which
//! `waypost index` shows too.

use std::collections::BTreeMap;

use serde::Serialize;

use super::changes_result::{ChangesResult, named_urls};
use super::printer::Verbosity;
use super::site_result::{SiteResult, count_rows};
use super::text_layout::{FAINT, STRONG, rows, styled};
use crate::pages::Inventory;
use crate::publish::{WriteMode, WrittenFile};
use crate::run::PublishedSite;
use crate::site::{FoundBaseUrl, LoadedSite, stop_run};
use sitemaps::findings::{counted, grouped};
use sitemaps::robots_txt::RobotsLines;
use sitemaps::site_paths::BaseUrl;

/// The result of a build.
#[derive(Serialize)]
pub(super) struct BuildResult<'a> {
    #[serde(flatten)]
    pub(super) site: SiteResult<'a>,
    /// The pipeline of a preview build, for which nothing is written.
    preview: Option<&'a str>,
    /// Whether nothing was written because of a finding that stops a run.
    pub(super) refused: bool,
    dates: BTreeMap<&'static str, usize>,
    /// The number of pages without a date by the reason.
    #[serde(skip)]
    undated: BTreeMap<&'static str, usize>,
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
        loaded: &'a LoadedSite<'a>,
        base: &'a FoundBaseUrl,
        inventory: &Inventory,
        published: &'a PublishedSite,
    ) -> Self {
        let preview = loaded.skipped_preview();
        let refused = stop_run(&published.findings, &loaded.settings().levels);
        Self {
            site: SiteResult::new(loaded, base, inventory),
            preview: preview.map(|preview| preview.service.as_str()),
            refused,
            dates: inventory.dates(),
            undated: inventory.undated(),
            files: FilesResult::new(published, preview.is_some()),
            changes: ChangesResult::new(
                &published.changes,
                &published.plan,
                &published.compared,
                inventory,
                loaded.settings().lastmod.format,
            ),
        }
    }

    /// Formats the summary.
    pub(super) fn text(&self, volume: Verbosity) -> String {
        let mut out = String::new();
        self.site.rows(&mut out, volume);
        let dated = self.dates.iter().filter(|(by, _)| **by != "none");
        let dated = dated.map(|(by, count)| ((*by).to_owned(), *count));
        let undated = self.undated.iter();
        let undated = undated.map(|(why, count)| (format!("none: {why}"), *count));
        let counts = dated.chain(undated).collect();
        count_rows(&mut out, "dates", counts, |name| {
            styled(FAINT, date_meaning(name))
        });
        let base = &self.site.base.url;
        self.files.rows(&mut out, base, volume);
        self.changes.rows(&mut out, self.files.change(), volume);
        out.truncate(out.trim_end().len());
        out
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
        let of_run = |file: &WrittenFile| WrittenFile {
            changed: file.changed && !is_preview,
            ..file.clone()
        };
        let removed = placed.removed.iter().filter(|_| !is_preview);
        Self {
            files: placed.shown().map(of_run).collect(),
            key_file: placed.key_file.as_ref().map(of_run),
            removed: removed.map(ToString::to_string).collect(),
            published,
        }
    }

    /// Whether a sitemap or robots.txt changes.
    fn change(&self) -> bool {
        let placed = &self.published.placed;
        placed.shown().any(|file| file.changed) || !placed.removed.is_empty()
    }

    /// Adds the rows of a summary.
    pub(super) fn rows(&self, out: &mut String, base: &BaseUrl, volume: Verbosity) {
        let placed = &self.published.placed;
        let lengths = placed.files.iter().map(|file| file.path.len());
        let width = lengths.max().unwrap_or_default().max("robots.txt".len());
        let mut texts = Vec::new();
        for file in &placed.files {
            let (path, count, noun) = (&file.path, grouped(file.urls), entries(file.urls));
            let (bytes, state) = (size(file.bytes), self.state(file));
            texts.push(format!(
                "{path:width$}  {count:>7} {noun}  {bytes:>8}  {state}"
            ));
        }
        texts.extend(placed.robots_txt.as_ref().map(|file| {
            let lines = robots_lines(self.published.robots_lines, self.published.mode);
            format!("{:width$}  {lines}", file.path)
        }));
        let is_new = placed.files.iter().any(|file| file.changed);
        if is_new && placed.robots_txt.is_none() && !base.is_host_root() {
            let text = format!("not read here, but at {}/robots.txt", base.origin());
            texts.push(format!("{:width$}  {}", "robots.txt", styled(FAINT, text)));
        }
        texts.extend(placed.key_file.as_ref().map(|file| {
            let state = self.state(file);
            format!("{:width$}  IndexNow key, {state}", file.path)
        }));
        let (label, removed) = match self.published.mode {
            WriteMode::DryRun => ("would write", "would be removed"),
            WriteMode::Write => ("files", "removed"),
        };
        let gone: Vec<String> = placed.removed.iter().map(ToString::to_string).collect();
        let gone = named_urls("", &gone, volume).into_iter();
        texts.extend(gone.map(|files| format!("{}  {removed}", files.trim_start())));
        rows(out, label, texts);
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
