//! Tests the form of URLs for pages without a canonical link, where the host is unknown.

use crate::site_test::{SiteTest, page, rows, text_at};
use crate::sitemap_xml::urlset;

/// The paths of all URLs of the sitemap.
#[track_caller]
fn paths(site: &SiteTest) -> Vec<String> {
    site.waypost(&["-o", "."]).succeeded();
    site.paths()
}

/// The detected form, as `explain --settings` and `build -v` show it.
fn form(site: &SiteTest) -> String {
    let explain = ["explain", "--settings", "-o", "."];
    let shown = site.waypost(&explain).succeeded().stdout;
    let line = shown.lines().find_map(|it| it.strip_prefix("# URL form"));
    let line = line.expect("a line").trim();
    let build = site.waypost(&["-o", ".", "-v", "--dry-run"]).succeeded();
    build.says(&format!("URL form  {line}\n"));
    line.to_owned()
}

fn canonical(path: &str) -> String {
    format!("<link rel=\"canonical\" href=\"https://example.com{path}\">")
}

/// A site with a page, a directory and a link to each.
fn linked(about: &str, docs: &str) -> SiteTest {
    let site = SiteTest::of_pages(&["about.html", "docs/index.html"]);
    let body = format!("<a href=\"{about}\">a</a><a href=\"{docs}#top\">d</a>");
    site.write("index.html", page("").replace("<p>", &format!("{body}<p>")));
    site
}

#[test]
fn the_form_is_that_of_most_canonical_links() {
    let check = |about: &str, docs: &str, new: [&str; 2], shown: &str| {
        let site = linked("about.html", "docs/");
        site.page("about.html", &canonical(about));
        site.page("docs/index.html", &canonical(docs));
        site.page("team.html", &canonical(&about.replace("about", "team")));
        site.page("odd.html", &canonical("/odd.html"));
        site.page("new.html", "").page("blog/index.html", "");
        assert_eq!(form(&site), format!("{shown} from the canonical links"));
        let listed = paths(&site);
        for path in new.into_iter().chain([about, docs, "/odd.html"]) {
            assert!(listed.contains(&path.to_owned()), "{path} in {listed:?}");
        }
        assert_eq!(listed.len(), 7);
    };
    check("/about", "/docs/", ["/new", "/blog/"], "/x and /x/");
    check("/about", "/docs", ["/new", "/blog"], "/x");
    check("/about/", "/docs/", ["/new/", "/blog/"], "/x/");
    let new = ["/new.html", "/blog/"];
    check("/about.html", "/docs/", new, "/x.html and /x/");
    let new = ["/new.html", "/blog"];
    check("/about.html", "/docs", new, "/x.html and /x");
}

#[test]
fn a_canonical_link_to_another_file_names_no_form() {
    let site = SiteTest::of_pages(&["index.html", "about/index.html", "new.html"]);
    site.page("about.html", &canonical("/about/"));
    assert_eq!(form(&site), "/x.html and /x/ by default");
    assert_eq!(paths(&site), ["/", "/about/", "/new.html"]);
}

#[test]
fn relative_canonical_links_name_a_form_too() {
    let site = SiteTest::of_pages(&["index.html", "new.html"]);
    site.page("a/b.html", "<link rel=canonical href=b>");
    assert_eq!(paths(&site), ["/", "/a/b", "/new"]);
}

#[test]
fn without_canonical_links_the_generators_sitemap_names_the_form() {
    let site = linked("/", "/docs");
    site.write("sitemap.xml", urlset(&["/", "/about", "/docs"]));
    assert_eq!(form(&site), "/x from the generator's sitemap.xml");
    assert_eq!(paths(&site), ["/", "/about", "/docs"]);
    // The form of a page that the sitemap does not list, and of another host.
    let site = linked("/", "/docs/");
    let elsewhere = urlset(&["/about"]).replace("example.com", "staging.example.net");
    site.page("new.html", "")
        .write("sitemap-index.xml", elsewhere);
    let expected = "/x and /x/ from the generator's sitemap-index.xml";
    assert_eq!(form(&site), expected);
    assert_eq!(paths(&site), ["/", "/about", "/docs/", "/new"]);
}

#[test]
fn only_the_beginning_of_a_large_sitemap_is_read() {
    let site = linked("./", "docs/");
    let mut text = urlset(&["/about"]);
    text.truncate(text.len() - "</urlset>\n".len());
    // Its end is damaged, and after the part that is read.
    text.push_str(&"<url><loc>https://example.com/none.html</loc></url>\n".repeat(20_000));
    text.push_str("<url><loc>https://example.com/about.html</loc></url><damaged");
    site.write("sitemap.xml", text);
    assert_eq!(form(&site), "/x and /x/ from the generator's sitemap.xml");
}

#[test]
fn without_a_sitemap_the_links_name_the_form_of_files() {
    // A link without a slash does not name the form of directories.
    let table = "
        about        | docs/ | /x and /x/      | /about
        /about/      | docs/ | /x/             | /about/
        ./about.html | docs/ | /x.html and /x/ | /about.html
        about.html   | /docs | /x.html and /x/ | /about.html
    ";
    for [about, docs, form_of_site, listed] in rows(table) {
        let site = linked(about, docs);
        // A second run reads the sitemap of the first, which is not evidence.
        for _ in 0..2 {
            let shown = format!("{form_of_site} from the pages' links");
            assert_eq!(form(&site), shown);
            assert_eq!(paths(&site), ["/", listed, "/docs/"]);
        }
    }
    let site = linked("https://example.org/about", "mailto:a@example.com");
    assert_eq!(form(&site), "/x.html and /x/ by default");
    assert_eq!(paths(&site), ["/", "/about.html", "/docs/"]);
    let site = linked("about", "docs/");
    site.write("waypost.toml", "base_url = \"https://example.com/sub/\"\n");
    assert_eq!(paths(&site), ["/sub/", "/sub/about", "/sub/docs/"]);
}

