//! Finds settings of waypost that are not read although their author expects it.

use std::path::{Path, PathBuf};

use crate::config::SETTINGS_FILE;
use crate::files::tree::absolute;
use crate::findings::{Finding, Findings, Subject, code};
use crate::generators::finder::find_site;
use crate::generators::{GeneratorError, Site};
use serde_json::Value as Json;
use sitemaps::site_paths::display_path;

/// Names that users give to the settings file by mistake.
const MISNAMED_FILES: [&str; 4] = [
    "waypost.yml",
    "waypost.yaml",
    "waypost.json",
    ".waypost.toml",
];

/// The places of waypost's table in the settings of some generator.
const TABLES: [&str; 4] = [
    "waypost",
    "extra.waypost",
    "params.waypost",
    "output.waypost",
];

/// Reports settings below the site that are not read.
pub(crate) fn report_misplaced(site: &Site, output_dir: &Path, findings: &Findings) {
    let root = display_path(&site.root.join(SETTINGS_FILE));
    if let Some(error) = &site.ignored_error {
        let message = format!("the directory is treated as plain HTML because {error}");
        let hint =
            "fix the settings; if they belong to another program, pass the directory with `-o`";
        let finding = Finding::new(code::SETTINGS_IGNORED, Subject::Site, message);
        findings.add(finding.with_hint(hint));
    }
    if let Some(file) = misnamed_file(site) {
        let hint = format!("the settings file is `{SETTINGS_FILE}`, in TOML");
        findings.add(file_not_read(&file, hint));
    }
    let published = output_dir.join(SETTINGS_FILE);
    let is_root = site.tree.is_same(&site.root, output_dir);
    if !is_root && site.tree.is_file(&published) {
        let hint = format!("move it to `{root}`; files of the output directory are published");
        findings.add(file_not_read(&published, hint));
    }
    let right = site
        .generator
        .and_then(|generator| generator.rules_table.as_deref());
    let package = site.root.join("package.json");
    let mut tables = Vec::new();
    for table in TABLES {
        // mdBook reads `output.waypost` itself and passes it to waypost.
        let is_right = right
            .unwrap_or("output.waypost")
            .eq_ignore_ascii_case(table);
        if !is_right && site.config.get(table).is_some_and(Json::is_object) {
            tables.push((site.config_file().unwrap_or(&site.root), table));
        }
    }
    if has_table(site, &package) {
        tables.push((&package, "waypost"));
    }
    for (file, table) in tables {
        let hint = match right.filter(|_| file != package) {
            Some(right) => {
                format!("waypost reads the table `{right}` of this file, and `{SETTINGS_FILE}`")
            }
            None => format!("waypost reads `{SETTINGS_FILE}`"),
        };
        findings.add(not_read(file, &format!("the table `{table}`"), hint));
    }
    for unknown in &site.config.unknown {
        let (key, tag) = (&unknown.key, &unknown.tag);
        let message =
            format!("the value of `{key}` has the tag `{tag}`, which waypost does not understand");
        let finding = Finding::new(code::SETTINGS_IGNORED, &*unknown.file, message);
        let hint = "what depends on it is not known: write a literal value, or pass `--output-dir` and `--base-url`";
        findings.add(finding.with_hint(hint));
    }
}

/// Reports the nearest settings file above a site without one, up to the top of its repository, or in
/// the parent directory. Such a file is for this site, unless its directory is a site of its own.
pub(crate) fn settings_above(site: &Site, repository: Option<&Path>) -> Option<Finding> {
    let root = absolute(&site.root);
    let top = repository.or(root.parent())?;
    let dir = root
        .ancestors()
        .take_while(|dir| *dir == root || dir.starts_with(top))
        .find(|dir| site.tree.is_file(&dir.join(SETTINGS_FILE)))
        .filter(|dir| *dir != root)?;
    let file = dir.join(SETTINGS_FILE);
    let hint = if site.generator.is_none() {
        format!(
            "run waypost in its directory, with `-o {}`",
            display_path(&site.root)
        )
    } else {
        let other = find_site(dir, None, &site.environment);
        if let Err(GeneratorError::Machine(failure)) = &other {
            site.tree.note_failure(failure.clone());
        }
        if let Ok(other) = other
            && other.unclear.is_none()
            && !absolute(&other.root).starts_with(&root)
        {
            return None;
        }
        let right = display_path(&site.root.join(SETTINGS_FILE));
        format!("move it to `{right}`, or pass it with `--config`")
    };
    let what = format!("`{SETTINGS_FILE}`, above this site,");
    Some(not_read(&file, &what, hint))
}

/// Whether a `package.json`, where many programs of this ecosystem have their settings, has a table of
/// this name.
fn has_table(site: &Site, package: &Path) -> bool {
    let text = site.tree.text(package).unwrap_or_default();
    // Most have none, and parsing takes longer than searching.
    text.contains("\"waypost\"")
        && site.config_file() != Some(package)
        && serde_json::from_str::<Json>(&text).is_ok_and(|package| package["waypost"].is_object())
}

/// Finds a settings file under a wrong name, unless there is one under the right name.
pub(super) fn misnamed_file(site: &Site) -> Option<PathBuf> {
    [SETTINGS_FILE]
        .into_iter()
        .chain(MISNAMED_FILES)
        .map(|name| site.root.join(name))
        .find(|file| site.tree.is_file(file))
        .filter(|file| !file.ends_with(SETTINGS_FILE))
}

fn file_not_read(file: &Path, hint: String) -> Finding {
    not_read(file, &format!("`{}`", display_path(file)), hint)
}

fn not_read(file: &Path, what: &str, hint: String) -> Finding {
    let message = format!("{what} is not read");
    Finding::new(code::SETTINGS_IGNORED, file, message).with_hint(hint)
}
