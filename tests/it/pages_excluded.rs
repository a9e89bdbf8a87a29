//! Pages excluded for their name, their content or robots.txt: cases that other tools get wrong.

use crate::pages::lists;
use crate::site_test::{SiteTest, pair};

#[test]
fn the_rules_of_the_named_crawlers_count() {
    let robots = "User-agent: *\nDisallow: /\n\nUser-agent: Googlebot\nDisallow: /a\n\n\
                  User-agent: Bingbot\nDisallow: /b\nDisallow: /ab\n";
    let check = |agents: &str, listed: &[&str], said: &str| {
        let site = SiteTest::of_pages(&["a.html", "ab.html", "b.html"]);
        site.write("robots.txt", robots);
        site.settings(&format!("[robots_txt]\nupdate = false\n{agents}"));
        let outcome = site.waypost(&["-v", "--accept", "nothing-listed"]);
        assert!(outcome.stderr.contains(said), "{}", outcome.stderr);
        let expected: Vec<String> = listed
            .iter()
            .map(|path| format!("https://example.com/{path}"))
            .collect();
        assert_eq!(site.urls(), expected, "{agents}");
    };
    check(
        "agents = [\"googlebot\"]",
        &["b.html"],
        "`a.html` is disallowed for `googlebot` by `Disallow: /a`",
    );
    check(
        "agents = [\"Googlebot\", \"Bingbot\"]",
        &["a.html", "b.html"],
        "`ab.html` is disallowed for `Googlebot` and `Bingbot`",
    );
    check(
        "agents = [\"Googlebot\", \"*\"]",
        &["b.html"],
        "disallowed for `Googlebot` and all crawlers without a group of their own",
    );
}

#[test]
fn error_pages_and_verification_files_are_excluded() {
    let files = "404.html de/404.html 404/index.html de/404/index.html products/404/index.html \
                 405/index.html 123/index.html google0123456789abcdef.html google-analytics.html";
    let files: Vec<(&str, &str)> = files.split(' ').map(|file| (file, "")).collect();
    let listed = ["/123/", "/405/", "/google-analytics.html", "/products/404/"];
    lists(&files, &listed);
}

#[test]
fn robots_txt_is_not_obeyed_if_a_setting_says_so() {
    let site = SiteTest::of_pages(&["index.html", "private/a.html"]);
    site.write("robots.txt", "User-agent: *\nDisallow: /\n")
        .settings("[robots_txt]\nobey = false\nupdate = false\n")
        .build();
    assert_eq!(site.urls().len(), 2);
    assert_eq!(site.read("robots.txt"), "User-agent: *\nDisallow: /\n");
}

#[test]
fn misspelt_fields_of_robots_txt_are_obeyed_as_google_does_and_reported() {
    let site = SiteTest::of_pages(&["index.html", "a/index.html", "b/index.html", "c/index.html"]);
    let text = "User-agent: *\nDissallow: /a/\nDisallow /b/\nUser agent: FooBot\nDisallow: /\n";
    site.write("robots.txt", text);
    let outcome = site.waypost(&["-v"]).succeeded();
    let urls = ["https://example.com/", "https://example.com/c/"];
    assert_eq!(site.urls(), urls);
    outcome
        .says("warning[robots-txt-line-ignored]: the field `Dissallow` is not `Disallow`; Google accepts the line")
        .says("robots.txt:2:1")
        .says("a colon is missing after `Disallow`;")
        .says("the field `User agent` is not `User-agent`;")
        .says("`a/index.html` is disallowed for all crawlers without a group of their own by");
}

#[test]
fn a_part_of_a_page_is_not_listed() {
    let site = SiteTest::of_pages(&["index.html"]);
    site.write("parts/row.html", "<!-- a row -->\n<tr><td>x</td></tr>\n")
        .write("parts/text.html", "hello <b>you</b>\n")
        .write("p.html", "<p>x</p>\n</html>\n")
        .write("title.html", "<p>x</p>\n<title>t</title>\n");
    site.build();
    let reasons = site.explained("reason").into_iter();
    let excluded = reasons.filter(|(_, reason)| reason.is_some());
    let parts = ["parts/row.html", "parts/text.html"].map(|file| pair(file, "not-a-page"));
    assert_eq!(excluded.collect::<Vec<_>>(), parts);
}

#[test]
fn an_alias_beside_the_page_that_it_names_is_a_redirect() {
    let site = SiteTest::of_pages(&["index.html", "about/index.html"]);
    let url = "https://example.com/about/";
    let alias = format!(
        "<link rel=canonical href={url}><meta http-equiv=refresh content=\"0; url={url}\">"
    );
    site.page("about.html", &alias);
    site.build();
    let reasons = site.explained("reason").into_iter();
    let excluded: Vec<_> = reasons.filter(|(_, reason)| reason.is_some()).collect();
    assert_eq!(excluded, [pair("about.html", "redirect")]);
}
