//! Collects the rules of all host files, and answers which headers and redirects apply to a path.

use std::borrow::Cow;
use std::fmt;
use std::path::Path;

use super::netlify_pattern::{self, NetlifyRedirect};
use super::path_pattern::{HostPathPattern, PatternShape, RequestPath, RuleTable};
use super::rule_origin::{HostRuleOrigin, NumberedLines};
use crate::files::located_values::{SettingValue, Syntax};
use crate::findings::{Finding, Findings, code, counted};
use sitemaps::quoted;
use sitemaps::site_paths::{BaseUrl, decode, without_scheme};

/// Maximum number of patterns with a wildcard. Each is some 13 kB, and is compared with each page.
const MAX_WILDCARDS: usize = 10_000;

/// Headers that affect a sitemap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HeaderName {
    /// `X-Robots-Tag`.
    XRobotsTag,
    /// `Link`.
    Link,
    /// `Content-Security-Policy`.
    ContentSecurityPolicy,
    /// `Basic-Auth`, with which Netlify asks for a password. Its value is never shown.
    BasicAuth,
}

impl HeaderName {
    /// The header with this name, ignoring case (RFC 9110 section 5.1); `None` if it does not
    /// affect a sitemap.
    pub(super) fn of(name: &str) -> Option<Self> {
        [Self::XRobotsTag, Self::Link, Self::ContentSecurityPolicy]
            .into_iter()
            .find(|known| known.as_str().eq_ignore_ascii_case(name))
    }

    /// Does the same for a file of Netlify.
    pub(super) fn for_netlify(name: &str) -> Option<Self> {
        let is_auth = name.eq_ignore_ascii_case(Self::BasicAuth.as_str());
        Self::of(name).or(is_auth.then_some(Self::BasicAuth))
    }

    fn as_str(self) -> &'static str {
        match self {
            Self::XRobotsTag => "X-Robots-Tag",
            Self::Link => "Link",
            Self::ContentSecurityPolicy => "Content-Security-Policy",
            Self::BasicAuth => "Basic-Auth",
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
    /// Whether the host sends it after a comma in the same header as the previous value, whose
    /// crawler's name still applies.
    pub continues: bool,
    /// The rule that sets it.
    pub origin: HostRuleOrigin,
}

/// Formats as evidence: `_headers:3: X-Robots-Tag: noindex`.
impl fmt::Display for Header {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}", self.origin, self.name.as_str())?;
        match self.name {
            HeaderName::BasicAuth => Ok(()),
            _ => write!(out, ": {}", quoted(&self.value)),
        }
    }
}

/// A response that the host sends instead of a page.
#[derive(Debug)]
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
    /// Whether visitors get the target under the page's own URL.
    pub fn is_rewrite(&self) -> bool {
        (200..300).contains(&self.status)
    }

    /// Whether visitors are sent to another URL.
    pub fn is_redirect(&self) -> bool {
        (300..400).contains(&self.status)
    }
}

/// A redirect that replaces a page.
#[derive(Debug)]
pub struct AppliedRedirect<'r> {
    /// The redirect.
    pub redirect: &'r Redirect,
    /// Whether its rule matches other paths too.
    pub has_wildcard: bool,
    /// The target with the values of the wildcards of Cloudflare and Netlify.
    pub target: Cow<'r, str>,
}

/// What takes precedence if a rule matches and the page exists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RedirectPrecedence {
    Page,
    Rule,
    /// Other visitors than crawlers get the redirect.
    NextRule,
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

/// A redirect and whether it applies.
#[derive(Debug)]
struct RedirectRule {
    winner: RedirectPrecedence,
    netlify: Option<NetlifyRedirect>,
    redirect: Redirect,
}

impl RedirectRule {
    fn loops_for(&self, path: &RequestPath) -> bool {
        let rule = self.netlify.as_ref();
        rule.is_some_and(|rule| rule.loops_for(&path.decoded))
    }

    /// The target with the values of the pattern's groups.
    fn target_for(&self, pattern: &HostPathPattern, path: &RequestPath) -> Cow<'_, str> {
        let target = Cow::Borrowed(self.redirect.target.as_str());
        if let Some(rule) = &self.netlify {
            return rule.filled(&self.redirect.target, &path.decoded);
        }
        let PatternShape::Regex(regex) = &pattern.shape else {
            return target;
        };
        let Some(groups) = regex.captures(path.texts(pattern.form)[0]) else {
            return target;
        };
        let names = regex.capture_names().flatten();
        names.fold(target, |target, name| {
            let value = groups.name(name).map_or(&b""[..], |group| group.as_bytes());
            let value = String::from_utf8_lossy(value);
            Cow::Owned(target.replace(&format!(":{name}"), &value))
        })
    }
}

