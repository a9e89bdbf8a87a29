//! Hugo: its URLs, the directories that it mounts, what pages inherit, and its bundles: directories of an
//! index file, whose other files are its resources.

mod modules;
mod names;
mod permalinks;

use std::collections::HashMap;

use serde_json::{Map, Value};

use crate::generators::{
    ContentDirs, ContentName, Conventions, Languages, ListedContentFile, MountingSite, Mounts,
    OwnConfig, PredictionInput, SlugSubject, UrlPath,
};
use sitemaps::site_paths::SitePath;

pub(super) struct Hugo;

impl Conventions for Hugo {
    fn mounts(&self, site: &MountingSite<'_>) -> Mounts {
        modules::mounts(site)
    }

    /// Adds the values of `cascade`, without a target, in list pages to the front matter of all files
    /// below them. A file's own values take precedence, then those of the nearest list page.
    fn inherit(&self, languages: &Languages<'_>, files: &mut [ListedContentFile<'_>]) {
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

    /// The content files in the directory of each page that owns it, its `index.md`, in the
    /// same language.
    fn resources(
        &self,
        languages: &Languages<'_>,
        files: &[ListedContentFile<'_>],
    ) -> HashMap<SitePath, Vec<SitePath>> {
        let (mut owners, mut others) = (HashMap::new(), Vec::new());
        for file in files {
            let name = file.name(languages);
            if name.stem == "index" {
                owners.insert((file.path.dir(), name.language), &file.path);
            } else {
                others.push((&file.path, name.language));
            }
        }
        let mut resources: HashMap<SitePath, Vec<SitePath>> = HashMap::new();
        for (path, language) in others {
            let whole = path.as_bytes();
            let mut ends = memchr::memrchr_iter(b'/', whole);
            if let Some(owner) = ends.find_map(|end| owners.get(&(&whole[..=end], language))) {
                let owned = resources.entry((*owner).clone()).or_default();
                owned.push(path.clone());
            }
        }
        resources
    }

    fn paths(&self, content: &PredictionInput<'_>) -> Vec<UrlPath> {
        if is_resource(content.dirs, content.name) {
            return Vec::new();
        }
        let page = permalinks::PermalinkPage::new(content);
        let stated = content.stated_paths(|token| page.value_of(token));
        stated
            .or_else(|| page.paths())
            .unwrap_or_else(|| self.paths_by_name(content, page.dated.slug))
    }

    fn slug(&self, config: &OwnConfig, name: &str, subject: SlugSubject) -> Option<String> {
        let slug = match subject {
            SlugSubject::FrontMatter => names::slug(name),
            SlugSubject::Dir | SlugSubject::Page | SlugSubject::Term => names::path(name),
        };
        Some(names::cased(slug, config))
    }

    fn date_order(&self, config: &OwnConfig) -> Vec<String> {
        names::lastmod_order(config)
    }
}

/// Whether a file is not a page: it is a resource of a bundle above it, or beside a bundle of its name,
/// which Hugo prefers.
fn is_resource(dirs: &ContentDirs<'_>, name: &ContentName<'_>) -> bool {
    if dirs.bundles.is_empty() {
        return false;
    }
    // An index file is not a resource of its own directory.
    let above = name.dirs.len() - usize::from(name.stem == "index" && !name.dirs.is_empty());
    (1..=above).any(|depth| dirs.bundles.contains_key(&name.dirs[..depth].join("/")))
        || dirs
            .bundles
            .get(&[&name.dirs[..], &[name.stem]].concat().join("/"))
            .is_some_and(|languages| languages.contains(&name.language))
}
