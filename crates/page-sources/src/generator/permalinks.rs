//! Hugo's `permalinks` setting: which pages have a URL pattern, and the values of its tokens.
//!
//! A port of Hugo's package `resources/page`, file `permalinks.go`. The setting is a table by
//! section, a table by kind and section, or an array of patterns with targets.

use serde_json::Value;

use super::calendar::CalendarDate;
use super::content_dirs::ContentDirs;
use super::content_name::ContentName;
use super::front_matter::FrontMatter;
use super::own_config::OwnConfig;
use super::slug::{self, LetterCase};
use super::url_pattern::{UrlPattern, slice};
use sitemaps::site_paths::glob::PatternSet;

/// Hugo's page kinds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum HugoPageKind {
    Home,
    Page,
    Section,
    Taxonomy,
    Term,
}

impl HugoPageKind {
    /// Whether such a page lists others.
    pub(super) fn is_list(self) -> bool {
        self != Self::Page
    }
}

/// The permalink rules of a site; the first match wins.
#[derive(Debug, Default)]
pub(super) struct Permalinks {
    rules: Vec<PermalinkRule>,
}

#[derive(Debug)]
struct PermalinkRule {
    /// `None` for every kind.
    kind: Option<HugoPageKind>,
    paths: PermalinkPaths,
    /// `None` if the pattern depends on something unknown here.
    pattern: Option<UrlPattern>,
}

/// The pages that a rule applies to, by their path without extension: `blog/first`.
#[derive(Debug)]
enum PermalinkPaths {
    All,
    /// Pages at the top level.
    Top,
    Section(String),
    Globs(PatternSet),
}

/// The URL pattern of a page, if it has one.
#[derive(Debug, Clone, Copy)]
pub(super) enum Permalink<'p> {
    /// No pattern: the URL follows from the page's path.
    ByPath,
    /// This pattern.
    By(&'p UrlPattern),
    /// A pattern that the settings alone do not determine.
    Unclear,
}

/// The values that a page provides for the tokens of a pattern.
pub(super) struct PermalinkInput<'p> {
    pub(super) name: &'p ContentName<'p>,
    pub(super) kind: HugoPageKind,
    pub(super) front_matter: &'p FrontMatter,
    /// The slug from front matter or from the file name.
    pub(super) slug: Option<String>,
    /// `None` if the date is not known.
    pub(super) date: Option<CalendarDate>,
    pub(super) dirs: &'p ContentDirs<'p>,
    pub(super) case: LetterCase,
}

impl Permalinks {
    /// Reads the patterns at a key of Hugo's settings.
    pub(super) fn read(key: &str, config: &OwnConfig) -> Self {
        let mut rules = Vec::new();
        match config.get(key) {
            Some(Value::Array(list)) => rules.extend(list.iter().map(rule_of_list)),
            Some(Value::Object(table)) => {
                for (name, value) in table {
                    match (value, kind_of(name)) {
                        (Value::String(pattern), _) => {
                            rules.extend(
                                [HugoPageKind::Page, HugoPageKind::Term]
                                    .map(|kind| rule_of_section(kind, name, pattern)),
                            );
                        }
                        (Value::Object(sections), Some(kind)) => {
                            let texts = sections.iter().filter_map(|(section, pattern)| {
                                Some((section, pattern.as_str()?))
                            });
                            rules.extend(
                                texts.map(|(section, pattern)| {
                                    rule_of_section(kind, section, pattern)
                                }),
                            );
                        }
                        _ => {}
                    }
                }
            }
            _ => {}
        }
        Self { rules }
    }

    /// The pattern for a page. `path` has no leading slash and no extension.
    pub(super) fn of(&self, kind: HugoPageKind, path: &str) -> Permalink<'_> {
        let applies = |rule: &&PermalinkRule| {
            rule.kind.is_none_or(|wanted| wanted == kind) && rule.paths.contain(path)
        };
        let supported = kind != HugoPageKind::Home;
        match self.rules.iter().find(|rule| supported && applies(rule)) {
            None => Permalink::ByPath,
            Some(PermalinkRule {
                pattern: Some(pattern),
                ..
            }) => Permalink::By(pattern),
            Some(_) => Permalink::Unclear,
        }
    }
}

impl PermalinkPaths {
    fn contain(&self, path: &str) -> bool {
        match self {
            Self::All => true,
            Self::Top => !path.contains('/'),
            Self::Section(section) => path
                .strip_prefix(section.as_str())
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('/')),
            Self::Globs(globs) => globs.matches(path.as_bytes()),
        }
    }
}

fn kind_of(name: &str) -> Option<HugoPageKind> {
    match name.to_ascii_lowercase().as_str() {
        "page" => Some(HugoPageKind::Page),
        "section" => Some(HugoPageKind::Section),
        "taxonomy" => Some(HugoPageKind::Taxonomy),
        "term" => Some(HugoPageKind::Term),
        _ => None,
    }
}

fn rule_of_section(kind: HugoPageKind, section: &str, pattern: &str) -> PermalinkRule {
    let section = section.trim_matches(['/', ' ']).to_lowercase();
    let paths = if section.is_empty() {
        PermalinkPaths::Top
    } else {
        PermalinkPaths::Section(section)
    };
    PermalinkRule {
        kind: Some(kind),
        paths,
        pattern: Some(UrlPattern::parse(pattern)),
    }
}

