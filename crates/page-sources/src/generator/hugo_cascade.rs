//! Values that pages inherit from the list pages above them and from the settings: Hugo's `cascade`.

use std::collections::HashMap;
use std::slice;

use serde_json::{Map, Value};

use super::content_walk::ReadContentFile;
use super::hugo::{HugoPage, HugoTarget};
use super::languages::Languages;
use super::own_config::OwnConfig;

/// The key of the values that pages inherit.
const CASCADE: &str = "cascade";

/// Values for the pages that a target selects.
struct CascadeEntry {
    target: HugoTarget,
    values: Map<String, Value>,
}

/// Adds the inherited values to the front matter of all files. A file's own values take precedence,
/// then those of the nearest list page, and in a list the first that applies.
pub(super) fn inherit(
    config: &OwnConfig,
    languages: &Languages<'_>,
    taxonomies: &[&str],
    files: &mut [ReadContentFile<'_>],
) {
    let of_site = config.get(CASCADE).map(entries).unwrap_or_default();
    let mut of_dirs: HashMap<(String, String), Vec<CascadeEntry>> = HashMap::new();
    for read in &*files {
        if let Some(cascade) = read.front_matter.value(CASCADE)
            && let name = read.listed.name(languages)
            && name.stem == "_index"
        {
            let dir = (name.dirs.join("/"), name.language.to_owned());
            of_dirs.entry(dir).or_insert_with(|| entries(cascade));
        }
    }
    if of_site.is_empty() && of_dirs.is_empty() {
        return;
    }
    for read in files {
        let name = read.listed.name(languages);
        let page = HugoPage::new(taxonomies, &name);
        let above = (0..=name.dirs.len()).rev().filter_map(|depth| {
            let dir = name.dirs[..depth].join("/");
            of_dirs.get(&(dir, name.language.to_owned()))
        });
        let all = above.flatten().chain(&of_site);
        for entry in all.filter(|entry| entry.target.selects(&page)) {
            read.front_matter.inherit(&entry.values);
        }
    }
}

/// Reads a table of values, or an array of such tables, without those whose target is not clear.
fn entries(cascade: &Value) -> Vec<CascadeEntry> {
    let tables = match cascade {
        Value::Array(list) => list.as_slice(),
        table => slice::from_ref(table),
    };
    let entries = tables.iter().filter_map(Value::as_object).map(|table| {
        let is_target = |key: &str| matches!(&*key.to_ascii_lowercase(), "target" | "_target");
        let (target, values): (Map<_, _>, Map<_, _>) =
            (table.clone().into_iter()).partition(|(key, _)| is_target(key));
        CascadeEntry {
            target: HugoTarget::read(target.values().next()),
            values,
        }
    });
    entries.filter(|entry| entry.target.is_clear).collect()
}
