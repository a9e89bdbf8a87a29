//! Tests which pages are excluded by headers and redirects in the site's host files.

use crate::site_test::{SiteTest, text_or_dash};

const NETLIFY: &[(&str, &str)] = &[("NETLIFY", "true"), ("CONTEXT", "production")];
const CLOUDFLARE: &[(&str, &str)] = &[("CF_PAGES", "1")];
const VERCEL: &[(&str, &str)] = &[("VERCEL", "1"), ("VERCEL_ENV", "production")];
const NOWHERE: &[(&str, &str)] = &[];

/// A site with one host file, on a host.
fn site(host: &[(&str, &str)], file: &str, text: &str) -> SiteTest {
    let mut site = SiteTest::of_pages(&[
        "index.html",
        "about/index.html",
        "blog/a.html",
        "blog/b.html",
    ]);
    site.settings("url_style = \"keep\"\n").write(file, text);
    for (name, value) in host {
        site.variable(name, value);
    }
    site
}

/// The excluded files, each with its reason and evidence.
fn left_out(site: &SiteTest) -> Vec<String> {
    let pages = site
        .explain()
        .into_iter()
        .filter(|(_, page)| page["listed"] == false);
    let shown = |(file, page): (String, serde_json::Value)| {
        let [reason, evidence] = ["reason", "evidence"].map(|key| text_or_dash(&page, key));
        format!("{file}: {reason}: {evidence}")
    };
    pages.map(shown).collect()
}

#[track_caller]
fn check(host: &[(&str, &str)], file: &str, text: &str, expected: &[&str]) {
    assert_eq!(
        left_out(&site(host, file, text)),
        expected,
        "{file}: {text}"
    );
}

// The rules of each host in detail: `host_cases.rs`, which compares with the hosts' own code.

#[test]
fn an_x_robots_tag_header_counts_like_a_robots_tag() {
    let noindex = "/blog/a.html\n  X-Robots-Tag: noindex\n";
    let excluded = &["blog/a.html: noindex: _headers:2: X-Robots-Tag: noindex"];
    for host in [NOWHERE, NETLIFY, CLOUDFLARE] {
        check(host, "_headers", noindex, excluded);
    }
    check(VERCEL, "_headers", noindex, &[]);
}

#[test]
fn a_canonical_link_header_counts_like_the_tag() {
    check(
        NETLIFY,
        "_headers",
        "/blog/b.html\n  Link: </x.css>; rel=preload, \
         <https://example.com/blog/a.html>; rel=\"canonical\"\n",
        &[
            "blog/b.html: canonical-elsewhere: _headers:2: Link: </x.css>; rel=preload, \
           <https://example.com/blog/a.html>; rel=\"canonical\"",
        ],
    );
    let own = site(
        NETLIFY,
        "_headers",
        "/blog/b.html\n  Link: </blog/b>; rel=canonical\n",
    );
    own.build();
    let urls = own.urls();
    let with_own_link = "https://example.com/blog/b".to_owned();
    assert!(urls.contains(&with_own_link), "{urls:?}");
}

#[test]
fn only_a_redirect_that_takes_precedence_over_a_page_excludes_it() {
    let forced = &["about/index.html: redirect: _redirects:1: 301 to /"];
    check(NETLIFY, "_redirects", "/about / 301!\n", forced);
    check(NETLIFY, "_redirects", "/about / 301\n", &[]);
    let moved = &["about/index.html: redirect: _redirects:1: 302 to /new"];
    check(CLOUDFLARE, "_redirects", "/about/ /new\n", moved);
}

#[test]
fn the_tables_of_netlify_toml_apply() {
    let headers = "[build]\npublish = \".\"\n\
                   [[headers]]\n  for = \"/about/*\"\n  \
                   [headers.values]\n  X-Robots-Tag = \"noindex\"\n";
    check(
        NOWHERE,
        "netlify.toml",
        headers,
        &["about/index.html: noindex: netlify.toml:6: X-Robots-Tag: noindex"],
    );
    check(CLOUDFLARE, "netlify.toml", headers, &[]);
    let redirect = "[[redirects]]\nfrom = \"/blog/*\"\nto = \"/\"\nstatus = 302\nforce = true\n";
    let evidence =
        ["a", "b"].map(|page| format!("blog/{page}.html: redirect: netlify.toml:1: 302 to /"));
    let evidence = [&*evidence[0], &evidence[1]];
    check(NETLIFY, "netlify.toml", redirect, &evidence);
    let conditional = format!("{redirect}conditions = {{Role = [\"admin\"]}}\n");
    check(NETLIFY, "netlify.toml", &conditional, &[]);
    let unforced = redirect.replace("force = true", "");
    check(NETLIFY, "netlify.toml", &unforced, &[]);
}

