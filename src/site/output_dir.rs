//! The output directory of a run: that of the settings or the generator, which must be clear and in reach, or
//! the one from which a file of the host or the pipeline deploys the site.

use std::cmp::Reverse;
use std::path::{Component, Path, PathBuf};

use super::host_settings::{HostDirs, settings_at, values_at};
use super::pages_publication::workflow_steps;
use super::run_error::RunError;
use crate::config::{LoadedSettings, SETTINGS_FILE, SettingOrigin};
use crate::files::tree::{Tree, modified, strip_canonical_prefix};
use crate::findings::{Finding, HintedError, Subject, code};
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
    pub(super) site: &'q Site,
    /// The directory that the user gives.
    pub(super) given: &'q Path,
    pub(super) repository: Option<&'q Path>,
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
            let real = self.real(&named.dir);
            let is_known =
                real == self.real(own) || rivals.iter().any(|known| real == self.real(&known.dir));
            if !is_known && self.is_usable(&named.dir) {
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
        // The deployed part may be all that the generator wrote.
        let is_around = rivals.iter().any(|named| self.contains(own, &named.dir))
            && !self.site.tree.is_file(&own.join("index.html"));
        if is_own && !is_around {
            rivals.push(NamedOutput {
                dir: own.clone(),
                origin: match self.site.generator {
                    Some(generator) => generator.title.clone(),
                    None => "its name".to_owned(),
                },
                is_current: false,
            });
        }
        rivals.sort_by_key(|rival| {
            // One without a home page is the oldest.
            let written = modified(&rival.dir.join("index.html")).unwrap_or_default();
            (!rival.is_current, Reverse(written))
        });
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
        for (host, model) in &Manifest::embedded().host {
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

/// A path without what makes it absolute: hosts count it from the directory of the site.
fn relative(path: &str) -> &str {
    path.trim().trim_start_matches("./").trim_matches('/')
}

/// Expresses a directory below `root` as a path that starts with `root`, even if it was given
/// through `..` or symbolic links. Pages below the root may be their own sources.
fn named_from(root: &Path, dir: PathBuf) -> PathBuf {
    if let Ok(below) = dir.strip_prefix(root)
        && below
            .components()
            .all(|part| matches!(part, Component::Normal(_)))
    {
        return dir;
    }
    strip_canonical_prefix(root, &dir)
        .map(|below| root.join(below))
        .unwrap_or(dir)
}

/// Refuses the root of a generator's site as output if the home page is in the generator's own
/// output directory below it, and none at the root: every URL would have that directory's name.
fn refuse_source_root(site: &Site, output_dir: &Path) -> Result<(), RunError> {
    let Some(generator) = site.generator else {
        return Ok(());
    };
    let resolved = site.tree.resolved(output_dir);
    let is_root = resolved.is_some() && resolved == site.tree.resolved(&site.root);
    let [has_home, has_home_below] =
        [output_dir, &site.output_dir].map(|dir| site.tree.is_file(&dir.join("index.html")));
    if !is_root || has_home || !has_home_below {
        return Ok(());
    }
    let message = format!(
        "`{}` is the root of a {} site, not its output",
        display_path(output_dir),
        generator.title
    );
    let hint = format!("pass `-o {}`, or no `-o`", display_path(&site.output_dir));
    Err(HintedError::new(message, hint).into())
}

/// Decides which directory has the rendered pages: that of the settings, or else that of the generator,
/// which must be clear and in the site or its repository. The user may name any.
pub(super) fn find_output(
    site: &Site,
    loaded: &LoadedSettings,
    given: &Path,
) -> Result<Tree, RunError> {
    let dir = match &loaded.settings.output_dir {
        Some(dir) => named_from(&site.root, site.root.join(dir)),
        None => site.output_dir.clone(),
    };
    let origin = loaded.origin_of("output_dir");
    if origin.is_some_and(SettingOrigin::is_set_by_user) {
        refuse_source_root(site, &dir)?;
    } else if loaded.settings.output_dir.is_none()
        && let Some(unclear) = &site.unclear
        && !(site.tree.is_file(&site.root.join(SETTINGS_FILE)) && unclear.is_nothing())
    {
        return Err(unclear.error(given).into());
    } else if site.tree.clone().and(given).is_escaped_by(&dir) {
        let dir = display_path(&dir);
        let message =
            format!("the output directory `{dir}` is outside the site and its repository");
        let hint = format!("if this is intended, pass `--output-dir {dir}`");
        return Err(HintedError::new(message, hint).into());
    }
    Ok(site.tree.with_dir(&dir))
}

#[cfg(test)]
mod tests {
    #[cfg(unix)]
    use super::*;

    #[test]
    #[cfg(unix)]
    fn a_directory_is_named_from_the_root_even_through_links() {
        let dir = tempfile::tempdir().expect("a directory");
        let at = |path: &str| dir.path().join(path);
        std::fs::create_dir_all(at("real/site/public/en")).expect("a directory");
        std::fs::create_dir_all(at("real/else")).expect("a directory");
        std::os::unix::fs::symlink("real", at("link")).expect("a link");
        std::os::unix::fs::symlink("public", at("real/site/other")).expect("a link");
        let check = |root: &str, typed: &str, expected: &str| {
            assert_eq!(
                named_from(&at(root), at(typed)),
                at(expected),
                "{typed} from {root}"
            );
        };
        check("real/site", "real/site/public", "real/site/public");
        check("real/site", "link/site/public/en", "real/site/public/en");
        check("link/site", "real/site/public", "link/site/public");
        check("link/site", "link/site/../site/public", "link/site/public");
        check(
            "link/site/public/..",
            "link/site/public",
            "link/site/public/../public",
        );
        check("real/site", "real/site/other", "real/site/other");
        check("real/site", "real/else", "real/else");
        check("real/site", "real/none", "real/none");
    }
}
