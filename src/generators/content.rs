//! The site's content files and the pages made from them.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::io;
use std::iter::repeat_n;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use super::content_walk::walk;
use super::front_matter::beginning_of;
use super::{
    ContentDirs, ContentLayout, ContentRoot, Conventions, FrontMatter, IncludeCall, IncludeScanner,
    Languages, ListedContentFile, PredictionInput, Site, below,
};
use crate::files::tree::Tree;
use crate::findings::{Finding, Findings, Subject, code};
use sitemaps::site_paths::SitePath;

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

/// How many files share a block of memory for their paths, and another for their pages.
const FILES_PER_BLOCK: usize = 1024;

/// Content files, indexed by the pages made from them.
///
/// A large site has one for each page, so the indexes are sorted lists rather than maps.
#[derive(Debug, Default)]
pub struct ContentIndex {
    /// The files, sorted by their paths.
    pub(super) files: Vec<ContentFile>,
    /// Other files that are named as sources, sorted by their paths.
    named: Vec<ContentFile>,
    /// The number of the file that was looked up last.
    last_found: AtomicUsize,
    /// The pages made from the files, sorted.
    made: Vec<PageMade>,
    /// Whether any page is made from each file.
    have_pages: Vec<bool>,
    /// Prefix to add to page paths if the output directory is only a part of what the generator
    /// wrote.
    pub(super) output_prefix: Vec<u8>,
    /// The paths that content files include, for those that include any.
    pub(super) include_calls: HashMap<SitePath, Vec<IncludeCall>>,
    /// The content files that are resources of each content file.
    resources: HashMap<SitePath, Vec<SitePath>>,
    /// The content directories.
    pub(super) dirs: Vec<String>,
    /// The links in them that are not followed.
    pub(super) not_followed: Vec<SitePath>,
    /// The drafts among the files that only templates read.
    drafts_read: Vec<SitePath>,
}

/// A page made from a content file.
#[derive(Debug)]
struct PageMade {
    output: SitePath,
    /// The number of the file.
    file: u32,
    is_draft: bool,
    /// Whether other files claim the page too.
    is_contested: bool,
}

impl PageMade {
    fn new(output: SitePath, file: u32, is_draft: bool) -> Self {
        Self {
            output,
            file,
            is_draft,
            is_contested: false,
        }
    }
}

/// The pages that the generator makes from a content file.
pub(super) struct PagesMade {
    /// Candidate output files.
    pub(super) outputs: Vec<SitePath>,
    /// The pages of other languages that are written if no file is their translation, each with the
    /// page that it repeats.
    untranslated: Vec<(SitePath, SitePath)>,
}

impl ContentIndex {
    /// Reads file names and front matter below the site's content directories.
    ///
    /// `output` is the directory whose pages will be looked up. It may be a subdirectory of the
    /// generator's output; page paths are then relative to it.
    ///
    /// Failures of the machine are remembered in the log of `output`.
    pub fn build(site: &Site, output: &Tree, findings: &Findings) -> Self {
        let Some(layout) = ContentLayout::of(site) else {
            return Self::default();
        };
        let (generator, languages) = (layout.generator, &layout.languages);
        let (mut listed, mut not_followed) = (Vec::new(), Vec::new());
        let mut earlier = HashSet::new();
        for (index, root) in layout.roots.iter().enumerate() {
            let mut files = walk(site, generator, root, &mut not_followed, findings);
            if layout.own_roots < layout.roots.len() {
                files.retain(|file| {
                    let extension = file.path.extension().map(<[u8]>::to_vec);
                    earlier.insert((root.language, file.logical.clone(), extension))
                        || index < layout.own_roots
                });
            }
            listed.append(&mut files);
        }
        for block in listed.chunks_mut(FILES_PER_BLOCK) {
            SitePath::move_together(block.iter_mut().map(|file| &mut file.path));
        }
        let scanner = IncludeScanner::new(generator, layout.config);
        let mut files: Vec<_> = listed
            .into_par_iter()
            .filter_map(|listed| {
                read_content_file(&layout, &scanner, listed, &site.tree)
                    .map_err(|finding| findings.add(finding))
                    .ok()
            })
            .collect();
        layout.conventions.inherit(languages, &mut files);
        let mut index = Self {
            output_prefix: output_prefix_of(site, output.path()).unwrap_or_default(),
            dirs: layout.roots.iter().map(|root| root.path.clone()).collect(),
            not_followed,
            resources: layout.conventions.resources(languages, &files),
            ..Self::default()
        };
        index.insert_all(&layout, files);
        if let Some(dir) = &generator.read_by_templates {
            let root = ContentRoot::new(&generator.roots[0], dir.clone());
            let files = walk(site, generator, &root, &mut Vec::new(), findings);
            let paths: Vec<SitePath> = files.into_iter().map(|file| file.path).collect();
            index.add_named(site, paths.iter(), findings);
            for file in &index.named {
                if generator
                    .draft_mark(&file.path, &file.front_matter)
                    .is_some()
                {
                    index.drafts_read.push(file.path.clone());
                }
            }
        }
        index
    }

