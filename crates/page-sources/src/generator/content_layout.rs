//! Content directories of a site: from the manifest, per language, and from Hugo's mounts.

use std::path::Path;

use serde_json::Value;

use super::content_root::ContentRoot;
use super::languages::Languages;
use super::own_config::{OwnConfig, strings_in};
use super::profile::Generator;
use super::site::Site;
use sitemaps::site_paths::SitePath;

/// Hugo's settings key of mounts into the content.
const MOUNTS: &str = "module.mounts";

/// Where the content of a site is, and how its generator makes pages of it.
#[derive(Debug)]
pub(super) struct ContentLayout<'s> {
    pub(super) generator: &'s Generator,
    pub(super) config: &'s OwnConfig,
    pub(super) languages: Languages<'s>,
    /// The content directories, in the order in which the generator searches them.
    pub(super) roots: Vec<ContentRoot<'s>>,
}

impl<'s> ContentLayout<'s> {
    /// That of a site; `None` without a generator.
    pub(super) fn of(site: &'s Site<'_>) -> Option<Self> {
        let (generator, config) = (site.generator?, &site.config);
        let languages = generator.languages_in(config);
        let mut roots = mounts(generator, config, &languages);
        if roots.is_empty() {
            roots = language_roots(generator, config, &languages);
            for root in &generator.roots {
                let stated = normal(root.dir_in(config));
                let path = match generator.own.root_dir {
                    Some(root_dir) => root_dir(config, &site.root, stated),
                    None => Some(stated),
                };
                let is_new = |path: &String| roots.iter().all(|known| known.path != *path);
                let path = path.filter(is_new);
                roots.extend(path.map(|path| ContentRoot::new(root, path)));
            }
        }
        Some(Self {
            generator,
            config,
            languages,
            roots,
        })
    }
}

/// Content directories that are set per language.
fn language_roots<'g>(
    generator: &'g Generator,
    config: &'g OwnConfig,
    languages: &Languages<'g>,
) -> Vec<ContentRoot<'g>> {
    let Some(root) = generator.roots.first() else {
        return Vec::new();
    };
    let mut roots: Vec<ContentRoot<'_>> = Vec::new();
    for &code in &languages.codes {
        let own = languages.content_dir(config, code, root.dir_in(config));
        let Some(path) = own.map(|dir| normal(&dir)) else {
            continue;
        };
        // If several languages share a directory, its files belong to the first one.
        if roots.iter().all(|known| known.path != path) {
            roots.push(ContentRoot {
                language: Some(code),
                ..ContentRoot::new(root, path)
            });
        }
    }
    roots
}

/// Reads Hugo's `module.mounts`. As soon as one mount targets the content, Hugo no longer mounts
/// the default content directory.
fn mounts<'g>(
    generator: &'g Generator,
    config: &OwnConfig,
    languages: &Languages<'g>,
) -> Vec<ContentRoot<'g>> {
    let mounts = config.get(MOUNTS).and_then(Value::as_array);
    let (Some(mounts), Some(root)) = (mounts, generator.roots.first()) else {
        return Vec::new();
    };
    let mut roots = Vec::new();
    for mount in mounts {
        let text = |key: &str| mount.get(key).and_then(Value::as_str);
        let (Some(source), Some(target)) = (text("source"), text("target")) else {
            continue;
        };
        let target = normal(target);
        let below = Path::new(&target).strip_prefix(root.dir.default_text());
        let Some(mounted_at) = below.ok().and_then(Path::to_str) else {
            continue;
        };
        if Path::new(source).is_absolute() {
            continue;
        }
        for language in languages_of(mount, languages) {
            roots.push(ContentRoot {
                mounted_at: mounted_at.to_owned(),
                language,
                ..ContentRoot::new(root, normal(source))
            });
        }
    }
    roots
}

/// The languages that a mount applies to: `sites.matrix.languages`, or `lang` before Hugo 0.153.
fn languages_of<'g>(mount: &Value, languages: &Languages<'g>) -> Vec<Option<&'g str>> {
    let named = mount
        .pointer("/sites/matrix/languages")
        .or_else(|| mount.get("lang"));
    let Some(named) = named.map(strings_in) else {
        return vec![None];
    };
    let known = languages.codes.iter().copied();
    let wanted = known.filter(|code| {
        named
            .iter()
            .any(|glob| *glob == "**" || *glob == "*" || glob.eq_ignore_ascii_case(code))
    });
    wanted.map(Some).collect()
}

fn normal(path: &str) -> String {
    SitePath::joined("", path).to_text().into_owned()
}
