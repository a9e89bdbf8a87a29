//! Values that pages inherit from the list pages above them and from the settings: Hugo's `cascade`.

use std::borrow::Cow;
use std::collections::HashMap;

use serde_json::{Map, Value};

use super::content_name::ContentName;
use super::front_matter::FrontMatter;
use super::languages::Languages;
use super::own_config::OwnConfig;
use super::permalinks::HugoPageKind;
use super::profile::Generator;
use super::read_content::{Inheritance, ReadContentFile};
use super::slug::{self, LetterCase};
use super::taxonomy;
use site_paths::glob::PatternSet;

/// The keys of a cascade that are not values.
const TARGETS: [&str; 2] = ["target", "_target"];

/// The environment in which sites are built for publication.
const ENVIRONMENT: &[u8] = b"production";

/// Values for the pages that a target selects.
struct CascadeEntry {
    target: CascadeTarget,
    values: Map<String, Value>,
}

/// The conditions of a target; an absent one is met.
#[derive(Default)]
struct CascadeTarget {
    path: Option<PatternSet>,
    kind: Option<PatternSet>,
    language: Option<PatternSet>,
    environment: Option<PatternSet>,
    /// Whether it has conditions that are not read here.
    is_unclear: bool,
}

/// Adds the inherited values to the front matter of all files. A file's own values take precedence,
/// then those of the nearest list page, and in a list the first that applies.
pub(super) fn inherit(
    generator: &Generator,
    config: &OwnConfig,
    languages: &Languages<'_>,
    files: &mut [ReadContentFile<'_>],
) {
    let Some(key) = &generator.cascade_key else {
        return;
    };
    let cascades = Cascades {
        of_site: config.get(key).map(entries).unwrap_or_default(),
        of_dirs: entries_of_dirs(generator, key, languages, files),
    };
    if cascades.are_empty() {
        return;
    }
    let taxonomies = taxonomy::names_of(generator, config);
    for read in files {
        let Some(name) = read.listed.name(languages) else {
            continue;
        };
        let page = CascadedPage::new(generator, &taxonomies, &name);
        read.inheritance = cascades.apply(&page, &name, &mut read.front_matter);
    }
}

/// All values that pages of a site may inherit.
struct Cascades {
    of_site: Vec<CascadeEntry>,
    of_dirs: EntriesOfDirs,
}

/// The entries of list pages, by their directory and language.
type EntriesOfDirs = HashMap<(String, String), Vec<CascadeEntry>>;

fn entries_of_dirs(
    generator: &Generator,
    key: &str,
    languages: &Languages<'_>,
    files: &[ReadContentFile<'_>],
) -> EntriesOfDirs {
    let mut of_dirs = EntriesOfDirs::new();
    for read in files {
        if let Some(cascade) = read.front_matter.value(key)
            && let Some(name) = read.listed.name(languages)
            && generator.is_branch_index(name.stem)
        {
            let dir = (name.dirs.join("/"), name.language.to_owned());
            of_dirs.entry(dir).or_insert_with(|| entries(cascade));
        }
    }
    of_dirs
}

impl Cascades {
    fn are_empty(&self) -> bool {
        self.of_site.is_empty() && self.of_dirs.is_empty()
    }

    /// Adds the values that a page inherits to its front matter.
    fn apply(
        &self,
        page: &CascadedPage<'_>,
        name: &ContentName<'_>,
        front_matter: &mut FrontMatter,
    ) -> Inheritance {
        let above = (0..=name.dirs.len()).rev().filter_map(|depth| {
            let dir = name.dirs[..depth].join("/");
            self.of_dirs.get(&(dir, name.language.to_owned()))
        });
        let all = above.flatten().chain(&self.of_site);
        let mut inheritance = Inheritance::Known;
        for entry in all.filter(|entry| entry.target.selects(page)) {
            if entry.target.is_unclear {
                inheritance = Inheritance::Unclear;
            } else {
                front_matter.inherit(&entry.values);
            }
        }
        inheritance
    }
}

/// What targets select pages by.
struct CascadedPage<'n> {
    path: String,
    kind: &'static str,
    language: &'n str,
}

impl<'n> CascadedPage<'n> {
    fn new(generator: &Generator, taxonomies: &[&str], name: &ContentName<'n>) -> Self {
        let is_index = generator.is_leaf_index(name.stem) || generator.is_branch_index(name.stem);
        let stem = (!is_index).then_some(name.stem);
        let parts = name.dirs.iter().copied().chain(stem);
        let parts: Vec<_> = parts
            .map(|part| slug::hugo_path(part, LetterCase::Lower))
            .collect();
        Self {
            path: parts.join("/"),
            kind: match taxonomy::kind_of(generator, taxonomies, name) {
                HugoPageKind::Home => "home",
                HugoPageKind::Page => "page",
                HugoPageKind::Section => "section",
                HugoPageKind::Taxonomy => "taxonomy",
                HugoPageKind::Term => "term",
            },
            language: name.language,
        }
    }
}

impl CascadeTarget {
    fn read(target: &Value) -> Self {
        let Some(table) = target.as_object() else {
            return Self::default();
        };
        let mut read = Self::default();
        for (key, value) in table {
            let (place, value) = match key.to_ascii_lowercase().as_str() {
                "path" => (&mut read.path, Some(value)),
                "kind" => (&mut read.kind, Some(value)),
                "lang" => (&mut read.language, Some(value)),
                "environment" => (&mut read.environment, Some(value)),
                "sites" => (&mut read.language, languages_only(value)),
                _ => (&mut read.path, None),
            };
            match value.and_then(globs) {
                Some(globs) => *place = Some(globs),
                None => read.is_unclear = true,
            }
        }
        read
    }

    fn selects(&self, page: &CascadedPage<'_>) -> bool {
        let meets = |globs: &Option<PatternSet>, value: &[u8]| {
            globs.as_ref().is_none_or(|globs| globs.matches(value))
        };
        meets(&self.path, page.path.as_bytes())
            && meets(&self.kind, page.kind.as_bytes())
            && meets(
                &self.language,
                page.language.to_ascii_lowercase().as_bytes(),
            )
            && meets(&self.environment, ENVIRONMENT)
    }
}

/// The languages of `sites = { matrix = { languages = … } }`, unless it has another dimension.
fn languages_only(sites: &Value) -> Option<&Value> {
    let only = |table: &'_ Value| table.as_object().is_some_and(|table| table.len() == 1);
    let matrix = sites.get("matrix").filter(|_| only(sites))?;
    matrix.get("languages").filter(|_| only(matrix))
}

/// Reads one glob or an array of globs.
fn globs(value: &Value) -> Option<PatternSet> {
    let texts = match value {
        Value::Array(list) => list.iter().map(Value::as_str).collect::<Option<Vec<_>>>()?,
        value => vec![value.as_str()?],
    };
    // In Hugo paths begin with a slash, here they do not, so remove it from each alternative.
    let plain = |text: &str| text.to_lowercase().replace("{/", "{").replace(",/", ",");
    let globs: Vec<String> = texts.into_iter().map(plain).collect();
    PatternSet::parse(globs.iter()).ok()
}

/// Reads a table of values, or an array of such tables.
fn entries(cascade: &Value) -> Vec<CascadeEntry> {
    let tables = match cascade {
        Value::Array(list) => Cow::Borrowed(list.as_slice()),
        table => Cow::Owned(vec![table.clone()]),
    };
    let tables = tables.iter().filter_map(Value::as_object);
    tables.map(entry).collect()
}

fn entry(table: &Map<String, Value>) -> CascadeEntry {
    let is_target = |key: &str| TARGETS.iter().any(|known| key.eq_ignore_ascii_case(known));
    let mut target = table.iter().filter(|(key, _)| is_target(key));
    let values = table.iter().filter(|(key, _)| !is_target(key));
    CascadeEntry {
        target: target
            .next()
            .map(|(_, target)| CascadeTarget::read(target))
            .unwrap_or_default(),
        values: values
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_select_pages_by_path_kind_language_and_environment() {
        let check = |target: Value, expected: Option<Inheritance>| {
            let page = CascadedPage {
                path: "blog/first".to_owned(),
                kind: "page",
                language: "pt-BR",
            };
            let read = CascadeTarget::read(&target);
            let inheritance = if read.is_unclear {
                Inheritance::Unclear
            } else {
                Inheritance::Known
            };
            let found = read.selects(&page).then_some(inheritance);
            assert_eq!(found, expected, "{target}");
        };
        let known = Some(Inheritance::Known);
        check(serde_json::json!({}), known);
        check(serde_json::json!({ "path": "/blog/**" }), known);
        check(serde_json::json!({ "Path": ["/x", "{/y,/Blog/*}"] }), known);
        check(serde_json::json!({ "path": "/blog" }), None);
        check(
            serde_json::json!({ "kind": "{page,term}", "lang": "pt-br" }),
            known,
        );
        check(
            serde_json::json!({ "path": "/blog/**", "kind": "section" }),
            None,
        );
        check(serde_json::json!({ "environment": "production" }), known);
        check(serde_json::json!({ "environment": "staging" }), None);
        let languages =
            |codes: Value| serde_json::json!({ "sites": { "matrix": { "languages": codes } } });
        check(languages(serde_json::json!(["pt-*"])), known);
        check(languages(serde_json::json!("en")), None);
        let unclear = Some(Inheritance::Unclear);
        check(
            serde_json::json!({ "sites": { "matrix": { "roles": "guest" } } }),
            unclear,
        );
        check(serde_json::json!({ "path": "/blog/[" }), unclear);
        check(
            serde_json::json!({ "path": "/other", "sites": { "roles": "a" } }),
            None,
        );
    }
}
