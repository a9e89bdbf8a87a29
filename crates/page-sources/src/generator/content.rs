//! The site's content files and the pages made from them.

use std::collections::HashMap;
use std::path::Path;

use rayon::prelude::*;

use super::content_dirs::ContentDirs;
use super::content_root::{ContentLayout, below};
use super::content_walk::{ContentName, ListedContentFile, walk};
use super::convention::ConventionInput;
use super::front_matter::{FrontMatter, beginning_of, without_mark};
use super::includes::include_scanner::{IncludeCall, IncludeScanner};
use super::languages::Languages;
use super::profile::Generator;
use super::site::Site;
use sitemaps::site_paths::SitePath;
use sitemaps::site_paths::containment::SitemapDir;
use sitemaps::site_paths::finding::{Finding, Place, Subject, WithFindings, code};
use sitemaps::site_paths::io_failure::FailureLog;

/// A content file.
#[derive(Debug)]
pub struct ContentFile {
    /// Its path below the site root.
    pub path: SitePath,
    /// Its parsed front matter.
    pub front_matter: FrontMatter,
    /// Whether it is a list page: the home page or a section.
    pub is_list: bool,
}

/// Content files, indexed by the pages made from them.
#[derive(Debug, Default)]
pub struct ContentIndex {
    pub(super) files: Vec<ContentFile>,
    /// The file that each page is made from; `None` if several claim it.
    pub(super) by_output: HashMap<SitePath, Option<usize>>,
    by_path: HashMap<SitePath, usize>,
    /// Prefix to add to page paths if the output directory is only a part of what the generator
    /// wrote.
    pub(super) output_prefix: Vec<u8>,
    /// The paths that content files include, for those that include any.
    pub(super) include_calls: HashMap<SitePath, Vec<IncludeCall>>,
    /// The content files that are resources of each content file.
    resources: HashMap<SitePath, Vec<SitePath>>,
    /// The content directories.
    pub(super) dirs: Vec<String>,
}

/// The pages that the generator makes from a content file.
pub(super) struct PagesMade {
    /// Candidate output files.
    pub(super) outputs: Vec<SitePath>,
    /// The pages of other languages that are written if no file is their translation, each with the
    /// page that it repeats.
    untranslated: Vec<(SitePath, SitePath)>,
    is_list: bool,
}

impl ContentIndex {
    /// Reads file names and front matter below the site's content directories.
    ///
    /// `output_dir` is the directory whose pages will be looked up. It may be a subdirectory of the
    /// generator's output; page paths are then relative to it.
    ///
    /// Failures of the machine are remembered in the log of `output`.
    pub fn build(site: &Site<'_>, output: &SitemapDir) -> WithFindings<Self> {
        let Some(layout) = ContentLayout::of(site) else {
            return WithFindings::default();
        };
        let failures = output.containment().failures();
        let (generator, languages) = (layout.generator, &layout.languages);
        let (mut listed, mut findings) = (Vec::new(), Vec::new());
        for root in &layout.roots {
            listed.extend(walk(site, generator, root, failures).take_into(&mut findings));
        }
        let scanner = IncludeScanner::new(generator, layout.config);
        let read: Vec<_> = listed
            .into_par_iter()
            .map(|listed| read_content_file(generator, &scanner, listed, failures))
            .collect();
        let mut files = Vec::with_capacity(read.len());
        for read in read {
            match read {
                Ok(read) => files.push(read),
                Err(finding) => findings.push(finding),
            }
        }
        if let Some(inherit) = generator.own.inherit {
            inherit(languages, &mut files);
        }
        let made = layout.pages_made(&files);
        let mut index = Self {
            output_prefix: output_prefix_of(site, output.path(), failures).unwrap_or_default(),
            dirs: layout.roots.iter().map(|root| root.path.clone()).collect(),
            ..Self::default()
        };
        if generator.own.has_bundles {
            index.resources = resources_of(languages, &files);
        }
        index.insert_all(generator, files, made);
        WithFindings::new(index, findings)
    }

