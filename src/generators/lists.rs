//! What list pages show: the content files in their directories, and for tags and categories, those
//! with a term in their front matter.

use std::collections::HashSet;
use std::slice;

use super::front_matter::scalar_to_string;
use super::own::conventions_of;
use super::{
    ContentFile, ContentIndex, ContentLayout, ContentRoot, Generator, OwnConfig, Site, SlugSubject,
    below, github_slug,
};
use sitemaps::site_paths::SitePath;

/// The taxonomies of one site.
#[derive(Debug)]
pub struct Taxonomies<'a> {
    generator: &'a Generator,
    config: &'a OwnConfig,
    names: Vec<&'a str>,
}

impl<'a> Taxonomies<'a> {
    /// The taxonomies in the settings of a site.
    pub fn new(generator: &'a Generator, config: &'a OwnConfig) -> Self {
        Self {
            generator,
            config,
            names: config.taxonomies(&generator.terms),
        }
    }

    /// Whether a page may be one of a taxonomy or of its terms, in any language: one of its
    /// directories has the name of a taxonomy.
    pub fn contain(&self, page: &SitePath) -> bool {
        page.dir().split(|&byte| byte == b'/').any(|part| {
            self.names
                .iter()
                .any(|name| part.eq_ignore_ascii_case(name.as_bytes()))
        })
    }

    fn slug_of(&self, name: &str) -> Option<String> {
        conventions_of(&self.generator.name).slug(self.config, name, SlugSubject::Term)
    }

    /// The slugs that a term may have: where templates make them, the usual ones.
    fn slugs_of_term(&self, term: &str) -> Vec<String> {
        if let Some(slug) = self.slug_of(term) {
            return vec![slug];
        }
        let mut slugs = vec![term.to_owned(), term.replace(' ', "-"), github_slug(term)];
        slugs.dedup();
        slugs
    }

