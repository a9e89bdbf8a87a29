//! What `waypost init` does for each pipeline of a site: a change of its file, or a step to paste.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use similar::TextDiff;

use super::init_context::SiteContext;
use super::init_opts::ChangeMode;
use crate::setup::{
    LOCKS_WITHOUT_HOOKS, PackageScript, PipelineSite, ScriptHooks, Unfit, action_of,
    mentions_waypost, patched, patched_package,
};
use page_sources::generator::{BuildRecipe, Manifest, PipelineFormat, PipelineSetup, Site};
use site_paths::containment::{MAX_FILE_BYTES, read_text};
use site_paths::display_path;

/// The file with the scripts of npm and other package managers.
const PACKAGE_FILE: &str = "package.json";

/// The changes and steps of all pipelines of a site.
#[derive(Debug)]
pub(super) struct PipelineSetups {
    /// Files to change.
    pub(super) patches: Vec<FilePatch>,
    /// Steps to paste.
    steps: Vec<String>,
    /// Steps outside all files, such as a variable in a console.
    also: Vec<String>,
    /// Files that run waypost already.
    done: Vec<String>,
}

/// A file and its new text.
#[derive(Debug)]
pub(super) struct FilePatch {
    /// The file.
    pub(super) path: PathBuf,
    /// The path in the repository, for the diff.
    name: String,
    old: String,
    /// The text with the step.
    pub(super) new: String,
}

/// Texts to print.
#[derive(Debug)]
pub(super) struct StepTexts {
    /// Diffs and steps.
    pub(super) text: String,
    /// What to do next, if anything.
    pub(super) note: Option<String>,
}

/// The change of one file, or why there is none.
enum FileSetup {
    Patch(FilePatch),
    Done(String),
    Unfit(String, Unfit),
}

/// Finds the changes and steps for the pipelines of a site.
pub(super) fn pipeline_setups(
    found: &SiteContext<'_>,
    site: &Site<'_>,
    output_dir: &Path,
    manifest: &Manifest,
) -> PipelineSetups {
    let top = found.repository.as_deref().unwrap_or(&found.root);
    let mut in_pipeline = pipeline_site(found, site, output_dir, manifest);
    let mut setups = PipelineSetups {
        patches: Vec::new(),
        steps: Vec::new(),
        also: Vec::new(),
        done: Vec::new(),
    };
    if let Some((script, patch)) = package_setup(found, site, &in_pipeline, top) {
        in_pipeline.script = Some(script);
        setups.add(patch);
    }
    for setup in &found.setups {
        setups.add_pipeline(setup, &in_pipeline, &setup_files(found, site, setup, top));
    }
    if found.setups.is_empty() && in_pipeline.script.is_none() {
        let build = in_pipeline.recipe.map(|recipe| recipe.command.as_str());
        let build = build.map_or(String::new(), |build| format!("{build} && "));
        setups.steps.push(format!(
            "# run waypost as the last step of the build:\n{build}waypost\n"
        ));
    }
    setups
}

/// The site as its pipelines see it.
fn pipeline_site<'m>(
    found: &SiteContext<'_>,
    site: &Site<'m>,
    output_dir: &Path,
    manifest: &'m Manifest,
) -> PipelineSite<'m> {
    let top = found.repository.as_deref().unwrap_or(&found.root);
    let recipe = site
        .generator
        .and_then(|generator| manifest.build.get(&generator.name));
    let below_root = output_dir.strip_prefix(&site.root).unwrap_or(output_dir);
    let output = found.root.join(below_root);
    let install = recipe.and_then(|recipe: &BuildRecipe| {
        let mut ways = recipe.install.iter();
        ways.find(|way| {
            let file = way.file.as_ref();
            file.is_none_or(|file| site.failures.exists(&found.root.join(file)))
        })
    });
    PipelineSite {
        generator: site.generator.map(|generator| generator.name.as_str()),
        recipe,
        root: relative(&found.root, top),
        output: relative(&output, top),
        action: action_of(env!("CARGO_PKG_REPOSITORY")),
        version: env!("CARGO_PKG_VERSION"),
        script: None,
        images: &manifest.image,
        install: install.map(|way| way.command.clone()),
    }
}

/// The path of a file in a directory, with slashes.
fn relative(path: &Path, dir: &Path) -> String {
    let path = path.strip_prefix(dir).unwrap_or(path);
    let names = path
        .components()
        .map(|name| name.as_os_str().to_string_lossy());
    names.collect::<Vec<_>>().join("/")
}

/// The script of package.json that builds the site, and the change of the file.
fn package_setup(
    found: &SiteContext<'_>,
    site: &Site<'_>,
    in_pipeline: &PipelineSite<'_>,
    top: &Path,
) -> Option<(String, FileSetup)> {
    let path = found.root.join(PACKAGE_FILE);
    if path.is_symlink() || !site.failures.is_file(&path) {
        return None;
    }
    let old = read_text(&path, MAX_FILE_BYTES).ok()?;
    let has_lock = |name: &&str| {
        let dirs = [found.root.as_path(), top];
        dirs.iter().any(|dir| site.failures.exists(&dir.join(name)))
    };
    let hooks = if LOCKS_WITHOUT_HOOKS.iter().any(has_lock) {
        ScriptHooks::Own
    } else {
        ScriptHooks::Post
    };
    // A file that is not understood leaves the step to the pipeline's own file.
    let PackageScript { name, text } = patched_package(&old, in_pipeline, hooks).ok()??;
    let file = relative(&path, top);
    let setup = match text {
        Some(new) => FileSetup::Patch(FilePatch {
            path,
            name: file,
            old,
            new,
        }),
        None => FileSetup::Done(file),
    };
    Some((name, setup))
}

