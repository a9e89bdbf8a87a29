//! Collects the rules of all host files, and answers which headers and redirects apply to a path.

use std::fmt;

use super::HostFile;
use super::path_pattern::{HostPathPattern, TrailingSlash};
use super::pattern_index::PatternIndex;
use super::rule_origin::{HostRuleOrigin, NumberedLines};
use page_sources::generator::{HostDialect, HostFileKind};
use site_paths::BaseUrl;
use site_paths::finding::{Finding, code, quoted};

/// Headers that affect a sitemap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HeaderName {
    /// `X-Robots-Tag`.
    XRobotsTag,
    /// `Link`.
    Link,
}

impl HeaderName {
    /// The header with this name, ignoring case (RFC 9110 section 5.1); `None` if it does not
    /// affect a sitemap.
    pub(super) fn of(name: &str) -> Option<Self> {
        [Self::XRobotsTag, Self::Link]
            .into_iter()
            .find(|known| known.as_str().eq_ignore_ascii_case(name))
    }

    fn as_str(self) -> &'static str {
        match self {
            Self::XRobotsTag => "X-Robots-Tag",
            Self::Link => "Link",
        }
    }
}

/// A header that the host sends with a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// Its name.
    pub name: HeaderName,
    /// Its value as written.
    pub value: String,
    /// The rule that sets it.
    pub origin: HostRuleOrigin,
}

/// Formats as evidence: `_headers:3: X-Robots-Tag: noindex`.
impl fmt::Display for Header {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            out,
            "{}: {}: {}",
            self.origin,
            self.name.as_str(),
            quoted(&self.value)
        )
    }
}

/// A response that the host sends instead of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redirect {
    /// The status code.
    pub status: u16,
    /// The target as written; `:splat` and `:name` refer to what the wildcards matched.
    pub target: String,
    /// The rule that defines it.
    pub origin: HostRuleOrigin,
}

/// Formats as evidence: `_redirects:2: 301 to /new`.
impl fmt::Display for Redirect {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            out,
            "{}: {} to {}",
            self.origin,
            self.status,
            quoted(&self.target)
        )
    }
}

impl Redirect {
    /// Whether visitors are redirected or get an error. A rewrite (200) still serves a page at this
    /// URL.
    fn replaces_page(&self) -> bool {
        self.status >= 300
    }
}

/// What takes precedence if a rule matches and the page exists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RedirectPrecedence {
    Page,
    Rule,
}

#[derive(Debug)]
struct HeaderRule {
    pattern: HostPathPattern,
    slash: TrailingSlash,
    action: HeaderAction,
}

/// The effect of a rule on the response headers.
#[derive(Debug)]
pub(super) enum HeaderAction {
    Add(Header),
    /// Replaces what earlier rules of the same file added. Headers from other hosts' files stay.
    Set(Header),
    /// Removes what earlier rules added.
    Remove(HeaderName),
}

#[derive(Debug)]
struct RedirectRule {
    pattern: HostPathPattern,
    slash: TrailingSlash,
    winner: RedirectPrecedence,
    redirect: Redirect,
}

/// The headers and redirects that the host applies to each path.
#[derive(Debug, Default)]
pub struct HostRules {
    headers: Vec<HeaderRule>,
    header_index: PatternIndex,
    redirects: Vec<RedirectRule>,
    redirect_index: PatternIndex,
}

impl HostRules {
    /// Whether no rule affects a sitemap.
    pub fn is_empty(&self) -> bool {
        self.headers.is_empty() && self.redirects.is_empty()
    }

    /// The headers of a page, in order. `path` is decoded and starts with `/`.
    pub fn headers(&self, path: &[u8]) -> Vec<&Header> {
        if self.headers.is_empty() {
            return Vec::new();
        }
        let rule = |number: usize| (&self.headers[number].pattern, self.headers[number].slash);
        let mut headers: Vec<&Header> = Vec::new();
        for number in self.header_index.matching(path, rule) {
            match &self.headers[number].action {
                HeaderAction::Add(header) => headers.push(header),
                HeaderAction::Set(header) => {
                    headers.retain(|earlier| {
                        earlier.name != header.name || earlier.origin.file != header.origin.file
                    });
                    headers.push(header);
                }
                HeaderAction::Remove(name) => headers.retain(|header| header.name != *name),
            }
        }
        headers
    }

