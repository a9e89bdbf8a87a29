//! `waypost init`: commented settings, which are never overwritten, and the step of the pipeline.

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
        .succeeded()
        .says("waypost.toml exists and is not changed");
    assert_eq!(site.read("waypost.toml"), written);
}

#[test]
fn editors_find_the_schema_of_the_version_that_wrote_the_settings() {
    let site = SiteTest::empty();
    site.write("config.toml", "base_url = \"https://example.com\"\n")
        .page("public/index.html", "");
    let table = site.waypost(&["init", "--table"]).succeeded().stdout;
    assert!(!table.contains("#:schema"), "{table}");
    site.waypost(&["init"]).succeeded();
    let version = env!("CARGO_PKG_VERSION");
    let repository = env!("CARGO_PKG_REPOSITORY");
    let line = format!("#:schema {repository}/raw/v{version}/waypost.schema.json");
    let settings = site.read("waypost.toml");
    // A repository without an owner has no URL.
    let is_known = !repository.contains("/OWNER/");
    assert_eq!(settings.starts_with(&line), is_known, "{settings}");
    assert_eq!(settings.contains("#:schema"), is_known, "{settings}");
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

/// A book whose pipeline has this file.
fn book_with(file: &str, content: &str) -> SiteTest {
    let site = SiteTest::empty();
    site.write("book.toml", "[book]\ntitle = \"t\"\n")
        .page("book/index.html", "")
        .write(file, content);
    site
}

#[test]
fn a_change_is_shown_as_a_diff_and_written_on_request_and_only_once() {
    let check = |file: &str, old: &str, expected: &str| {
        let site = book_with(file, old);
        let shown = site.waypost(&["init"]).succeeded();
        let is_expected = shown.stdout.contains(expected);
        assert!(is_expected, "{file}: {}", shown.stdout);
        shown.says("`waypost init --write` makes the changes in");
        assert_eq!(site.read(file), old);
        site.waypost(&["init", "--write"]).succeeded().says(file);
        let new = site.read(file);
        assert!(new.contains("npx --yes waypost@"), "{new}");
        let again = site.waypost(&["init", "--write"]).succeeded();
        let again = again.says("already has the step");
        assert!(!again.stdout.contains("npx"), "{}", again.stdout);
        assert_eq!(site.read(file), new);
    };
    check(
        ".github/workflows/site.yml",
        "jobs:\n  a:\n    steps:\n      - uses: actions/checkout@v5\n      - run: mdbook build\n",
        "--- a/.github/workflows/site.yml\n+++ b/.github/workflows/site.yml\n@@ -2,4 +2,7 @@\n",
    );
    check(
        "netlify.toml",
        "[build]\ncommand = \"mdbook build\"\n",
        "+command = \"mdbook build && npx --yes waypost@",
    );
    check(
        ".gitlab-ci.yml",
        "pages:\n  image: node:22\n  script:\n    - mdbook build\n",
        "+    GIT_DEPTH: \"0\"\n",
    );
    check(
        "vercel.json",
        "{\"buildCommand\": \"mdbook build\"}\n",
        "# Vercel: set the environment variable VERCEL_DEEP_CLONE=true",
    );
}

#[test]
fn a_service_with_the_step_of_another_gets_it() {
    for (variable, value, expected) in [
        (
            "WORKERS_CI",
            "1",
            "# Cloudflare Pages: in the build command of the project\n",
        ),
        (
            "GITEA_ACTIONS",
            "true",
            "# Forgejo Actions: in the job that publishes the site",
        ),
    ] {
        let mut site = SiteTest::empty();
        site.write("zola.toml", "base_url = \"https://example.com\"\n");
        site.variable("GITHUB_ACTIONS", "true");
        site.variable(variable, value);
        let stdout = site.waypost(&["init"]).succeeded().stdout;
        assert!(stdout.starts_with(expected), "{variable}: {stdout}");
    }
}

#[test]
fn a_site_that_is_not_built_yet_is_set_up() {
    let site = SiteTest::empty();
    site.write(
        "package.json",
        "{\"devDependencies\": {\"@11ty/eleventy\": \"^3.1.2\"}}\n",
    )
    .write("index.md", "# Home\n")
    .waypost(&["init", "--base-url", "https://example.com/"])
    .succeeded()
    .says("Eleventy");
}

#[test]
fn a_diff_can_be_applied_by_git() {
    let old = "jobs:\r\n  a:\r\n    steps:\r\n      - uses: actions/checkout@v5\r\n      - run: mdbook build";
    let site = book_with(".github/workflows/site.yml", old);
    let diff = site.waypost(&["init"]).succeeded().stdout;
    site.write("change.diff", diff)
        .commit("2024-05-06T07:08:09Z");
    site.git(&["apply", "change.diff"]);
    let applied = site.bytes(".github/workflows/site.yml");
    site.write(".github/workflows/site.yml", old);
    site.waypost(&["init", "--write"]).succeeded();
    assert_eq!(site.bytes(".github/workflows/site.yml"), applied);
}

#[test]
fn a_file_that_is_not_changed_is_named_with_the_reason_and_a_whole_step() {
    let check = |file: &str, old: &str, expected: &[&str]| {
        let site = book_with(file, old);
        let stdout = site.waypost(&["init", "--write"]).succeeded().stdout;
        for expected in expected {
            assert!(stdout.contains(expected), "{file}: {expected}\n{stdout}");
        }
        assert_eq!(site.read(file), old);
    };
    check(
        ".github/workflows/test.yml",
        "jobs: {}\n",
        &[
            "# .github/workflows/test.yml is not changed: no command in the file builds the site with `mdbook build`\n",
            "fetch-depth: 0",
            "    tool: mdbook@",
            "- run: mdbook build\n- run: npx --yes waypost@",
        ],
    );
    check(
        ".gitlab-ci.yml",
        "pages:\n  script:\n    - mdbook build\n",
        &[
            "names no image",
            "    GIT_DEPTH: \"0\"",
            "    - curl -fsSL https://github.com/rust-lang/mdBook/",
            "    - /tmp/mdbook build\n    - npx --yes waypost@",
            "  artifacts:\n    paths: [book]\n",
        ],
    );
    check(
        "render.yaml",
        "services: []\n",
        &["does not edit this format", "&& /tmp/mdbook build && npx"],
    );
}

#[test]
fn a_site_built_by_npm_gets_waypost_in_its_script() {
    let site = SiteTest::empty();
    site.write(
        "docusaurus.config.js",
        "export default { url: 'https://example.com', baseUrl: '/' }\n",
    )
    .write(
        "package.json",
        "{\n  \"scripts\": {\n    \"build\": \"docusaurus build\"\n  }\n}\n",
    )
    .write("netlify.toml", "[build]\ncommand = \"npm run build\"\n")
    .page("build/index.html", "");
    let outcome = site.waypost(&["init", "--write"]).succeeded();
    assert_eq!(outcome.stdout, "");
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(
        site.read("package.json"),
        format!(
            "{{\n  \"scripts\": {{\n    \"build\": \"docusaurus build\",\n    \"postbuild\": \"npx --yes waypost@{version}\"\n  }}\n}}\n"
        )
    );
    assert_eq!(
        site.read("netlify.toml"),
        "[build]\ncommand = \"npm run build\"\n"
    );
    site.waypost(&["init"]).succeeded().says("nothing to do");
}

#[cfg(unix)]
#[test]
fn a_link_is_not_written_through() {
    let site = book_with("real.toml", "[build]\ncommand = \"mdbook build\"\n");
    site.link("netlify.toml", "real.toml");
    let outcome = site.waypost(&["init", "--write"]).succeeded();
    assert!(
        outcome.stdout.contains("it is a symbolic link"),
        "{}",
        outcome.stdout
    );
    assert!(!site.read("real.toml").contains("waypost"));
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
            .contains("buildCommand: git fetch --depth=2147483647 && npx --yes waypost@"),
        "{}",
        outcome.stdout
    );
}
