//! `waypost submit`: plans the sitemaps, or reads a live one, and notifies search engines of the
//! changes since last time.

use std::sync::Arc;

use url::Url;
use url::form_urlencoded::byte_serialize;

use super::baseline::{Baseline, PATIENCE};
use super::command_error::CommandError;
use super::environment::{environment, prepare, url_of};
use super::findings::RunFindings;
use super::opts::SubmitArgs;
use super::printer::Printer;
use super::submit_result::{SubmitRequest, SubmitResult};
use crate::config::Flags;
use crate::findings::{Finding, HintedError, Level, Subject, code};
use crate::pages::Inventory;
use crate::publish::{SurroundingFiles, create_dir, publish, published_key};
use crate::run::{build_inventory, plan_of, set_refusals};
use crate::settings::{Settings, SubmitKey};
use crate::site::{
    BuildKind, LoadedSite, kind_without_site, refusals_first, settings_without_site, stop_run,
};
use crate::survey::placeholder_finding;
use crate::web::{
    CONTENT_TYPE, ChangedUrls, IndexNowSender, MAX_URLS, Network, Reply, parse_address, target_url,
};
use sitemaps::site_paths::{BaseUrl, PageUrl};
use sitemaps::{
    DateFormat, EntryExtent, LastMod, ListedEntry, Newest, Now, Plan, SitemapEntry, SitemapSettings,
};

/// The endpoint that passes messages on to all engines (indexnow.org, "FAQ").
const DEFAULT_ENDPOINT: &str = "https://api.indexnow.org/indexnow";

/// The placeholder for the sitemap URL in a ping.
const PLACEHOLDER: &str = "{sitemap}";

pub(super) fn submit(args: &SubmitArgs, printer: &Printer) -> Result<u8, CommandError> {
    if let Some(address) = url_of(&args.common.site) {
        args.common
            .refuse_options_of_site(address, &["--base-url"])?;
        let environment = environment();
        let settings = settings_without_site(&environment, Flags::default())?;
        let kind = kind_without_site(&environment, &settings)?;
        let sent = match nothing_sent(&kind, printer) {
            Some(nothing) => nothing,
            None => submit_live(args, address, &settings)?,
        };
        let findings = RunFindings::for_files(&sent.findings, settings.levels, Level::Deny, None);
        return sent.show(args, printer, findings);
    }
    let run = SubmitRun::of(args)?;
    let mut loaded = LoadedSite::load(prepare(&args.common)?, EntryExtent::All)?;
    let sent = match nothing_sent(&loaded.kind, printer) {
        Some(nothing) => nothing,
        None => submit_site(&run, &mut loaded)?,
    };
    let findings = RunFindings::for_site(&sent.findings, &loaded, Level::Deny);
    sent.show(args, printer, findings)
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

/// Submits the changed URLs of a site.
fn submit_site(run: &SubmitRun<'_>, loaded: &mut LoadedSite) -> Result<SubmitResult, CommandError> {
    let mut key = None;
    if run.args.ping.is_empty() {
        let set = loaded.settings().submit.key.clone();
        key = Some(required(
            set.or_else(|| published_key(loaded.output_dir())),
        )?);
    }
    let site = build_inventory(loaded)?;
    let settings = loaded.settings();
    let plan = plan_of(loaded, &site.inventory);
    if plan.files().is_empty() {
        return Err(nothing_listed());
    }
    if stop_run(&site.findings, &settings.levels) {
        return Ok(SubmitResult::refused(site.findings));
    }
    match key {
        Some(key) => run.index_now(settings, &plan, key, site.inventory.base()),
        None => run.ping(&plan),
    }
}

/// Submits the changed pages of a live sitemap, without the built site. A URL that ends in a slash is
/// a site with the usual name of its sitemap.
fn submit_live(
    args: &SubmitArgs,
    address: &str,
    settings: &Settings,
) -> Result<SubmitResult, CommandError> {
    if !args.ping.is_empty() {
        let hint = "name the directory of the site";
        return Err(CommandError::new("`--ping` needs a built site", hint));
    }
    let key = required(settings.submit.key.clone())?;
    let run = SubmitRun::of(args)?;
    let mut url = parse_address(address)?;
    if url.path().ends_with('/') && url.query().is_none() {
        url.set_path(&format!("{}sitemap.xml", url.path()));
    }
    let origin = url.origin().ascii_serialization();
    let given = args.common.flags.base_url.as_deref();
    let base = BaseUrl::parse(given.unwrap_or(&origin)).map_err(|error| {
        CommandError::new(
            format!("the base URL is not valid: {error}"),
            "name the URL of the site's top with `--base-url`",
        )
    })?;
    if args.common.flags.base_url.is_none() {
        let placeholder = placeholder_finding(&base, format!("`{address}`"), "`base_url`");
        let findings = Vec::from_iter(placeholder);
        if stop_run(&findings, &settings.levels) {
            return Ok(SubmitResult::refused(findings));
        }
    }
    let mut entries = Vec::new();
    Network::new(PATIENCE)?.list_live_pages(url.as_str(), &mut |listed| {
        entries.extend(entry_of(listed));
    })?;
    let plan = Plan::lay_out(
        entries,
        &Newest::default(),
        &SitemapSettings::default(),
        DateFormat::Datetime,
        &base,
    );
    if plan.files().is_empty() {
        return Err(nothing_listed());
    }
    run.index_now(settings, &plan, key, &base)
}

/// The entry of a listed page; `None` if its URL is invalid, so that it cannot be submitted.
fn entry_of(listed: &ListedEntry) -> Option<SitemapEntry> {
    Some(SitemapEntry {
        loc: PageUrl::parse(&listed.loc)?,
        lastmod: LastMod::parse(&listed.lastmod, Now(i64::MAX)).date(),
        by_rule: Arc::default(),
        links: None,
    })
}

fn nothing_listed() -> CommandError {
    CommandError::new(
        "no page is listed, so there is nothing to submit",
        "`waypost explain` shows the reason for each page",
    )
}

/// The key, which IndexNow requires.
fn required(key: Option<SubmitKey>) -> Result<SubmitKey, CommandError> {
    key.ok_or_else(|| {
        CommandError::new(
            "no key is set, and IndexNow requires one",
            "set `submit.key` or `WAYPOST_SUBMIT_KEY` to 8 to 128 letters, digits and hyphens of \
             your choice; `waypost build` writes the key file into the output directory",
        )
    })
}

/// Receivers and baseline, as the arguments request them.
struct SubmitRun<'a> {
    args: &'a SubmitArgs,
    endpoints: Vec<Url>,
    /// `None` if the arguments do not name one.
    baseline: Option<Baseline>,
    /// `None` if nothing is to be sent.
    network: Option<Network>,
}