#[test]
fn a_known_host_and_a_setting_come_first() {
    let site = linked("about", "docs/");
    for (toml, shown, about) in [
        (
            "host = \"github-pages\"\n",
            "/x.html and /x/ from GitHub Pages",
            "/about.html",
        ),
        (
            "url_style = \"slash\"\n",
            "/x/ from the settings",
            "/about/",
        ),
        (
            "url_style = \"clean\"\n",
            "/x and /x/ from the settings",
            "/about",
        ),
        (
            "url_style = \"keep\"\n",
            "/x.html and /x/ from the settings",
            "/about.html",
        ),
    ] {
        site.settings(toml);
        assert_eq!(form(&site), shown);
        assert_eq!(paths(&site), ["/", about, "/docs/"]);
    }
}

#[test]
fn a_sitemap_that_contradicts_the_links_decides_in_two_builds() {
    for (link, listed) in [("about", "/about.html"), ("about.html", "/about")] {
        let site = linked(link, "docs/");
        site.write("sitemap.xml", urlset(&[listed]));
        let first = paths(&site);
        assert_eq!(first, ["/", listed, "/docs/"]);
        assert_eq!(paths(&site), first);
    }
}

#[test]
fn a_build_that_replaces_the_sitemap_with_the_form_keeps_the_form() {
    let check = |settings: &str, about: &str, docs: &str| {
        let site = SiteTest::of_pages(&["index.html", "about.html", "docs/index.html"]);
        site.settings(settings);
        site.write("sitemap.xml", urlset(&["/", about, docs]));
        let listed = |site: &SiteTest| {
            site.waypost(&["-o", "."]).succeeded();
            let files = site.explain();
            let urls = files.values().map(|page| text_at(page, "url"));
            urls.collect::<Vec<_>>()
        };
        let first = listed(&site);
        let urls = [about, docs].map(|path| Some(format!("https://example.com{path}")));
        assert!(
            urls.iter().all(|url| first.contains(url)),
            "{settings}: {first:?}"
        );
        assert_eq!(listed(&site), first, "{settings}");
        site.waypost(&["check", "-o", "."]).succeeded();
        // The pages and the settings come first.
        site.page("about.html", &canonical("/about.html"));
        let now = listed(&site);
        assert!(
            now.contains(&Some("https://example.com/about.html".to_owned())),
            "{now:?}"
        );
        site.page("about.html", "");
        site.settings("url_style = \"keep\"\n");
        let kept = ["/about.html", "/docs/"].map(|path| Some(format!("https://example.com{path}")));
        let now = listed(&site);
        assert!(kept.iter().all(|url| now.contains(url)), "{now:?}");
    };
    check("", "/about", "/docs/");
    check("", "/about", "/docs");
    check("", "/about.html", "/docs");
    // The URLs are in a file of an index.
    check("[sitemap]\nmax_urls = 2\n", "/about", "/docs");
    check("[sitemap]\ngzip = \"only\"\n", "/about", "/docs/");
}

#[test]
fn each_page_has_the_form_of_the_sitemap_that_is_replaced_or_of_its_links() {
    let site = SiteTest::of_pages(&[
        "about.html",
        "post-1.html",
        "post-2.html",
        "team/index.html",
    ]);
    let body = "<a href='/contact'>c</a><a href='/shop'>s</a><a href='post-1.html'>p</a>\
                <a href='post-2.html'>p</a>";
    for (name, more) in [
        ("index.html", "<a href='/both'>b</a>"),
        ("links.html", "<a href='/both.html'>b</a>"),
    ] {
        site.write(name, page("").replace("<p>", &format!("{body}{more}<p>")));
    }
    site.page("contact.html", "")
        .page("both.html", "")
        .page("shop.html", &canonical("/shop.html"));
    let listed = urlset(&["/index.html", "/about", "/post-1.html", "/team/index.html"]);
    site.write("sitemap.xml", listed);
    let expected = [
        "/",
        "/about",
        "/both.html",
        "/contact",
        "/links.html",
        "/post-1.html",
        "/post-2.html",
        "/shop.html",
        "/team/",
    ];
    assert_eq!(paths(&site), expected);
    assert_eq!(paths(&site), expected, "the second run");
    let checked = site.waypost(&["check", "."]).succeeded();
    checked.says("no problems");
    site.settings("url_style = \"keep\"\n");
    assert!(paths(&site).contains(&"/about.html".to_owned()));
}

#[test]
fn the_sitemap_of_a_build_is_right_about_its_own_forms() {
    let site = SiteTest::empty();
    site.write("_config.yml", "url: https://acme.dev")
        .write("_site/index.html", page(""))
        .write("_site/about.html", page(""))
        .write("_site/post.html", page(""))
        .write(
            "_site/robots.txt",
            "Sitemap: https://acme.dev/sitemap.xml\n",
        );
    let listed =
        urlset(&["/", "/about", "/post.html"]).replace("https://example.com", "https://acme.dev");
    site.write("_site/sitemap.xml", listed);
    site.waypost(&["check"]).succeeded().says("no problems");
}
