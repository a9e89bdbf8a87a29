//! `waypost submit --list`: every engine, every ping that ever was, and the two consoles, with the site's own addresses.

use std::fmt::Write;

use super::screen::Screen;
use crate::config::Gzip;
use crate::generator::Manifest;
use crate::road::{Request, Survey};
use crate::submit::{DEFAULT_ENGINE, ENGINES, PINGS};

pub(super) fn print(request: Request, manifest: &Manifest) -> anyhow::Result<()> {
    // The list is the same without a site; only its address is then one to fill in.
    let sitemap = Survey::new(request, manifest).ok().and_then(|survey| sitemap_of(&survey));
    Screen::data(list(sitemap.as_deref()).as_bytes())?;
    Ok(())
}

/// The address of the site's sitemap, where the site has one.
fn sitemap_of(survey: &Survey<'_>) -> Option<String> {
    let base = survey.base_url().ok()?;
    let settings = &survey.settings().sitemap;
    let packed = if settings.gzip == Gzip::Only { ".gz" } else { "" };
    Some(base.url.of_path(format!("{}{packed}", settings.file).as_bytes()).to_string())
}

fn list(sitemap: Option<&str>) -> String {
    let mut out = String::from("Engines that take IndexNow (`--engine NAME`); what one takes, all come to know:\n\n");
    for engine in ENGINES {
        let default = if engine.name == DEFAULT_ENGINE { " (default)" } else { "" };
        let line = format!("{:10}{:18}{}{default}", engine.name, engine.title, engine.endpoint);
        writeln!(out, "  {line}").expect(WRITES);
    }
    out.push_str("\nPings with the address of a sitemap:\n\n");
    for ping in PINGS {
        writeln!(out, "  {}: {}\n    {}\n    {}", ping.engine, ping.state.as_str(), ping.address, ping.since)
            .expect(WRITES);
        writeln!(out, "    instead: {}", ping.instead).expect(WRITES);
    }
    let known = sitemap.unwrap_or("https://example.com/sitemap.xml");
    let whose = if sitemap.is_some() { "" } else { " (an example: no site with an address is here)" };
    let page = |address: &str, key: &str| {
        let root = known.rfind('/').map_or(known, |slash| &known[..=slash]);
        let value: String = url::form_urlencoded::byte_serialize(root.as_bytes()).collect();
        format!("{address}?{key}={value}")
    };
    write!(
        out,
        "\nTo be told once, by hand{whose}:\n\n  sitemap: {known}\n  Google Search Console: {}\n  Bing Webmaster Tools: {}\n",
        page("https://search.google.com/search-console/sitemaps", "resource_id"),
        page("https://www.bing.com/webmasters/sitemaps", "siteUrl"),
    )
    .expect(WRITES);
    let [site, feed] = [known.rfind('/').map_or(known, |slash| &known[..=slash]), known]
        .map(|text| url::form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>());
    write!(
        out,
        "\nOr by a program, with the right to do so:\n\n  \
         curl -X PUT -H \"Authorization: Bearer $TOKEN\" \\\n    \
         https://www.googleapis.com/webmasters/v3/sites/{site}/sitemaps/{feed}\n  \
         curl -H 'Content-Type: application/json; charset=utf-8' \\\n    \
         -d '{{\"siteUrl\":\"{}\",\"feedUrl\":\"{known}\"}}' \\\n    \
         \"https://ssl.bing.com/webmaster/api.svc/json/SubmitFeed?apikey=$KEY\"\n",
        known.rfind('/').map_or(known, |slash| &known[..=slash]),
    )
    .expect(WRITES);
    out
}

const WRITES: &str = "a string takes all that is written";
