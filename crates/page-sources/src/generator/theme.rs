//! Theme directories inside the content: files copied from them to the output are templates, not
//! pages.

use std::path::{Component, Path, PathBuf};

use super::site::Site;

impl Site<'_> {
    /// Globs for output files copied from the theme directories in the settings.
    pub fn copied_templates(&self) -> Vec<String> {
        let Some(generator) = self.generator else {
            return Vec::new();
        };
        let dirs = self.config.texts_of(&generator.template_dirs).into_iter();
        let in_output = dirs.flat_map(|dir| {
            generator.roots.iter().filter_map(move |root| {
                let below = below(dir, root.dir_in(&self.config))?;
                Some(format!("{}{below}/**", root.mounted_at))
            })
        });
        in_output.collect()
    }
}

/// The path of a directory relative to the content directory, as a glob; `None` if it is not
/// inside.
fn below(dir: &str, content: &str) -> Option<String> {
    let [dir, content] = [dir, content].map(plain);
    let below = dir.strip_prefix(content).ok()?;
    let leads_down = below
        .components()
        .all(|part| matches!(part, Component::Normal(_)));
    let below = below
        .to_str()
        .filter(|below| leads_down && !below.is_empty())?;
    Some(below.to_owned())
}

fn plain(dir: &str) -> PathBuf {
    Path::new(dir)
        .components()
        .filter(|part| *part != Component::CurDir)
        .collect()
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
