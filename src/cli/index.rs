//! `waypost index`: checks existing sitemaps, then writes an index of them. If a finding fails the
//! run, nothing is written.

use serde::Serialize;

use super::build_result::{FilesResult, entries};
use super::command_error::CommandError;
use super::environment::request;
use super::findings::RunFindings;
use super::opts::IndexArgs;
use super::printer::{Printer, Verbosity};
use super::site_result::base_text;
use super::text_layout::summary;
use crate::findings::grouped;
use crate::index::{IndexPlan, ListedChild, plan_index};
use crate::pages::Inventory;
use crate::publish::WriteMode;
use crate::run::{ComparedPlan, PublishedSite, publish_plan};
use crate::site::{FoundBaseUrl, LoadedSite, PreviewBuild};
use crate::survey::ReplacedSet;
use sitemaps::site_paths::display_path;
use sitemaps::{EntryExtent, SitemapFileKind};

/// The result of the command.
#[derive(Serialize)]
struct IndexResult<'a> {
    base_url: &'a str,
    output_dir: String,
    sitemaps: Vec<MemberResult>,
    /// The files of the index; none if a finding fails the run.
    #[serde(flatten)]
    files: Option<FilesResult<'a>>,
    #[serde(skip)]
    base: &'a FoundBaseUrl,
}

/// A sitemap that the index lists.
#[derive(Serialize)]
struct MemberResult {
    source: String,
    url: String,
    /// `None` if it is on another host, and unread.
    kind: Option<SitemapFileKind>,
    entries: Option<usize>,
    lastmod: Option<String>,
}

pub(super) fn index(args: &IndexArgs, printer: &Printer) -> Result<u8, CommandError> {
    let mut loaded = LoadedSite::load(request(&args.site, args.flags())?, EntryExtent::Sample)?;
    let base = loaded.base_url()?;
    let IndexPlan {
        children,
        plan,
        mut findings,
    } = plan_index(&args.sitemaps, &loaded, &base.url)?;
    findings.extend(loaded.robots.unreadable());
    let mode = if args.dry_run {
        WriteMode::DryRun
    } else {
        WriteMode::Write
    };
    let strictness = args.strictness.level();
    let mut published = None;
    if !RunFindings::for_site(&findings, &loaded, strictness).fail_run() {
        // An index lists no pages, so there is nothing to compare or to replace.
        loaded.replaced = ReplacedSet::default();
        let inventory = Inventory::empty(&base.url);
        let mut written = publish_plan(&loaded, &inventory, plan, ComparedPlan::default(), mode)?;
        findings.append(&mut written.findings);
        published = Some(written);
    }
    let result = IndexResult::new(&loaded, &base, children, published.as_ref());
    let mut findings = RunFindings::for_site(&findings, &loaded, strictness);
    findings.show(printer);
    if args.json {
        findings.print_json(&result)?;
    } else {
        printer.say(&result.text(printer.verbosity));
    }
    if let Some(preview) = loaded.skipped_preview() {
        printer.note(&preview.message("written"), PreviewBuild::HINT);
    }
    if published.is_none() {
        printer.error(
            "nothing was written",
            Some("fix the sitemaps, or change the levels of these findings in `[levels]`"),
        );
    }
    Ok(findings.exit_code())
}

impl<'a> IndexResult<'a> {
    fn new(
        loaded: &LoadedSite,
        base: &'a FoundBaseUrl,
        children: Vec<ListedChild>,
        published: Option<&'a PublishedSite>,
    ) -> Self {
        let format = loaded.settings().lastmod.format;
        let members = children.into_iter().map(|child| MemberResult {
            source: child.name(),
            url: child.url.to_string(),
            kind: child.file.as_ref().map(|file| file.read.head.kind),
            entries: child.file.as_ref().map(|file| file.read.entries),
            lastmod: child.newest().map(|date| date.to_text(format)),
        });
        let is_preview = loaded.skipped_preview().is_some();
        Self {
            base_url: base.url.as_str(),
            output_dir: display_path(loaded.output_dir()),
            sitemaps: members.collect(),
            files: published.map(|placed| FilesResult::new(placed, is_preview)),
            base,
        }
    }

    /// Formats the summary.
    fn text(&self, volume: Verbosity) -> String {
        let listed: usize = self.sitemaps.iter().filter_map(|child| child.entries).sum();
        let (count, entries) = (grouped(self.sitemaps.len()), entries(listed));
        let listed = format!("{count} with {} {entries}", grouped(listed));
        let parts = [
            ("site", vec![base_text(self.base)]),
            ("output", vec![self.output_dir.clone()]),
            ("sitemaps", vec![listed]),
        ];
        let files = self.files.as_ref();
        let part = files.map(|files| files.part(&self.base.url, volume));
        summary(parts.into_iter().chain(part))
    }
}
