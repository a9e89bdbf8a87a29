//! The settings of a site that its generator has: waypost's table in them, and the order of dates; and those
//! of a run that takes a sitemap in place of a site.

use std::collections::BTreeMap;
use std::path::Path;

use super::preview::{self, BuildKind};
use super::repository::repository_around;
use super::run_error::RunError;
use crate::config::{self, Flags, LayerInputs, LoadedSettings, SettingOrigin, SettingsTable};
use crate::decide::reason_names;
use crate::files::located_values::Syntax;
use crate::files::tree::Tree;
use crate::generators::source_map::MdbookBook;
use crate::generators::{Pipelines, Site};
use crate::settings::{DateSource, Settings};

/// Returns the places for waypost's table in the generator's own settings.
pub(super) fn settings_tables(site: &Site) -> Vec<SettingsTable> {
    let Some(table) = site.generator.and_then(|known| known.rules_table.as_ref()) else {
        return Vec::new();
    };
    let mut tables = Vec::new();
    for file in &site.config.files {
        // `params.toml` contains the table `params` itself.
        let table = file
            .file_stem()
            .and_then(|stem| table.strip_prefix(stem.to_str()?)?.strip_prefix('.'))
            .unwrap_or(table);
        let syntax = Syntax::for_file(file);
        tables.push(SettingsTable::new(file.clone(), table.to_owned(), syntax));
    }
    tables
}

/// Returns the renderer's table in `book.toml`, or mdBook's resolved settings if the environment
/// overrides the table.
pub(super) fn home_in_book(site: &Site, book: &MdbookBook) -> SettingsTable {
    let settings = book.settings();
    let table = format!("output.{}", book.renderer());
    let mut home = if site.config.get(&table) == Some(settings) {
        SettingsTable::new(site.root.join("book.toml"), table, Syntax::Toml)
    } else {
        // This text has no line numbers in common with the file.
        let file = site
            .root
            .join("book.toml, with changes from the environment");
        let mut changed = SettingsTable::new(file, String::new(), Syntax::Json);
        changed.text = Some(format!("{settings:#}"));
        changed
    };
    // Keys that mdBook reads itself.
    home.foreign_keys = ["command", "optional"].map(str::to_owned).to_vec();
    home
}

/// Follows the order of dates in the generator's settings, if they state one, or else that of its documentation,
/// in which a date in front matter overrides that of Git. Git and the page itself come last where the settings do
/// not name them; other keys of front matter do not count.
pub(super) fn follow_stated_order(site: &Site, loaded: &mut LoadedSettings) {
    let Some(generator) = site.generator else {
        return;
    };
    let stated = site.date_order();
    let (names, origin) = match site.config_file() {
        Some(file) if !stated.is_empty() => (stated, SettingOrigin::File(file.to_owned(), None)),
        _ if generator.lastmod_overrides_git => (
            generator.lastmod_keys.clone(),
            SettingOrigin::Generator(generator.title.clone()),
        ),
        _ => return,
    };
    let mut from: Vec<DateSource> = Vec::new();
    for name in names.into_iter().chain([":git".to_owned()]) {
        let source = match &*name {
            ":git" => DateSource::Git,
            ":filename" => DateSource::FileName,
            // In a clone, it is the time of the checkout.
            ":filemodtime" => continue,
            _ => DateSource::Key(name),
        };
        if !from.contains(&source) {
            from.push(source);
        }
    }
    from.push(DateSource::Page);
    loaded.set_date_order(from, &origin);
}

/// Reads `waypost.toml` in the working directory, the environment and the flags.
pub fn settings_without_site(
    environment: &BTreeMap<String, String>,
    flags: Flags,
) -> Result<Settings, RunError> {
    let loaded = config::load(&LayerInputs {
        site_root: Path::new("."),
        generator_tables: &[],
        environment,
        flags,
        reasons: &reason_names(),
    })?;
    Ok(loaded.settings)
}

/// Decides whether a run in the working directory is one of production, as for a build.
pub fn kind_without_site(
    environment: &BTreeMap<String, String>,
    settings: &Settings,
) -> Result<BuildKind, RunError> {
    let here = Path::new(".");
    let tree = Tree::new(here);
    let repository = repository_around(here, &tree);
    let pipelines = Pipelines::new(environment);
    let kind = preview::kind_of_build(pipelines, settings, repository.as_deref(), &tree);
    tree.check()?;
    Ok(kind)
}
