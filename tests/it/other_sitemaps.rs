//! Sitemaps that another program left in the output: files removed with their lines in robots.txt,
//! files reported, and the set with which a build compares its own.

use crate::site_test::{Outcome, SiteTest};
use crate::sitemap_xml::{index, urlset};
use std::collections::BTreeSet;

const BASE: &str = "https://example.com/";

const ROBOTS: &str = "# ours\r\nUser-agent: *\r\nDisallow: /x/\r\n";

/// Writes a robots.txt that names sitemaps.
fn robots(site: &SiteTest, output: &str, named: &[&str]) {
    let lines = named
        .iter()
        .map(|name| format!("Sitemap: {BASE}{name}\r\n"));
    let text = ROBOTS.to_owned() + &lines.collect::<String>();
    site.write(format!("{output}/robots.txt"), text);
}

/// The names of the sitemaps in a directory.
fn sitemaps(site: &SiteTest, output: &str) -> Vec<String> {
    let files = site.files().into_iter();
    let names =
        files.filter_map(|file| file.strip_prefix(&format!("{output}/")).map(str::to_owned));
    names.filter(|name| name.contains("map")).collect()
}

/// A site of a generator: its settings, its output directory, and the sitemaps that it wrote, of
/// which robots.txt names the first.
fn generated(config: (&str, &str), output: &str, sitemaps: &[(&str, String)]) -> SiteTest {
    let site = SiteTest::with(&[config]);
    site.index_pages(output, "/ a/");
    for (name, text) in sitemaps {
        site.write(format!("{output}/{name}"), text);
    }
    robots(&site, output, &[sitemaps[0].0]);
    site
}

fn build(site: &SiteTest) -> Outcome {
    site.waypost(&["--base-url", BASE]).succeeded()
}

#[test]
fn the_sitemaps_of_a_generator_are_removed_with_their_lines_in_robots_txt() {
    let check =
        |config: (&str, &str), output: &str, sitemaps_of: &[(&str, String)], left: &[&str]| {
            let site = generated(config, output, sitemaps_of);
            build(&site).says_nothing_of("sitemap-stale");
            assert_eq!(sitemaps(&site, output), left, "{}", config.0);
            let expected = format!("{ROBOTS}Sitemap: {BASE}{}\r\n", left[0]);
            let robots = site.read(&format!("{output}/robots.txt"));
            assert_eq!(robots, expected, "{}", config.0);
            build(&site).says("none since the previous sitemap");
        };
    let astro = "export default { site: 'https://example.com' }";
    check(
        ("astro.config.mjs", astro),
        "dist",
        &[
            ("sitemap-index.xml", index(&["sitemap-0.xml"])),
            ("sitemap-0.xml", urlset(&["", "a/"])),
        ],
        &["sitemap-index.xml"],
    );
    check(
        ("config.toml", "base_url = \"https://example.com\"\n"),
        "public",
        &[
            ("sitemap.xml", index(&["sitemap1.xml", "sitemap2.xml"])),
            ("sitemap1.xml", urlset(&[""])),
            ("sitemap2.xml", urlset(&["a/"])),
        ],
        &["sitemap.xml"],
    );
    check(
        ("mkdocs.yml", "site_name: x\n"),
        "site",
        &[
            ("sitemap.xml", urlset(&["", "a/"])),
            ("sitemap.xml.gz", String::new()),
        ],
        &["sitemap.xml", "sitemap.xml.gz"],
    );
    let named = "baseURL = \"https://example.com/\"\n[sitemap]\nfilename = \"map.xml\"\n";
    check(
        ("hugo.toml", named),
        "public",
        &[("map.xml", urlset(&["", "a/"]))],
        &["map.xml"],
    );
}

