//! Values that pages inherit from the list pages above them: Hugo's `cascade`, without a target.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::content_walk::ReadContentFile;
use super::languages::Languages;

/// Adds the inherited values to the front matter of all files. A file's own values take precedence,
/// then those of the nearest list page.
pub(super) fn inherit(languages: &Languages<'_>, files: &mut [ReadContentFile<'_>]) {
    let mut of_dirs: HashMap<(String, String), Map<String, Value>> = HashMap::new();
    for read in &*files {
        let name = read.listed.name(languages);
        if name.stem == "_index"
            && let Some(Value::Object(values)) = read.front_matter.value("cascade")
            && !values.contains_key("target")
            && !values.contains_key("_target")
        {
            let dir = (name.dirs.join("/"), name.language.to_owned());
            of_dirs.insert(dir, values.clone());
        }
    }
    for read in files.iter_mut().filter(|_| !of_dirs.is_empty()) {
        let name = read.listed.name(languages);
        let above = (0..=name.dirs.len()).rev().filter_map(|depth| {
            let dir = name.dirs[..depth].join("/");
            of_dirs.get(&(dir, name.language.to_owned()))
        });
        for values in above {
            read.front_matter.inherit(values);
        }
    }
}
