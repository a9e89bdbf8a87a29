//! Matches the rules of the settings against pages, and combines their effect on a page with the overrides
//! of its source.
//!
//! Rules cascade as in CSS: the last matching rule that sets a key wins.

use std::sync::Arc;

use crate::config::PageOverrides;
use crate::files::glob::{GlobCaptures, PatternSet};
use crate::findings::{Finding, code};
use crate::settings::{DateSource, LastmodSettings, Rule, SourceError, SourceTemplate};
use sitemaps::RuleValues;
use sitemaps::site_paths::SitePath;

/// The rules of a run.
#[derive(Debug)]
pub struct RuleSet {
    patterns: PatternSet,
    /// The rule and captures of each pattern, in the order of the rules.
    purposes: Vec<PatternPurpose>,
    /// The source of each rule.
    sources: Vec<Option<SourceTemplate>>,
}

/// The rule that a pattern belongs to, and its captures.
#[derive(Debug)]
struct PatternPurpose {
    /// The index of the rule.
    rule: usize,
    /// Captures of its wildcards, if the rule's source uses them.
    captures: Option<GlobCaptures>,
}

/// Source that the rules set for a page.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum RuleSource {
    /// None.
    #[default]
    Unset,
    /// This file.
    File(SitePath),
    /// A path that is not a file of the site.
    Invalid(SourceError),
}

/// The rules that match a page.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MatchedRules {
    /// Their indexes, in order.
    pub matched: Vec<usize>,
    /// The source file that the last of them with a source names, with wildcards expanded.
    pub source: RuleSource,
}

impl RuleSet {
    /// Prepares the rules.
    pub fn new(rules: &[Rule]) -> Self {
        let sources: Vec<_> = rules
            .iter()
            .map(|rule| rule.source.as_deref().map(SourceTemplate::new))
            .collect();
        let mut purposes = Vec::new();
        for (index, rule) in rules.iter().enumerate() {
            let wanted = sources[index]
                .as_ref()
                .is_some_and(|source| source.highest_wildcard() > 0);
            for pattern in &rule.patterns {
                let captures = wanted.then(|| pattern.captures());
                purposes.push(PatternPurpose {
                    rule: index,
                    captures,
                });
            }
        }
        let patterns = PatternSet::new(rules.iter().flat_map(|rule| &rule.patterns));
        Self {
            patterns,
            purposes,
            sources,
        }
    }

    /// Finds the rules that match a page.
    ///
    /// `file` is its path in the output (`blog/a/index.html`), `url_path` the decoded path of its
    /// URL below the base URL (`blog/a/`). A pattern may match either. Does not allocate for a page
    /// that no rule matches.
    pub fn evaluate(&self, file: &SitePath, url_path: &[u8]) -> MatchedRules {
        let mut patterns = self.patterns.matching(file.as_bytes());
        if url_path != file.as_bytes() {
            patterns.extend(self.patterns.matching(url_path));
            patterns.sort_unstable();
        }

        let mut outcome = MatchedRules::default();
        let mut source_pattern = None;
        for pattern in patterns {
            let index = self.purposes[pattern].rule;
            if outcome.matched.last() == Some(&index) {
                continue;
            }
            outcome.matched.push(index);
            if self.sources[index].is_some() {
                source_pattern = Some(pattern);
            }
        }
        outcome.source = match source_pattern {
            Some(pattern) => self.source(pattern, file, url_path),
            None => RuleSource::Unset,
        };
        outcome
    }

    /// The source of a page, from the rule of a matching pattern.
    ///
    /// The page `blog/a/index.html` is tried as `blog/a` first, so that the `{1}` of `blog/**` is
    /// `a` and not `a/index.html`. If the pattern does not match that, the file path is used, and
    /// then the URL path, which depends on the host (`docs/intro.html` may be served as
    /// `docs/intro`).
    fn source(&self, pattern: usize, file: &SitePath, url_path: &[u8]) -> RuleSource {
        let purpose = &self.purposes[pattern];
        let Some(template) = &self.sources[purpose.rule] else {
            return RuleSource::Unset;
        };
        let Some(captures) = &purpose.captures else {
            return template.expand(&[], file).into();
        };
        let dir = file
            .index_of()
            .map(|dir| dir.strip_suffix(b"/").unwrap_or_default());
        for name in dir.into_iter().chain([file.as_bytes(), url_path]) {
            if let Some(wildcards) = captures.of(name) {
                return template.expand(&wildcards, file).into();
            }
        }
        RuleSource::Unset
    }
}

