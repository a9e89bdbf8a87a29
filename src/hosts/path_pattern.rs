//! The paths that rules apply to: the path of a request in the forms that hosts compare, the pattern of a
//! rule, and the table of rules that finds those that match.

use std::collections::{BTreeSet, HashMap};
use std::fmt::Write;

use regex::bytes::{Regex, RegexBuilder};

use sitemaps::site_paths::decode;

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

/// The form of a path that a rule is compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PathForm {
    /// As requested. Cloudflare compares `URL.pathname`.
    Encoded,
    /// Percent-decoded. Vercel's rules.
    Decoded,
    /// As requested, with and without a trailing slash. Firebase's headers.
    EncodedAnySlash,
    /// Percent-decoded, with and without a trailing slash. Firebase's redirects.
    DecodedAnySlash,
    /// Percent-decoded and without a trailing slash. Netlify's redirects: Netlify's command line
    /// decodes the path before it calls `netlify-redirector`.
    DecodedSlashless,
    /// In lower case, with and without a trailing slash. Netlify's headers: `forRegExp` of
    /// `@netlify/headers-parser` ignores case and ends with an optional slash.
    LowercaseAnySlash,
}

/// The path of a request, which starts with `/`.
pub(super) struct RequestPath {
    encoded: Vec<u8>,
    /// The decoded path, with its trailing slash.
    pub(super) decoded: Vec<u8>,
    lowercase: Vec<u8>,
}

impl RequestPath {
    pub(super) fn new(encoded: &str) -> Self {
        Self {
            encoded: encoded.into(),
            decoded: decode(encoded).into_owned(),
            lowercase: encoded.to_ascii_lowercase().into(),
        }
    }

    /// The texts that a rule may match. The second contains the first.
    pub(super) fn texts(&self, form: PathForm) -> [&[u8]; 2] {
        match form {
            PathForm::Encoded => [&self.encoded; 2],
            PathForm::Decoded => [&self.decoded; 2],
            PathForm::EncodedAnySlash => [without_slash(&self.encoded), &self.encoded],
            PathForm::DecodedAnySlash => [without_slash(&self.decoded), &self.decoded],
            PathForm::DecodedSlashless => [without_slash(&self.decoded); 2],
            PathForm::LowercaseAnySlash => [without_slash(&self.lowercase), &self.lowercase],
        }
    }
}

/// The path without its trailing slash, except for the root.
pub(super) fn without_slash(path: &[u8]) -> &[u8] {
    match path {
        [shorter @ .., b'/'] if !shorter.is_empty() => shorter,
        _ => path,
    }
}

/// Rules with the paths that they apply to. Exact paths, of which hosts allow thousands, are looked up in a
/// map; each pattern with a wildcard is compared.
#[derive(Debug)]
pub(super) struct RuleTable<R> {
    rules: Vec<(HostPathPattern, R)>,
    /// The numbers of the rules for one path.
    exact: HashMap<Box<[u8]>, Vec<usize>>,
    /// The numbers of the rules with a wildcard.
    wild: Vec<usize>,
    /// The forms of a path that the patterns are compared with.
    forms: Vec<PathForm>,
}

impl<R> Default for RuleTable<R> {
    fn default() -> Self {
        Self {
            rules: Vec::new(),
            exact: HashMap::new(),
            wild: Vec::new(),
            forms: Vec::new(),
        }
    }
}

impl<R> RuleTable<R> {
    /// Adds a rule after all others.
    pub(super) fn push(&mut self, pattern: HostPathPattern, rule: R) {
        let number = self.rules.len();
        if !self.forms.contains(&pattern.form) {
            self.forms.push(pattern.form);
        }
        match &pattern.shape {
            PatternShape::Exact(path) => {
                self.exact.entry(path.clone()).or_default().push(number);
            }
            PatternShape::Regex(_) => self.wild.push(number),
        }
        self.rules.push((pattern, rule));
    }

    /// Whether it has no rule.
    pub(super) fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// The rules that match a path, in order.
    pub(super) fn matching(
        &self,
        path: &RequestPath,
    ) -> impl Iterator<Item = &(HostPathPattern, R)> {
        let texts = self.forms.iter().flat_map(|form| path.texts(*form));
        let exact = texts.filter_map(|text| self.exact.get(text)).flatten();
        let numbers: BTreeSet<usize> = exact.chain(&self.wild).copied().collect();
        let rules = numbers.into_iter().map(|number| &self.rules[number]);
        rules.filter(|(pattern, _)| pattern.matches(path))
    }
}

#[cfg(test)]
mod tests {
    use super::super::netlify_pattern;
    use super::*;
    use proptest::prelude::*;
    use sitemaps::site_paths::BaseUrl;

    fn patterns(texts: &[String]) -> Vec<HostPathPattern> {
        let base = BaseUrl::parse("https://example.com/").expect("a valid base URL");
        let read = |text: &String| {
            let redirect = netlify_pattern::redirect(text, &base).ok().flatten();
            redirect.or_else(|| netlify_pattern::headers(text).ok())
        };
        texts.iter().filter_map(read).collect()
    }

    proptest! {
        #[test]
        fn the_table_finds_the_same_patterns_as_a_linear_search(
            texts in prop::collection::vec("/[ab/]{0,3}[*]?[ab/]{0,2}(/:n)?", 0..8),
            path in "/[ab/]{0,6}",
        ) {
            let patterns = patterns(&texts);
            let path = RequestPath::new(&path);
            let expected: Vec<usize> = (0..patterns.len())
                .filter(|&number| patterns[number].matches(&path))
                .collect();
            let mut table = RuleTable::default();
            for (number, pattern) in patterns.into_iter().enumerate() {
                table.push(pattern, number);
            }
            let found: Vec<usize> = table.matching(&path).map(|(_, number)| *number).collect();
            prop_assert_eq!(found, expected, "{:?} on {:?}", texts, &path.decoded);
        }
    }
}
