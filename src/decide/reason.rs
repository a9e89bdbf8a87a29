//! Reasons for excluding pages, in the order in which they are checked. The comment of each is also
//! its documentation for users.

use super::page_case::PageCase;
use super::rules::ExcludedBy;
use super::statements::{Canonical, CanonicalTarget, NoindexStatement};
use super::verdict::{Evidence, Exclusion, Reason, Verdict, define_reason};
use super::without_effect::{report_canonicals, report_robots_tags};
use crate::findings::{Finding, Subject, code};
use crate::hosts::UrlForm;
use page_signals::FileContent;
use sitemaps::quoted;
use sitemaps::site_paths::{MAX_URL_CHARS, SitePath};

/// All reasons, in the order in which they are checked: the first that applies decides. The last, a
/// URL that another page already has, is checked in the second pass.
pub const ALL: &[&Reason] = &[
    EXCLUDED_BY_SETTINGS,
    EXCLUDED_BY_PAGE,
    DRAFT,
    UNREADABLE,
    NOT_A_PAGE,
    ERROR_PAGE,
    REDIRECT,
    NOINDEX,
    CANONICAL_ELSEWHERE,
    OUTSIDE_BASE,
    DISALLOWED_BY_ROBOTS,
    URL_TOO_LONG,
    CANONICAL_DUPLICATE,
];

/// Returns the reason with this code.
pub fn named(name: &str) -> Option<&'static Reason> {
    ALL.iter().copied().find(|reason| reason.code.name == name)
}

/// Returns the codes of all reasons.
pub fn names() -> Vec<&'static str> {
    ALL.iter().map(|reason| reason.code.name).collect()
}

/// Judges a page without regard to other pages. Tries the reasons in the order of [`ALL`]; the
/// first that applies decides. Reports what the page states without effect.
pub fn judge(case: &PageCase<'_>) -> Verdict {
    for reason in ALL {
        if let Some(evidence) = (reason.judge)(case) {
            let exclusion = Exclusion {
                reason,
                evidence: evidence.text,
                statement: evidence
                    .statement
                    .unwrap_or_else(|| Subject::for_page(case.file)),
                target: evidence.target,
            };
            return Verdict::Excluded(Box::new(exclusion));
        }
    }
    Verdict::Listed
}

// The last matching rule that sets `exclude` decides, so a later `exclude = false` includes pages
// again.
define_reason! {
    /// A rule in the settings excludes the page (`exclude = true`, or a glob in `exclude = [...]`), or
    /// those of the generator keep it out of its own sitemap: Jekyll's `defaults`, Sphinx's
    /// `sitemap_excludes`, Docusaurus' `ignorePatterns`, Hexo's `sitemap.tags`.
    EXCLUDED_BY_SETTINGS = "excluded-by-settings", Allow, Owner, "the settings exclude it", excluded_by_settings
}

fn excluded_by_settings(case: &PageCase<'_>) -> Option<Evidence> {
    let evidence = match case.excluded_by {
        Some(ExcludedBy::Rule(rule)) => {
            let pattern = case.site.settings.rules[*rule].patterns.first();
            pattern.map(|pattern| format!("rule `{}`", quoted(pattern.as_str())))
        }
        Some(ExcludedBy::Generator(setting)) => Some(setting.clone()),
        Some(ExcludedBy::FrontMatter | ExcludedBy::Draft(_)) | None => None,
    };
    evidence.map(Evidence::text)
}

// Front matter takes precedence over all rules.
define_reason! {
    /// The front matter of the page's source excludes it: `exclude = true` in Zola's
    /// `[extra.waypost]` or Hugo's `[params.waypost]`, or the generator's own key: Hugo's
    /// `sitemap.disable`, `sitemap: false` of Jekyll, Hexo, Nuxt and VuePress, Eleventy's
    /// `eleventyExcludeFromCollections` and `sitemap.ignore`, Pelican's `status` `draft` or `hidden`.
    EXCLUDED_BY_PAGE = "excluded-by-page", Allow, Owner, "its front matter excludes it", excluded_by_page
}

