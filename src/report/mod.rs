//! Renders the inventory and the plan as one self-contained HTML file.
//!
//! `page.html` is the template and `style.css` the stylesheet. The main facts are plain HTML; what
//! has a row per page or directory is drawn by `script.js` from embedded JSON data. Text from the
//! site is escaped here or set as text content in the script, so a title or a path never becomes
//! markup. The file needs no network. It is written page by page. This module writes nothing to disk.

mod contents;
mod counts;
mod escaping;
mod page_rows;

pub use contents::Report;

use std::io::{self, Write};

use counts::{findings_html, reasons_html, undated_html};
use escaping::escaped;
use page_rows::write_data;

use crate::findings::{Finding, Level, grouped};
use sitemaps::LastMod;
use sitemaps::site_paths::SitePath;

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

impl Report<'_> {
    /// Writes the HTML file. `place` formats the place of a finding.
    pub fn write_html(
        self,
        out: &mut dyn Write,
        place: impl FnMut(&Finding) -> Option<String>,
    ) -> io::Result<()> {
        let findings = findings_html(self, place);
        write_template(PAGE, out, |name, out| {
            let text = match name {
                "title" => escaped(self.inventory.base().as_str()),
                "about" => escaped(&self.about()),
                "tiles" => self.tiles(),
                "reasons" => reasons_html(self),
                "undated" => undated_html(self),
                "findings" => findings.clone(),
                "version" => env!("CARGO_PKG_VERSION").to_owned(),
                "style" => STYLE.trim_end().to_owned(),
                "script" => SCRIPT.trim_end().to_owned(),
                "data" => return write_data(self, out),
                _ => unreachable!("the template has no other placeholders"),
            };
            out.write_all(text.as_bytes())
        })
    }

    fn about(self) -> String {
        let generator = self.loaded.site.generator;
        let generator = generator.map_or("directory of HTML files", |known| &known.title);
        let output = match SitePath::below(&self.loaded.site.root, self.loaded.output_dir()) {
            Some(below) if !below.as_bytes().is_empty() => format!(", output in {below}"),
            _ => String::new(),
        };
        let now = LastMod::at(self.loaded.now.0, 0, self.loaded.now).map_or_else(
            |_| String::new(),
            |now| {
                let text = now.to_string().replace('T', " at ").replace('Z', " UTC");
                format!(", on {text}")
            },
        );
        format!("{generator}{output}{now}")
    }

    /// The key figures, as items of a description list.
    fn tiles(self) -> String {
        let pages = &self.inventory.pages;
        let listed = pages.listed().count();
        let dated = pages.listed().filter(|page| page.lastmod.is_some()).count();
        let count = |level: Level| -> usize {
            let findings = self.shown_findings().filter(|(found, _)| *found == level);
            findings.map(|(_, finding)| finding.count).sum()
        };
        let (errors, warnings) = (count(Level::Deny), count(Level::Warn));
        [
            ("", "pages found", pages.len()),
            ("", "listed", listed),
            ("", "excluded", pages.len() - listed),
            ("", "listed with a date", dated),
            (if errors > 0 { "error" } else { "" }, "errors", errors),
            (if warnings > 0 { "warn" } else { "" }, "warnings", warnings),
        ]
        .map(|(class, name, number)| {
            let number = grouped(number);
            format!("<div class=\"{class}\"><dt>{name}</dt><dd>{number}</dd></div>")
        })
        .concat()
    }
}

/// Writes a template; `part` writes what replaces `{{name}}`, which is not expanded again.
fn write_template(
    template: &str,
    out: &mut dyn Write,
    mut part: impl FnMut(&str, &mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        let (name, after) = after
            .split_once("}}")
            .expect("every placeholder in the template is closed");
        out.write_all(before.as_bytes())?;
        part(name, out)?;
        rest = after;
    }
    out.write_all(rest.as_bytes())
}
