//! Errors that stop a run: exit code 2, a message with the cause, a hint, and no file changed.

use crate::platform::set_mode;
use crate::site_test::SiteTest;

/// Asserts that a run fails with exit code 2, prints each text in `said` and changes no file.
#[track_caller]
fn cannot_run(site: &SiteTest, arguments: &[&str], said: &[&str]) {
    let had_sitemap = site.root().join("sitemap.xml").is_file();
    if had_sitemap {
        site.write("sitemap.xml", "as it was");
    }
    let before = site.files();
    let outcome = site.waypost(arguments).ended_with(2);
    assert_eq!(outcome.stdout, "");
    assert!(outcome.stderr.starts_with("error: "), "{}", outcome.stderr);
    for part in said {
        assert!(
            outcome.stderr.contains(part),
            "`{part}` is missing:\n{}",
            outcome.stderr
        );
    }
    assert_eq!(site.files(), before);
    assert!(!had_sitemap || site.read("sitemap.xml") == "as it was");
}

fn built_site() -> SiteTest {
    let site = SiteTest::of_pages(&["index.html"]);
    site.build();
    site
}

#[test]
fn a_directory_that_does_not_exist_stops_the_run() {
    cannot_run(
        &built_site(),
        &["nowhere"],
        &["no such directory: `nowhere`", "hint: pass the site root"],
    );
}

#[test]
fn a_command_or_a_page_in_place_of_the_site_gets_a_hint() {
    let first = "hint: `check` is a command; commands go before options: `waypost check`";
    for option in ["--dry-run", "-v", "--strict"] {
        cannot_run(
            &built_site(),
            &[option, "check"],
            &["no such directory: `check`", first],
        );
    }
    cannot_run(
        &built_site(),
        &["buid"],
        &[
            "no such directory: `buid`",
            "hint: did you mean the command `waypost build`?",
        ],
    );
    let page = "hint: to explain a page, name the site first: `waypost explain . prices`";
    let said = ["no such directory: `prices`", page];
    cannot_run(&built_site(), &["explain", "prices"], &said);
}

#[test]
fn a_file_in_place_of_the_site_stops_the_run() {
    cannot_run(
        &built_site(),
        &["index.html"],
        &[
            "`index.html` is not a directory",
            "hint: pass its directory, `.`",
        ],
    );
}

#[test]
fn a_directory_without_a_page_stops_the_run() {
    let site = built_site();
    site.write("empty/notes.txt", "");
    let arguments = ["empty", "--base-url", "https://example.com/"];
    cannot_run(
        &site,
        &arguments,
        &["no page found in `empty`", "hint: build the site first"],
    );
    let site = SiteTest::empty();
    std::fs::create_dir(site.root().join("public")).expect("a directory");
    cannot_run(
        &site,
        &arguments[1..],
        &["no site found in `.`", "hint: build"],
    );
}

#[test]
fn an_output_directory_that_does_not_exist_stops_the_run() {
    let site = SiteTest::empty();
    site.write("config.toml", "base_url = \"https://example.com\"\n");
    cannot_run(&site, &[], &["public", "hint: build the site first"]);
}

#[test]
fn a_site_without_a_base_url_stops_the_run() {
    let site = SiteTest::empty();
    site.page("index.html", "");
    cannot_run(
        &site,
        &[],
        &[
            "no base URL",
            "hint: set `base_url` in waypost.toml, or pass `--base-url",
        ],
    );
}

#[test]
fn an_invalid_base_url_stops_the_run() {
    cannot_run(
        &built_site(),
        &["--base-url", "ftp://example.com/"],
        &["`--base-url`", "`ftp:`"],
    );
    cannot_run(
        &built_site(),
        &["--base-url", "example.com"],
        &["`--base-url`", "`example.com`"],
    );
}

#[test]
fn settings_that_are_not_valid_toml_stop_the_run() {
    let site = built_site();
    site.settings("[sitemap\n");
    cannot_run(&site, &[], &["waypost.toml:2"]);
}

#[test]
fn malformed_settings_of_a_generator_stop_the_run_and_show_the_line() {
    let check = |file: &str, text: &str, said: &str| {
        let site = SiteTest::empty();
        site.write(file, text).page("public/index.html", "");
        cannot_run(
            &site,
            &[],
            &[
                &format!("error: ./{file}{said}\n"),
                "hint: fix the settings; if they belong",
            ],
        );
    };
    check(
        "hugo.toml",
        "title = 'x'\nbaseURL = \n",
        ":2: string values must be quoted, expected literal string",
    );
    check(
        "config.toml",
        "title = 'x'\nbase_url = \n",
        ":2: string values must be quoted, expected literal string",
    );
    check(
        "mkdocs.yml",
        "\u{feff}a: 1\nb: [\nc: 2\n",
        ":2: unclosed bracket '['",
    );
    check("hugo.json", "{\n\"a\": 1,\n}", ":3: trailing comma");
}

#[test]
fn a_mistake_in_the_settings_stops_the_run() {
    let check = |text: &str, said: &[&str]| {
        let site = built_site();
        site.settings(text);
        cannot_run(&site, &[], said);
    };
    check(
        "robots_text.update = false\n",
        &[
            "unknown key `robots_text.update`",
            "waypost.toml:2:1",
            "did you mean `robots_txt`?",
        ],
    );
    check(
        "[[rule]]\nmatch = \"a\"\nchangefreq = \"annually\"\n",
        &["annually", "weekly", "waypost.toml:4:1"],
    );
}

