//! Losses when a new set replaces a sitemap: warnings, refusals, and what is right beside them.

use crate::replaced::{BASE, urlset};
use crate::site_test::SiteTest;

#[test]
fn files_that_are_no_pages_are_named_with_the_setting_that_lists_them() {
    let site = SiteTest::of_pages(&["index.html"]);
    site.write("paper.pdf", "%PDF")
        .write("sitemap.xml", urlset(&[("", &[]), ("paper.pdf", &[])]));
    site.waypost(&["--dry-run"])
        .says("warning[entries-lost]: the new sitemap lacks 1 file of the sitemap that it replaces")
        .says("hint: to list them, set `extensions = [\"html\", \"htm\", \"xhtml\", \"pdf\"]`");
    site.settings("extensions = [\"html\", \"pdf\"]\n");
    site.build().says_nothing_of("entries-lost");
    assert!(site.read("sitemap.xml").contains("paper.pdf"));
}

#[test]
fn entries_at_which_a_server_answers_are_kept() {
    let site = SiteTest::of_pages(&["index.html", "a.html", "app/file.html"]);
    let links: &[(&str, &str)] = &[("en", "app/a"), ("de", "app/de/a")];
    let entries = [
        ("", &[][..]),
        ("a.html", &[]),
        ("app/a", links),
        ("app/de/a", links),
        ("app/b%C3%BC?x=1&amp;y=2", &[]),
        ("app/hidden", &[]),
        ("app/rule/x", &[]),
        ("app/future", &[]),
        ("gone/", &[]),
        ("https://elsewhere.acme.dev/app/x", &[]),
    ];
    let dates = [
        ("app/a<", "2024-05-06"),
        ("app/de/a<", "2024-05-07T08:09:10Z"),
        ("app/future<", "2124-05-06"),
        // The days of a build.
        ("app/b%C3%BC?x=1&amp;y=2<", "2024-01-02"),
        ("a.html<", "2024-01-02T01:00:00Z"),
        ("gone/<", "2024-01-02T23:59:59Z"),
        ("app/hidden<", "2024-01-02"),
    ];
    let mut text = urlset(&entries).replace(&format!("{BASE}https:"), "https:");
    for (end, date) in dates {
        let end = format!("{end}/loc>");
        text = text.replace(&end, &format!("{end}<lastmod>{date}</lastmod>"));
    }
    site.write("sitemap.xml", text)
        .write("robots.txt", "User-agent: *\nDisallow: /app/hidden\n");
    site.settings(
        "exclude = ['app/rule/**']\n[sitemap]\nkeep = ['/app/**']\n[[rule]]\nmatch = ['/app/a']\npriority = 0.5\n",
    );
    site.build()
        .says_nothing_of("setting-unused")
        .says("at which the build wrote no file: `https://example.com/app/hidden`, ")
        .says("hint: if a server answers there, set `sitemap.keep = [\"/app/hidden\", ");
    let kept: Vec<_> = site
        .entries()
        .into_iter()
        .filter(|entry| !entry.loc.contains(".html") && entry.loc != BASE)
        .map(|entry| {
            (
                entry.loc.replace(BASE, ""),
                entry.lastmod.unwrap_or_default(),
            )
        })
        .collect();
    let expected = [
        ("app/a", "2024-05-06"),
        ("app/b%C3%BC?x=1&y=2", ""),
        ("app/de/a", "2024-05-07T08:09:10Z"),
        ("app/future", ""),
    ];
    assert_eq!(
        kept,
        expected.map(|(path, date)| (path.to_owned(), date.to_owned()))
    );
    let first = site.read("sitemap.xml");
    assert!(first.contains("<priority>0.5</priority><!--kept links--><xhtml:link"));
    site.build().says("none since the previous sitemap");
    assert_eq!(site.read("sitemap.xml"), first);
    site.waypost(&["check"])
        .says("none of 7 URLs would be rejected");
    site.settings("");
    site.waypost(&["check"])
        .says("no built file matches `https://example.com/app/a`");
}

#[test]
fn a_set_that_can_keep_no_language_link_is_refused() {
    let site = SiteTest::of_pages(&[]);
    site.settings("output_dir = \".\"\n");
    let links: &[(&str, &str)] = &[("english", "a/"), ("french", "b/"), ("german", "c/")];
    let paths = ["a/", "b/", "c/", "d/"];
    for path in paths {
        site.page(format!("{path}index.html"), "");
    }
    let entries: Vec<_> = paths.iter().map(|path| (*path, links)).collect();
    site.write("sitemap.xml", urlset(&entries));
    site.waypost(&[])
        .ended_with(1)
        .says("error[set-shrunk]: none of the 12 language links");
    site.settings("output_dir = \".\"\n[sitemap]\nhreflang = false\n")
        .build();
    // Heads that state other links overrule the sitemap.
    let site = SiteTest::of_pages(&[]);
    site.settings("output_dir = \".\"\n");
    for path in paths {
        let head =
            "<link rel=alternate hreflang=en href=/a/><link rel=alternate hreflang=fr href=/b/>";
        site.page(format!("{path}index.html"), head);
    }
    site.write("sitemap.xml", urlset(&entries)).build();
}

