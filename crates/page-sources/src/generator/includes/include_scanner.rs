//! The ways in which content files include others, which are `[[generator.*.includes]]` of the
//! manifest, and the paths that a text includes.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::ops::Range;

use memchr::memmem;
use regex::bytes::{Regex, RegexBuilder};
use serde::Deserialize;

use super::fenced_code::fenced_code;
use crate::generator::own_config::OwnConfig;
use crate::generator::profile::{Condition, Generator, SettingTexts};
use sitemaps::site_paths::SitePath;

/// Size limit of a path, in bytes (`PATH_MAX` of Linux).
const MAX_PATH: usize = 4 << 10;

/// A path as a text includes it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct IncludeCall {
    /// The index of the pattern.
    pub(super) pattern: usize,
    /// The path as written.
    pub(super) path: String,
}

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
        let meets = |pattern: &&IncludePattern| {
            let mut conditions = pattern.conditions.iter();
            conditions.all(|condition| config.meets(condition))
        };
        let patterns = generator.includes.iter().filter(meets);
        let patterns = patterns.map(|pattern| ActivePattern {
            bases: bases_of(pattern, config),
            pattern,
            expression: pattern
                .compiled()
                .expect("manifests are checked when they are read"),
        });
        Self {
            patterns: patterns.collect(),
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
    let bases = pattern.bases.iter().rev();
    let dirs = bases.map(|(prefix, dirs)| {
        let dirs = config.texts_of(dirs).into_iter().map(str::to_owned);
        (prefix.as_str(), dirs.collect())
    });
    dirs.collect()
}

impl ActivePattern<'_> {
    fn paths(&self, text: &[u8], code: &OnceCell<Vec<Range<usize>>>) -> Vec<String> {
        // Few files include others, and the search for a mark costs less than the expression.
        if memmem::find(text, self.pattern.mark.as_bytes()).is_none() {
            return Vec::new();
        }
        let mut paths = Vec::new();
        for found in self.expression.captures_iter(text) {
            let start = found.get_match().start();
            let is_code = || {
                let ranges = code.get_or_init(|| fenced_code(text));
                let next = ranges.partition_point(|range| range.end <= start);
                ranges.get(next).is_some_and(|range| range.start <= start)
            };
            if self.pattern.not_in_code && is_code() {
                continue;
            }
            let group = |name| found.name(name).map(|text| text.as_bytes());
            let one = group("path").or_else(|| group("module"));
            let lines = group("paths").or_else(|| group("modules"));
            let lines = lines
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

/// `[[generator.*.includes]]`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IncludePattern {
    /// A text in every match. The expression is tried only in files that have it.
    pub mark: String,
    /// The regular expression of a whole match, in which `^` is the beginning of a line. Its group
    /// `path` is a path; `paths` has one path per line, which ends at a colon. `module` is the
    /// dotted name of a Python module or of something in it, `modules` has one such name per line.
    pub expression: String,
    /// Whether fenced code includes nothing.
    #[serde(default)]
    pub not_in_code: bool,
    /// Extensions of the content files that the pattern applies to; all if empty.
    #[serde(default)]
    pub in_files: Vec<String>,
    /// Prefixes of paths, each with the directories that the rest is relative to; the first with
    /// such a file counts. The prefix `/` is that of absolute paths, `.` of those that begin with
    /// `./` or `../`, and the empty one of all other paths, also of dotted ones if these have no
    /// entry. A path without an entry does not count.
    ///
    /// `file` is the directory of the including file, `page` that of the page's source, `content`
    /// each content directory, `content/x` a directory in it. Others are relative to the site root.
    pub bases: BTreeMap<String, SettingTexts>,
    /// Conditions on the settings, such as an extension that implements the pattern.
    #[serde(default, rename = "if")]
    pub conditions: Vec<Condition>,
    /// Whether the included text is inserted as it is, so that its own includes do not count.
    #[serde(default)]
    pub is_verbatim: bool,
}

impl IncludePattern {
    /// Compiles the expression.
    pub(crate) fn compiled(&self) -> Result<Regex, regex::Error> {
        // Without Unicode, because content may have another encoding.
        RegexBuilder::new(&self.expression)
            .unicode(false)
            .multi_line(true)
            .build()
    }

    /// Whether the pattern finds dotted names of Python, and not paths.
    pub(super) fn finds_modules(&self) -> bool {
        self.expression.contains("(?P<module")
    }

    /// Whether the pattern applies to a file with this extension. A file that is not content is
    /// included by content of any kind.
    pub(super) fn applies_in(&self, extension: &[u8], content: &[String]) -> bool {
        let is_it = |known: &String| known.as_bytes().eq_ignore_ascii_case(extension);
        let is_among = |known: &[String]| known.iter().any(is_it);
        self.in_files.is_empty() || is_among(&self.in_files) || !is_among(content)
    }
}