fn excluded_by_page(case: &PageCase<'_>) -> Option<Evidence> {
    (case.excluded_by == Some(&ExcludedBy::FrontMatter))
        .then(|| Evidence::text("the front matter of its source"))
}

define_reason! {
    /// The page's source is a draft, and `drafts` is `"exclude"`. Or Quarto marks the page as a draft,
    /// which it never lists unless `draft-mode` is `visible`.
    DRAFT = "draft", Allow, Owner, "its source is a draft", draft
}

fn draft(case: &PageCase<'_>) -> Option<Evidence> {
    let stated = case.facts.draft.filter(|_| !case.site.lists_drafts);
    match (case.excluded_by, stated) {
        (Some(ExcludedBy::Draft(state)), _) => Some(Evidence::text(state)),
        (None, Some(place)) => Some(Evidence::at(
            case.subject_at(place),
            "`quarto:status` of the page",
        )),
        _ => None,
    }
}

// An unreadable page might contain `noindex`, so it is not listed.
define_reason! {
    /// The page could not be read: permission denied, deleted since the directory was listed, or
    /// compressed with gzip. Compress pages after waypost has run.
    UNREADABLE = "unreadable", Deny, File, "cannot be read", unreadable
}

fn unreadable(case: &PageCase<'_>) -> Option<Evidence> {
    let FileContent::Unreadable(why) = &case.facts.content else {
        return None;
    };
    let message = format!("cannot read `{}`: {why}; it is excluded", case.file);
    let finding = Finding::new(UNREADABLE.code, case.file, message);
    case.site.findings.add(finding);
    Some(Evidence::text(why.clone()))
}

// Tokens are identified by their exact location and form, or by containing no tag at all, never by
// name alone.
define_reason! {
    /// The file has a page's extension but is not a page: it is empty, is binary, contains no tag, is a
    /// part of a page (without a doctype, without `<html>`, `<head>`, `<body>` and `<title>`, and
    /// without a tag for search engines), is Zola's page in place of a missing template, is a program (the
    /// editor of Decap CMS, rustdoc's settings and help, Doxygen's search), is in a package below
    /// `node_modules`, `bower_components` or `site_libs` or in the theme's directory (MkDocs'
    /// `custom_dir`), is the shell of a route (`[id].html` of Next.js and Expo) or of gatsby-plugin-offline,
    /// or is a verification token of a search console (`google1234567890abcdef.html`), or has a name that
    /// the host cannot serve (Firebase Hosting: `#` and `?`; GitHub Pages from a branch without
    /// `.nojekyll`: `_` at the beginning).
    NOT_A_PAGE = "not-a-page", Allow, File, "not an HTML page", not_a_page
}

fn not_a_page(case: &PageCase<'_>) -> Option<Evidence> {
    let file = case.file;
    if case.site.not_pages.matches(file.as_bytes()) {
        return Some(Evidence::text("by its path"));
    }
    if UrlForm::of(case.site.settings).cannot_find(file) {
        return Some(Evidence::text("the host finds no file of this name"));
    }
    let evidence = match case.facts.content {
        FileContent::Html | FileContent::Unreadable(_) => return None,
        FileContent::Binary => "binary data",
        FileContent::PlainText => "contains no tag",
        FileContent::Fragment => "a part of a page",
        FileContent::Program => "a page of a program, not of the site",
        FileContent::Empty => {
            let hint = "remove it from the build, or exclude it with a rule";
            let message = format!("`{file}` is empty");
            let finding = Finding::new(code::PAGE_DOUBTFUL, file, message);
            case.site.findings.add(finding.with_hint(hint));
            "empty file"
        }
        FileContent::NoTemplate => {
            let message = format!("`{file}` is what Zola writes in place of a missing template");
            let hint =
                "add the template that the page names, or `render = false` to its front matter";
            let finding = Finding::new(code::PAGE_DOUBTFUL, file, message);
            case.site.findings.add(finding.with_hint(hint));
            "written in place of a missing template"
        }
    };
    Some(Evidence::text(evidence))
}

