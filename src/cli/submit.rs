//! `waypost submit`: the road as far as the plan, and what has changed since the last time is told to search engines.

use std::path::Path;
use std::time::Duration;

use url::Url;

use super::baseline::Baseline;
use super::build::{begin, stock};
use super::findings;
use super::opts::SubmitArgs;
use super::progress::watch;
use super::screen::Screen;
use super::submit_error::SubmitError;
use super::submit_list;
use super::submit_result::{Asked, Heard, Told};
use super::{COULD_NOT_RUN, DONE, FINDINGS};
use crate::config::{KeyLocation, SubmitKey};
use crate::finding::{Finding, Level, Subject, code};
use crate::location::BaseUrl;
use crate::road::{Ledger, Scrutiny, Survey, plan_of};
use crate::submit::{
    CONTENT_TYPE, Cover, DEFAULT_ENGINE, Due, MOST_URLS, Network, Outcome, Ping, Reply, Sender,
    State, TargetError, engine_of, ping_of, target,
};
use crate::write::{Plan, Surroundings, make_folder, place};

pub(super) fn submit(args: &SubmitArgs, screen: &Screen) -> anyhow::Result<u8> {
    let (manifest, request) = begin(&args.common)?;
    if args.list {
        submit_list::print(request, &manifest)?;
        return Ok(DONE);
    }
    // What cannot be sent anywhere is said before anything is read.
    let targets = targets_of(args).map_err(SubmitError::from)?;
    let baseline = Baseline::of(args)?;
    let needs_network = !args.dry_run || baseline.as_ref().is_some_and(Baseline::is_live);
    let patience = Duration::from_secs(args.timeout.into());
    let network = needs_network
        .then(|| Network::new(patience))
        .transpose()
        .map_err(SubmitError::from)?;

    let survey = Survey::new(request, &manifest)?;
    if let Some(pipeline) = survey.pipelines().preview() {
        let message = format!(
            "this is a preview build on {}, so nothing is sent",
            pipeline.title
        );
        screen.note(&message, "run it where the production site is built");
        return show(
            args,
            screen,
            &Told {
                preview: Some(pipeline.title.clone()),
                ..Told::default()
            },
        );
    }
    let key = if args.ping.is_empty() {
        Some(key_of(&survey)?)
    } else {
        None
    };
    let (_, _, mut ledger) = watch(screen, |progress| stock(&survey, Scrutiny::Usual, progress))?;
    let plan = plan_of(&survey, &mut ledger);
    // What is wrong with the site is for `build` and `check` to say.
    ledger.findings.clear();
    if plan.files().is_empty() {
        return Err(SubmitError::NothingListed.into());
    }
    let run = Run {
        args,
        survey: &survey,
        plan: &plan,
        network: network.as_ref(),
    };
    let told = match key {
        Some(key) => run.index_now(key, &targets, baseline.as_ref(), &mut ledger)?,
        None => run.ping()?,
    };
    findings::show(screen, &survey, &ledger, Level::Deny);
    show(args, screen, &told)
}

/// Somewhere that messages of IndexNow go to.
struct Target {
    name: String,
    url: Url,
}

/// Every engine and address that was named, or the one that passes on to all.
fn targets_of(args: &SubmitArgs) -> Result<Vec<Target>, TargetError> {
    let default = [DEFAULT_ENGINE.to_owned()];
    let names = if args.engine.is_empty() && args.endpoint.is_empty() {
        &default[..]
    } else {
        &args.engine
    };
    let mut targets = Vec::new();
    for name in names {
        let engine = engine_of(name).ok_or_else(|| match Ping::named(name) {
            Some(ping) if ping.state == State::Gone => TargetError::Gone(ping),
            Some(ping) => TargetError::Doubtful(ping),
            None => TargetError::UnknownEngine(name.escape_debug().to_string()),
        })?;
        targets.push(Target {
            name: engine.name.to_owned(),
            url: target(engine.endpoint)?,
        });
    }
    for address in &args.endpoint {
        let url = target(address)?;
        targets.push(Target {
            name: url.to_string(),
            url,
        });
    }
    // A pattern is only looked at here; it is filled once the sitemap's address is known.
    args.ping
        .iter()
        .try_for_each(|pattern| ping_of(pattern, "").map(|_| ()))?;
    Ok(targets)
}

fn key_of<'s>(survey: &'s Survey<'_>) -> Result<&'s SubmitKey, SubmitError> {
    survey
        .settings()
        .submit
        .key
        .as_ref()
        .ok_or(SubmitError::NoKey)
}

/// In whose name messages are sent, and for which addresses. A key whose file does not lie at the host's root speaks for
/// the file's folder, and its address goes with it.
fn sender_of(
    base: &BaseUrl,
    key: &SubmitKey,
    own: Option<&KeyLocation>,
) -> Result<(Sender, Cover), SubmitError> {
    let cover = Cover::new(base, own);
    if !cover.is_of_host() {
        return Err(SubmitError::ForeignKey(base.clone()));
    }
    let written =
        (!base.is_host_root()).then(|| base.of_path(key.file_name().as_bytes()).to_string());
    let location = own.map(|location| location.reveal().to_owned()).or(written);
    Ok((Sender::new(base, key.clone(), location), cover))
}

