//! Compiles the regular expressions of Cloudflare's and Netlify's rules.

use regex::bytes::{Regex, RegexBuilder};

/// Maximum size of a compiled expression in bytes.
const MAX_COMPILED_BYTES: usize = 256 * 1024;

/// Compiles an expression over bytes. An error means that the rule is not read.
pub(super) fn regex_of(expression: &str) -> Result<Regex, regex::Error> {
    RegexBuilder::new(expression)
        .unicode(false)
        .size_limit(MAX_COMPILED_BYTES)
        .build()
}
