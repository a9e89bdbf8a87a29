//! The ledger, the plan and what changed → one HTML file that people open: no network, no second file, light and dark.
//!
//! The page itself stands in `page.html`, its looks in `style.css`, and `script.js` draws it from data that is put into the
//! file as JSON. Whatever comes from the site is escaped here or set as text there: a title or a path must never become
//! markup. Nothing is written here.

mod data;

use crate::finding::Level;
use crate::pipeline::{Inventory, Survey};
use crate::sitemaps::{Plan, SitemapChanges};

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

/// What a report shows.
#[derive(Debug, Clone, Copy)]
pub struct Report<'a> {
    /// The site and its settings.
    pub survey: &'a Survey<'a>,
    /// Every page, and all findings.
    pub ledger: &'a Inventory,
    /// What would be written.
    pub plan: &'a Plan,
    /// How that differs from the sitemaps that stand there.
    pub changes: &'a SitemapChanges,
}

impl Report<'_> {
    /// The whole file. `place` says where a finding points, for people.
    pub fn to_html(&self, place: impl FnMut(&crate::finding::Finding) -> Option<String>) -> String {
        let base = self.ledger.base.as_str();
        let parts = [
            ("title", escaped(base)),
            ("about", escaped(&self.about())),
            ("tiles", self.tiles()),
            ("version", env!("CARGO_PKG_VERSION").to_owned()),
            ("style", STYLE.trim_end().to_owned()),
            ("script", SCRIPT.trim_end().to_owned()),
            ("data", data::json(self, place)),
        ];
        filled(PAGE, &parts)
    }

    fn about(&self) -> String {
        let generator = self
            .survey
            .site
            .generator
            .map_or("a folder of HTML", |generator| &generator.title);
        let output = Survey::shown(&self.survey.output_dir);
        let made = data::moment(self.survey.now.0);
        format!("{generator}, output in {output}, as of {made}")
    }

    /// The figures on top, as items of a description list.
    fn tiles(&self) -> String {
        let (found, listed) = (self.ledger.lines.len(), self.ledger.listed());
        let dated = self
            .plan
            .entries()
            .iter()
            .filter(|entry| entry.lastmod.is_some())
            .count();
        let (errors, warnings) = (self.count(Level::Deny), self.count(Level::Warn));
        let tiles = [
            ("", "pages found", found),
            ("", "listed", listed),
            ("", "left out", found - listed),
            ("", "listed with a date", dated),
            (if errors > 0 { "error" } else { "" }, "errors", errors),
            (if warnings > 0 { "warn" } else { "" }, "warnings", warnings),
        ];
        let tile = |(class, name, number)| {
            format!("<div class=\"{class}\"><dt>{name}</dt><dd>{number}</dd></div>")
        };
        tiles.map(tile).concat()
    }

    fn count(&self, level: Level) -> usize {
        let levels = &self.survey.settings().levels;
        self.ledger
            .findings
            .iter()
            .filter(|finding| levels.of(finding.code) == level)
            .count()
    }
}

/// A template with its `{{names}}` filled in, in one pass: what is filled in is not looked at again.
fn filled(template: &str, parts: &[(&str, String)]) -> String {
    let mut out = String::with_capacity(
        template.len() + parts.iter().map(|(_, text)| text.len()).sum::<usize>(),
    );
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        let (name, after) = after
            .split_once("}}")
            .expect("every name in the template is closed");
        let (_, text) = parts
            .iter()
            .find(|(known, _)| *known == name)
            .expect("every name in the template is known");
        out.push_str(before);
        out.push_str(text);
        rest = after;
    }
    out + rest
}

/// Text as it may stand in HTML, in an element or in a quoted attribute.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '#' => out.push_str("&#35;"), // two begin a command, where the report is printed into a pipeline's log
            _ => out.push(character),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_filled_in_is_not_looked_at_again() {
        let parts = [("a", "{{b}}".to_owned()), ("b", "x".to_owned())];
        assert_eq!(filled("1{{a}}2{{b}}3", &parts), "1{{b}}2x3");
    }

    #[test]
    fn nothing_escaped_is_markup() {
        assert_eq!(
            escaped("<a b='c' d=\"e\">&"),
            "&lt;a b=&#39;c&#39; d=&quot;e&quot;&gt;&amp;"
        );
    }
}
