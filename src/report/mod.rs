//! Renders the inventory, the plan and the changes as one self-contained HTML file.
//!
//! `page.html` is the template and `style.css` the stylesheet. The main facts are plain HTML; what
//! has a row per page or directory is drawn by `script.js` from embedded JSON data. Text from the
//! site is escaped here or set as text content in the script, so a title or a path never becomes
//! markup. The file needs no network. It is written page by page. This module writes nothing to disk.

mod bars;
mod change_list;
mod contents;
mod data;
mod date_years;
mod escaping;
mod finding_groups;
mod moment;
mod page_rows;
mod template;

pub use contents::Report;

use std::io::{self, Write};

use bars::{reasons_html, undated_html};
use change_list::sitemap_changes_html;
use data::write_data;
use date_years::dates_html;
use escaping::escaped;
use finding_groups::{findings_html, group_findings};
use moment::moment;
use sitemaps::site_paths::SitePath;
use sitemaps::site_paths::finding::{Finding, Level, grouped};
use template::write_template;

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
        let groups = group_findings(self, place);
        write_template(PAGE, out, |name, out| {
            let text = match name {
                "title" => escaped(self.inventory.base.as_str()),
                "about" => escaped(&self.about()),
                "tiles" => self.tiles(),
                "reasons" => reasons_html(self),
                "dates" => dates_html(self) + &undated_html(self),
                "findings" => findings_html(&groups),
                "changes" => sitemap_changes_html(self),
                "version" => env!("CARGO_PKG_VERSION").to_owned(),
                "style" => STYLE.trim_end().to_owned(),
                "script" => SCRIPT.trim_end().to_owned(),
                "data" => return write_data(self, out),
                _ => unreachable!("the template has no other placeholders"),
            };
            out.write_all(text.as_bytes())
        })
    }

    fn about(&self) -> String {
        let generator = self
            .loaded
            .site
            .generator
            .map_or("directory of HTML files", |generator| &generator.title);
        let below = SitePath::below(&self.loaded.site.root, self.loaded.output_dir());
        let below = below.filter(|below| !below.as_bytes().is_empty());
        let output = below.map_or_else(String::new, |below| format!(", output in {below}"));
        let made = moment(self.loaded.now.0);
        format!("{generator}{output}, as of {made}")
    }

    /// The key figures, as items of a description list.
    fn tiles(self) -> String {
        let (found, listed) = (self.inventory.pages.len(), self.inventory.listed());
        let entries = self.plan.entries().iter();
        let dated = entries.filter(|entry| entry.lastmod.is_some()).count();
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
            let number = grouped(number);
            format!("<div class=\"{class}\"><dt>{name}</dt><dd>{number}</dd></div>")
        };
        tiles.map(tile).concat()
    }
}
