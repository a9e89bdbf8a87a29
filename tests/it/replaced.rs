//! The sitemap that a run replaces: what it states is kept, or its loss is reported.

use crate::site_test::SiteTest;
use crate::sitemap_xml::index;

pub(crate) const BASE: &str = "https://example.com/";

/// A `<urlset>` of entries with links to language versions.
pub(crate) fn urlset(entries: &[(&str, &[(&str, &str)])]) -> String {
    let link = |(code, path): &(&str, &str)| {
        let url = if path.contains("://") {
            (*path).to_owned()
        } else {
            format!("{BASE}{path}")
        };
        format!("<xhtml:link rel=\"alternate\" hreflang=\"{code}\" href=\"{url}\"/>")
    };
    let entry = |(path, links): &(&str, &[(&str, &str)])| {
        let links: String = links.iter().map(link).collect();
        format!("<url><loc>{BASE}{path}</loc>{links}</url>\n")
    };
    let entries: String = entries.iter().map(entry).collect();
    format!(
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" \
         xmlns:xhtml=\"http://www.w3.org/1999/xhtml\">\n{entries}</urlset>\n"
    )
}

const VERSIONS: &[(&str, &str)] = &[
    ("en", ""),
    ("fr", "fr/"),
    ("de", "https://example.de/"),
    ("x-default", ""),
];

/// A site of Hugo in two languages, whose sitemaps state the links.
fn hugo() -> SiteTest {
    let site = SiteTest::hugo("");
    site.page("public/index.html", "")
        .page("public/fr/index.html", "");
    hugo_sitemaps(&site);
    site
}

fn hugo_sitemaps(site: &SiteTest) {
    let index = index(&["en/sitemap.xml", "fr/sitemap.xml"]);
    site.write("public/sitemap.xml", index)
        .write("public/en/sitemap.xml", urlset(&[("", VERSIONS)]))
        .write("public/fr/sitemap.xml", urlset(&[("fr/", VERSIONS)]));
}

/// The codes and URLs of the language links in the sitemap, entry by entry.
fn links(site: &SiteTest) -> Vec<Vec<String>> {
    let text = site.read("public/sitemap.xml");
    let entries = text.lines().filter(|line| line.starts_with("<url>"));
    let of_entry = |entry: &str| {
        let links = entry.split("hreflang=\"").skip(1);
        let link = |link: &str| {
            let (code, rest) = link.split_once("\" href=\"").expect("a link");
            let url = rest.split('"').next().expect("a URL");
            format!("{code} {}", url.strip_prefix(BASE).unwrap_or(url))
        };
        links.map(link).collect()
    };
    entries.map(of_entry).collect()
}

fn of_both(links: &[&str]) -> Vec<Vec<String>> {
    vec![links.iter().map(|link| (*link).to_owned()).collect(); 2]
}

#[test]
fn language_links_of_a_generators_sitemap_are_kept_in_every_run() {
    let site = hugo();
    site.waypost(&["check"]).says("8 language links kept");
    site.waypost(&["--dry-run"]).says("8 language links kept");
    site.build().says("8 language links kept");
    let kept = of_both(&["en ", "fr fr/", "de https://example.de/", "x-default "]);
    assert_eq!(links(&site), kept);
    let first = site.bytes("public/sitemap.xml");
    site.build().says("none since the previous sitemap");
    assert_eq!(site.bytes("public/sitemap.xml"), first);
    hugo_sitemaps(&site);
    site.build();
    assert_eq!(site.bytes("public/sitemap.xml"), first);
    assert!(!site.root().join("public/fr/sitemap.xml").exists());
    site.waypost(&["check", "--strict"])
        .says_nothing_of("hreflang");
}

#[test]
fn a_head_counts_before_the_replaced_sitemap_and_links_that_it_loses_do_not_stay() {
    let site = hugo();
    let link = "<link rel=alternate hreflang=fr href=/fr/>";
    site.page("public/index.html", link).build();
    // The home page states one link, and waypost adds the page itself.
    assert_eq!(links(&site)[0], ["fr fr/", "en "]);
    assert_eq!(links(&site)[1].len(), 4);
    let text = site.read("public/sitemap.xml");
    assert_eq!(text.matches("<!--kept links-->").count(), 1);
    // The generator no longer writes a sitemap, and the head states no link.
    site.page("public/index.html", "");
    site.build()
        .says("`https://example.com/` has no return link")
        .says("4 of 6 language links lost");
    let expected = [&[][..], &["fr fr/", "de https://example.de/"]];
    assert_eq!(links(&site), expected);
}

#[test]
fn links_to_a_translation_that_is_removed_are_not_kept() {
    let site = hugo();
    site.build();
    site.remove("public/fr/index.html");
    site.build()
        .says("`https://example.com/fr/` leads to no page");
    let expected = [["en ", "de https://example.de/", "x-default "]];
    assert_eq!(links(&site), expected);
}

