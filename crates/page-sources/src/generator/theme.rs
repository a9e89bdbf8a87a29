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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_relative_to_the_content_only_if_it_is_inside() {
        let check = |dir: &str, content: &str, expected: Option<&str>| {
            assert_eq!(
                below(dir, content).as_deref(),
                expected,
                "{dir} in {content}"
            );
        };
        check("docs/overrides", "docs", Some("overrides"));
        check("./docs/a/theme/", "docs/", Some("a/theme"));
        check("overrides", "docs", None);
        check("docs", "docs", None);
        check("docs-theme", "docs", None);
        check("docs/../overrides", "docs", None);
    }
}
