//! Follows includes from the sources of pages to all files that they include.

use std::collections::HashMap;

use rayon::prelude::*;

use super::include_graph::{IncludeGraph, NodeRole};
use super::include_paths::{CallPlace, IncludePaths};
use super::include_scanner::{IncludeCall, IncludeScanner};
use crate::generator::content::ContentIndex;
use crate::generator::front_matter::beginning_of;
use crate::generator::site::Site;
use sitemaps::site_paths::SitePath;
use sitemaps::site_paths::containment::SitemapDir;
use sitemaps::site_paths::finding::{Finding, Subject, WithFindings, code};
use sitemaps::site_paths::io_failure::FailureLog;

/// How deep includes are followed; mdBook stops at the same depth (`MAX_LINK_NESTED_DEPTH`).
const MAX_DEPTH: usize = 10;

/// Limit for the includes of a site.
const MAX_EDGES: usize = 2_000_000;

/// Size limit of all included files that are not content files, in bytes.
const MAX_BYTES: usize = 256 << 20;

/// Follows includes. Each file is read once.
#[derive(Debug)]
pub struct IncludeReader<'s> {
    site: &'s Site<'s>,
    scanner: IncludeScanner<'s>,
    content: &'s ContentIndex,
    paths: IncludePaths<'s>,
    failures: FailureLog,
    /// The calls of the files that are not content files.
    calls: HashMap<SitePath, Vec<IncludeCall>>,
    bytes: usize,
}

impl<'s> IncludeReader<'s> {
    /// Creates a reader; `None` if content files of this site cannot include others.
    pub fn new(site: &'s Site<'s>, content: &'s ContentIndex, output: &SitemapDir) -> Option<Self> {
        let scanner = IncludeScanner::new(site.generator?, &site.config);
        let reach = output.containment().clone();
        Some(Self {
            site,
            scanner,
            content,
            failures: reach.failures().clone(),
            paths: IncludePaths::new(&site.root, reach, content.dirs.clone()),
            calls: HashMap::new(),
            bytes: 0,
        })
    }

    /// Follows the includes of these sources.
    pub fn follow<'p>(
        &mut self,
        sources: impl IntoIterator<Item = &'p SitePath>,
    ) -> WithFindings<IncludeGraph> {
        let mut graph = IncludeGraph::default();
        let is_by_page = self.scanner.uses_page_dir();
        let sources: Vec<&SitePath> = sources.into_iter().collect();
        self.read(&sources);
        for source in sources {
            if self.calls_of(source).is_empty() && self.content.resources_of(source).is_empty() {
                continue;
            }
            graph.add_start(source, is_by_page.then_some(source));
        }
        let mut findings = Vec::new();
        let mut followed = 0;
        for _ in 0..MAX_DEPTH {
            let next = followed..graph.nodes().len();
            followed = next.end;
            let files = next
                .clone()
                .map(|node| graph.file(graph.nodes()[node].file));
            self.read(&files.collect::<Vec<_>>());
            for node in next {
                self.add_includes(&mut graph, node);
            }
            if graph.edges() > MAX_EDGES || self.bytes > MAX_BYTES {
                findings.push(self.limit_finding());
                break;
            }
        }
        WithFindings::new(graph, findings)
    }

    /// Adds the files that a node includes to the graph.
    fn add_includes(&mut self, graph: &mut IncludeGraph, node: usize) {
        let at = graph.nodes()[node];
        if at.role == NodeRole::Verbatim || graph.edges() > MAX_EDGES {
            return;
        }
        let file = graph.file(at.file).clone();
        let page = graph.file(at.page.unwrap_or(at.file)).clone();
        let place = CallPlace {
            file: &file,
            page: &page,
        };
        let calls = match self.content.include_calls.get(&file) {
            Some(calls) => calls,
            None => self.calls.get(&file).map_or(&[][..], Vec::as_slice),
        };
        for call in calls {
            let active = &self.scanner.patterns[call.pattern];
            let role = if active.pattern.is_verbatim {
                NodeRole::Verbatim
            } else {
                NodeRole::Parsed
            };
            if let Some(included) = self.paths.resolve(call, active, place) {
                graph.add_edge(node, &included, role);
            }
        }
        for resource in self.content.resources_of(&file) {
            graph.add_edge(node, resource, NodeRole::Parsed);
        }
    }

    /// Reads the calls of files that are not content files.
    fn read(&mut self, files: &[&SitePath]) {
        let mut unread: Vec<&SitePath> = files
            .iter()
            .copied()
            .filter(|file| self.content.file(file).is_none() && !self.calls.contains_key(*file))
            .collect();
        unread.sort_unstable();
        unread.dedup();
        if self.scanner.is_empty() || self.bytes > MAX_BYTES {
            return;
        }
        let (scanner, failures, root) = (&self.scanner, &self.failures, &self.site.root);
        let read = unread.into_par_iter().map(|file| {
            let path = file.below_dir(root);
            // A file that cannot be read includes nothing; its own date still counts.
            let text = failures
                .note(&path, beginning_of(&path))
                .unwrap_or_default();
            (file.clone(), text.len(), scanner.calls(file, &text))
        });
        for (file, length, calls) in read.collect::<Vec<_>>() {
            self.bytes += length;
            self.calls.insert(file, calls);
        }
    }

    fn calls_of(&self, file: &SitePath) -> &[IncludeCall] {
        let of_content = self.content.include_calls.get(file);
        of_content
            .or_else(|| self.calls.get(file))
            .map_or(&[], Vec::as_slice)
    }

    fn limit_finding(&self) -> Finding {
        let message = format!(
            "the content files include more than {MAX_EDGES} files or {} MiB; further files do not \
             count for dates",
            MAX_BYTES >> 20
        );
        Finding::new(
            code::SOURCE_UNREADABLE,
            Subject::File(self.site.root.clone(), None),
            message,
        )
    }
}
