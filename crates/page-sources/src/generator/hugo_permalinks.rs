//! Hugo's `permalinks` setting: which pages have a URL pattern, and the values of its tokens.
//!
//! A port of Hugo's package `resources/page`, file `permalinks.go`. The setting is a table by
//! section, or a table by kind and section. Patterns in an array, and
//! those of a language, are not read.

use serde_json::Value;

use super::convention_input::ConventionInput;
use super::hugo::{HugoDate, kind_of, path_part};
use super::own_config::OwnConfig;
use super::slug;
use super::url_pattern::filled;

/// The permalink rules of a site.
#[derive(Debug)]
pub(super) struct HugoPermalinks<'a> {
    config: &'a OwnConfig,
    taxonomies: Vec<&'a str>,
    rules: Vec<PermalinkRule<'a>>,
}

/// The pattern of the pages of some kinds in a section.
#[derive(Debug)]
struct PermalinkRule<'a> {
    kinds: Vec<&'a str>,
    section: String,
    pattern: &'a str,
}

impl<'a> HugoPermalinks<'a> {
    pub(super) fn new(config: &'a OwnConfig, taxonomies: Vec<&'a str>) -> Self {
        let setting = config.get("permalinks").and_then(Value::as_object);
        let rules = setting.into_iter().flatten().flat_map(|(name, value)| {
            let kinds_and_sections: Vec<(Vec<&str>, &String, &Value)> = match value {
                Value::Object(sections) => sections
                    .iter()
                    .map(|(section, pattern)| (vec![name.as_str()], section, pattern))
                    .collect(),
                pattern => vec![(vec!["page", "term"], name, pattern)],
            };
            let rules = kinds_and_sections.into_iter();
            rules.filter_map(|(kinds, section, pattern)| {
                Some(PermalinkRule {
                    kinds,
                    section: section.trim_matches(['/', ' ']).to_lowercase(),
                    pattern: pattern.as_str()?,
                })
            })
        });
        Self {
            rules: rules.collect(),
            config,
            taxonomies,
        }
    }

    /// The URL path by the first rule for a page, below the directory of its language; `None` without
    /// a rule, and an empty one if the URL is not known.
    pub(super) fn paths_of(&self, content: &ConventionInput<'_>) -> Option<Vec<String>> {
        let (kind, path) = (kind_of(&self.taxonomies, content.name), path_of(content));
        let rule = self.rules.iter().find(|rule| {
            let below = path.strip_prefix(&*rule.section);
            let is_in_section = match &*rule.section {
                "" => !path.contains('/'),
                _ => below.is_some_and(|below| below.is_empty() || below.starts_with('/')),
            };
            kind != "home" && rule.kinds.contains(&kind) && is_in_section
        })?;
        let page = PermalinkPage::new(self.config, content);
        let path = filled(rule.pattern, |token| page.value_of(token));
        Some(path.iter().map(|path| page.slug(path)).collect())
    }

    /// The URL in front matter with values in place of its tokens.
    pub(super) fn filled(&self, content: &ConventionInput<'_>, url: &str) -> Option<String> {
        let page = PermalinkPage::new(self.config, content);
        filled(url, |token| page.value_of(token))
    }
}

/// The path of a page within the content, without extension: `blog/first`.
fn path_of(content: &ConventionInput<'_>) -> String {
    let name = content.name;
    let is_index = matches!(name.stem, "index" | "_index");
    let stem = (!is_index).then_some(name.stem);
    let parts = name.dirs.iter().copied().chain(stem);
    parts.map(path_part).collect::<Vec<_>>().join("/")
}

/// The values that a page provides for the tokens of a pattern.
struct PermalinkPage<'p> {
    content: &'p ConventionInput<'p>,
    dated: HugoDate<'p>,
    keeps_case: bool,
}

impl<'p> PermalinkPage<'p> {
    fn new(config: &OwnConfig, content: &'p ConventionInput<'p>) -> Self {
        Self {
            content,
            dated: HugoDate::of(config, content.name, content.front_matter),
            keeps_case: config.is_on(slug::HUGO_KEEPS_CASE),
        }
    }

    fn value_of(&self, token: &str) -> Option<String> {
        let name = self.content.name;
        let format = |format: &str| Some(self.dated.date?.format(format));
        match token {
            "year" => Some(self.dated.date?.year()),
            "month" => format("%m"),
            "monthname" => format("%B"),
            "day" => format("%d"),
            "title" => self.title(),
            "slug" => self.own_slug().or_else(|| self.title()),
            "filename" => Some(self.file_name()),
            "slugorfilename" => self.own_slug().or_else(|| Some(self.file_name())),
            "contentbasename" => Some(self.base_name()),
            "slugorcontentbasename" => self.own_slug().or_else(|| Some(self.base_name())),
            "section" => {
                let first = name.dirs.first();
                Some(first.map(|first| path_part(first)).unwrap_or_default())
            }
            "sections" => {
                // The own directory of a bundle is not a section.
                let dirs = match name.stem {
                    "index" => name.dirs.split_last()?.1,
                    _ => &name.dirs,
                };
                let innermost = self.content.dirs.innermost_section(dirs, name.language);
                let parts = innermost.iter().map(|part| path_part(part));
                Some(parts.collect::<Vec<_>>().join("/"))
            }
            _ => None,
        }
    }

    fn slug(&self, text: &str) -> String {
        slug::cased(slug::hugo_slug(text), self.keeps_case)
    }

    fn own_slug(&self) -> Option<String> {
        let own = self.content.front_matter.scalar("slug");
        let own = own.or_else(|| self.dated.slug.map(str::to_owned))?;
        Some(self.slug(&own))
    }

    fn title(&self) -> Option<String> {
        let title = self.content.front_matter.scalar("title")?;
        Some(self.slug(&title))
    }

    fn file_name(&self) -> String {
        match self.content.name.stem {
            "_index" => String::new(),
            _ => self.base_name(),
        }
    }

    fn base_name(&self) -> String {
        let name = self.content.name;
        self.slug(match name.stem {
            "index" | "_index" => name.dirs.last().copied().unwrap_or_default(),
            stem => stem,
        })
    }
}
