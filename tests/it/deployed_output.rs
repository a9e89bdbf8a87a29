//! Committed output: commits that rewrite all pages do not date them.

use crate::site_test::SiteTest;

const GENERATOR: &str = "<meta name=generator content='Example 1.2'>";

/// A site of 20 pages with this in their heads, which two commits change as a whole.
fn site(head: &str) -> SiteTest {
    let site = SiteTest::empty();
    site.settings("");
    for date in ["2024-01-01T00:00:00Z", "2024-02-02T00:00:00Z"] {
        for page in 0..20 {
            site.page(
                format!("p{page}.html"),
                &format!("{head}<title>{page}</title><!-- {date} -->"),
            );
        }
        site.commit(date);
    }
    site
}

/// Checks how many of the pages have a date.
#[track_caller]
fn check(site: &SiteTest, expected: usize) {
    site.build();
    let dates = site.dates();
    let found = dates.iter().filter(|(_, date)| date.is_some()).count();
    assert_eq!((dates.len(), found), (20, expected));
}

#[test]
fn commits_that_rewrite_all_pages_of_a_generator_do_not_date_them() {
    let generated = site(GENERATOR);
    check(&generated, 0);
    generated.build().says("warning[deploy-commits]: 20 pages");
    let why = "the commits are deploys of the whole output";
    assert_eq!(generated.explain()["p1.html"]["undated"], why);
    // The branch may consist of one deploy.
    generated.git(&["checkout", "--quiet", "--orphan", "replaced"]);
    generated.commit("2024-03-03T00:00:00Z");
    check(&generated, 0);
    let own = "<meta property='article:modified_time' content='2022-01-02'>";
    check(&site(&format!("{GENERATOR}{own}")), 20);
}

#[test]
fn sites_that_are_right_keep_their_dates() {
    // Written by hand, with a footer that changes on all pages.
    check(&site(""), 20);
    // Edited one by one since, although a generator made the pages once.
    let edited = site(GENERATOR);
    for page in 0..4 {
        edited.page(format!("p{page}.html"), GENERATOR);
        edited.commit(&format!("2024-03-0{}T00:00:00Z", page + 1));
    }
    check(&edited, 20);
    // The user decides.
    let ruled = site(GENERATOR);
    ruled.settings("[[rule]]\nmatch = \"*.html\"\nsource = \"{1}.html\"\n");
    check(&ruled, 20);
}

#[test]
fn content_beside_the_output_keeps_its_dates() {
    let site = SiteTest::empty();
    site.settings("").write("book.toml", "");
    for date in ["2024-01-01T00:00:00Z", "2024-02-02T00:00:00Z"] {
        for page in 0..20 {
            let head = format!("{GENERATOR}<title>{page}</title>{date}");
            site.write(format!("src/p{page}.md"), date)
                .page(format!("book/p{page}.html"), &head);
        }
        site.commit(date);
    }
    let dates = site.explained("lastmod");
    assert_eq!(dates.iter().filter(|(_, date)| date.is_some()).count(), 20);
}

#[test]
fn a_few_unchanged_pages_of_a_large_site_do_not_hide_its_deploys() {
    let site = SiteTest::empty();
    site.settings("");
    for month in 1..=3 {
        for page in 0..200 {
            let version = if page % 20 == 7 { 0 } else { month };
            let text = format!("{GENERATOR}<title>{page}</title><!-- {version} -->");
            site.page(format!("p{page}.html"), &text);
        }
        site.commit(&format!("2024-0{month}-01T00:00:00Z"));
    }
    site.build().says("warning[deploy-commits]: 200 pages");
}

#[test]
fn a_commit_of_most_pages_does_not_refute_earlier_dates() {
    let site = site("");
    site.page("p0.html", "<title>edited</title>");
    site.commit("2024-03-03T00:00:00Z");
    let listed = ["2024-01-01", "2024-01-01", "2024-02-09"];
    let entries = (0..).zip(listed).map(|(page, date)| {
        format!("<url><loc>https://example.com/p{page}.html</loc><lastmod>{date}</lastmod></url>")
    });
    let entries: String = entries.collect();
    let namespace = "http://www.sitemaps.org/schemas/sitemap/0.9";
    let sitemap = format!("<urlset xmlns=\"{namespace}\">{entries}</urlset>");
    site.write("sitemap.xml", sitemap);
    let outcome = site.waypost(&["check", "-v"]);
    let untrue = |page: &str| format!("[lastmod-untrue]: `https://example.com/{page}.html`");
    outcome
        .says(&untrue("p0"))
        .says(&untrue("p2"))
        .says_nothing_of(&untrue("p1"));
}
