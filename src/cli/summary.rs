//! The summary after a build or `waypost index`.

use std::path::Path;
use std::time::Duration;

use super::change_rows::{changes, named_urls};
use super::completed_run::{BuildRun, IndexRun};
use super::counts::{date_rows, excluded_rows};
use super::numbers::{grouped, seconds, size};
use super::printer::{FAINT, STRONG, Verbosity, row, rows, styled};
use crate::inventory::Inventory;
use crate::pipeline::{PublishedSite, RobotsLines};
use crate::publish::{WriteMode, WrittenFile};
use crate::site::{FoundBaseUrl, FoundUrlForm, LoadedSite};
use crate::sources::DateOrigin;
use page_sources::generator::SourceListSpec;
use sitemaps::DateFormat;
use sitemaps::site_paths::{BaseUrl, display_path, escaped};

/// How many sitemaps to show without `--verbose`.
const NAMED_SITEMAPS: usize = 20;

/// The site, as a summary shows it.
#[derive(Clone, Copy)]
pub(super) struct SiteLine<'s> {
    /// Its generator, in words.
    kind: &'s str,
    output_dir: &'s Path,
    url_form: &'s FoundUrlForm,
    /// The generator's own list of sources, if none is read.
    source_list: Option<&'s SourceListSpec>,
}

impl<'s> SiteLine<'s> {
    pub(super) fn new(loaded: &'s LoadedSite<'_>) -> Self {
        let kind = loaded
            .site
            .generator
            .map_or("directory of HTML files", |generator| &generator.title);
        let generator = loaded.site.generator;
        let has_map =
            !loaded.settings().source_map.is_empty() || loaded.site.own_source_list(&[]).is_some();
        Self {
            source_list: generator
                .filter(|_| !has_map)
                .and_then(|generator| generator.source_list.as_ref()),
            kind,
            output_dir: loaded.output_dir(),
            url_form: &loaded.url_form.value,
        }
    }
}

/// Formats the summary of a build.
pub(super) fn of_build(
    about: SiteLine<'_>,
    run: &BuildRun,
    effect: WriteMode,
    volume: Verbosity,
    took: Duration,
) -> String {
    // An empty line separates the summary from the findings.
    let mut out = String::from("\n");
    let listed = site_rows(&mut out, about, volume, &run.base, &run.inventory);
    if listed > 0 {
        date_rows(&mut out, &run.inventory);
        sources(&mut out, about.source_list, &run.inventory);
    }
    files(&mut out, &run.published, &run.base.url, effect, volume);
    compared(&mut out, &run.published, volume);
    row(&mut out, "took", &styled(FAINT, seconds(took)));
    out.truncate(out.trim_end().len());
    out
}

/// Formats the summary of `waypost index`.
pub(super) fn of_index(
    output_dir: &Path,
    format: DateFormat,
    run: &IndexRun,
    volume: Verbosity,
    took: Duration,
) -> String {
    let mut out = String::from("\n");
    base_row(&mut out, &run.base);
    row(&mut out, "output", &display_path(output_dir));
    let shown = run.children.iter().take(volume.limit(NAMED_SITEMAPS));
    let names: Vec<_> = shown.map(|child| escaped(&child.name)).collect();
    let widths = names.iter().map(|name| name.chars().count());
    let width = widths.max().unwrap_or_default();
    let texts = names.iter().zip(&run.children).map(|(name, child)| {
        let newest = child.newest.map(|date| date.to_text(format));
        let (count, noun) = (grouped(child.entries), entries(child.entries));
        let newest = styled(FAINT, newest.unwrap_or_default());
        format!("{name:width$}  {count:>7} {noun}  {newest}")
    });
    let more = run.children.len() - names.len();
    let more = (more > 0).then(|| styled(FAINT, format!("{} more", grouped(more))));
    rows(&mut out, "sitemaps", texts.chain(more));
    if let Some(delivered) = &run.published {
        files(&mut out, delivered, &run.base.url, run.effect, volume);
    }
    row(&mut out, "took", &styled(FAINT, seconds(took)));
    out.truncate(out.trim_end().len());
    out
}

/// The noun for a number of entries, as wide as its plural.
fn entries(count: usize) -> &'static str {
    if count == 1 { "entry  " } else { "entries" }
}

fn base_row(out: &mut String, base: &FoundBaseUrl) {
    let origin = styled(FAINT, format!("from {}", base.origin));
    row(out, "site", &format!("{} {origin}", base.url));
}