/// The headers and redirects that the host applies to each path.
#[derive(Debug, Default)]
pub struct HostRules {
    headers: RuleTable<HeaderAction>,
    redirects: RuleTable<RedirectRule>,
    unread: Vec<UnreadRule>,
}

impl HostRules {
    /// Whether no rule affects a sitemap.
    pub fn is_empty(&self) -> bool {
        self.headers.is_empty() && self.redirects.is_empty()
    }

    /// The headers of a page, in order. `path` is percent-encoded and starts with `/`.
    pub fn headers(&self, path: &str) -> Vec<&Header> {
        if self.headers.is_empty() {
            return Vec::new();
        }
        let mut headers: Vec<&Header> = Vec::new();
        for (_, action) in self.headers.matching(&RequestPath::new(path)) {
            match action {
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

    /// Whether browsers must not apply a stylesheet that a file contains as a data URL.
    pub fn forbid_embedded_styles(&self, path: &str) -> bool {
        self.headers(path)
            .iter()
            .filter(|header| header.name == HeaderName::ContentSecurityPolicy)
            .flat_map(|header| header.value.split(','))
            .any(policy_forbids_data_styles)
    }

    /// The rule that replaces an existing page. The first matching rule applies.
    pub fn redirect(&self, path: &str) -> Option<AppliedRedirect<'_>> {
        if self.redirects.is_empty() {
            return None;
        }
        let path = RequestPath::new(path);
        // A loop also ends the search, even that of a rule for other visitors.
        let (pattern, rule) = self.redirects.matching(&path).find(|(_, rule)| {
            rule.winner != RedirectPrecedence::NextRule || rule.loops_for(&path)
        })?;
        let applies = rule.winner == RedirectPrecedence::Rule && !rule.loops_for(&path);
        applies.then(|| AppliedRedirect {
            redirect: &rule.redirect,
            has_wildcard: matches!(pattern.shape, PatternShape::Regex(_)),
            target: rule.target_for(pattern, &path),
        })
    }

    /// The finding about rules that are not read, with the number of these pages that one of them
    /// could match; `None` if none could. Paths are percent-encoded and have no `/` at the start.
    pub fn unread<'p>(&self, pages: impl Iterator<Item = &'p str>) -> Option<Finding> {
        let first = self.unread.first()?;
        let mut touched = 0;
        for page in pages {
            let path = decode(page);
            let mut rules = self.unread.iter();
            touched += usize::from(rules.any(|rule| path.starts_with(rule.prefix.as_bytes())));
        }
        let rules = match self.unread.len() {
            1 => "1 rule is not read".to_owned(),
            count => format!("{count} rules are not read"),
        };
        let message = format!(
            "{rules}, from `{}` on: {} may be redirected or marked as noindex",
            first.origin,
            counted(touched, "listed page")
        );
        let finding = Finding::new(code::SERVING_UNREADABLE, first.origin.subject(), message);
        let hint = "exclude the pages that are with `exclude`";
        (touched > 0).then(|| finding.with_hint(hint))
    }
}

/// Whether a policy forbids stylesheets in data URLs, which only `data:` in the list of the most specific directive
/// allows (Content Security Policy Level 3, section 6.1.13).
fn policy_forbids_data_styles(policy: &str) -> bool {
    ["style-src-elem", "style-src", "default-src"]
        .iter()
        .find_map(|name| {
            policy.split(';').find_map(|directive| {
                let mut words = directive.split_ascii_whitespace();
                words.next()?.eq_ignore_ascii_case(name).then_some(words)
            })
        })
        .is_some_and(|mut sources| !sources.any(|source| source.eq_ignore_ascii_case("data:")))
}

/// A rule that is not read.
#[derive(Debug)]
struct UnreadRule {
    origin: HostRuleOrigin,
    /// The beginning of every path that it can match, decoded and without its first slash.
    prefix: String,
}

/// Collects the rules of all files, in their order.
pub(super) struct HostRuleCollector<'a> {
    pub(super) base: &'a BaseUrl,
    /// The output directory, relative to that of the current file.
    pub(super) output: Option<&'a Path>,
    /// The lines of the current file.
    pub(super) numbered: NumberedLines,
    pub(super) rules: HostRules,
    findings: &'a Findings,
    /// The number of patterns with a wildcard.
    wildcards: usize,
}

impl<'a> HostRuleCollector<'a> {
    pub(super) fn new(base: &'a BaseUrl, findings: &'a Findings) -> Self {
        Self {
            base,
            output: None,
            numbered: NumberedLines::new(Path::new(""), ""),
            rules: HostRules::default(),
            findings,
            wildcards: 0,
        }
    }

