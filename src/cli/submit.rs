//! `waypost submit`: plans the sitemaps, or reads published ones, and notifies search engines of the
//! changes since last time.

use std::path::Path;

use super::build::prepare;
use super::check_url::url_of;
use super::command_error::CommandError;
use super::environment::environment;
use super::exit_code::{EXIT_FAILURE, EXIT_FINDINGS, EXIT_SUCCESS};
use super::findings::{self, PlaceResolver};
use super::json_result::result_text;
use super::opts::SubmitArgs;
use super::printer::Printer;
use super::submit_means::SubmitMeans;
use super::submit_report::{SubmitReport, SubmitRequest};
use super::submit_run::SubmitRun;
use super::submit_source::{PublishedPages, nothing_listed};
use crate::pipeline::{SiteInventory, build_inventory, plan_of};
use crate::publish::published_key;
use crate::settings::{Settings, SubmitKey, SubmitSettings};
use crate::site::{BuildKind, LoadedSite, is_refusal, placeholder_finding, settings_without_site};
use crate::submit::{NetworkError, RequestOutcome};
use sitemaps::site_paths::display_path;
use sitemaps::site_paths::finding::{Finding, Level, WithFindings};

pub(super) fn submit(args: &SubmitArgs, printer: &Printer) -> Result<u8, CommandError> {
    let site = &args.common.site;
    if url_of(site).is_some() || site.is_file() {
        return submit_published(args, printer);
    }
    let request = prepare(&args.common)?;
    // Check the targets before reading the site.
    let means = SubmitMeans::of(args)?;
    let loaded = LoadedSite::load(request)?;
    match nothing_sent(&loaded.kind.value, printer) {
        Some(nothing) => show(args, printer, &nothing),
        None => submit_site(args, &loaded, &means, printer),
    }
}

/// The report of a run that may not be of the production site.
fn nothing_sent(kind: &BuildKind, printer: &Printer) -> Option<SubmitReport> {
    let service = match kind {
        BuildKind::Production => return None,
        BuildKind::UnknownBranch(unknown) => {
            let message = format!("{}, so nothing is sent", unknown.message());
            printer.note(&message, &unknown.hint());
            &unknown.service
        }
        BuildKind::Preview(preview) => {
            let hint = "run `waypost submit` in the production build";
            printer.note(&preview.message("sent"), hint);
            &preview.service
        }
    };
    Some(SubmitReport {
        preview: Some(service.clone()),
        ..SubmitReport::default()
    })
}

/// Submits the changed pages of a live sitemap or a sitemap file, without the built site.
fn submit_published(args: &SubmitArgs, printer: &Printer) -> Result<u8, CommandError> {
    let site = &args.common.site;
    let option = args.common.option_of_site();
    if let Some(option) = option.filter(|option| *option != "--base-url") {
        let file = display_path(site);
        return Err(CommandError::OptionOfSite { option, file });
    }
    if !args.ping.is_empty() {
        return Err(CommandError::new(
            "`--ping` needs a built site",
            "name the directory of the site",
        ));
    }
    let (settings, kind) = settings_without_site(&environment())?;
    if let Some(nothing) = nothing_sent(&kind, printer) {
        return show(args, printer, &nothing);
    }
    let is_file = url_of(site).is_none();
    let beside = site.parent().filter(|_| is_file).map(working_dir_if_empty);
    let key = key_of(&settings.submit, beside)?;
    let means = SubmitMeans::of(args)?;
    let named = args.common.base_url.as_deref();
    let pages = match url_of(site) {
        Some(address) => {
            let network = means.network.as_ref().ok_or(NetworkError::NotBuiltIn)?;
            PublishedPages::of_url(address, network, named)?
        }
        None => PublishedPages::of_file(site, named)?,
    };
    if pages.plan.files().is_empty() {
        return Err(nothing_listed());
    }
    let pointers = &mut PlaceResolver::of_files();
    let origin = format!("`{}`", display_path(site));
    let placeholder = placeholder_finding(&pages.base, origin, "`base_url`");
    let refusal: Vec<Finding> = placeholder
        .into_iter()
        .filter(|_| named.is_none())
        .collect();
    if findings::fail_run(&refusal, &settings.levels, Level::Deny) {
        findings::show(printer, &refusal, &settings.levels, Level::Deny, pointers);
        return Ok(EXIT_FINDINGS);
    }
    let run = SubmitRun {
        args,
        settings: &settings,
        plan: &pages.plan,
        means: &means,
    };
    let sent = run.index_now(&key, &pages.base)?;
    finish(args, printer, &settings, &sent, pointers)
}

