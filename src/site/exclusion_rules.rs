//! Rules that exclude pages and belong to the whole site: robots.txt, the host's files, and the names
//! of error pages and of files that are not pages.

use super::host_files::{self, UnknownHost};
use super::host_settings::error_pages;
use super::loaded_site::LoadedSite;
use super::pages_publication::pages_host;
use super::robots::report_deviations;
use crate::files::glob::{PatternError, PatternSet};
use crate::findings::{Finding, Findings, Subject, code};
use crate::generators::{Manifest, Pipelines};
use crate::hosts::HostRules;
use crate::settings::Settings;
use git_last_modified::checked_out_branch;
use sitemaps::robots_txt::RobotsTxt;
use sitemaps::site_paths::{BaseUrl, SitePath};

/// What excludes pages besides their own content and the rules of the settings.
#[derive(Debug)]
pub(crate) struct ExclusionRules {
    /// robots.txt, if it applies and is to be obeyed.
    pub(crate) robots: Option<RobotsTxt>,
    /// Paths of the host's error pages.
    pub(crate) error_pages: PatternSet,
    /// Paths of files that are not pages.
    pub(crate) not_pages: PatternSet,
    /// Headers and redirects of the host.
    pub(crate) host_rules: HostRules,
    /// What depends on the host, if it is unknown.
    pub(crate) unknown_host: Option<UnknownHost>,
}

impl ExclusionRules {
    /// Reads the rules of robots.txt, of the host's files and of the manifest.
    pub(crate) fn read(loaded: &LoadedSite, base: &BaseUrl) -> Result<Self, PatternError> {
        let robots = &loaded.robots;
        let (site, generic) = (&loaded.site, &Manifest::embedded().generic);
        let findings = &loaded.findings;
        let templates = site.copied_templates();
        let shells = &generic.route_shells;
        let has_shells = site.generator.is_some_and(|known| known.has_route_shells)
            || shells
                .beside
                .iter()
                .any(|name| loaded.output.has_file(&SitePath::from(&**name)));
        let shells = shells.globs.iter().filter(|_| has_shells);
        let unserved = unserved_names(loaded, base);
        let named = generic.not_pages.iter().chain(&templates).chain(shells);
        let not_pages = PatternSet::parse(named.chain(&unserved))?;
        let host = loaded.place.host.as_ref().map(|host| host.model);
        let host_pages = host.map_or(&[][..], |host| {
            error_pages(host, &loaded.host_dirs, loaded.pipelines())
        });
        let fallback = site.fallback_page();
        let served = generic.error_pages.iter().chain(host_pages);
        let error_pages = PatternSet::parse(served.chain(&fallback))?;
        let (host_rules, unknown_host) =
            host_files::read(host, &loaded.host_dirs, &loaded.output, base, findings);
        let rules = robots.rules(&loaded.settings().robots_txt, base);
        if let Some(rules) = &rules {
            let file = Subject::File(robots.path.clone(), None);
            report_deviations(rules, &file, findings);
        }
        findings.extend(robots.unread_at(base));
        Ok(Self {
            robots: rules,
            error_pages,
            not_pages,
            host_rules,
            unknown_host,
        })
    }

    /// Reports effects of the host on these listed pages beyond the rules that were read. Each is a
    /// percent-encoded path without `/` at the start.
    pub(crate) fn report_doubts<'p>(
        &self,
        listed: impl Iterator<Item = &'p str> + Clone,
        findings: &Findings,
    ) {
        findings.extend(self.host_rules.unread(listed.clone()));
        if let Some(unknown) = &self.unknown_host {
            findings.extend(unknown.finding(listed));
        }
    }

    /// Reports that the host never serves a file at the URL of the sitemap.
    pub(crate) fn report_hidden_sitemap(&self, loaded: &LoadedSite, base: &BaseUrl) {
        let file = &loaded.settings().sitemap.file;
        let path = format!("{}{file}", base.path());
        if let Some(applied) = self.host_rules.redirect(&path) {
            let message = format!(
                "the host does not serve `{file}` at its URL: `{}`",
                applied.redirect
            );
            let subject = applied.redirect.origin.subject();
            let finding = Finding::new(code::ROBOTS_TXT_SITEMAP_UNREADABLE, subject, message);
            let hint = "remove the rule, or set `sitemap.file` to another name";
            loaded.findings.add(finding.with_hint(hint));
        }
    }

    /// Whether the host lets browsers apply a stylesheet in the sitemap.
    pub(crate) fn allow_stylesheet(&self, base: &BaseUrl, settings: &Settings) -> bool {
        let path = format!("{}{}", base.path(), settings.sitemap.file);
        !self.host_rules.forbid_embedded_styles(&path)
    }
}

/// Globs for the names that GitHub Pages does not serve: those that begin with `_`, of a directory that it
/// publishes without a build of the repository's own and without `.nojekyll` (docs.github.com, "Static
/// site generators").
fn unserved_names(loaded: &LoadedSite, base: &BaseUrl) -> Vec<String> {
    let Some(root) = loaded.repository.as_deref() else {
        return Vec::new();
    };
    let tree = &loaded.output;
    let is_unserved = Pipelines::host_of_domain(base) == Some("github-pages")
        && tree.is_same(root, loaded.output_dir())
        && !tree.is_file(&root.join(".nojekyll"))
        && (matches!(checked_out_branch(root), Ok(Some(branch)) if branch == "gh-pages")
            || base.is_host_root() && pages_host(root, &loaded.host_dirs).is_none());
    if !is_unserved {
        return Vec::new();
    }
    ["_*", "_*/**", "**/_*", "**/_*/**"]
        .map(str::to_owned)
        .to_vec()
}
