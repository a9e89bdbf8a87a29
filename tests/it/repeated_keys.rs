//! YAML files that set a key more than once, which most generators accept: the last value counts.

use crate::site_test::{SiteTest, pair};

#[test]
fn the_last_value_of_a_repeated_setting_counts() {
    let site = SiteTest::empty();
    site.write(
        "mkdocs.yml",
        "site_url: https://example.org/\nextra:\n  waypost:\n    url_style: keep\n    \
         url_style: clean\nsite_url: https://example.com/\n",
    );
    site.page("site/index.html", "").page("site/a.html", "");
    site.waypost(&[]).succeeded();
    let sitemap = site.read("site/sitemap.xml");
    assert!(
        sitemap.contains("<loc>https://example.com/a</loc>"),
        "{sitemap}"
    );
}

#[test]
fn a_page_with_a_repeated_key_keeps_its_source() {
    let site = SiteTest::hugo("");
    site.write(
        "content/a.md",
        "---\ntitle: a\nslug: x\ntitle: b\nslug: z\n---\n",
    )
    .page("public/z/index.html", "");
    site.commit("2024-05-06T07:08:09Z");
    site.waypost(&[]).succeeded();
    assert_eq!(
        site.explained("source"),
        [pair("z/index.html", "content/a.md")]
    );
}
