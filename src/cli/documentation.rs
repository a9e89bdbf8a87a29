//! The sections of the documentation that the program contains: findings, reasons and settings.

use regex::{Captures, Regex};
use url::Url;

/// Name, page below `docs/src`, and text of each section, by name.
const SECTIONS: &[(&str, &str, &str)] = include!(concat!(env!("OUT_DIR"), "/sections.rs"));

/// The documentation of a finding, of a reason to exclude pages, or of a setting.
#[derive(Debug)]
pub(super) struct Section {
    name: &'static str,
    page: &'static str,
    /// Markdown.
    text: &'static str,
}

impl Section {
    /// Returns the section of a code or of a setting.
    pub(super) fn of(name: &str) -> Option<Self> {
        let found = SECTIONS.binary_search_by_key(&name, |section| section.0);
        let (name, page, text) = SECTIONS[found.ok()?];
        Some(Self { name, page, text })
    }

    /// Returns the names of all sections.
    pub(super) fn names() -> impl Iterator<Item = &'static str> {
        SECTIONS.iter().map(|section| section.0)
    }

    /// Returns the URL of the section.
    pub(super) fn url(&self) -> Url {
        let mut url = self.page_url();
        url.set_fragment(Some(&self.name.replace('.', ""))); // as mdBook makes it
        url
    }

    fn page_url(&self) -> Url {
        let home = Url::parse(env!("CARGO_PKG_HOMEPAGE")).expect("Cargo.toml has a URL");
        let page = home.join(&self.page.replace(".md", ".html"));
        page.expect("the page has a plain name")
    }

    /// Returns the text with the URLs of its links.
    pub(super) fn shown(&self) -> String {
        let link = Regex::new(r"\[([^\]]*)\]\(([^) ]+)\)").expect("the expression is valid");
        let page = self.page_url();
        let text = link.replace_all(self.text, |link: &Captures<'_>| {
            let target = page.join(&link[2].replace(".md", ".html"));
            let target = target.map_or_else(|_| link[2].to_owned(), String::from);
            format!("{} ({target})", &link[1])
        });
        format!("{}\n\n{text}\n\n{}\n", self.name, self.url())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decide::reason_names;
    use sitemaps::site_paths::finding;

    #[test]
    fn every_finding_reason_and_setting_has_a_section() {
        let findings = finding::ALL.iter().map(|code| code.name);
        let settings = ["base_url", "lastmod.memory", "rule.priority"];
        for name in findings.chain(reason_names()).chain(settings) {
            let text = Section::of(name).map(|section| section.shown());
            let text = text.unwrap_or_else(|| panic!("`{name}` has no section"));
            let is_rendered = !["](", "<!--", "\n## "]
                .iter()
                .any(|mark| text.contains(mark));
            assert!(is_rendered && text.len() > 100, "{text}");
        }
    }
}