    /// The content file that a page is made from, if it is unambiguous.
    pub fn source_of(&self, page: &SitePath) -> Option<&ContentFile> {
        let made = self.made(&[&self.output_prefix, page.as_bytes()].concat())?;
        (!made.is_contested).then(|| &self.files[made.file as usize])
    }

    fn made(&self, output: &[u8]) -> Option<&PageMade> {
        let found = self
            .made
            .binary_search_by(|made| made.output.as_bytes().cmp(output))
            .ok()?;
        Some(&self.made[found])
    }

    /// The content files that are resources of the page made from a file.
    pub(super) fn resources_of(&self, path: &SitePath) -> &[SitePath] {
        self.resources.get(path).map_or(&[], Vec::as_slice)
    }

    /// Whether a file is in a content directory, so that what it includes is known.
    pub(super) fn has_walked(&self, path: &SitePath) -> bool {
        position(&self.files, path).is_some()
    }

    /// Whether a page is made from a file, so that the file itself is not one.
    pub fn makes_page_of(&self, path: &SitePath) -> bool {
        position(&self.files, path).is_some_and(|number| self.have_pages[number])
    }

    /// The content file at a path below the site root.
    pub fn file(&self, path: &SitePath) -> Option<&ContentFile> {
        // Most callers go through the pages in order, and a search takes five times as long.
        let last = self.last_found.load(Ordering::Relaxed);
        let likely = [last, last + 1].into_iter().find(|number| {
            let file = self.files.get(*number);
            file.is_some_and(|file| file.path == *path)
        });
        let Some(found) = likely.or_else(|| position(&self.files, path)) else {
            return Some(&self.named[position(&self.named, path)?]);
        };
        self.last_found.store(found, Ordering::Relaxed);
        Some(&self.files[found])
    }

    /// The draft of a page's name among the files that only templates read.
    pub fn draft_named(&self, page: &SitePath) -> Option<&SitePath> {
        let path = page.as_bytes();
        let stem = path
            .strip_suffix(b"/index.html")
            .or_else(|| path.strip_suffix(b".html"))?;
        self.drafts_read.iter().find(|draft| {
            let below = draft.as_bytes();
            let end = memchr::memrchr(b'.', below).unwrap_or(below.len());
            below[..end]
                .strip_suffix(stem)
                .is_some_and(|dir| dir.ends_with(b"/"))
        })
    }