#[test]
fn links_of_entries_that_the_host_redirects_to_the_listed_url_are_kept() {
    // VitePress lists `/1.html`, also in links, and Cloudflare Pages redirects it to `/1`.
    let site = SiteTest::of_pages(&[]);
    let paths = [
        "1.html",
        "2.html",
        "3.html",
        "de/1.html",
        "de/2.html",
        "de/3.html",
    ];
    let links: Vec<_> = (0..3)
        .map(|page| [("en", paths[page]), ("de", paths[page + 3])])
        .collect();
    let entry = |(index, path): (usize, &&'static str)| (*path, &links[index % 3][..]);
    let entries: Vec<(&str, &[(&str, &str)])> = paths.iter().enumerate().map(entry).collect();
    for path in paths {
        site.page(path, "");
    }
    site.settings("host = \"cloudflare-pages\"\n")
        .write("sitemap.xml", urlset(&entries))
        .build()
        .says("12 language links kept");
    assert!(
        site.read("sitemap.xml")
            .contains("hreflang=\"de\" href=\"https://example.com/de/1\"")
    );
}

#[test]
fn a_set_that_a_generator_wrote_for_another_base_url_is_replaced() {
    let site = SiteTest::of_pages(&[]);
    site.settings("output_dir = \".\"\n");
    let links: &[(&str, &str)] = &[("en", "0/"), ("fr", "1/")];
    let paths: Vec<String> = (0..20).map(|number| format!("{number}/")).collect();
    for path in &paths {
        site.page(format!("{path}index.html"), "");
    }
    let links_of = |path: &String| {
        if ["0/", "1/"].contains(&&**path) {
            links
        } else {
            &[]
        }
    };
    let entries: Vec<_> = paths
        .iter()
        .map(|path| (path.as_str(), links_of(path)))
        .collect();
    let elsewhere = urlset(&entries).replace("https://example.com/", "http://localhost:1313/");
    site.write("sitemap.xml", elsewhere)
        .build()
        .says("at http://localhost:1313/: same pages")
        .says("4 language links kept");
    assert_eq!(site.entries().len(), 20);
    let kept = "hreflang=\"fr\" href=\"https://example.com/1/\"";
    assert!(site.read("sitemap.xml").contains(kept));
}

#[test]
fn single_pages_that_the_generators_sitemap_omits_are_named() {
    let site = SiteTest::zola("");
    site.write("content/_index.md", "+++\n+++\n")
        .write("content/a.md", "+++\n+++\n")
        .write("content/thanks.md", "+++\n+++\n")
        .write("content/blog/_index.md", "+++\n+++\n")
        .write("static/copied.html", "<!doctype html><title>x</title>");
    site.index_pages("public", "/ a/ thanks/ blog/ tags/").page(
        "public/old/index.html",
        "<meta http-equiv=refresh content='0; url=/a/'>",
    );
    site.write("public/copied.html", "<!doctype html><title>x</title>");
    // Another form of the URL of a page does not make it an omission.
    let respelt = urlset(&[("", &[]), ("a/index.html", &[])]);
    site.write("public/sitemap.xml", respelt);
    let omits = "warning[own-sitemap-omits]: Zola's own sitemap omits 1 page with a known source: \
                 `thanks/index.html`";
    site.waypost(&["check"]).says(omits);
    site.waypost(&["--dry-run"])
        .says(omits)
        .says("set `exclude = [\"thanks/index.html\"]`");
    site.write("waypost.toml", "exclude = [\"thanks/index.html\"]\n");
    site.build().says_nothing_of("own-sitemap-omits");
}

#[test]
fn omitted_pages_are_excluded_on_request_in_every_run() {
    let site = SiteTest::zola("");
    site.write("waypost.toml", "[sitemap]\nomitted = \"exclude\"\n")
        .write("content/thanks.md", "+++\n+++\n");
    site.index_pages("public", "/ thanks/ tags/")
        .write("public/sitemap.xml", urlset(&[("", &[])]));
    site.build().says_nothing_of("own-sitemap-omits");
    let explained = site.explain();
    assert_eq!(
        explained["thanks/index.html"]["reason"],
        "excluded-by-settings"
    );
    assert_eq!(explained["tags/index.html"]["listed"], true);
    let first = site.read("public/sitemap.xml");
    assert!(first.contains("<!-- omitted: ") && !first.contains("thanks"));
    site.build().says("none since the previous sitemap");
    // A page that is new since then is listed, although no sitemap of the generator is there.
    site.write("content/new.md", "+++\n+++\n")
        .page("public/new/index.html", "");
    site.build();
    let explained = site.explain();
    assert_eq!(explained["new/index.html"]["listed"], true);
    assert_eq!(explained["thanks/index.html"]["listed"], false);
    site.write("waypost.toml", "").build();
    assert!(!site.read("public/sitemap.xml").contains("omitted"));
    assert_eq!(site.explain()["thanks/index.html"]["listed"], true);
}

/// A sitemap that a person keeps, beside one page.
fn kept_by_hand(site: &SiteTest, output: &str) -> String {
    let text = urlset(&[("", &[]), ("app/login", &[])]);
    site.page(format!("{output}index.html"), "");
    site.write(format!("{output}sitemap.xml"), &text);
    text
}

#[test]
fn a_sitemap_that_a_person_keeps_is_not_replaced() {
    let refused = |site: &SiteTest, file: &str, says: &str| {
        let text = site.read(file);
        site.waypost(&["check"]).says("error[sitemap-not-ours]");
        site.waypost(&[]).ended_with(1).says(says);
        assert_eq!(site.read(file), text);
        site.waypost(&["--accept", "sitemap-not-ours"]).succeeded();
        site.build().says_nothing_of("sitemap-not-ours");
    };
    let tracked = SiteTest::of_pages(&[]);
    kept_by_hand(&tracked, "");
    tracked.commit("2024-01-01T00:00:00Z");
    refused(
        &tracked,
        "sitemap.xml",
        "a person may keep `sitemap.xml`: Git tracks it, and it lists 1 URL that the new sitemap lacks, \
         such as `https://example.com/app/login`",
    );
    let copied = SiteTest::hugo("");
    let text = kept_by_hand(&copied, "public/");
    copied.write("static/sitemap.xml", text);
    let says = "`sitemap.xml` is a copy of `static/sitemap.xml`, which a person keeps";
    refused(&copied, "public/sitemap.xml", says);
}

#[test]
fn sitemaps_of_programs_and_of_waypost_itself_are_replaced() {
    let accepted = |site: &SiteTest| {
        site.build().says_nothing_of("sitemap-not-ours");
    };
    // The committed output of a generator, with its settings or with its name in the pages.
    let mkdocs = "site_url: https://example.com/\nsite_dir: docs\ndocs_dir: src\n";
    let jekyll = "url: https://example.com\ndestination: docs\n";
    for (file, settings) in [("mkdocs.yml", mkdocs), ("_config.yml", jekyll)] {
        let site = SiteTest::empty();
        site.write(file, settings);
        kept_by_hand(&site, "docs/");
        site.commit("2024-01-01T00:00:00Z");
        accepted(&site);
    }
    let site = SiteTest::of_pages(&[]);
    kept_by_hand(&site, "");
    site.page("index.html", "<meta name=generator content='Hugo 0.168'>");
    site.commit("2024-01-01T00:00:00Z");
    accepted(&site);
    // A tracked file that loses nothing but another spelling of a page, and a file that Git ignores.
    let site = SiteTest::of_pages(&["index.html"]);
    site.write("sitemap.xml", urlset(&[("", &[]), ("index.html", &[])]))
        .commit("2024-01-01T00:00:00Z");
    accepted(&site);
    let site = SiteTest::of_pages(&[]);
    kept_by_hand(&site, "");
    site.write(".gitignore", "sitemap.xml\n")
        .commit("2024-01-01T00:00:00Z");
    accepted(&site);
    // waypost's own set in every format, committed, and then a page is removed.
    for formats in [
        "formats = [\"xml\", \"txt\", \"rss\"]",
        "formats = [\"txt\"]",
        "gzip = \"also\"",
        "gzip = \"only\"",
    ] {
        let site = SiteTest::of_pages(&["index.html", "a.html"]);
        site.settings(&format!("[sitemap]\n{formats}\n")).build();
        site.commit("2024-01-01T00:00:00Z");
        site.remove("a.html");
        accepted(&site);
    }
    // At a name that is kept, and as a copy among the sources.
    let site = SiteTest::of_pages(&["a.html"]);
    site.page("index.html", "<link rel=sitemap href=/map.xml>")
        .build();
    site.commit("2024-01-01T00:00:00Z");
    site.remove("a.html");
    accepted(&site);
    let site = SiteTest::hugo("");
    site.page("public/index.html", "");
    site.build();
    site.write("static/sitemap.xml", site.read("public/sitemap.xml"));
    accepted(&site);
    // The compressed copy of a generator.
    let site = SiteTest::empty();
    site.write("mkdocs.yml", "site_url: https://example.com/\n");
    kept_by_hand(&site, "site/");
    site.write("site/sitemap.xml.gz", "")
        .commit("2024-01-01T00:00:00Z");
    accepted(&site);
    assert!(site.bytes("site/sitemap.xml.gz").len() > 20);
}