    /// The content file that a page is made from, if it is unambiguous.
    pub fn source_of(&self, page: &SitePath) -> Option<&ContentFile> {
        let whole = SitePath::new([&self.output_prefix, page.as_bytes()].concat());
        let owner = *self.by_output.get(&whole)?;
        Some(&self.files[owner?])
    }

    /// The content files that are resources of the page made from a file.
    pub(super) fn resources_of(&self, path: &SitePath) -> &[SitePath] {
        self.resources.get(path).map_or(&[], Vec::as_slice)
    }

    /// The content file at a path below the site root.
    pub fn file(&self, path: &SitePath) -> Option<&ContentFile> {
        self.by_path.get(path).map(|&index| &self.files[index])
    }

    /// The paths of the content files in a directory, relative to the site root, or below, sorted.
    pub fn files_below(&self, dir: &SitePath) -> Vec<&SitePath> {
        let is_below = |path: &&SitePath| below(path.as_bytes(), dir.as_bytes()).is_some();
        let files = self.files.iter().map(|file| &file.path);
        let mut files: Vec<_> = files.filter(is_below).collect();
        files.sort_unstable();
        files
    }

    /// The strings at a key in the front matter of list pages.
    pub fn texts_in_lists(&self, key: &str) -> impl Iterator<Item = &str> {
        let lists = self.files.iter().filter(|file| file.is_list);
        lists.filter_map(move |list| list.front_matter.text(key))
    }

    fn insert_all(
        &mut self,
        generator: &Generator,
        files: Vec<ListedContentFile<'_>>,
        made: Vec<PagesMade>,
    ) {
        let (mut of_drafts, mut untranslated) = (HashMap::new(), Vec::new());
        for (read, made) in files.into_iter().zip(made) {
            let is_draft = generator.draft_mark(&read.path, &read.front_matter);
            let owners = match is_draft {
                Some(_) => &mut of_drafts,
                None => &mut self.by_output,
            };
            let (path, index) = (read.path, self.files.len());
            if !read.include_calls.is_empty() {
                self.include_calls.insert(path.clone(), read.include_calls);
            }
            self.by_path.insert(path.clone(), index);
            self.files.push(ContentFile {
                path,
                front_matter: read.front_matter,
                is_list: made.is_list,
            });
            let repeated = made.untranslated.into_iter();
            untranslated.extend(repeated.map(|(page, original)| (page, original, index)));
            for output in made.outputs {
                let owner = owners.entry(output).or_insert(Some(index));
                // A file may claim a page twice: through two of its candidates, or because it is
                // found through two content roots.
                let path = |owner: usize| &self.files[owner].path;
                if owner.is_none_or(|owner| path(owner) != path(index)) {
                    *owner = None;
                }
            }
        }
        // Drafts are not built by default, so a draft never competes with a published file.
        for (output, owner) in of_drafts {
            self.by_output.entry(output).or_insert(owner);
        }
        for (output, original, index) in untranslated {
            if self.by_output.get(&original) == Some(&Some(index)) {
                self.by_output.entry(output).or_insert(Some(index));
            }
        }
    }
}

/// The path of `output_dir` below the generator's output directory, with a trailing `/`; `None` if it is that
/// directory or elsewhere.
fn output_prefix_of(site: &Site<'_>, output_dir: &Path, failures: &FailureLog) -> Option<Vec<u8>> {
    let whole = failures.resolved(&site.output_dir)?;
    let below = SitePath::below(&whole, &failures.resolved(output_dir)?)?;
    (!below.as_bytes().is_empty()).then(|| [below.as_bytes(), b"/"].concat())
}

