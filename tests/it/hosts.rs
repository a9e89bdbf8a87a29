//! The host of a site: how it is detected, which of its files count, and its error pages.

use crate::site_test::SiteTest;

const NOINDEX: &str = "/*\n  X-Robots-Tag: noindex\n";

/// A site with these files, whose base URL is set.
fn site_with(files: &[(&str, &str)]) -> SiteTest {
    let site = SiteTest::of_pages(&["index.html", "about.html", "docs/index.html"]);
    for (file, text) in files {
        site.write(file, text);
    }
    site
}

/// The paths of the listed pages.
fn listed(site: &SiteTest) -> Vec<String> {
    site.build();
    site.dates().into_iter().map(|(path, _)| path).collect()
}

const KEPT: [&str; 3] = ["/", "/about.html", "/docs/"];
const CLEAN: [&str; 3] = ["/", "/about", "/docs/"];

#[test]
fn the_environment_that_is_deployed_decides_about_the_urls_of_workers() {
    let check = |name: &str, text: &str, environment: &str, expected: [&str; 3]| {
        let mut site = site_with(&[(name, text)]);
        site.variable("CLOUDFLARE_ENV", environment);
        assert_eq!(listed(&site), expected, "{name} {environment}: {text}");
    };
    let slashed = ["/", "/about/", "/docs/"];
    let toml = "[assets]\nhtml_handling = \"none\"\n\
                [env.live.assets]\nhtml_handling = \"force-trailing-slash\"\n[env.dev]\nname = \"x\"\n";
    let exact = ["/about.html", "/docs/index.html", "/index.html"];
    check("wrangler.toml", toml, "", exact);
    check("wrangler.toml", toml, "live", slashed);
    check("wrangler.toml", toml, "dev", exact);
    check("wrangler.toml", toml, "unknown", exact);
    let json = r#"{"env": {"live": {"assets": {"html_handling": "drop-trailing-slash"}}, // x
                           "dev": {"assets": {"html_handling": "drop-trailing-slash"}}}}"#;
    check("wrangler.jsonc", json, "", ["/", "/about", "/docs"]);
    let differing = json.replacen("drop", "force", 1);
    check("wrangler.jsonc", &differing, "", CLEAN);
    check("wrangler.jsonc", &differing, "live", slashed);
    let inherited = r#"{"assets": {"html_handling": "none"}, "env": {"live": {"assets": {}}}}"#;
    check("wrangler.json", inherited, "live", CLEAN);
}

#[test]
fn only_error_pages_that_the_host_serves_are_excluded() {
    let files = [
        ("404.html", ""),
        ("200.html", ""),
        ("de/404.html", ""),
        ("pt-BR/404.html", ""),
        ("blog/404.html", ""),
        ("blog/200/index.html", ""),
    ];
    let check = |host: &[(&str, &str)], expected: &[&str]| {
        let site = site_with(&[&files[..], host].concat());
        site.page("blog/404.html", "")
            .page("blog/200/index.html", "");
        for page in ["404.html", "200.html", "de/404.html", "pt-BR/404.html"] {
            site.page(page, "");
        }
        let excluded: Vec<String> = site
            .explain()
            .into_iter()
            .filter(|(_, page)| page["reason"] == "error-page")
            .map(|(file, _)| file)
            .collect();
        assert_eq!(excluded, expected, "{host:?}");
    };
    let usual = ["200.html", "404.html", "de/404.html", "pt-BR/404.html"];
    let nested = [
        "200.html",
        "404.html",
        "blog/404.html",
        "de/404.html",
        "pt-BR/404.html",
    ];
    check(&[], &usual);
    check(&[("netlify.toml", "")], &usual);
    check(
        &[("wrangler.toml", "pages_build_output_dir = \".\"\n")],
        &nested,
    );
    check(
        &[("wrangler.toml", "[assets]\ndirectory = \".\"\n")],
        &usual,
    );
    let handling = "[assets]\nnot_found_handling = \"404-page\"\n";
    check(&[("wrangler.toml", handling)], &nested);
}

