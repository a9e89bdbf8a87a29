//! What the host that builds and serves the site changes: previews, and the form of addresses.

use crate::site_test::{SiteTest, pair};

fn site_on(variables: &[(&str, &str)]) -> SiteTest {
    let mut site = SiteTest::of_pages(&["index.html", "about.html", "docs/index.html", "404.html"]);
    for (name, value) in variables {
        site.variable(name, value);
    }
    site
}

#[test]
fn a_preview_build_writes_nothing_and_says_so() {
    let check = |variables: &[(&str, &str)], is_preview: bool| {
        let site = site_on(variables);
        let before = site.files();
        let outcome = site.build();
        assert_eq!(site.files() == before, is_preview, "{variables:?}");
        assert_eq!(outcome.stderr.contains("preview build"), is_preview, "{variables:?}: {}", outcome.stderr);
    };
    check(&[("NETLIFY", "true"), ("CONTEXT", "deploy-preview")], true);
    check(&[("NETLIFY", "true"), ("CONTEXT", "branch-deploy")], true);
    check(&[("NETLIFY", "true"), ("CONTEXT", "production")], false);
    check(&[("VERCEL", "1"), ("VERCEL_ENV", "preview")], true);
    check(&[("VERCEL", "1"), ("VERCEL_ENV", "production")], false);
    check(&[("GITHUB_ACTIONS", "true")], false);
    check(&[("CONTEXT", "deploy-preview")], false);
}

#[test]
fn a_preview_build_can_write_the_sitemap_of_the_production_site() {
    let site =
        site_on(&[("NETLIFY", "true"), ("CONTEXT", "deploy-preview"), ("URL", "https://production.example.com")]);
    site.write("waypost.toml", "preview = \"production-urls\"\n").build();
    let urls = ["", "about.html", "docs/"].map(|path| format!("https://production.example.com/{path}"));
    assert_eq!(site.urls(), urls);
}

#[test]
fn addresses_have_the_form_in_which_the_host_serves_them() {
    let check = |variables: &[(&str, &str)], urls: &str, expected: [&'static str; 3]| {
        let site = site_on(variables);
        site.settings(&format!("urls = \"{urls}\"\n")).build();
        assert_eq!(site.dates(), expected.map(|path| pair(path, None)), "{variables:?} {urls}");
    };
    check(&[], "host", ["/", "/about.html", "/docs/"]);
    check(&[("CF_PAGES", "1")], "host", ["/", "/about", "/docs/"]);
    check(&[("CF_PAGES", "1")], "keep", ["/", "/about.html", "/docs/"]);
    check(&[], "clean", ["/", "/about", "/docs/"]);
}

#[test]
fn the_pages_own_canonical_links_win_over_the_form_of_the_host() {
    let site = site_on(&[("CF_PAGES", "1")]);
    site.page("about.html", "<link rel=canonical href=https://example.com/about.html>").build();
    assert_eq!(site.dates(), ["/", "/about.html", "/docs/"].map(|path| pair(path, None)));
}
