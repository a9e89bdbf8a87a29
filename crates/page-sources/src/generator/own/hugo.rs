//! Hugo's own rules, and what its pages inherit from the list pages above them.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::hugo_modules;
use super::hugo_names::{self, HugoDate, cased};
use super::hugo_permalinks;
use crate::generator::languages::Languages;
use crate::generator::listed_content::ListedContentFile;
use crate::generator::own_config::OwnConfig;
use crate::generator::own_rules::{OwnRules, SourceList};
use crate::generator::slug::{self, SlugSubject};

pub(super) fn rules() -> OwnRules {
    OwnRules {
        keys_ignore_case: true,
        settings_dirs: &["config/_default", "config/production"],
        source_list: Some(SourceList {
            file: "pages.csv",
            remedy: "`hugo list all > pages.csv` lists the sources, and waypost reads that list",
        }),
        date_order: Some(hugo_names::lastmod_order),
        languages: Some(languages),
        mounts: Some(hugo_modules::mounts),
        inherit: Some(inherit),
        list_stem: Some("_index"),
        has_lists: true,
        has_bundles: true,
        paths: Some(hugo_permalinks::paths_of),
        url_token: Some(hugo_permalinks::value_of),
        reads_slug: true,
        undated: Some(|config, content| {
            let dated = HugoDate::of(config, content.name, content.front_matter);
            dated.slug.map(str::to_owned)
        }),
        slug: Some(|config, name, subject| {
            let slug = match subject {
                SlugSubject::FrontMatter => slug::hugo_slug(name),
                SlugSubject::Dir | SlugSubject::Page | SlugSubject::Term => slug::hugo_path(name),
            };
            cased(slug, config)
        }),
        builds_drafts: &["buildDrafts"],
        has_page_settings: true,
        page_table: Some("sitemap"),
        ..OwnRules::default()
    }
}

fn languages(languages: &mut Languages<'_>, config: &OwnConfig) {
    languages.folds_dirs = true;
    languages.all_in_dirs = languages.have_hosts || config.is_on("defaultContentLanguageInSubdir");
}

/// Adds the values of `cascade`, without a target, in list pages to the front matter of all files
/// below them. A file's own values take precedence, then those of the nearest list page.
fn inherit(languages: &Languages<'_>, files: &mut [ListedContentFile<'_>]) {
    let mut of_dirs: HashMap<(String, String), Map<String, Value>> = HashMap::new();
    for file in &*files {
        let name = file.name(languages);
        if name.stem == "_index"
            && let Some(Value::Object(values)) = file.front_matter.value("cascade")
            && !values.contains_key("target")
            && !values.contains_key("_target")
        {
            let dir = (name.dirs.join("/"), name.language.to_owned());
            of_dirs.insert(dir, values.clone());
        }
    }
    for file in files.iter_mut().filter(|_| !of_dirs.is_empty()) {
        let name = file.name(languages);
        let above = (0..=name.dirs.len()).rev().filter_map(|depth| {
            let dir = name.dirs[..depth].join("/");
            of_dirs.get(&(dir, name.language.to_owned()))
        });
        for values in above.collect::<Vec<_>>() {
            file.front_matter.inherit(values);
        }
    }
}
