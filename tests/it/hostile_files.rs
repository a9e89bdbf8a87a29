//! Hostile paths, links and repositories: they must not make waypost read or write files elsewhere,
//! or run programs.

use crate::limits::bounded;
use crate::platform::set_mode;
use crate::site_test::{SiteTest, pair};

#[test]
fn settings_cannot_name_paths_outside_the_site() {
    let outside = "must be inside the site root";
    for (toml, said) in [
        ("output_dir = \"..\"", outside),
        ("output_dir = \"/tmp\"", outside),
        ("source_map = [\"../secret\"]", outside),
        ("lastmod.ignore.revs_file = \"../secret\"", outside),
        ("[[rule]]\nmatch = \"**\"\nsource = \"../secret\"", outside),
        ("[sitemap]\nfile = \"../sitemap.xml\"", "sitemap.file"),
        ("[[rule]]\nmatch = \"**\"\ngroup = \"../x\"", "group"),
    ] {
        let site = SiteTest::empty();
        let settings = format!("base_url = \"https://example.com/\"\n{toml}\n");
        site.page("site/index.html", "")
            .write("secret", "s3cret = [")
            .write("site/waypost.toml", settings);
        let before = site.files();
        let outcome = bounded(&site, &["site"]).ended_with(2);
        outcome.says(said).says_nothing_of("s3cret");
        assert_eq!(site.files(), before);
    }
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
    for (name, code) in [
        ("waypost.toml", 2),
        ("robots.txt", 0),
        ("_redirects", 0),
        ("vercel.json", 0),
        ("netlify.toml", 0),
        ("hugo.toml", 2),
        ("_config.yml", 2),
    ] {
        let link = format!("site/{name}");
        site.link(&link, "../secret");
        let base = ["--base-url", "https://example.com/"];
        let outcome = bounded(&site, &[&["site", "--verbose"], &base[..]].concat());
        outcome
            .ended_with(code)
            .says("outside the site and its repository")
            .says_nothing_of("s3cret");
        site.remove(link);
    }
    let files = site.files().into_iter().filter(|file| file != "secret");
    let written: String = files.map(|file| site.read(&file)).collect();
    assert!(!written.contains("s3cret"));
}

#[test]
fn linked_sitemaps_and_feeds_do_not_disclose_other_files() {
    let index = "index --dry-run --base-url https://example.com/ site/index.xml --to site/all.xml";
    let commands = [
        "site --dry-run --verbose",
        "check site --verbose",
        "check site --json",
        &format!("{index} --json"),
    ];
    let run = |link: &str, to: &str, secret: &str, command: &str| {
        let site = SiteTest::empty();
        let url = format!("https://example.com/{link}");
        let child = format!("<sitemapindex><sitemap><loc>{url}</loc></sitemap></sitemapindex>");
        let settings = "base_url = \"https://example.com/\"\nsitemap.feeds = true\n";
        let feed = "<link rel=alternate type=application/rss+xml href=feed.xml>";
        site.write("site/waypost.toml", settings)
            .page("site/index.html", feed)
            .write("site/robots.txt", format!("Sitemap: {url}\n"))
            .write("site/index.xml", &child);
        if link == "child.xml" {
            site.write("site/sitemap.xml", child);
        }
        site.write("secret", secret)
            .write("site/own/secret", secret)
            .link(format!("site/{link}"), to);
        let outcome = bounded(&site, &command.split(' ').collect::<Vec<_>>());
        outcome.stdout + &outcome.stderr
    };
    let credentials = "https://user:s3cret@example.net/\n";
    let sitemap = "<urlset><url><loc>https://example.net/s3cret</loc></url><s3cret>";
    for (link, secret) in [
        ("sitemap.xml", credentials),
        ("sitemap.xml", sitemap),
        ("sitemap.txt", credentials),
        ("child.xml", credentials),
        ("child.xml", sitemap),
        ("feed.xml", "<rss version='2.0'>&s3cret;</rss>"),
    ] {
        for command in commands {
            let said = run(link, "../secret", secret, command);
            let is_reported = said.contains(" outside ") || said.contains(" escapes ");
            let is_silent = !said.contains("s3cret");
            assert!(is_silent && is_reported, "{link} {command}: {said}");
        }
        let inside = run(link, "own/secret", secret, commands[1]);
        assert!(inside.contains("s3cret"), "{link}: {inside}");
    }
}

#[test]
fn no_program_configured_by_a_repository_is_run() {
    let site = SiteTest::of_pages(&["index.html", "a/index.html"]);
    let owned = site.root().join("owned");
    let program = format!("touch {}", owned.display());
    site.commit("2024-05-06T00:00:00Z");
    let object = site.loose_object("HEAD^{tree}");
    let hook = format!("#!/bin/sh\n{program}\n");
    for name in ["post-checkout", "pre-auto-gc", "fsmonitor-watchman"] {
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
    let dated = pair("/a/", "2024-05-06T00:00:00Z");
    assert!(site.dates().contains(&dated), "the history is read");
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
    let with = |line: &str| (".git/config", format!("{config}[core]\n{line}\n"));
    let alternates = |line: &str| (".git/objects/info/alternates", format!("{line}\n"));
    for (file, text) in [
        with("worktree = /"),
        with("worktree = ../../.."),
        with("bare = true"),
        with("repositoryformatversion = 99"),
        alternates("/proc/self/fd"),
        alternates("../../../../../../../../etc"),
        alternates("."),
        alternates("../objects"),
        alternates("\0"),
    ] {
        site.write(".git/config", &config).write(file, &text);
        std::fs::remove_file(site.root().join("sitemap.xml")).ok(); // missing at first
        let outcome = bounded(&site, &["--verbose"]);
        let is_written = site.root().join("sitemap.xml").exists();
        assert_eq!(is_written, outcome.code != 2, "{text}");
        if is_written {
            let date = site.entries().remove(0).lastmod;
            let is_true = date.is_none_or(|date| date == "2024-05-06T00:00:00Z");
            assert!(is_true, "{text}");
        }
    }
}