impl From<Result<SitePath, SourceError>> for RuleSource {
    fn from(expanded: Result<SitePath, SourceError>) -> Self {
        match expanded {
            Ok(path) => Self::File(path),
            Err(error) => Self::Invalid(error),
        }
    }
}

/// Returns the index of the rule that excludes a page, unless a later rule includes it again.
pub(crate) fn excluding_rule(rules: &[Rule], matched: &[usize]) -> Option<usize> {
    let deciding = matched
        .iter()
        .rfind(|&&index| rules[index].exclude.is_some())?;
    (rules[*deciding].exclude == Some(true)).then_some(*deciding)
}

/// Reports the rules that match no page. `matched` contains the [`MatchedRules::matched`] of every
/// page.
pub fn unused_rules(rules: &[Rule], matched: impl IntoIterator<Item = usize>) -> Vec<Finding> {
    let mut used = vec![false; rules.len()];
    for index in matched {
        used[index] = true;
    }
    rules
        .iter()
        .zip(used)
        .filter(|(_, used)| !used)
        .map(|(rule, _)| unused_rule(rule))
        .collect()
}

fn unused_rule(rule: &Rule) -> Finding {
    let patterns: Vec<_> = rule
        .patterns
        .iter()
        .map(|pattern| format!("`{}`", pattern.as_str()))
        .collect();
    Finding::new(
        code::SETTING_UNUSED,
        rule.subject(),
        format!("no page matches {}", patterns.join(" or ")),
    )
    .with_hint(
        "patterns begin in the output directory, and `dir/**` matches the files of a directory; \
         `waypost explain` lists what they can match",
    )
}

/// Combined effect of the rules that match a page.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RuleOutcome {
    /// Values for the sitemap entry.
    pub entry: Arc<RuleValues>,
    /// A fixed date.
    pub lastmod: Option<String>,
    /// Where dates come from, in order of precedence.
    pub lastmod_from: Option<Vec<DateSource>>,
    /// What excludes the page.
    pub excluded_by: Option<ExcludedBy>,
    /// Overrides from the front matter of its source. They take precedence over rules and are
    /// already applied to the fields above.
    pub page: PageOverrides,
    /// Indices of the matching rules, in order.
    pub rules: Vec<usize>,
}

/// What excludes a page, whatever the page itself states.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExcludedBy {
    /// The rule at an index.
    Rule(usize),
    /// The front matter of its source.
    FrontMatter,
    /// The settings of the generator: which.
    Generator(String),
    /// The setting `drafts`, with what the front matter of its source says.
    Draft(String),
}

impl RuleOutcome {
    /// Returns the date sources in order of precedence.
    pub(crate) fn date_order<'s>(&'s self, settings: &'s LastmodSettings) -> &'s [DateSource] {
        self.lastmod_from.as_deref().unwrap_or(&settings.from)
    }

    /// Whether the pages get their date from the history.
    pub(crate) fn wants_history(&self, settings: &LastmodSettings) -> bool {
        self.date_order(settings).contains(&DateSource::Git)
            && self.lastmod.is_none()
            && self.page.lastmod.is_none()
    }

    /// Combines the matching rules, of which the last that sets a key wins, and the overrides;
    /// `site_values` are the values where neither states one.
    pub(crate) fn of(
        rules: &[Rule],
        matched: &[usize],
        page: &PageOverrides,
        site_values: &RuleValues,
    ) -> Self {
        let last_first = || matched.iter().rev().map(|&index| &rules[index]);
        let changefreq = last_first().find_map(|rule| rule.changefreq);
        let priority = last_first().find_map(|rule| rule.priority);
        let entry = RuleValues {
            changefreq: page.changefreq.or(changefreq).or(site_values.changefreq),
            priority: page.priority.or(priority).or(site_values.priority),
            group: last_first().find_map(|rule| rule.group.clone()),
        };
        Self {
            entry: Arc::new(entry),
            lastmod: last_first().find_map(|rule| rule.lastmod.clone()),
            lastmod_from: last_first().find_map(|rule| rule.lastmod_from.clone()),
            excluded_by: match page.exclude {
                Some(exclude) => exclude.then_some(ExcludedBy::FrontMatter),
                None => excluding_rule(rules, matched).map(ExcludedBy::Rule),
            },
            page: page.clone(),
            rules: matched.to_vec(),
        }
    }
}

#[cfg(test)]
mod tests;
