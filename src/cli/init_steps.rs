//! The steps that `waypost init` prints for the pipelines that build a site.

use std::path::Path;

use super::init_workflow::{
    ConfiguredPages, Published, PublishingStep, completes_clone, publishing_steps,
};
use crate::files::tree::absolute;
use crate::generators::{Manifest, Pipeline, PipelineStep};
use crate::release::ProgramSource;
use crate::site::{FoundBaseUrl, LoadedSite, package_scripts, pages_url_of, workflows};
use sitemaps::site_paths::{BaseUrl, escaped};

/// The steps of the pipelines that the repository, the site or the environment names, with comments on
/// where each belongs.
pub(super) fn step_texts(loaded: &LoadedSite, base: Option<&FoundBaseUrl>) -> String {
    let (manifest, tree) = (Manifest::embedded(), &loaded.site.tree);
    let resolved = |dir: &Path| tree.resolved(dir).unwrap_or_else(|| absolute(dir));
    let root = resolved(&loaded.site.root);
    let top = loaded.repository.as_deref().unwrap_or(&root);
    let has = |file: &String| [&root, top].iter().any(|dir| tree.exists(&dir.join(file)));
    let current = loaded.pipelines().current().map(|pipeline| &pipeline.title);
    let texts = StepTexts {
        site: from_top(top, &root),
        output: from_top(top, &resolved(loaded.output_dir())),
        needs_base: base.is_none_or(|base| !base.is_statement()),
        program: ProgramSource::from_build(),
    };
    let tree = tree.at(top);
    let mut scripts = package_scripts(&root, &tree);
    scripts.extend(package_scripts(top, &tree));
    let mut printed = Vec::new();
    for (name, step) in &manifest.step {
        let pipeline = &manifest.pipeline[name];
        if current != Some(&pipeline.title) && !step.files.iter().any(has) {
            continue;
        }
        let files: Vec<_> = step
            .files
            .iter()
            .flat_map(|file| workflows(top, file, &tree))
            .collect();
        let (by_name, mut found): (Vec<_>, Vec<_>) = files
            .iter()
            .flat_map(|(file, workflow)| publishing_steps(file, workflow, &scripts))
            .partition(|step| matches!(step.published, Published::ByName));
        if found.is_empty() {
            found = by_name;
        }
        if found.is_empty() {
            let is_deep = files.iter().any(|(_, settings)| completes_clone(settings));
            printed.push(texts.anywhere(pipeline, step, is_deep));
        }
        for next in &found {
            printed.push(texts.before(pipeline, step, next));
        }
    }
    if !printed.is_empty() {
        return printed.join("\n");
    }
    let pages = pages_url_of(top, &tree).filter(|url| url.host().ends_with(".github.io"));
    match pages.filter(|_| ["", "docs"].contains(&&*texts.output)) {
        Some(url) => from_branch(&url, base.is_some()),
        None => "# after the build, before the site is published:\nwaypost\n".to_owned(),
    }
}

/// The commands for a repository without a build, which GitHub Pages publishes as it is.
fn from_branch(url: &BaseUrl, has_base: bool) -> String {
    let first = if has_base {
        String::new()
    } else {
        format!("# set the base URL in waypost.toml first: that of the repository is {url}\n")
    };
    format!(
        "# GitHub Pages, \"Deploy from a branch\": commit the pages first, so each has the date of its commit\n\
         {first}\
         git add . && git commit -m pages\n\
         waypost && git add . && git commit -m sitemap\n\
         git push\n"
    )
}

/// Facts that the steps of a site share. Paths are from the top of the repository.
struct StepTexts<'a> {
    site: String,
    output: String,
    /// Whether the URL that `actions/configure-pages` finds is better than the known one.
    needs_base: bool,
    program: ProgramSource<'a>,
}

