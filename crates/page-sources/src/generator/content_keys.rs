//! The types of the tables that describe content: its directories, the style of its URLs, and the
//! lists of its sources.

use serde::Deserialize;

use super::condition::Condition;
use super::setting_texts::SettingTexts;

/// A file that identifies a generator.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MarkerFile {
    /// The file, relative to the site root.
    pub file: String,
    /// Conditions on its content, if other generators use files of this name.
    #[serde(default, rename = "if")]
    pub conditions: Vec<Condition>,
}

impl MarkerFile {
    /// Whether the file must have some settings key.
    pub(super) fn requires_key(&self) -> bool {
        self.conditions.iter().any(|condition| condition.expected)
    }
}

/// A content directory.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ContentRootSpec {
    /// The directory, relative to the site root.
    pub dir: SettingTexts,
    /// The output directory of its pages, with a trailing `/`.
    #[serde(default)]
    pub mounted_at: String,
    /// How names become parts of URLs.
    #[serde(default)]
    pub names: NameStyle,
    /// The URL pattern of its pages.
    pub permalink: Option<SettingTexts>,
    /// Whether its drafts are built like other pages.
    #[serde(default)]
    pub builds_drafts: bool,
    /// Conditions for this to be a content directory.
    #[serde(default, rename = "if")]
    pub conditions: Vec<Condition>,
}

/// How names of files and directories become parts of URLs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NameStyle {
    /// By the generator's slug rules and the front matter.
    #[default]
    Slug,
    /// Unchanged, regardless of front matter.
    Verbatim,
    /// Only files named `page` or `+page` are pages, each of its directory. A directory in parentheses
    /// adds nothing to the URL.
    Routes,
    /// As slugs, after `01-name` has become `name`.
    Numbered,
}

/// How a generator lists the sources of its pages.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourceListSpec {
    /// The command that prints the list; `None` if each build writes it.
    pub command: Option<String>,
    /// The file to name in `source_map`.
    pub file: String,
}

impl SourceListSpec {
    /// How to get the list, in words.
    pub fn remedy(&self) -> String {
        let file = &self.file;
        match &self.command {
            Some(command) => format!("`{command}` lists the sources, and waypost reads that list"),
            None => {
                format!("the build lists them in `{file}`: run waypost where the site is built")
            }
        }
    }
}

/// The URL style of content files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ContentUrlStyle {
    /// `foo.md` → `foo/index.html`.
    Dir,
    /// `foo.md` → `foo.html`.
    File,
    /// One of the two, depending on a setting that cannot be read as data.
    Either,
}

/// The rules for the URLs of a generator's settings; each is implemented in code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PermalinkRules {
    /// Hugo's `permalinks`, also those of a language.
    Hugo,
    /// Jekyll's `permalink`, `collections` and `defaults`.
    Jekyll,
    /// Pelican's `*_SAVE_AS`, with metadata in lines at the top of a file.
    Pelican,
    /// VitePress' `rewrites`.
    Vitepress,
}

/// Rules that make slugs from names; each is implemented in code, with the settings that modify it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SlugFunction {
    /// Zola's: the crate `slug` for names of pages, which lose a date in front. The table `slugify`
    /// modifies it.
    Zola,
    /// Hugo's `urlize`, modified by `disablePathToLower`. A name loses its date if
    /// `frontmatter.date` takes the date of the page from there.
    Hugo,
    /// The npm package github-slugger, as Astro uses it.
    GithubSlugger,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_content_directory_needs_only_its_path() {
        let root: ContentRootSpec = toml::from_str("dir = [\"$in\", \"text\"]").expect("a table");
        assert_eq!(root.dir.default_text(), "text");
        assert_eq!(root.names, NameStyle::Slug);
        assert!(toml::from_str::<ContentRootSpec>("dir = 1").is_err());
    }
}
