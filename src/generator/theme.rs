//! A theme's own folder among the content: what is copied from there to the output is a template and no page.

use std::path::{Component, Path, PathBuf};

use super::site::Site;

/// What stands for more than itself in a glob.
const WILD: [char; 8] = ['*', '?', '[', ']', '{', '}', '!', '\\'];

impl Site<'_> {
    /// Globs over what is copied to the output from the folders of themes that the settings name.
    pub fn copied_templates(&self) -> Vec<String> {
        let Some(generator) = self.generator else {
            return Vec::new();
        };
        let folders = generator
            .theme_keys
            .iter()
            .filter_map(|key| self.config.text(key));
        let in_output = folders.flat_map(|folder| {
            generator.roots.iter().filter_map(move |root| {
                let below = below(folder, root.folder(&self.config))?;
                Some(format!("{}{below}/**", quoted(&root.address)))
            })
        });
        in_output.collect()
    }
}

/// A folder of the site as it is named from another that it lies in, as a glob.
fn below(folder: &str, content: &str) -> Option<String> {
    let [folder, content] = [folder, content].map(plain);
    let below = folder.strip_prefix(content).ok()?;
    let leads_down = below
        .components()
        .all(|part| matches!(part, Component::Normal(_)));
    let below = below
        .to_str()
        .filter(|below| leads_down && !below.is_empty())?;
    Some(quoted(below))
}

fn plain(folder: &str) -> PathBuf {
    Path::new(folder)
        .components()
        .filter(|part| *part != Component::CurDir)
        .collect()
}

fn quoted(text: &str) -> String {
    let quoted = text.chars().map(|letter| {
        if WILD.contains(&letter) {
            format!("\\{letter}")
        } else {
            letter.to_string()
        }
    });
    quoted.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_named_from_the_content_only_where_it_lies_in_it() {
        let check = |folder: &str, content: &str, expected: Option<&str>| {
            assert_eq!(
                below(folder, content).as_deref(),
                expected,
                "{folder} in {content}"
            );
        };
        check("docs/overrides", "docs", Some("overrides"));
        check("./docs/a/[theme]/", "docs/", Some(r"a/\[theme\]"));
        check("overrides", "docs", None);
        check("docs", "docs", None);
        check("docs-theme", "docs", None);
        check("docs/../overrides", "docs", None);
    }
}