    /// Reads the front matter of files that are named as sources of pages, if they are content.
    pub fn add_named<'p>(
        &mut self,
        site: &Site,
        paths: impl Iterator<Item = &'p SitePath>,
        findings: &Findings,
    ) {
        let Some(generator) = site.generator.filter(|known| known.reads_front_matter()) else {
            return;
        };
        let conventions = site.conventions();
        let new: BTreeSet<&SitePath> = paths
            .filter(|path| generator.is_content(path.file_name()) && self.file(path).is_none())
            .collect();
        let read: Vec<_> = Vec::from_iter(new)
            .into_par_iter()
            .filter_map(|path| {
                let file = path.below_dir(&site.root);
                let text = site.tree.note(&file, beginning_of(&file));
                front_matter_of(conventions, path, &file, &text, "")
                    .map_err(|finding| findings.add(finding))
                    .ok()
                    .map(|front_matter| ContentFile {
                        path: path.clone(),
                        front_matter,
                        is_list: false,
                    })
            })
            .collect();
        self.named.extend(read);
        self.named.sort_by(|one, other| one.path.cmp(&other.path));
    }

    /// The paths of the content files in a directory, relative to the site root, or below, sorted.
    pub fn files_below(&self, dir: &SitePath) -> Vec<&SitePath> {
        self.files
            .iter()
            .map(|file| &file.path)
            .filter(|path| below(path.as_bytes(), dir.as_bytes()).is_some())
            .collect()
    }

    /// The strings at a key in the front matter of list pages.
    pub fn texts_in_lists(&self, key: &str) -> impl Iterator<Item = &str> {
        self.files
            .iter()
            .filter(|file| file.is_list)
            .filter_map(move |list| list.front_matter.text(key))
    }

    fn insert_all(&mut self, layout: &ContentLayout<'_>, mut files: Vec<ListedContentFile<'_>>) {
        files.sort_by(|one, other| one.path.cmp(&other.path));
        let (mut dirs, mut are_lists) = (ContentDirs::default(), Vec::with_capacity(files.len()));
        for file in &files {
            let name = file.name(&layout.languages);
            dirs.insert(layout.generator, &name);
            are_lists.push(layout.generator.is_branch_index(name.stem));
        }
        let mut untranslated = Vec::new();
        self.made.reserve_exact(files.len());
        // A file that is found through two content roots is one, and counts as that of the last.
        let same = files.chunk_by(|one, next| one.path == next.path);
        let mut numbers = (0..)
            .zip(same)
            .flat_map(|(number, same)| repeat_n(number, same.len()));
        for block in files.chunks(FILES_PER_BLOCK) {
            let made_before = self.made.len();
            let made = layout.pages_made(block, &dirs);
            for ((read, made), file) in block.iter().zip(made).zip(&mut numbers) {
                let mark = layout.generator.draft_mark(&read.path, &read.front_matter);
                let is_draft = mark.is_some();
                for (output, original) in made.untranslated {
                    untranslated.push((PageMade::new(output, file, is_draft), original));
                }
                for output in made.outputs {
                    self.made.push(PageMade::new(output, file, is_draft));
                }
            }
            let made = &mut self.made[made_before..];
            SitePath::move_together(made.iter_mut().map(|made| &mut made.output));
        }
        for (read, is_list) in files.into_iter().zip(are_lists) {
            if !read.include_calls.is_empty() {
                self.include_calls
                    .insert(read.path.clone(), read.include_calls);
            }
            let file = ContentFile {
                path: read.path,
                front_matter: read.front_matter,
                is_list,
            };
            match self.files.last_mut() {
                Some(last) if last.path == file.path => *last = file,
                _ => self.files.push(file),
            }
        }
        self.settle_claims();
        self.add_untranslated(untranslated);
        self.have_pages = vec![false; self.files.len()];
        for made in &self.made {
            self.have_pages[made.file as usize] = true;
        }
    }

    /// Keeps one file for each page.
    fn settle_claims(&mut self) {
        // Drafts are not built by default, so a draft never competes with a published file.
        self.made.sort_by(|one, other| {
            (&one.output, one.is_draft).cmp(&(&other.output, other.is_draft))
        });
        self.made.dedup_by(|next, kept| {
            let is_repeated = next.output == kept.output;
            // A file may claim a page twice: through two of its candidates, or because it is
            // found through two content roots.
            kept.is_contested |=
                is_repeated && next.is_draft == kept.is_draft && next.file != kept.file;
            is_repeated
        });
    }

    /// Adds the pages that repeat one of a file, unless another file makes them.
    fn add_untranslated(&mut self, mut untranslated: Vec<(PageMade, SitePath)>) {
        untranslated.retain(|(page, original)| {
            let made = self.made(original.as_bytes());
            made.is_some_and(|made| made.file == page.file && !made.is_contested)
        });
        // The sort keeps the order of equal pages, so a page that no file makes is the first's.
        self.made
            .extend(untranslated.into_iter().map(|(page, _)| page));
        self.made
            .sort_by(|one, other| one.output.cmp(&other.output));
        self.made.dedup_by(|next, kept| next.output == kept.output);
    }
}