// Directories are identified by their exact path: `products/404/index.html` is an ordinary page. A file
// `404.html` is one in any directory, as generators write it, copied below another site too.
define_reason! {
    /// The file is the page for missing URLs: `404.html` in any directory, or SvelteKit's `fallback`. Below
    /// the top and outside a language's directory, it is an ordinary page if neither the site nor the page
    /// names a generator and its canonical link names itself.
    ERROR_PAGE = "error-page", Allow, File, "shown for missing URLs", error_page
}

fn error_page(case: &PageCase<'_>) -> Option<Evidence> {
    if case.site.error_pages.matches(case.file.as_bytes()) {
        return Some(Evidence::text("the host's error page, by its path"));
    }
    let has_generator = case.site.has_generator || case.facts.states_generator;
    let is_own_page = !has_generator && matches!(case.statements.canonical, Canonical::Itself(_));
    let is_error_page = case.file.file_name() == b"404.html" && !is_own_page;
    is_error_page.then(|| Evidence::text("a page for missing URLs, by its name"))
}

// Search engines treat an instant refresh as a permanent redirect, so its target should be listed.
// A refresh after some seconds is temporary and does not exclude the page.
define_reason! {
    /// The page redirects immediately: by a meta refresh of zero seconds, one of any delay or in `<noscript>`
    /// if a script redirects to the same page, as Zola and mike write it, the script of Quarto's page for an
    /// alias, a redirect in the host's files that takes precedence over the page, or one of the host itself
    /// (Vercel's `cleanUrls` for `x/index/index.html`).
    REDIRECT = "redirect", Allow, Answer, "redirects to another URL", redirect
}

fn redirect(case: &PageCase<'_>) -> Option<Evidence> {
    if UrlForm::of(case.site.settings).redirects(case.file) {
        return Some(Evidence::text(
            "the host redirects `index` and `.html` at the end",
        ));
    }
    if let Some(rule) = case.replaced_by() {
        let target = case.url.resolve(&rule.target);
        return Some(Evidence {
            target: target.filter(|_| rule.redirect.is_redirect()),
            ..Evidence::at(rule.redirect.origin.subject(), rule.redirect.to_string())
        });
    }
    case.statements.redirect.as_ref().map(|target| Evidence {
        target: Some(target.value.clone()),
        ..Evidence::at(
            case.subject_at(target.place),
            format!("redirects to {}", target.value),
        )
    })
}

// Tags count in any spelling that HTML allows, in the head and in the body; the most restrictive
// tag wins. Tags in comments, templates, scripts and `<noscript>` do not count.
define_reason! {
    /// The page opts out of indexing: `noindex` or `none` in a robots tag or in an `X-Robots-Tag`
    /// header from the host's files, or an `unavailable_after` date in the past. Or readers need a
    /// password for it: Netlify's `Basic-Auth`.
    NOINDEX = "noindex", Allow, Answer, "asks search engines not to index it", noindex
}

fn noindex(case: &PageCase<'_>) -> Option<Evidence> {
    report_robots_tags(case);
    let tag = match case.statements.noindex.as_ref()? {
        NoindexStatement::Header(index) => {
            let header = case.headers[*index];
            return Some(Evidence::at(header.origin.subject(), header.to_string()));
        }
        NoindexStatement::Tag(tag) => tag,
    };
    let [name, content] = [&tag.value.name, &tag.value.content].map(|text| quoted(text.trim()));
    let subject = case.subject_at(tag.place);
    Some(Evidence::at(subject, format!("{name}: {content}")))
}

// Only links in the head and in `Link` headers from the host's files count, and none with
// hreflang, lang, media or type. A link to another form of the same file (`/about` for
// `about.html`) does not name another page: that form is the one listed.
define_reason! {
    /// The page's canonical link names another page, on this site or elsewhere, so this page is a
    /// duplicate.
    CANONICAL_ELSEWHERE = "canonical-elsewhere", Allow, Answer, "its canonical link names another page", canonical_elsewhere
}

