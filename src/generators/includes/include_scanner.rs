//! The paths that a text includes, by the patterns that the settings of its site enable.

use std::cell::OnceCell;
use std::ops::Range;

use memchr::memmem;
use regex::bytes::Regex;

use super::fenced_code::fenced_code;
use super::include_pattern::{IncludeCall, IncludePattern};
use crate::generators::own_config::OwnConfig;
use crate::generators::profile::Generator;
use sitemaps::site_paths::SitePath;

/// Size limit of a path, in bytes (`PATH_MAX` of Linux).
const MAX_PATH: usize = 4 << 10;

/// The patterns of a site's generator that its settings enable.
#[derive(Debug, Default)]
pub(crate) struct IncludeScanner<'g> {
    pub(super) patterns: Vec<ActivePattern<'g>>,
    content_extensions: &'g [String],
}

/// A pattern with the directories that its paths are relative to.
#[derive(Debug)]
pub(super) struct ActivePattern<'g> {
    pub(super) pattern: &'g IncludePattern,
    /// Prefixes of paths with their directories, long prefixes first.
    pub(super) bases: Vec<(&'g str, Vec<String>)>,
    expression: Regex,
}

impl<'g> IncludeScanner<'g> {
    pub(crate) fn new(generator: &'g Generator, config: &OwnConfig) -> Self {
        let mut patterns = Vec::new();
        for pattern in &generator.includes {
            if pattern
                .conditions
                .iter()
                .all(|condition| config.meets(condition))
            {
                patterns.push(ActivePattern {
                    bases: bases_of(pattern, config),
                    pattern,
                    expression: pattern
                        .compiled()
                        .expect("manifests are checked when they are read"),
                });
            }
        }
        Self {
            patterns,
            content_extensions: &generator.extensions,
        }
    }

    /// Whether any text can include files.
    pub(crate) fn is_empty(&self) -> bool {
        self.patterns.is_empty()
    }

    /// Returns the paths that the text of a file includes, each once.
    pub(crate) fn calls(&self, file: &SitePath, text: &[u8]) -> Vec<IncludeCall> {
        let extension = file.extension().unwrap_or_default();
        let mut calls = Vec::new();
        let code = OnceCell::new();
        for (index, active) in self.patterns.iter().enumerate() {
            if !active
                .pattern
                .applies_in(extension, self.content_extensions)
            {
                continue;
            }
            let mut paths = active.paths(text, &code);
            paths.sort_unstable();
            paths.dedup();
            calls.extend(paths.into_iter().map(|path| IncludeCall {
                pattern: index,
                path,
            }));
        }
        calls
    }
}

/// Returns the prefixes of paths with the directories that the settings give them.
fn bases_of<'g>(pattern: &'g IncludePattern, config: &OwnConfig) -> Vec<(&'g str, Vec<String>)> {
    // A prefix sorts before those that it begins.
    let mut bases = Vec::new();
    for (prefix, dirs) in pattern.bases.iter().rev() {
        let dirs = config.texts_of(dirs).into_iter().map(str::to_owned);
        bases.push((prefix.as_str(), dirs.collect()));
    }
    bases
}

impl ActivePattern<'_> {
    fn paths(&self, text: &[u8], code: &OnceCell<Vec<Range<usize>>>) -> Vec<String> {
        // Few files include others, and the search for a mark costs less than the expression.
        if memmem::find(text, self.pattern.mark.as_bytes()).is_none() {
            return Vec::new();
        }
        let mut paths = Vec::new();
        for found in self.expression.captures_iter(text) {
            if self.pattern.not_in_code {
                let start = found.get_match().start();
                let ranges = code.get_or_init(|| fenced_code(text));
                let next = ranges.partition_point(|range| range.end <= start);
                if ranges.get(next).is_some_and(|range| range.start <= start) {
                    continue;
                }
            }
            let group = |name| found.name(name).map(|text| text.as_bytes());
            let one = group("path").or_else(|| group("module"));
            let lines = group("paths")
                .or_else(|| group("modules"))
                .into_iter()
                .flat_map(|lines| lines.split(|&byte| byte == b'\n'))
                // Without the range or section after its path.
                .filter_map(|line| line.split(|&byte| byte == b':').next());
            paths.extend(one.into_iter().chain(lines).filter_map(constant_path));
        }
        paths
    }
}

/// A path that does not depend on variables and is not a URL.
fn constant_path(written: &[u8]) -> Option<String> {
    let path = str::from_utf8(written).ok()?.trim();
    let is_constant = !path.is_empty()
        && path.len() <= MAX_PATH
        && !path.contains("://")
        && !path.contains(['{', '}', '$', '*', '<', '>', '\0', '\n']);
    is_constant.then(|| path.replace('\\', "/"))
}
