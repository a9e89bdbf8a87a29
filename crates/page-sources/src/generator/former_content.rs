//! Predicts the pages that were made from content files that no longer exist.

use std::collections::HashMap;
use std::path::PathBuf;

use super::content::ContentIndex;
use super::content_layout::ContentLayout;
use super::content_root::below;
use super::front_matter::FrontMatter;
use super::listed_content::ListedContentFile;
use super::site::Site;
use sitemaps::site_paths::SitePath;

/// A content file that no longer exists.
#[derive(Debug)]
pub struct FormerContent {
    /// Its path below the site root.
    pub path: SitePath,
    /// Its last content.
    pub text: String,
}

impl ContentIndex {
    /// The content directories of a site.
    pub fn dirs(site: &Site<'_>) -> Vec<PathBuf> {
        let layout = ContentLayout::of(site);
        let roots = layout.iter().flat_map(|layout| &layout.roots);
        roots.map(|root| site.root.join(&root.path)).collect()
    }

    /// The pages that were made from files that no longer exist, each with that file. Pages that an
    /// existing file may be the source of are not among them.
    pub fn former_pages(
        &self,
        site: &Site<'_>,
        former: Vec<FormerContent>,
    ) -> HashMap<SitePath, SitePath> {
        let Some(layout) = ContentLayout::of(site) else {
            return HashMap::new();
        };
        let read = former.into_iter().filter_map(|former| {
            Some(ListedContentFile {
                front_matter: FrontMatter::parse(&former.text).ok()?,
                ..layout.listed(&former.path)?
            })
        });
        let files: Vec<_> = read.collect();
        let made = layout.pages_made(&files, &layout.dirs_of(&files));
        let mut pages = HashMap::new();
        for (file, made) in files.into_iter().zip(made) {
            for output in made.outputs {
                if !self.makes(&output)
                    && let Some(page) = output.as_bytes().strip_prefix(&*self.output_prefix)
                {
                    let page = SitePath::new(page);
                    pages.entry(page).or_insert_with(|| file.path.clone());
                }
            }
        }
        pages
    }
}

impl ContentLayout<'_> {
    /// The file as the walk over its content directory lists it.
    fn listed(&self, path: &SitePath) -> Option<ListedContentFile<'_>> {
        let (root, below) = self.roots.iter().find_map(|root| {
            let path = below(path.as_bytes(), root.path.as_bytes())?;
            Some((root, SitePath::new(path)))
        })?;
        ListedContentFile::new(root, self.generator, PathBuf::new(), &below)
    }
}
