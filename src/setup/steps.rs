//! The commands that build a site and run waypost in a pipeline, and the text of a whole step.

use super::commands;
use super::unfit::Unfit;
use page_sources::generator::{BuildRecipe, ContainerImage, PipelineSetup};

/// The place of the version of waypost in commands of the manifest.
const VERSION: &str = "VERSION";

/// The command that runs waypost wherever Node.js is installed, whether the package is or not.
const NPX: &str = "npx --yes waypost@VERSION";

/// A site as its pipeline sees it. Paths are relative to the repository, `""` for its root.
#[derive(Debug, Clone)]
pub struct PipelineSite<'m> {
    /// The name of the generator.
    pub generator: Option<&'m str>,
    /// How to build the site; `None` for a directory of HTML files.
    pub recipe: Option<&'m BuildRecipe>,
    /// The root of the site.
    pub root: String,
    /// The output directory.
    pub output: String,
    /// The `owner/name` of the repository with the action, if the owner is known.
    pub action: Option<String>,
    /// The version of waypost to run.
    pub version: &'static str,
    /// A script of package.json that builds the site and then runs waypost.
    pub script: Option<String>,
    /// The container images in which it is known how to install waypost.
    pub images: &'m [ContainerImage],
    /// The command that installs the generator, of those in the recipe.
    pub install: Option<String>,
}

/// The use of a pipeline's command for the site.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CommandUse {
    /// Builds it.
    Builds,
    /// Builds it by the script of package.json that also runs waypost.
    BuildsAndRuns,
    /// Runs waypost.
    RunsWaypost,
    /// Something else.
    Other,
}

