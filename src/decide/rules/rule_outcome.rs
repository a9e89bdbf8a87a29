//! The combined effect of rules and per-page overrides on a page.

use std::sync::Arc;

use super::rule_set::excluding_rule;
use crate::config::PageOverrides;
use crate::settings::{DateSource, LastmodSettings, Rule};
use sitemaps::RuleValues;

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