#[test]
fn a_sitemap_that_the_generator_rewrites_decides_alone() {
    let site = hugo();
    site.build();
    site.write("public/sitemap.xml", urlset(&[("", &[]), ("fr/", &[])]));
    site.build();
    assert_eq!(links(&site), of_both(&[]));
    assert!(!site.read("public/sitemap.xml").contains("kept"));
}

#[test]
fn invalid_and_hostile_links_are_not_kept() {
    let site = hugo();
    let wrong: &[(&str, &str)] = &[
        ("english", ""),
        ("en", ""),
        ("fr", "fr/"),
        ("es", "javascript://x"),
        ("it", "gone/"),
    ];
    let text = urlset(&[("", wrong), ("fr/", VERSIONS), ("other/", VERSIONS)]);
    site.write("public/sitemap.xml", format!("{text}<url><loc>"));
    site.build()
        .says("`english` in the replaced sitemap is not a valid hreflang code")
        .says("`it` to `https://example.com/gone/` leads to no page")
        .says("could be read only in part");
    assert_eq!(links(&site)[0], ["en ", "fr fr/"]);
    site.settings("sitemap.hreflang = false\n");
    site.write("public/sitemap.xml", text);
    site.build().says(
        "6 of 13 language links lost, 7 of 13 language links dropped: their pages are not listed",
    );
}

#[test]
fn images_of_a_generators_sitemap_are_kept_if_they_exist() {
    let site = SiteTest::of_pages(&["index.html"]);
    // A query may be part of a file's URL, or make the file.
    let images = [
        "a.png",
        "gone.png",
        "a.png?v=1",
        "gone.png?v=1",
        "_image?url=x",
    ];
    let mut images: Vec<String> = images.map(|name| format!("{BASE}{name}")).to_vec();
    images.push("https://example.org/y.png".to_owned());
    let image = |url: &String| format!("<image:image><image:loc>{url}</image:loc></image:image>");
    let listed = images.iter().map(image).collect::<Vec<_>>().concat();
    let text = urlset(&[("", &[])])
        .replace(
            "<urlset",
            "<urlset xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\"",
        )
        .replace("</loc>", &format!("</loc>{listed}"));
    site.write("sitemap.xml", text).write("a.png", "x");
    site.waypost(&["--verbose"])
        .says("names the image `https://example.com/gone.png`, which the build did not write")
        .says("names the image `https://example.com/gone.png?v=1`, which the build did not write")
        .says("2 of 6 images lost");
    let kept = images.iter().filter(|url| !url.contains("gone"));
    assert!(site.entries()[0].images.iter().eq(kept));
    let first = site.read("sitemap.xml");
    site.build().says("none since the previous sitemap");
    assert_eq!(site.read("sitemap.xml"), first);
}

#[test]
fn the_name_that_search_engines_know_is_kept() {
    let check = |files: &[(&str, &str)], expected: &str| {
        let site = SiteTest::of_pages(&["index.html"]);
        site.write_all(files).build();
        let is_set = |file: &String| file.contains(".xml");
        let sets: Vec<String> = site.files().into_iter().filter(is_set).collect();
        assert_eq!(sets, [expected], "{files:?}");
        site.build().says("none since the previous sitemap");
        let names_another = i32::from(files.len() > 1);
        site.waypost(&["check", "--strict"])
            .ended_with(names_another);
    };
    let link =
        |href: &str| format!("<!doctype html><title>x</title><link rel=sitemap href={href}>");
    let robots = |name: &str| format!("Sitemap: {BASE}{name}\n");
    check(&[], "sitemap.xml");
    check(&[("index.html", &link("/map.xml"))], "map.xml");
    let absolute = link("https://example.com/map.xml");
    check(&[("index.html", &absolute)], "map.xml");
    let (home, robots) = (link("/map.xml"), robots("sitemap_index.xml"));
    check(&[("robots.txt", &robots)], "sitemap_index.xml");
    let both = [("index.html", &*home), ("robots.txt", &*robots)];
    check(&both, "map.xml");
}

#[test]
fn a_name_counts_only_at_the_top_of_the_own_site_and_if_no_other_file_has_it() {
    let check = |files: &[(&str, &str)]| {
        let site = SiteTest::of_pages(&["index.html"]);
        site.write_all(files).build();
        assert!(site.root().join("sitemap.xml").exists(), "{files:?}");
        for (file, text) in files.iter().filter(|(file, _)| file.contains(".xml")) {
            assert_eq!(site.read(file), *text, "a foreign file is changed");
        }
    };
    let link =
        |href: &str| format!("<!doctype html><title>x</title><link rel=sitemap href={href}>");
    for elsewhere in [
        "https://example.org/map.xml",
        "http://example.com/map.xml",
        "/maps/map.xml",
        "/map.json",
        "/map.xml?x",
        "/.xml",
        "javascript:alert(1)",
    ] {
        check(&[("index.html", &link(elsewhere))]);
    }
    check(&[("index.html", &link("/map.xml")), ("map.xml", "<map/>")]);
    let two = format!("Sitemap: {BASE}sitemap_index.xml\nSitemap: {BASE}b.xml\n");
    check(&[("robots.txt", &two)]);
    check(&[("robots.txt", "Sitemap: https://example.com/shop.xml\n")]);
    let elsewhere = "Sitemap: https://example.org/sitemap_index.xml\n";
    check(&[("robots.txt", elsewhere)]);
}

