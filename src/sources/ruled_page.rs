//! The rules and the source of one page.

use std::sync::Arc;

use super::source_finder::PageSource;
use crate::rules::RuleOutcome;

/// Rules and source of one page, before it is read.
pub(crate) struct RuledPage {
    pub(crate) rule_outcome: Arc<RuleOutcome>,
    pub(crate) source: Option<PageSource>,
}
