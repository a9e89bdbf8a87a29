//! `waypost check`: plans the sitemaps of a site and checks the existing ones against that plan, or passes a
//! sitemap file or a URL on.

use super::build::prepare;
use super::check_file::check_file;
use super::check_result::{CheckTarget, CheckedSet, SetFileLine};
use super::check_url::{check_url, url_of};
use super::command_error::CommandError;
use super::completed_run::CheckRun;
use super::findings::PlaceResolver;
use super::opts::CheckArgs;
use super::printer::Printer;
use super::stopwatch::Stopwatch;
use crate::check::{CheckReport, check as hold_against};
use crate::pipeline::{
    SiteInventory, build_inventory, changes_on_disk, plan_of, refusals_first, remaining_sitemaps,
    replaced_findings, set_refusals,
};
use crate::site::{LoadedSite, RunError};
use sitemaps::SitemapListing;
use sitemaps::set::SitemapFileKind;
use sitemaps::site_paths::finding::{Subject, code};

pub(super) fn check(args: &CheckArgs, printer: &Printer) -> Result<u8, CommandError> {
    let site = &args.common.site;
    match (url_of(site), args.live.option_of_url()) {
        (Some(address), _) => check_url(args, address, printer),
        (None, Some(option)) => Err(CommandError::OptionOfUrl(option)),
        (None, None) if site.is_file() => check_file(args, printer),
        (None, None) => check_site(args, printer),
    }
}

fn check_site(args: &CheckArgs, printer: &Printer) -> Result<u8, CommandError> {
    let start = Stopwatch::start();
    let request = prepare(&args.common)?;
    let loaded = LoadedSite::load(request)?;
    let run = run(&loaded)?;
    let sitemaps = run.report.sitemaps.iter().map(|sitemap| SetFileLine {
        path: sitemap.file.to_text().into_owned(),
        kind: match sitemap.listing {
            SitemapListing::Pages => SitemapFileKind::Pages,
            SitemapListing::Sitemaps => SitemapFileKind::Index,
        },
        entries: sitemap.entries,
    });
    let checked = CheckedSet {
        target: CheckTarget::Site(&loaded, &run),
        files: sitemaps.collect(),
        findings: &run.findings,
    };
    let pointers = &mut PlaceResolver::new(&loaded);
    checked.show(args, &loaded.environment, printer, pointers, &start)
}

/// Plans the sitemaps and runs all checks. A preview has no sitemap to check, and its pages may name
/// their own URLs, so its only finding is that it is one.
pub(super) fn run(loaded: &LoadedSite<'_>) -> Result<CheckRun, RunError> {
    let SiteInventory {
        base,
        robots,
        inventory,
        mut findings,
    } = build_inventory(loaded)?;
    // The links of the sitemap itself are judged below. Those of heads have a place.
    findings.retain(|finding| {
        finding.code != code::HREFLANG_IGNORED || !matches!(finding.subject, Subject::Page(_, None))
    });
    let plan = plan_of(loaded, &inventory).take_into(&mut findings);
    if let Some(preview) = loaded.skipped_preview() {
        let skipped = preview.finding(&remaining_sitemaps(loaded));
        loaded.output.check_failures()?;
        return Ok(CheckRun {
            base,
            inventory,
            findings: [vec![skipped], loaded.kind.findings.clone()].concat(),
            plan,
            report: CheckReport::default(),
        });
    }
    let mut checked = hold_against(loaded, &robots, &inventory, &plan);
    loaded.output.check_failures()?;
    let lacks = set_refusals(
        loaded.settings(),
        &inventory.restless,
        &plan,
        &checked.changes,
    );
    if !inventory.replaced.foreign.is_empty() {
        let on_disk = changes_on_disk(loaded, &inventory, &plan);
        findings.extend(replaced_findings(loaded, &inventory, &plan, &on_disk));
    }
    findings.append(&mut checked.findings);
    let findings = refusals_first(findings, lacks, loaded.settings()).findings;
    Ok(CheckRun {
        base,
        inventory,
        findings,
        plan,
        report: checked,
    })
}