/// The path of `output_dir` below the generator's output directory, with a trailing `/`; `None` if it is that
/// directory or elsewhere.
fn output_prefix_of(site: &Site, output_dir: &Path) -> Option<Vec<u8>> {
    let whole = site.tree.resolved(&site.output_dir)?;
    let below = SitePath::below(&whole, &site.tree.resolved(output_dir)?)?;
    (!below.as_bytes().is_empty()).then(|| [below.as_bytes(), b"/"].concat())
}

/// The number of the file at a path, among files sorted by their paths.
fn position(files: &[ContentFile], path: &SitePath) -> Option<usize> {
    files.binary_search_by(|file| file.path.cmp(path)).ok()
}

fn read_content_file<'r>(
    layout: &ContentLayout<'_>,
    scanner: &IncludeScanner<'_>,
    mut listed: ListedContentFile<'r>,
    tree: &Tree,
) -> Result<ListedContentFile<'r>, Finding> {
    let wants = layout.generator.reads_front_matter();
    let mut text = Vec::new();
    if wants || !scanner.is_empty() {
        let read = tree.note(&listed.file, beginning_of(&listed.file));
        if wants {
            listed.front_matter = front_matter_of(
                layout.conventions,
                &listed.path,
                &listed.file,
                &read,
                "; its page has no source",
            )?;
        }
        text = read.unwrap_or_default();
    }
    listed.include_calls = scanner.calls(&listed.path, &text);
    listed.file = PathBuf::new();
    Ok(listed)
}

/// Parses the front matter in the first bytes of a content file, as far as they could be read.
fn front_matter_of(
    conventions: &dyn Conventions,
    path: &SitePath,
    file: &Path,
    text: &io::Result<Vec<u8>>,
    consequence: &str,
) -> Result<FrontMatter, Finding> {
    let (why, place) = match text {
        Ok(text) => match conventions.front_matter(text, path.file_name()) {
            Ok(front_matter) => return Ok(front_matter),
            Err(error) => (error.message, error.place),
        },
        Err(error) => (error.to_string(), None),
    };
    Err(Finding::new(
        code::SOURCE_UNREADABLE,
        Subject::File(file.to_owned(), place),
        format!("cannot read the front matter of `{path}`: {why}{consequence}"),
    ))
}

impl ContentLayout<'_> {
    /// The pages made from each file, in the order of `files`.
    pub(super) fn pages_made(
        &self,
        files: &[ListedContentFile<'_>],
        dirs: &ContentDirs<'_>,
    ) -> Vec<PagesMade> {
        files
            .par_iter()
            .map(|file| {
                let name = &file.name(&self.languages);
                let content = PredictionInput {
                    generator: self.generator,
                    config: self.config,
                    languages: &self.languages,
                    dirs,
                    path: &file.path,
                    name,
                    root: file.root,
                    front_matter: &file.front_matter,
                };
                let outputs = if content.is_not_a_page() {
                    Vec::new()
                } else {
                    content.files_of(self.conventions.paths(&content))
                };
                PagesMade {
                    untranslated: untranslated_pages(&self.languages, name.language, &outputs),
                    outputs,
                }
            })
            .collect()
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
