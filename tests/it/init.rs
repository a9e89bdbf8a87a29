//! `waypost init`: every line of its settings, and the commands of its steps, which depend on how the program was
//! built. `tests/cases/init.txtar` has the rest.

use crate::site_test::SiteTest;

/// The command that runs waypost in a step. Tests are built in a profile that records no commit.
const WAYPOST: &str = if cfg!(published) {
    concat!("npx --yes waypost@", env!("CARGO_PKG_VERSION"))
} else {
    "cargo install --locked --path path/to/waypost && waypost"
};

/// Removes the prose from the settings and uncomments every other line.
fn uncommented(settings: &str) -> String {
    let is_prose =
        |line: &&str| line.starts_with("# Settings of") || line.starts_with("# example.");
    let lines = settings.lines().filter(|line| !is_prose(line));
    lines
        .map(|line| line.trim_start_matches("# "))
        .collect::<Vec<_>>()
        .join("\n")
}

#[test]
fn every_line_of_the_settings_is_valid_when_uncommented() {
    let site = SiteTest::zola("");
    site.page("public/index.html", "");
    site.waypost(&["init"]).succeeded();
    let settings = uncommented(&site.read("waypost.toml"));
    site.write("waypost.toml", &settings);
    site.waypost(&["explain", "--settings"])
        .succeeded()
        .shows("base_url = \"https://example.com/\"  # waypost.toml");
}

#[test]
fn the_step_of_each_service_is_printed_and_no_file_of_it_is_changed() {
    let run = format!("{WAYPOST} docs");
    let install = if cfg!(published) {
        concat!("- pip install waypost==", env!("CARGO_PKG_VERSION"), " &&")
    } else {
        "- cargo install --locked --path path/to/waypost && asdf reshim\n"
    };
    let read_the_docs = "# Read the Docs: in .readthedocs.yaml; where it has `build.commands`, as the last of these:\nbuild:\n  jobs:\n    post_build:\n";
    for (file, variable, place, step, depth) in [
        (
            ".github/workflows/site.yml",
            "",
            "# GitHub Actions: in .github/workflows/, before the step that publishes the site;",
            &*format!("- run: {run} --github\n"),
            "`fetch-depth: 0`",
        ),
        (
            ".gitlab-ci.yml",
            "",
            "# GitLab CI: in .gitlab-ci.yml, at the end of the `script` that builds the site",
            &format!("- {run}\n"),
            "`GIT_DEPTH: 0`",
        ),
        (
            "docs/netlify.toml",
            "",
            "# Netlify: at the end of the build command",
            &format!("&& {run}\n"),
            "",
        ),
        (".readthedocs.yaml", "", read_the_docs, install, "git fetch"),
        ("", "READTHEDOCS=True", read_the_docs, install, "git fetch"),
        (
            "",
            "WORKERS_CI=1",
            "# Cloudflare Workers Builds: at the end of the build command",
            &format!("&& {run}\n"),
            "git fetch",
        ),
    ] {
        let mut site = SiteTest::empty();
        site.write("docs/book.toml", "[book]\ntitle = \"t\"\n");
        if let Some((name, value)) = variable.split_once('=') {
            site.variable(name, value);
        } else {
            site.write(file, "a: b\n");
        }
        site.commit("2024-05-06T07:08:09Z");
        let stdout = site.waypost(&["init", "docs"]).succeeded().stdout;
        let is_right = stdout.starts_with(place) && stdout.contains(step) && stdout.contains(depth);
        assert!(is_right, "{file}{variable}: {stdout}");
        assert!(file.is_empty() || site.read(file) == "a: b\n");
    }
}

#[test]
#[cfg(unix)] // sh
fn the_printed_step_fails_until_a_checkout_of_waypost_is_named() {
    let site = SiteTest::zola("");
    site.write(".gitlab-ci.yml", "a: b\n")
        .page("public/index.html", "");
    let stdout = site.waypost(&["init"]).succeeded().stdout;
    if cfg!(published) {
        return;
    }
    assert!(stdout.contains("# replace `path/to/waypost` by a checkout"));
    let step = stdout.lines().find_map(|line| line.strip_prefix("- "));
    // The toolchain's own cargo needs no settings in the user's home directory.
    let path = concat!("PATH=\"$(dirname '", env!("CARGO"), "'):$PATH\"\n");
    let step = format!("{path}{}", step.expect("a command"));
    let failed = site.shell_command(&step, &[]).output().expect("sh");
    let stderr = String::from_utf8_lossy(&failed.stderr).into_owned();
    assert!(
        !failed.status.success() && stderr.contains("path/to/waypost"),
        "{stderr}"
    );
    assert!(!site.root().join("public/sitemap.xml").exists());
}
