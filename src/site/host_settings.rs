//! Finds the files of a host in the site root or above it, and reads values of its own settings: of the
//! environment that is deployed, and of the site that has this output.

use std::path::{Path, PathBuf};

use regex::Regex;

use crate::files::located_values::{SettingData, SettingValue, Syntax};
use crate::files::tree::Tree;
use crate::generators::{HostMark, HostModel, HostUrlForm, Pipelines};
use crate::hosts::firebase_hosting;
use crate::settings::UrlStyle;

/// The directories that may have a host's files: the site root, then those above it, up to the top
/// of the repository.
#[derive(Debug)]
pub(crate) struct HostDirs {
    /// The site root.
    tree: Tree,
    /// The nearest first; empty outside a repository.
    above: Vec<PathBuf>,
    output: PathBuf,
}

impl HostDirs {
    /// Returns the directories for a site root, the top of its repository and its output directory.
    pub(super) fn new(tree: &Tree, top: Option<&Path>, output: &Path) -> Self {
        let mut above = Vec::new();
        if let (Some(root), Some(top)) = (tree.resolved(tree.path()), top) {
            let dirs = root.ancestors().skip(1);
            let below_top = dirs.take_while(|dir| dir.starts_with(top));
            above.extend(below_top.map(Path::to_owned));
        }
        Self {
            tree: tree.clone(),
            above,
            output: output.to_owned(),
        }
    }

    /// The same directories with another output directory.
    pub(super) fn with_output(self, output: &Path) -> Self {
        Self {
            output: output.to_owned(),
            ..self
        }
    }

    /// The site root, in which a host's file is looked for first.
    pub(super) fn tree(&self) -> &Tree {
        &self.tree
    }

    /// Returns the nearest file with this name.
    pub(super) fn nearest(&self, name: &str) -> Option<PathBuf> {
        let own = self.tree.path().join(name);
        if self.tree.exists(&own) {
            return Some(own);
        }
        let mut above = self.above.iter().map(|dir| dir.join(name));
        above.find(|file| self.tree.is_file(file))
    }

    /// Returns the nearest file with this name, or else that in the output directory.
    pub(super) fn nearest_or_built(&self, name: &str) -> Option<PathBuf> {
        self.nearest(name).or_else(|| self.built(name))
    }

    /// Returns the file with this name in the output directory.
    pub(super) fn built(&self, name: &str) -> Option<PathBuf> {
        let built = self.output.join(name);
        self.tree.is_file(&built).then_some(built)
    }

    /// Returns the name of the output directory, if it has one.
    pub(super) fn output_name(&self) -> Option<String> {
        let output = self.tree.resolved(&self.output)?;
        let root = self.tree.resolved(self.tree.path())?;
        let name = output.file_name().filter(|_| output != root)?;
        Some(name.to_string_lossy().into_owned())
    }

    /// Returns the output directory, relative to the directory of a file.
    pub(super) fn output_from(&self, file: &Path) -> Option<PathBuf> {
        let dir = self.tree.resolved(file.parent()?)?;
        let output = self.tree.resolved(&self.output)?;
        output.strip_prefix(dir).map(Path::to_owned).ok()
    }
}

struct HostSettings<'h> {
    form: &'h HostUrlForm,
    root: SettingValue,
    /// The output directory, relative to that of the file.
    output: Option<PathBuf>,
    /// The environment that is deployed.
    environment: Option<&'h str>,
}

impl<'h> HostSettings<'h> {
    /// Reads the first of the host's settings files that exists.
    ///
    /// A missing or unreadable file is ignored here; reading its rules reports it.
    fn read(host: &'h HostModel, dirs: &HostDirs, pipelines: Pipelines<'h>) -> Option<Self> {
        let form = &host.addresses;
        let (file, root) = form.files.iter().find_map(|name| {
            let file = dirs.nearest(name)?;
            settings_at(&file, dirs.tree()).map(|root| (file, root))
        })?;
        let variable = form.environment_env.as_ref();
        Some(Self {
            form,
            root,
            output: dirs.output_from(&file),
            environment: variable.and_then(|name| pipelines.value(name)),
        })
    }

    /// The value of a key such as `assets.html_handling`.
    ///
    /// An environment has its own table or that of the top level. If only environments have it and
    /// none is named, they must agree.
    fn value(&self, key: &str) -> Option<&SettingValue> {
        let table = key.split('.').next().unwrap_or(key);
        let has = |section: &&SettingValue| section.get(table).is_some();
        let environments = self.form.environments.as_ref();
        let all = environments.and_then(|key| self.root.get(key));
        let named = all.and_then(|all| all.get(self.environment?));
        if let Some(section) = named.filter(has).or(Some(&self.root).filter(has)) {
            return self.value_in(section, key);
        }
        let mut values = values(all?)
            .filter(has)
            .map(|section| self.value_in(section, key));
        let first = values.next()??;
        values
            .all(|value| value.is_some_and(|value| value.as_text() == first.as_text()))
            .then_some(first)
    }

