//! Tests `waypost index`, which puts existing sitemaps under one index.

use std::path::Path;

use serde_json::Value;

use crate::expected::unstyled;
use crate::site_test::{Outcome, SiteTest};
use crate::sitemap_xml::{dated_urlset, index};

/// A directory with sitemaps in two subdirectories.
fn two_languages() -> SiteTest {
    let site = SiteTest::of_pages(&[]);
    site.write(
        "de/sitemap.xml",
        dated_urlset(&[("de/", "2024-05-06"), ("de/a", "2024-07-08T09:10:11+02:00")]),
    );
    site.write("en/sitemap.xml", dated_urlset(&[("en/", "")]));
    site
}

/// The sorted levels and codes that `index --json` reports, and whether it wrote anything.
fn found(outcome: &Outcome) -> (Vec<String>, bool) {
    let result = outcome.json();
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
    assert_eq!(unstyled(&site.read("sitemap.xml")), expected);
    let robots = "User-agent: *\nAllow: /\nSitemap: https://example.com/sitemap.xml\n";
    assert_eq!(site.read("robots.txt"), robots);
    // The index itself, which a pattern matches too, is skipped.
    let again = "index sitemap.xml de/sitemap.xml ./de/../en/sitemap.xml en/sitemap.xml";
    site.waypost(&again.split(' ').collect::<Vec<_>>())
        .succeeded()
        .says("unchanged")
        .says_nothing_of("written");
    assert_eq!(unstyled(&site.read("sitemap.xml")), expected);
    site.settings("lastmod.format = \"date\"\n");
    let preview = ["index", "de/sitemap.xml", "--dry-run"];
    site.waypost(&preview).succeeded().says("would write");
    assert_eq!(unstyled(&site.read("sitemap.xml")), expected);
}

#[test]
fn a_file_is_served_at_its_place_below_the_index() {
    let site = two_languages();
    site.write("out/a.txt", "")
        .write("sitemap.xml", dated_urlset(&[("", "")]));
    for (arguments, said) in [
        (
            "--to out/sitemap.xml de/sitemap.xml",
            "hint: copy it to the place from which it is served",
        ),
        ("gone.xml", "error: `gone.xml` cannot be read: No such file"),
        ("de", "error: `de` cannot be read: it is not a regular file"),
        ("", "SITEMAP"),
        (
            "sitemap.xml de/sitemap.xml",
            "error: `sitemap.xml` is both input and output\n",
        ),
        ("de/sitemap.xml --to out/map.txt", "ends in `.xml`"),
        ("https://example.com/sitemap.xml", "nothing is downloaded"),
    ] {
        let command = format!("index {arguments}");
        let arguments: Vec<&str> = command.split_whitespace().collect();
        site.waypost(&arguments).ended_with(2).says(said);
    }
}

#[test]
fn an_error_in_a_sitemap_is_found_and_nothing_is_written() {
    let right = dated_urlset(&[("x/", "2024-05-06")]);
    let namespace = " xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"";
    let lacking = index(&["https://example.com/x/a.xml"]);
    for (sitemap, expected) in [
        (right.clone(), ""),
        (right.replace("</urlset>", ""), "deny: sitemap-invalid"),
        (right.replace(namespace, ""), "deny: sitemap-invalid"),
        ("\u{1}\u{2}no sitemap".to_owned(), "deny: sitemap-invalid"),
        (lacking, "deny: sitemap-missing"),
        (right.replace("2024-05-06", "soon"), "deny: sitemap-invalid"),
        (right.replace("2024", "2999"), "warn: lastmod-untrue"),
        // A date of the protocol that an index does not repeat.
        (right.replace("2024-05-06", "1970-01-01"), ""),
        (
            right.replace("https://example.com/x/", "/x/"),
            "deny: loc-invalid",
        ),
        (
            right.replace("example.com", "example.org"),
            "deny: loc-elsewhere",
        ),
    ] {
        let site = two_languages();
        site.write("x/sitemap.xml", &sitemap);
        let outcome = site.waypost(&["index", "--json", "de/sitemap.xml", "x/sitemap.xml"]);
        let is_written = !expected.starts_with("deny");
        let (codes, has_files) = found(&outcome);
        assert_eq!(codes.join(" "), expected, "{sitemap}");
        assert_eq!(outcome.code, i32::from(!is_written), "{sitemap}");
        let exists = site.root().join("sitemap.xml").exists();
        assert_eq!([has_files, exists], [is_written; 2], "{sitemap}");
    }
}

#[test]
fn a_sitemap_at_a_url_on_another_host_is_listed_unread_with_the_condition() {
    let site = two_languages();
    let forum = "https://forum.example.com/sitemap.xml";
    let accepted = "accepted if both hosts are verified with the search engine, or if the robots.txt of \
                    the other host names this sitemap";
    site.waypost(&["index", "de/sitemap.xml", forum])
        .succeeded()
        .says("warning[loc-elsewhere]: `https://forum.example.com/sitemap.xml` is on another host")
        .says(accepted)
        .says("2 with 2 entries");
    let names = format!("<sitemap><loc>{forum}</loc></sitemap>");
    assert!(site.read("sitemap.xml").contains(&names));
    // The check reports the same of the index, alone and in its site.
    site.write("index.html", "<title>Home</title>");
    for index in [".", "sitemap.xml"] {
        site.waypost(&["check", index])
            .says("warning[loc-elsewhere]: `https://forum.example.com/sitemap.xml`")
            .says(accepted)
            .says_nothing_of("error[loc-elsewhere]")
            .says_nothing_of("sitemap-missing");
    }
    let json = site.waypost(&["index", forum, "--json"]).json();
    let listed = &json["sitemaps"][0];
    assert_eq!([&listed["source"], &listed["url"]], [forum; 2]);
    assert!(listed["kind"].is_null() && listed["entries"].is_null());
    for own in ["https://example.com/de/sitemap.xml", "https://"] {
        site.waypost(&["index", own])
            .ended_with(2)
            .says("is not a URL on another host");
    }
}

