//! The steps of workflows and the scripts that publish a site, by their action or command.
//!
//! `[[publisher]]` of the manifest has the actions and commands. Two questions are asked of them: whether a
//! repository publishes itself, and before which step waypost belongs.

use std::path::Path;

use crate::files::located_values::{SettingEntry, SettingValue, Syntax};
use crate::files::tree::Tree;
use crate::generators::{Manifest, Publisher};

/// Words before a command that run it.
const RUNNERS: [&str; 16] = [
    "npx", "bunx", "bun", "pnpm", "yarn", "npm", "exec", "dlx", "run", "poetry", "uv", "pipenv",
    "python", "python3", "sudo", "then",
];

/// An action or a command that publishes a site.
pub(crate) struct Publication<'s> {
    pub(crate) publisher: &'static Publisher,
    by: PublishedBy<'s>,
}

/// What has the values.
enum PublishedBy<'s> {
    /// Its inputs and variables.
    Action(&'s SettingValue),
    /// Its options.
    Command(String),
}

impl<'s> Publication<'s> {
    /// The action of a step, or the commands in it.
    pub(crate) fn all_in_step(step: &'s SettingValue) -> Vec<Self> {
        let Some(action) = step.text("uses") else {
            return Self::all_in_script(step.text("run").unwrap_or_default());
        };
        let action = action.split('@').next().unwrap_or_default();
        let Some(publisher) = Manifest::embedded()
            .publisher
            .iter()
            .find(|known| known.name.eq_ignore_ascii_case(action))
        else {
            return Vec::new();
        };
        if let Some(program) = &publisher.runs
            && let Some(command) = step.get("with").and_then(|with| with.text("command"))
        {
            return Self::all_in_script(&format!("{program} {command}"));
        }
        let by = PublishedBy::Action(step);
        vec![Self { publisher, by }]
    }

    /// The commands in the lines of a shell script.
    pub(crate) fn all_in_script(script: &str) -> Vec<Self> {
        let mut found = Vec::new();
        for command in commands(script) {
            let publisher = Manifest::embedded().publisher.iter().find(|known| {
                let rest = command.strip_prefix(&*known.name);
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(char::is_whitespace))
            });
            found.extend(publisher.map(|publisher| Self {
                publisher,
                by: PublishedBy::Command(command),
            }));
        }
        found
    }

    /// Whether an action publishes, and no command.
    pub(crate) fn is_action(&self) -> bool {
        matches!(self.by, PublishedBy::Action(_))
    }

    /// The first value of these inputs and variables, or of these options.
    pub(crate) fn value(&self, keys: &[String]) -> Option<&str> {
        keys.iter().find_map(|key| match &self.by {
            PublishedBy::Action(step) => ["with", "env"]
                .into_iter()
                .filter_map(|table| step.get(table)?.text(key))
                .find(|value| !value.trim().is_empty()),
            PublishedBy::Command(command) => {
                option_value(command, key).filter(|_| key.starts_with('-'))
            }
        })
    }

    /// The directory that it is given.
    pub(crate) fn dir(&self) -> Option<&str> {
        self.value(&self.publisher.dir)
    }

    /// The first argument of a command that is not an option.
    pub(crate) fn argument(&self) -> Option<&str> {
        match &self.by {
            PublishedBy::Action(_) => None,
            PublishedBy::Command(command) => command[self.publisher.name.len()..]
                .split_whitespace()
                .find(|word| !word.starts_with('-')),
        }
    }
}

/// The workflows in a directory of a repository, each with its path there; or what a single file has.
pub(crate) fn workflows(root: &Path, dir: &str, tree: &Tree) -> Vec<(String, SettingValue)> {
    let mut files = vec![dir.to_owned()];
    for entry in tree.entries(&root.join(dir)) {
        files.push(format!("{dir}/{}", entry.file_name().to_string_lossy()));
    }
    files.sort_unstable();
    let mut found = Vec::new();
    for name in files {
        let file = root.join(&name);
        let is_named_so = file
            .extension()
            .is_some_and(|ending| name == dir || ending == "yml" || ending == "yaml");
        if is_named_so && let Some(settings) = parsed(&file, Syntax::for_file(&file), tree) {
            found.push((name, settings));
        }
    }
    found
}

pub(crate) fn jobs(workflow: &SettingValue) -> &[SettingEntry] {
    workflow.get("jobs").map_or(&[], SettingValue::entries)
}

/// The scripts in the package.json of a directory.
pub(crate) fn package_scripts(dir: &Path, tree: &Tree) -> Vec<(String, String)> {
    let package = parsed(&dir.join("package.json"), Syntax::Json, tree);
    let scripts = package.as_ref().and_then(|package| package.get("scripts"));
    scripts
        .map_or(&[][..], SettingValue::entries)
        .iter()
        .filter_map(|script| Some((script.key.clone(), script.value.as_text()?.to_owned())))
        .collect()
}

/// Parses a file; `None` if it is missing, or cannot be parsed.
fn parsed(file: &Path, syntax: Syntax, tree: &Tree) -> Option<SettingValue> {
    syntax.parse(&tree.text_anywhere(file)?).ok()
}

/// The commands in the lines of a shell script, without what runs them, the variables before them and their
/// versions.
pub(crate) fn commands(script: &str) -> Vec<String> {
    script
        .replace("\\\n", " ")
        .lines()
        .map(str::trim)
        .filter(|line| !line.starts_with('#'))
        .flat_map(|line| line.split(['&', ';', '|']))
        .map(|command| {
            let mut rest = command.trim();
            while let Some((word, after)) = rest.split_once(char::is_whitespace) {
                if !(RUNNERS.contains(&word) || word.starts_with('-') || word.contains('=')) {
                    break;
                }
                rest = after.trim_start();
            }
            let (word, after) = rest.split_once(' ').unwrap_or((rest, ""));
            let name = word.split_once('@').map_or(word, |(name, _)| name);
            format!("{name} {after}")
        })
        .collect()
}

/// The value of an option: `-r VALUE`, `--repo=VALUE`.
fn option_value<'c>(command: &'c str, option: &str) -> Option<&'c str> {
    let mut words = command.split_whitespace();
    let value = words.find_map(|word| {
        word.strip_prefix(option)
            .filter(|rest| rest.is_empty() || rest.starts_with('='))
    })?;
    let value = value.strip_prefix('=').or_else(|| words.next())?;
    Some(value.trim_matches(['"', '\'']))
}
