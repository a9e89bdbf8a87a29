//! Theme directories inside the content of MkDocs: files copied from them to the output are templates,
//! not pages.

use std::path::{Component, Path};

use super::site::Site;

impl Site<'_> {
    /// A glob for the output files copied from the theme directory in the settings.
    pub fn copied_templates(&self) -> Option<String> {
        let generator = self
            .generator
            .filter(|generator| generator.name == "mkdocs")?;
        let dir = self.config.text("theme.custom_dir")?;
        let below = below(dir, generator.roots.first()?.dir_in(&self.config))?;
        Some(format!("{below}/**"))
    }
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
