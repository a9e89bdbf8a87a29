//! Regular expressions of host rules, as JavaScript writes them.

use regex::bytes::{Regex, RegexBuilder};

/// Maximum size of a compiled expression in bytes.
const MAX_COMPILED_BYTES: usize = 64 * 1024;

/// Maximum number of backtracking steps for a path. Rules of real sites need a few dozen.
const MAX_STEPS: usize = 100_000;

/// A compiled regular expression.
#[derive(Debug, Clone)]
pub(super) enum SourceRegex {
    /// Takes linear time.
    Linear(Regex),
    /// Has look-around or back-references.
    Backtracking(Box<fancy_regex::Regex>),
}

impl SourceRegex {
    /// Compiles an expression over bytes.
    pub(super) fn new(expression: &str) -> Result<Self, String> {
        let linear = RegexBuilder::new(expression)
            .unicode(false)
            .size_limit(MAX_COMPILED_BYTES)
            .build();
        match linear {
            Ok(regex) => Ok(Self::Linear(regex)),
            Err(regex::Error::Syntax(_)) => fancy_regex::RegexBuilder::new(expression)
                .backtrack_limit(MAX_STEPS)
                .delegate_size_limit(MAX_COMPILED_BYTES)
                .build()
                .map(|regex| Self::Backtracking(Box::new(regex)))
                .map_err(|error| reason(&error.to_string())),
            Err(error) => Err(reason(&error.to_string())),
        }
    }

    /// Whether it matches anywhere in a text. A pattern that takes too many steps does not match.
    pub(super) fn is_match(&self, text: &[u8]) -> bool {
        match self {
            Self::Linear(regex) => regex.is_match(text),
            Self::Backtracking(regex) => regex
                .is_match(&String::from_utf8_lossy(text))
                .unwrap_or_default(),
        }
    }

    /// The texts of all groups of the first match, the whole match first. `None` if nothing matches.
    pub(super) fn groups(&self, text: &[u8]) -> Option<Vec<Option<String>>> {
        match self {
            Self::Linear(regex) => {
                let groups = regex.captures(text)?;
                let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
                let values = groups
                    .iter()
                    .map(|group| group.map(|group| text(group.as_bytes())));
                Some(values.collect())
            }
            Self::Backtracking(regex) => {
                let text = String::from_utf8_lossy(text);
                let groups = regex.captures(&text).ok().flatten()?;
                let values = groups
                    .iter()
                    .map(|group| group.map(|group| group.as_str().to_owned()));
                Some(values.collect())
            }
        }
    }

    /// The names of all groups, in order.
    pub(super) fn group_names(&self) -> Vec<Option<&str>> {
        match self {
            Self::Linear(regex) => regex.capture_names().collect(),
            Self::Backtracking(regex) => regex.capture_names().collect(),
        }
    }

    /// The named groups of the match in a text, by name.
    pub(super) fn named_groups(&self, text: &[u8]) -> Vec<(&str, String)> {
        let Self::Linear(regex) = self else {
            return Vec::new();
        };
        let Some(groups) = regex.captures(text) else {
            return Vec::new();
        };
        let value = |name| groups.name(name).map_or(&b""[..], |group| group.as_bytes());
        let named = regex.capture_names().flatten();
        named
            .map(|name| (name, String::from_utf8_lossy(value(name)).into_owned()))
            .collect()
    }
}

fn reason(text: &str) -> String {
    let last = text.lines().last().unwrap_or_default();
    let reason = last.trim_start_matches("error: ");
    format!("the pattern cannot be compiled: {reason}")
}