    /// Keeps a rule that is not read. All paths that it can match begin with `prefix`.
    pub(super) fn pass_over(&mut self, origin: HostRuleOrigin, prefix: String) {
        self.rules.unread.push(UnreadRule { origin, prefix });
    }

    /// Returns the pattern of a rule that the host knows. One that cannot be compiled is not read, and one
    /// beyond the limit is not even compiled.
    pub(super) fn accept(
        &mut self,
        origin: &HostRuleOrigin,
        text: &str,
        compile: impl FnOnce(&str, &BaseUrl) -> Result<Option<HostPathPattern>, regex::Error>,
    ) -> Option<HostPathPattern> {
        self.wildcards += usize::from(without_scheme(text).contains(['*', ':']));
        if self.wildcards <= MAX_WILDCARDS
            && let Ok(pattern) = compile(text, self.base)
        {
            return pattern;
        }
        self.pass_over(origin.clone(), String::new());
        None
    }

    /// Parses a file in TOML or JSON, or reports its first mistake.
    pub(super) fn parsed(&mut self, syntax: Syntax, text: &str) -> Option<SettingValue> {
        let parsed = syntax.parse(text);
        parsed
            .map_err(|error| {
                let origin = self.numbered.at_place(error.place);
                let message = format!("`{origin}` is not read: {}", error.message);
                let finding = Finding::new(code::SERVING_UNREADABLE, origin.subject(), message);
                self.findings.add(finding.with_hint("correct the file"));
            })
            .ok()
    }

    /// Adds a rule for headers.
    pub(super) fn header(&mut self, pattern: &HostPathPattern, action: HeaderAction) {
        self.rules.headers.push(pattern.clone(), action);
    }

    /// Adds a redirect that takes precedence over a page, whatever its target.
    pub(super) fn forced_redirect(&mut self, pattern: HostPathPattern, redirect: Redirect) {
        let rule = RedirectRule {
            winner: RedirectPrecedence::Rule,
            netlify: None,
            redirect,
        };
        self.rules.redirects.push(pattern, rule);
    }

    /// Adds a redirect of Netlify.
    pub(super) fn netlify_redirect(
        &mut self,
        from: &str,
        winner: RedirectPrecedence,
        redirect: Redirect,
    ) {
        let Some(pattern) = self.accept(&redirect.origin, from, netlify_pattern::redirect) else {
            return;
        };
        let origin = self.base.origin();
        let netlify =
            NetlifyRedirect::new(from, &redirect.target, redirect.status, &pattern, origin);
        let rule = RedirectRule {
            winner,
            netlify: Some(netlify),
            redirect,
        };
        self.rules.redirects.push(pattern, rule);
    }
}

#[cfg(test)]
mod tests {
    use crate::findings::Findings;
    use crate::generators::{HostFileKind, HostServer};
    use sitemaps::site_paths::BaseUrl;

    use super::super::HostFile;

    /// The expected values are those of `netlify-redirector` 0.5.
    #[test]
    fn a_rule_of_netlify_that_leads_to_itself_ends_the_search() {
        let check = |text: &str, path: &str, expected: bool| {
            let kind = HostFileKind::Redirects;
            let file = HostFile {
                kind,
                path: "_redirects".into(),
                text: text.to_owned(),
                output: None,
            };
            let base = BaseUrl::parse("https://example.org/").expect("a valid base URL");
            let files = [file];
            let findings = Findings::default();
            let rules = super::super::read(&files, HostServer::Netlify, &base, &findings);
            assert_eq!(rules.redirect(path).is_some(), expected, "{text} on {path}");
        };
        check("/* /about 302!", "/about.html", false);
        check("/* /about 302!", "/blog/", true);
        check("/* /de/:splat 302!", "/de/x", false);
        check("/* /de/:splat 302!", "/blog/", true);
        check("/* /de/:splat/ 302!", "/de/x", true);
        check("/* /de/x:splat 302!", "/de/x", true);
        check("/* /de/:splatx 302!", "/de/x", true);
        check("/* https://example.org/de/:splat 302!", "/de/x", false);
        check("/* https://example.org/about 302!", "/about", true);
        check("/* https://example.net/de/:splat 302!", "/de/x", true);
        check("/:x/* /blog/ 303\n/:x/:y /new 301!", "/blog/a", false);
        check("/*/* id=:id /docs/x 303\n/* /new 301!", "/docs/x", false);
        check("/*/* id=:id /docs/x 303\n/* /new 301!", "/about", true);
        check(
            "/*/* /docs/x 303 Country=de\n/* /new 301!",
            "/docs/x",
            false,
        );
        check("/*/* /docs/x 200 Country=de\n/* /new 301!", "/docs/x", true);
        check("/blog/* /blog/:splat 302!\n/* /new 301!", "/blog/a", false);
        check("/*/* /:splat 301!", "/blog/a", true);
    }
}
