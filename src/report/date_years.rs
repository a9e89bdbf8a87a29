//! The dates of listed pages by year, as HTML. The script draws shorter periods.

use std::collections::BTreeMap;

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::contents::Report;
use crate::decide::Verdict;
use sitemaps::site_paths::finding::grouped;

/// The number of dated pages in words, and their years unless there are none.
pub(super) fn dates_html(report: Report<'_>) -> String {
    let listed = report.inventory.listed();
    let years = years(report);
    let dated: usize = years.values().sum();
    let lead = format!(
        "<p class=\"lead\">{} of {} listed pages have a date. Dates are never guessed.</p>",
        grouped(dated),
        grouped(listed)
    );
    if dated == 0 {
        return lead;
    }
    let row = |(year, count): (&i16, &usize)| {
        let count = grouped(*count);
        format!("<tr><td>{year}</td><td class=\"number\">{count}</td></tr>")
    };
    let rows: String = years.iter().map(row).collect();
    format!(
        "{lead}<div id=\"histogram\" hidden></div>\
         <details><summary>Dates as a table</summary>\
         <div class=\"scroll\"><table id=\"dates-table\"><thead><tr><th scope=\"col\">Period</th>\
         <th scope=\"col\" class=\"number\">Pages</th></tr></thead><tbody>{rows}</tbody></table></div></details>"
    )
}

/// Counts the dated listed pages by year, in UTC.
fn years(report: Report<'_>) -> BTreeMap<i16, usize> {
    let mut years = BTreeMap::new();
    let pages = report.inventory.pages.iter();
    let listed = pages.filter(|page| page.verdict == Verdict::Listed);
    for date in listed.filter_map(|page| page.lastmod) {
        if let Ok(instant) = Timestamp::from_second(date.seconds()) {
            let year = instant.to_zoned(TimeZone::UTC).year();
            *years.entry(year).or_insert(0) += 1;
        }
    }
    years
}
