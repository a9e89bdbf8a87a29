//! `waypost init`: commented settings and a build step for the pipeline; nothing is overwritten.

use crate::site_test::SiteTest;

/// Removes the prose from the settings and uncomments every other line.
fn uncommented(settings: &str) -> String {
    let is_prose =
        |line: &&str| line.starts_with("# Settings of") || line.starts_with("# example,");
    let lines = settings.lines().filter(|line| !is_prose(line));
    lines
        .map(|line| line.trim_start_matches("# "))
        .collect::<Vec<_>>()
        .join("\n")
}

#[test]
fn settings_are_written_once_and_do_not_change_the_result() {
    let site = SiteTest::empty();
    site.write("config.toml", "base_url = \"https://example.com\"\n")
        .page("public/index.html", "");
    let before = site.waypost(&["explain", "--json"]).succeeded().stdout;
    let outcome = site
        .waypost(&["init"])
        .succeeded()
        .says("Zola")
        .says("from `base_url` in the generator's settings");
    assert_eq!(
        outcome.stdout,
        "# run waypost as the last step of the build:\nzola build && waypost\n"
    );
    assert_eq!(
        site.waypost(&["explain", "--json"]).succeeded().stdout,
        before
    );
    let written = site.read("waypost.toml");
    site.waypost(&["init"])
        .ended_with(2)
        .says("`waypost.toml` already exists and is not changed");
    assert_eq!(site.read("waypost.toml"), written);
}

#[test]
fn every_line_of_the_settings_is_valid_when_uncommented() {
    let site = SiteTest::empty();
    site.write("config.toml", "base_url = \"https://example.com\"\n")
        .page("public/index.html", "");
    site.waypost(&["init"]).succeeded();
    let settings = uncommented(&site.read("waypost.toml"));
    site.write("waypost.toml", &settings);
    let shown = site.waypost(&["explain", "--settings"]).succeeded().stdout;
    assert!(
        shown.contains("base_url = \"https://example.com/\"  # waypost.toml"),
        "{settings}\n{shown}"
    );
    let table = site.waypost(&["init", "--table"]).succeeded().stdout;
    site.write("waypost.toml", "");
    site.write(
        "config.toml",
        format!(
            "base_url = \"https://example.com\"\n{}",
            uncommented(&table)
        ),
    );
    let shown = site.waypost(&["explain", "--settings"]).succeeded().stdout;
    assert!(
        shown.contains("sitemap.gzip = \"off\"  # config.toml"),
        "{table}\n{shown}"
    );
}

#[test]
fn the_printed_table_can_be_appended_to_the_generators_file() {
    let site = SiteTest::empty();
    let own = "base_url = \"https://example.com\"\n";
    site.write("config.toml", own).page("public/index.html", "");
    let outcome = site.waypost(&["init", "--table"]).succeeded();
    site.write("config.toml", format!("{own}{}", outcome.stdout))
        .build();
    outcome.says("# run waypost as the last step of the build:\nzola build && waypost\n");
}

#[test]
fn a_base_url_from_a_flag_or_a_variable_is_set_in_the_file() {
    let check = |arguments: &[&str], variable: &str, expected: &str| {
        let mut site = SiteTest::empty();
        site.variable("WAYPOST_BASE_URL", variable)
            .page("index.html", "");
        site.waypost(arguments).succeeded();
        let settings = site.read("waypost.toml");
        assert!(settings.lines().any(|line| line == expected), "{settings}");
        assert!(
            settings.contains("Only `base_url` is set: any other line is a default"),
            "{settings}"
        );
        site.variable("WAYPOST_BASE_URL", "").build();
        assert_eq!(site.urls(), ["https://example.com/docs/"]);
    };
    let flag = "base_url = \"https://example.com/docs/\"  # from --base-url";
    check(
        &["init", "--base-url", "https://example.com/docs"],
        "",
        flag,
    );
    let variable = "base_url = \"https://example.com/docs/\"  # from WAYPOST_BASE_URL";
    check(&["init"], "https://example.com/docs", variable);
}

#[test]
fn the_settings_say_which_setting_is_required() {
    let written = |site: &SiteTest| {
        site.page("index.html", "").waypost(&["init"]).succeeded();
        site.read("waypost.toml")
    };
    let site = SiteTest::empty();
    assert!(written(&site).contains("Only `base_url` is required: any other line is a default"));
    site.waypost(&[]).ended_with(2).says("no base URL");
    let site = SiteTest::empty();
    let settings = written(site.write("CNAME", "example.com\n"));
    assert!(
        settings.contains("No setting is required: each line is a default"),
        "{settings}"
    );
    site.build();
}

#[test]
fn the_step_is_for_the_pipeline_of_the_site() {
    let check = |file: &str, expected: &str| {
        let site = SiteTest::empty();
        site.write("book.toml", "[book]\ntitle = \"t\"\n")
            .page("book/index.html", "")
            .write(file, "");
        let outcome = site.waypost(&["init"]).succeeded().says("set `base_url`");
        assert!(
            outcome.stdout.contains(expected),
            "{file}: {}",
            outcome.stdout
        );
        assert!(
            outcome.stdout.contains("mdbook build && waypost"),
            "{file}: {}",
            outcome.stdout
        );
    };
    check(".github/workflows/site.yml", "fetch-depth: 0");
    check("netlify.toml", "# Netlify: in netlify.toml\n[build]\n");
    check(".gitlab-ci.yml", "GIT_DEPTH: 0");
    check("vercel.json", "VERCEL_DEEP_CLONE=true");
}

#[test]
fn the_step_for_a_directory_of_html_files_has_no_build_command() {
    let site = SiteTest::of_pages(&["public/index.html"]);
    std::fs::remove_file(site.root().join("waypost.toml")).expect("the file exists");
    let outcome = site
        .write("render.yaml", "")
        .waypost(&["init", "--base-url", "https://example.com/"])
        .succeeded();
    assert!(
        outcome
            .stdout
            .contains("buildCommand: git fetch --depth=2147483647 && waypost\n"),
        "{}",
        outcome.stdout
    );
}
