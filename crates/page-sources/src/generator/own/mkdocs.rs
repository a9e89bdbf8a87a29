//! MkDocs: its languages, and theme directories inside its content, whose files are copied to the
//! output and are templates, not pages.

use std::path::{Component, Path};

use serde_json::Value;

use crate::generator::languages::Languages;
use crate::generator::own_config::OwnConfig;
use crate::generator::own_rules::OwnRules;

pub(super) fn rules() -> OwnRules {
    OwnRules {
        copied_templates: Some(copied_templates),
        languages: Some(languages),
        builds_one_index: true,
        ..OwnRules::default()
    }
}

/// The languages of the plugin mkdocs-static-i18n. Its versions before 1.0 have a table of them,
/// which is not read.
fn languages(languages: &mut Languages<'_>, config: &OwnConfig) {
    if !matches!(config.get("plugins.i18n.languages"), Some(Value::Array(_))) {
        *languages = Languages::default();
        return;
    }
    languages.falls_back = true;
    languages.content_in_dirs = config.text("plugins.i18n.docs_structure") == Some("folder");
}

/// A glob for the output files copied from the theme directory in the settings.
fn copied_templates(config: &OwnConfig, content: &str) -> Option<String> {
    let dir = config.text("theme.custom_dir")?;
    Some(format!("{}/**", below(dir, content)?))
}

/// The path of a directory relative to the content directory, as a glob; `None` if it is not
/// inside.
fn below(dir: &str, content: &str) -> Option<String> {
    let [dir, content] = [dir, content].map(|dir| dir.strip_prefix("./").unwrap_or(dir));
    let below = Path::new(dir).strip_prefix(content).ok()?;
    let mut parts = below.components();
    let leads_down = parts.all(|part| matches!(part, Component::Normal(_)));
    let below = below.to_str()?.trim_end_matches('/');
    (leads_down && !below.is_empty()).then(|| below.to_owned())
}