#[test]
fn a_text_sitemap_that_the_generator_or_robots_txt_names_is_written_on() {
    let check = |config: (&str, &str), named: &[&str], is_kept: bool| {
        let sets = [
            ("sitemap.xml", urlset(&["", "a/"])),
            ("sitemap.txt", format!("{BASE}old/\n")),
        ];
        let site = generated(config, "public", &sets);
        robots(&site, "public", named);
        build(&site);
        let text = site.read("public/sitemap.txt");
        assert_eq!(
            text == format!("{BASE}\n{BASE}a/\n"),
            is_kept,
            "{}",
            config.0
        );
        let robots = site.read("public/robots.txt");
        assert_eq!(robots.contains("sitemap.txt"), is_kept, "{}", config.0);
        build(&site).says("none since the previous sitemap");
    };
    check(
        ("_config.yml", "public_dir: public\n"),
        &["sitemap.xml"],
        true,
    );
    check(("waypost.toml", ""), &["sitemap.xml", "sitemap.txt"], true);
    check(("waypost.toml", ""), &["sitemap.xml"], false);
    let xml_alone = "sitemap.formats = [\"xml\"]\n";
    let site = generated(
        ("waypost.toml", xml_alone),
        "public",
        &[("sitemap.txt", BASE.to_owned())],
    );
    build(&site).says("robots.txt names `sitemap.txt`");
}

#[test]
fn with_another_file_name_the_generators_sitemap_does_not_stay_beside_it() {
    let site = generated(
        ("hugo.toml", "baseURL = \"https://example.com/\"\n"),
        "public",
        &[("sitemap.xml", urlset(&["", "a/"]))],
    );
    site.write("waypost.toml", "sitemap.file = \"map.xml\"\n");
    build(&site).says("sitemap.xml  removed");
    assert_eq!(sitemaps(&site, "public"), ["map.xml"]);
    let robots = site.read("public/robots.txt");
    assert_eq!(robots, format!("{ROBOTS}Sitemap: {BASE}map.xml\r\n"));
}

#[test]
fn a_file_that_is_not_certainly_the_generators_stays() {
    let config = "export default { site: 'https://example.com' }";
    let generated_site = || {
        generated(
            ("astro.config.mjs", config),
            "dist",
            &[("sitemap-index.xml", index(&["sitemap-0.xml"]))],
        )
    };
    // A file that the site itself contains.
    let site = generated_site();
    site.write("public/sitemap-index.xml", "");
    site.write("dist/sitemap-0.xml", urlset(&["a/"]));
    build(&site).says("warning[sitemap-stale]: `sitemap-index.xml` also lists pages");
    assert!(site.root().join("dist/sitemap-index.xml").exists());
    // A line that stays would name a file that is gone.
    let site = generated_site();
    site.write("waypost.toml", "[robots_txt]\nupdate = false\n");
    build(&site);
    assert!(site.root().join("dist/sitemap-index.xml").exists());
    // Without the generator, the name proves nothing.
    let site = generated_site();
    site.remove("astro.config.mjs");
    site.write("dist/sitemap-0.xml", urlset(&["a/"]));
    build(&site);
    assert!(site.root().join("dist/sitemap-index.xml").exists());
}

#[test]
fn another_sitemap_that_lists_pages_is_reported_by_build_and_check() {
    let check = |name: &str, text: &str, named: &[&str], reported: bool| {
        let site = SiteTest::of_pages(&["index.html", "a.html"]);
        site.settings("").write(name, text);
        if !named.is_empty() {
            let lines = named.iter().map(|name| format!("Sitemap: {BASE}{name}\n"));
            site.write("robots.txt", lines.collect::<String>());
        }
        let before = site.read(name);
        let message = format!("warning[sitemap-stale]: `{name}` also lists pages of this site");
        for arguments in [&["build"][..], &["check"]] {
            let outcome = site.waypost(arguments);
            assert_eq!(
                outcome.stderr.contains(&message),
                reported,
                "{name}: {}",
                outcome.stderr
            );
        }
        assert_eq!(site.read(name), before);
    };
    let pages = urlset(&["a.html"]);
    check("other.xml", &pages, &["other.xml"], true);
    check("sitemap_index.xml", &pages, &[], true);
    check("sitemapindex.xml", &index(&["sitemap.xml"]), &[], true);
    // Right beside the set: a name that no reader tries, other pages, news, feeds, and the set of
    // another run.
    check("other.xml", &pages, &[], false);
    check(
        "other.xml",
        &urlset(&["forum/1", "a.pdf"]),
        &["other.xml"],
        false,
    );
    let news = pages.replace(
        "</loc>",
        "</loc><news:news><news:title>x</news:title></news:news>",
    );
    check("sitemap-news.xml", &news, &[], false);
    let feed =
        "<rss version=\"2.0\"><channel><link>https://example.com/a.html</link></channel></rss>";
    check("feed.xml", feed, &["feed.xml"], false);
    let declaration = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    let marked = format!("{declaration}<!-- waypost: other.xml -->\n{pages}");
    check("other.xml", &marked, &["other.xml"], false);
}

