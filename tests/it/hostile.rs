//! Hostile sites: they must not make waypost read or write files elsewhere, run programs,
//! manipulate a terminal, or inject markup or pipeline commands.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;

use serde_json::Value;

use crate::limits::bounded;
use crate::site_test::{SiteTest, pair};

/// Whether a character can control a terminal or change the order of the shown text.
fn is_control_or_bidi(character: char) -> bool {
    character.is_control() && character != '\n'
        || matches!(character, '\u{61c}' | '\u{200e}' | '\u{200f}')
        || matches!(character, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// File names with sequences that are special to terminals, pipelines, shells, XML or HTML.
const NAMES: &[&str] = &[
    "a\u{1b}[31mred\u{9b}2J\u{7}.html",
    "b\n::error::c.html",
    "b\n::set-output name=x::y/index.html",
    "d%0A::warning::e%25.html",
    "f\u{202e}lmth.exe.html",
    "]]>&<!--\"'.html",
    "<script>alert(1)</script>.html",
    "\r\nSitemap: https:/evil.example/x.html",
    "x,line=9::y##[error]z.html",
    "x###[add-mask]y##vso[task.setvariable variable=a]z.html",
    "${jndi:ldap:/evil.example/a}`touch owned`$(touch owned).html",
];

fn hostile_names() -> SiteTest {
    let mut site = SiteTest::of_pages(NAMES);
    site.variable("WAYPOST_SUBMIT_KEY", "0123456789abcdef");
    site.page(OsStr::from_bytes(b"r\x9b2J\xff\x1b[2J.html"), "");
    let canonical =
        "https://example.com/\"><loc>https://evil.example/</loc>&\u{1b}]0;x\u{7}</script>";
    site.page(
        "canonical.html",
        &format!("<link rel=canonical href='{canonical}'>"),
    );
    site.page(
        "robots.html",
        "<meta name=robots content='noindex\u{1b}[2J\n::error::x'>",
    );
    site.page(
        "title.html",
        "<title></script><script>alert(1)</script>\n::error::t</title>",
    );
    site.write("robots.txt", "User-agent: *\nDisallow: /\u{1b}[31m\n");
    site
}

/// Settings with such sequences, and an output directory named with them.
fn hostile_settings() -> SiteTest {
    let site = SiteTest::empty();
    let name = "o\u{1b}[2J\n::error::o\u{9b}\u{202e}\u{200e}##[error]";
    for page in ["index.html", "rule.html", "out.html"] {
        site.page(
            format!("{name}/{page}"),
            "<meta name=robots content=noindexx>",
        );
    }
    let value = r"\u001b[2J\n::error::v\u009b\u202e\u061c\u2028##[error]";
    let settings = [
        "base_url = \"https://example.com/\"".to_owned(),
        r#"output_dir = "o\u001b[2J\n::error::o\u009b\u202e\u200e##[error]""#.to_owned(),
        format!("exclude = [\"{{out.html,{value}}}\"]"),
        "[[rule]]".to_owned(),
        format!("match = \"{{rule.html,{value}}}\"\nsource = \"{value}\"\nalso = [\"{value}\"]"),
        format!("[[rule]]\nmatch = \"none{value}\"\npriority = 0.5"),
    ];
    site.write("waypost.toml", settings.join("\n"));
    site
}

#[test]
fn names_and_values_of_a_site_do_not_control_the_terminal_or_the_pipeline() {
    let refused = check_output_is_inert(&hostile_names());
    assert_eq!(
        refused,
        ["init", "--unknown\n::error::##[error]"],
        "all other commands run and print hostile text"
    );
}

#[test]
fn settings_of_a_site_do_not_control_the_terminal_or_the_pipeline() {
    let site = hostile_settings();
    check_output_is_inert(&site);
    let text = site.read("waypost.toml");
    for mistake in ["url_style", r"x\u001b[2J\n::error::\u202e"] {
        site.write(
            "waypost.toml",
            format!(
                "{text}\n[sitemap]\n\"{mistake}\" = \"\\n::error::\\u001b[2J\\u202e##[error]\"\n"
            ),
        );
        check_output_is_inert(&site);
    }
    let urls = "url_style = \"\\n::error::u\\u001b[2J\\u202e##[error]\"\n\
                base_url = '''\n::error::b##[error]'''\n";
    site.write("waypost.toml", urls);
    check_output_is_inert(&site);
    let elsewhere = "../\u{1b}[2J##[error]";
    site.write("waypost.toml", "").write(
        "hugo.toml",
        format!("publishDir = '''{}'''\n", elsewhere.replace('\u{1b}', "x")),
    );
    check_output_is_inert(&site);
}

/// Runs every command and checks its output. Returns the commands that failed to run.
fn check_output_is_inert(site: &SiteTest) -> Vec<&'static str> {
    let commands: &[&[&'static str]] = &[
        &["--verbose"],
        &["--json"],
        &["--github"],
        &["check"],
        &["check", "--verbose", "--github"],
        &["check", "--json"],
        &["check", "--sarif", "log.sarif"],
        &["explain"],
        &["explain", "--json"],
        &["explain", "--settings"],
        &["explain", ".", NAMES[0], NAMES[1], "canonical.html"],
        &["report", "--to", "report.html"],
        &["report"],
        &[
            "submit",
            "--dry-run",
            "--all",
            "--endpoint",
            "https://example.org/##[error]?a=##[b]",
        ],
        &["submit", "--dry-run", "--all", "--json"],
        &["index", "--to", "all.xml", "sitemap.xml", "--verbose"],
        &[
            "index",
            "--merge",
            "--to",
            "all.xml",
            "sitemap.xml",
            "--json",
            "--verbose",
        ],
        &["init"],
        &["--unknown\n::error::##[error]"],
    ];
    let mut refused = Vec::new();
    let mut wrong: Vec<String> = Vec::new();
    for command in commands {
        let outcome = bounded(site, command);
        if outcome.code == 2 {
            refused.push(command[0]);
        }
        for (stream, text) in [("stdout", &outcome.stdout), ("stderr", &outcome.stderr)] {
            let steering = text
                .lines()
                .filter(|line| line.chars().any(is_control_or_bidi));
            wrong.extend(steering.map(|line| format!("{command:?} {stream}: {line:?}")));
            let is_ours = |line: &str| {
                let known = [
                    "::error ",
                    "::warning ",
                    "::notice ",
                    "::group::",
                    "::endgroup::",
                ];
                command.contains(&"--github") && known.iter().any(|known| line.starts_with(known))
            };
            // All output may end up in a CI log, where GitHub detects `##[…]` and Azure `##vso[…]`
            // anywhere.
            let is_command = |line: &&str| {
                line.trim_start().starts_with("::") && !is_ours(line) || line.contains("##")
            };
            let strays = text.lines().filter(is_command);
            wrong.extend(strays.map(|line| format!("{command:?} {stream}: {line}")));
        }
        if command.contains(&"--json") && outcome.code != 2 {
            let objects = serde_json::Deserializer::from_str(&outcome.stdout).into_iter::<Value>();
            let objects: Result<Vec<Value>, _> = objects.collect();
            assert!(!objects.expect("JSON").is_empty(), "{command:?}");
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    if site.root().join("log.sarif").exists() {
        let _: Value = serde_json::from_str(&site.read("log.sarif")).expect("SARIF is JSON");
    }
    assert!(!site.root().join("owned").exists());
    refused
}

#[test]
fn settings_of_a_generator_do_not_control_the_terminal_or_the_pipeline() {
    let site = SiteTest::empty();
    site.write("hugo.toml", r#"publishDir = "o\u001b[2J\u202e##[error]""#)
        .page("o\u{1b}[2J\u{202e}##[error]/index.html", "");
    let outcome = bounded(&site, &["init", "--table"]).succeeded();
    let said = outcome.stdout + &outcome.stderr;
    assert!(said.contains("[error]") && !said.contains("##"), "{said}");
    assert!(!said.chars().any(is_control_or_bidi), "{said:?}");
}

#[test]
fn names_and_values_of_a_site_do_not_become_markup_or_lines() {
    let site = hostile_names();
    site.waypost(&["report", "--to", "report.html"]);
    site.waypost(&["--quiet"]);
    let urls = site.urls();
    assert!(
        urls.iter()
            .all(|url| url.starts_with("https://example.com/") && url.is_ascii()),
        "{urls:?}"
    );
    assert_eq!(
        urls.len(),
        NAMES.len() + 3,
        "only indexable files are listed: {urls:?}"
    );
    let robots = site.read("robots.txt");
    let added: Vec<_> = robots
        .lines()
        .filter(|line| line.to_lowercase().starts_with("sitemap"))
        .collect();
    assert_eq!(added, ["Sitemap: https://example.com/sitemap.xml"]);
    let tags = |report: &str| {
        ["<script", "</script", "<style", "</style"].map(|tag| report.matches(tag).count())
    };
    let harmless = SiteTest::of_pages(&["index.html"]);
    harmless.waypost(&["report", "--to", "report.html"]);
    assert_eq!(
        tags(&site.read("report.html")),
        tags(&harmless.read("report.html"))
    );
}

#[test]
fn settings_cannot_name_paths_outside_the_site() {
    let check = |toml: &str, said: &str| {
        let site = SiteTest::empty();
        site.page("site/index.html", "")
            .write("secret", "s3cret = [");
        site.write(
            "site/waypost.toml",
            format!("base_url = \"https://example.com/\"\n{toml}\n"),
        );
        let outcome = bounded(&site, &["site"]).ended_with(2);
        assert!(outcome.stderr.contains(said), "{toml}: {}", outcome.stderr);
        assert!(
            !outcome.stderr.contains("s3cret"),
            "{toml}: {}",
            outcome.stderr
        );
        assert_eq!(
            site.files(),
            ["secret", "site/index.html", "site/waypost.toml"]
        );
    };
    check("output_dir = \"..\"", "must be inside the site root");
    check("output_dir = \"/tmp\"", "must be inside the site root");
    check(
        "source_map = [\"../secret\"]",
        "must be inside the site root",
    );
    check(
        "lastmod.ignore_revs_file = \"../secret\"",
        "must be inside the site root",
    );
    check(
        "[[rule]]\nmatch = \"**\"\nsource = \"../secret\"",
        "must be inside the site root",
    );
    check(
        "[[rule]]\nmatch = \"**\"\nalso = [\"../secret\"]",
        "must be inside the site root",
    );
    check("[sitemap]\nfile = \"../sitemap.xml\"", "sitemap.file");
    check("[[rule]]\nmatch = \"**\"\ngroup = \"../x\"", "group");
    check("base_url = \"https://example.com/\"", "duplicate");
}

#[test]
fn a_base_url_cannot_inject_lines() {
    let check = |base: &str| {
        let site = SiteTest::of_pages(&["index.html"]);
        site.write("waypost.toml", "")
            .write("robots.txt", "User-agent: *\n");
        bounded(&site, &["--base-url", base]);
        let robots = site.read("robots.txt");
        assert!(
            !robots.lines().any(|line| line.starts_with("Disallow")),
            "{base:?}: {robots}"
        );
    };
    check("https://example.com/\nDisallow: /");
    check("https://example.com/\r\nDisallow: /\r\n");
    check("https://example.com/\u{85}Disallow: /");
    check("https://example.com/?x=\nDisallow: /");
}

#[test]
fn settings_of_a_generator_cannot_move_the_output_outside_the_repository() {
    let site = SiteTest::empty();
    site.write(
        "site/hugo.toml",
        "baseURL = \"https://example.com/\"\npublishDir = \"../elsewhere\"\n",
    );
    site.page("elsewhere/index.html", "")
        .page("real/index.html", "");
    let refused = bounded(&site, &["site"]).ended_with(2);
    refused
        .says("is outside the site and its repository")
        .says("`--output-dir site/../elsewhere`");
    assert!(!site.root().join("elsewhere/sitemap.xml").exists());
    site.waypost(&["site", "-o", "elsewhere"]).succeeded();
    site.write("site/hugo.toml", "baseURL = \"https://example.com/\"\n")
        .link("site/public", "../real");
    bounded(&site, &["site"]).ended_with(2);
    assert!(!site.root().join("real/sitemap.xml").exists());
    site.commit("2024-05-06T00:00:00Z");
    bounded(&site, &["site"]).succeeded();
}

#[test]
fn links_do_not_disclose_other_files() {
    let site = SiteTest::empty();
    site.write("secret", "s3cret\n::\n[\n")
        .page("site/index.html", "");
    let base = ["--base-url", "https://example.com/"];
    let check = |link: &str, code: i32| {
        site.link(link, "../secret");
        let outcome = bounded(&site, &["site", "--verbose", base[0], base[1]]).ended_with(code);
        assert!(
            outcome
                .stderr
                .contains("outside the site and its repository"),
            "{link}: {}",
            outcome.stderr
        );
        assert!(
            !outcome.stderr.contains("s3cret"),
            "{link}: {}",
            outcome.stderr
        );
        std::fs::remove_file(site.root().join(link)).expect("the link still exists");
    };
    check("site/waypost.toml", 2);
    check("site/robots.txt", 0);
    check("site/_redirects", 0);
    check("site/vercel.json", 0);
    check("site/netlify.toml", 0);
    check("site/hugo.toml", 2);
    check("site/_config.yml", 2);
    let written = site
        .files()
        .into_iter()
        .filter(|file| file != "secret")
        .map(|file| site.read(&file));
    assert!(!written.collect::<String>().contains("s3cret"));
}

#[test]
fn linked_sitemaps_and_feeds_do_not_disclose_other_files() {
    let commands: &[&[&str]] = &[
        &["site", "--dry-run", "--verbose"],
        &["site", "--dry-run", "--json"],
        &["check", "site", "--verbose"],
        &["check", "site", "--json"],
        &[
            "index",
            "--merge",
            "--dry-run",
            "--base-url",
            "https://example.com/",
            "site/index.xml",
            "--json",
        ],
    ];
    let site = |link: &str, to: &str, secret: &str| {
        let site = SiteTest::empty();
        let child = format!(
            "<sitemapindex><sitemap><loc>https://example.com/{link}</loc></sitemap></sitemapindex>"
        );
        site.write(
            "site/waypost.toml",
            "base_url = \"https://example.com/\"\nsitemap.feeds = true\n",
        );
        site.page(
            "site/index.html",
            "<link rel=alternate type=application/rss+xml href=feed.xml>",
        );
        site.write(
            "site/robots.txt",
            format!("Sitemap: https://example.com/{link}\n"),
        )
        .write("site/index.xml", &child);
        if link == "child.xml" {
            site.write("site/sitemap.xml", child);
        }
        site.write("secret", secret)
            .write("site/own/secret", secret)
            .link(format!("site/{link}"), to);
        site
    };
    let check = |link: &str, secret: &str| {
        for command in commands {
            let outcome = bounded(&site(link, "../secret", secret), command);
            let said = format!("{}{}", outcome.stdout, outcome.stderr);
            assert!(!said.contains("s3cret"), "{link} {command:?}: {said}");
            let is_reported = said.contains(" outside ") || said.contains(" escapes ");
            assert!(is_reported, "{link} {command:?}: {said}");
        }
        let inside = bounded(&site(link, "own/secret", secret), commands[2]);
        assert!(
            inside.stderr.contains("s3cret") || inside.stdout.contains("s3cret"),
            "{link}: {}",
            inside.stderr
        );
    };
    let credentials = "https://user:s3cret@example.net/\n";
    let sitemap = "<urlset><url><loc>https://example.net/s3cret</loc></url><s3cret>";
    check("sitemap.xml", credentials);
    check("sitemap.xml", sitemap);
    check("sitemap.txt", credentials);
    check("child.xml", credentials);
    check("child.xml", sitemap);
    check("feed.xml", "<rss version='2.0'>&s3cret;</rss>");
}

#[test]
fn no_program_configured_by_a_repository_is_run() {
    let site = SiteTest::of_pages(&["index.html", "a/index.html"]);
    let owned = site.root().join("owned");
    let program = format!("touch {}", owned.display());
    site.commit("2024-05-06T00:00:00Z");
    let object = site.loose_object("HEAD^{tree}");
    let hook = format!("#!/bin/sh\n{program}\n");
    for name in [
        "post-checkout",
        "pre-auto-gc",
        "fsmonitor-watchman",
        "reference-transaction",
    ] {
        site.write(format!(".git/hooks/{name}"), &hook);
        let hook = site.root().join(".git/hooks").join(name);
        std::fs::set_permissions(hook, PermissionsExt::from_mode(0o755)).expect("we own the file");
    }
    site.write(
        ".gitattributes",
        "* filter=x diff=x merge=x working-tree-encoding=UTF-16\n",
    );
    site.write("outside.config", format!("[core]\nfsmonitor = {program}\n"));
    let config = format!(
        "[core]\nfsmonitor = {program}\nsshCommand = {program}\nhooksPath = .git/hooks\n\
         pager = {program}\neditor = {program}\n\
         [filter \"x\"]\nclean = {program}\nsmudge = {program}\nprocess = {program}\nrequired\n\
         [diff \"x\"]\ntextconv = {program}\ncommand = {program}\n\
         [credential]\nhelper = !{program}\n[extensions]\npartialClone = origin\n\
         [remote \"origin\"]\npromisor = true\nurl = ext::sh -c {program}\n\
         uploadpack = {program}\n[include]\npath = ../outside.config\n[alias]\nlog = !{program}\n"
    );
    let old = site.read(".git/config");
    site.write(".git/config", format!("{old}{config}"));
    site.page("index.html", "<meta name=x>");
    let run_all = || {
        for command in [
            &["--verbose"][..],
            &["check"],
            &["explain"],
            &["explain", "--settings"],
        ] {
            bounded(&site, command);
            assert!(!owned.exists(), "{command:?}");
        }
    };
    run_all();
    assert!(
        site.dates().contains(&pair("/a/", "2024-05-06T00:00:00Z")),
        "the history is read: {:?}",
        site.dates()
    );
    std::fs::remove_file(&object).expect("the object is loose");
    run_all();
    assert!(!object.exists(), "a promised object is not fetched");
    site.build().says("history-incomplete");
}

#[test]
fn a_repository_that_points_elsewhere_gives_no_wrong_date() {
    let site = SiteTest::of_pages(&["index.html"]);
    site.commit("2024-05-06T00:00:00Z");
    let config = site.read(".git/config");
    let check = |what: &str| {
        bounded(&site, &["--verbose"]).succeeded();
        let date = site.entries().remove(0).lastmod;
        assert!(
            date.is_none() || date.as_deref() == Some("2024-05-06T00:00:00Z"),
            "{what}: {date:?}"
        );
    };
    for hostile in [
        "worktree = /",
        "worktree = ../../..",
        "bare = true",
        "repositoryformatversion = 99",
    ] {
        site.write(".git/config", format!("{config}[core]\n{hostile}\n"));
        check(hostile);
    }
    site.write(".git/config", config);
    for alternates in [
        "/proc/self/fd\n",
        "../../../../../../../../etc\n",
        ".\n",
        "../objects\n",
        "\0\n",
    ] {
        site.write(".git/objects/info/alternates", alternates);
        check(alternates);
    }
}