/// The files of a pipeline, each with its path in the repository, sorted. Of a directory, its YAML
/// files.
fn setup_files(
    found: &SiteContext<'_>,
    site: &Site<'_>,
    setup: &PipelineSetup,
    top: &Path,
) -> Vec<(PathBuf, String)> {
    let dirs = if top == found.root {
        vec![top]
    } else {
        vec![top, found.root.as_path()]
    };
    let named = dirs
        .iter()
        .flat_map(|dir| setup.files.iter().map(|file| dir.join(file)));
    let mut files: Vec<PathBuf> = named
        .flat_map(|path| {
            if site.failures.is_dir(&path) {
                let entries = site.failures.entries(&path);
                entries.iter().map(std::fs::DirEntry::path).collect()
            } else {
                vec![path]
            }
        })
        .filter(|path| {
            let is_yaml = path
                .extension()
                .is_some_and(|end| end == "yml" || end == "yaml");
            let is_named = setup.files.iter().any(|file| path.ends_with(file));
            (is_yaml || is_named) && site.failures.is_file(path)
        })
        .collect();
    files.sort();
    let named = files.into_iter().map(|path| {
        let name = relative(&path, top);
        (path, name)
    });
    named.collect()
}

/// The change of a file of a pipeline.
fn file_setup(
    format: Option<PipelineFormat>,
    (path, name): &(PathBuf, String),
    in_pipeline: &PipelineSite<'_>,
) -> FileSetup {
    if path.is_symlink() {
        let reason = Unfit::Unread("it is a symbolic link".to_owned());
        return FileSetup::Unfit(name.clone(), reason);
    }
    let old = match read_text(path, MAX_FILE_BYTES) {
        Ok(old) => old,
        Err(error) => return FileSetup::Unfit(name.clone(), Unfit::Unread(error.to_string())),
    };
    let Some(format) = format else {
        return if mentions_waypost(&old) {
            FileSetup::Done(name.clone())
        } else {
            FileSetup::Unfit(name.clone(), Unfit::Format)
        };
    };
    let dir = name.rsplit_once('/').map_or("", |(dir, _)| dir);
    match patched(format, &old, in_pipeline, dir) {
        Ok(None) => FileSetup::Done(name.clone()),
        Ok(Some(new)) => FileSetup::Patch(FilePatch {
            path: path.clone(),
            name: name.clone(),
            old,
            new,
        }),
        Err(_) if mentions_waypost(&old) => FileSetup::Done(name.clone()),
        Err(reason) => FileSetup::Unfit(name.clone(), reason),
    }
}

impl PipelineSetups {
    fn add(&mut self, setup: FileSetup) {
        match setup {
            FileSetup::Patch(patch) => self.patches.push(patch),
            FileSetup::Done(name) => self.done.push(name),
            FileSetup::Unfit(..) => {}
        }
    }

    /// Adds what a pipeline needs. A step to paste is needed only if no file of it has or gets one.
    fn add_pipeline(
        &mut self,
        setup: &PipelineSetup,
        in_pipeline: &PipelineSite<'_>,
        files: &[(PathBuf, String)],
    ) {
        let (mut reasons, mut has_step) = (Vec::new(), false);
        for file in files {
            match file_setup(setup.format, file, in_pipeline) {
                FileSetup::Unfit(name, reason) => reasons.push((name, reason)),
                fit => {
                    has_step = true;
                    self.add(fit);
                }
            }
        }
        if let Some(also) = &setup.also {
            self.also.push(format!("# {}: {also}\n", setup.title));
        }
        // With a step elsewhere, a workflow that does not build the site is none of our business.
        reasons.retain(|(_, reason)| !(has_step && matches!(reason, Unfit::NoBuild(_))));
        if has_step && reasons.is_empty() {
            return;
        }
        let (place, _) = setup.step_for(in_pipeline.generator);
        let mut text = format!("# {}: in {place}\n", setup.title);
        for (name, reason) in reasons {
            writeln!(text, "# {name} is not changed: {reason}")
                .expect("writing to a string cannot fail");
        }
        self.steps.push(text + &in_pipeline.snippet(setup));
    }

    /// The texts to print.
    pub(super) fn texts(&self, mode: ChangeMode) -> StepTexts {
        let mut parts: Vec<String> = Vec::new();
        if mode == ChangeMode::Show {
            parts.extend(self.patches.iter().map(FilePatch::diff));
        }
        parts.extend(self.steps.iter().cloned());
        if !self.also.is_empty() {
            parts.push(self.also.concat());
        }
        let note = if self.patches.is_empty() && self.steps.is_empty() {
            let done = self.done.join("`, `");
            let is_known = !self.done.is_empty();
            is_known.then(|| format!("nothing to do: `{done}` already has the step"))
        } else if mode == ChangeMode::Show && !self.patches.is_empty() {
            let names: Vec<&str> = self
                .patches
                .iter()
                .map(|patch| patch.name.as_str())
                .collect();
            let names = names.join("`, `");
            Some(format!(
                "`waypost init --write` makes the changes in `{names}`"
            ))
        } else {
            None
        };
        StepTexts {
            text: parts.join("\n"),
            note,
        }
    }
}

impl FilePatch {
    /// The change as a unified diff, which `git apply` accepts.
    fn diff(&self) -> String {
        let name = display_path(Path::new(&self.name));
        TextDiff::from_lines(&self.old, &self.new)
            .unified_diff()
            .header(&format!("a/{name}"), &format!("b/{name}"))
            .to_string()
    }
}
