//! Tests `waypost index`, which puts existing sitemaps under one index.

use serde_json::Value;

use crate::site_test::{Outcome, SiteTest};

/// A sitemap of these paths below `https://example.com/`, each with its date unless that is empty.
pub(crate) fn sitemap(pages: &[(&str, &str)]) -> String {
    let entry = |&(path, date): &(&str, &str)| {
        let date = if date.is_empty() {
            String::new()
        } else {
            format!("<lastmod>{date}</lastmod>")
        };
        format!("<url><loc>https://example.com/{path}</loc>{date}</url>\n")
    };
    let entries: String = pages.iter().map(entry).collect();
    format!("<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n{entries}</urlset>\n")
}

pub(crate) fn index_of(locs: &[&str]) -> String {
    let entry = |loc: &&str| format!("<sitemap><loc>{loc}</loc></sitemap>");
    let entries: String = locs.iter().map(entry).collect();
    format!(
        "<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">{entries}\
         </sitemapindex>\n"
    )
}

/// A directory with sitemaps in two subdirectories.
fn two_languages() -> SiteTest {
    let site = SiteTest::of_pages(&[]);
    site.write(
        "de/sitemap.xml",
        sitemap(&[("de/", "2024-05-06"), ("de/a", "2024-07-08T09:10:11+02:00")]),
    );
    site.write("en/sitemap.xml", sitemap(&[("en/", "")]));
    site
}

/// The sorted levels and codes that `index --json` reports, and whether it wrote anything.
fn found(outcome: &Outcome) -> (Vec<String>, bool) {
    let result: Value = serde_json::from_str(&outcome.stdout).expect("stdout is one JSON object");
    let findings = result["findings"].as_array().expect("an array").iter();
    let text = |finding: &Value, key: &str| finding[key].as_str().expect("a string").to_owned();
    let mut codes: Vec<String> = findings
        .map(|finding| format!("{}: {}", text(finding, "level"), text(finding, "code")))
        .collect();
    codes.sort();
    (codes, result["files"].is_array())
}

#[test]
fn an_index_names_the_sitemaps_of_directories_with_their_newest_dates() {
    let site = two_languages();
    site.write("robots.txt", "User-agent: *\nAllow: /\n");
    let arguments = ["index", "de/sitemap.xml", "en/sitemap.xml"];
    site.waypost(&arguments)
        .succeeded()
        .says("sitemap.xml        2 entries")
        .says("written");
    let expected = "\
<?xml version=\"1.0\" encoding=\"UTF-8\"?>
<!-- waypost: sitemap.xml -->
<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">
<sitemap><loc>https://example.com/de/sitemap.xml</loc><lastmod>2024-07-08T09:10:11+02:00</lastmod></sitemap>
<sitemap><loc>https://example.com/en/sitemap.xml</loc></sitemap>
</sitemapindex>
";
    assert_eq!(site.read("sitemap.xml"), expected);
    assert_eq!(
        site.read("robots.txt"),
        "User-agent: *\nAllow: /\nSitemap: https://example.com/sitemap.xml\n"
    );
    // The index itself, which a pattern matches too, is skipped.
    let again = [
        "index",
        "sitemap.xml",
        "de/sitemap.xml",
        "./de/../en/sitemap.xml",
        "en/sitemap.xml",
    ];
    site.waypost(&again)
        .succeeded()
        .says("unchanged")
        .says_nothing_of("written");
    assert_eq!(site.read("sitemap.xml"), expected);
    site.write(
        "waypost.toml",
        "base_url = \"https://example.com/\"\n[lastmod]\nformat = \"date\"\n",
    );
    site.waypost(&["index", "de/sitemap.xml", "--dry-run"])
        .succeeded()
        .says("would write")
        .says("differs");
    assert_eq!(site.read("sitemap.xml"), expected);
}