    /// The redirect that replaces an existing page. The first matching rule applies.
    pub fn redirect(&self, path: &[u8]) -> Option<&Redirect> {
        if self.redirects.is_empty() {
            return None;
        }
        let rule = |number: usize| {
            (
                &self.redirects[number].pattern,
                self.redirects[number].slash,
            )
        };
        let first = self
            .redirect_index
            .matching(path, rule)
            .into_iter()
            .next()?;
        let RedirectRule {
            winner, redirect, ..
        } = &self.redirects[first];
        (*winner == RedirectPrecedence::Rule && redirect.replaces_page()).then_some(redirect)
    }

    /// Builds the indexes. No rule may be added after this.
    pub(super) fn build_indexes(&mut self) {
        self.header_index = PatternIndex::of(self.headers.iter().map(|rule| &rule.pattern));
        self.redirect_index = PatternIndex::of(self.redirects.iter().map(|rule| &rule.pattern));
    }
}

/// Collects the rules of one file.
pub(super) struct HostRuleCollector<'a> {
    kind: HostFileKind,
    pub(super) dialect: HostDialect,
    base: &'a BaseUrl,
    pub(super) numbered: NumberedLines,
    serving: &'a mut HostRules,
    findings: &'a mut Vec<Finding>,
}

impl<'a> HostRuleCollector<'a> {
    pub(super) fn new(
        file: &HostFile<'_>,
        dialect: HostDialect,
        base: &'a BaseUrl,
        serving: &'a mut HostRules,
        findings: &'a mut Vec<Finding>,
    ) -> Self {
        let numbered = NumberedLines::new(file.path, file.text);
        // Only `_headers` and `_redirects` exist in two dialects.
        let dialect = if file.kind.is_published() {
            dialect
        } else {
            HostDialect::Netlify
        };
        Self {
            kind: file.kind,
            dialect,
            base,
            numbered,
            serving,
            findings,
        }
    }

    /// Parses a pattern in the syntax of this file. Returns `None` if it is for another host, or if
    /// it is invalid and was reported.
    pub(super) fn pattern(
        &mut self,
        text: &str,
        origin: &HostRuleOrigin,
    ) -> Option<HostPathPattern> {
        let read = match self.kind {
            HostFileKind::VercelJson => super::source_pattern::read(text).map(Some),
            _ => HostPathPattern::read(text, self.slash(), self.base),
        };
        read.unwrap_or_else(|why| {
            self.reject(origin, &why);
            None
        })
    }

    /// Whether a trailing slash makes a difference to the host that reads this file.
    fn slash(&self) -> TrailingSlash {
        match (self.kind, self.dialect) {
            (HostFileKind::VercelJson, _) | (_, HostDialect::Cloudflare) => TrailingSlash::Counts,
            (_, HostDialect::Netlify) => TrailingSlash::Ignored,
        }
    }

    /// Adds a rule for headers.
    pub(super) fn header(&mut self, pattern: &HostPathPattern, action: HeaderAction) {
        let slash = self.slash();
        self.serving.headers.push(HeaderRule {
            pattern: pattern.clone(),
            slash,
            action,
        });
    }

    /// Adds a redirect. A redirect to itself is ignored, as hosts do.
    pub(super) fn redirect(&mut self, from: &str, winner: RedirectPrecedence, redirect: Redirect) {
        let Some(pattern) = self.pattern(from, &redirect.origin) else {
            return;
        };
        if self.slash() == TrailingSlash::Ignored && self.is_self_redirect(from, &redirect.target) {
            return;
        }
        let slash = self.slash();
        self.serving.redirects.push(RedirectRule {
            pattern,
            slash,
            winner,
            redirect,
        });
    }

    fn is_self_redirect(&self, from: &str, target: &str) -> bool {
        let path = |text: &str| {
            let below = text.strip_prefix(self.base.origin()).unwrap_or(text);
            super::path_pattern::without_trailing_slash(below).to_owned()
        };
        path(&target.replace(":splat", "*")) == path(from)
    }

    /// Reports a rule that cannot be parsed.
    pub(super) fn reject(&mut self, origin: &HostRuleOrigin, why: &str) {
        let message = format!("`{origin}` is ignored: {why}");
        self.findings.push(
            Finding::new(code::SERVING_UNREADABLE, origin.subject(), message)
                .with_hint("correct the line; the host may ignore it too"),
        );
    }
}