#[test]
fn of_an_index_the_sitemaps_that_it_names_are_listed() {
    let site = two_languages();
    let children = [
        "https://example.com/de/sitemap.xml",
        "https://example.com/en/sitemap.xml",
    ];
    site.write("all.xml", index(&children));
    site.write("fr/sitemap.txt", "https://example.com/fr/\n");
    let feed = "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>News</title>\
                <link>https://example.com/</link><description>All</description></channel></rss>";
    site.write("news.rss", feed);
    let given = ["index", "all.xml", "fr/sitemap.txt", "news.rss"];
    site.waypost(&given).succeeded();
    let locs = |site: &SiteTest| {
        let index = site.read("sitemap.xml");
        let locs = index.split("<loc>").skip(1);
        let locs = locs.filter_map(|rest| rest.split_once("</loc>"));
        locs.map(|(loc, _)| loc.to_owned()).collect::<Vec<_>>()
    };
    let all = [
        children[0],
        children[1],
        "https://example.com/fr/sitemap.txt",
        "https://example.com/news.rss",
    ];
    assert_eq!(locs(&site), all);
    // A file that is named again counts once.
    site.waypost(&[&given[..], &["de/sitemap.xml"]].concat())
        .succeeded()
        .says("unchanged");
    site.write(
        "all.xml",
        index(&[children[0], "https://example.com/gone.xml"]),
    );
    let missing = site.waypost(&given).ended_with(1);
    missing
        .says("error[sitemap-missing]: `all.xml` names the sitemap `https://example.com/gone.xml`")
        .says("error: nothing was written");
    assert_eq!(locs(&site), all);
}

#[test]
fn two_sitemaps_at_one_url_and_a_page_of_two_sitemaps_are_errors() {
    let site = two_languages();
    for part in ["one", "two"] {
        site.write(
            format!("{part}/sitemap.xml"),
            index(&["https://example.com/sitemap-1.xml"]),
        );
        site.write(format!("{part}/sitemap-1.xml"), dated_urlset(&[(part, "")]));
    }
    let same_url = ["index", "one/sitemap.xml", "two/sitemap.xml"];
    site.waypost(&same_url)
        .ended_with(2)
        .says(
            "error: `one/sitemap-1.xml` and `two/sitemap-1.xml` are both served at \
             `https://example.com/sitemap-1.xml`",
        )
        .says("set `sitemap.file` where it is built");
    site.write("fr.xml", dated_urlset(&[("fr/", ""), ("de/a", "")]));
    site.waypost(&["index", "de/sitemap.xml", "fr.xml"])
        .ended_with(2)
        .says("error: `https://example.com/de/a` is listed in `de/sitemap.xml` and in `fr.xml`")
        .says("set `exclude` where the other is built");
    assert!(!site.root().join("sitemap.xml").exists());
}

/// The entries in the XML files of a directory, sorted.
fn entries_in(site: &SiteTest, dir: &str) -> Vec<String> {
    let files = site.files().into_iter();
    let files = files.filter(|file| {
        file.starts_with(dir) && Path::new(file).extension() == Some("xml".as_ref())
    });
    let texts: Vec<String> = files.map(|file| site.read(&file)).collect();
    let entries = texts.iter().flat_map(|text| text.lines());
    let mut entries: Vec<String> = entries
        .filter(|line| line.starts_with("<url>"))
        .map(str::to_owned)
        .collect();
    entries.sort();
    entries
}

#[test]
fn the_parts_of_a_site_become_one_index_with_the_entries_of_a_single_build() {
    let site = SiteTest::empty();
    let sections = ["blog", "docs", "notes"];
    for (day, section) in (1..).zip(sections) {
        for number in 0..5 {
            site.page(format!("public/{section}/{number}.html"), "");
        }
        site.commit(&format!("2024-01-0{day}T03:04:05Z"));
    }
    let build = |name: &str, more: &str| {
        let base = "base_url = \"https://example.com/\"\n";
        let limits = "sitemap.max_urls = 2\n";
        let config = format!("{name}.toml");
        site.write(&config, format!("{base}{limits}{more}"));
        site.waypost(&["public", "--config", &config]).succeeded();
    };
    build("whole", "");
    let whole = entries_in(&site, "public/");
    assert_eq!(whole.len(), 15);
    site.git(&["clean", "--quiet", "--force", "public"]);
    for section in sections {
        let others = sections.iter().filter(|other| **other != section);
        let others: Vec<String> = others.map(|other| format!("'{other}/**'")).collect();
        let (others, file) = (others.join(", "), format!("sitemap-{section}.xml"));
        build(
            section,
            &format!("exclude = [{others}]\nsitemap.file = \"{file}\"\nrobots_txt.update = false"),
        );
    }
    let roots = sections.map(|section| format!("public/sitemap-{section}.xml"));
    let index = "index --to public/sitemap.xml --config whole.toml";
    let arguments = index.split(' ').chain(roots.iter().map(String::as_str));
    site.waypost(&arguments.collect::<Vec<_>>()).succeeded();
    assert_eq!(entries_in(&site, "public/"), whole);
    let sitemap = site.read("public/sitemap.xml");
    assert_eq!(sitemap.matches("<sitemap>").count(), 9);
    let checked = site.waypost(&["check", "public", "--config", "whole.toml"]);
    checked.succeeded();
}
