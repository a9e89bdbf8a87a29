//! What list pages show: the content files in their directories, and for tags and categories, those
//! with a term in their front matter.

use std::collections::HashSet;
use std::slice;

use serde_json::Value;

use super::content::{ContentFile, ContentIndex};
use super::content_layout::ContentLayout;
use super::content_root::{ContentRoot, below};
use super::front_matter::scalar_to_string;
use super::own::conventions_of;
use super::own_config::OwnConfig;
use super::profile::Generator;
use super::setting_words::SettingTexts;
use super::site::Site;
use super::slug::{SlugSubject, github};
use sitemaps::site_paths::SitePath;

/// The taxonomies of one site.
#[derive(Debug)]
pub struct Taxonomies<'a> {
    generator: &'a Generator,
    config: &'a OwnConfig,
    names: Vec<&'a str>,
}

/// The names of taxonomies in the settings, or else the default ones.
pub(super) fn names_of<'a>(terms: &'a SettingTexts, config: &'a OwnConfig) -> Vec<&'a str> {
    let set = terms.keys().find_map(|key| config.get(key));
    match set {
        // Hugo maps singular to plural names; front matter and URLs use the plural.
        Some(Value::Object(table)) => table.values().filter_map(Value::as_str).collect(),
        Some(Value::Array(list)) => {
            let names = list.iter().filter_map(|one| one.get("name"));
            names.filter_map(Value::as_str).collect()
        }
        _ => terms.literals().collect(),
    }
}

impl<'a> Taxonomies<'a> {
    /// The taxonomies in the settings of a site.
    pub fn new(generator: &'a Generator, config: &'a OwnConfig) -> Self {
        Self {
            generator,
            config,
            names: names_of(&generator.terms, config),
        }
    }

    /// Whether a page may be one of a taxonomy or of its terms, in any language: one of its
    /// directories has the name of a taxonomy.
    pub fn contain(&self, page: &SitePath) -> bool {
        let mut parts = page.dir().split(|&byte| byte == b'/');
        parts.any(|part| {
            let mut names = self.names.iter();
            names.any(|name| part.eq_ignore_ascii_case(name.as_bytes()))
        })
    }

    fn slug_of(&self, name: &str) -> Option<String> {
        let conventions = conventions_of(&self.generator.name);
        conventions.slug(self.config, name, SlugSubject::Term)
    }

    /// The slugs that a term may have: where templates make them, the usual ones.
    fn slugs_of_term(&self, term: &str) -> Vec<String> {
        if let Some(slug) = self.slug_of(term) {
            return vec![slug];
        }
        let mut slugs = vec![term.to_owned(), term.replace(' ', "-"), github(term)];
        slugs.dedup();
        slugs
    }

    /// The term pages of a content file. `dir` is the prefix of their paths, empty or ending in
    /// `/`. The pages may not exist on the site.
    pub fn pages_of(&self, file: &ContentFile, dir: &str) -> Vec<SitePath> {
        let front_matter = &file.front_matter;
        // Zola's pages have a table of them.
        let terms_of = |name: &str| {
            let in_table = front_matter.value(&format!("taxonomies.{name}"));
            in_table.or_else(|| front_matter.value(name))
        };
        let mut pages = Vec::new();
        for name in &self.names {
            let Some(terms) = terms_of(name) else {
                continue;
            };
            let name = self.slug_of(name).unwrap_or_else(|| (*name).to_owned());
            // Hugo accepts a single term without brackets.
            let terms = terms
                .as_array()
                .map_or(slice::from_ref(terms), Vec::as_slice);
            for term in terms.iter().filter_map(scalar_to_string) {
                let slugs = self.slugs_of_term(&term).into_iter();
                let files = slugs.map(|term| format!("{dir}{name}/{term}/index.html"));
                pages.extend(files.map(SitePath::new));
            }
        }
        pages
    }
}

/// The content directories of a site, by the list pages that show their files.
pub struct ListDirs<'s> {
    content: &'s ContentIndex,
    layout: ContentLayout<'s>,
    /// Every directory with content files in it or below, relative to the site root, without a `/`
    /// at the end.
    with_content: HashSet<&'s [u8]>,
    /// The codes of the languages, if names of content files have them.
    codes: Vec<&'s str>,
    /// The content directories that are links or have a repository of their own.
    places: Vec<SitePath>,
}

/// The content files that a list page shows.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ShownFiles {
    /// The directory that has them, relative to the site root.
    pub dir: SitePath,
    /// Those of one language, in it and below; `None` for all.
    pub names: Option<NamesOfLanguage>,
}

impl ShownFiles {
    /// Whether a content file in the directory or below is among them.
    pub fn contain(&self, file: &SitePath) -> bool {
        let is_named = |names: &NamesOfLanguage| names.contain(file.file_name());
        self.names.as_ref().is_none_or(is_named)
    }
}

/// The names of the content files of a language: `a.fr.md`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NamesOfLanguage {
    language: String,
    codes: Vec<String>,
    /// Whether a name without a code is in this language.
    has_plain: bool,
}

impl NamesOfLanguage {
    /// Whether a content file of this name is in the language.
    pub fn contain(&self, name: &[u8]) -> bool {
        match code_in(name, &self.codes) {
            Some(code) => *code == self.language,
            None => self.has_plain,
        }
    }
}

/// The language code in the name of a content file, before its extension.
fn code_in<'c, C: AsRef<str>>(name: &[u8], codes: &'c [C]) -> Option<&'c C> {
    let mut parts = name.rsplit(|&byte| byte == b'.').skip(1);
    let (code, _stem) = (parts.next()?, parts.next()?);
    let mut codes = codes.iter();
    codes.find(|known| known.as_ref().as_bytes().eq_ignore_ascii_case(code))
}