#[test]
fn a_configuration_file_that_does_not_exist_stops_the_run() {
    cannot_run(
        &built_site(),
        &["--config", "other.toml"],
        &[
            "other.toml",
            "hint: pass a path relative to the working directory: `--config FILE`",
        ],
    );
}

#[test]
fn an_invalid_environment_variable_stops_the_run() {
    let mut site = built_site();
    site.variable("WAYPOST_BASE_URL", "nowhere");
    cannot_run(&site, &[], &["`WAYPOST_BASE_URL`"]);
    let mut site = built_site();
    site.variable("SOURCE_DATE_EPOCH", "soon");
    cannot_run(
        &site,
        &[],
        &["`SOURCE_DATE_EPOCH` is `soon`, not a number of seconds"],
    );
}

#[test]
fn an_unknown_flag_stops_the_run() {
    cannot_run(
        &built_site(),
        &["--base-uri", "https://example.com/"],
        &["'--base-uri'", "--base-url", "--help"],
    );
}

#[test]
fn a_directory_in_place_of_the_sitemap_stops_the_run() {
    let site = SiteTest::of_pages(&["index.html"]);
    site.write("sitemap.xml/keep", "");
    cannot_run(
        &site,
        &[],
        &[
            "`./sitemap.xml` is a directory",
            "hint: choose another name, with `sitemap.file` for a sitemap",
        ],
    );
}

#[test]
fn a_directory_in_place_of_a_report_stops_the_run() {
    let site = built_site();
    site.write("folder/keep", "");
    let said = ["`folder` is a directory", "hint: choose another name"];
    cannot_run(&site, &["report", "--to", "folder"], &said);
}

#[test]
fn an_output_directory_that_is_not_writable_stops_the_run() {
    let site = built_site();
    site.write("sitemap.xml", "as it was");
    set_mode(site.root(), 0o555);
    // Modes do not bind root, and Windows has none: there is nothing to test then.
    let binds_us = std::fs::write(site.root().join("probe"), "").is_err();
    if binds_us {
        let outcome = site.waypost(&[]).ended_with(2);
        assert!(
            outcome.stderr.contains("nothing was changed"),
            "{}",
            outcome.stderr
        );
        assert_eq!(site.read("sitemap.xml"), "as it was");
    }
    set_mode(site.root(), 0o755);
}

#[test]
fn a_page_without_permission_is_a_finding_and_a_directory_an_error() {
    let check = |path: &str, code: i32, said: &str, is_kept: bool| {
        let site = SiteTest::of_pages(&["index.html", "a.html", "d/b.html"]);
        site.settings("").write("robots.txt", "User-agent: *\n");
        site.commit("2024-01-02T03:04:05Z");
        site.build();
        let old = site.read("sitemap.xml");
        site.page("c.html", "");
        let path = site.root().join(path);
        set_mode(&path, 0);
        // Modes do not bind root, and Windows has none: there is nothing to test then.
        let binds_us = std::fs::read(&path).is_err() && std::fs::read_dir(&path).is_err();
        let outcome = site.waypost(&[]);
        set_mode(&path, 0o755);
        if binds_us {
            let outcome = outcome.ended_with(code);
            assert!(outcome.stderr.contains(said), "{said}: {}", outcome.stderr);
            assert_eq!(site.read("sitemap.xml") == old, is_kept, "{path:?}");
        }
    };
    check("a.html", 1, "error[unreadable]", false);
    check("robots.txt", 0, "warning[robots-txt-refused]", false);
    check("d", 2, "cannot list `d`", true);
    check("waypost.toml", 2, "waypost.toml", true);
    check(".git", 2, "cannot read the repository", true);
    check(".git/objects", 2, "cannot read the repository", true);
}

#[test]
fn explain_reports_an_unknown_page_and_explains_the_others() {
    let site = built_site();
    let outcome = site
        .waypost(&["explain", ".", "index.html", "nothing.html"])
        .ended_with(2);
    assert!(
        outcome.stderr.contains("no page matches `nothing.html`"),
        "{}",
        outcome.stderr
    );
    assert!(
        outcome.stdout.contains("https://example.com/"),
        "the known page is not explained: {}",
        outcome.stdout
    );
}

#[test]
fn concurrent_runs_with_different_sitemaps_are_all_named_in_robots_txt() {
    let site = SiteTest::of_pages(&["index.html"]);
    for number in 0..400 {
        site.page(format!("{number}.html"), "");
    }
    for _ in 0..5 {
        site.write("robots.txt", "User-agent: *\nDisallow: /search/\n");
        let runs = ["one", "two", "three"].map(|name| {
            site.write(
                format!("{name}.toml"),
                format!("base_url = \"https://example.com/\"\nsitemap.file = \"{name}.xml\"\n"),
            );
            site.waypost_command(&["-q", "--config", &format!("{name}.toml")])
                .spawn()
                .expect("waypost can be started")
        });
        for mut run in runs {
            assert!(run.wait().expect("the run ends").success());
        }
        let robots_txt = site.read("robots.txt");
        let mut lines: Vec<&str> = robots_txt.lines().collect();
        lines[2..].sort_unstable();
        let sitemaps =
            ["one", "three", "two"].map(|name| format!("Sitemap: https://example.com/{name}.xml"));
        assert_eq!(lines[..2], ["User-agent: *", "Disallow: /search/"]);
        assert_eq!(lines[2..], sitemaps);
    }
}
