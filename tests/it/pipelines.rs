//! Effects of the host that builds and serves the site: previews, URL forms, repositories.

use crate::dates_repositories::clone_of;
use crate::platform::change_owner;
use crate::site_test::{SiteTest, pair};

const PREVIEW: &str = "NETLIFY=true CONTEXT=deploy-preview";

fn site_on(variables: &str) -> SiteTest {
    let mut site = SiteTest::of_pages(&["index.html", "about.html", "docs/index.html", "404.html"]);
    site.variables(variables);
    site
}

#[test]
fn a_preview_build_can_write_the_sitemap_of_the_production_site() {
    let site = site_on(&format!("{PREVIEW} URL=https://production.example.com"));
    site.write("waypost.toml", "preview = \"production-urls\"\n")
        .build();
    let paths = ["", "about.html", "docs/"];
    let urls = paths.map(|path| format!("https://production.example.com/{path}"));
    assert_eq!(site.urls(), urls);
}

#[test]
fn the_host_is_named_by_the_setting_the_domain_or_its_files() {
    let check = |settings: &str, file: &str, text: &str, expected: &str| {
        let site = site_on("");
        site.settings(settings);
        if !file.is_empty() {
            site.write(file, text);
        }
        site.build();
        let paths = site.paths().join(" ");
        assert_eq!(paths, expected, "{settings} {file} {text}");
    };
    let (clean, kept) = ("/ /about /docs/", "/ /about.html /docs/");
    let clean_urls = r#"{"cleanUrls": true}"#;
    check("host = \"cloudflare-pages\"\n", "", "", clean);
    check("host = \"static\"\n", "vercel.json", clean_urls, kept);
    let both = |slash: bool| format!(r#"{{"cleanUrls": true, "trailingSlash": {slash}}}"#);
    for (text, expected) in [
        ("{}", kept),
        (clean_urls, clean),
        (&both(false), "/ /about /docs"),
        (&both(true), "/ /about/ /docs/"),
        (r#"{"trailingSlash": false}"#, "/ /about.html /docs"),
        (r#"{"trailingSlash": true}"#, kept),
    ] {
        check("", "vercel.json", text, expected);
    }
    let hosting = format!(r#"{{"hosting": {}}}"#, both(false));
    check("", "firebase.json", &hosting, "/ /about /docs");
    let pages = "pages_build_output_dir = \"public\"\n";
    check("", "wrangler.toml", pages, clean);
    let none = "{\"assets\": {\"html_handling\": \"none\"}} // Workers";
    let files = "/about.html /docs/index.html /index.html";
    check("", "wrangler.jsonc", none, files);
    let slashed = "[assets]\nhtml_handling = \"force-trailing-slash\"\n";
    check("", "wrangler.toml", slashed, "/ /about/ /docs/");
}

#[test]
fn a_canonical_link_decides_the_form_of_a_url_only_where_the_host_serves_it() {
    let check = |variable: &str, file: &str, link: &str, expected: [&'static str; 3]| {
        let site = site_on(&format!("{variable}=1"));
        let link = format!("https://example.com{link}");
        site.page(file, &format!("<link rel=canonical href={link}>"));
        let outcome = site.build();
        let text = format!("the canonical link names `{link}`, but the host serves the page at");
        let is_own = |path: &String| link.ends_with(path.as_str()) && path != "/";
        if site.paths().iter().any(is_own) {
            outcome.says_nothing_of("canonical-ignored");
        } else {
            outcome.says(&text);
        }
        assert_eq!(site.dates(), expected.map(|path| pair(path, None)));
    };
    let pages = ["/", "/about", "/docs/"];
    check("CF_PAGES", "about.html", "/about.html", pages);
    check("CF_PAGES", "about.html", "/about", pages);
    check("CF_PAGES", "docs/index.html", "/docs", pages);
    let kept = ["/", "/about.html", "/docs"];
    check("VERCEL", "docs/index.html", "/docs", kept);
    let kept = ["/", "/about.html", "/docs/"];
    check("VERCEL", "about.html", "/about", kept);
}

#[test]
fn workers_serve_reserved_characters_in_their_encoded_form() {
    let site = site_on("WORKERS_CI=1");
    let link = "<link rel=canonical href=https://example.com/tags/c++/>";
    site.page("tags/c++/index.html", link)
        .page("@user.html", "")
        .build();
    let expected = ["/", "/%40user", "/about", "/docs/", "/tags/c%2B%2B/"];
    assert_eq!(site.paths(), expected);
}

#[test]
fn the_url_of_a_single_deploy_stops_the_run() {
    let check = |address: &str, variables: &str, code: i32| {
        let site = site_on(variables);
        site.write("waypost.toml", "");
        let outcome = site.waypost(&["--base-url", address]).ended_with(code);
        let is_production = code == 0 && !outcome.stderr.contains("preview build");
        assert_eq!(site.root().join("sitemap.xml").exists(), is_production);
        if code == 2 {
            outcome
                .says("is the URL of a single deploy")
                .says("hint: set `--base-url` to the production");
        }
    };
    check("https://deploy-preview-7--site.netlify.app", "", 2);
    check("https://site.netlify.app", "", 0);
    check("https://1a2b3c4d.site.pages.dev", "CF_PAGES=1", 2);
    let own = "CF_PAGES=1 CF_PAGES_URL=https://example.net";
    check("https://example.net", own, 2);
    let preview = format!("{PREVIEW} DEPLOY_PRIME_URL=https://example.net");
    check("https://example.net", &preview, 0);
}

/// The value of `what` in the output of `explain --settings`.
fn seen(site: &SiteTest, what: &str) -> String {
    let settings = site.waypost(&["explain", "--settings"]).succeeded().stdout;
    let what = format!("# {what}");
    let line = settings.lines().find_map(|line| line.strip_prefix(&what));
    let line = line.expect("the value is shown").trim();
    line.replace(&site.root().display().to_string(), "SITE")
}

#[test]
fn missing_history_and_objects_of_the_repository_are_shown() {
    let origin = SiteTest::of_pages(&["a.html"]);
    for day in 1..=12 {
        origin
            .page("b.html", &format!("<meta name=d{day}>"))
            .commit(&format!("2024-01-{day:02}T00:00:00Z"));
    }
    origin.git(&["config", "uploadpack.allowFilter", "true"]);
    let check = |arguments: &[&str], expected: &str, dates: [Option<&'static str>; 2]| {
        let site = clone_of(&origin, arguments);
        assert_eq!(seen(&site, "repository"), expected, "{arguments:?}");
        let shallow = site.build().stderr.matches("warning[history-").count();
        assert_eq!(shallow, usize::from(dates.contains(&None)), "{arguments:?}");
        let expected = [pair("/a.html", dates[0]), pair("/b.html", dates[1])];
        assert_eq!(site.dates(), expected, "{arguments:?}");
    };
    let (first, last) = (Some("2024-01-01T00:00:00Z"), Some("2024-01-12T00:00:00Z"));
    check(&[], "SITE: complete history", [first, last]);
    check(&["--depth", "1"], "SITE: shallow clone", [None, None]);
    check(&["--depth", "10"], "SITE: shallow clone", [None, last]);
    let partial = "SITE: complete history, some objects not fetched";
    check(&["--filter", "blob:none"], partial, [first, last]);
    check(&["--filter", "tree:0"], partial, [None, None]);
    let without = seen(&SiteTest::of_pages(&["a.html"]), "repository");
    assert_eq!(without, "none, so no page gets a Git date");
}

#[test]
fn a_repository_of_another_owner_is_read_without_safe_directory() {
    let site = SiteTest::of_pages(&["a.html"]);
    site.commit("2024-01-01T00:00:00Z");
    // Only root can change the owner of a file; other users cannot run this test.
    if change_owner(&site.root().join(".git"), 12_345).is_ok() {
        assert_eq!(seen(&site, "repository"), "SITE: complete history");
        site.build();
        assert_eq!(site.dates(), [pair("/a.html", "2024-01-01T00:00:00Z")]);
    }
}

#[test]
fn a_preview_may_use_a_localhost_url() {
    for (variables, code) in [(PREVIEW, 0), ("", 1)] {
        let mut site = site_on(variables);
        site.variable("WAYPOST_LEVELS_BASE_URL_PLACEHOLDER", "deny");
        let local = "<link rel=canonical href=http://0.0.0.0:4000/>";
        site.write("waypost.toml", "").page("index.html", local);
        site.waypost(&[]).ended_with(code);
        assert!(!site.root().join("sitemap.xml").exists());
    }
}
