//! Inserts the step into workflows of GitHub Actions and Forgejo Actions.

use super::document::{Change, Document, Key, below, path};
use super::steps::{CommandUse, PipelineSite};
use super::unfit::Unfit;
use located_values::{SettingData, SettingValue};

/// The changes of a workflow: a step after each command that builds the site, and all commits in
/// the clones of these jobs.
pub(super) fn changes(doc: &Document<'_>, site: &PipelineSite<'_>) -> Result<Vec<Change>, Unfit> {
    let (mut changes, mut is_built) = (Vec::new(), false);
    for job in doc.entries(&path(["jobs"])) {
        let steps = below(&path(["jobs", &job.key]), "steps");
        if let Some(job_changes) = job_changes(doc, site, &job.value, &steps)? {
            changes.extend(job_changes);
            is_built = true;
        }
    }
    if is_built {
        Ok(changes)
    } else {
        Err(Unfit::NoBuild(site.build_words()))
    }
}

/// The changes of a job; `None` if it does not build the site.
fn job_changes(
    doc: &Document<'_>,
    site: &PipelineSite<'_>,
    job: &SettingValue,
    steps: &[Key],
) -> Result<Option<Vec<Change>>, Unfit> {
    let items = job.get("steps").map_or(&[][..], SettingValue::items);
    let uses: Vec<CommandUse> = items.iter().map(|step| use_of_step(step, site)).collect();
    let has_waypost = uses.contains(&CommandUse::RunsWaypost);
    let builds = |used: &CommandUse| matches!(used, CommandUse::Builds | CommandUse::BuildsAndRuns);
    let Some(last) = uses.iter().rposition(builds) else {
        // A job that only runs waypost needs the commits too, if it clones them.
        let checkout = has_waypost.then(|| checkout(items)).flatten();
        let Some(checkout) = checkout else {
            return Ok(has_waypost.then(Vec::new));
        };
        let depth = deepening(doc, &below(steps, checkout))?;
        return Ok(Some(depth.into_iter().collect()));
    };
    let mut changes = Vec::new();
    let checkout = checkout(items).ok_or(Unfit::NoCheckout)?;
    changes.extend(deepening(doc, &below(steps, checkout))?);
    if uses[last] == CommandUse::Builds && !has_waypost {
        if job.get("container").is_some() {
            return Err(Unfit::Container);
        }
        let dir = items[last]
            .get("working-directory")
            .or_else(|| job.get("defaults")?.get("run")?.get("working-directory"));
        let dir = dir.and_then(SettingValue::as_text).unwrap_or_default();
        let lines = site.workflow_run_lines(dir)?;
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        changes.push(doc.insert_item_after(&below(steps, last), &lines)?);
    }
    Ok(Some(changes))
}

fn use_of_step(step: &SettingValue, site: &PipelineSite<'_>) -> CommandUse {
    let text = |key| step.get(key).and_then(SettingValue::as_text);
    let is_action = text("uses").is_some_and(|name| name.contains("/waypost@"));
    match text("run") {
        _ if is_action => CommandUse::RunsWaypost,
        Some(script) => site.use_of(script),
        None => CommandUse::Other,
    }
}

/// The step that clones the repository of the workflow.
fn checkout(steps: &[SettingValue]) -> Option<usize> {
    steps.iter().position(|step| {
        let name = step.get("uses").and_then(SettingValue::as_text);
        let with = step.get("with");
        let is_other = with.is_some_and(|with| with.get("repository").is_some());
        name.is_some_and(|name| name.contains("actions/checkout@")) && !is_other
    })
}

/// The change that clones all commits, unless the step does.
fn deepening(doc: &Document<'_>, step: &[Key]) -> Result<Option<Change>, Unfit> {
    let with = below(step, "with");
    let depth = below(&with, "fetch-depth");
    if let Some(value) = doc.get(&depth) {
        let is_whole = matches!(value.data, SettingData::Whole(0)) || value.as_text() == Some("0");
        return if is_whole {
            Ok(None)
        } else {
            doc.replace(&depth, "0").map(Some)
        };
    }
    let change = match doc.entries(&with).first() {
        Some(first) => doc.insert_after(&with, &first.key, ("fetch-depth", &["0"])),
        None if doc.get(&with).is_some() => Err(Unfit::Style),
        None => doc.insert_after(step, "uses", ("with", &["fetch-depth: 0"])),
    };
    change.map(Some)
}
