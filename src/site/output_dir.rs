//! The output directory of a run, which must be clear and in reach.

use std::path::{Component, Path, PathBuf};

use super::run_error::RunError;
use crate::config::{LoadedSettings, SETTINGS_FILE, SettingOrigin};
use crate::files::tree::{Tree, strip_canonical_prefix};
use crate::findings::HintedError;
use crate::generators::Site;
use sitemaps::site_paths::display_path;

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
fn refuse_source_root(site: &Site<'_>, output_dir: &Path) -> Result<(), RunError> {
    let Some(generator) = site.generator else {
        return Ok(());
    };
    let has_home = |dir: &Path| site.tree.is_file(&dir.join("index.html"));
    let resolved = site.tree.resolved(output_dir);
    let is_root = resolved.is_some() && resolved == site.tree.resolved(&site.root);
    if !is_root || has_home(output_dir) || !has_home(&site.output_dir) {
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
    site: &Site<'_>,
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
        let problem = unclear.problem(&display_path(given));
        return Err(HintedError::new(problem, unclear.hint()).into());
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
