//! Content that Hugo mounts: directories of the site, and of its modules and themes.

use std::collections::HashSet;
use std::path::Path;

use serde_json::Value;

use crate::generators::own_config::strings_in;
use crate::generators::{Mount, MountingSite, Mounts, OwnConfig};
use sitemaps::site_paths::SitePath;

/// Limit for modules that import each other.
const MAX_MODULES: usize = 200;

/// The mounts of a site into `content`, in the order in which Hugo searches them: those of the site,
/// then each module followed by the modules that it imports (`modules/collect.go` of Hugo).
pub(super) fn mounts(site: &MountingSite<'_>) -> Mounts {
    let mut modules = Modules {
        site,
        seen: HashSet::new(),
        found: Vec::new(),
    };
    modules.add_imports(site.config);
    Mounts {
        own: mounts_in(site.config.get("module.mounts"), ""),
        further: modules.found,
    }
}

struct Modules<'s> {
    site: &'s MountingSite<'s>,
    seen: HashSet<String>,
    found: Vec<Mount>,
}

impl Modules<'_> {
    fn add_imports(&mut self, importing: &OwnConfig) {
        let imports = importing.get("module.imports").and_then(Value::as_array);
        let themes = importing
            .texts("theme")
            .into_iter()
            .map(|path| serde_json::json!({ "path": path }));
        for import in imports.into_iter().flatten().cloned().chain(themes) {
            let path = import.get("path").and_then(Value::as_str);
            let Some(dir) = path.and_then(|path| self.dir_of(path)) else {
                continue;
            };
            if is_on(&import, "disable")
                || self.seen.len() == MAX_MODULES
                || !self.seen.insert(dir.clone())
            {
                continue;
            }
            // Hugo ends with an error if it cannot read them.
            let settings = self.site.settings_at(&dir).unwrap_or_default();
            let stated = import.get("mounts").or(settings.get("module.mounts"));
            if stated.is_some() {
                self.found.extend(mounts_in(stated, &dir));
            } else if !is_on(&import, "nomounts") {
                self.found.push(Mount {
                    source: format!("{dir}/content"),
                    ..Mount::default()
                });
            }
            if !is_on(&import, "ignoreimports") {
                self.add_imports(&settings);
            }
        }
    }

    /// The directory of a module, relative to the site root: that which replaces it, its vendored
    /// copy, or a theme. What only the cache of Go has is in no repository.
    fn dir_of(&self, path: &str) -> Option<String> {
        let config = self.site.config;
        let themes = config.text("themesDir").unwrap_or("themes");
        let replaced = config
            .texts("module.replacements")
            .iter()
            .flat_map(|texts| texts.split(','))
            .find_map(|text| {
                let (old, new) = text.split_once("->")?;
                (old.trim() == path).then(|| format!("{themes}/{}", new.trim()))
            });
        let candidates = [
            replaced,
            Some(format!("_vendor/{path}")),
            self.replaced_in_go(path),
            Some(format!("{themes}/{path}")),
        ];
        candidates
            .into_iter()
            .flatten()
            .map(|dir| SitePath::joined("", dir.as_bytes()).to_text().into_owned())
            .find(|dir| self.site.tree.is_dir(&self.site.tree.path().join(dir)))
    }

    /// The directory that `go.mod` has in place of a module: `replace example.org/m => ../m`.
    fn replaced_in_go(&self, path: &str) -> Option<String> {
        let tree = self.site.tree;
        let text = tree.text(&tree.path().join("go.mod")).ok()?;
        text.lines().find_map(|line| {
            let (old, new) = line
                .trim()
                .trim_start_matches("replace ")
                .split_once("=>")?;
            let is_it = old.split_whitespace().next() == Some(path);
            (is_it && new.trim().starts_with('.')).then(|| new.trim().to_owned())
        })
    }
}

fn is_on(import: &Value, key: &str) -> bool {
    import.get(key) == Some(&true.into())
}

/// The mounts of a list into the content, with sources in a directory.
fn mounts_in(mounts: Option<&Value>, dir: &str) -> Vec<Mount> {
    let mut found = Vec::new();
    for mount in mounts.and_then(Value::as_array).into_iter().flatten() {
        let (Some(Value::String(source)), Some(Value::String(target))) =
            (mount.get("source"), mount.get("target"))
        else {
            continue;
        };
        let target = SitePath::joined("", target.as_bytes())
            .to_text()
            .into_owned();
        if let Ok(target) = Path::new(&target).strip_prefix("content")
            && let Some(target) = target.to_str()
            && !Path::new(source).is_absolute()
        {
            // `sites.matrix.languages`, or `lang` before Hugo 0.153.
            let languages = mount
                .pointer("/sites/matrix/languages")
                .or(mount.get("lang"));
            found.push(Mount {
                source: format!("{dir}/{source}"),
                target: target.to_owned(),
                languages: languages
                    .map(|named| strings_in(named).into_iter().map(str::to_owned).collect()),
            });
        }
    }
    found
}
