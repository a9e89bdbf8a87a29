//! YAML files that set a key more than once, which most generators accept.

use crate::site_test::{SiteTest, pair};

#[test]
fn a_repeated_key_is_reported_with_both_places_and_the_last_value_counts() {
    let site = SiteTest::empty();
    site.write(
        "mkdocs.yml",
        "site_url: https://example.org/\nextra:\n  waypost:\n    url_style: keep\n    \
         url_style: clean\nsite_url: https://example.com/\n",
    );
    site.page("site/index.html", "").page("site/a.html", "");
    site.waypost(&["-v"])
        .succeeded()
        .says("warning[settings-ignored]: `url_style` is already set on line 4; the last value counts\n --> mkdocs.yml:5:5")
        .says("warning[settings-ignored]: `site_url` is already set on line 1; the last value counts\n --> mkdocs.yml:6:1");
    let sitemap = site.read("site/sitemap.xml");
    assert!(
        sitemap.contains("<loc>https://example.com/a</loc>"),
        "{sitemap}"
    );
}

#[test]
fn a_page_with_a_repeated_key_keeps_its_source() {
    let site = SiteTest::empty();
    site.write("hugo.toml", "baseURL = \"https://example.com/\"\n")
        .write(
            "content/a.md",
            "---\ntitle: a\nslug: x\ntitle: b\nslug: z\n---\n",
        )
        .page("public/z/index.html", "");
    site.commit("2024-05-06T07:08:09Z");
    site.waypost(&["-v"])
        .succeeded()
        .says("warning[settings-ignored]: `title` is already set on line 2; the last value counts\n --> content/a.md:4:1")
        .says("warning[settings-ignored]: `slug` is already set on line 3");
    assert_eq!(
        site.explained("source"),
        [pair("z/index.html", "content/a.md")]
    );
}