    /// The term pages of a content file. `dir` is the prefix of their paths, empty or ending in
    /// `/`. The pages may not exist on the site.
    pub fn pages_of(&self, file: &ContentFile, dir: &str) -> Vec<SitePath> {
        let front_matter = &file.front_matter;
        let mut pages = Vec::new();
        for name in &self.names {
            // Zola's pages have a table of them.
            let in_table = front_matter.value(&format!("taxonomies.{name}"));
            let Some(terms) = in_table.or_else(|| front_matter.value(name)) else {
                continue;
            };
            let name = self.slug_of(name).unwrap_or_else(|| (*name).to_owned());
            // Hugo accepts a single term without brackets.
            let terms = terms
                .as_array()
                .map_or(slice::from_ref(terms), Vec::as_slice);
            for term in terms.iter().filter_map(scalar_to_string) {
                for term in self.slugs_of_term(&term) {
                    pages.push(SitePath::new(format!("{dir}{name}/{term}/index.html")));
                }
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
        self.names
            .as_ref()
            .is_none_or(|names| names.contain(file.file_name()))
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
    codes
        .iter()
        .find(|known| known.as_ref().as_bytes().eq_ignore_ascii_case(code))
}

impl<'s> ListDirs<'s> {
    /// The directories of a site; `None` without a generator.
    pub fn new(site: &'s Site, content: &'s ContentIndex) -> Option<Self> {
        let layout = ContentLayout::of(site)?;
        let mut codes = layout.languages.codes.clone();
        codes.push(layout.languages.or_default(None));
        let mut has_codes = false;
        let mut with_content = HashSet::new();
        for file in &content.files {
            has_codes = has_codes || code_in(file.path.file_name(), &codes).is_some();
            let path = file.path.as_bytes();
            with_content.insert(&path[..0]);
            with_content.extend(memchr::memchr_iter(b'/', path).map(|end| &path[..end]));
        }
        if !has_codes {
            codes.clear();
        }
        let mut places: Vec<SitePath> = with_content
            .iter()
            .map(|dir| SitePath::new(*dir))
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
    pub fn shown_by(&self, dir: &[u8], source: Option<&SitePath>) -> Vec<ShownFiles> {
        let ContentLayout {
            languages, roots, ..
        } = &self.layout;
        let path = [&*self.content.output_prefix, dir].concat();
        let (language, prefix) = languages
            .codes
            .iter()
            .map(|code| (*code, languages.prefix(code)))
            .find(|(_, prefix)| !prefix.is_empty() && path.starts_with(prefix.as_bytes()))
            .unwrap_or_else(|| (languages.or_default(None), String::new()));
        let own = source
            .filter(|source| {
                roots
                    .iter()
                    .all(|root| root.path.as_bytes() != source.as_bytes())
            })
            .map(|source| {
                let dir = source.dir();
                SitePath::new(dir.strip_suffix(b"/").unwrap_or(dir))
            });
        let in_content = if let Some(dir) = &own {
            self.place_in_content(dir.as_bytes())
        } else {
            let below = &path[prefix.len()..];
            Some(below.strip_suffix(b"/").unwrap_or(below).to_vec())
        };
        let mut dirs = Vec::from_iter(own);
        if let Some(in_content) = in_content {
            // A directory for all languages contains those of each.
            let mut mounted = self.dirs_in_roots(Some(language), &in_content);
            if mounted.is_empty() {
                mounted = self.dirs_in_roots(None, &in_content);
            }
            for dir in mounted {
                if !has(&dirs, &dir) {
                    dirs.push(dir);
                }
            }
        }
        for place in &self.places {
            if has(&dirs, place) && !dirs.contains(place) {
                dirs.push(place.clone());
            }
        }
        dirs.into_iter()
            .map(|dir| ShownFiles {
                names: self.names_in(&dir, language),
                dir,
            })
            .collect()
    }

    /// The directories with content that have a path in the content, in the roots of one language.
    fn dirs_in_roots(&self, language: Option<&str>, in_content: &[u8]) -> Vec<SitePath> {
        self.layout
            .roots
            .iter()
            .filter(|root| root.language == language)
            .filter_map(|root| dir_in(root, in_content))
            .filter(|dir| self.with_content.contains(dir.as_bytes()))
            .collect()
    }

    /// A link that is not followed, among these or below them.
    pub fn not_followed(&self, shown: &[ShownFiles]) -> Option<&SitePath> {
        self.content.not_followed.iter().find(|link| {
            shown
                .iter()
                .any(|shown| below(link.as_bytes(), shown.dir.as_bytes()).is_some())
        })
    }

    /// The path within the content of a directory of the site.
    fn place_in_content(&self, dir: &[u8]) -> Option<Vec<u8>> {
        let (root, rest) = self
            .layout
            .roots
            .iter()
            .filter_map(|root| Some((root, below(dir, root.path.as_bytes())?)))
            .max_by_key(|(root, _)| root.path.len())?;
        Some(SitePath::joined(&root.mounted_at, rest).as_bytes().to_vec())
    }

    /// The names of a language in a directory; `None` if no name has a language.
    fn names_in(&self, dir: &SitePath, language: &str) -> Option<NamesOfLanguage> {
        let ContentLayout {
            languages, roots, ..
        } = &self.layout;
        let root = roots
            .iter()
            .find(|root| below(dir.as_bytes(), root.path.as_bytes()).is_some())?;
        (!self.codes.is_empty()).then(|| NamesOfLanguage {
            language: language.to_owned(),
            codes: self.codes.iter().map(|code| (*code).to_owned()).collect(),
            has_plain: languages.or_default(root.language) == language,
        })
    }
}

/// Whether a directory is one of these or below one.
fn has(dirs: &[SitePath], dir: &SitePath) -> bool {
    dirs.iter()
        .any(|known| below(dir.as_bytes(), known.as_bytes()).is_some())
}

/// The directory with a path in the content, in the directory of a root that has it or is below it.
fn dir_in(root: &ContentRoot<'_>, path: &[u8]) -> Option<SitePath> {
    let rest = match below(path, root.mounted_at.as_bytes()) {
        Some(rest) => rest,
        None => below(root.mounted_at.as_bytes(), path).map(|_| &b""[..])?,
    };
    Some(SitePath::joined(&root.path, rest))
}
