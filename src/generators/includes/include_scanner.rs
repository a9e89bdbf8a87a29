//! The paths that a text includes, by the patterns that the settings of its site enable.

use std::cell::OnceCell;
use std::ops::Range;

use memchr::memmem;
use regex::bytes::Regex;

use super::{IncludeCall, IncludePattern};
use crate::generators::{Generator, OwnConfig};
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
            if let Some(one) = found.name("path").or_else(|| found.name("module")) {
                paths.extend(constant_path(one.as_bytes()));
            }
            if let Some(lines) = found.name("paths").or_else(|| found.name("modules")) {
                for line in lines.as_bytes().split(|&byte| byte == b'\n') {
                    // Without the range or section after its path.
                    let path = line.split(|&byte| byte == b':').next();
                    paths.extend(path.and_then(constant_path));
                }
            }
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

/// A fence: a line of at least three backticks or tildes.
struct Fence<'t> {
    mark: u8,
    length: usize,
    /// What follows the marks, such as a language.
    info: &'t [u8],
}

impl<'t> Fence<'t> {
    fn of(line: &'t [u8]) -> Option<Self> {
        let line = line.trim_ascii();
        let mark = *line.first().filter(|mark| b"`~".contains(mark))?;
        let length = line.iter().take_while(|&&byte| byte == mark).count();
        let info = line[length..].trim_ascii();
        let is_fence = length >= 3 && !(mark == b'`' && info.contains(&b'`'));
        is_fence.then_some(Self { mark, length, info })
    }

    fn closes(&self, open: &Self) -> bool {
        self.info.is_empty() && self.mark == open.mark && self.length >= open.length
    }

    /// Whether it contains code, and not the text of a directive: ` ```{note} `.
    fn is_code(&self) -> bool {
        !self.info.starts_with(b"{")
    }
}

/// The byte ranges of fenced code in Markdown, in ascending order: some generators do not look for includes
/// there.
fn fenced_code(text: &[u8]) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    // The open fences, each with the offset of its content.
    let mut open: Vec<(Fence<'_>, usize)> = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        let (at, end) = (start, start + line.len());
        start = end;
        let Some(fence) = Fence::of(line) else {
            continue;
        };
        match open.last() {
            Some((last, content)) if fence.closes(last) => {
                if last.is_code() {
                    ranges.push(*content..at);
                }
                open.pop();
            }
            Some((last, _)) if last.is_code() => {}
            _ => open.push((fence, end)),
        }
    }
    // An open fence ends with the text.
    if let Some((fence, content)) = open.last()
        && fence.is_code()
    {
        ranges.push(*content..text.len());
    }
    ranges
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_is_fenced_but_not_the_text_of_a_directive() {
        // Every `#` is in code, and no `+` is.
        let check = |text: &str| {
            let ranges = fenced_code(text.as_bytes());
            for (at, mark) in text.match_indices(['#', '+']) {
                let is_code = ranges.iter().any(|range| range.contains(&at));
                assert_eq!(is_code, mark == "#", "offset {at} of {text:?}");
            }
        };
        check("+\n```\n#\n```\n+\n");
        check("~~~ py\n#\n```\n#\n~~~\n+\n");
        check("````{note}\n+\n```\n#\n```\n+\n````\n+\n");
        check("- a\n  ```\n  #\n  ```\n  +\n");
        check("``` `a` ```\n+\n```\n#\n");
    }
}