#[test]
fn a_file_is_served_at_its_place_below_the_index_or_at_the_given_url() {
    let site = two_languages();
    site.write("out/a.txt", "");
    let arguments = [
        "index",
        "--to",
        "out/sitemap.xml",
        "--base-url",
        "https://example.com/",
    ];
    let outcome = site
        .waypost(&[&arguments[..], &["de/sitemap.xml"]].concat())
        .ended_with(2);
    let outcome = outcome.says("error: `de/sitemap.xml` is outside `");
    outcome
        .says("hint: add its URL: `de/sitemap.xml=https://example.com/sitemap.xml`; or merge its");
    site.waypost(
        &[
            &arguments[..],
            &["de/sitemap.xml=https://example.com/de/s.xml"],
        ]
        .concat(),
    )
    .succeeded();
    assert!(
        site.read("out/sitemap.xml")
            .contains("<loc>https://example.com/de/s.xml</loc>")
    );
    assert_eq!(
        site.read("out/robots.txt"),
        "Sitemap: https://example.com/sitemap.xml\n"
    );
    let outcome = site.waypost(&["index", "gone.xml"]).ended_with(2);
    outcome.says("error: `gone.xml` cannot be read: No such file or directory (os error 2)\n");
    site.waypost(&["index", "de"])
        .ended_with(2)
        .says("error: `de` cannot be read: it is not a regular file");
    site.waypost(&["index"]).ended_with(2).says("SITEMAP");
    site.write("sitemap.xml", sitemap(&[("", "")]));
    let outcome = site
        .waypost(&["index", "sitemap.xml", "de/sitemap.xml"])
        .ended_with(2);
    outcome
        .says("error: `sitemap.xml` is both input and output\n")
        .says("hint: choose another file");
    let outcome = site
        .waypost(&["index", "de/sitemap.xml", "--to", "out/map.txt"])
        .ended_with(2);
    outcome.says("`--to`").says("must end in `.xml`");
}

/// Checks what `index` reports for this sitemap next to a valid one, and whether it writes an index.
#[track_caller]
fn check(sitemap: &str, arguments: &[&str], expected: &[&str], is_written: bool) {
    let site = two_languages();
    site.write("x/sitemap.xml", sitemap);
    let arguments = [
        &["index", "--json", "de/sitemap.xml", "x/sitemap.xml"],
        arguments,
    ]
    .concat();
    let outcome = site.waypost(&arguments);
    let expected: Vec<String> = expected.iter().map(|&code| code.to_owned()).collect();
    assert_eq!(
        found(&outcome),
        (expected, is_written),
        "{sitemap} {arguments:?}: {}",
        outcome.stderr
    );
    assert_eq!(
        (outcome.code, site.root().join("sitemap.xml").exists()),
        (i32::from(!is_written), is_written)
    );
}