#[test]
fn the_sitemap_of_the_generator_is_no_change_in_any_run() {
    let site = SiteTest::zola("");
    let zola = |dates: &str| {
        let text = urlset(&["", "a/"]).replace("</loc>", &format!("</loc>{dates}"));
        site.page("public/index.html", "")
            .page("public/a/index.html", "")
            .write("public/sitemap.xml", text);
    };
    for _ in 0..2 {
        zola("<lastmod>2024-05-06</lastmod>");
        site.build()
            .says("replaces  Zola's sitemap: same pages\n")
            .says("2 dates not kept: 2 ");
    }
    assert_eq!(site.build_json()["changes"]["since"], "waypost");
    zola("");
    assert_eq!(site.build_json()["changes"]["since"], "another-program");
}

/// A site of a generator that replaces the sitemap in every build, with a copy of the set that
/// waypost wrote when it had more pages.
fn rebuilt(pages: usize, removed: usize) -> SiteTest {
    let site = SiteTest::zola("");
    let page = |number| format!("public/p{number}/index.html");
    for number in 0..pages {
        site.page(page(number), "");
    }
    site.build();
    site.write("record/sitemap.xml", site.read("public/sitemap.xml"));
    for number in 0..removed {
        site.remove(page(number));
    }
    site.write("public/sitemap.xml", urlset(&["p29/"]));
    site
}

#[test]
fn a_build_compares_with_the_set_that_the_user_names() {
    let site = rebuilt(30, 3);
    for arguments in [
        ["--since", "record/sitemap.xml"],
        ["--since", "record"],
        ["--record", "record"],
    ] {
        let outcome = site.waypost(&arguments).succeeded();
        let name = arguments[1];
        outcome
            .says(&format!("0 added, 3 removed, 0 re-dated since {name}"))
            .says("- https://example.com/p0/");
    }
    // There is no record before the first submission.
    site.waypost(&["--record", "missing"]).succeeded();
    site.waypost(&["--since", "missing"])
        .ended_with(2)
        .says("`missing` is not a file or a directory");
    site.waypost(&["--since", "record", "--record", "record"])
        .ended_with(2);
}

#[test]
fn the_guard_holds_against_the_named_set_where_the_one_on_disk_is_the_generators() {
    let site = rebuilt(30, 20);
    let generated = site.read("public/sitemap.xml");
    site.waypost(&["--record", "record"])
        .ended_with(1)
        .says("error[set-shrunk]: 20 of the 30 URLs");
    assert_eq!(site.read("public/sitemap.xml"), generated);
    site.waypost(&["--since", "record", "--accept", "set-shrunk"])
        .succeeded();
    // A set that another program wrote is none.
    let site = rebuilt(30, 20);
    let pages: Vec<String> = (0..30).map(|number| format!("p{number}/")).collect();
    let pages: Vec<&str> = pages.iter().map(String::as_str).collect();
    site.write("record/sitemap.xml", urlset(&pages));
    site.waypost(&["--record", "record"]).succeeded();
    rebuilt(30, 20).build();
}