impl<'a> SubmitRun<'a> {
    fn of(args: &'a SubmitArgs) -> Result<Self, CommandError> {
        // The pings are only checked here; they are filled in when the URL of the sitemap is known.
        for pattern in &args.ping {
            ping_url(pattern, "")?;
        }
        let endpoints = match args.endpoint.as_slice() {
            [] => vec![target_url(DEFAULT_ENDPOINT)?],
            given => given
                .iter()
                .map(|url| target_url(url))
                .collect::<Result<_, _>>()?,
        };
        let baseline = if args.all {
            Some(Baseline::Nothing)
        } else {
            Baseline::named(args.since.as_deref(), args.record.as_deref())?
        };
        let network = (!args.dry_run)
            .then(|| Network::new(PATIENCE))
            .transpose()?;
        Ok(Self {
            args,
            endpoints,
            baseline,
            network,
        })
    }

    /// Sends the changes to every endpoint, and records the set if all of them accept everything. The first
    /// run with a record only records.
    fn index_now(
        &self,
        settings: &Settings,
        plan: &Plan,
        key: SubmitKey,
        base: &BaseUrl,
    ) -> Result<SubmitResult, CommandError> {
        let sender = IndexNowSender::new(base, key, settings.submit.key_location.as_ref())?;
        let mut result = SubmitResult {
            base_url: Some(base.to_string()),
            ..SubmitResult::default()
        };
        let urls = plan.entries().iter().map(|entry| entry.loc.as_str());
        if !urls.clone().any(|url| sender.covers(url)) {
            result.due.not_covered = urls.map(str::to_owned).collect();
            result.covers_nothing = true;
            result.findings.extend(not_covered(&result.due));
            return Ok(result);
        }
        let Some(baseline) = &self.baseline else {
            if self.args.record.is_none() {
                return Err(no_baseline(plan));
            }
            self.record(plan)?;
            result.recorded = Some(plan.entries().len());
            return Ok(result);
        };
        let changes = baseline.changes(plan, base)?;
        let lacks = set_refusals(settings, &Inventory::empty(base), plan, &changes);
        result.findings = refusals_first(Vec::new(), lacks, &settings.levels);
        if stop_run(&result.findings, &settings.levels) {
            return Ok(SubmitResult::refused(result.findings));
        }
        result.since = baseline.display();
        result.due = ChangedUrls::since(plan, &sender, &changes);
        for endpoint in &self.endpoints {
            // Nothing more is sent after a message that is not accepted: a rejected one stays rejected, and
            // a busy server needs a pause.
            for urls in result.due.urls.chunks(MAX_URLS) {
                let message = sender.message(urls);
                let request = self.post(endpoint, message, urls.len());
                let is_failed = request.is_failed();
                result.requests.push(request);
                if is_failed {
                    break;
                }
            }
        }
        if !result.requests.iter().any(SubmitRequest::is_failed) {
            self.record(plan)?;
        }
        result.findings.extend(not_covered(&result.due));
        Ok(result)
    }

