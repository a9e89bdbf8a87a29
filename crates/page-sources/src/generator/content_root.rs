//! Content directories of a site: from the manifest, per language, and from Hugo's mounts.

use std::path::{Component, Path, PathBuf};

use serde_json::Value;

use super::content_keys::ContentRootSpec;
use super::languages::Languages;
use super::own_config::OwnConfig;
use super::profile::Generator;
use super::site::Site;

/// Hugo's settings key of mounts into the content.
const MOUNTS: &str = "module.mounts";

/// Keys of a Hugo mount that restrict it to some of its files, in lower case.
const FILTERS: [&str; 3] = ["files", "includefiles", "excludefiles"];

/// A directory, or a single file, that pages are made from.
#[derive(Debug)]
pub(super) struct ContentRoot<'g> {
    /// Its path relative to the site root.
    pub(super) path: String,
    /// Prefix of its files' paths within the content, without leading or trailing `/`. For a single
    /// file, its whole path.
    pub(super) mounted_at: String,
    /// The language of files whose name has no language code.
    pub(super) language: Option<&'g str>,
    /// Whether its files override files of the same name in later roots, as in Hugo. `false` for a
    /// filtered mount: which files it contains is not known.
    pub(super) overrides_later: bool,
    /// Its entry in the manifest.
    pub(super) spec: &'g ContentRootSpec,
}

impl<'g> ContentRoot<'g> {
    /// The content directories, in the order in which the generator searches them.
    pub(super) fn all(
        site: &'g Site<'_>,
        generator: &'g Generator,
        languages: &Languages<'g>,
    ) -> Vec<Self> {
        let config = &site.config;
        let themes = theme_roots(generator, config);
        let mut mounted = mounts(generator, config, languages);
        if !mounted.is_empty() {
            mounted.extend(themes);
            return mounted;
        }
        let mut roots = language_roots(generator, config, languages);
        for root in &generator.roots {
            let path = dir_of(root, site, generator);
            let is_of_language = roots.iter().any(|known| known.path == path);
            let mut conditions = root.conditions.iter();
            if !is_of_language && conditions.all(|condition| config.meets(condition)) {
                let mounted_at = root.mounted_at.trim_matches('/').to_owned();
                roots.push(Self {
                    path,
                    mounted_at,
                    language: None,
                    overrides_later: !themes.is_empty(),
                    spec: root,
                });
            }
        }
        roots.extend(themes);
        roots
    }

    /// The directory or file below `site_root`.
    pub(super) fn below(&self, site_root: &Path) -> PathBuf {
        site_root.join(&self.path)
    }
}

impl ContentRootSpec {
    /// The directory according to the generator's settings.
    pub fn dir_in<'a>(&'a self, config: &'a OwnConfig) -> &'a str {
        config.text_of(&self.dir)
    }
}

/// The directory of a content root below the site root. That of Sphinx has its settings, `source` if
/// `sphinx-quickstart --sep` made the site.
fn dir_of(root: &ContentRootSpec, site: &Site<'_>, generator: &Generator) -> String {
    let settings = site
        .config
        .files()
        .first()
        .filter(|_| generator.name == "sphinx");
    let dir = settings.and_then(|file| file.parent()?.strip_prefix(&site.root).ok());
    match dir.and_then(Path::to_str) {
        Some(dir) => normalize(dir),
        None => normalize(root.dir_in(&site.config)),
    }
}

/// Content directories of Hugo's themes, in the order in which themes override each other.
fn theme_roots<'g>(generator: &'g Generator, config: &OwnConfig) -> Vec<ContentRoot<'g>> {
    let named = match config.get("theme") {
        _ if generator.name != "hugo" => Vec::new(),
        Some(Value::Array(list)) => list.iter().filter_map(Value::as_str).collect(),
        Some(Value::String(name)) => vec![name.as_str()],
        _ => Vec::new(),
    };
    let root_of = |name| {
        let spec = generator.roots.first()?;
        Some(ContentRoot {
            path: normalize(&format!("themes/{name}/{}", spec.dir.default_text())),
            mounted_at: String::new(),
            language: None,
            overrides_later: true,
            spec,
        })
    };
    named.into_iter().filter_map(root_of).collect()
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
    let own = languages.codes().iter().filter_map(|&code| {
        let base = root.dir_in(config);
        let path = languages.content_dir(config, code, base)?;
        let path = normalize(path.trim_end_matches('/'));
        Some(ContentRoot {
            path,
            mounted_at: String::new(),
            language: Some(code),
            overrides_later: true,
            spec: root,
        })
    });
    let mut roots: Vec<ContentRoot<'_>> = Vec::new();
    for own in own {
        // If several languages share a directory, its files belong to the first one.
        if roots.iter().all(|known| known.path != own.path) {
            roots.push(own);
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
        let target = normalize(target);
        let Some(mounted_at) = target.strip_prefix(root.dir.default_text()) else {
            continue;
        };
        if Path::new(source).is_absolute() || !mounted_at.is_empty() && !mounted_at.starts_with('/')
        {
            continue;
        }
        let mounted_at = mounted_at.trim_matches('/');
        let hides_later = !is_filtered(mount);
        for language in languages_of(mount, languages) {
            let (path, mounted_at) = (normalize(source), mounted_at.to_owned());
            roots.push(ContentRoot {
                path,
                mounted_at,
                language,
                overrides_later: hides_later,
                spec: root,
            });
        }
    }
    roots
}

/// Whether a mount includes only some of its files.
fn is_filtered(mount: &Value) -> bool {
    let mut keys = mount.as_object().into_iter().flat_map(|mount| mount.keys());
    keys.any(|key| FILTERS.contains(&key.to_ascii_lowercase().as_str()))
}

/// The languages that a mount applies to: `sites.matrix.languages`, or `lang` before Hugo 0.153.
fn languages_of<'g>(mount: &Value, languages: &Languages<'g>) -> Vec<Option<&'g str>> {
    let named = mount
        .pointer("/sites/matrix/languages")
        .or_else(|| mount.get("lang"));
    let named = match named {
        Some(Value::Array(list)) => list.iter().filter_map(Value::as_str).collect(),
        Some(Value::String(code)) => vec![code.as_str()],
        _ => return vec![None],
    };
    let known = languages.codes().iter().copied();
    let wanted = known.filter(|code| {
        named
            .iter()
            .any(|glob| *glob == "**" || *glob == "*" || glob.eq_ignore_ascii_case(code))
    });
    wanted.map(Some).collect()
}

/// Normalizes a relative path: drops `.` and resolves `..` where possible.
fn normalize(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in Path::new(path).components() {
        match part {
            Component::ParentDir if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            Component::ParentDir => parts.push(".."),
            Component::Normal(name) => parts.push(name.to_str().unwrap_or_default()),
            Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
        }
    }
    parts.join("/")
}
