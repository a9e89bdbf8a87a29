//! Starlight, the documentation theme of Astro: its content directory, drafts and languages.

use std::path::Path;

use crate::generator::front_matter::FrontMatter;
use crate::generator::languages::Languages;
use crate::generator::own_config::OwnConfig;
use crate::generator::own_rules::OwnRules;
use crate::generator::slug;

/// The content directory of Starlight.
const DOCS: &str = "src/content/docs";

pub(super) fn rules() -> OwnRules {
    OwnRules {
        root_dir: Some(root_dir),
        languages: Some(languages),
        root_language: Some("root"),
        path_key: Some("slug"),
        slug: Some(|_, name, _| slug::github(name)),
        draft_mark: Some(draft_mark),
        read_by_templates: Some("src/content"),
        ..OwnRules::default()
    }
}

/// Without Starlight, its directory is another collection.
fn root_dir(config: &OwnConfig, _: &Path, dir: String) -> Option<String> {
    let is_used = dir != DOCS || config.get("integrations.starlight").is_some();
    is_used.then_some(dir)
}

/// Astro itself has no drafts; templates that read collections leave them out by this key.
fn draft_mark(path: &str, front_matter: &FrontMatter) -> Option<String> {
    let is_draft = front_matter.value("draft") == Some(&true.into());
    (is_draft && path.starts_with("src/content/")).then(|| "draft: true".to_owned())
}

/// Each language has a directory in the content and in the output, except the root language.
fn languages(languages: &mut Languages<'_>, _: &OwnConfig) {
    languages.folds_dirs = true;
    languages.falls_back = true;
    languages.all_in_dirs = !languages.codes.is_empty();
    languages.content_in_dirs = languages.all_in_dirs;
}