#[test]
fn the_site_of_firebase_is_the_one_with_this_output() {
    let one = r#"{"hosting": [{"target": "a", "public": "elsewhere", "cleanUrls": true}]}"#;
    assert_eq!(listed(&site_with(&[("firebase.json", one)])), CLEAN);
    let two = r#"{"hosting": [
        {"target": "a", "public": "other", "cleanUrls": true, "trailingSlash": true},
        {"target": "b", "public": "./public/", "cleanUrls": true, "redirects": [
            {"source": "/docs/**", "destination": "/new", "type": 302}]}]}"#;
    let site = SiteTest::of_pages(&[
        "public/index.html",
        "public/about.html",
        "public/docs/index.html",
    ]);
    site.settings("output_dir = \"public\"\n")
        .write("firebase.json", two);
    let pages = site.explain();
    assert_eq!(pages["about.html"]["url"], "https://example.com/about");
    assert_eq!(
        pages["docs/index.html"]["evidence"],
        "firebase.json:4: 302 to /new"
    );
    site.write("firebase.json", two.replace("./public/", "third"));
    site.build()
        .says("1 rule is not read, from `firebase.json:1` on")
        .says("--> firebase.json:1:");
}

#[test]
fn no_file_of_render_counts() {
    let mut site = site_with(&[
        ("_headers", NOINDEX),
        ("_redirects", "/about.html / 301!\n"),
    ]);
    site.variable("RENDER", "true");
    assert_eq!(listed(&site), KEPT);
}

#[test]
fn files_of_another_host_do_not_count() {
    let redirects = "/about.html / 301!\n";
    let check = |files: &[(&str, &str)], base: &str, expected: &[&str]| {
        let site = site_with(files);
        site.write("waypost.toml", format!("base_url = \"{base}\"\n"));
        site.build();
        let urls: Vec<String> = site.urls();
        let paths: Vec<&str> = urls
            .iter()
            .map(|url| url.trim_start_matches(base))
            .collect();
        assert_eq!(paths, expected, "{base} {files:?}");
    };
    let github = "https://example.github.io/repo/";
    check(
        &[("_headers", NOINDEX)],
        github,
        &["", "about.html", "docs/"],
    );
    let gitlab = "https://example.gitlab.io/repo/";
    check(
        &[("_redirects", redirects)],
        gitlab,
        &["", "about.html", "docs/"],
    );
    let wrangler = ("wrangler.toml", "[assets]\ndirectory = \".\"\n");
    let plain = ("_redirects", "/about / 301\n");
    check(&[plain, wrangler], "https://example.com/", &["", "docs/"]);
    check(
        &[plain, ("netlify.toml", "")],
        "https://example.com/",
        &["", "about.html", "docs/"],
    );
    let pages = "https://example.pages.dev/";
    check(&[plain, ("netlify.toml", "")], pages, &["", "docs/"]);
}

