//! `waypost check`: plans the sitemaps of a site and checks the existing ones against that plan; or
//! checks a sitemap file, or what a server publishes, without a site or settings.

use std::path::Path;
use std::time::Duration;

use super::changes_result::ChangesResult;
use super::check_result::{CheckResult, CheckTarget};
use super::command_error::CommandError;
use super::environment::{environment, prepare, url_of};
use super::findings::RunFindings;
use super::opts::CheckArgs;
use super::printer::Printer;
use super::site_result::SiteResult;
use crate::check::{self, CheckReport, CheckedSet, KeptPages};
use crate::clock;
use crate::files::tree::Tree;
use crate::findings::{Finding, Subject, code};
use crate::pages::Inventory;
use crate::run::{
    SiteInventory, build_inventory, changes_on_disk, feed_lacks_pages, plan_of, replaced_findings,
    set_refusals,
};
use crate::settings::LevelOverrides;
use crate::site::{FoundBaseUrl, LoadedSite, RunError, refusals_first, settings_without_site};
use crate::web::{Network, PoliteClient, parse_address};
use sitemaps::site_paths::{display_path, escaped};
use sitemaps::{EntryExtent, Plan};

/// The default of `--live`.
const LIVE_PAGES: u16 = 20;

/// The default of `--timeout`, in seconds.
const TIMEOUT: u16 = 30;

pub(super) fn check(args: &CheckArgs, printer: &Printer) -> Result<u8, CommandError> {
    let site = &args.common.site;
    match (url_of(site), args.option_of_url()) {
        (Some(address), _) => check_url(args, address, printer),
        (None, Some(option)) => Err(CommandError::new(
            format!("`{option}` applies only to a URL"),
            "name the published site: `waypost check https://example.com/`",
        )),
        (None, None) if site.is_file() => check_file(args, printer),
        (None, None) if !site.exists() && site.extension().is_some() => Err(no_such_file(site)),
        (None, None) => check_site(args, printer),
    }
}

/// The error of a file that does not exist, with one of its name in a directory of the site.
fn no_such_file(file: &Path) -> CommandError {
    let tree = Tree::new(Path::new("."));
    let name = file.file_name().unwrap_or_default();
    let found = tree
        .entries(Path::new("."))
        .into_iter()
        .map(|dir| dir.path().join(name))
        .filter(|found| tree.is_file(found))
        .min();
    let hint = match &found {
        Some(found) => format!("did you mean `waypost check {}`?", display_path(found)),
        None => "name a sitemap, the directory of a site, or a URL".to_owned(),
    };
    let file = display_path(file);
    CommandError::new(format!("no such file or directory: `{file}`"), hint)
}

fn check_site(args: &CheckArgs, printer: &Printer) -> Result<u8, CommandError> {
    let mut loaded = LoadedSite::load(prepare(&args.common)?, EntryExtent::All)?;
    let run = run(&mut loaded)?;
    let report = &run.report;
    let target = CheckTarget::Site {
        site: SiteResult::new(&loaded, &run.base, &run.inventory),
        changes: ChangesResult {
            changes: &report.changes,
            plan: &run.plan,
            compared: &report.compared,
            inventory: &run.inventory,
            settings: loaded.settings(),
        },
    };
    let findings = RunFindings::for_site(&run.findings, &loaded, args.strictness.level());
    let result = CheckResult::new(target, &report.sitemaps, &findings);
    result.show(args, printer, findings)
}

/// A completed check of a site.
pub(super) struct CheckRun {
    pub(super) base: FoundBaseUrl,
    pub(super) inventory: Inventory,
    /// The findings of all steps, and at their end those that are not about sitemaps.
    pub(super) findings: Vec<Finding>,
    pub(super) plan: Plan,
    pub(super) report: CheckReport,
}