    /// Writes a copy of the set, which the next run compares with, if the user names a directory for it.
    fn record(&self, plan: &Plan) -> Result<(), CommandError> {
        let Some(dir) = self.args.record.as_ref().filter(|_| !self.args.dry_run) else {
            return Ok(());
        };
        create_dir(dir)?;
        let surroundings = SurroundingFiles {
            robots_txt: None,
            key: None,
            memory: None,
        };
        publish(plan, dir, surroundings)?;
        Ok(())
    }

    /// Sends one message, or only describes it with `--dry-run`.
    fn post(&self, url: &Url, message: String, urls: usize) -> SubmitRequest {
        let network = self.network.as_ref();
        let answer = network.map(|network| Reply::of(network.post(url, CONTENT_TYPE, &message)));
        SubmitRequest::new("POST", url, urls, Some(message), answer)
    }

    /// Requests every ping URL for every root sitemap.
    fn ping(&self, plan: &Plan) -> Result<SubmitResult, CommandError> {
        let mut result = SubmitResult::default();
        for pattern in &self.args.ping {
            for sitemap in plan.roots() {
                let url = ping_url(pattern, sitemap.as_str())?;
                let network = self.network.as_ref();
                let answer = network.map(|network| Reply::of(network.get(&url)));
                result
                    .requests
                    .push(SubmitRequest::new("GET", &url, 1, None, answer));
            }
        }
        Ok(result)
    }
}

/// Inserts the URL of a sitemap into the pattern of a ping.
fn ping_url(pattern: &str, sitemap: &str) -> Result<Url, HintedError> {
    if !pattern.contains(PLACEHOLDER) {
        let pattern = pattern.escape_debug();
        return Err(HintedError::new(
            format!("`{pattern}` does not contain the placeholder `{PLACEHOLDER}`"),
            format!("use `--ping 'https://engine.example/ping?sitemap={PLACEHOLDER}'`"),
        ));
    }
    let encoded: String = byte_serialize(sitemap.as_bytes()).collect();
    target_url(&pattern.replace(PLACEHOLDER, &encoded))
}

fn no_baseline(plan: &Plan) -> CommandError {
    let sitemap = plan
        .roots()
        .next()
        .map_or_else(String::new, |url| url.to_string());
    CommandError::new(
        "no previous sitemap to compare with, so nothing is sent",
        format!(
            "`--since {sitemap}` compares with the live sitemap, `--record DIR` with the copy from \
             last time; `--all` sends all {} URLs",
            plan.entries().len()
        ),
    )
}

/// The finding for changed URLs that the key does not cover.
fn not_covered(due: &ChangedUrls) -> Option<Finding> {
    let first = due.not_covered.first()?.escape_debug();
    let more = match due.not_covered.len() - 1 {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let message = format!("`{first}`{more} cannot be submitted with this key");
    let hint = "a key covers only the host and the directory of its file: put the file at the host's root, and \
                submit the pages of each host with its own key";
    Some(Finding::new(code::SUBMIT_KEY_UNUSABLE, Subject::Site, message).with_hint(hint))
}
