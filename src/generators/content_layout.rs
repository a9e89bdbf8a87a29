//! Content directories of a site: from the manifest, per language, and from mounts.

use super::{ContentRoot, Conventions, Generator, Languages, Mount, MountingSite, OwnConfig, Site};
use sitemaps::site_paths::SitePath;

/// Where the content of a site is, and how its generator makes pages of it.
pub(super) struct ContentLayout<'s> {
    pub(super) generator: &'s Generator,
    pub(super) conventions: &'static dyn Conventions,
    pub(super) config: &'s OwnConfig,
    pub(super) languages: Languages<'s>,
    /// The content directories, in the order in which the generator searches them.
    pub(super) roots: Vec<ContentRoot<'s>>,
    /// How many of them belong to the site itself, not to a module or another site.
    pub(super) own_roots: usize,
}

impl<'s> ContentLayout<'s> {
    /// That of a site; `None` without a generator.
    pub(super) fn of(site: &'s Site) -> Option<Self> {
        let (generator, config) = (site.generator?, &site.config);
        let languages = generator.languages_in(config);
        let conventions = site.conventions();
        let mounts = conventions.mounts(&MountingSite {
            generator,
            config,
            tree: &site.tree,
            environment: &site.environment,
        });
        let mut roots = mounted(generator, mounts.own, &languages);
        if roots.is_empty() {
            roots = language_roots(generator, config, &languages);
            for root in &generator.roots {
                let path = normal(root.dir_in(config));
                let condition = root.condition.as_ref();
                if !config.is_unknown(&root.dir)
                    && condition.is_none_or(|condition| config.meets(condition))
                    && roots.iter().all(|known| known.path != path)
                {
                    roots.push(ContentRoot::new(root, path));
                }
            }
        }
        let own_roots = roots.len();
        roots.extend(mounted(generator, mounts.further, &languages));
        Some(Self {
            generator,
            conventions,
            config,
            languages,
            roots,
            own_roots,
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
        let Some(dir) = languages.content_dir(config, code, root.dir_in(config)) else {
            continue;
        };
        let path = normal(&dir);
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

/// The content directories of mounts: one for each language that a mount is for.
fn mounted<'g>(
    generator: &'g Generator,
    mounts: Vec<Mount>,
    languages: &Languages<'g>,
) -> Vec<ContentRoot<'g>> {
    let mut roots = Vec::new();
    let Some(root) = generator.roots.first() else {
        return roots;
    };
    for mount in mounts {
        let path = normal(&mount.source);
        let named = match &mount.languages {
            None => vec![None],
            Some(globs) => {
                let mut codes = languages.codes.clone();
                codes.retain(|code| {
                    globs.iter().any(|glob| {
                        matches!(&**glob, "*" | "**") || glob.eq_ignore_ascii_case(code)
                    })
                });
                codes.into_iter().map(Some).collect()
            }
        };
        roots.extend(named.into_iter().map(|language| ContentRoot {
            mounted_at: mount.target.clone(),
            language,
            ..ContentRoot::new(root, path.clone())
        }));
    }
    roots
}

fn normal(path: &str) -> String {
    SitePath::joined("", path).to_text().into_owned()
}