    fn value_in<'v>(&'v self, section: &'v SettingValue, key: &str) -> Option<&'v SettingValue> {
        key.split('.').try_fold(section, |value, key| {
            let next = value.get(key)?;
            match next.data {
                SettingData::List(_) => firebase_hosting(next, self.output.as_deref()),
                _ => Some(next),
            }
        })
    }
}

/// The error pages that a host serves besides the usual ones.
pub(super) fn error_pages<'h>(
    host: &'h HostModel,
    dirs: &HostDirs,
    pipelines: Pipelines<'h>,
) -> &'h [String] {
    let pages = &host.error_pages;
    let applies = pages.key.as_ref().is_none_or(|key| {
        let settings = HostSettings::read(host, dirs, pipelines);
        let value = settings
            .as_ref()
            .and_then(|settings| settings.value(key)?.as_text());
        value == pages.is.as_deref()
    });
    if applies { &pages.globs } else { &[] }
}

pub(super) fn form_at(host: &HostModel, dirs: &HostDirs, pipelines: Pipelines<'_>) -> UrlStyle {
    let addresses = &host.addresses;
    let settings = HostSettings::read(host, dirs, pipelines);
    let value = |key: &Option<String>| settings.as_ref()?.value(key.as_ref()?);
    let flag = |key: &Option<String>| value(key)?.as_flag();
    if let Some(handling) = value(&addresses.handling_key).and_then(SettingValue::as_text) {
        return handled(handling);
    }
    let is_clean = flag(&addresses.clean_key).unwrap_or(addresses.clean);
    match (is_clean, flag(&addresses.slash_key)) {
        (true, None) => UrlStyle::Clean,
        (true, Some(true)) => UrlStyle::CleanSlashed,
        (true, Some(false)) => UrlStyle::CleanSlashless,
        (false, Some(false)) => UrlStyle::KeepSlashless,
        (false, Some(true)) => UrlStyle::KeepSlashed,
        (false, None) => UrlStyle::Keep,
    }
}

/// The URL style for a value of `html_handling`
/// (developers.cloudflare.com/workers/static-assets/routing/advanced/html-handling).
fn handled(handling: &str) -> UrlStyle {
    match handling {
        "force-trailing-slash" => UrlStyle::CleanSlashed,
        "drop-trailing-slash" => UrlStyle::CleanSlashless,
        "none" => UrlStyle::Exact,
        _ => UrlStyle::Clean,
    }
}

/// Reads a settings file in TOML or JSON, which may have comments.
pub(super) fn settings_at(file: &Path, tree: &Tree) -> Option<SettingValue> {
    let dir = file.parent()?;
    let text = tree.at(dir).text(file).ok()?;
    let is_toml = file
        .extension()
        .is_some_and(|extension| extension == "toml");
    let parsed = if is_toml {
        Syntax::Toml.parse(&text)
    } else {
        Syntax::Json.parse(&without_comments(&text))
    };
    parsed.ok()
}

/// The values at a path of keys such as `assets` or `env.*.assets`. A list has those of its members.
pub(super) fn values_at<'v>(settings: &'v SettingValue, path: &str) -> Vec<&'v SettingValue> {
    let mut found = vec![settings];
    for key in path.split('.') {
        let mut next = Vec::new();
        for value in found {
            match &value.data {
                _ if key == "*" => next.extend(values(value)),
                SettingData::List(list) => {
                    next.extend(list.iter().filter_map(|value| value.get(key)));
                }
                _ => next.extend(value.get(key)),
            }
        }
        found = next;
    }
    found
}

fn values(table: &SettingValue) -> impl Iterator<Item = &SettingValue> {
    table.entries().iter().map(|entry| &entry.value)
}

/// Replaces the comments and trailing commas of a `.jsonc` file.
fn without_comments(text: &str) -> String {
    let comment =
        Regex::new(r#"("(?:\\.|[^"\\])*")|//[^\n]*|/\*(?s:.*?)\*/"#).expect("a valid expression");
    let comma =
        Regex::new(r#"("(?:\\.|[^"\\])*")|,([ \t\r\n]*[}\]])"#).expect("a valid expression");
    let text = comment.replace_all(text, "$1");
    comma.replace_all(&text, "$1$2").into_owned()
}

/// Whether a host has a file that identifies it.
pub(super) fn is_marked(dirs: &HostDirs, host: &HostModel, mark: &HostMark) -> bool {
    let path = if host.unread.contains(&mark.file) {
        dirs.nearest_or_built(&mark.file)
    } else {
        dirs.nearest(&mark.file)
    };
    let Some(path) = path else {
        return false;
    };
    mark.has_key.as_ref().is_none_or(|key| {
        settings_at(&path, dirs.tree())
            .is_some_and(|settings| !values_at(&settings, key).is_empty())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_trailing_commas_are_removed() {
        let text = "{ // a\n \"a\": \"//\\\"\", /* b, */ \"c\": [1, ], }";
        let expected = "{ \n \"a\": \"//\\\"\",  \"c\": [1 ] }";
        assert_eq!(without_comments(text), expected);
    }
}
