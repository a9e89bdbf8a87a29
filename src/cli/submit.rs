//! `waypost submit`: plans the sitemaps, or reads published ones, and notifies search engines of the
//! changes since last time.

use std::path::Path;

use super::build::{prepare, url_of};
use super::command_error::CommandError;
use super::environment::environment;
use super::findings::RunFindings;
use super::opts::SubmitArgs;
use super::printer::Printer;
use super::submit_result::SubmitResult;
use super::submit_run::SubmitRun;
use super::submit_source::{PublishedPages, nothing_listed};
use crate::pipeline::{SiteInventory, build_inventory, plan_of};
use crate::publish::published_key;
use crate::settings::{LevelOverrides, Settings, SubmitKey, SubmitSettings};
use crate::site::{BuildKind, LoadedSite, is_refusal, placeholder_finding, settings_without_site};
use crate::submit::NetworkError;
use sitemaps::site_paths::display_path;
use sitemaps::site_paths::finding::{Finding, Level, WithFindings};

pub(super) fn submit(args: &SubmitArgs, printer: &Printer) -> Result<u8, CommandError> {
    let site = &args.common.site;
    if url_of(site).is_some() || site.is_file() {
        let (settings, kind) = published_settings(args)?;
        let sent = match nothing_sent(&kind, printer) {
            Some(nothing) => nothing.into(),
            None => submit_published(args, &settings)?,
        };
        let levels = settings.levels;
        let findings = RunFindings::of_files(&sent.findings, levels, Level::Deny, None);
        return sent.value.show(args, printer, findings);
    }
    let request = prepare(&args.common)?;
    // Check the targets before reading the site.
    let run = SubmitRun::of(args)?;
    let loaded = LoadedSite::load(request)?;
    let sent = match nothing_sent(&loaded.kind.value, printer) {
        Some(nothing) => nothing.into(),
        None => submit_site(&run, &loaded)?,
    };
    let findings = RunFindings::of_site(&sent.findings, &loaded, Level::Deny);
    sent.value.show(args, printer, findings)
}

/// The result of a run that may not be of the production site.
fn nothing_sent(kind: &BuildKind, printer: &Printer) -> Option<SubmitResult> {
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
    Some(SubmitResult {
        preview: Some(service.clone()),
        ..SubmitResult::default()
    })
}

/// Of these findings, those that keep anything from being sent.
fn refusals(mut findings: Vec<Finding>, levels: &LevelOverrides) -> Vec<Finding> {
    findings
        .retain(|finding| is_refusal(finding.code) && levels.level_of(finding.code) == Level::Deny);
    findings
}

/// Submits the changed URLs of a site.
fn submit_site(
    run: &SubmitRun<'_>,
    loaded: &LoadedSite<'_>,
) -> Result<WithFindings<SubmitResult>, CommandError> {
    let settings = loaded.settings();
    let is_index_now = run.args.ping.is_empty();
    let key = is_index_now.then(|| key_of(&settings.submit, Some(loaded.output_dir())));
    let key = key.transpose()?;
    let SiteInventory {
        inventory,
        findings,
        ..
    } = build_inventory(loaded)?;
    let plan = plan_of(loaded, &inventory).value;
    if plan.files().is_empty() {
        return Err(nothing_listed());
    }
    // `build` and `check` report the other findings of the site.
    let refusals = refusals(findings, &settings.levels);
    if !refusals.is_empty() {
        return Ok(WithFindings::new(SubmitResult::default(), refusals));
    }
    match key {
        Some(key) => run.index_now(settings, &plan, &key, &inventory.base),
        None => Ok(run.ping(&plan)?.into()),
    }
}

/// The settings for a live sitemap or a sitemap file, and the kind of this build.
fn published_settings(args: &SubmitArgs) -> Result<(Settings, BuildKind), CommandError> {
    args.common
        .refuse_options_of_site(&display_path(&args.common.site), &["--base-url"])?;
    if !args.ping.is_empty() {
        return Err(CommandError::new(
            "`--ping` needs a built site",
            "name the directory of the site",
        ));
    }
    Ok(settings_without_site(&environment())?)
}

/// Submits the changed pages of a live sitemap or a sitemap file, without the built site.
fn submit_published(
    args: &SubmitArgs,
    settings: &Settings,
) -> Result<WithFindings<SubmitResult>, CommandError> {
    let site = &args.common.site;
    let is_file = url_of(site).is_none();
    let beside = site.parent().filter(|_| is_file).map(working_dir_if_empty);
    let key = key_of(&settings.submit, beside)?;
    let run = SubmitRun::of(args)?;
    let named = args.common.base_url.as_deref();
    let pages = match url_of(site) {
        Some(address) => {
            let network = run.network.as_ref().ok_or(NetworkError::NotBuiltIn)?;
            PublishedPages::of_url(address, network, named)?
        }
        None => PublishedPages::of_file(site, named)?,
    };
    if pages.plan.files().is_empty() {
        return Err(nothing_listed());
    }
    if named.is_none() {
        let origin = format!("`{}`", display_path(site));
        let placeholder = placeholder_finding(&pages.base, origin, "`base_url`");
        let refusals = refusals(placeholder.into_iter().collect(), &settings.levels);
        if !refusals.is_empty() {
            return Ok(WithFindings::new(SubmitResult::default(), refusals));
        }
    }
    run.index_now(settings, &pages.plan, &key, &pages.base)
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