fn read_content_file<'r>(
    generator: &Generator,
    scanner: &IncludeScanner<'_>,
    mut listed: ListedContentFile<'r>,
    failures: &FailureLog,
) -> Result<ListedContentFile<'r>, Finding> {
    let wants = generator.reads_front_matter();
    let unreadable = |why: &str, place: Option<Place>| {
        let message = format!(
            "cannot read the front matter of `{}`: {why}; its page has no source",
            listed.path
        );
        let subject = Subject::File(listed.file.clone(), place);
        Finding::new(code::SOURCE_UNREADABLE, subject, message)
    };
    let read = if wants || !scanner.is_empty() {
        failures.note(&listed.file, beginning_of(&listed.file))
    } else {
        Ok(Vec::new())
    };
    let text = match read {
        Err(error) if wants => return Err(unreadable(&error.to_string(), None)),
        read => read.unwrap_or_default(),
    };
    listed.front_matter = match generator.own.header {
        _ if !wants => FrontMatter::default(),
        Some(header) => {
            let text = String::from_utf8_lossy(&text);
            header(without_mark(&text), listed.path.file_name())
        }
        None => {
            let read = FrontMatter::of_content(&text);
            read.map_err(|why| unreadable(&why.message, why.place))?
        }
    };
    listed.include_calls = scanner.calls(&listed.path, &text);
    Ok(listed)
}

/// The content files in the directory of each page that owns it, such as Hugo's `index.md`, in the
/// same language.
fn resources_of(
    languages: &Languages<'_>,
    files: &[ListedContentFile<'_>],
) -> HashMap<SitePath, Vec<SitePath>> {
    let named = files.iter().map(|file| (&file.path, file.name(languages)));
    let (indexes, others): (Vec<_>, Vec<_>) = named.partition(|(_, name)| name.stem == "index");
    let owners = indexes.iter();
    let owners = owners.map(|(path, name)| ((path.dir(), name.language), *path));
    let owners: HashMap<(&[u8], &str), &SitePath> = owners.collect();
    let mut resources: HashMap<SitePath, Vec<SitePath>> = HashMap::new();
    for (path, name) in others {
        let whole = path.as_bytes();
        let mut dirs = memchr::memrchr_iter(b'/', whole).map(|at| &whole[..=at]);
        if let Some(owner) = dirs.find_map(|dir| owners.get(&(dir, name.language))) {
            let of_owner = resources.entry((*owner).clone()).or_default();
            of_owner.push(path.clone());
        }
    }
    resources
}

impl ContentLayout<'_> {
    /// The pages made from each file, in the order of `files`.
    pub(super) fn pages_made(&self, files: &[ListedContentFile<'_>]) -> Vec<PagesMade> {
        let names = files.iter().map(|file| file.name(&self.languages));
        let names: Vec<_> = names.collect();
        let mut dirs = ContentDirs::default();
        for name in &names {
            dirs.insert(self.generator, name);
        }
        let made = |(file, name): (&ListedContentFile<'_>, &ContentName<'_>)| {
            let content = ConventionInput {
                path: &file.path,
                name,
                root: file.root,
                front_matter: &file.front_matter,
                dirs: &dirs,
            };
            let outputs = self.outputs_of(&content);
            PagesMade {
                untranslated: untranslated_pages(&self.languages, name.language, &outputs),
                outputs,
                is_list: self.generator.is_branch_index(name.stem),
            }
        };
        files.par_iter().zip(&names).map(made).collect()
    }
}

/// The pages of other languages that repeat the pages of a file in this language, as long as no file is
/// their translation.
fn untranslated_pages(
    languages: &Languages<'_>,
    language: &str,
    outputs: &[SitePath],
) -> Vec<(SitePath, SitePath)> {
    let own_dir = languages.prefix(language);
    let mut pages = Vec::new();
    for dir in languages.fallbacks(language) {
        for output in outputs {
            if let Some(below) = output.as_bytes().strip_prefix(own_dir.as_bytes()) {
                let page = SitePath::new([dir.as_bytes(), below].concat());
                pages.push((page, output.clone()));
            }
        }
    }
    pages
}
