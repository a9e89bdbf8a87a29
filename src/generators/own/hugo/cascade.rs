//! The front matter that pages inherit from the list pages above them.

use std::collections::HashMap;

use serde_json::{Map, Value};

use crate::generators::languages::Languages;
use crate::generators::listed_content::ListedContentFile;

/// Adds the values of `cascade`, without a target, in list pages to the front matter of all files
/// below them. A file's own values take precedence, then those of the nearest list page.
pub(super) fn inherit(languages: &Languages<'_>, files: &mut [ListedContentFile<'_>]) {
    let mut inherited: HashMap<(String, String), Map<String, Value>> = HashMap::new();
    for file in &*files {
        let name = file.name(languages);
        if name.stem == "_index"
            && let Some(Value::Object(values)) = file.front_matter.value("cascade")
            && !values.contains_key("target")
            && !values.contains_key("_target")
        {
            let dir = (name.dirs.join("/"), name.language.to_owned());
            inherited.insert(dir, values.clone());
        }
    }
    for file in files.iter_mut().filter(|_| !inherited.is_empty()) {
        let name = file.name(languages);
        let above: Vec<_> = (0..=name.dirs.len())
            .rev()
            .filter_map(|depth| {
                let dir = name.dirs[..depth].join("/");
                inherited.get(&(dir, name.language.to_owned()))
            })
            .collect();
        for values in above {
            file.front_matter.inherit(values);
        }
    }
}