#[test]
fn sitemaps_of_languages_that_the_generator_wrote_are_replaced() {
    let site = SiteTest::empty();
    let config = "export default { url: 'https://example.com', baseUrl: '/' };\n";
    site.write("docusaurus.config.js", config);
    site.index_pages("build", "/ fr/");
    site.write("build/sitemap.xml", urlset(&[""]));
    site.write("build/fr/sitemap.xml", urlset(&["fr/"]));
    let stale = "`fr/sitemap.xml` also lists pages of this site, and readers may know it";
    build(&site)
        .says("same pages and dates")
        .says_nothing_of(stale);
    assert!(!site.files().contains(&"build/fr/sitemap.xml".to_owned()));
    site.write("build/fr/sitemap.xml", urlset(&["fr/"]));
    site.waypost(&["check", "--base-url", BASE]).says(stale);
}

/// The codes of the findings of a command, sorted, each once.
fn codes(site: &SiteTest, arguments: &[&str]) -> Vec<String> {
    let outcome = site.waypost(&[arguments, &["--base-url", BASE, "--json"]].concat());
    let codes = outcome.codes().into_iter();
    codes.collect::<BTreeSet<_>>().into_iter().collect()
}

#[test]
fn a_build_warns_of_what_a_check_then_denies_in_the_files_that_it_leaves() {
    let check = |files: &[(&str, String)], named: &[&str], of_build: &[&str], of_check: &[&str]| {
        let site = SiteTest::of_pages(&["public/index.html", "public/a/index.html"]);
        for (name, text) in files {
            site.write(format!("public/{name}"), text);
        }
        robots(&site, "public", named);
        let about = format!("{named:?} {files:?}");
        assert_eq!(codes(&site, &["--dry-run"]), of_build, "dry run: {about}");
        assert_eq!(codes(&site, &["build"]), of_build, "build: {about}");
        assert_eq!(codes(&site, &["check"]), of_check, "check: {about}");
        assert_eq!(codes(&site, &["build"]), of_build, "again: {about}");
    };
    check(&[], &[], &[], &[]);
    let missing = ["robots-txt-sitemap-unreadable"];
    check(&[], &["wp-sitemap.xml"], &missing, &missing);
    let stale = ["sitemap-stale"];
    let gone = [("old.xml", urlset(&["gone/", "also/"]))];
    check(&gone, &[], &[], &[]);
    check(&gone, &["old.xml"], &stale, &["loc-without-file"]);
    let broken = ("old.xml", "<urlset><url>".to_owned());
    check(&[broken], &["old.xml"], &stale, &["sitemap-invalid"]);
    let listing = ("sitemap_index.xml", index(&["part.xml", "sitemap.xml"]));
    check(
        &[listing],
        &["sitemap_index.xml"],
        &stale,
        &["sitemap-missing", "sitemap-stale"],
    );
    let home = format!("<link rel=\"sitemap\" href=\"{BASE}sub/map.xml\">");
    let site = SiteTest::empty();
    site.page("public/index.html", &home);
    for command in ["--dry-run", "build"] {
        assert_eq!(codes(&site, &[command]), stale, "{command}");
    }
    assert_eq!(codes(&site, &["check"]), ["sitemap-missing"]);
}

#[test]
fn a_sitemap_that_the_generator_writes_after_the_last_run_is_named_as_its_own() {
    let languages = "i18n: { defaultLocale: 'en', locales: ['en', 'de'] }";
    let site = SiteTest::with(&[(
        "docusaurus.config.js",
        &format!("module.exports = {{ url: 'https://example.com', baseUrl: '/', {languages} }};"),
    )]);
    site.page("build/index.html", "")
        .page("build/de/index.html", "");
    site.write("build/sitemap.xml", urlset(&[""]))
        .write("build/de/sitemap.xml", urlset(&["de/"]));
    site.waypost(&[]).says("de/sitemap.xml  removed");
    site.write("build/de/sitemap.xml", urlset(&["de/"]));
    site.waypost(&["check"]).says(
        "`de/sitemap.xml` also lists pages of this site, and readers may know it; the site's generator \
         wrote it after the last run, or robots.txt names it",
    );
}
