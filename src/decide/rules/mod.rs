//! Matches the rules of the settings against pages.
//!
//! Rules cascade as in CSS: the last matching rule that sets a key wins.

mod rule_outcome;
mod rule_set;

pub use rule_outcome::{ExcludedBy, RuleOutcome};
pub(crate) use rule_set::excluding_rule;
pub use rule_set::{MatchedRules, RuleSet, RuleSource, unused_rules};
