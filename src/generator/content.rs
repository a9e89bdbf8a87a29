//! The site's content files, each with the page it becomes.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use walkdir::WalkDir;

use super::convention::Convention;
use super::front_matter::FrontMatter;
use super::manifest::Generator;
use super::own_config::OwnConfig;
use crate::finding::{Finding, Subject, code};
use crate::location::SitePath;

/// A content file.
#[derive(Debug)]
pub struct ContentFile {
    /// Its path below the site root.
    pub path: SitePath,
    /// What it says of itself.
    pub front_matter: FrontMatter,
    /// Whether it is a list: a home page, a section.
    pub is_list: bool,
}

/// Content files by the page they become.
#[derive(Debug, Default)]
pub struct ContentIndex {
    files: Vec<ContentFile>,
    by_output: HashMap<SitePath, Owner>,
    by_path: HashMap<SitePath, usize>,
}

/// Which content file a page is made from.
#[derive(Debug, Clone, Copy)]
enum Owner {
    One(usize),
    /// Two files claim it: neither is sure.
    Disputed,
}

/// A content file before it is entered.
struct Candidate {
    file: ContentFile,
    output: Option<SitePath>,
    is_draft: bool,
}

impl ContentIndex {
    /// Reads names and front matter below the site's content folders.
    pub fn build(root: &Path, generator: &Generator, config: &OwnConfig, findings: &mut Vec<Finding>) -> Self {
        let convention = Convention::new(generator, config);
        let mut candidates = Vec::new();
        for content_root in &generator.roots {
            let folder = content_root.key.as_ref().and_then(|key| config.text(key)).unwrap_or(&content_root.dir);
            let content_root = root.join(folder);
            let files = content_files(&content_root, generator, findings);
            let read: Vec<_> =
                files.par_iter().map(|file| candidate(root, &content_root, file, generator, &convention)).collect();
            for candidate in read {
                match candidate {
                    Ok(candidate) => candidates.push(candidate),
                    Err(finding) => findings.push(finding),
                }
            }
        }
        // A draft is built only when asked for, and never takes a page from a file that is no draft.
        candidates.sort_by_key(|candidate| candidate.is_draft);
        let mut index = Self::default();
        for candidate in candidates {
            index.enter(candidate);
        }
        index
    }

    /// The content file that a page is made from, where that is sure.
    pub fn source_of(&self, page: &SitePath) -> Option<&ContentFile> {
        match self.by_output.get(page)? {
            Owner::One(index) => Some(&self.files[*index]),
            Owner::Disputed => None,
        }
    }

    /// The content file at a path below the site root.
    pub fn file(&self, path: &SitePath) -> Option<&ContentFile> {
        self.by_path.get(path).map(|&index| &self.files[index])
    }

    fn enter(&mut self, candidate: Candidate) {
        let index = self.files.len();
        if let Some(output) = candidate.output {
            let owner = self.by_output.entry(output);
            if candidate.is_draft {
                owner.or_insert(Owner::One(index));
            } else {
                owner.and_modify(|owner| *owner = Owner::Disputed).or_insert(Owner::One(index));
            }
        }
        self.by_path.insert(candidate.file.path.clone(), index);
        self.files.push(candidate.file);
    }
}

/// The content files below a root, in the order of their names.
fn content_files(folder: &Path, generator: &Generator, findings: &mut Vec<Finding>) -> Vec<PathBuf> {
    let mut files = Vec::new();
    if !folder.is_dir() {
        return files;
    }
    for entry in WalkDir::new(folder).follow_links(true).sort_by_file_name() {
        match entry {
            Ok(entry) if entry.file_type().is_file() && has_extension(entry.path(), generator) => {
                files.push(entry.into_path());
            }
            Ok(_) => {}
            Err(error) => {
                let path = error.path().unwrap_or(folder).to_owned();
                let message = format!("cannot read the content folder: {error}; pages made from it have no source");
                findings.push(Finding::new(code::CONTENT_UNREADABLE, Subject::File(path, None), message));
            }
        }
    }
    files
}

fn has_extension(file: &Path, generator: &Generator) -> bool {
    let extension = file.extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|extension| generator.extensions.iter().any(|known| known.eq_ignore_ascii_case(extension)))
}

fn candidate(
    root: &Path,
    content_root: &Path,
    file: &Path,
    generator: &Generator,
    convention: &Convention<'_>,
) -> Result<Candidate, Finding> {
    let path = SitePath::below(root, file).unwrap_or_else(|| SitePath::from_relative(file));
    let below_root = SitePath::below(content_root, file).unwrap_or_default();
    let keys = &generator.front_matter;
    let reads_front_matter = !generator.lastmod_keys.is_empty();
    let front_matter = if reads_front_matter { FrontMatter::read(file) } else { Ok(FrontMatter::default()) };
    let front_matter = front_matter.map_err(|why| {
        let message = format!("cannot read the front matter of `{path}`: {why}; its page has no source");
        Finding::new(code::CONTENT_UNREADABLE, Subject::File(file.to_owned(), None), message)
    })?;
    let stem = below_root.file_name().split(|&byte| byte == b'.').next().unwrap_or_default();
    Ok(Candidate {
        output: convention.output_of(&below_root, &front_matter),
        is_draft: keys.draft.as_ref().is_some_and(|key| front_matter.is_on(key)),
        file: ContentFile {
            path,
            front_matter,
            is_list: generator.branch_index.iter().any(|known| known.as_bytes() == stem),
        },
    })
}
