//! Hostile paths, links and repositories: they must not make waypost read or write files elsewhere,
//! or run programs.

use crate::limits::bounded;
use crate::platform::set_mode;
use crate::site_test::{SiteTest, pair};

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
        "lastmod.ignore.revs_file = \"../secret\"",
        "must be inside the site root",
    );
    check(
        "[[rule]]\nmatch = \"**\"\nsource = \"../secret\"",
        "must be inside the site root",
    );
    check("[sitemap]\nfile = \"../sitemap.xml\"", "sitemap.file");
    check("[[rule]]\nmatch = \"**\"\ngroup = \"../x\"", "group");
    check("base_url = \"https://example.com/\"", "duplicate");
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
        .says("`--output-dir elsewhere`");
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
            "--dry-run",
            "--base-url",
            "https://example.com/",
            "site/index.xml",
            "--to",
            "site/all.xml",
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
        set_mode(&site.root().join(".git/hooks").join(name), 0o755);
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
        std::fs::remove_file(site.root().join("sitemap.xml")).ok(); // missing at first
        let outcome = bounded(&site, &["--verbose"]);
        if outcome.code == 2 {
            assert!(!site.root().join("sitemap.xml").exists(), "{what}");
            return;
        }
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
