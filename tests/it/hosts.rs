//! The host of a site: how it is detected, which of its files count, and its error pages.

use crate::site_test::SiteTest;

const NOINDEX: &str = "/*\n  X-Robots-Tag: noindex\n";

/// A site with these files, whose base URL is set.
fn site_with(files: &[(&str, &str)]) -> SiteTest {
    let site = SiteTest::of_pages(&["index.html", "about.html", "docs/index.html"]);
    site.write_all(files);
    site
}

/// The paths of the listed pages.
fn listed(site: &SiteTest) -> Vec<String> {
    site.build();
    site.paths()
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
fn only_pages_for_missing_urls_are_excluded() {
    let pages = "404.html 200.html de/404.html pt-BR/404.html blog/404.html blog/404/index.html";
    let handling = "[assets]\nnot_found_handling = \"404-page\"\n";
    let usual = "200.html 404.html blog/404.html de/404.html made/404.html pt-BR/404.html";
    let all = usual.replace("200.html 404.html", "200.html 404.html about/404.html");
    for (file, text, expected) in [
        ("notes.txt", "", usual),
        ("netlify.toml", "", usual),
        ("wrangler.toml", "[assets]\ndirectory = \".\"\n", usual),
        ("wrangler.toml", handling, &all),
    ] {
        let site = site_with(&[(file, text)]);
        for page in pages.split(' ') {
            site.page(page, "");
        }
        // A page that is about the number, unless a generator made it.
        let own = "<link rel=canonical href=404.html>";
        let made = format!("<meta name=generator content=x>{own}");
        site.page("about/404.html", own)
            .page("made/404.html", &made);
        let explained = site.explained("reason").into_iter();
        let excluded = explained.filter(|(_, reason)| reason.as_deref() == Some("error-page"));
        let excluded: Vec<String> = excluded.map(|(file, _)| file).collect();
        assert_eq!(excluded.join(" "), expected, "{file}: {text}");
    }
}

#[test]
fn the_site_of_firebase_is_the_one_with_this_output() {
    let one = r#"{"hosting": [{"target": "a", "public": "elsewhere", "cleanUrls": true}]}"#;
    assert_eq!(listed(&site_with(&[("firebase.json", one)])), CLEAN);
    let two = r#"{"hosting": [
        {"target": "a", "public": "other", "cleanUrls": true, "trailingSlash": true},
        {"target": "b", "public": "./public/", "cleanUrls": true, "redirects": [
            {"source": "/docs/**", "destination": "/new", "type": 302}]}]}"#;
    let site = SiteTest::of_pages(&["public/about.html"]);
    site.index_pages("public", "/ docs/")
        .settings("output_dir = \"public\"\n")
        .write("firebase.json", two);
    let pages = site.explain();
    assert_eq!(pages["about.html"]["url"], "https://example.com/about");
    let evidence = &pages["docs/index.html"]["evidence"];
    assert_eq!(evidence, "firebase.json:4: 302 to /new");
    site.write("firebase.json", two.replace("./public/", "third"));
    site.build()
        .says("1 rule is not read, from `firebase.json:1` on")
        .says("--> firebase.json:1:");
}

#[test]
fn files_of_another_host_do_not_count() {
    let headers = ("_headers", NOINDEX);
    let forced = ("_redirects", "/about.html / 301!\n");
    let plain = ("_redirects", "/about / 301\n");
    let wrangler = ("wrangler.toml", "[assets]\ndirectory = \".\"\n");
    let netlify = ("netlify.toml", "");
    let (all, part) = (["", "about.html", "docs/"], ["", "docs/"]);
    for (files, base, expected) in [
        (&[headers][..], "https://example.github.io/repo/", &all[..]),
        (&[forced], "https://example.gitlab.io/repo/", &all),
        (&[plain, wrangler], "https://example.com/", &part),
        (&[plain, netlify], "https://example.com/", &all),
        (&[plain, netlify], "https://example.pages.dev/", &part),
    ] {
        let site = site_with(files);
        site.write("waypost.toml", format!("base_url = \"{base}\"\n"))
            .build();
        let expected = expected.iter().map(|path| format!("{base}{path}"));
        assert_eq!(site.urls(), expected.collect::<Vec<_>>(), "{files:?}");
    }
    let mut on_render = site_with(&[headers, forced]);
    on_render.variable("RENDER", "true");
    assert_eq!(listed(&on_render), KEPT);
}

