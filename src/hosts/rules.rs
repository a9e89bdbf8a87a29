//! The rules of all files together, and what an address is answered with.

use std::fmt;

use super::path_pattern::{FinalSlash, HostPathPattern};
use super::pattern_index::PatternIndex;
use super::rule_origin::{HostRuleOrigin, NumberedLines};
use super::{HostDialect, HostFile, HostFileKind};
use crate::finding::{Finding, code, quoted};
use crate::site_paths::BaseUrl;

/// The headers that bear on a sitemap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HeaderName {
    /// `X-Robots-Tag`.
    XRobotsTag,
    /// `Link`.
    Link,
}

impl HeaderName {
    /// The header of a name, where it is one that matters. Case does not count (RFC 9110 section 5.1).
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

/// A header that an address is answered with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// Its name.
    pub name: HeaderName,
    /// Its value as it was written.
    pub value: String,
    /// Where it stands.
    pub origin: HostRuleOrigin,
}

/// The line as evidence: `_headers:3: X-Robots-Tag: noindex`.
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

/// What an address is answered with in place of its page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redirect {
    /// The status code.
    pub status: u16,
    /// Where visitors are sent, as it was written; `:splat` and `:name` stand for what the wildcards matched.
    pub target: String,
    /// Where it stands.
    pub origin: HostRuleOrigin,
}

/// The rule as evidence: `_redirects:2: 301 to /new`.
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
    /// Whether it sends visitors on, or shows them an error; a rewrite (200) shows a page under its own address.
    fn takes_the_page_away(&self) -> bool {
        self.status >= 300
    }
}

/// Which of the two wins where a rule matches and the page exists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RedirectPrecedence {
    Page,
    Rule,
}

#[derive(Debug)]
struct HeaderRule {
    pattern: HostPathPattern,
    slash: FinalSlash,
    action: HeaderAction,
}

/// What a rule does to the headers of an answer.
#[derive(Debug)]
pub(super) enum HeaderAction {
    Add(Header),
    /// Puts it in the place of what earlier rules of its file added: another host's file says nothing about it.
    Set(Header),
    /// Takes off what earlier rules added.
    Remove(HeaderName),
}

#[derive(Debug)]
struct RedirectRule {
    pattern: HostPathPattern,
    slash: FinalSlash,
    winner: RedirectPrecedence,
    redirect: Redirect,
}

/// What the host was told: which headers and redirects answer which address.
#[derive(Debug, Default)]
pub struct HostRules {
    headers: Vec<HeaderRule>,
    header_index: PatternIndex,
    redirects: Vec<RedirectRule>,
    redirect_index: PatternIndex,
}

impl HostRules {
    /// Whether nothing was told that bears on a sitemap.
    pub fn is_empty(&self) -> bool {
        self.headers.is_empty() && self.redirects.is_empty()
    }

    /// The headers of an address, in their order; `path` begins with `/` and is decoded.
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

    /// The redirect that an existing page's address is answered with; the first rule that matches decides.
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
        (*winner == RedirectPrecedence::Rule && redirect.takes_the_page_away()).then_some(redirect)
    }

    /// Makes ready for questions; after this no rule is added.
    pub(super) fn arrange(&mut self) {
        self.header_index = PatternIndex::of(self.headers.iter().map(|rule| &rule.pattern));
        self.redirect_index = PatternIndex::of(self.redirects.iter().map(|rule| &rule.pattern));
    }
}

/// Takes the rules of one file.
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
        // Whoever reads netlify.toml reads it as Netlify does.
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

    /// Reads a pattern in the file's own syntax; `None` where it is for another host, or is refused and reported.
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
            self.refuse(origin, &why);
            None
        })
    }

    /// Whether a final slash makes a difference to the host that reads this file.
    fn slash(&self) -> FinalSlash {
        match (self.kind, self.dialect) {
            (HostFileKind::VercelJson, _) | (_, HostDialect::Cloudflare) => FinalSlash::Counts,
            (_, HostDialect::Netlify) => FinalSlash::Ignored,
        }
    }

    /// Adds what a rule does to headers.
    pub(super) fn header(&mut self, pattern: &HostPathPattern, action: HeaderAction) {
        let slash = self.slash();
        self.serving.headers.push(HeaderRule {
            pattern: pattern.clone(),
            slash,
            action,
        });
    }

    /// Adds a redirect. One that leads back to where it began is passed over, as hosts do.
    pub(super) fn redirect(&mut self, from: &str, winner: RedirectPrecedence, redirect: Redirect) {
        let Some(pattern) = self.pattern(from, &redirect.origin) else {
            return;
        };
        if self.slash() == FinalSlash::Ignored && self.is_circle(from, &redirect.target) {
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

    fn is_circle(&self, from: &str, target: &str) -> bool {
        let path = |text: &str| {
            let below = text.strip_prefix(self.base.origin()).unwrap_or(text);
            super::path_pattern::without_final_slash(below).to_owned()
        };
        path(&target.replace(":splat", "*")) == path(from)
    }

    /// Reports what cannot be read.
    pub(super) fn refuse(&mut self, origin: &HostRuleOrigin, why: &str) {
        let message = format!("`{origin}` does not count: {why}");
        self.findings.push(
            Finding::new(code::SERVING_UNREADABLE, origin.subject(), message)
                .with_hint("correct the line; the host may pass it over too"),
        );
    }
}
