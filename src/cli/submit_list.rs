//! `waypost submit --list`: every engine, every ping that ever was, and the two consoles, with the site's own addresses.

use url::form_urlencoded::byte_serialize;

use super::printer::Printer;
use crate::generator::Manifest;
use crate::pipeline::{RunRequest, Survey};
use crate::submit::{DEFAULT_ENGINE, ENGINES, IndexNowEngine, PINGS, Ping};

pub(super) fn print(request: RunRequest, manifest: &Manifest) -> anyhow::Result<()> {
    // The list is the same without a site; only its address is then one to fill in.
    let sitemap = Survey::new(request, manifest)
        .ok()
        .and_then(|survey| sitemap_of(&survey));
    Printer::data(list(sitemap.as_deref()).as_bytes())?;
    Ok(())
}

/// The address of the site's sitemap, where the site has one.
fn sitemap_of(survey: &Survey<'_>) -> Option<String> {
    let base = survey.base_url().ok()?;
    Some(
        base.url
            .of_path(survey.settings().sitemap.main_file().as_bytes())
            .to_string(),
    )
}

fn list(sitemap: Option<&str>) -> String {
    let mut out = String::from(
        "Engines that take IndexNow (`--engine NAME`); what one takes, all come to know:\n\n",
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
    line(&mut out, "\nPings with the address of a sitemap:\n");
    for Ping {
        engine,
        state,
        address,
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
        " (an example: no site with an address is here)"
    };
    line(&mut out, &format!("\nTo be told once{whose}:\n"));
    consoles(
        &mut out,
        sitemap.unwrap_or("https://example.com/sitemap.xml"),
    );
    out
}

/// What to paste for the two consoles: the forms for people, and the calls for programs.
fn consoles(out: &mut String, sitemap: &str) {
    // An address may hold this one character that ends an argument of a shell.
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
    line(out, "\nOr by a program, with the right to do so:\n");
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
    fn no_part_of_an_address_is_run_when_a_line_is_pasted() {
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
            .expect("a line");
        assert!(
            !unquoted
                .trim_start()
                .contains(['\'', '$', '`', '(', ';', '&', ' ']),
            "{unquoted}"
        );
    }
}