#[test]
fn files_above_the_site_count_up_to_the_top_of_the_repository() {
    let netlify = "[build]\nbase = \"site\"\n[[headers]]\nfor = \"/docs/*\"\n\
                   [headers.values]\nX-Robots-Tag = \"noindex\"\n\
                   [[redirects]]\nfrom = \"/about.html\"\nto = \"/\"\nforce = true\n";
    let site = SiteTest::empty();
    for page in ["index.html", "about.html", "docs/index.html"] {
        site.page(format!("work/packages/site/{page}"), "");
    }
    site.write(
        "work/packages/site/waypost.toml",
        "base_url = \"https://example.com/\"\n",
    );
    site.write("vercel.json", r#"{"cleanUrls": true}"#);
    let urls = |message: &str| {
        site.waypost(&["work/packages/site"]).succeeded();
        let file = site.read("work/packages/site/sitemap.xml");
        let count = file.matches("<loc>").count();
        std::fs::remove_file(site.root().join("work/packages/site/sitemap.xml")).expect(message);
        count
    };
    site.write("work/netlify.toml", netlify);
    assert_eq!(
        urls("outside a repository, only the site's own files count"),
        3
    );
    site.write("work/.git/HEAD", "ref: refs/heads/main\n");
    assert_eq!(urls("the file above the site counts"), 1);
    site.write("work/packages/netlify.toml", "");
    assert_eq!(urls("the nearest file counts"), 3);
}

#[test]
fn explain_names_the_host_and_the_line_that_decides() {
    let site = site_with(&[("netlify.toml", ""), ("_headers", NOINDEX)]);
    let check = |site: &SiteTest, host: &str| {
        let has = |arguments: &[&str], text: &str| {
            let shown = site.waypost(arguments).succeeded().stdout;
            assert!(shown.contains(text), "{text}: {shown}");
        };
        has(&["explain", "--settings"], host);
        let line = "_headers:2: X-Robots-Tag: noindex";
        has(&["explain", ".", "about.html"], line);
    };
    check(&site, "Netlify, from netlify.toml");
    site.settings("host = \"cloudflare-pages\"\n");
    check(&site, "Cloudflare Pages, from the settings");
    site.write(
        "waypost.toml",
        "base_url = \"https://example.pages.dev/\"\n",
    );
    check(&site, "Cloudflare Pages, from the domain example.pages.dev");
    let mut on_netlify = site_with(&[("wrangler.toml", "[assets]\n"), ("_headers", NOINDEX)]);
    on_netlify.variable("NETLIFY", "true");
    check(&on_netlify, "Netlify, from the environment");
}

#[test]
fn every_command_reports_a_configuration_that_is_a_program() {
    let site = site_with(&[("vercel.ts", "export const config = {};\n")]);
    site.build();
    for command in [&[][..], &["check"], &["explain"]] {
        site.waypost(command).says("`vercel.ts` is not read");
    }
    site.waypost(&["report", "--to", "report.html"]).succeeded();
    assert!(
        site.read("report.html")
            .contains("is not read, so its redirects")
    );
}

#[test]
fn headers_of_amplify_are_reported_as_unread_where_amplify_is_the_host() {
    let headers = "customHeaders:\n  - pattern: '**'\n    headers:\n      - key: X-Robots-Tag\n        value: noindex\n";
    let site = site_with(&[("customHttp.yml", headers)]);
    site.build().says_nothing_of("customHttp.yml");
    site.settings("host = \"amplify\"\n");
    for command in [&[][..], &["check"], &["explain"]] {
        let outcome = site.waypost(command);
        outcome.says("`customHttp.yml` is not read, so its redirects and headers are unknown");
    }
}

#[test]
fn a_redirect_of_vercel_has_the_status_that_vercel_sends() {
    let check = |keys: &str, status: u16| {
        let rule = format!(r#"{{"source": "/about.html", "destination": "/"{keys}}}"#);
        let site = site_with(&[("vercel.json", &format!(r#"{{"redirects": [{rule}]}}"#))]);
        let evidence = &site.explain()["about.html"]["evidence"];
        assert_eq!(evidence, &format!("vercel.json:1: {status} to /"));
    };
    check("", 308);
    check(r#", "permanent": true"#, 308);
    check(r#", "permanent": false"#, 307);
    check(r#", "statusCode": 301"#, 301);
}

#[test]
fn netlify_replaces_pages_by_forced_rewrites_and_ignores_the_case_of_header_paths() {
    let headers = "/DOCS/*\n  X-Robots-Tag: noindex\n";
    let files = [
        ("_headers", headers),
        ("_redirects", "/about.html / 200!\n"),
    ];
    let site = site_with(&files);
    site.settings("host = \"netlify\"\n");
    assert_eq!(listed(&site), ["/"]);
    let pages = site.explain();
    assert_eq!(pages["about.html"]["evidence"], "_redirects:1: 200 to /");
    assert_eq!(
        pages["docs/index.html"]["evidence"],
        "_headers:2: X-Robots-Tag: noindex"
    );
}

#[test]
fn a_table_of_routes_of_azure_is_reported_as_unread_also_in_the_output() {
    let routes = r#"{"routes": [{"route": "/about.html", "redirect": "/"}]}"#;
    for file in [
        "staticwebapp.config.json",
        "public/staticwebapp.config.json",
    ] {
        let site = SiteTest::of_pages(&["public/index.html", "public/about.html"]);
        site.settings("output_dir = \"public\"\n")
            .write(file, routes);
        let text =
            "`staticwebapp.config.json` is not read, so its redirects and headers are unknown";
        site.build().says(text);
    }
}

#[test]
fn pages_that_need_a_password_of_netlify_are_excluded() {
    let toml = "[[headers]]\nfor = \"/docs/*\"\n[headers.values]\nBasic-Auth = \"me:secret\"\n";
    for (file, text, evidence) in [
        (
            "_headers",
            "/docs/*\n  Basic-Auth: me:secret\n",
            "_headers:2: Basic-Auth",
        ),
        ("netlify.toml", toml, "netlify.toml:4: Basic-Auth"),
    ] {
        let mut site = site_with(&[(file, text)]);
        site.variable("NETLIFY", "true");
        assert_eq!(listed(&site), ["/", "/about.html"]);
        let page = &site.explain()["docs/index.html"];
        assert_eq!(
            (&page["reason"], &page["evidence"]),
            (&"noindex".into(), &evidence.into())
        );
        site.variable("NETLIFY", "").variable("CF_PAGES", "1");
        assert_eq!(listed(&site), CLEAN);
    }
}

#[test]
fn an_unknown_host_is_reported_where_pages_depend_on_it() {
    let check = |files: &[(&str, &str)], expected: Option<&str>| {
        let site = site_with(files);
        match expected {
            Some(text) => site.build().says(text),
            None => site.build().says_nothing_of("host-unknown"),
        };
    };
    let redirect = ("_redirects", "/docs/ /x 301\n");
    let other = ("_redirects", "/old /x 301\n");
    let as_warning = "warning[host-unknown]: the host is unknown, but `_redirects` exists: it is \
                      read as by Netlify; Cloudflare would redirect 1 listed page";
    check(&[redirect], Some(as_warning));
    let as_note = "note[host-unknown]: the host is unknown, but `_redirects` exists: Cloudflare would \
                   redirect 1 listed page to the URL without `.html`";
    check(&[other], Some(as_note));
    check(&[], None);
    check(&[redirect, ("netlify.toml", "")], None);
    check(
        &[
            redirect,
            (
                "waypost.toml",
                "base_url = \"https://example.com/\"\nhost = \"static\"\n",
            ),
        ],
        None,
    );
    let site = site_with(&[other]);
    std::fs::remove_file(site.root().join("about.html")).expect("a page");
    site.build().says_nothing_of("host-unknown");
}

#[test]
fn headers_of_netlifys_production_context_replace_the_others() {
    let header = |table: &str, path: &str| {
        format!("[[{table}]]\nfor = \"{path}\"\n[{table}.values]\nX-Robots-Tag = \"noindex\"\n")
    };
    let all = header("headers", "/docs/");
    let text = format!(
        "{all}{}",
        header("context.production.headers", "/about.html")
    );
    assert_eq!(
        listed(&site_with(&[("netlify.toml", &text)])),
        ["/", "/docs/"]
    );
    let text = format!("{all}{}", header("context.staging.headers", "/about.html"));
    assert_eq!(
        listed(&site_with(&[("netlify.toml", &text)])),
        ["/", "/about.html"]
    );
}

#[test]
fn pretty_urls_of_netlify_are_listed() {
    let check = |text: &str, expected: [&str; 3]| {
        assert_eq!(
            listed(&site_with(&[("netlify.toml", text)])),
            expected,
            "{text}"
        );
    };
    check("[build.processing.html]\npretty_urls = true\n", CLEAN);
    check("[build.processing.html]\npretty_urls = false\n", KEPT);
}