impl StepTexts<'_> {
    /// The lines of a step, with an output directory and a base URL if waypost does not find them.
    fn lines(&self, step: &PipelineStep, output: Option<&str>, base_url: Option<&str>) -> String {
        let site = match &*self.site {
            "" => None,
            site if site.contains(|c: char| !c.is_ascii_alphanumeric() && !"./_-".contains(c)) => {
                Some(format!("'{site}'"))
            }
            site => Some(site.to_owned()),
        };
        if let Some(action) = self.action(step) {
            let site = site.as_deref();
            let inputs = [
                ("site", site),
                ("output-dir", output),
                ("base-url", base_url),
            ]
            .into_iter()
            .filter_map(|(name, value)| Some(format!("\n    {name}: {}", value?)))
            .collect::<String>();
            let with = if inputs.is_empty() { "" } else { "\n  with:" };
            return format!("- uses: {action}{with}{inputs}");
        }
        let site = site.map_or(String::new(), |site| format!(" {site}"));
        let mut lines = step.text(&self.program.run(), &self.program.install(), &site);
        lines.extend(output.map(|dir| format!(" -o {dir}")));
        lines.extend(base_url.map(|url| format!(" --base-url {url}")));
        lines
    }

    /// The action, where a step can use it.
    fn action(&self, step: &PipelineStep) -> Option<&str> {
        match self.program {
            ProgramSource::GitHub(source) if step.has_action => Some(source),
            _ => None,
        }
    }

    /// The step where no place is known.
    fn anywhere(&self, pipeline: &Pipeline, step: &PipelineStep, is_deep: bool) -> String {
        let is_of_workflows = step.files.iter().any(|dir| dir.ends_with("workflows"));
        let reason = if is_of_workflows {
            "; none is known by its action or command"
        } else {
            ""
        };
        let place = format!("{}{reason}", step.place);
        let lines = self.lines(step, None, None);
        self.text_at(pipeline, step, &place, &lines, "", is_deep)
    }

    /// The step before one that publishes.
    fn before(&self, pipeline: &Pipeline, own: &PipelineStep, next: &PublishingStep) -> String {
        let PublishingStep { file, step, .. } = next;
        let (dir, condition) = match &next.published {
            Published::InOneStep(command) => {
                let place = format!(
                    "nowhere in {file}: in {step}, `{command}` builds and publishes the site at once. \
                     Build it in a step before, then run this, then publish it"
                );
                let lines = self.lines(own, None, None);
                return self.text_at(pipeline, own, &place, &lines, "", next.is_deep);
            }
            Published::Directory(dir) => (dir.as_deref(), ""),
            Published::ByName => (None, ", if the site is built by then"),
        };
        let mut more = String::new();
        let output = dir.filter(|dir| *dir != self.output);
        let base = |id: &str| Some(format!("${{{{ steps.{id}.outputs.base_url }}}}"));
        let base_url = match &next.configured {
            Some(ConfiguredPages::Named(id)) => base(id),
            Some(ConfiguredPages::Unnamed) if self.needs_base => {
                more += "# give the step of `actions/configure-pages` the key `id: pages`\n";
                base("pages")
            }
            _ => None,
        };
        let mut lines = self.lines(own, output, base_url.as_deref());
        if next.is_of_root {
            let dir = dir.unwrap_or("_site");
            let owned = format!("- run: sudo chown -R \"$USER\" {dir}");
            lines = match lines.strip_prefix("- run: ") {
                Some(command) => format!("{owned} && {command}"),
                None => format!("{owned}\n{lines}"),
            };
            more += "# `actions/jekyll-build-pages` leaves files of root, which `chown` changes\n";
        }
        let place = format!("in {file}, before {step}{condition}");
        self.text_at(pipeline, own, &place, &lines, &more, next.is_deep)
    }

    /// Lines for a pipeline, after a comment with their place.
    fn text_at(
        &self,
        pipeline: &Pipeline,
        step: &PipelineStep,
        place: &str,
        lines: &str,
        more: &str,
        is_deep: bool,
    ) -> String {
        let deepen = match pipeline.clone_depth {
            Some(_) if !is_deep => format!("# for dates from Git, {}\n", pipeline.deepen),
            _ => String::new(),
        };
        let needs = match self.action(step) {
            Some(_) => String::new(),
            None => self.program.needs(step.rust.as_deref()),
        };
        let (title, place) = (&pipeline.title, escaped(place));
        format!("# {title}: {place}:\n{lines}\n{more}{needs}{deepen}")
    }
}

/// A path below the top of the repository, with `/` between its parts.
fn from_top(top: &Path, path: &Path) -> String {
    let below = path.strip_prefix(top).unwrap_or(path);
    let names = below
        .components()
        .map(|name| name.as_os_str().to_string_lossy());
    names.collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The step before one that publishes `_site`, without the comments.
    fn step(program: ProgramSource<'_>, name: &str, is_of_root: bool) -> String {
        let texts = StepTexts {
            site: "docs".to_owned(),
            output: "docs/_site".to_owned(),
            needs_base: false,
            program,
        };
        let next = PublishingStep {
            file: "site.yml".to_owned(),
            step: "step `x`".to_owned(),
            published: Published::Directory(Some("_site".to_owned())),
            configured: Some(ConfiguredPages::Named("pages".to_owned())),
            is_of_root,
            is_deep: false,
        };
        let manifest = Manifest::embedded();
        let printed = texts.before(&manifest.pipeline[name], &manifest.step[name], &next);
        let lines = printed.lines().filter(|line| !line.starts_with('#'));
        lines.collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn a_step_gets_the_program_from_the_release_a_commit_or_a_checkout() {
        const BASE: &str = "${{ steps.pages.outputs.base_url }}";
        let commit = ProgramSource::GitHub("ada/waypost@c0ffee");
        let arguments = format!("docs --github -o _site --base-url {BASE}");
        let npx = concat!("npx --yes waypost@", env!("CARGO_PKG_VERSION"));
        let path = "cargo install --locked --path path/to/waypost && waypost";
        let git = "cargo install --locked --git https://github.com/ada/waypost --rev c0ffee waypost \
                   && waypost";
        let inputs = format!("site: docs\n    output-dir: _site\n    base-url: {BASE}");
        let uses = format!("- uses: ada/waypost@c0ffee\n  with:\n    {inputs}");
        for (program, name, expected) in [
            (
                ProgramSource::Release,
                "github",
                format!("- run: {npx} {arguments}"),
            ),
            (
                ProgramSource::Checkout,
                "github",
                format!("- run: {path} {arguments}"),
            ),
            (commit, "github", uses.clone()),
            (commit, "forgejo", format!("- run: {git} {arguments}")),
        ] {
            assert_eq!(step(program, name, false), expected);
        }
        let owned = "- run: sudo chown -R \"$USER\" _site";
        assert_eq!(step(commit, "github", true), format!("{owned}\n{uses}"));
    }
}
