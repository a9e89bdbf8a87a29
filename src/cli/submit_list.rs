//! `waypost submit --list`: the engines, the sitemap pings and the two webmaster consoles, with the
//! site's own URLs.

use url::form_urlencoded::byte_serialize;

use super::printer::{Printer, StdoutError};
use crate::site::{LoadedSite, RunRequest};
use crate::submit::{DEFAULT_ENGINE, ENGINES, IndexNowEngine, PINGS, Ping};
use page_sources::generator::Manifest;

pub(super) fn print(request: RunRequest, manifest: &Manifest) -> Result<(), StdoutError> {
    // Without a site, the list shows an example URL.
    let sitemap = LoadedSite::load(request, manifest)
        .ok()
        .and_then(|loaded| sitemap_of(&loaded));
    Printer::data(list(sitemap.as_deref()).as_bytes())
}

/// The URL of the site's sitemap, if the base URL is known.
fn sitemap_of(loaded: &LoadedSite<'_>) -> Option<String> {
    let base = loaded.base_url().ok()?;
    Some(
        base.url
            .of_path(loaded.settings().sitemap.main_file().as_bytes())
            .to_string(),
    )
}

fn list(sitemap: Option<&str>) -> String {
    let mut out = String::from(
        "IndexNow engines (`--engine NAME`); each shares what it accepts with the others:\n\n",
    );
    for IndexNowEngine {
        name,
        title,
        endpoint,
    } in ENGINES
    {
        let default = if *name == DEFAULT_ENGINE {
            " (default)"
        } else {
            ""
        };
        line(
            &mut out,
            &format!("  {name:10}{title:18}{endpoint}{default}"),
        );
    }
    line(&mut out, "\nSitemap pings:\n");
    for Ping {
        engine,
        state,
        url: address,
        since,
        instead,
        ..
    } in PINGS
    {
        line(
            &mut out,
            &format!(
                "  {engine}: {}\n    {address}\n    {since}\n    instead: {instead}",
                state.as_str()
            ),
        );
    }
    let whose = if sitemap.is_some() {
        ""
    } else {
        " (an example: no base URL was found)"
    };
    line(&mut out, &format!("\nRegister once{whose}:\n"));
    consoles(
        &mut out,
        sitemap.unwrap_or("https://example.com/sitemap.xml"),
    );
    out
}

/// Adds the pages and API calls that register a sitemap with the two consoles.
fn consoles(out: &mut String, sitemap: &str) {
    // A URL may contain `'`, which would end a quoted shell argument.
    let sitemap = &sitemap.replace('\'', "%27");
    let site = sitemap
        .rfind('/')
        .map_or(sitemap.as_str(), |slash| &sitemap[..=slash]);
    let [site_value, sitemap_value] = [site, sitemap].map(encoded);
    line(out, &format!("  sitemap: {sitemap}"));
    let form = "https://search.google.com/search-console/sitemaps?resource_id=";
    line(out, &format!("  Google Search Console: {form}{site_value}"));
    line(
        out,
        &format!(
            "  Bing Webmaster Tools: https://www.bing.com/webmasters/sitemaps?siteUrl={site_value}"
        ),
    );
    line(out, "\nOr through the APIs, with your credentials:\n");
    line(out, "  curl -X PUT -H \"Authorization: Bearer $TOKEN\" \\");
    let api = "https://www.googleapis.com/webmasters/v3/sites/";
    line(
        out,
        &format!("    {api}{site_value}/sitemaps/{sitemap_value}"),
    );
    line(
        out,
        "  curl -H 'Content-Type: application/json; charset=utf-8' \\",
    );
    line(
        out,
        &format!("    -d '{{\"siteUrl\":\"{site}\",\"feedUrl\":\"{sitemap}\"}}' \\"),
    );
    line(
        out,
        "    \"https://ssl.bing.com/webmaster/api.svc/json/SubmitFeed?apikey=$KEY\"",
    );
}

fn encoded(text: &str) -> String {
    byte_serialize(text.as_bytes()).collect()
}

fn line(out: &mut String, text: &str) {
    out.push_str(text);
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_part_of_a_url_is_run_when_a_line_is_pasted_into_a_shell() {
        let mut out = String::new();
        consoles(
            &mut out,
            "https://example.com/a'$(touch owned)'`b`/sitemap'.xml",
        );
        let argument =
            r#"-d '{"siteUrl":"https://example.com/a%27$(touch owned)%27`b`/","feedUrl":"#;
        assert!(out.contains(argument), "{out}");
        let ends =
            |line: &&str| line.contains("example.com") && line.matches('\'').count() % 2 == 1;
        assert_eq!(out.lines().find(ends), None);
        let unquoted = out
            .lines()
            .find(|line| line.contains("googleapis.com"))
            .expect("the list has a line for Google");
        assert!(
            !unquoted
                .trim_start()
                .contains(['\'', '$', '`', '(', ';', '&', ' ']),
            "{unquoted}"
        );
    }
}
