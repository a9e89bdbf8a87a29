//! Hugo's `permalinks` setting: which pages have a URL pattern, and the values of its tokens.
//!
//! A port of Hugo's package `resources/page`, file `permalinks.go`. The setting is a table by
//! section, a table by kind and section, or an array of patterns with targets.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::convention_input::ConventionInput;
use super::hugo::{HugoDate, HugoPage, HugoTarget, path_part};
use super::languages::Languages;
use super::own_config::OwnConfig;
use super::slug;
use super::url_pattern::{filled, slice};

/// The settings key of URL patterns.
const KEY: &str = "permalinks";

/// The kinds of pages that may have patterns.
const KINDS: [&str; 4] = ["page", "section", "taxonomy", "term"];

/// The permalink rules of a site.
#[derive(Debug)]
pub(super) struct HugoPermalinks<'a> {
    config: &'a OwnConfig,
    taxonomies: Vec<&'a str>,
    rules: Vec<PermalinkRule>,
    /// The rules of languages that have their own, which replace the others.
    of_languages: BTreeMap<&'a str, Vec<PermalinkRule>>,
}

/// The pattern of the pages that a target selects.
#[derive(Debug)]
struct PermalinkRule {
    target: HugoTarget,
    pattern: Option<String>,
}

/// The values that a page provides for the tokens of a pattern.
struct PermalinkPage<'p> {
    content: &'p ConventionInput<'p>,
    kind: &'static str,
    dated: HugoDate<'p>,
    keeps_case: bool,
}

impl<'a> HugoPermalinks<'a> {
    pub(super) fn new(
        config: &'a OwnConfig,
        languages: &Languages<'a>,
        taxonomies: Vec<&'a str>,
    ) -> Self {
        let own = languages.codes().iter().filter_map(|&code| {
            let own = config.get(&languages.key_of(code, KEY))?;
            Some((code, rules_of(own)))
        });
        Self {
            of_languages: own.collect(),
            rules: config.get(KEY).map(rules_of).unwrap_or_default(),
            config,
            taxonomies,
        }
    }

    /// The URL path by the first rule for a page, below the directory of its language; `None` without
    /// a rule, and an empty one if the URL is not known.
    pub(super) fn paths_of(&self, content: &ConventionInput<'_>) -> Option<Vec<String>> {
        let page = HugoPage::new(&self.taxonomies, content.name);
        let own = self.of_languages.get(content.name.language);
        let mut rules = own.unwrap_or(&self.rules).iter();
        let rule = rules.find(|rule| page.kind != "home" && rule.target.selects(&page))?;
        let pattern = rule.pattern.as_ref().filter(|_| rule.target.is_clear);
        let path = pattern.and_then(|pattern| {
            let values = self.values_of(content, page.kind);
            Some(values.slug(&values.fill(pattern)?))
        });
        Some(path.into_iter().collect())
    }

    /// The URL in front matter with values in place of its tokens.
    pub(super) fn filled(&self, content: &ConventionInput<'_>, url: &str) -> Option<String> {
        let page = HugoPage::new(&self.taxonomies, content.name);
        self.values_of(content, page.kind).fill(url)
    }

    fn values_of<'p>(
        &self,
        content: &'p ConventionInput<'p>,
        kind: &'static str,
    ) -> PermalinkPage<'p> {
        PermalinkPage {
            content,
            kind,
            dated: HugoDate::of(self.config, content.name, content.front_matter),
            keeps_case: self.config.is_on(slug::HUGO_KEEPS_CASE),
        }
    }
}

