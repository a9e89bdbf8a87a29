//! Adds waypost to the build commands in `netlify.toml` and `vercel.json`, and to a script of
//! `package.json`.

use super::commands;
use super::document::{Change, Document, Key, below, path};
use super::steps::{CommandUse, PipelineSite};
use super::unfit::Unfit;
use located_values::SettingValue;

/// The changes of `netlify.toml`: the command of the build, and those of contexts that have their
/// own.
pub(super) fn netlify(
    doc: &Document<'_>,
    site: &PipelineSite<'_>,
    dir: &str,
) -> Result<Vec<Change>, Unfit> {
    let plugins = doc.get(&path(["plugins"]));
    let plugins = plugins.map_or(&[][..], SettingValue::items);
    let is_plugin = |plugin: &SettingValue| {
        let name = plugin.get("package").and_then(SettingValue::as_text);
        name == Some("netlify-plugin-waypost")
    };
    if plugins.iter().any(is_plugin) {
        return Ok(Vec::new());
    }
    let base = doc.text_at(&path(["build", "base"])).unwrap_or(dir);
    let contexts = doc.entries(&path(["context"])).iter();
    let contexts = contexts.map(|context| path(["context", &context.key, "command"]));
    let commands: Vec<Vec<Key>> = std::iter::once(path(["build", "command"]))
        .chain(contexts)
        .filter(|command| doc.get(command).is_some())
        .collect();
    let mut changes = Vec::new();
    for command in &commands {
        changes.extend(with_waypost(doc, site, command, base)?);
    }
    // Without a command, Netlify has one in its console, or runs the script of package.json.
    if commands.is_empty() && site.script.is_none() {
        let command = site.all_commands();
        changes.push(doc.insert_into_table("build", ("command", &command))?);
    }
    Ok(changes)
}

/// The changes of `vercel.json`.
pub(super) fn vercel(
    doc: &Document<'_>,
    site: &PipelineSite<'_>,
    dir: &str,
) -> Result<Vec<Change>, Unfit> {
    let command = path(["buildCommand"]);
    if doc.text_at(&command).is_some() {
        return Ok(with_waypost(doc, site, &command, dir)?
            .into_iter()
            .collect());
    }
    if doc.get(&command).is_some() {
        return Err(Unfit::Style);
    }
    if site.script.is_some() {
        return Ok(Vec::new());
    }
    let command = site.all_commands();
    let mut entries = vec![("buildCommand", command.as_str())];
    if doc.get(&path(["outputDirectory"])).is_none() && !site.output.is_empty() {
        entries.push(("outputDirectory", &site.output));
    }
    Ok(vec![doc.insert_first(&entries)?])
}

/// Appends waypost to a command, unless it runs it.
fn with_waypost(
    doc: &Document<'_>,
    site: &PipelineSite<'_>,
    command: &[Key],
    dir: &str,
) -> Result<Option<Change>, Unfit> {
    let text = doc.text_at(command).ok_or(Unfit::Style)?;
    match site.use_of(text) {
        CommandUse::RunsWaypost | CommandUse::BuildsAndRuns => return Ok(None),
        CommandUse::Builds | CommandUse::Other => {}
    }
    let below = commands::directory_of(text).ok_or(Unfit::WorkingDir)?;
    let dir = [dir, below].map(|dir| dir.trim_matches('/')).join("/");
    let run = site.run_from(dir.trim_matches('/'))?;
    doc.append(command, &format!(" && {run}")).map(Some)
}

/// Package managers that do not run a `post` script in every version, by their lock files.
pub const LOCKS_WITHOUT_HOOKS: [&str; 4] = ["yarn.lock", "pnpm-lock.yaml", "bun.lock", "bun.lockb"];

/// How a package manager runs a command after a script.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScriptHooks {
    /// By the script whose name has `post` before it.
    Post,
    /// By the script itself.
    Own,
}

/// The script of `package.json` that builds the site, if there is exactly one.
pub(super) fn build_script(doc: &Document<'_>, site: &PipelineSite<'_>) -> Option<String> {
    let scripts = doc.entries(&path(["scripts"]));
    let mut builds = scripts.iter().filter(|script| {
        let text = script.value.as_text();
        text.is_some_and(|text| site.builds(text)) && !script.key.starts_with("post")
    });
    let (first, second) = (builds.next()?, builds.next());
    if second.is_none() {
        return Some(first.key.clone());
    }
    let build = scripts.iter().find(|script| script.key == "build")?;
    let is_build = build.value.as_text().is_some_and(|text| site.builds(text));
    is_build.then(|| build.key.clone())
}

/// The changes of `package.json`: waypost after the script that builds the site.
pub(super) fn package(
    doc: &Document<'_>,
    site: &PipelineSite<'_>,
    (script, hooks): (&str, ScriptHooks),
) -> Result<Vec<Change>, Unfit> {
    let scripts = path(["scripts"]);
    let (own, post) = (below(&scripts, script), format!("post{script}"));
    let after = below(&scripts, post.as_str());
    let runs = |at: &[Key]| doc.text_at(at).is_some_and(commands::runs_waypost);
    if runs(&own) || runs(&after) {
        return Ok(Vec::new());
    }
    // The scripts run in the directory of the site.
    let run = site.run_from(&site.root)?;
    let change = match hooks {
        ScriptHooks::Own => doc.append(&own, &format!(" && {run}"))?,
        ScriptHooks::Post if doc.get(&after).is_some() => {
            doc.append(&after, &format!(" && {run}"))?
        }
        ScriptHooks::Post => {
            let value = serde_json::Value::from(run).to_string();
            doc.insert_after(&scripts, script, (&post, &[&value]))?
        }
    };
    Ok(vec![change])
}
