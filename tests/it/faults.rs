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
    let mut outcome = site.waypost(arguments).ended_with(2);
    assert_eq!(outcome.stdout, "");
    assert!(outcome.stderr.starts_with("error: "), "{}", outcome.stderr);
    for part in said {
        outcome = outcome.says(part);
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
fn arguments_that_name_nothing_stop_the_run() {
    let site = built_site();
    let first = "hint: `check` is a command; commands go before options: `waypost check`";
    let page = "hint: to explain a page, name the site first: `waypost explain . prices`";
    let build = "hint: did you mean the command `waypost build`?";
    for (arguments, said, hint) in [
        (
            "nowhere",
            "no such directory: `nowhere`",
            "hint: pass the site root",
        ),
        ("--dry-run check", "no such directory: `check`", first),
        ("--strict check", "no such directory: `check`", first),
        ("buid", "no such directory: `buid`", build),
        ("builds .", "no command named `builds`", build),
        (
            "validate .",
            "no command named `validate`",
            "`waypost help` lists",
        ),
        ("explain prices", "no such directory: `prices`", page),
        (
            "explain . index.htm",
            "no page matches `index.htm`",
            "did you mean `index.html`?",
        ),
        (
            "index.html",
            "`index.html` is not a directory",
            "hint: pass its directory, `.`",
        ),
        ("--base-url ftp://example.com/", "`--base-url`", "`ftp:`"),
        ("--base-url example.com", "`--base-url`", "`example.com`"),
        (
            "--base-uri https://example.com/",
            "'--base-uri'",
            "--base-url",
        ),
        ("--threads 0", "--threads", "0 is not in 1..=1024"),
        ("-o public", "cannot open the output directory", "hint: "),
        (
            "--config other.toml",
            "other.toml",
            "hint: pass a path relative to the working directory",
        ),
        (
            "report --to a/b/report.html",
            "a/b/report.html",
            "hint: create the directory `a/b` first",
        ),
    ] {
        let arguments: Vec<&str> = arguments.split(' ').collect();
        cannot_run(&site, &arguments, &[said, hint]);
    }
}

#[test]
fn a_directory_without_a_page_or_a_base_url_stops_the_run() {
    let site = built_site();
    site.write("empty/notes.txt", "");
    let arguments = ["empty", "--base-url", "https://example.com/"];
    let said = ["no page found in `empty`", "hint: build"];
    cannot_run(&site, &arguments, &said);
    let site = SiteTest::empty();
    std::fs::create_dir(site.root().join("public")).expect("a directory");
    let said = ["no page found in `public`", "hint: build"];
    cannot_run(&site, &arguments[1..], &said);
    site.page("public/index.html", "");
    let hint = "hint: set `base_url` in waypost.toml, or pass `--base-url";
    cannot_run(&site, &["-o", "public"], &["no base URL", hint]);
}

#[test]
fn malformed_settings_stop_the_run_and_show_the_line() {
    for (file, text, line) in [
        ("hugo.toml", "title = 'x'\nbaseURL = \n", 2),
        ("config.toml", "title = 'x'\nbase_url = \n", 2),
        ("mkdocs.yml", "\u{feff}a: 1\nb: [\nc: 2\n", 2),
        ("hugo.json", "{\n\"a\": 1,\n}", 3),
        ("waypost.toml", "exclude = []\n[sitemap\n", 2),
    ] {
        let site = SiteTest::empty();
        site.write(file, text).page("public/index.html", "");
        cannot_run(&site, &[], &[&format!("{file}:{line}")]);
    }
}

#[test]
fn a_mistake_in_the_settings_stops_the_run() {
    let site = built_site();
    let key = "robots_text.update = false\n";
    let rule = "[[rule]]\nmatch = \"a\"\nchangefreq = \"annually\"\n";
    let path = "exclude = [\"a\\index.html\"]\n";
    for (text, place, said) in [
        (key, "waypost.toml:2:1", "did you mean `robots_txt`?"),
        (rule, "waypost.toml:4:1", "weekly"),
        (
            path,
            "waypost.toml:2",
            "separate the directories of a path by `/`",
        ),
    ] {
        site.settings(text);
        cannot_run(&site, &[], &[place, said]);
    }
}

#[test]
fn an_invalid_environment_variable_stops_the_run() {
    for (name, value) in [
        ("WAYPOST_BASE_URL", "nowhere"),
        ("SOURCE_DATE_EPOCH", "soon"),
    ] {
        let mut site = built_site();
        site.variable(name, value);
        cannot_run(&site, &[], &[&format!("`{name}`")]);
    }
}

#[test]
fn a_directory_in_place_of_a_file_stops_the_run() {
    let site = SiteTest::of_pages(&["index.html"]);
    site.write("sitemap.xml/keep", "");
    for (arguments, file) in [
        (&[][..], "./sitemap.xml"),
        (&["report", "--to", "sitemap.xml"], "sitemap.xml"),
    ] {
        let said = format!("`{file}` is a directory");
        cannot_run(&site, arguments, &[&said, "hint: choose another name"]);
    }
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
        outcome.says("nothing was changed");
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
            outcome.ended_with(code).says(said);
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
    let outcome = site.waypost(&["explain", ".", "index.html", "nothing.html"]);
    let outcome = outcome.ended_with(2).says("no page matches `nothing.html`");
    let known = outcome.stdout.contains("https://example.com/");
    assert!(known, "{}", outcome.stdout);
}