/// Reads an array entry: `{ target = { kind = "page", path = "/blog/**" }, pattern = "/:slug/" }`.
/// If the target also names sites, the result has no pattern.
fn rule_of_list(entry: &Value) -> PermalinkRule {
    let target = entry.get("target").and_then(Value::as_object);
    let text = |key: &str| target.and_then(|target| target.get(key)?.as_str());
    let kind = text("kind").map(kind_of);
    let is_plain = target.is_none_or(|target| {
        target
            .keys()
            .all(|key| matches!(key.as_str(), "kind" | "path"))
    });
    // In Hugo paths begin with a slash, here they do not, so remove it from each alternative.
    let globs = text("path").map(|path| path.to_lowercase().replace("{/", "{").replace(",/", ","));
    let paths = globs.map_or(Ok(PermalinkPaths::All), |glob| {
        PatternSet::parse([glob].iter()).map(PermalinkPaths::Globs)
    });
    let is_read = paths.is_ok() && kind != Some(None);
    let pattern = entry
        .get("pattern")
        .and_then(Value::as_str)
        .filter(|_| is_plain && is_read);
    PermalinkRule {
        kind: kind.flatten(),
        paths: paths.unwrap_or(PermalinkPaths::All),
        pattern: pattern.map(UrlPattern::parse),
    }
}

impl PermalinkInput<'_> {
    /// The URL that a pattern gives the page, or `None` if a token has no known value.
    pub(super) fn by(&self, pattern: &UrlPattern) -> Option<String> {
        let filled = pattern.fill(|token, brackets| self.text_of(token, brackets))?;
        Some(slug::hugo_slug(&filled, self.case))
    }

    /// Like [`by`](Self::by), but without making a slug, for a URL set in front matter.
    pub(super) fn as_written(&self, pattern: &UrlPattern) -> Option<String> {
        pattern.fill(|token, brackets| self.text_of(token, brackets))
    }

    fn text_of(&self, token: &str, brackets: Option<&str>) -> Option<String> {
        let date = |format: &str| Some(self.date?.format(format));
        match token {
            "year" => Some(self.date?.year()),
            "month" => date("%m"),
            "monthname" => date("%B"),
            "day" => date("%d"),
            "weekday" => date("%w"),
            "weekdayname" => date("%A"),
            "yearday" => date("%-j"),
            "title" => self.title(),
            "slug" => self.slug().or_else(|| self.title()),
            "filename" => Some(self.file_name()),
            "slugorfilename" => self.slug().or_else(|| Some(self.file_name())),
            "contentbasename" => Some(self.base_name()),
            "slugorcontentbasename" => self.slug().or_else(|| Some(self.base_name())),
            "section" => Some(
                self.name
                    .dirs
                    .first()
                    .map_or_else(String::new, |first| path_part(first)),
            ),
            "sections" => Some(chosen(&self.sections()?, brackets).join("/")),
            "sectionslug" => Some(self.section_slugs()?.into_iter().next().unwrap_or_default()),
            "sectionslugs" => Some(chosen(&self.section_slugs()?, brackets).join("/")),
            layout => self.date?.format_go(layout),
        }
    }

    fn slug(&self) -> Option<String> {
        let slug = self.slug.as_ref();
        slug.map(|slug| slug::hugo_slug(slug, self.case))
    }

    fn title(&self) -> Option<String> {
        self.front_matter
            .scalar("title")
            .map(|title| slug::hugo_slug(&title, self.case))
    }

    fn base_name(&self) -> String {
        let is_index = matches!(self.name.stem, "index" | "_index");
        let name = if is_index {
            self.name.dirs.last().copied().unwrap_or_default()
        } else {
            self.name.stem
        };
        slug::hugo_slug(name, self.case)
    }

    fn file_name(&self) -> String {
        if self.name.stem == "_index" {
            String::new()
        } else {
            self.base_name()
        }
    }

    /// The directories of a page that are sections. A bundle's own directory is not one, and pages
    /// of other kinds have none.
    fn section_dirs(&self) -> Option<&[&str]> {
        let dirs = &self.name.dirs[..];
        match self.kind {
            HugoPageKind::Page if self.name.stem == "index" => {
                dirs.split_last().map(|(_, above)| above)
            }
            HugoPageKind::Page | HugoPageKind::Section => Some(dirs),
            HugoPageKind::Home | HugoPageKind::Taxonomy | HugoPageKind::Term => None,
        }
    }

    fn sections(&self) -> Option<Vec<String>> {
        let dirs = self.section_dirs()?;
        let innermost = self
            .dirs
            .sections_of(dirs, self.name.language)
            .pop()
            .unwrap_or_default();
        Some(innermost.iter().map(|part| path_part(part)).collect())
    }

    /// The slugs, or else the titles, of the sections above; known only if each has an index file.
    fn section_slugs(&self) -> Option<Vec<String>> {
        let sections = self
            .dirs
            .sections_of(self.section_dirs()?, self.name.language);
        let slugs = sections.into_iter().map(|section| {
            let list = self.dirs.list_page(section, self.name.language)?;
            list.scalar("slug")
                .or_else(|| list.scalar("title"))
                .map(|text| slug::hugo_slug(&text, self.case))
        });
        slugs.collect()
    }
}

/// A directory as it appears in Hugo's logical path: in lower case, regardless of
/// `disablePathToLower`.
fn path_part(part: &str) -> String {
    slug::hugo_path(part, LetterCase::Lower)
}

fn chosen<'p>(parts: &'p [String], brackets: Option<&str>) -> &'p [String] {
    brackets.map_or(parts, |brackets| slice(parts, brackets))
}
