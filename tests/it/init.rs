//! `waypost init`: commented settings, which are never overwritten, and the step of the pipeline.

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
fn settings_are_written_once_and_do_not_change_the_result() {
    let site = SiteTest::zola("");
    site.page("public/index.html", "");
    let before = site.waypost(&["explain", "--json"]).succeeded().stdout;
    let outcome = site
        .waypost(&["init"])
        .succeeded()
        .says("Zola")
        .says("from `base_url` in the generator's settings");
    assert_eq!(
        outcome.stdout,
        "# after the build, before the site is published:\nwaypost\n"
    );
    let after = site.waypost(&["explain", "--json"]).succeeded().stdout;
    assert_eq!(after, before);
    let written = site.read("waypost.toml");
    site.waypost(&["init"])
        .succeeded()
        .says("waypost.toml exists and is not changed");
    assert_eq!(site.read("waypost.toml"), written);
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
fn a_base_url_from_a_flag_or_a_variable_is_set_in_the_file() {
    let check = |arguments: &[&str], variable: &str, expected: &str| {
        let mut site = SiteTest::empty();
        site.variable("WAYPOST_BASE_URL", variable)
            .page("index.html", "");
        site.waypost(arguments).succeeded();
        let settings = site.read("waypost.toml");
        assert!(settings.lines().any(|line| line == expected), "{settings}");
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
fn the_settings_say_whether_a_base_url_is_required() {
    let written = |site: &SiteTest| {
        site.page("index.html", "").waypost(&["init"]).succeeded();
        site.read("waypost.toml")
    };
    let site = SiteTest::empty();
    assert!(written(&site).contains("# required: no base URL was found"));
    let site = SiteTest::empty();
    let settings = written(site.write("CNAME", "example.com\n"));
    assert!(settings.contains("# found in CNAME"), "{settings}");
    site.build();
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
fn a_site_that_is_not_built_yet_is_set_up() {
    let site = SiteTest::empty();
    let package = "{\"devDependencies\": {\"@11ty/eleventy\": \"^3.1.2\"}}\n";
    site.write("package.json", package)
        .write("index.md", "# Home\n")
        .waypost(&["init", "--base-url", "https://example.com/"])
        .succeeded()
        .says("Eleventy");
}

/// The first two lines that are printed for a site with these steps in a workflow.
fn printed(files: &[(&str, &str)], steps: &str) -> (String, String) {
    let site = SiteTest::with(files);
    let file = ".github/workflows/site.yml";
    let workflow = format!("on: push\njobs:\n  site:\n    steps:\n{steps}");
    site.write(file, &workflow).commit("2024-05-06T07:08:09Z");
    let stdout = site.waypost(&["init"]).succeeded().stdout;
    assert_eq!(site.read(file), workflow);
    let mut lines = stdout.lines().map(str::to_owned);
    let place = lines.next().expect("a place");
    let place = place
        .trim_start_matches("# GitHub Actions: ")
        .replace(file, "FILE");
    let command = lines.next().expect("a command");
    (place, command.replace(WAYPOST, "WAYPOST"))
}

const ZOLA: (&str, &str) = ("config.toml", "base_url = \"https://example.com\"\n");

#[test]
fn the_step_belongs_before_the_one_that_publishes_the_site() {
    let check = |steps: &str, place: &str, command: &str| {
        let (found, printed) = printed(&[ZOLA], steps);
        let expected = format!("in FILE, before step `{place}` of job `site`:");
        assert_eq!(found, expected, "{steps}");
        assert_eq!(
            printed,
            format!("- run: WAYPOST --github{command}"),
            "{steps}"
        );
    };
    let build = "    - run: ./build.sh\n";
    let action = |action: &str, inputs: &str, command: &str| {
        let step = format!("    - {{uses: {action}, with: {{{inputs}}}}}\n");
        check(&format!("{build}{step}"), action, command);
    };
    action("actions/upload-pages-artifact@v4", "path: public", "");
    action("actions/upload-pages-artifact@v4", "a: b", " -o _site");
    action(
        "peaceiris/actions-gh-pages@v4",
        "publish_dir: ./www/",
        " -o www",
    );
    action(
        "cloudflare/wrangler-action@v3",
        "command: pages deploy ./out --branch=x",
        " -o out",
    );
    action(
        "crazy-max/ghaction-github-pages@v4",
        "build_dir: \"${{ env.DIR }}\"",
        "",
    );
    for (run, command) in [
        ("npx wrangler pages deploy public --project-name=x", ""),
        ("netlify deploy --prod --dir=out", " -o out"),
        ("gh-pages -d out", " -o out"),
    ] {
        check(&format!("{build}    - run: {run}\n"), run, command);
    }
    check(
        &format!("{build}    - {{name: Deploy it, run: firebase deploy}}\n"),
        "Deploy it",
        "",
    );
}

#[test]
fn the_base_url_is_that_of_configure_pages_where_a_job_has_it() {
    let check = |site: (&str, &str), configure: &str, expected: &str| {
        let steps = format!(
            "    - {configure}\n    - uses: actions/jekyll-build-pages@v1\n    \
             - uses: actions/upload-pages-artifact@v4\n"
        );
        let (_, command) = printed(&[site], &steps);
        let owned = "- run: sudo chown -R \"$USER\" _site && WAYPOST --github";
        assert_eq!(command, format!("{owned}{expected}"), "{configure}");
    };
    let known = ("_config.yml", "url: https://example.com\n");
    let unknown = ("_config.yml", "title: t\n");
    let unnamed = "uses: actions/configure-pages@v5";
    check(
        unknown,
        unnamed,
        " --base-url ${{ steps.pages.outputs.base_url }}",
    );
    check(known, unnamed, "");
    let named = "{id: setup, uses: actions/configure-pages@v5}";
    check(
        known,
        named,
        " --base-url ${{ steps.setup.outputs.base_url }}",
    );
}

#[test]
fn where_one_step_builds_and_publishes_init_says_so() {
    let check = |files: &[(&str, &str)], step: &str, command: &str| {
        let key = if step.contains('@') { "uses" } else { "run" };
        let (place, _) = printed(files, &format!("    - {key}: {step}\n"));
        let expected = format!(
            "nowhere in FILE: in step `{step}` of job `site`, `{command}` builds and publishes the \
             site at once. Build it in a step before, then run this, then publish it:"
        );
        assert_eq!(place, expected);
    };
    let action = "shalzz/zola-deploy-action";
    check(&[ZOLA], &format!("{action}@v1"), action);
    let mkdocs = (
        "mkdocs.yml",
        "site_name: t\nsite_url: https://example.com/\n",
    );
    check(&[mkdocs], "mkdocs gh-deploy --force", "mkdocs gh-deploy");
    let scripts = r#"{"scripts": {"deploy": "vite build && gh-pages -d dist"}}"#;
    check(
        &[ZOLA, ("package.json", scripts)],
        "npm run deploy",
        "deploy in package.json",
    );
}

#[test]
fn a_step_that_only_its_name_shows_is_named_with_a_condition() {
    let (place, _) = printed(
        &[ZOLA],
        "    - {name: Publish the site, run: ./publish.sh}\n",
    );
    let expected =
        "in FILE, before step `Publish the site` of job `site`, if the site is built by then:";
    assert_eq!(place, expected);
}

#[test]
#[cfg(unix)] // sh
fn the_printed_step_fails_until_a_checkout_of_waypost_is_named() {
    let site = SiteTest::with(&[ZOLA, (".gitlab-ci.yml", "a: b\n")]);
    site.page("public/index.html", "");
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