/// Submits the changed URLs of a site.
fn submit_site(
    args: &SubmitArgs,
    loaded: &LoadedSite<'_>,
    means: &SubmitMeans,
    printer: &Printer,
) -> Result<u8, CommandError> {
    let submit = &loaded.settings().submit;
    let is_index_now = args.ping.is_empty();
    let key = is_index_now.then(|| key_of(submit, Some(loaded.output_dir())));
    let key = key.transpose()?;
    let SiteInventory {
        inventory,
        mut findings,
        ..
    } = build_inventory(loaded)?;
    let plan = plan_of(loaded, &inventory).value;
    // `build` and `check` report the other findings of the site.
    findings.retain(|finding| is_refusal(finding.code));
    if plan.files().is_empty() {
        return Err(nothing_listed());
    }
    let levels = &loaded.settings().levels;
    let mut pointers = PlaceResolver::new(loaded);
    if findings::fail_run(&findings, levels, Level::Deny) {
        findings::show(printer, &findings, levels, Level::Deny, &mut pointers);
        return Ok(EXIT_FINDINGS);
    }
    let run = SubmitRun {
        args,
        settings: loaded.settings(),
        plan: &plan,
        means,
    };
    let sent = match key {
        Some(key) => run.index_now(&key, &inventory.base)?,
        None => run.ping()?.into(),
    };
    finish(args, printer, loaded.settings(), &sent, &mut pointers)
}

/// Prints the findings and the report, and returns the exit code.
fn finish(
    args: &SubmitArgs,
    printer: &Printer,
    settings: &Settings,
    sent: &WithFindings<SubmitReport>,
    pointers: &mut PlaceResolver<'_>,
) -> Result<u8, CommandError> {
    let (levels, findings) = (&settings.levels, &sent.findings);
    findings::show(printer, findings, levels, Level::Deny, pointers);
    let is_refused = findings.iter().any(|finding| is_refusal(finding.code));
    if is_refused && findings::fail_run(findings, levels, Level::Deny) {
        return Ok(EXIT_FINDINGS);
    }
    show(args, printer, &sent.value)
}

/// A directory that `read_dir` accepts: the parent of a bare file name is empty.
fn working_dir_if_empty(dir: &Path) -> &Path {
    if dir.as_os_str().is_empty() {
        Path::new(".")
    } else {
        dir
    }
}

/// The key of the settings, or the one whose file is published with the site in this directory.
fn key_of(settings: &SubmitSettings, dir: Option<&Path>) -> Result<SubmitKey, CommandError> {
    let set = settings.key.clone();
    let key = set.or_else(|| published_key(dir?));
    key.ok_or_else(|| {
        CommandError::new(
            "no key is set, and IndexNow requires one",
            "set `submit.key` or `WAYPOST_SUBMIT_KEY` to 8 to 128 letters, digits and hyphens of \
             your choice; `waypost build` writes the key file into the output directory",
        )
    })
}

/// Prints the report and returns the exit code.
fn show(args: &SubmitArgs, printer: &Printer, reported: &SubmitReport) -> Result<u8, CommandError> {
    if args.json {
        Printer::json(&result_text(reported))?;
    } else if args.dry_run {
        Printer::text(&reported.as_requests())?;
    }
    reported.say(printer);
    let outcomes = reported.requests.iter();
    let worst = outcomes.filter_map(SubmitRequest::outcome).max();
    Ok(match worst {
        None | Some(RequestOutcome::Accepted) => EXIT_SUCCESS,
        Some(RequestOutcome::Refused) => EXIT_FINDINGS,
        Some(RequestOutcome::Transient) => EXIT_FAILURE,
    })
}
