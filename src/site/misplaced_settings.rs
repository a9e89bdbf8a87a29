//! Finds settings of waypost under a wrong name or in a wrong place, where they are not read.

use std::path::{Path, PathBuf};

use crate::config::SETTINGS_FILE;
use git_last_modified::enclosing_repository;
use page_sources::PageSourcesError;
use page_sources::finder::{SiteQuery, find_site};
use page_sources::generator::{Manifest, Site};
use serde_json::Value as Json;
use sitemaps::site_paths::containment::{Containment, absolute};
use sitemaps::site_paths::escaped;
use sitemaps::site_paths::finding::{Finding, Subject, code};

/// Names that users give to the settings file by mistake.
const MISNAMED_FILES: [&str; 9] = [
    "Waypost.toml",
    "WAYPOST.toml",
    ".waypost.toml",
    "waypost.yml",
    "waypost.yaml",
    ".waypost.yml",
    "waypost.json",
    "waypost.tml",
    "waypost.toml.txt",
];

/// The name of waypost's table in every generator's settings.
const TABLE_NAME: &str = "waypost";

/// Tables of some generator that contain waypost's own.
const PARENT_TABLES: [&str; 4] = ["", "extra", "params", "output"];

/// Reports settings that are not read although their author expects it.
pub(crate) fn misplaced_settings(site: &Site<'_>, output_dir: &Path) -> Vec<Finding> {
    let misnamed = misnamed_file(site).map(|file| {
        let hint = format!("the settings file is `{SETTINGS_FILE}`, in TOML");
        not_read(&file, &format!("`{}`", shown(&file)), hint)
    });
    let tables = misplaced_tables(site).into_iter().map(|table| {
        let file = site.config_file().unwrap_or(&site.root);
        not_read(file, &format!("the table `{table}`"), right_place(site))
    });
    misnamed
        .into_iter()
        .chain(published_file(site, output_dir))
        .chain(tables)
        .chain(package_table(site))
        .collect()
}

/// Reports the nearest settings file above a site without one. Up to the top of the repository, such
/// a file is for this site, unless its directory is a site of its own.
pub(crate) fn settings_above(site: &Site<'_>, manifest: &Manifest) -> Option<Finding> {
    let has_settings = |dir: &Path| site.failures.is_file(&dir.join(SETTINGS_FILE));
    if has_settings(&site.root) {
        return None;
    }
    let root = absolute(&site.root);
    let top = site
        .failures
        .note(&root, enclosing_repository(&root))
        .ok()??;
    let mut above = root.ancestors().skip(1);
    let dir = above
        .by_ref()
        .take_while(|dir| dir.starts_with(&top))
        .find(|dir| has_settings(dir))?;
    let query = SiteQuery {
        given: dir,
        output: None,
    };
    let other = find_site(query, manifest);
    if let Err(PageSourcesError::Machine(failure)) = &other {
        site.failures.note_failure(failure);
    }
    let is_site = other
        .is_ok_and(|other| other.unclear.is_none() && !absolute(&other.root).starts_with(&root));
    let file = dir.join(SETTINGS_FILE);
    let hint = format!(
        "move it to `{}`, or pass it with `--config`",
        shown(&site.root.join(SETTINGS_FILE))
    );
    (!is_site).then(|| {
        let below_top = file.strip_prefix(&top).unwrap_or(&file);
        let what = format!("`{}`, above this site,", shown(below_top));
        not_read(&file, &what, hint)
    })
}

/// Reports a table in `package.json`, where many programs of this ecosystem have theirs.
fn package_table(site: &Site<'_>) -> Option<Finding> {
    let file = site.root.join("package.json");
    if site.config_file() == Some(file.as_path()) {
        return None;
    }
    let text = Containment::of_logged_site(&site.root, &site.failures)
        .read_text(&file)
        .ok()?;
    let has_name = text.contains(TABLE_NAME);
    let package = has_name.then(|| serde_json::from_str(&text).ok())?;
    let is_table = |package: &Json| package.get(TABLE_NAME).is_some_and(Json::is_object);
    let hint = format!("waypost reads `{SETTINGS_FILE}`");
    package
        .filter(is_table)
        .map(|_| not_read(&file, &format!("the table `{TABLE_NAME}`"), hint))
}

/// Finds a settings file under a wrong name, unless there is one under the right name. On a file
/// system that ignores case, `Waypost.toml` is the right one.
pub(super) fn misnamed_file(site: &Site<'_>) -> Option<PathBuf> {
    let is_file = |name: &&str| site.failures.is_file(&site.root.join(name));
    (!is_file(&SETTINGS_FILE))
        .then(|| MISNAMED_FILES.iter().find(|name| is_file(name)))
        .flatten()
        .map(|name| site.root.join(name))
}

/// Reports a settings file in the output directory, which is published with the site.
fn published_file(site: &Site<'_>, output_dir: &Path) -> Option<Finding> {
    let (root, failures) = (&site.root, &site.failures);
    let file = output_dir.join(SETTINGS_FILE);
    let is_elsewhere = || failures.resolved(root) != failures.resolved(output_dir);
    (failures.is_file(&file) && is_elsewhere()).then(|| {
        let hint = format!(
            "move it to `{}`; files of the output directory are published",
            shown(&root.join(SETTINGS_FILE))
        );
        not_read(&file, &format!("`{}`", shown(&file)), hint)
    })
}

/// Returns the dotted paths of tables in the generator's settings that are called like waypost's,
/// but are not the one that is read.
fn misplaced_tables(site: &Site<'_>) -> Vec<String> {
    let Some(generator) = site.generator else {
        return Vec::new();
    };
    let right = generator.rules_table.as_deref();
    let is_table = |path: &String| {
        // mdBook reads `output.waypost` itself and passes it to waypost.
        let is_right = right.is_some_and(|right| right.eq_ignore_ascii_case(path))
            || (right.is_none() && path == "output.waypost");
        !is_right && site.config.get(path).is_some_and(Json::is_object)
    };
    let below = |parent: &&str| {
        let names = site.config.keys(parent).into_iter();
        let path = |name: &str| match *parent {
            "" => name.to_owned(),
            parent => format!("{parent}.{name}"),
        };
        names
            .filter(|name| is_similar(name))
            .map(path)
            .filter(is_table)
            .collect::<Vec<_>>()
    };
    PARENT_TABLES.iter().flat_map(below).collect()
}

/// Whether a name is `waypost`, or that with one letter added, missing, wrong or swapped. A theme
/// may have a table of a more distant name, such as `waypoint`.
fn is_similar(name: &str) -> bool {
    strsim::damerau_levenshtein(&name.to_lowercase(), TABLE_NAME) <= 1
}

fn right_place(site: &Site<'_>) -> String {
    let table = site
        .generator
        .and_then(|generator| generator.rules_table.as_ref());
    match table {
        Some(table) => {
            format!("waypost reads the table `{table}` of this file, and `{SETTINGS_FILE}`")
        }
        None => format!("waypost reads `{SETTINGS_FILE}`"),
    }
}

fn not_read(file: &Path, what: &str, hint: String) -> Finding {
    Finding::new(
        code::SETTINGS_IGNORED,
        Subject::File(file.to_owned(), None),
        format!("{what} is not read"),
    )
    .with_hint(hint)
}

fn shown(path: &Path) -> String {
    let below = path.strip_prefix("./").unwrap_or(path);
    escaped(&below.to_string_lossy()).into_owned()
}