#[test]
fn files_above_the_site_count_up_to_the_top_of_the_repository() {
    let site = SiteTest::empty();
    let dir = "work/packages/site";
    let base = "base_url = \"https://example.com/\"\n";
    site.index_pages(dir, "/ docs/")
        .page(format!("{dir}/about.html"), "")
        .write(format!("{dir}/waypost.toml"), base)
        .write("vercel.json", r#"{"cleanUrls": true}"#)
        .write(
            "work/netlify.toml",
            "[build]\nbase = \"site\"\n[[headers]]\nfor = \"/docs/*\"\n\
             [headers.values]\nX-Robots-Tag = \"noindex\"\n\
             [[redirects]]\nfrom = \"/about.html\"\nto = \"/\"\nforce = true\n",
        );
    let outside = "outside a repository, only the site's own files count";
    for (new_file, expected, why) in [
        ("notes", 3, outside),
        ("work/.git/HEAD", 1, "the file above the site counts"),
        ("work/packages/netlify.toml", 3, "the nearest file counts"),
    ] {
        let is_head = new_file.ends_with("HEAD");
        let head = "ref: refs/heads/main\n";
        site.write(new_file, if is_head { head } else { "" });
        site.waypost(&[dir]).succeeded();
        let file = format!("{dir}/sitemap.xml");
        assert_eq!(site.entries_of(&file).len(), expected, "{why}");
        site.remove(file);
    }
}

#[test]
fn explain_names_the_host_and_the_line_that_decides() {
    let check = |site: &SiteTest, host: &str| {
        let shown = site.waypost(&["explain", "--settings"]).succeeded().stdout;
        assert!(shown.contains(host), "{shown}");
        let evidence = &site.explain()["about.html"]["evidence"];
        assert_eq!(evidence, "_headers:2: X-Robots-Tag: noindex");
    };
    let mut site = site_with(&[("netlify.toml", ""), ("_headers", NOINDEX)]);
    check(&site, "Netlify, from netlify.toml");
    site.settings("host = \"cloudflare-pages\"\n");
    check(&site, "Cloudflare Pages, from the settings");
    let base = "base_url = \"https://example.pages.dev/\"\n";
    site.write("waypost.toml", base);
    check(&site, "Cloudflare Pages, from the domain example.pages.dev");
    site.settings("").write("wrangler.toml", "[assets]\n");
    site.variable("NETLIFY", "true");
    check(&site, "Netlify, from the environment");
}

#[test]
fn every_command_reports_a_configuration_that_is_not_read() {
    let unread = "is not read, so its redirects and headers are unknown";
    let headers = "customHeaders:\n  - pattern: '**'\n";
    for (file, text, host) in [
        ("vercel.ts", "export const config = {};\n", ""),
        ("customHttp.yml", headers, "host = \"amplify\"\n"),
        ("staticwebapp.config.json", r#"{"routes": []}"#, ""),
    ] {
        let site = site_with(&[(file, text)]);
        site.settings(host).build();
        for command in [&[][..], &["check"], &["explain"]] {
            site.waypost(command).says(&format!("`{file}` {unread}"));
        }
        site.waypost(&["report", "--to", "report.html"]).succeeded();
        assert!(site.read("report.html").contains(unread), "{file}");
    }
    let elsewhere = site_with(&[("customHttp.yml", headers)]);
    elsewhere.build().says_nothing_of("customHttp.yml");
    let in_output = SiteTest::of_pages(&["public/index.html"]);
    in_output
        .settings("output_dir = \"public\"\n")
        .write("public/staticwebapp.config.json", "{}");
    in_output.build().says(unread);
}

#[test]
fn a_redirect_of_vercel_has_the_status_that_vercel_sends() {
    for (keys, status) in [
        ("", 308),
        (r#", "permanent": true"#, 308),
        (r#", "permanent": false"#, 307),
        (r#", "statusCode": 301"#, 301),
    ] {
        let rule = format!(r#"{{"source": "/about.html", "destination": "/"{keys}}}"#);
        let site = site_with(&[("vercel.json", &format!(r#"{{"redirects": [{rule}]}}"#))]);
        let evidence = &site.explain()["about.html"]["evidence"];
        assert_eq!(evidence, &format!("vercel.json:1: {status} to /"));
    }
}

#[test]
fn netlify_replaces_pages_by_forced_rewrites_and_ignores_the_case_of_header_paths() {
    let site = site_with(&[
        ("_headers", "/DOCS/*\n  X-Robots-Tag: noindex\n"),
        ("_redirects", "/about.html / 200!\n"),
    ]);
    site.settings("host = \"netlify\"\n");
    assert_eq!(listed(&site), ["/"]);
    let evidence = &site.explain()["about.html"]["evidence"];
    assert_eq!(evidence, "_redirects:1: 200 to /");
}

#[test]
fn pages_that_need_a_password_of_netlify_are_excluded() {
    let toml = "[[headers]]\nfor = \"/docs/*\"\n[headers.values]\nBasic-Auth = \"me:secret\"\n";
    let headers = "/docs/*\n  Basic-Auth: me:secret\n";
    for (file, text, line) in [("_headers", headers, 2), ("netlify.toml", toml, 4)] {
        let mut site = site_with(&[(file, text)]);
        site.variable("NETLIFY", "true");
        assert_eq!(listed(&site), ["/", "/about.html"]);
        let page = &site.explain()["docs/index.html"];
        assert_eq!(page["reason"], "noindex");
        assert_eq!(page["evidence"], format!("{file}:{line}: Basic-Auth"));
        site.variable("NETLIFY", "").variable("CF_PAGES", "1");
        assert_eq!(listed(&site), CLEAN);
    }
}

#[test]
fn an_unknown_host_is_reported_where_pages_depend_on_it() {
    let redirect = ("_redirects", "/docs/ /x 301\n");
    let other = ("_redirects", "/old /x 301\n");
    for (files, settings, expected) in [
        (&[redirect][..], "", "warning[host-unknown]"),
        (&[other], "", "note[host-unknown]"),
        (&[], "", ""),
        (&[redirect, ("netlify.toml", "")], "", ""),
        (&[redirect], "host = \"static\"\n", ""),
    ] {
        let site = site_with(files);
        let printed = site.settings(settings).build().stderr;
        let found = printed.lines().find(|line| line.contains("[host-unknown]"));
        let found = found.and_then(|line| line.split(':').next());
        assert_eq!(found.unwrap_or_default(), expected, "{files:?} {settings}");
    }
    let site = site_with(&[other]);
    site.remove("about.html");
    site.build().says_nothing_of("host-unknown");
}

#[test]
fn headers_of_netlifys_production_context_replace_the_others() {
    let header = |table: &str, path: &str| {
        format!("[[{table}]]\nfor = \"{path}\"\n[{table}.values]\nX-Robots-Tag = \"noindex\"\n")
    };
    let all = header("headers", "/docs/");
    for (context, expected) in [("production", "/docs/"), ("staging", "/about.html")] {
        let own = header(&format!("context.{context}.headers"), "/about.html");
        let site = site_with(&[("netlify.toml", &format!("{all}{own}"))]);
        assert_eq!(listed(&site), ["/", expected]);
    }
}

#[test]
fn pretty_urls_of_netlify_are_listed() {
    for (value, expected) in [("true", CLEAN), ("false", KEPT)] {
        let text = format!("[build.processing.html]\npretty_urls = {value}\n");
        assert_eq!(listed(&site_with(&[("netlify.toml", &text)])), expected);
    }
}
