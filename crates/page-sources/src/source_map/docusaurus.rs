//! The directory `.docusaurus`, in which a build of Docusaurus leaves a file for each page: its URL
//! and its source.
//!
//! Each language is built in turn into the same directory. A translated page keeps its file; that of
//! a page without translation is overwritten by the next language. So an untranslated source is that
//! of the same page in every language without a file of its own.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

use serde::Deserialize;
use serde_json::{Map, Value};
use walkdir::WalkDir;

use super::entry::{PageName, SourceMapEntry};
use super::text::read_text;
use crate::PageSourcesError;
use crate::generator::parse_settings;

/// `i18n.json`, the languages of the site.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct I18n {
    /// The directory of translations.
    path: PathBuf,
    default_locale: String,
    current_locale: String,
    locales: Vec<String>,
    locale_configs: Map<String, Value>,
}

/// A language: its name, and the URL path of its pages with a final slash.
struct Locale {
    name: String,
    base: String,
}

/// Docusaurus' alias for the site root.
const ROOT: &str = "@site/";

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
    source: String,
    permalink: String,
}

/// Reads the files of all pages below `.docusaurus`, sorted by name, and ignores all others.
pub(super) fn read_dir(dir: &Path) -> Result<Vec<SourceMapEntry>, PageSourcesError> {
    let mut pages = Vec::new();
    for entry in WalkDir::new(dir).sort_by_file_name() {
        let entry = entry
            .map_err(|error| PageSourcesError::UnreadableSourceMap(dir.to_owned(), error.into()))?;
        if !entry.file_type().is_file() || !is_page(entry.file_name()) {
            continue;
        }
        pages.extend(read_page(dir, entry.path())?);
    }
    if pages.is_empty() {
        return Err(PageSourcesError::NoPageList(dir.to_owned()));
    }
    let of_languages = match i18n_of(dir)? {
        Some((i18n, locales)) => in_other_languages(dir, &i18n, &locales, &pages),
        None => Vec::new(),
    };
    let stated = pages.into_iter().map(|page| (page.source, page.permalink));
    let all = stated.chain(of_languages);
    let entries = all.map(|(source, permalink)| {
        let source = source.strip_prefix(ROOT).unwrap_or(&source);
        SourceMapEntry::new(PageName::Address(permalink), source.to_owned())
    });
    Ok(entries.collect())
}

/// Reads a file; `None` if it is not that of a page.
fn read_page(dir: &Path, file: &Path) -> Result<Option<StatedPage>, PageSourcesError> {
    let text = read_text(file)?;
    let page: PageFile =
        serde_json::from_str(&text).map_err(|error| PageSourcesError::InvalidSourceMap {
            file: file.to_owned(),
            line: error.line(),
            what: format!("cannot be read: {error}"),
        })?;
    let stated = page.source.zip(page.permalink);
    Ok(stated.map(|(source, permalink)| StatedPage {
        plugin: plugin_of(dir, file),
        source,
        permalink,
    }))
}

/// Whether a file name has the form that Docusaurus uses for pages and for some site-wide data.
fn is_page(name: &OsStr) -> bool {
    name.to_str()
        .and_then(|name| name.strip_prefix("site-")?.strip_suffix(".json"))
        .is_some()
}

fn plugin_of(dir: &Path, file: &Path) -> String {
    let below = file.strip_prefix(dir).unwrap_or(file);
    let mut names = below.components().map(Component::as_os_str);
    let mut name = || names.next().unwrap_or_default().to_string_lossy();
    match (name(), name()) {
        (plugin, id) if id == "default" => plugin.into_owned(),
        (plugin, id) => format!("{plugin}-{id}"),
    }
}

/// The languages; `None` if there is only one.
fn i18n_of(dir: &Path) -> Result<Option<(I18n, Vec<Locale>)>, PageSourcesError> {
    let [i18n, config] = ["i18n.json", "docusaurus.config.mjs"].map(|name| dir.join(name));
    if !i18n.is_file() || !config.is_file() {
        return Ok(None);
    }
    let Ok(i18n) = serde_json::from_str::<I18n>(&read_text(&i18n)?) else {
        return Ok(None);
    };
    let path_of = |name: &str| match name {
        _ if name == i18n.default_locale => String::new(),
        name => format!("{name}/"),
    };
    // The evaluated settings have the base URL of the language that was built last.
    let settings = parse_settings(&config, &read_text(&config)?)?;
    let last = settings.get("baseUrl").and_then(Value::as_str);
    let Some(base) = last.and_then(|last| last.strip_suffix(&*path_of(&i18n.current_locale)))
    else {
        return Ok(None);
    };
    let locales: Vec<Locale> = (i18n.locales.iter())
        .map(|name| {
            let config = i18n.locale_configs.get(name);
            let stated = config.and_then(|config| config.get("baseUrl")?.as_str());
            Locale {
                name: name.clone(),
                base: stated.map_or_else(|| format!("{base}{}", path_of(name)), str::to_owned),
            }
        })
        .collect();
    Ok((locales.len() > 1).then_some((i18n, locales)))
}

/// Sources and URLs of the untranslated pages in the languages that were not built last.
fn in_other_languages(
    dir: &Path,
    i18n: &I18n,
    locales: &[Locale],
    pages: &[StatedPage],
) -> Vec<(String, String)> {
    let translations = dir.parent().unwrap_or(dir).join(&i18n.path);
    let stated: HashSet<&str> = pages.iter().map(|page| page.permalink.as_str()).collect();
    let mut found = Vec::new();
    for page in pages {
        let source = page.source.strip_prefix(ROOT);
        let Some(source) = source.filter(|source| !Path::new(source).starts_with(&i18n.path))
        else {
            continue;
        };
        let of = locales.iter().filter_map(|locale| {
            let path = page.permalink.strip_prefix(locale.base.as_str())?;
            Some((locale, path))
        });
        // The base of the default language begins those of all others.
        let Some((own, path)) = of.max_by_key(|(locale, _)| locale.base.len()) else {
            continue;
        };
        for other in locales.iter().filter(|other| other.name != own.name) {
            let permalink = format!("{}{path}", other.base);
            let below = translations.join(&other.name).join(&page.plugin);
            if !stated.contains(permalink.as_str()) && !is_translated(&below, source) {
                found.push((page.source.clone(), permalink));
            }
        }
    }
    found
}

/// Whether a directory of translations has a file in place of the source. The directory of the
/// plugin's content is not known, so any end of the path counts.
fn is_translated(translations: &Path, source: &str) -> bool {
    let names: Vec<&str> = source.split('/').collect();
    let versions = names.iter().position(|name| name.starts_with("version-"));
    let tails = match versions {
        Some(version) => vec![PathBuf::from_iter(&names[version..])],
        None => (0..names.len())
            .flat_map(|at| {
                let tail = PathBuf::from_iter(&names[at..]);
                [Path::new("current").join(&tail), tail]
            })
            .collect(),
    };
    tails.iter().any(|tail| translations.join(tail).is_file())
}
