//! What is expected of robots.txt after a run.

use std::collections::BTreeSet;

use serde_json::Value;

use super::checks::{Check, need, of, same, same_set};
use super::ran::Ran;
use waypost::location::{BaseUrl, PageUrl};
use waypost::robots_txt::{Access, RobotsTxt};

/// The keys that are known here.
pub(super) const KEYS: &[&str] = &[
    "sitemaps",
    "sitemaps_contain",
    "created",
    "unchanged",
    "keeps_bytes",
    "keeps_lines",
    "eol",
    "within_bytes",
    "not_first_line",
    "refused",
    "blocks_nothing",
    "disallowed",
];

pub(super) fn hold(ran: &Ran, key: &str, value: &Value) -> Check {
    let before = ran.robots_before.clone().unwrap_or_default();
    let after = ran.robots();
    let Some(bytes) = after else {
        return need(key == "unchanged" && before.is_empty(), || "there is none".to_owned());
    };
    let text = String::from_utf8_lossy(bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&bytes)).into_owned();
    let named = sitemaps_of(&text);
    let line = ran.input.add_sitemap.as_deref().unwrap_or_default();
    match key {
        "sitemaps" => same_set(named, of(value)),
        "sitemaps_contain" => {
            let named: BTreeSet<String> = named.into_iter().collect();
            need(of::<BTreeSet<String>>(value).is_subset(&named), || format!("{named:?}"))
        }
        "created" => need(ran.robots_before.is_none(), || "it was there".to_owned()),
        "unchanged" | "refused" => need(bytes == before, || "it was changed".to_owned()),
        "keeps_bytes" => need(bytes.starts_with(&before), || "old bytes are changed".to_owned()),
        "keeps_lines" => need(memchr::memmem::find(&bytes, &before).is_some(), || "old lines are changed".to_owned()),
        "eol" if value == "\n" => need(!text.contains('\r'), || "a carriage return".to_owned()),
        "eol" => need(!text.replace("\r\n", "").contains('\n'), || "mixed line ends".to_owned()),
        "within_bytes" => {
            let at = memchr::memmem::find(&bytes, line.as_bytes());
            need(at.is_some_and(|at| at < of(value)), || format!("at {at:?}"))
        }
        "not_first_line" => need(!text.to_lowercase().starts_with("sitemap"), || "it is the first line".to_owned()),
        "blocks_nothing" => same(&is_blocked(&bytes, "/x")?, &false),
        "disallowed" => of::<Vec<String>>(value).iter().try_for_each(|path| same(&is_blocked(&bytes, path)?, &true)),
        _ => Err("no check is known for this key".to_owned()),
    }
}

fn sitemaps_of(text: &str) -> Vec<String> {
    let fields = text.split(['\r', '\n']).filter_map(|line| line.split('#').next()?.split_once(':'));
    let sitemaps = fields.filter(|(name, _)| name.trim().eq_ignore_ascii_case("sitemap"));
    sitemaps.map(|(_, address)| address.trim().to_owned()).collect()
}

/// Whether the file keeps everyone from a path.
fn is_blocked(robots_txt: &[u8], path: &str) -> Result<bool, String> {
    let base = BaseUrl::parse("https://example.com/").map_err(|error| error.to_string())?;
    let page: PageUrl = base.of_path(path.trim_start_matches('/').as_bytes());
    let robots_txt = RobotsTxt::parse(robots_txt);
    Ok(matches!(robots_txt.rules_for_everyone().access(&page), Access::Disallowed(_)))
}
