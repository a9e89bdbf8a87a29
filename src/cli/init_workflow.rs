//! Finds the step of a workflow that publishes the site, because waypost belongs before it.
//!
//! Takes the workflows of GitHub, Forgejo or Gitea and the scripts of package.json; opens no
//! file. A step is known by its action, by a command in it or in a script that it runs, or by its
//! name. Where one step builds and publishes, none fits between, which is an answer too. A clone that
//! something there completes is known, in the settings of any pipeline.

use crate::files::located_values::SettingValue;
use crate::generators::Publisher;
use crate::site::{Publication, commands, jobs};

/// A step that publishes the site, before which waypost belongs.
pub(super) struct PublishingStep {
    /// The workflow.
    pub(super) file: String,
    /// The name of the step, or its action or command, and the job.
    pub(super) step: String,
    pub(super) published: Published,
    /// The step of `actions/configure-pages` before it.
    pub(super) configured: Option<ConfiguredPages>,
    /// Whether the directory belongs to root, as `actions/jekyll-build-pages` leaves it.
    pub(super) is_of_root: bool,
    /// Whether the job has the whole history by then.
    pub(super) is_deep: bool,
}

/// The target of a step that publishes.
pub(super) enum Published {
    /// A directory, from the top of the repository, if it is known.
    Directory(Option<String>),
    /// What this action, command or script builds itself, so that no step fits between.
    InOneStep(String),
    /// The site, as only the name of the step says.
    ByName,
}

/// A step of `actions/configure-pages`, whose outputs need the `id` of the step.
pub(super) enum ConfiguredPages {
    Named(String),
    Unnamed,
}

/// Finds the steps of a workflow that publish the site, one for each job that does.
pub(super) fn publishing_steps(
    file: &str,
    workflow: &SettingValue,
    scripts: &[(String, String)],
) -> Vec<PublishingStep> {
    let mut found = Vec::new();
    for job in jobs(workflow) {
        let steps = job.value.list("steps");
        let Some((at, published)) = steps
            .iter()
            .enumerate()
            .find_map(|(at, step)| Some((at, publishes(step, scripts)?)))
            .or_else(|| Some((steps.iter().rposition(is_named_so)?, Published::ByName)))
        else {
            continue;
        };
        let mut before = steps[..at].iter();
        let configured = before
            .clone()
            .find(|step| uses(step, "actions/configure-pages"));
        found.push(PublishingStep {
            file: file.to_owned(),
            step: format!("step `{}` of job `{}`", label(&steps[at]), job.key),
            published,
            configured: configured.map(|step| match step.text("id").filter(|id| is_plain(id)) {
                Some(id) => ConfiguredPages::Named(id.to_owned()),
                None => ConfiguredPages::Unnamed,
            }),
            is_deep: before.clone().any(completes_clone),
            is_of_root: before.any(|step| uses(step, "actions/jekyll-build-pages")),
        });
    }
    found
}

/// Whether settings, or what is in them, give a clone the whole history: by its depth, or a command.
pub(super) fn completes_clone(settings: &SettingValue) -> bool {
    settings.as_text().is_some_and(|text| {
        text.contains("git fetch --unshallow") || text.contains("git fetch --depth=2147483647")
    }) || settings.items().iter().any(completes_clone)
        || settings.entries().iter().any(|entry| {
            let is_depth =
                ["fetch-depth", "fetchDepth", "GIT_DEPTH", "depth"].contains(&&*entry.key);
            let is_whole = entry.value.as_whole() == Some(0)
                || entry.value.as_flag() == Some(false)
                || matches!(entry.value.as_text(), Some("0" | "full"));
            is_depth && is_whole || completes_clone(&entry.value)
        })
}

fn publishes(step: &SettingValue, scripts: &[(String, String)]) -> Option<Published> {
    let mut found = Publication::all_in_step(step).into_iter();
    if let Some(found) = found.find(|found| !found.publisher.is_after_upload) {
        let Publisher {
            name,
            dir,
            default_dir,
            builds,
            ..
        } = found.publisher;
        if *builds {
            return Some(Published::InOneStep(name.clone()));
        }
        let argument = found.argument().filter(|_| dir.is_empty());
        let dir = found.dir().or(default_dir.as_deref()).or(argument);
        return Some(Published::Directory(dir.and_then(plain_dir)));
    }
    // A script may build the site too, so the place is in it.
    let commands = commands(step.text("run")?);
    let (name, _) = scripts.iter().find(|(name, script)| {
        commands
            .iter()
            .any(|command| command.split(' ').next() == Some(name))
            && !Publication::all_in_script(script).is_empty()
    })?;
    Some(Published::InOneStep(format!("{name} in package.json")))
}

/// A directory without `./` before and `/` after it; `None` if it is not known before the workflow runs.
fn plain_dir(dir: &str) -> Option<String> {
    let dir = dir.trim().trim_matches(['"', '\'']);
    let dir = dir.strip_prefix("./").unwrap_or(dir).trim_end_matches('/');
    is_plain(dir).then(|| dir.to_owned())
}

/// Whether a text needs no quotes in a shell, as a relative path or the `id` of a step.
fn is_plain(text: &str) -> bool {
    !text.is_empty()
        && !text.starts_with(['/', '-'])
        && text
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "._/@-".contains(c))
}

/// Whether the name of a step says that its commands publish the site.
fn is_named_so(step: &SettingValue) -> bool {
    let name = step.text("name").unwrap_or_default().to_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| name.contains(word));
    step.text("run").is_some()
        && says(&["deploy", "publish"])
        && says(&["page", "site", "doc", "guide", "book", "blog"])
}

fn uses(step: &SettingValue, action: &str) -> bool {
    let used = step.text("uses").and_then(|used| used.split('@').next());
    used.is_some_and(|used| used.eq_ignore_ascii_case(action))
}

fn label(step: &SettingValue) -> &str {
    let run = step.text("run").and_then(|run| run.lines().next());
    step.text("name")
        .or_else(|| step.text("uses"))
        .or(run)
        .unwrap_or_default()
}
