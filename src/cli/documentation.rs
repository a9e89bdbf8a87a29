//! The sections of the documentation that the program contains: findings, reasons and settings.

use regex::{Captures, Regex};
use url::Url;

use super::text_layout::wrapped;
use crate::release;

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

    /// Returns the URL of the section, if the documentation has a site.
    pub(super) fn url(&self) -> Option<Url> {
        self.url_below(&release::documentation()?)
    }

    fn url_below(&self, home: &Url) -> Option<Url> {
        let mut url = home.join(&self.page.replace(".md", ".html")).ok()?;
        url.set_fragment(Some(&self.name.replace('.', ""))); // as mdBook makes it
        Some(url)
    }

    /// Returns the text with the URLs of its links.
    pub(super) fn shown(&self) -> String {
        self.shown_with(self.url())
    }

    /// Returns the text for a section at this URL. Without it, only links to other sites have a URL.
    fn shown_with(&self, url: Option<Url>) -> String {
        let link = Regex::new(r"\[([^\]]*)\]\(([^) ]+)\)").expect("the expression is valid");
        let text = link.replace_all(self.text, |link: &Captures<'_>| {
            let target = match &url {
                Some(url) => url.join(&link[2].replace(".md", ".html")),
                None => Url::parse(&link[2]),
            };
            match target {
                Ok(target) => format!("{} ({target})", &link[1]),
                Err(_) => link[1].to_owned(),
            }
        });
        let end = url.map_or_else(String::new, |url| format!("\n{url}\n"));
        format!("{}\n\n{}{end}", self.name, for_terminal(&text))
    }
}

/// Formats Markdown as text: blocks of code are indented, and the lines of a paragraph or an item are joined
/// and broken for the width.
fn for_terminal(markdown: &str) -> String {
    let (mut out, mut paragraph, mut is_code) = (String::new(), String::new(), false);
    for line in markdown.lines().chain([""]) {
        let is_fence = line.starts_with("```");
        let is_own = is_fence || is_code || line.is_empty() || line.starts_with('|');
        if (is_own || line.starts_with('-')) && !paragraph.is_empty() {
            let below = if paragraph.starts_with('-') { 2 } else { 0 };
            out.push_str(&wrapped(&paragraph, 0, below));
            out.push('\n');
            paragraph.clear();
        }
        if is_fence {
            is_code = !is_code;
        } else if is_own {
            let indent = if is_code && !line.is_empty() {
                "    "
            } else {
                ""
            };
            out.extend([indent, line, "\n"]);
        } else {
            let space = if paragraph.is_empty() { "" } else { " " };
            paragraph.extend([space, line.trim_start()]);
        }
    }
    out.truncate(out.trim_end().len());
    out + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decide::reason_names;
    use crate::findings;

    #[test]
    fn every_finding_reason_and_setting_has_a_section() {
        let findings = findings::ALL.iter().map(|code| code.name);
        let settings = ["base_url", "lastmod.memory", "rule.priority"];
        for name in findings.chain(reason_names()).chain(settings) {
            let text = Section::of(name).map(|section| section.shown());
            let text = text.unwrap_or_else(|| panic!("`{name}` has no section"));
            let is_rendered = !["](", "<!--", "\n## "]
                .iter()
                .any(|mark| text.contains(mark));
            assert!(is_rendered && text.len() > 50, "{text}");
        }
    }

    #[test]
    fn links_within_the_documentation_have_a_url_once_it_has_a_site() {
        let section = Section {
            name: "rule.priority",
            page: "reference/settings.md",
            text: "See [rules](../how-to/rules.md#order) and [the tag](https://example.org/tag).",
        };
        let unpublished = "rule.priority\n\nSee rules and the tag (https://example.org/tag).\n";
        assert_eq!(section.shown_with(None), unpublished);
        let home = Url::parse("https://example.com/docs/").expect("a URL");
        let published = "rule.priority\n\nSee rules (https://example.com/docs/how-to/rules.html#order) \
                         and the tag (https://example.org/tag).\n\n\
                         https://example.com/docs/reference/settings.html#rulepriority\n";
        assert_eq!(section.shown_with(section.url_below(&home)), published);
    }
}