impl PipelineSite<'_> {
    /// The use of a command for the site.
    pub(super) fn use_of(&self, script: &str) -> CommandUse {
        let own = self.script.as_deref();
        if commands::runs_waypost(script) {
            CommandUse::RunsWaypost
        } else if own.is_some_and(|name| commands::runs_package_script(script, name)) {
            CommandUse::BuildsAndRuns
        } else if self.builds(script) {
            CommandUse::Builds
        } else {
            CommandUse::Other
        }
    }

    /// Whether a command builds the site.
    pub(super) fn builds(&self, script: &str) -> bool {
        let words = self.recipe.map_or(&[][..], |recipe| &recipe.words);
        words.iter().any(|words| commands::runs(script, words))
    }

    /// The commands that build the site, for messages.
    pub(super) fn build_words(&self) -> String {
        self.recipe
            .map_or("a known generator".to_owned(), |recipe| {
                let words = recipe.words.iter().map(|words| format!("`{words}`"));
                words.collect::<Vec<_>>().join(" or ")
            })
    }

    /// The command that runs waypost on the site from a directory of the repository.
    pub(super) fn run_from(&self, dir: &str) -> Result<String, Unfit> {
        self.run_with(&self.versioned(NPX), dir)
    }

    /// `program`, with the path of the site from `dir`.
    pub(super) fn run_with(&self, program: &str, dir: &str) -> Result<String, Unfit> {
        let dir = dir.trim_start_matches("./").trim_end_matches('/');
        let dir = if dir == "." { "" } else { dir };
        let site = if dir.is_empty() {
            Some(self.root.as_str())
        } else {
            let below = self.root.strip_prefix(dir);
            below.and_then(|rest| rest.strip_prefix('/').or(rest.is_empty().then_some("")))
        };
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "./_-".contains(c);
        match site {
            Some("") => Ok(program.to_owned()),
            Some(site) if site.chars().all(is_plain) => Ok(format!("{program} {site}")),
            _ => Err(Unfit::WorkingDir),
        }
    }

    /// A command of the manifest, with the version of waypost.
    pub(super) fn versioned(&self, command: &str) -> String {
        command.replace(VERSION, self.version)
    }

    /// The commands that install the generator, build the site and run waypost.
    fn commands(&self) -> Vec<String> {
        let recipe = self.recipe;
        let cd = (!self.root.is_empty()).then(|| format!("cd {}", self.root));
        let build = recipe.map(|recipe| match (&self.install, &recipe.installed) {
            (Some(_), Some(installed)) => installed.clone(),
            _ => recipe.command.clone(),
        });
        // The script of package.json runs waypost itself.
        let is_run = build
            .as_deref()
            .is_some_and(|build| self.use_of(build) == CommandUse::BuildsAndRuns);
        let run = recipe.and_then(|recipe| recipe.run.as_deref());
        let run = (!is_run).then(|| self.versioned(run.unwrap_or(NPX)));
        let install = self.install.as_deref().map(|it| self.versioned(it));
        [cd, install, build, run].into_iter().flatten().collect()
    }

    /// All commands, as one.
    pub(super) fn all_commands(&self) -> String {
        self.commands().join(" && ")
    }

    /// The text of a whole step for a pipeline.
    pub fn snippet(&self, setup: &PipelineSetup) -> String {
        let (_, snippet) = setup.step_for(self.generator);
        // Hosts that name no image of ours have npm in theirs.
        let in_image = self
            .recipe
            .filter(|_| snippet.contains("IMAGE"))
            .and_then(|recipe| recipe.image_install.clone());
        let commands: Vec<String> = in_image.into_iter().chain(self.commands()).collect();
        let mut out = String::new();
        for line in snippet.trim().lines() {
            let filled = match line.trim() {
                "STEPS" => self.workflow_steps(),
                "TOOL" => self.each(line, "TOOL", &self.tools()),
                trimmed if trimmed.ends_with("COMMAND") => self.each(line, "COMMAND", &commands),
                _ => self.each(line, "ALL", &[commands.join(" && ")]),
            };
            out += &filled;
        }
        out
    }

    /// A line for each value of a placeholder.
    fn each(&self, line: &str, placeholder: &str, values: &[String]) -> String {
        let lines = values
            .iter()
            .map(|value| self.filled(line, (placeholder, value)) + "\n");
        lines.collect()
    }

    /// A line with its placeholders replaced. They are whole words: `$READTHEDOCS_OUTPUT` has none.
    fn filled(&self, line: &str, (placeholder, value): (&str, &str)) -> String {
        let image = self.recipe.map_or("node:22", |recipe| &recipe.image);
        let output = if self.output.is_empty() {
            "."
        } else {
            &self.output
        };
        let is_name = |c: char| c.is_ascii_uppercase() || c == '_';
        let mut out = String::new();
        let mut rest = line;
        while let Some(start) = rest.find(is_name) {
            let (before, word) = rest.split_at(start);
            let (word, after) = word.split_at(word.find(|c| !is_name(c)).unwrap_or(word.len()));
            out += before;
            match word {
                "SITE" if self.root.is_empty() => out.truncate(out.trim_end_matches(' ').len()),
                "SITE" => out += &self.root,
                "OUTPUT" => out += output,
                "IMAGE" => out += image,
                VERSION => out += self.version,
                word if word == placeholder => out += value,
                word => out += word,
            }
            rest = after;
        }
        out + rest
    }

    /// The languages of the commands with their versions, as in the image.
    fn tools(&self) -> Vec<String> {
        let image = self.recipe.map_or("node:22", |recipe| &recipe.image);
        let (language, version) = image.split_once(':').unwrap_or((image, "latest"));
        let own = (language != "node").then(|| format!("{language}: \"{version}\""));
        let runs_npx = self.recipe.is_none_or(|recipe| recipe.run.is_none());
        let node = runs_npx.then(|| "nodejs: \"22\"".to_owned());
        own.into_iter().chain(node).collect()
    }

    /// The steps of a workflow after the checkout.
    fn workflow_steps(&self) -> String {
        let Some(recipe) = self.recipe else {
            return self.workflow_run() + "\n";
        };
        let dir = |text: &str| match self.root.as_str() {
            "" => format!("- run: {text}\n"),
            root => format!("- run: {text}\n  working-directory: {root}\n"),
        };
        let mut out = recipe.actions.as_deref().map_or_else(
            || {
                let install = self.install.as_deref();
                install.map_or(String::new(), |install| dir(&self.versioned(install)))
            },
            |actions| format!("{}\n", actions.trim()),
        );
        let build = match &recipe.installed {
            Some(installed) if recipe.actions.is_none() => installed,
            _ => &recipe.command,
        };
        out += &dir(build);
        if self.use_of(build) != CommandUse::BuildsAndRuns {
            out += &self.workflow_run();
            out.push('\n');
        }
        out
    }

    /// The step of a workflow that runs waypost at the root of the repository.
    fn workflow_run(&self) -> String {
        let lines = self.workflow_run_lines("");
        let lines = lines.unwrap_or_else(|_| vec![format!("run: {}", self.versioned(NPX))]);
        let text = lines.join("\n  ");
        format!("- {text}")
    }

    /// The lines of a workflow's step that runs waypost from a directory: the action if its
    /// repository is known.
    pub(super) fn workflow_run_lines(&self, dir: &str) -> Result<Vec<String>, Unfit> {
        let Some(action) = &self.action else {
            let mut lines = vec![format!("run: {} --github", self.run_from(dir)?)];
            if !dir.is_empty() {
                lines.push(format!("working-directory: {dir}"));
            }
            return Ok(lines);
        };
        let mut lines = vec![format!("uses: {action}@v{}", self.version)];
        if !self.root.is_empty() {
            lines.extend(["with:".to_owned(), format!("  site: {}", self.root)]);
        }
        Ok(lines)
    }
}

/// The `owner/name` in the URL of a repository on GitHub; `None` while the owner is a placeholder.
pub fn action_of(repository: &str) -> Option<String> {
    let name = repository.strip_prefix("https://github.com/")?;
    (!name.starts_with("OWNER/") && name.contains('/')).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_owner_that_is_unknown_has_no_action() {
        assert_eq!(action_of(""), None);
        assert_eq!(action_of("https://github.com/OWNER/waypost"), None);
        let known = action_of("https://github.com/example/waypost");
        assert_eq!(known.as_deref(), Some("example/waypost"));
    }
}
