//! Renders the inventory, the plan and the changes as one self-contained HTML file.
//!
//! `page.html` is the template, `style.css` the stylesheet, and `script.js` renders the embedded
//! JSON data. Text from the site is escaped here or set as text content in the script, so a title
//! or a path never becomes markup. The file needs no network. This module writes nothing to disk.

mod contents;
mod data;

pub use contents::Report;

use site_paths::display_path;
use site_paths::finding::{Finding, Level};

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

impl Report<'_> {
    /// Renders the HTML file. `place` formats the place of a finding.
    pub fn to_html(self, place: impl FnMut(&Finding) -> Option<String>) -> String {
        let base = self.inventory.base.as_str();
        let parts = [
            ("title", escaped(base)),
            ("about", escaped(&self.about())),
            ("tiles", self.tiles()),
            ("version", env!("CARGO_PKG_VERSION").to_owned()),
            ("style", STYLE.trim_end().to_owned()),
            ("script", SCRIPT.trim_end().to_owned()),
            ("data", data::json(&self, place)),
        ];
        fill_template(PAGE, &parts)
    }

    fn about(&self) -> String {
        let generator = self
            .loaded
            .site
            .generator
            .map_or("directory of HTML files", |generator| &generator.title);
        let output = display_path(self.loaded.output_dir());
        let made = data::moment(self.loaded.now.0);
        format!("{generator}, output in {output}, as of {made}")
    }

    /// The key figures, as items of a description list.
    fn tiles(&self) -> String {
        let (found, listed) = (self.inventory.pages.len(), self.inventory.listed());
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
            ("", "excluded", found - listed),
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
        let levels = &self.loaded.settings().levels;
        self.findings
            .iter()
            .filter(|finding| levels.level_of(finding.code) == level)
            .count()
    }
}

/// Replaces each `{{name}}` in a template, in one pass: inserted text is not expanded again.
fn fill_template(template: &str, parts: &[(&str, String)]) -> String {
    let mut out = String::with_capacity(
        template.len() + parts.iter().map(|(_, text)| text.len()).sum::<usize>(),
    );
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        let (name, after) = after
            .split_once("}}")
            .expect("every placeholder in the template is closed");
        let (_, text) = parts
            .iter()
            .find(|(known, _)| *known == name)
            .expect("every placeholder in the template is known");
        out.push_str(before);
        out.push_str(text);
        rest = after;
    }
    out + rest
}

/// Escapes text for HTML, in an element or in a quoted attribute.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            // `##` begins a command when the report is printed to a CI log.
            '#' => out.push_str("&#35;"),
            _ => out.push(character),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inserted_text_is_not_expanded_again() {
        let parts = [("a", "{{b}}".to_owned()), ("b", "x".to_owned())];
        assert_eq!(fill_template("1{{a}}2{{b}}3", &parts), "1{{b}}2x3");
    }

    #[test]
    fn escaped_text_contains_no_markup() {
        assert_eq!(
            escaped("<a b='c' d=\"e\">&"),
            "&lt;a b=&#39;c&#39; d=&quot;e&quot;&gt;&amp;"
        );
    }
}