/// What a run sends from.
struct Run<'a> {
    args: &'a SubmitArgs,
    survey: &'a Survey<'a>,
    plan: &'a Plan,
    network: Option<&'a Network>,
}

impl Run<'_> {
    /// Tells every target what has changed, and keeps a record where one is wanted.
    fn index_now(
        &self,
        key: &SubmitKey,
        targets: &[Target],
        baseline: Option<&Baseline>,
        ledger: &mut Ledger,
    ) -> anyhow::Result<Told> {
        let base = &ledger.base;
        self.check_record()?;
        let (sender, cover) = sender_of(
            base,
            key,
            self.survey.settings().submit.key_location.as_ref(),
        )?;
        let baseline = baseline.ok_or_else(|| self.no_baseline(base))?;
        let due = Due::since(
            self.plan,
            &cover,
            &baseline.changes(self.plan, base, self.network)?,
        );
        let mut told = Told::new(base, baseline.shown(), &due);
        for target in targets {
            for urls in due.urls.chunks(MOST_URLS) {
                let asked = self.post(&sender, target, urls);
                let goes_on = asked
                    .outcome()
                    .is_none_or(|outcome| outcome == Outcome::Taken);
                told.requests.push(asked);
                // No second try: what was refused is refused again, and who is busy wants to be left alone.
                if !goes_on {
                    break;
                }
            }
        }
        ledger.findings.extend(not_covered(&due));
        if let Some(folder) = self
            .args
            .record
            .as_deref()
            .filter(|_| !self.args.dry_run && told.is_all_taken())
        {
            make_folder(folder)?;
            let surroundings = Surroundings {
                robots_txt: None,
                key: None,
                is_generators_sitemap: &|_| false,
            };
            place(self.plan, folder, surroundings)?;
        }
        Ok(told)
    }

    /// Sends one message, or only shows it.
    fn post(&self, sender: &Sender, target: &Target, urls: &[String]) -> Asked {
        let message = sender.message(urls);
        let answer = self.network.filter(|_| !self.args.dry_run).map(|network| {
            match network.post(&target.url, CONTENT_TYPE, &message) {
                Ok(answer) => Heard::Reply(Reply::read(answer).masked(sender)),
                Err(error) => Heard::Nothing(error.to_string(), Outcome::Transient),
            }
        });
        let body = answer.is_none().then(|| sender.masked(&message));
        Asked {
            method: "POST",
            target: target.name.clone(),
            url: target.url.to_string(),
            urls: urls.len(),
            body,
            answer,
        }
    }

    /// Pings every pattern with every root of the set.
    fn ping(&self) -> anyhow::Result<Told> {
        let mut told = Told::default();
        for pattern in &self.args.ping {
            for sitemap in self.plan.roots() {
                let url = ping_of(pattern, sitemap.as_str()).map_err(SubmitError::from)?;
                let answer =
                    self.network.filter(|_| !self.args.dry_run).map(|network| {
                        match network.follow(url.clone()) {
                            Ok(answer) => Heard::Reply(Reply::read(answer)),
                            Err(error) => Heard::Nothing(error.to_string(), error.outcome()),
                        }
                    });
                let target = url.host_str().unwrap_or_default().to_owned();
                told.requests.push(Asked {
                    method: "GET",
                    target,
                    url: url.to_string(),
                    urls: 1,
                    body: None,
                    answer,
                });
            }
        }
        Ok(told)
    }

    fn no_baseline(&self, base: &BaseUrl) -> SubmitError {
        let sitemap = self
            .plan
            .roots()
            .next()
            .unwrap_or_else(|| base.of_path(b"sitemap.xml"));
        SubmitError::NoBaseline {
            pages: self.plan.entries().len(),
            sitemap,
        }
    }

    fn check_record(&self) -> Result<(), SubmitError> {
        let real = |path: &Path| path.canonicalize().ok();
        match &self.args.record {
            Some(record) if record.is_dir() && real(record) == real(&self.survey.output_dir) => {
                Err(SubmitError::RecordInOutput(record.clone()))
            }
            _ => Ok(()),
        }
    }
}

/// What is due and not sent, since the key does not speak for it.
fn not_covered(due: &Due) -> Option<Finding> {
    let first = due.not_covered.first()?.escape_debug();
    let more = match due.not_covered.len() - 1 {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let message = format!("`{first}`{more} cannot be sent with this key");
    let hint = "a key speaks for its own host, and below the folder of its file: put the file at the host's root";
    Some(Finding::new(code::SUBMIT_NOT_COVERED, Subject::Site, message).with_hint(hint))
}

/// Says what became of it all.
fn show(args: &SubmitArgs, screen: &Screen, told: &Told) -> anyhow::Result<u8> {
    if args.json {
        Screen::json(&format!("{}\n", serde_json::to_string_pretty(told)?))?;
    } else if args.dry_run {
        Screen::text(&told.as_requests())?;
    }
    told.say(screen);
    Ok(
        match told.requests.iter().filter_map(Asked::outcome).max() {
            None | Some(Outcome::Taken) => DONE,
            Some(Outcome::Refused) => FINDINGS,
            Some(Outcome::Transient) => COULD_NOT_RUN,
        },
    )
}
