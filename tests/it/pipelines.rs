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
    check(&[("GITHUB_ACTIONS", "true"), ("GITHUB_EVENT_NAME", "pull_request")], true);
    check(&[("GITHUB_ACTIONS", "true"), ("GITHUB_EVENT_NAME", "push")], false);
    check(&[("GITLAB_CI", "true"), ("CI_COMMIT_BRANCH", "a"), ("CI_DEFAULT_BRANCH", "main")], true);
    check(&[("GITLAB_CI", "true"), ("CI_COMMIT_BRANCH", "main"), ("CI_DEFAULT_BRANCH", "main")], false);
    check(&[("GITLAB_CI", "true"), ("CI_MERGE_REQUEST_IID", "7")], true);
    check(&[("READTHEDOCS", "True"), ("READTHEDOCS_VERSION_TYPE", "external")], true);
    check(&[("RENDER", "true"), ("IS_PULL_REQUEST", "true")], true);
    check(&[("RENDER", "true"), ("IS_PULL_REQUEST", "false")], false);
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

#[test]
fn addresses_have_the_form_that_vercel_json_asks_for() {
    let check = |vercel_json: &str, expected: [&'static str; 3]| {
        let site = site_on(&[("VERCEL", "1")]);
        site.write("vercel.json", vercel_json).build();
        assert_eq!(site.dates(), expected.map(|path| pair(path, None)), "{vercel_json}");
    };
    check("{}", ["/", "/about.html", "/docs/"]);
    check(r#"{"cleanUrls": true}"#, ["/", "/about", "/docs/"]);
    check(r#"{"cleanUrls": true, "trailingSlash": false}"#, ["/", "/about", "/docs"]);
    check(r#"{"cleanUrls": true, "trailingSlash": true}"#, ["/", "/about/", "/docs/"]);
    check(r#"{"trailingSlash": false}"#, ["/", "/about.html", "/docs"]);
    check(r#"{"trailingSlash": true}"#, ["/", "/about.html", "/docs/"]);
}

#[test]
fn the_address_of_a_single_deploy_stops_the_run() {
    let check = |address: &str, variables: &[(&str, &str)], code: i32| {
        let site = site_on(variables);
        site.write("waypost.toml", "");
        let outcome = site.waypost(&["--base-url", address]).ended_with(code);
        assert_eq!(site.root().join("sitemap.xml").exists(), code == 0 && !outcome.stderr.contains("preview build"));
        if code == 2 {
            outcome.says("is the address of a single deploy").says("hint: set `base_url` in waypost.toml");
        }
    };
    check("https://deploy-preview-7--site.netlify.app", &[], 2);
    check("https://site.netlify.app", &[], 0);
    check("https://1a2b3c4d.site.pages.dev", &[("CF_PAGES", "1")], 2);
    check("https://example.net", &[("CF_PAGES", "1"), ("CF_PAGES_URL", "https://example.net")], 2);
    let preview = [("NETLIFY", "true"), ("CONTEXT", "deploy-preview"), ("DEPLOY_PRIME_URL", "https://example.net")];
    check("https://example.net", &preview, 0);
}