fn rules_of(setting: &Value) -> Vec<PermalinkRule> {
    let rule = |target: &Value, pattern: Option<&Value>| PermalinkRule {
        target: HugoTarget::read(Some(target)),
        pattern: pattern.and_then(Value::as_str).map(str::to_owned),
    };
    let of_section = |kind: &str, section: &str, pattern: &Value| {
        rule(
            &json!({ "kind": kind, "path": section_globs(section) }),
            Some(pattern),
        )
    };
    match setting {
        Value::Array(list) => {
            let empty = json!({});
            let rules = list.iter();
            let rules = rules
                .map(|entry| rule(entry.get("target").unwrap_or(&empty), entry.get("pattern")));
            rules.collect()
        }
        Value::Object(table) => {
            let rules = table.iter().flat_map(|(name, value)| match value {
                Value::String(_) => vec![of_section("{page,term}", name, value)],
                Value::Object(sections) if KINDS.contains(&&*name.to_lowercase()) => {
                    let sections = sections.iter();
                    sections
                        .map(|(section, pattern)| of_section(name, section, pattern))
                        .collect()
                }
                _ => Vec::new(),
            });
            rules.collect()
        }
        _ => Vec::new(),
    }
}

/// The globs of the pages in a section. The section `/` has the pages at the top level.
fn section_globs(section: &str) -> Vec<String> {
    let section = section.trim_matches(['/', ' ']);
    // A character that globs give a meaning is any character.
    let section = section.replace(['*', '?', '[', ']', '{', '}', '\\'], "?");
    match section.as_str() {
        "" => vec!["*".to_owned()],
        section => vec![section.to_owned(), format!("{section}/**")],
    }
}

impl PermalinkPage<'_> {
    /// Replaces the tokens of a pattern; `None` if one has no known value.
    fn fill(&self, pattern: &str) -> Option<String> {
        filled(pattern, |token, brackets| self.value_of(token, brackets))
    }

    fn value_of(&self, token: &str, brackets: Option<&str>) -> Option<String> {
        let date = self.dated.date;
        let format = |format: &str| Some(date?.format(format));
        let chosen = |parts: Vec<String>| match brackets {
            Some(brackets) => slice(&parts, brackets).join("/"),
            None => parts.join("/"),
        };
        match token {
            "year" => Some(date?.year()),
            "month" => format("%m"),
            "monthname" => format("%B"),
            "day" => format("%d"),
            "weekday" => format("%w"),
            "weekdayname" => format("%A"),
            "yearday" => format("%-j"),
            "title" => self.title(),
            "slug" => self.own_slug().or_else(|| self.title()),
            "filename" => Some(self.file_name()),
            "slugorfilename" => self.own_slug().or_else(|| Some(self.file_name())),
            "contentbasename" => Some(self.base_name()),
            "slugorcontentbasename" => self.own_slug().or_else(|| Some(self.base_name())),
            "section" => {
                let first = self.content.name.dirs.first();
                Some(first.map(|first| path_part(first)).unwrap_or_default())
            }
            "sections" => {
                let innermost = self.sections()?.pop().unwrap_or_default();
                Some(chosen(
                    innermost.iter().map(|part| path_part(part)).collect(),
                ))
            }
            "sectionslug" => Some(self.section_slugs()?.into_iter().next().unwrap_or_default()),
            "sectionslugs" => Some(chosen(self.section_slugs()?)),
            layout => date?.format_go(layout),
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

    fn base_name(&self) -> String {
        let name = self.content.name;
        self.slug(match name.stem {
            "index" | "_index" => name.dirs.last().copied().unwrap_or_default(),
            stem => stem,
        })
    }

    fn file_name(&self) -> String {
        match self.content.name.stem {
            "_index" => String::new(),
            _ => self.base_name(),
        }
    }

    /// The sections that contain the page, outermost first. A bundle's own directory is not one, and
    /// pages of other kinds have none.
    fn sections(&self) -> Option<Vec<&[&str]>> {
        let name = self.content.name;
        let dirs = match self.kind {
            "page" if name.stem == "index" => name.dirs.split_last()?.1,
            "page" | "section" => &name.dirs,
            _ => return None,
        };
        Some(self.content.dirs.sections_of(dirs, name.language))
    }

    /// The slugs, or else the titles, of the sections above; known only if each has an index file.
    fn section_slugs(&self) -> Option<Vec<String>> {
        let slugs = self.sections()?.into_iter().map(|section| {
            let dirs = self.content.dirs;
            let list = dirs.list_page(section, self.content.name.language)?;
            let text = list.scalar("slug").or_else(|| list.scalar("title"));
            text.map(|text| self.slug(&text))
        });
        slugs.collect()
    }
}
