//! Hugo's `permalinks` setting: which pages have a URL pattern, and the values of its tokens.
//!
//! A port of Hugo's package `resources/page`, file `permalinks.go`. The setting is a table by
//! section, or a table by kind and section. Patterns in an array, and
//! those of a language, are not read.

use serde_json::{Map, Value};

use super::names::{self, HugoDate, cased, kind_of, path_part};
use crate::generators::{PredictionInput, UrlPath, filled};

/// The pattern of the first rule for the pages of a kind and their path in the content.
fn pattern_of<'r>(rules: &'r Map<String, Value>, kind: &str, path: &str) -> Option<&'r str> {
    if kind == "home" {
        return None;
    }
    rules.iter().find_map(|(name, value)| match value {
        Value::Object(sections) if name == kind => sections
            .iter()
            .filter(|(section, _)| is_in_section(path, section))
            .find_map(|(_, pattern)| pattern.as_str()),
        Value::String(pattern) if matches!(kind, "page" | "term") => {
            is_in_section(path, name).then_some(pattern.as_str())
        }
        _ => None,
    })
}

fn is_in_section(path: &str, section: &str) -> bool {
    let section = section.trim_matches(['/', ' ']).to_lowercase();
    match path.strip_prefix(&*section) {
        _ if section.is_empty() => !path.contains('/'),
        Some(below) => below.is_empty() || below.starts_with('/'),
        None => false,
    }
}

/// The path of a page within the content, without extension: `blog/first`.
fn path_of(content: &PredictionInput<'_>) -> String {
    let name = content.name;
    let mut parts: Vec<_> = name.dirs.iter().map(|dir| path_part(dir)).collect();
    if !matches!(name.stem, "index" | "_index") {
        parts.push(path_part(name.stem));
    }
    parts.join("/")
}

/// The values that a page provides for the tokens of a pattern.
pub(super) struct PermalinkPage<'p> {
    content: &'p PredictionInput<'p>,
    pub(super) dated: HugoDate<'p>,
}

impl<'p> PermalinkPage<'p> {
    pub(super) fn new(content: &'p PredictionInput<'p>) -> Self {
        Self {
            content,
            dated: HugoDate::of(content.config, content.name, content.front_matter),
        }
    }

    /// The URL path by the first rule for the page; `None` without a rule, and an empty one if the URL is
    /// not known.
    pub(super) fn paths(&self) -> Option<Vec<UrlPath>> {
        let rules = self.content.config.get("permalinks")?.as_object()?;
        let taxonomies = self
            .content
            .config
            .taxonomies(&self.content.generator.terms);
        let kind = kind_of(&taxonomies, self.content.name);
        let pattern = pattern_of(rules, kind, &path_of(self.content))?;
        let path = filled(pattern, |token| self.value_of(token))
            .map(|path| UrlPath::Page(self.content.prefixed(&self.slug(&path))));
        Some(Vec::from_iter(path))
    }

    /// The text of a token of a pattern, or of a URL that front matter sets.
    pub(super) fn value_of(&self, token: &str) -> Option<String> {
        let name = self.content.name;
        match token {
            "year" => Some(self.dated.date?.format("%-Y")),
            "month" => Some(self.dated.date?.format("%m")),
            "monthname" => Some(self.dated.date?.format("%B")),
            "day" => Some(self.dated.date?.format("%d")),
            "title" => self.title(),
            "slug" => self.own_slug().or_else(|| self.title()),
            "filename" => Some(self.file_name()),
            "slugorfilename" => self.own_slug().or_else(|| Some(self.file_name())),
            "contentbasename" => Some(self.base_name()),
            "slugorcontentbasename" => self.own_slug().or_else(|| Some(self.base_name())),
            "section" => {
                let first = name.dirs.first().copied().unwrap_or_default();
                Some(path_part(first))
            }
            "sections" => {
                // The own directory of a bundle is not a section.
                let dirs = match name.stem {
                    "index" => name.dirs.split_last()?.1,
                    _ => &name.dirs,
                };
                let innermost = self.content.dirs.innermost_section(dirs, name.language);
                let parts: Vec<_> = innermost.iter().map(|part| path_part(part)).collect();
                Some(parts.join("/"))
            }
            _ => None,
        }
    }

    fn slug(&self, text: &str) -> String {
        cased(names::slug(text), self.content.config)
    }

    fn own_slug(&self) -> Option<String> {
        let own = self.content.front_matter.scalar("slug");
        Some(self.slug(own.as_deref().or(self.dated.slug)?))
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
