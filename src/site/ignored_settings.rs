//! Reports settings near the site that are not read although their author may expect it.

use std::path::{Path, PathBuf};

use crate::config::SETTINGS_FILE;
use page_sources::generator::Site;
use sitemaps::site_paths::display_path;
use sitemaps::site_paths::finding::{Finding, Subject, code};

/// Returns the finding about ignored settings, if any; `typed` is the settings file given by the
/// user.
pub(crate) fn ignored_settings(site: &Site<'_>, typed: Option<&Path>) -> Option<Finding> {
    let unreadable = site.ignored_error.as_ref().map(|error| {
        let message = format!("the directory is treated as plain HTML because {error}");
        (
            message,
            "fix the settings; if they belong to another program, pass the directory with `-o`",
        )
    });
    let (message, hint) = unreadable.or_else(|| settings_in_parent(site, typed))?;
    Some(Finding::new(code::SETTINGS_IGNORED, Subject::Site, message).with_hint(hint))
}

/// Finds waypost's own settings in the parent of a directory of HTML that has none.
fn settings_in_parent(site: &Site<'_>, typed: Option<&Path>) -> Option<(String, &'static str)> {
    let root = &site.root;
    let own = |dir: &Path| Some(dir.join(SETTINGS_FILE)).filter(|file| site.failures.is_file(file));
    let is_repository = || site.failures.exists(&root.join(".git"));
    if site.generator.is_some() || typed.is_some() || is_repository() || own(root).is_some() {
        return None;
    }
    let named = root.file_name().and(root.parent()).map(Path::to_owned);
    let canonical = || site.failures.resolved(root)?.parent().map(PathBuf::from);
    let file = own(&named.or_else(canonical)?)?;
    let message = format!(
        "`{}` is not read: settings are read only from the given directory",
        display_path(&file)
    );
    Some((
        message,
        "run waypost in the parent directory with the HTML directory as `-o`: `waypost -o public`",
    ))
}