impl<'s> ListDirs<'s> {
    /// The directories of a site; `None` without a generator.
    pub fn new(site: &'s Site<'_>, content: &'s ContentIndex) -> Option<Self> {
        let files = content.files.iter().map(|file| file.path.as_bytes());
        let above = files.flat_map(|path| {
            memchr::memrchr_iter(b'/', path)
                .chain([0])
                .map(|end| &path[..end])
        });
        let layout = ContentLayout::of(site)?;
        let mut codes = layout.languages.codes.clone();
        codes.push(layout.languages.or_default(None));
        let mut names = content.files.iter().map(|file| file.path.file_name());
        if !names.any(|name| code_in(name, &codes).is_some()) {
            codes.clear();
        }
        let with_content: HashSet<&[u8]> = above.collect();
        let dirs = with_content.iter().map(|dir| SitePath::new(*dir));
        let mut places: Vec<SitePath> = dirs
            .filter(|dir| {
                let dir = dir.below_dir(&site.root);
                dir.is_symlink() || site.tree.exists(&dir.join(".git"))
            })
            .collect();
        places.sort();
        Some(Self {
            content,
            layout,
            with_content,
            codes,
            places,
        })
    }

    /// The files of a list page: those in the directory of its own content file, else in those with
    /// its path in the content. `dir` is the output directory of the page, empty or ending in `/`.
    pub fn of_list(&self, dir: &[u8], source: Option<&SitePath>) -> Vec<ShownFiles> {
        let ContentLayout {
            languages, roots, ..
        } = &self.layout;
        let is_mounted = |source: &&SitePath| {
            let mut roots = roots.iter();
            roots.any(|root| root.path.as_bytes() == source.as_bytes())
        };
        let path = [&*self.content.output_prefix, dir].concat();
        let codes = languages.codes.iter();
        let prefixes = codes.map(|code| (*code, languages.prefix(code)));
        let in_dir = |(_, prefix): &(&str, String)| {
            !prefix.is_empty() && path.starts_with(prefix.as_bytes())
        };
        let found = prefixes.clone().find(in_dir);
        let (language, prefix) =
            found.unwrap_or_else(|| (languages.or_default(None), String::new()));
        let shown = |dir: SitePath| ShownFiles {
            names: self.names_in(&dir, language),
            dir,
        };
        let source = source.filter(|source| !is_mounted(source));
        let own = source.map(|source| {
            let dir = source.dir();
            SitePath::new(dir.strip_suffix(b"/").unwrap_or(dir))
        });
        let in_content = if let Some(dir) = &own {
            self.place_in_content(dir.as_bytes())
        } else {
            let below = &path[prefix.len()..];
            Some(below.strip_suffix(b"/").unwrap_or(below).to_vec())
        };
        let in_roots = |of_root: Option<&str>| {
            let roots = roots.iter().filter(|root| root.language == of_root);
            let dirs = roots.filter_map(|root| dir_in(root, in_content.as_deref()?));
            let dirs = dirs.filter(|dir| self.with_content.contains(dir.as_bytes()));
            dirs.collect::<Vec<_>>()
        };
        // A directory for all languages contains those of each.
        let mut mounted = in_roots(Some(language));
        if mounted.is_empty() {
            mounted = in_roots(None);
        }
        let mut dirs: Vec<SitePath> = own.into_iter().collect();
        for dir in mounted {
            if !dirs
                .iter()
                .any(|known| below(dir.as_bytes(), known.as_bytes()).is_some())
            {
                dirs.push(dir);
            }
        }
        let places = self.places.iter().filter(|place| {
            let is_inside = |dir: &SitePath| below(place.as_bytes(), dir.as_bytes()).is_some();
            dirs.iter().any(is_inside) && !dirs.contains(place)
        });
        let places: Vec<SitePath> = places.cloned().collect();
        dirs.into_iter().chain(places).map(shown).collect()
    }

    /// The path within the content of a directory of the site.
    fn place_in_content(&self, dir: &[u8]) -> Option<Vec<u8>> {
        let roots = self.layout.roots.iter();
        let found = roots.filter_map(|root| Some((root, below(dir, root.path.as_bytes())?)));
        let (root, rest) = found.max_by_key(|(root, _)| root.path.len())?;
        Some(SitePath::joined(&root.mounted_at, rest).as_bytes().to_vec())
    }

    /// The names of a language in a directory; `None` if no name has a language.
    fn names_in(&self, dir: &SitePath, language: &str) -> Option<NamesOfLanguage> {
        let roots = self.layout.roots.iter();
        let mut roots = roots.filter(|root| below(dir.as_bytes(), root.path.as_bytes()).is_some());
        let of_plain = self.layout.languages.or_default(roots.next()?.language);
        (!self.codes.is_empty()).then(|| NamesOfLanguage {
            language: language.to_owned(),
            codes: self.codes.iter().map(|code| (*code).to_owned()).collect(),
            has_plain: of_plain == language,
        })
    }
}

/// The directory with a path in the content, in the directory of a root that has it or is below it.
fn dir_in(root: &ContentRoot<'_>, path: &[u8]) -> Option<SitePath> {
    let rest = match below(path, root.mounted_at.as_bytes()) {
        Some(rest) => rest,
        None => below(root.mounted_at.as_bytes(), path).map(|_| &b""[..])?,
    };
    Some(SitePath::joined(&root.path, rest))
}
