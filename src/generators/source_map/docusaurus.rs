//! The directory `.docusaurus`, in which a build of Docusaurus leaves a file for each page: its URL
//! and its source.
//!
//! Each language is built in turn into the same directory. A translated page keeps its file; that of
//! a page without translation is overwritten by the next language. So an untranslated source is that
//! of the same page in every language without a file of its own.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;
use walkdir::WalkDir;

use super::{PageName, SourceMapEntry, SourceMapError, invalid, read_text};
use crate::generators::parse_settings;

/// Docusaurus' alias for the site root.
const ROOT: &str = "@site/";

/// `i18n.json`, the languages of the site.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct I18n {
    /// The directory of translations.
    path: PathBuf,
    default_locale: String,
    current_locale: String,
    locales: Vec<String>,
    /// The settings of each language.
    locale_configs: Value,
}

impl I18n {
    /// The directory of the pages of a language, with a final slash; empty for the default one.
    fn dir_of(&self, language: &str) -> String {
        if language == self.default_locale {
            String::new()
        } else {
            format!("{language}/")
        }
    }
}

/// A file of a page, or of something else that lacks one of these keys.
#[derive(Debug, Deserialize)]
struct PageFile {
    source: Option<String>,
    permalink: Option<String>,
}

/// A page's file, with the plugin that wrote it.
struct StatedPage {
    /// The directory of the plugin's translations: `docusaurus-plugin-content-docs-ID`, without the
    /// ID `default`.
    plugin: String,
    /// Relative to the site root.
    source: String,
    permalink: String,
}

/// Reads the files of all pages below `.docusaurus`, sorted by name, and ignores all others.
pub(super) fn read_dir(dir: &Path) -> Result<Vec<SourceMapEntry>, SourceMapError> {
    let mut pages = Vec::new();
    for entry in WalkDir::new(dir).sort_by_file_name() {
        let entry =
            entry.map_err(|error| SourceMapError::Unreadable(dir.to_owned(), error.into()))?;
        let name = entry.file_name().to_string_lossy();
        if entry.file_type().is_file() && name.starts_with("site-") && name.ends_with(".json") {
            pages.extend(read_page(dir, entry.path())?);
        }
    }
    let untranslated = in_other_languages(dir, &pages).unwrap_or_default();
    let stated = pages.into_iter().map(|page| (page.source, page.permalink));
    let mut entries = Vec::new();
    for (source, permalink) in stated.chain(untranslated) {
        // That of an index file ends in a slash, also with `trailingSlash: false`.
        let bare = permalink.strip_suffix('/').map(str::to_owned);
        for name in [Some(permalink), bare].into_iter().flatten() {
            entries.push(SourceMapEntry {
                page: PageName::Address(name),
                source: source.clone(),
            });
        }
    }
    Ok(entries)
}

/// Reads a file; `None` if it is not that of a page.
fn read_page(dir: &Path, file: &Path) -> Result<Option<StatedPage>, SourceMapError> {
    let text = read_text(file)?;
    let page: PageFile = serde_json::from_str(&text)
        .map_err(|error| invalid(file, Some(error.line()), format!("cannot be read: {error}")))?;
    let below = file.strip_prefix(dir).unwrap_or(file);
    let names = below.iter().take(2).map(|name| name.to_string_lossy());
    let names: Vec<_> = names.filter(|name| name != "default").collect();
    let stated = page.source.zip(page.permalink);
    Ok(stated.map(|(source, permalink)| StatedPage {
        plugin: names.join("-"),
        source: source.strip_prefix(ROOT).unwrap_or(&source).to_owned(),
        permalink,
    }))
}

/// The URL path of the pages of each language, with a final slash.
fn bases_of(dir: &Path, i18n: &I18n) -> Option<Vec<(String, String)>> {
    // The evaluated settings have the base URL of the language that was built last.
    let config = dir.join("docusaurus.config.mjs");
    let settings = parse_settings(&config, &read_text(&config).ok()?).ok()?;
    let last = settings.get("baseUrl").and_then(Value::as_str)?;
    let base = last.strip_suffix(&*i18n.dir_of(&i18n.current_locale))?;
    let mut bases = Vec::new();
    for name in &i18n.locales {
        let stated = i18n.locale_configs[name]["baseUrl"].as_str();
        let base = stated.map_or_else(|| format!("{base}{}", i18n.dir_of(name)), str::to_owned);
        bases.push((name.clone(), base));
    }
    Some(bases)
}

/// Sources and URLs of the untranslated pages in the languages that were not built last; `None` if
/// the languages are not known.
fn in_other_languages(dir: &Path, pages: &[StatedPage]) -> Option<Vec<(String, String)>> {
    let i18n = read_text(&dir.join("i18n.json")).ok()?;
    let i18n: I18n = serde_json::from_str(&i18n).ok()?;
    let bases = bases_of(dir, &i18n)?;
    let translations = dir.parent().unwrap_or(dir).join(&i18n.path);
    let stated: HashSet<&str> = pages.iter().map(|page| page.permalink.as_str()).collect();
    let mut found = Vec::new();
    for page in pages {
        if Path::new(&page.source).starts_with(&i18n.path) {
            continue;
        }
        // The base of the default language begins those of all others.
        let Some((own, _, path)) = bases
            .iter()
            .filter_map(|(name, base)| {
                Some((name, base, page.permalink.strip_prefix(base.as_str())?))
            })
            .max_by_key(|(_, base, _)| base.len())
        else {
            continue;
        };
        for (name, base) in bases.iter().filter(|(name, _)| name != own) {
            let permalink = format!("{base}{path}");
            let translated = translations.join(name).join(&page.plugin);
            if !stated.contains(&*permalink) && !is_translated(&translated, &page.source) {
                found.push((page.source.clone(), permalink));
            }
        }
    }
    Some(found)
}

/// Whether a directory of translations has a file in place of the source. The directory of the
/// plugin's content is not known, so any end of the path counts, and of a version that below it.
fn is_translated(translations: &Path, source: &str) -> bool {
    let names: Vec<&str> = source.split('/').collect();
    let version = names.iter().position(|name| name.starts_with("version-"));
    let mut starts = version.map_or(0..names.len(), |version| version..version + 1);
    starts.any(|start| {
        let end = PathBuf::from_iter(&names[start..]);
        translations.join(&end).is_file() || translations.join("current").join(end).is_file()
    })
}