#[test]
fn on_an_unknown_host_no_file_overrides_the_file_of_another_host() {
    let site = site(
        NOWHERE,
        "_headers",
        "/blog/a.html\n  X-Robots-Tag: noindex\n",
    );
    let all = r#"{ "source": "/(.*)", "headers": [{ "key": "X-Robots-Tag", "value": "max-snippet:10" }] }"#;
    site.write("vercel.json", format!(r#"{{ "headers": [{all}] }}"#))
        .write("netlify.toml", "");
    assert_eq!(
        left_out(&site),
        ["blog/a.html: noindex: _headers:2: X-Robots-Tag: noindex"]
    );
}

#[test]
fn a_file_that_cannot_be_parsed_is_reported_at_its_place() {
    for (host, file, text) in [
        (NETLIFY, "netlify.toml", "[[headers]\n"),
        (VERCEL, "vercel.json", "{\"redirects\": [}"),
    ] {
        let place = format!("--> {file}:1:");
        let outcome = site(host, file, text).build();
        outcome.says("warning[serving-unreadable]").says(&place);
    }
}

#[test]
fn rules_of_vercel_and_firebase_that_are_not_read_are_counted_in_one_finding() {
    let rules = r#"{
  "headers": [
    { "source": "/:x", "headers": [{ "key": "X-Frame-Options", "value": "DENY" }] },
    { "source": "/blog/:x", "headers": [{ "key": "X-Robots-Tag", "value": "noindex" }] }
  ],
  "redirects": [
    { "source": "/blog/((?!a).*)", "destination": "/" },
    { "source": "/about/", "destination": "/", "has": [{ "type": "cookie", "key": "x" }] },
    { "source": "/about/", "destination": "/", "missing": [{ "type": "cookie", "key": "x" }] },
    { "source": "/blog/b.html", "destination": "/" },
    { "source": "/about/" }
  ]
}"#;
    let site_on_vercel = site(VERCEL, "vercel.json", rules);
    let count = |site: &SiteTest| site.build().stderr.matches("serving-unreadable").count();
    site_on_vercel
        .build()
        .says("5 rules are not read, from `vercel.json:4` on: 2 listed pages may be redirected")
        .says("--> vercel.json:4:")
        .says("exclude the pages that are with `exclude`");
    assert_eq!(count(&site_on_vercel), 1);
    let read = ["blog/b.html: redirect: vercel.json:10: 308 to /"];
    assert_eq!(left_out(&site_on_vercel), read);
    site(VERCEL, "vercel.json", r#"{"routes": [{"src": "/a"}]}"#)
        .build()
        .says("1 rule is not read");
    let rules = r#"{"hosting": {"redirects": [
        {"source": "/blog/*", "destination": "/"}, {"regex": "^/a", "destination": "/"},
        {"source": "/about/**", "destination": "/new/:x"}, {"source": "/about", "destination": "/x"}]}}"#;
    let site_on_firebase = site(NOWHERE, "firebase.json", rules);
    site_on_firebase.build().says("3 rules are not read");
    assert_eq!(count(&site_on_firebase), 1);
    let read = ["about/index.html: redirect: firebase.json:3: 301 to /x"];
    assert_eq!(left_out(&site_on_firebase), read);
}

#[test]
fn only_the_files_of_the_host_count() {
    let noindex = "/*\n  X-Robots-Tag: noindex\n";
    let on_github = site(NOWHERE, "_headers", noindex);
    on_github.settings("host = \"github-pages\"\n");
    assert_eq!(left_out(&on_github), [""; 0]);
    let on_netlify = site(NOWHERE, "_headers", noindex);
    on_netlify.settings("host = \"netlify\"\n");
    assert_eq!(left_out(&on_netlify).len(), 4);
}

#[test]
fn a_configuration_that_is_a_program_is_reported() {
    site(VERCEL, "vercel.ts", "export const config = {};\n")
        .build()
        .says("`vercel.ts` is not read");
}
