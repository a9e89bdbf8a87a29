//! The output directory that a file of the host or the pipeline names: where the site is deployed from.

use std::path::{Path, PathBuf};

use super::host_dirs::HostDirs;
use super::host_settings::{settings_at, values_at};
use super::pages_publication::workflow_steps;
use crate::files::tree::{Tree, modified};
use crate::findings::{Finding, Subject, code};
use crate::generators::finder::has_pages;
use crate::generators::{Manifest, Pipelines, Site};
use sitemaps::site_paths::display_path;

/// Where the adapters of generators for Vercel write static files.
const VERCEL_OUTPUT: &str = ".vercel/output/static";

/// A directory with pages, and what names it.
struct NamedOutput {
    dir: PathBuf,
    origin: String,
    /// Whether the pipeline that deploys it runs now.
    is_current: bool,
}

/// Where to look for the directory.
pub(super) struct OutputQuery<'q> {
    pub(super) site: &'q Site<'q>,
    /// The directory that the user gives.
    pub(super) given: &'q Path,
    pub(super) repository: Option<&'q Path>,
    pub(super) manifest: &'q Manifest,
    pub(super) pipelines: Pipelines<'q>,
    pub(super) host_dirs: &'q HostDirs,
    pub(super) reach: &'q Tree,
}