fn canonical_elsewhere(case: &PageCase<'_>) -> Option<Evidence> {
    report_canonicals(case);
    match &case.statements.canonical {
        Canonical::Elsewhere(target) => Some(link_evidence(case, target, case.evidence_of(target))),
        _ => None,
    }
}

// A sitemap may list only URLs below its own (sitemaps.org, "sitemap file location"). If this
// affects every page, the base URL of waypost or of the generator is wrong.
define_reason! {
    /// The page's canonical link names the page itself, but on a host, port or scheme other than
    /// that of the site's base URL.
    OUTSIDE_BASE = "outside-base", Allow, Answer, "its canonical URL is on another host or scheme", outside_base
}

fn outside_base(case: &PageCase<'_>) -> Option<Evidence> {
    let Canonical::ItselfOutside(target) = &case.statements.canonical else {
        return None;
    };
    let text = format!("{}, outside {}", case.evidence_of(target), case.site.base);
    Some(link_evidence(case, target, text))
}

/// The evidence of a canonical link to another page.
fn link_evidence(case: &PageCase<'_>, target: &CanonicalTarget, text: String) -> Evidence {
    Evidence {
        target: Some(target.url.clone()),
        ..Evidence::at(case.subject_of(target), text)
    }
}

// Rules match as in RFC 9309: the longest rule wins, and `*` and `$` are supported. Only a
// robots.txt at the root of the host applies. Disable with `robots_txt.obey = false`.
define_reason! {
    /// robots.txt disallows the page for all crawlers of `robots_txt.agents`: by default those without a
    /// group of their own (`User-agent: *`).
    DISALLOWED_BY_ROBOTS = "disallowed-by-robots", Warn, Answer, "robots.txt forbids crawling it", disallowed_by_robots
}

fn disallowed_by_robots(case: &PageCase<'_>) -> Option<Evidence> {
    let rules = case.site.robots_txt?;
    let rule = rules.disallowing(&case.url)?;
    let (file, path) = (case.file, quoted(&rule.path));
    let how = rules.name_rule(rule, "robots.txt");
    let message = format!("`{file}` is {how}, so it is excluded");
    let hint = "allow it in robots.txt; to keep it out of search results, use `noindex` instead, because \
                a disallowed page can still be indexed";
    let finding = Finding::new(DISALLOWED_BY_ROBOTS.code, file, message);
    case.site.findings.add(finding.with_hint(hint));
    let statement = Subject::Page(SitePath::from("robots.txt"), Some(rule.place));
    let evidence = format!("robots.txt:{}: Disallow: {path}", rule.line);
    Some(Evidence::at(statement, evidence))
}

// XML escapes do not count; percent-encoding does.
define_reason! {
    /// The page's URL has 2,048 characters or more, which a `<loc>` must not contain (sitemaps.org
    /// protocol).
    URL_TOO_LONG = "url-too-long", Warn, File, "its URL is longer than sitemaps allow", url_too_long
}

fn url_too_long(case: &PageCase<'_>) -> Option<Evidence> {
    let chars = case.url.as_str().len();
    if chars <= MAX_URL_CHARS {
        return None;
    }
    let message = format!(
        "the URL of a page has {chars} characters; a sitemap allows at most {MAX_URL_CHARS}"
    );
    let finding = Finding::new(URL_TOO_LONG.code, case.file, message);
    case.site.findings.add(finding);
    Some(Evidence::text(format!("{chars} characters")))
}

// Two files can claim one URL through their canonical links (`x.html` and `x/index.html` as
// `/x/`); the one whose own name gives that URL is listed. mdBook writes its first chapter twice,
// as `index.html` and under its own name; only `/` is listed then.
//
// Decided in the second pass, when all pages are known (`src/pages/compare.rs`).
define_reason! {
    /// Another page already has this page's URL, or is identical byte for byte and has a better
    /// URL.
    CANONICAL_DUPLICATE = "canonical-duplicate", Allow, Answer, "has the URL or the content of another page", |_| None
}