#[test]
fn an_error_in_a_sitemap_is_found_and_nothing_is_written() {
    let right = sitemap(&[("x/", "2024-05-06")]);
    check(&right, &[], &[], true);
    check(&right, &["--strict"], &[], true);
    check(
        &right.replace("</urlset>", ""),
        &[],
        &["deny: sitemap-invalid"],
        false,
    );
    check(
        &right.replace("x/<", "x/&b;<"),
        &[],
        &["deny: sitemap-invalid"],
        false,
    );
    check(
        "\u{1}\u{2}no sitemap",
        &[],
        &["deny: sitemap-invalid"],
        false,
    );
    check(
        "<html><p>no sitemap</p></html>",
        &[],
        &["deny: sitemap-invalid", "warn: sitemap-invalid"],
        false,
    );
    check(&sitemap(&[]), &[], &["warn: sitemap-invalid"], true);
    check(
        &sitemap(&[]),
        &["--strict"],
        &["warn: sitemap-invalid"],
        false,
    );
    check(
        &right.replace(" xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"", ""),
        &[],
        &["deny: sitemap-invalid"],
        false,
    );
    check(
        &index_of(&["https://example.com/x/a.xml"]),
        &[],
        &["deny: sitemap-missing"],
        false,
    );
}

#[test]
fn an_error_in_a_date_or_a_url_of_a_sitemap_is_found() {
    let right = sitemap(&[("x/", "2024-05-06")]);
    check(
        &sitemap(&[("x/", "2099-01-01")]),
        &[],
        &["warn: lastmod-untrue"],
        true,
    );
    check(
        &sitemap(&[("x/", "soon")]),
        &[],
        &["warn: lastmod-omitted"],
        true,
    );
    check(
        &sitemap(&[("x/", "2024"), ("x/a", "1970-01-01")]),
        &[],
        &["warn: lastmod-omitted", "warn: lastmod-omitted"],
        true,
    );
    check(
        &sitemap(&[("x/", ""), ("y/", ""), ("z/", "")]),
        &[],
        &["warn: sitemap-elsewhere"],
        true,
    );
    check(
        &right.replace("https://example.com/x/", "/x/"),
        &[],
        &["deny: loc-invalid"],
        false,
    );
    let elsewhere = right.replace("example.com", "example.org");
    check(
        &elsewhere,
        &[],
        &["deny: loc-elsewhere", "warn: sitemap-elsewhere"],
        false,
    );
    let other = two_languages();
    let arguments = [
        "index",
        "--json",
        "de/sitemap.xml=https://de.example.com/sitemap.xml",
        "en/sitemap.xml",
    ];
    let codes = [
        "deny: loc-elsewhere",
        "deny: loc-elsewhere",
        "deny: loc-elsewhere",
        "warn: sitemap-elsewhere",
    ];
    assert_eq!(
        found(&other.waypost(&arguments)),
        (codes.map(str::to_owned).into(), false)
    );
    let allowed = other
        .waypost(&[&arguments[..], &["--other-hosts"]].concat())
        .succeeded();
    assert_eq!(
        found(&allowed),
        (vec!["warn: sitemap-elsewhere".to_owned()], true)
    );
}

#[test]
fn too_many_sitemaps_for_one_index_give_several_indexes() {
    let site = two_languages();
    site.settings("[sitemap]\nmax_sitemaps = 2\n");
    site.write("fr/sitemap.txt", "https://example.com/fr/\n");
    site.waypost(&[
        "index",
        "de/sitemap.xml",
        "en/sitemap.xml",
        "fr/sitemap.txt",
    ])
    .succeeded();
    assert!(
        site.read("sitemap-index-2.xml")
            .contains("<loc>https://example.com/fr/sitemap.txt</loc>")
    );
    let robots_txt = "Sitemap: https://example.com/sitemap.xml\n\
                      Sitemap: https://example.com/sitemap-index-2.xml\n";
    assert_eq!(site.read("robots.txt"), robots_txt);
    let all = [
        "index",
        "de/sitemap.xml",
        "en/sitemap.xml",
        "fr/sitemap.txt",
        "sitemap.xml",
        "sitemap-index-2.xml",
    ];
    site.waypost(&all).succeeded().says_nothing_of("written");
}

#[cfg(feature = "submit")]
mod from_the_web {
    use super::*;
    use crate::loopback::{Reply, Server};

    #[test]
    fn sitemaps_are_fetched_from_their_urls() {
        let server = Server::start(|path| match path {
            "/a/sitemap.xml" => Some(Reply::ok(sitemap(&[("a/", "2024-05-06")]))),
            "/sitemap.xml" => Some(Reply::ok(index_of(&["https://example.com/a.xml"]))),
            _ => None,
        });
        let site = SiteTest::of_pages(&[]);
        let url = server.url("/a/sitemap.xml");
        let arguments = [
            "index",
            &url,
            "--base-url",
            "https://example.com/",
            "--other-hosts",
        ];
        site.waypost(&arguments).succeeded();
        assert!(site.read("sitemap.xml").contains(&format!(
            "<sitemap><loc>{url}</loc><lastmod>2024-05-06</lastmod>"
        )));
        site.waypost(&["index", &url])
            .ended_with(1)
            .says("error[loc-elsewhere]: `http://127.0.0.1:");
        let outcome = site
            .waypost(&["index", &server.url("/gone.xml")])
            .ended_with(2);
        outcome.says("/gone.xml` cannot be fetched: the server responded with 404");
        let merged = ["index", "--merge", &url, "--to", "merged.xml"];
        site.waypost(&merged).succeeded();
        assert!(
            site.read("merged.xml")
                .contains("<loc>https://example.com/a/</loc><lastmod>2024-05-06</lastmod>")
        );
        // Children of an index must be on the host of the site.
        let own = server.url("/");
        let outcome = site.waypost(&[
            "index",
            "--merge",
            &server.url("/sitemap.xml"),
            "--base-url",
            &own,
        ]);
        outcome.ended_with(1).says(
            "error[loc-elsewhere]: `https://example.com/a.xml` is outside `http://127.0.0.1:",
        );
    }
}
