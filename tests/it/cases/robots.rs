//! Checks robots.txt after a run.

use std::collections::BTreeSet;

use serde_json::Value;

use super::checks::{Check, need, of, same, same_set};
use super::ran::Ran;
use sitemaps::robots_txt::RobotsTxt;
use sitemaps::site_paths::{BaseUrl, PageUrl};

/// Checks one key against the file; `None` if the key is not about robots.txt.
pub(super) fn hold(ran: &Ran, key: &str, value: &Value) -> Option<Check> {
    let before = ran.robots_before.clone().unwrap_or_default();
    let after = ran.robots().unwrap_or_default();
    let text = String::from_utf8_lossy(&after);
    let text = text.trim_start_matches('\u{feff}');
    let blocks = |path: &str, wanted: bool| same(&is_blocked(&after, path)?, &wanted);
    Some(match key {
        "sitemaps" => same_set(sitemaps_of(text), of(value)),
        "sitemaps_contain" => {
            let named = BTreeSet::from_iter(sitemaps_of(text));
            let is_named = of::<BTreeSet<String>>(value).is_subset(&named);
            need(is_named, format!("{named:?}"))
        }
        "created" => need(ran.robots_before.is_none() && !after.is_empty(), "no file"),
        "unchanged" | "refused" => need(after == before, "the file was changed"),
        "keeps_bytes" => need(after.starts_with(&before), "existing bytes were changed"),
        "keeps_lines" => {
            let is_kept = memchr::memmem::find(&after, &before).is_some();
            need(is_kept, "existing lines were changed")
        }
        "eol" if value == "\n" => need(!text.contains('\r'), "a carriage return"),
        "eol" => need(
            !text.replace("\r\n", "").contains('\n'),
            "mixed line endings",
        ),
        "within_bytes" => {
            let line = ran.input.add_sitemap.as_deref().unwrap_or_default();
            let at = memchr::memmem::find(&after, line.as_bytes());
            need(at.is_some_and(|at| at < of(value)), format!("at {at:?}"))
        }
        "not_first_line" => {
            let is_first = text.to_lowercase().starts_with("sitemap");
            need(!is_first, "it is the first line")
        }
        "blocks_nothing" => blocks("/x", false),
        "disallowed" => of::<Vec<String>>(value)
            .iter()
            .try_for_each(|path| blocks(path, true)),
        _ => return None,
    })
}

/// Returns the URLs that robots.txt names besides the sitemap.
pub(super) fn feeds(ran: &Ran) -> Vec<String> {
    let robots = ran.robots().unwrap_or_default();
    let named = sitemaps_of(&String::from_utf8_lossy(&robots)).into_iter();
    named.filter(|url| !url.ends_with("/sitemap.xml")).collect()
}

fn sitemaps_of(text: &str) -> Vec<String> {
    let fields = text
        .split(['\r', '\n'])
        .filter_map(|line| line.split('#').next()?.split_once(':'));
    let sitemaps = fields.filter(|(name, _)| name.trim().eq_ignore_ascii_case("sitemap"));
    sitemaps.map(|(_, url)| url.trim().to_owned()).collect()
}

/// Whether the file disallows a path for all crawlers.
fn is_blocked(robots_txt: &[u8], path: &str) -> Result<bool, String> {
    let base = BaseUrl::parse("https://example.com/").map_err(|error| error.to_string())?;
    let page: PageUrl = base.path_url(path.trim_start_matches('/').as_bytes());
    let robots_txt = RobotsTxt::parse(robots_txt);
    Ok(robots_txt.rules_for("*").disallowing(&page).is_some())
}