/// Plans the sitemaps and runs all checks. A preview has no sitemap to check, and its pages may name
/// their own URLs, so its only finding is that it is one.
pub(super) fn run(loaded: &mut LoadedSite) -> Result<CheckRun, RunError> {
    let SiteInventory {
        base,
        inventory,
        mut findings,
        ..
    } = build_inventory(loaded)?;
    findings = without_links_of_set(findings);
    findings.extend(feed_lacks_pages(loaded, &inventory));
    let plan = plan_of(loaded, &inventory);
    let mut report = CheckReport::default();
    if let Some(preview) = loaded.skipped_preview() {
        findings = vec![preview.finding()];
    } else {
        report = check::check(loaded, &inventory, &plan);
        let settings = loaded.settings();
        let lacks = set_refusals(settings, &inventory, &plan, &report.changes);
        if !loaded.replaced.foreign.is_empty() {
            let on_disk = changes_on_disk(loaded, &inventory, &plan);
            findings.extend(replaced_findings(loaded, &inventory, &plan, &on_disk));
        }
        findings.append(&mut report.findings);
        findings = refusals_first(findings, lacks, &settings.levels);
    }
    loaded.output.check()?;
    Ok(CheckRun {
        base,
        inventory,
        findings,
        plan,
        report,
    })
}

/// Removes the findings about the language links of the set itself, which the check judges. Those of
/// heads have a place, and stay. The count of findings that are not shown stays only beside one of them.
fn without_links_of_set(mut findings: Vec<Finding>) -> Vec<Finding> {
    let have_heads = findings.iter().any(|finding| {
        finding.code == code::HREFLANG_IGNORED
            && matches!(finding.subject, Subject::Page(_, Some(_)))
    });
    findings.retain(|finding| {
        finding.code != code::HREFLANG_IGNORED
            || match finding.subject {
                Subject::Page(_, place) => place.is_some(),
                Subject::Site => have_heads,
                Subject::File(..) | Subject::Url(..) => false,
            }
    });
    findings
}

/// Checks one sitemap, index or feed.
fn check_file(args: &CheckArgs, printer: &Printer) -> Result<u8, CommandError> {
    let name = display_path(&args.common.site);
    args.common
        .refuse_options_of_site(&name, &["--config", "--accept"])?;
    let now = clock::now(&environment())?;
    let levels = settings_without_site(&environment(), args.common.flags.clone())?.levels;
    let set = check::check_file(&args.common.site, now, KeptPages::None).map_err(|error| {
        CommandError::new(
            format!("`{name}` cannot be read: {error}"),
            "make it a regular file that the user who runs waypost can read",
        )
    })?;
    show_set(args, &name, &set, levels, printer)
}

/// Checks the site or sitemap at a URL.
fn check_url(args: &CheckArgs, address: &str, printer: &Printer) -> Result<u8, CommandError> {
    args.common.refuse_options_of_site(&escaped(address), &[])?;
    let url = parse_address(address)?;
    let now = clock::now(&environment())?;
    let timeout = Duration::from_secs(args.timeout.unwrap_or(TIMEOUT).into());
    let network = Network::new(timeout)?;
    let pages = args.live.unwrap_or(LIVE_PAGES);
    let set = check::check_url(&PoliteClient::new(&network), url, pages.into(), now)?;
    show_set(args, address, &set, LevelOverrides::default(), printer)
}

/// Shows the result for a file or a URL.
fn show_set(
    args: &CheckArgs,
    named: &str,
    set: &CheckedSet,
    levels: LevelOverrides,
    printer: &Printer,
) -> Result<u8, CommandError> {
    let findings = RunFindings::for_files(
        &set.findings,
        levels,
        args.strictness.level(),
        Some(&set.texts),
    );
    let target = CheckTarget::Set {
        file: named,
        absent: &set.absent,
        live: set.live.as_ref(),
    };
    let result = CheckResult::new(target, &set.files, &findings);
    result.show(args, printer, findings)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sitemaps::Place;

    #[test]
    fn findings_about_links_of_the_set_leave_no_count_behind() {
        let link = |subject| Finding::new(code::HREFLANG_IGNORED, subject, "a");
        let of = |place: Option<Place>| link(Subject::Page("a.html".into(), place));
        let (of_set, of_head) = (of(None), of(Some(Place::default())));
        let rest = link(Subject::Site);
        let kept = without_links_of_set(vec![of_set.clone(), rest.clone()]);
        assert_eq!(kept, Vec::new());
        let kept = without_links_of_set(vec![of_set, of_head.clone(), rest.clone()]);
        assert_eq!(kept, [of_head, rest]);
    }
}
