//! The paths that a rule applies to.

use std::fmt::Write;

use regex::bytes::{Regex, RegexBuilder};

use super::request_path::{PathForm, RequestPath};

/// Maximum size of a compiled expression in bytes.
const MAX_COMPILED_BYTES: usize = 256 * 1024;

/// A pattern and the form of a path that it is compared with.
#[derive(Debug, Clone)]
pub(super) struct HostPathPattern {
    pub(super) shape: PatternShape,
    pub(super) form: PathForm,
}

/// The ways to write a pattern.
#[derive(Debug, Clone)]
pub(super) enum PatternShape {
    /// One path.
    Exact(Box<[u8]>),
    /// A path with wildcards.
    Regex(Regex),
}

/// A pattern that is put together from literal text and wildcards.
#[derive(Debug, Default)]
pub(super) struct PatternBuilder {
    literal: Vec<u8>,
    expression: String,
    has_wildcard: bool,
}

impl PatternBuilder {
    /// Adds literal bytes.
    pub(super) fn literal(&mut self, bytes: &[u8]) {
        self.literal.extend(bytes);
        for byte in bytes {
            write!(self.expression, "\\x{byte:02x}").expect("writing to a string cannot fail");
        }
    }

    /// Adds the regular expression of a wildcard.
    pub(super) fn wildcard(&mut self, expression: &str) {
        self.expression.push_str(expression);
        self.has_wildcard = true;
    }

    /// The pattern; the root, if nothing was added.
    pub(super) fn shape(mut self) -> Result<PatternShape, regex::Error> {
        if self.expression.is_empty() {
            self.literal(b"/");
        }
        Ok(if self.has_wildcard {
            PatternShape::Regex(regex_of(&format!("^(?s:{})$", self.expression))?)
        } else {
            PatternShape::Exact(self.literal.into())
        })
    }
}

impl HostPathPattern {
    /// Whether it matches a request.
    pub(super) fn matches(&self, path: &RequestPath) -> bool {
        let [first, second] = path.texts(self.form);
        self.matches_text(first) || (second != first && self.matches_text(second))
    }

    pub(super) fn matches_text(&self, text: &[u8]) -> bool {
        match &self.shape {
            PatternShape::Exact(exact) => **exact == *text,
            PatternShape::Regex(regex) => regex.is_match(text),
        }
    }
}

/// Compiles an expression over bytes. An error means that the rule is not read.
pub(super) fn regex_of(expression: &str) -> Result<Regex, regex::Error> {
    RegexBuilder::new(expression)
        .unicode(false)
        .size_limit(MAX_COMPILED_BYTES)
        .build()
}
