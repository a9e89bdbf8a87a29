//! The files that the sources of pages include, and which of them dates each page.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::date_origin::DatingInclude;
use git_last_modified::FileHistory;
use page_sources::generator::{IncludeGraph, IncludeReader};
use sitemaps::site_paths::SitePath;
use sitemaps::site_paths::finding::WithFindings;

/// The files that the sources of pages include.
#[derive(Default)]
pub(super) struct IncludedSources {
    graph: IncludeGraph,
    /// The included files as indices in the graph.
    files: Vec<usize>,
    /// The node of each page whose source includes files, by the page's index.
    nodes: HashMap<usize, usize>,
}

impl IncludedSources {
    /// Follows the includes of sources, each with the index of its page.
    pub(super) fn follow(
        reader: &mut IncludeReader<'_>,
        sources: Vec<(usize, &SitePath)>,
    ) -> WithFindings<Self> {
        let graph = reader.follow(sources.iter().map(|(_, source)| *source));
        graph.map(|graph| {
            let nodes = sources.into_iter();
            Self {
                files: graph.included_files().map(|(index, _)| index).collect(),
                nodes: nodes
                    .filter_map(|(index, source)| Some((index, graph.start(source)?)))
                    .collect(),
                graph,
            }
        })
    }

    /// Returns the included files on disk.
    pub(super) fn files(&self, site_root: &Path) -> impl Iterator<Item = PathBuf> {
        let files = self.files.iter();
        files.map(move |&file| self.graph.file(file).below_dir(site_root))
    }

    /// Returns the files that the source of each page includes, by the page's index.
    pub(super) fn by_page(&self) -> HashMap<usize, Vec<SitePath>> {
        let all = self.graph.all_included();
        let of_page = |(&page, node): (&usize, &usize)| {
            let files = all.get(node)?.iter().map(|file| (*file).clone());
            Some((page, files.collect()))
        };
        self.nodes.iter().filter_map(of_page).collect()
    }

    /// Finds the file that dates each page; `answers` has one for each of the files.
    pub(super) fn dated(&self, answers: &[FileHistory]) -> DatedIncludes {
        // A file without a date may be the one that changed last, so it comes first.
        let rank = |&at: &usize| match &answers[at] {
            FileHistory::Changed(change) => (true, Reverse(change.seconds)),
            _ => (false, Reverse(0)),
        };
        let mut order: Vec<usize> = (0..self.files.len()).collect();
        order.sort_by_key(|at| (rank(at), self.graph.file(self.files[*at])));
        let answer_of: HashMap<usize, usize> =
            order.iter().map(|&at| (self.files[at], at)).collect();
        let first = self
            .graph
            .first_included(order.iter().map(|&at| self.files[at]));
        let of_page = |(&page, &node): (&usize, &usize)| {
            let file = first[node]?;
            Some((page, (self.graph.file(file).clone(), answer_of[&file])))
        };
        DatedIncludes(self.nodes.iter().filter_map(of_page).collect())
    }
}

/// The included file that dates each page, with the index of its answer.
#[derive(Default)]
pub(super) struct DatedIncludes(HashMap<usize, (SitePath, usize)>);

impl DatedIncludes {
    /// Returns the file that dates a page; `answers` are those about included files.
    pub(super) fn of<'h>(
        &'h self,
        page: usize,
        answers: &'h [FileHistory],
    ) -> Option<DatingInclude<'h>> {
        let (file, answer) = self.0.get(&page)?;
        Some(DatingInclude {
            file,
            history: &answers[*answer],
        })
    }
}
