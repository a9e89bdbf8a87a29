//! The types of the tables that describe content: its directories, the style of its URLs, the lists of
//! its sources, its front matter and its languages.

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
    /// How names become parts of URLs.
    #[serde(default)]
    pub names: NameStyle,
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

/// The front matter keys that affect a page's URL.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FrontMatterKeys {
    /// Replaces the whole path, always with a directory.
    pub path: Option<String>,
    /// Replaces the whole path, with a file if the value has an extension.
    pub url: Option<String>,
    /// Values that mark a page that is not built by default.
    pub draft: Vec<Condition>,
    /// Values that keep the page out of the generator's own sitemap.
    pub excluded: Vec<Condition>,
    /// Values that mean that the file does not become a page.
    pub no_page: Vec<Condition>,
}

/// The table `languages` of a generator.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LanguageKeys {
    /// The settings key of the languages: a table with their codes as keys, or an array of tables.
    pub list: String,
    /// The settings key of the default language, or in an array the key that marks it.
    pub default: String,
}