impl OutputQuery<'_> {
    /// Returns the directory that is deployed, if it is not the generator's, and the finding about another
    /// one with pages. That of the pipeline that runs now wins, then the one whose home page is newer.
    pub(super) fn find(&self) -> Option<(PathBuf, Option<Finding>)> {
        let own = &self.site.output_dir;
        let mut rivals: Vec<NamedOutput> = Vec::new();
        for named in self.named() {
            let is_known = |dir: &Path| self.real(dir) == self.real(&named.dir);
            let is_new = !is_known(own) && !rivals.iter().any(|known| is_known(&known.dir));
            if is_new && self.is_usable(&named.dir) {
                rivals.push(named);
            }
        }
        let vercel = self.site.root.join(VERCEL_OUTPUT);
        let has_vercel = self.site.tree.is_dir(&vercel);
        if rivals.is_empty() && !has_vercel {
            return None;
        }
        let is_own = self.site.unclear.is_none() && self.is_usable(own);
        // A generator may write to a part of what is deployed.
        rivals.retain(|named| !(is_own && self.contains(&named.dir, own)));
        let is_vercel = self.pipelines.has_value("VERCEL", "1");
        if has_vercel && (is_vercel || rivals.is_empty() && !is_own) && self.is_usable(&vercel) {
            rivals.push(NamedOutput {
                dir: vercel,
                origin: "Vercel's build output".to_owned(),
                is_current: is_vercel,
            });
        }
        if rivals.is_empty() {
            return None;
        }
        if is_own {
            rivals.push(NamedOutput {
                dir: own.clone(),
                origin: match self.site.generator {
                    Some(generator) => generator.title.clone(),
                    None => "its name".to_owned(),
                },
                is_current: false,
            });
        }
        rivals.sort_by_key(|rival| (!rival.is_current, -changed(&rival.dir)));
        let [used, others @ ..] = rivals.as_slice() else {
            return None;
        };
        let finding = others.first().map(|other| {
            let message = format!(
                "two directories have pages: `{}`, by {}, and `{}`, by {}; the first is used",
                display_path(&used.dir),
                used.origin,
                display_path(&other.dir),
                other.origin
            );
            let hint = "remove the one that is not deployed, or name the right one with `-o`";
            Finding::new(code::OUTPUT_DIR_RIVALS, Subject::Site, message).with_hint(hint)
        });
        Some((used.dir.clone(), finding))
    }

    /// The directories that files of hosts, workflows and variables name, whether or not they exist.
    fn named(&self) -> Vec<NamedOutput> {
        let mut found = Vec::new();
        if let Some(dir) = self.pipelines.value("READTHEDOCS_OUTPUT") {
            found.push(NamedOutput {
                dir: self.shown(Path::new(dir).join("html")),
                origin: "READTHEDOCS_OUTPUT".to_owned(),
                is_current: true,
            });
        }
        for (host, model) in &self.manifest.host {
            let Some(key) = &model.output_key else {
                continue;
            };
            for mark in &model.files {
                found.extend(self.named_by(&mark.file, key, host));
            }
        }
        let steps = self
            .repository
            .map(|root| workflow_steps(root, self.host_dirs.tree()));
        for step in steps.unwrap_or_default() {
            let action = step.text("uses").unwrap_or_default();
            let path = step.get("with").and_then(|inputs| inputs.text("path"));
            if action.starts_with("actions/upload-pages-artifact")
                && let Some(dir) = path.and_then(|path| self.below(self.repository, relative(path)))
            {
                found.push(NamedOutput {
                    dir,
                    origin: "the workflow that publishes".to_owned(),
                    is_current: self.pipelines.has_value("GITHUB_ACTIONS", "true"),
                });
            }
        }
        found
    }

    /// The directories that a key in the file of a host names.
    fn named_by(&self, name: &str, key: &str, host: &str) -> Vec<NamedOutput> {
        let mut found = Vec::new();
        let file = self.host_dirs.nearest(name);
        let settings = file
            .as_ref()
            .and_then(|file| settings_at(file, self.host_dirs.tree()));
        let Some((file, settings)) = file.zip(settings) else {
            return found;
        };
        // Netlify counts from this directory.
        let base = settings.get("build").and_then(|build| build.text("base"));
        for value in values_at(&settings, key) {
            let Some(value) = value.as_text() else {
                continue;
            };
            let dir = match base {
                Some(base) => format!("{}/{}", relative(base), relative(value)),
                None => relative(value).to_owned(),
            };
            found.extend(self.below(file.parent(), &dir).map(|dir| NamedOutput {
                dir,
                origin: format!("`{key}` in {name}"),
                is_current: self.pipelines.host(None) == Some(host),
            }));
        }
        found
    }

    /// A directory below another one, unless its name has an expression or it belongs to another site.
    fn below(&self, parent: Option<&Path>, dir: &str) -> Option<PathBuf> {
        let dir = parent?.join(dir);
        let is_plain = !dir.to_string_lossy().contains(['$', '{', '*', '<']);
        let is_here = self.contains(self.given, &dir) || self.contains(&self.site.root, &dir);
        (is_plain && is_here).then(|| self.shown(dir))
    }

    /// The directory as the user would type it from the given one.
    fn shown(&self, dir: PathBuf) -> PathBuf {
        if let Some((resolved, given)) = self.real(&dir).zip(self.real(self.given))
            && let Ok(below) = resolved.strip_prefix(given)
        {
            return self.given.join(below);
        }
        dir
    }

    fn contains(&self, parent: &Path, dir: &Path) -> bool {
        let (parent, dir) = (self.real(parent), self.real(dir));
        parent.is_some_and(|parent| dir.is_some_and(|dir| dir.starts_with(parent)))
    }

    fn real(&self, dir: &Path) -> Option<PathBuf> {
        self.site.tree.resolved(dir)
    }

    /// Whether a directory has pages that may be those of the site. That of its sources must have a home
    /// page.
    fn is_usable(&self, dir: &Path) -> bool {
        let tree = &self.site.tree;
        let is_sources = self.real(dir) == self.real(&self.site.root);
        tree.is_dir(dir)
            && !self.reach.is_escaped_by(dir)
            && (!is_sources || tree.is_file(&dir.join("index.html")))
            && has_pages(dir, tree)
    }
}

/// The time at which the home page of a directory was written; 0 without one.
fn changed(dir: &Path) -> i64 {
    modified(&dir.join("index.html")).unwrap_or_default()
}

/// A path without what makes it absolute: hosts count it from the directory of the site.
fn relative(path: &str) -> &str {
    path.trim().trim_start_matches("./").trim_matches('/')
}
