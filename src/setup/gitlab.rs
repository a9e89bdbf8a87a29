//! Inserts the step into `.gitlab-ci.yml`.

use super::document::{Change, Document, Key, below, path};
use super::steps::{CommandUse, PipelineSite};
use super::unfit::Unfit;
use located_values::{SettingData, SettingEntry, SettingValue};
use page_sources::generator::ContainerImage;

/// A script that builds the site: the path of its last such command, and what it does.
struct BuildScript<'d> {
    job: &'d SettingEntry,
    command: Vec<Key>,
    used: CommandUse,
}

/// The changes of the jobs that build the site.
pub(super) fn changes(doc: &Document<'_>, site: &PipelineSite<'_>) -> Result<Vec<Change>, Unfit> {
    let found: Vec<BuildScript<'_>> = doc
        .entries(&[])
        .iter()
        .filter_map(|job| build_script(job, site))
        .collect();
    if found.is_empty() {
        return Err(Unfit::NoBuild(site.build_words()));
    }
    let mut changes = Vec::new();
    for script in &found {
        // Changes at the same place keep this order: the command is part of the script, which the
        // variables follow.
        if script.used == CommandUse::Builds {
            changes.extend(run_changes(doc, site, script)?);
        }
        changes.extend(deepening(doc, script.job)?);
    }
    Ok(changes)
}

fn build_script<'d>(job: &'d SettingEntry, site: &PipelineSite<'_>) -> Option<BuildScript<'d>> {
    let script = job.value.get("script")?;
    let commands: Vec<&str> = match &script.data {
        SettingData::Text(text) => vec![text],
        _ => script
            .items()
            .iter()
            .filter_map(SettingValue::as_text)
            .collect(),
    };
    let uses: Vec<CommandUse> = commands.iter().map(|text| site.use_of(text)).collect();
    let last = uses.iter().rposition(|used| *used != CommandUse::Other)?;
    Some(BuildScript {
        job,
        command: below(&path([&job.key, "script"]), last),
        used: uses[last],
    })
}

/// The commands that run waypost after the build, with those that install it before them, and the
/// output as an artifact.
fn run_changes(
    doc: &Document<'_>,
    site: &PipelineSite<'_>,
    script: &BuildScript<'_>,
) -> Result<Vec<Change>, Unfit> {
    let image = image_of(doc, script.job)?;
    let kind = kind_of(image, site.images).ok_or_else(|| Unfit::Image(image.to_owned()))?;
    let scripts = script
        .job
        .value
        .get("script")
        .map_or(&[][..], SettingValue::items);
    let earlier = scripts.iter().filter_map(SettingValue::as_text);
    let earlier = earlier.collect::<Vec<_>>().join("\n");
    let dir = super::commands::directory_of(&earlier).ok_or(Unfit::WorkingDir)?;
    let run = match &kind.run {
        Some(run) => site.run_with(&site.versioned(run), dir)?,
        None => site.run_from(dir)?,
    };
    let install = kind.install.iter().map(|command| site.versioned(command));
    let lines: Vec<String> = install.chain([run]).collect();
    let mut changes = vec![doc.insert_item_after(&script.command, &[&lines.join(" && ")])?];
    let has_artifacts = script.job.value.get("artifacts").is_some();
    if script.job.key == "pages" && !has_artifacts && !site.output.is_empty() {
        let paths = format!("- {}", site.output);
        let lines = ["paths:", &format!("  {paths}")];
        changes.push(doc.insert_after(&path(["pages"]), "script", ("artifacts", &lines))?);
    }
    Ok(changes)
}

/// The image in which a job runs.
fn image_of<'d>(doc: &'d Document<'_>, job: &'d SettingEntry) -> Result<&'d str, Unfit> {
    let default = path(["default", "image"]);
    let image = job.value.get("image");
    let image = image.or_else(|| doc.get(&default));
    let image = image.or_else(|| doc.get(&path(["image"])));
    let image = image.ok_or(Unfit::NoImage)?;
    let name = image.as_text();
    name.or_else(|| image.get("name")?.as_text())
        .ok_or(Unfit::NoImage)
}

/// The kind of an image, by the end of its name or a part of its tag.
fn kind_of<'k>(image: &str, kinds: &'k [ContainerImage]) -> Option<&'k ContainerImage> {
    let image = image.split('@').next()?;
    let (name, tag) = match image.rsplit_once(':') {
        Some((name, tag)) if !tag.contains('/') => (name, tag),
        _ => (image, ""),
    };
    let is_named = |wanted: &String| match wanted.strip_prefix('*') {
        Some(part) => format!("-{tag}").contains(part),
        None => name == wanted || name.ends_with(&format!("/{wanted}")),
    };
    kinds.iter().find(|kind| kind.names.iter().any(is_named))
}

/// The change that clones all commits, unless the job or the file says so.
fn deepening(doc: &Document<'_>, job: &SettingEntry) -> Result<Option<Change>, Unfit> {
    let of_job = path([&job.key, "variables"]);
    let tables = [of_job.clone(), path(["variables"])];
    let set = tables
        .iter()
        .map(|table| below(table, "GIT_DEPTH"))
        .find(|depth| doc.get(depth).is_some());
    if let Some(depth) = set {
        let value = doc.get(&depth).map(|value| &value.data);
        let is_whole = matches!(value, Some(SettingData::Whole(0)))
            || matches!(value, Some(SettingData::Text(text)) if text == "0");
        return if is_whole {
            Ok(None)
        } else {
            doc.replace(&depth, "\"0\"").map(Some)
        };
    }
    let change = match doc.entries(&of_job).first() {
        Some(first) => doc.insert_after(&of_job, &first.key, ("GIT_DEPTH", &["\"0\""])),
        None if doc.get(&of_job).is_some() => Err(Unfit::Style),
        None => {
            let lines = ("variables", &["GIT_DEPTH: \"0\""][..]);
            let job_path = path([&job.key]);
            let entries = doc.entries(&job_path);
            let anchor = entries.iter().find(|entry| entry.key == "script");
            let anchor = anchor.ok_or(Unfit::Style)?;
            doc.insert_after(&job_path, &anchor.key, lines)
        }
    };
    change.map(Some)
}