#[test]
fn check_reports_a_linked_sitemap_that_does_not_exist() {
    let site = SiteTest::of_pages(&[]);
    site.page("index.html", "<link rel=sitemap href=/sitemap-index.xml>");
    site.settings("[sitemap]\nfile = \"sitemap.xml\"\n").build();
    site.waypost(&["check"])
        .ended_with(1)
        .says("`<link rel=\"sitemap\">` names `https://example.com/sitemap-index.xml`");
}

#[test]
fn what_the_owner_keeps_out_of_the_generators_sitemap_stays_out() {
    let check = |files: &[(&str, &str)], pages: &str, expected: &[&str]| {
        let site = SiteTest::with(files);
        for page in pages.split(' ') {
            site.page(page, "");
        }
        let explained = site.explained("reason").into_iter();
        let reasons = explained
            .map(|(file, reason)| format!("{file} {}", reason.as_deref().unwrap_or("listed")));
        let reasons = reasons.filter(|line| !line.contains("index.html"));
        assert_eq!(reasons.collect::<Vec<_>>(), expected, "{files:?}");
    };
    let defaults = "url: https://example.com\ndefaults:\n  - scope: { path: \"\" }\n    \
                    values: { sitemap: false }\n  - scope: { path: \"docs\", type: pages }\n    \
                    values: { sitemap: true }\n";
    check(
        &[
            ("_config.yml", defaults),
            ("a.md", "---\nsitemap: true\n---\n"),
            ("b.md", "---\n---\n"),
            ("docs/c.md", "---\n---\n"),
            ("docs/d.md", "---\nsitemap: false\n---\n"),
        ],
        "_site/index.html _site/a.html _site/b.html _site/docs/c.html _site/docs/d.html",
        &[
            "a.html listed",
            "b.html excluded-by-settings",
            "docs/c.html listed",
            "docs/d.html excluded-by-page",
        ],
    );
    check(
        &[
            ("package.json", "{\"hexo\":{}}"),
            ("_config.yml", "url: https://example.com\n"),
            ("source/a.md", "---\nsitemap: false\n---\n"),
            ("source/b.md", "---\nsitemap: true\n---\n"),
        ],
        "public/index.html public/a.html public/b.html",
        &["a.html excluded-by-page", "b.html listed"],
    );
    let thanks = "---\neleventyExcludeFromCollections: true\npermalink: thanks.html\n---\n";
    check(
        &[
            ("eleventy.config.js", "export default {}"),
            ("waypost.toml", "base_url = \"https://example.com/\"\n"),
            ("thanks.md", thanks),
        ],
        "_site/index.html _site/thanks.html",
        &["thanks.html excluded-by-page"],
    );
    let sphinx = "project = 'x'\nhtml_baseurl = 'https://example.com/'\n\
                  sitemap_excludes = ['search.html', 'internal/*']\n";
    check(
        &[("conf.py", sphinx)],
        "_build/html/index.html _build/html/search.html _build/html/internal/a/b.html",
        &[
            "internal/a/b.html excluded-by-settings",
            "search.html excluded-by-settings",
        ],
    );
    let docusaurus = "module.exports = { url: 'https://example.com', baseUrl: '/docs/',\n\
                      presets: [['classic', { sitemap: { ignorePatterns: ['/docs/tags/**'] } }]] };\n";
    check(
        &[("docusaurus.config.js", docusaurus)],
        "build/index.html build/tags/a.html build/b.html",
        &["b.html listed", "tags/a.html excluded-by-settings"],
    );
    // waypost's own settings take precedence.
    let include = "[[rule]]\nmatch = \"search.html\"\nexclude = false\n";
    check(
        &[("conf.py", sphinx), ("waypost.toml", include)],
        "_build/html/index.html _build/html/search.html",
        &["search.html listed"],
    );
}

#[test]
fn priority_and_frequency_of_hugos_settings_are_kept() {
    let table = "[sitemap]\nchangeFreq = \"weekly\"\npriority = 0.4\nfilename = \"sitemap.xml\"\n";
    let site = SiteTest::hugo(table);
    site.write("content/a.md", "---\nsitemap: { priority: 0.9 }\n---\n")
        .page("public/index.html", "")
        .page("public/a/index.html", "");
    site.build();
    let text = site.read("public/sitemap.xml");
    assert_eq!(text.matches("<changefreq>weekly<").count(), 2, "{text}");
    let priorities = ["<priority>0.4<", "<priority>0.9<"].map(|one| text.matches(one).count());
    assert_eq!(priorities, [1, 1], "{text}");
    site.write(
        "hugo.toml",
        format!("baseURL = \"{BASE}\"\n[sitemap]\npriority = -1\n"),
    );
    site.build();
    assert!(!site.read("public/sitemap.xml").contains("<changefreq>"));
}
