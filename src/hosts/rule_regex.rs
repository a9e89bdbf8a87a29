//! Compiles the regular expressions of Cloudflare's and Netlify's rules.

use regex::bytes::{Regex, RegexBuilder};

/// Maximum size of a compiled expression in bytes.
const MAX_COMPILED_BYTES: usize = 256 * 1024;

/// Compiles an expression over bytes.
pub(super) fn regex_of(expression: &str) -> Result<Regex, String> {
    let compiled = RegexBuilder::new(expression)
        .unicode(false)
        .size_limit(MAX_COMPILED_BYTES)
        .build();
    compiled.map_err(|error| {
        let text = error.to_string();
        let reason = text.lines().last().unwrap_or_default();
        let reason = reason.trim_start_matches("error: ");
        format!("the pattern cannot be compiled: {reason}")
    })
}
