//! Where a generator writes the page of a content file: Zola's, Hugo's and mdBook's conventions, driven by the
//! manifest.

use super::front_matter::FrontMatter;
use super::manifest::{Generator, SlugFunction, SlugScope, UrlStyle};
use super::own_config::OwnConfig;
use super::slug::{self, Case};
use crate::location::SitePath;

/// The conventions of one site.
#[derive(Debug)]
pub(super) struct Convention<'a> {
    generator: &'a Generator,
    config: &'a OwnConfig,
    default_language: Option<&'a str>,
    languages: Vec<&'a str>,
    url_style: UrlStyle,
}

/// What names the last part of an address.
#[derive(Clone, Copy)]
enum Named {
    ByFile,
    ByFrontMatter,
}

/// A content file's path below its root, taken apart.
struct Name<'a> {
    folders: Vec<&'a str>,
    stem: &'a str,
    language: Option<&'a str>,
}

impl<'a> Convention<'a> {
    pub(super) fn new(generator: &'a Generator, config: &'a OwnConfig) -> Self {
        let languages = generator.languages.as_ref();
        let ugly = generator.ugly_key.as_ref().is_some_and(|key| config.is_on(key));
        Self {
            generator,
            config,
            default_language: languages.map(|keys| config.text(&keys.default_key).unwrap_or("en")),
            languages: languages.map(|keys| config.keys(&keys.table_key)).unwrap_or_default(),
            url_style: if ugly { UrlStyle::File } else { generator.url_style },
        }
    }

    /// The file below the output folder that a content file becomes; `None` where that cannot be told for sure.
    pub(super) fn output_of(&self, below_root: &SitePath, front_matter: &FrontMatter) -> Option<SitePath> {
        let text = std::str::from_utf8(below_root.as_bytes()).ok()?;
        let name = self.take_apart(text)?;
        if let Some(own) = self.own_address(&name, front_matter) {
            return own;
        }
        if self.has_permalinks(&name) {
            return None;
        }
        let keys = &self.generator.front_matter;
        let is_index = self.generator.leaf_index.iter().any(|known| known == name.stem);
        let is_list = self.generator.branch_index.iter().any(|known| known == name.stem);
        let mut parts: Vec<String> = name.folders.iter().map(|&folder| folder.to_owned()).collect();
        if !is_index && !is_list {
            parts.push(name.stem.to_owned());
        }
        let slug = keys.slug.as_ref().and_then(|key| front_matter.text(key)).filter(|_| !is_list);
        self.slugify(&mut parts, slug, is_list);
        let folder = (self.prefix(name.language) + &parts.join("/")).trim_matches('/').to_owned();
        Some(self.file_of(&folder, is_index || is_list))
    }

    fn take_apart<'n>(&self, text: &'n str) -> Option<Name<'n>> {
        let (folder, file) = text.rsplit_once('/').unwrap_or(("", text));
        let (stem, _) = file.rsplit_once('.')?;
        let folders = folder.split('/').filter(|part| !part.is_empty()).collect();
        let known = |code: &str| {
            self.languages.iter().chain(&self.default_language).any(|known| known.eq_ignore_ascii_case(code))
        };
        match stem.rsplit_once('.') {
            Some((stem, code)) if known(code) => Some(Name { folders, stem, language: Some(code) }),
            _ => Some(Name { folders, stem, language: None }),
        }
    }

    /// The address that the page names itself: `Some(None)` where it does and it cannot be followed.
    #[expect(clippy::option_option, reason = "says something, or says something that cannot be followed")]
    fn own_address(&self, name: &Name<'_>, front_matter: &FrontMatter) -> Option<Option<SitePath>> {
        let keys = &self.generator.front_matter;
        if let Some(path) = keys.path.as_ref().and_then(|key| front_matter.text(key)) {
            return Some(Some(self.file_of(path.trim_matches('/'), true)));
        }
        let url = keys.url.as_ref().and_then(|key| front_matter.text(key))?;
        if url.contains(':') {
            return Some(None);
        }
        // A leading slash: from the site's root. None: within the language.
        let within = if url.starts_with('/') { String::new() } else { self.prefix(name.language) };
        let path = within + url.trim_start_matches('/');
        let is_file = path.rsplit('/').next().is_some_and(|last| last.contains('.'));
        Some(Some(if is_file { SitePath::from(path.as_str()) } else { self.file_of(path.trim_matches('/'), true) }))
    }

    /// Whether the site gives this part of the content addresses of another pattern.
    fn has_permalinks(&self, name: &Name<'_>) -> bool {
        let Some(key) = &self.generator.permalinks_key else { return false };
        let Some(table) = self.config.get(key) else { return false };
        let section = name.folders.first().copied().unwrap_or_default();
        let of = |kind: &str| table.get(kind).is_some_and(|kind| kind.get(section).is_some());
        table.is_array() || table.get(section).is_some_and(serde_json::Value::is_string) || of("page") || of("section")
    }

    fn slugify(&self, parts: &mut [String], own_slug: Option<&str>, is_list: bool) {
        let Some((last, folders)) = parts.split_last_mut() else { return };
        let dates = self.generator.date_prefix.as_ref();
        let keeps_dates = dates.and_then(|dates| dates.keep_key.as_ref()).is_some_and(|key| self.config.is_on(key));
        if dates.is_some() && !keeps_dates && !is_list {
            *last = slug::without_date(last).to_owned();
        }
        if let Some(own) = own_slug {
            *last = self.slug_of(own, Named::ByFrontMatter);
        }
        let Some(slug) = &self.generator.slug else { return };
        if slug.scope == SlugScope::All {
            for folder in folders {
                *folder = self.slug_of(folder, Named::ByFile);
            }
        }
        // Zola makes slugs of pages only, never of the folders that are sections.
        if own_slug.is_none() && (slug.scope == SlugScope::All || !is_list) {
            *last = self.slug_of(last, Named::ByFile);
        }
    }

    fn slug_of(&self, name: &str, named: Named) -> String {
        let Some(slug) = &self.generator.slug else { return name.to_owned() };
        let keeps_case = slug.keep_case_key.as_ref().is_some_and(|key| self.config.is_on(key));
        let mode = slug.mode_key.as_ref().and_then(|key| self.config.text(key)).unwrap_or("on");
        let case = if keeps_case { Case::Kept } else { Case::Lower };
        match (slug.with, mode, named) {
            (_, "off", _) => name.to_owned(),
            (SlugFunction::Slug, "safe", _) => slug::zola_safe(name),
            (SlugFunction::Slug, ..) => slug::zola(name),
            (SlugFunction::HugoUrlize, _, Named::ByFile) => slug::hugo_path(name, case),
            (SlugFunction::HugoUrlize, _, Named::ByFrontMatter) => slug::hugo_slug(name, case),
        }
    }

    /// The folder of a language: none for the default one, unless the site puts that into a folder too.
    fn prefix(&self, language: Option<&str>) -> String {
        let in_subdir = self.generator.languages.as_ref().and_then(|keys| keys.default_in_subdir_key.as_ref());
        let in_subdir = in_subdir.is_some_and(|key| self.config.is_on(key));
        match language.or(self.default_language) {
            Some(code) if in_subdir || self.default_language != Some(code) => format!("{}/", code.to_lowercase()),
            _ => String::new(),
        }
    }

    fn file_of(&self, path: &str, as_folder: bool) -> SitePath {
        let text = match self.url_style {
            _ if path.is_empty() => "index.html".to_owned(),
            UrlStyle::File if !as_folder => format!("{path}.html"),
            _ => format!("{path}/index.html"),
        };
        SitePath::from(text.as_str())
    }
}
