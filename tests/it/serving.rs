//! Tests which pages are excluded by headers and redirects in the site's host files.

use crate::site_test::SiteTest;

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
        format!(
            "{file}: {}: {}",
            page["reason"].as_str().unwrap_or("-"),
            page["evidence"].as_str().unwrap_or("-")
        )
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

#[test]
fn an_x_robots_tag_header_counts_like_a_robots_tag() {
    let noindex = "/blog/a.html\n  X-Robots-Tag: noindex\n";
    check(
        NOWHERE,
        "_headers",
        noindex,
        &["blog/a.html: noindex: _headers:2: X-Robots-Tag: noindex"],
    );
    check(
        NETLIFY,
        "_headers",
        noindex,
        &["blog/a.html: noindex: _headers:2: X-Robots-Tag: noindex"],
    );
    check(VERCEL, "_headers", noindex, &[]);
    let both = ["a", "b"]
        .map(|page| format!("blog/{page}.html: noindex: _headers:3: x-robots-tag: NOFOLLOW, None"));
    let both: Vec<String> = both
        .iter()
        .map(|line| line.replace("x-robots-tag", "X-Robots-Tag"))
        .collect();
    let both: Vec<&str> = both.iter().map(String::as_str).collect();
    check(
        NETLIFY,
        "_headers",
        "# all\n/blog/*\n\tx-robots-tag: NOFOLLOW, None\n",
        &both,
    );
    check(
        NETLIFY,
        "_headers",
        "/blog/*\n  X-Robots-Tag: otherbot: noindex\n",
        &[],
    );
    check(
        NETLIFY,
        "_headers",
        "/about\n  X-Robots-Tag: nofollow\n  \
         X-Robots-Tag: otherbot: nofollow, googlebot: noindex\n",
        &["about/index.html: noindex: _headers:3: \
             X-Robots-Tag: otherbot: nofollow, googlebot: noindex"],
    );
    check(
        CLOUDFLARE,
        "_headers",
        "/about\n  X-Robots-Tag: noindex\n",
        &[],
    );
    check(
        CLOUDFLARE,
        "_headers",
        "/*\n  X-Robots-Tag: noindex\n/*\n  ! X-Robots-Tag\n",
        &[],
    );
    check(
        CLOUDFLARE,
        "_headers",
        "https://:project.pages.dev/*\n  X-Robots-Tag: noindex\n",
        &[],
    );
    check(
        CLOUDFLARE,
        "_headers",
        "https://example.com/about/\n  X-Robots-Tag: noindex\n",
        &["about/index.html: noindex: _headers:2: X-Robots-Tag: noindex"],
    );
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
    assert!(
        own.urls()
            .contains(&"https://example.com/blog/b".to_owned()),
        "{:?}",
        own.urls()
    );
    let moved = site(
        NETLIFY,
        "_headers",
        "/blog/b\n  Link: <https://example.com/blog/a.html>; rel=canonical\n",
    );
    moved
        .write("_redirects", "/blog/b.html /blog/b 301!\n")
        .build();
    assert!(
        left_out(&moved)[0].starts_with("blog/b.html: canonical-elsewhere"),
        "{:?}",
        left_out(&moved)
    );
}

#[test]
fn only_a_redirect_that_takes_precedence_over_a_page_excludes_it() {
    let forced = &["about/index.html: redirect: _redirects:1: 301 to /"];
    check(NETLIFY, "_redirects", "/about / 301!\n", forced);
    check(NETLIFY, "_redirects", "/about / 301\n", &[]);
    check(NETLIFY, "_redirects", "/about /\n", &[]);
    check(
        NETLIFY,
        "_redirects",
        "/about / 200!\n",
        &["about/index.html: redirect: _redirects:1: 200 to /"],
    );
    check(
        NETLIFY,
        "_redirects",
        "/about /about/index.html 200!\n",
        &[],
    );
    check(NETLIFY, "_redirects", "/about / 301! Country=de\n", &[]);
    check(NETLIFY, "_redirects", "/about id=:id / 301!\n", &[]);
    check(
        NETLIFY,
        "_redirects",
        "http://example.com/* https://example.com/:splat 301!\n",
        &[],
    );
    check(NETLIFY, "_redirects", "/about/* /about/:splat 301!\n", &[]);
    check(
        NETLIFY,
        "_redirects",
        "/about/ /about 301!\n",
        &["about/index.html: redirect: _redirects:1: 301 to /about"],
    );
    check(NETLIFY, "_redirects", "/about / 301\n/about / 301!\n", &[]);
    check(
        CLOUDFLARE,
        "_redirects",
        "/about/ /new\n",
        &["about/index.html: redirect: _redirects:1: 302 to /new"],
    );
    check(CLOUDFLARE, "_redirects", "/about /about/ 301\n", &[]);
    check(
        NETLIFY,
        "_redirects",
        "/blog/:page /new/:page 302! # moved\n",
        &[
            "blog/a.html: redirect: _redirects:1: 302 to /new/:page",
            "blog/b.html: redirect: _redirects:1: 302 to /new/:page",
        ],
    );
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
    check(
        NETLIFY,
        "netlify.toml",
        redirect,
        &[&evidence[0], &evidence[1]],
    );
    check(
        NETLIFY,
        "netlify.toml",
        &format!("{redirect}conditions = {{Role = [\"admin\"]}}\n"),
        &[],
    );
    check(
        NETLIFY,
        "netlify.toml",
        &redirect.replace("force = true", ""),
        &[],
    );
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
