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
use super::read_content::ReadContentFile;
use super::slug::{self, LetterCase};
use super::taxonomy;
use sitemaps::site_paths::glob::PatternSet;

/// The key of the values that pages inherit.
const CASCADE: &str = "cascade";

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
}

/// Adds the inherited values to the front matter of all files. A file's own values take precedence,
/// then those of the nearest list page, and in a list the first that applies.
pub(super) fn inherit(
    generator: &Generator,
    config: &OwnConfig,
    languages: &Languages<'_>,
    files: &mut [ReadContentFile<'_>],
) {
    if generator.name != "hugo" {
        return;
    }
    let cascades = Cascades {
        of_site: config.get(CASCADE).map(entries).unwrap_or_default(),
        of_dirs: entries_of_dirs(generator, languages, files),
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
        cascades.apply(&page, &name, &mut read.front_matter);
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
    languages: &Languages<'_>,
    files: &[ReadContentFile<'_>],
) -> EntriesOfDirs {
    let mut of_dirs = EntriesOfDirs::new();
    for read in files {
        if let Some(cascade) = read.front_matter.value(CASCADE)
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
    ) {
        let above = (0..=name.dirs.len()).rev().filter_map(|depth| {
            let dir = name.dirs[..depth].join("/");
            self.of_dirs.get(&(dir, name.language.to_owned()))
        });
        let all = above.flatten().chain(&self.of_site);
        for entry in all.filter(|entry| entry.target.selects(page)) {
            front_matter.inherit(&entry.values);
        }
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
    /// Reads a target; `None` if it has a condition that is not read here.
    fn read(target: &Value) -> Option<Self> {
        let mut read = Self::default();
        for (key, value) in target.as_object().into_iter().flatten() {
            let place = match key.to_ascii_lowercase().as_str() {
                "path" => &mut read.path,
                "kind" => &mut read.kind,
                "lang" => &mut read.language,
                "environment" => &mut read.environment,
                _ => return None,
            };
            *place = Some(globs(value)?);
        }
        Some(read)
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
    tables.filter_map(entry).collect()
}

/// The values of a table and their target; `None` if the target cannot be read.
fn entry(table: &Map<String, Value>) -> Option<CascadeEntry> {
    let is_target = |key: &str| TARGETS.iter().any(|known| key.eq_ignore_ascii_case(known));
    let (target, values): (Map<_, _>, Map<_, _>) =
        (table.clone().into_iter()).partition(|(key, _)| is_target(key));
    let target = match target.values().next() {
        Some(target) => CascadeTarget::read(target)?,
        None => CascadeTarget::default(),
    };
    Some(CascadeEntry { target, values })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_select_pages_by_path_kind_language_and_environment() {
        let check = |target: Value, expected: bool| {
            let page = CascadedPage {
                path: "blog/first".to_owned(),
                kind: "page",
                language: "pt-BR",
            };
            let selects = CascadeTarget::read(&target).is_some_and(|read| read.selects(&page));
            assert_eq!(selects, expected, "{target}");
        };
        check(serde_json::json!({}), true);
        check(serde_json::json!({ "path": "/blog/**" }), true);
        check(serde_json::json!({ "Path": ["/x", "{/y,/Blog/*}"] }), true);
        check(serde_json::json!({ "path": "/blog" }), false);
        check(
            serde_json::json!({ "kind": "{page,term}", "lang": "pt-br" }),
            true,
        );
        check(
            serde_json::json!({ "path": "/blog/**", "kind": "section" }),
            false,
        );
        check(serde_json::json!({ "environment": "production" }), true);
        check(serde_json::json!({ "environment": "staging" }), false);
        check(
            serde_json::json!({ "sites": { "matrix": { "roles": "guest" } } }),
            false,
        );
        check(serde_json::json!({ "path": "/blog/[" }), false);
        check(
            serde_json::json!({ "path": "/other", "sites": { "roles": "a" } }),
            false,
        );
    }
}