/// Adds the site and its page counts; returns the number of listed pages.
pub(super) fn site_rows(
    out: &mut String,
    about: SiteLine<'_>,
    volume: Verbosity,
    base: &FoundBaseUrl,
    inventory: &Inventory,
) -> usize {
    base_row(out, base);
    let (dir, kind) = (display_path(about.output_dir), about.kind);
    let kind = styled(FAINT, format!("({kind})"));
    row(out, "output", &format!("{dir} {kind}"));
    if volume == Verbosity::Verbose {
        row(out, "URL form", &about.url_form.to_string());
    }
    let (found, listed) = (inventory.pages.len(), inventory.listed());
    let text = format!(
        "{} of {} listed",
        styled(STRONG, grouped(listed)),
        grouped(found)
    );
    row(out, "pages", &text);
    if found > listed {
        excluded_rows(out, inventory);
    }
    listed
}

/// Names the generator's own list of sources, if pages have none.
fn sources(out: &mut String, list: Option<&SourceListSpec>, inventory: &Inventory) {
    let is_unknown = inventory
        .undated()
        .contains_key(DateOrigin::NoSource.as_str());
    if let Some(list) = list.filter(|_| is_unknown) {
        row(out, "sources", &list.remedy());
    }
}

fn files(
    out: &mut String,
    delivered: &PublishedSite,
    base: &BaseUrl,
    effect: WriteMode,
    volume: Verbosity,
) {
    let placed = &delivered.placed;
    let lengths = placed.files.iter().map(|file| file.path.len());
    let width = lengths.max().unwrap_or_default().max("robots.txt".len());
    let mut texts = Vec::new();
    for file in &placed.files {
        let (path, count, noun) = (&file.path, grouped(file.urls), entries(file.urls));
        let (bytes, state) = (size(file.bytes), state(file, effect));
        texts.push(format!(
            "{path:width$}  {count:>7} {noun}  {bytes:>8}  {state}"
        ));
    }
    texts.extend(placed.robots_txt.as_ref().map(|file| {
        let lines = robots_lines(delivered.robots_lines, effect);
        format!("{:width$}  {lines}", file.path)
    }));
    let is_new = placed.files.iter().any(|file| file.changed);
    if is_new && placed.robots_txt.is_none() && !base.is_host_root() {
        let text = format!("not read here, but at {}/robots.txt", base.origin());
        texts.push(format!("{:width$}  {}", "robots.txt", styled(FAINT, text)));
    }
    texts.extend(placed.key_file.as_ref().map(|file| {
        let state = state(file, effect);
        format!("{:width$}  IndexNow key, {state}", file.path)
    }));
    let (label, removed) = if effect == WriteMode::DryRun {
        ("would write", "would be removed")
    } else {
        ("files", "removed")
    };
    let gone = placed.removed.iter().map(ToString::to_string);
    let gone = named_urls("", placed.removed.len(), gone, volume).into_iter();
    texts.extend(gone.map(|files| format!("{}  {removed}", files.trim_start())));
    rows(out, label, texts);
}

/// Describes the changes to robots.txt: `one Sitemap line added, 2 removed`.
fn robots_lines(lines: RobotsLines, effect: WriteMode) -> String {
    let verb = if effect == WriteMode::DryRun {
        "would be "
    } else {
        ""
    };
    let changes = [(lines.added, "added"), (lines.removed, "removed")];
    let mut stated = Vec::new();
    for (count, what) in changes.into_iter().filter(|(count, _)| *count > 0) {
        let number = match count {
            1 => "one".to_owned(),
            more => grouped(more),
        };
        let noun = match (stated.len(), count) {
            (0, 1) => " Sitemap line",
            (0, _) => " Sitemap lines",
            _ => "",
        };
        stated.push(format!("{number}{noun} {verb}{what}"));
    }
    // The only change may be a line that moved to the top.
    if stated.is_empty() {
        format!("no Sitemap line {verb}added")
    } else {
        stated.join(", ")
    }
}

fn state(file: &WrittenFile, effect: WriteMode) -> String {
    match (file.changed, effect) {
        (true, WriteMode::Write) => styled(STRONG, "written"),
        (true, WriteMode::DryRun) => styled(STRONG, "differs"),
        (false, _) => styled(FAINT, "unchanged"),
    }
}

/// Adds the comparison with the sitemaps that were there before or that the user named.
fn compared(out: &mut String, delivered: &PublishedSite, volume: Verbosity) {
    let placed = delivered.placed.files.iter();
    let is_rewritten = placed
        .chain(&delivered.placed.robots_txt)
        .any(|file| file.changed);
    let rewritten = is_rewritten || !delivered.placed.removed.is_empty();
    let (plan, found) = (&delivered.plan, &delivered.changes);
    changes(out, plan, found, &delivered.compared, rewritten, volume);
}

#[cfg(test)]
mod tests;
