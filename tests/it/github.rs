//! `build --github`: annotations, outputs and summary of a GitHub Actions step.

use crate::site_test::SiteTest;

#[test]
fn findings_are_annotated_on_the_sources_and_counts_are_outputs() {
    let mut site = SiteTest::empty();
    site.write("config.toml", "base_url = \"https://example.com\"\n")
        .write("content/a.md", "");
    site.page(
        "public/a/index.html",
        "<meta property=robots content='::error::x'>",
    );
    site.page("public/b/index.html", "<meta name=robots content=noindex>");
    let (outputs, summary) = (site.root().join("outputs"), site.root().join("summary"));
    site.write("outputs", "before=1\n");
    site.variable("GITHUB_OUTPUT", &outputs.display().to_string());
    site.variable("GITHUB_STEP_SUMMARY", &summary.display().to_string());
    let workspace = site.root().display().to_string();
    site.variable("GITHUB_WORKSPACE", &workspace);
    let outcome = site.waypost(&["--github"]).succeeded();
    assert_eq!(outcome.stdout, expected_annotation());
    let expected = "before=1\nsitemap-path=public/sitemap.xml\nurl-count=1\n\
                    excluded-count=1\nchanged-count=1\n";
    assert_eq!(site.read("outputs"), expected);
    let summary = site.read("summary");
    assert!(
        summary.starts_with("### 1 of 2 pages in the sitemap\n\n"),
        "{summary}"
    );
    assert!(summary.contains("noindex"), "{summary}");
    let finding = "\nwarning[robots-tag-ignored]: 'property=\"robots\"' is not a robots tag, so \
                   '::error::x' is ignored\n--> content/a.md\n";
    assert!(summary.contains(finding), "{summary}");
}

#[test]
fn a_page_that_is_its_own_source_is_annotated_at_its_line() {
    let mut site = SiteTest::of_pages(&["index.html"]);
    site.page("a.html", "\n\n<meta property=robots content=noindex>");
    let workspace = site.root().display().to_string();
    site.variable("GITHUB_WORKSPACE", &workspace);
    let outcome = site.waypost(&["--github"]).succeeded();
    let expected = "::warning file=a.html,line=3,title=robots-tag-ignored::";
    assert!(
        outcome
            .stdout
            .lines()
            .any(|line| line.starts_with(expected)),
        "{}",
        outcome.stdout
    );
}

#[test]
fn an_annotation_on_a_page_without_a_source_names_no_file() {
    let site = SiteTest::empty();
    site.write("config.toml", "base_url = \"https://example.com\"\n");
    site.page(
        "public/a/index.html",
        "<meta property=robots content=noindex>",
    );
    let outcome = site.waypost(&["--github"]).succeeded();
    assert!(
        outcome
            .stdout
            .contains("::warning title=robots-tag-ignored::"),
        "{}",
        outcome.stdout
    );
}

#[test]
fn annotations_stay_within_the_limit_of_github() {
    let site = SiteTest::of_pages(&["index.html"]);
    for number in 0..12 {
        let head = "<meta property=robots content=noindex>";
        site.page(format!("{number}.html"), head);
    }
    let stdout = site.waypost(&["--github"]).succeeded().stdout;
    let warnings = stdout.lines().filter(|line| line.starts_with("::warning "));
    assert_eq!(warnings.count(), 10, "{stdout}");
    let last = "::notice title=waypost::2 more findings; `waypost -v` shows all\n";
    assert!(stdout.ends_with(last), "{stdout}");
}

fn expected_annotation() -> String {
    let message = "`property=\"robots\"` is not a robots tag, so `::error::x` is ignored";
    let hint = "hint: write `name=\"robots\"`";
    format!("::warning file=content/a.md,line=1,title=robots-tag-ignored::{message}%0A{hint}\n")
}

#[test]
fn the_sitemap_path_output_names_a_written_file() {
    let check = |settings: &str, expected: &str| {
        let mut site = SiteTest::of_pages(&["index.html", "a.html"]);
        let outputs = site.settings(settings).root().join("outputs");
        site.variable("GITHUB_OUTPUT", &outputs.display().to_string());
        site.waypost(&["--github"]).succeeded();
        let named = site
            .read("outputs")
            .lines()
            .next()
            .expect("the file has a line")
            .replace("sitemap-path=", "");
        assert_eq!(named, expected, "{settings}");
        assert!(site.files().contains(&named), "{:?}", site.files());
    };
    check("", "sitemap.xml");
    check("sitemap.gzip = \"only\"\n", "sitemap.xml.gz");
    check("sitemap.formats = [\"txt\", \"xml\"]\n", "sitemap.xml");
    check(
        "sitemap.formats = [\"txt\"]\nsitemap.file = \"map.xml\"\n",
        "map.txt",
    );
    check("sitemap.formats = [\"rss\"]\n", "sitemap.rss");
}

#[test]
fn the_sitemap_path_output_is_empty_if_no_sitemap_is_written() {
    let check = |arguments: &[&str], variables: &[(&str, &str)]| {
        let mut site = SiteTest::of_pages(&["index.html"]);
        let outputs = site.root().join("outputs").display().to_string();
        site.variable("GITHUB_OUTPUT", &outputs);
        for (name, value) in variables {
            site.variable(name, value);
        }
        site.waypost(arguments).succeeded();
        assert!(
            site.read("outputs")
                .starts_with("sitemap-path=\nurl-count=1\n"),
            "{}",
            site.read("outputs")
        );
    };
    check(
        &["--github"],
        &[("NETLIFY", "true"), ("CONTEXT", "deploy-preview")],
    );
    check(&["--github", "--dry-run"], &[]);
}

#[test]
fn an_error_that_stops_the_run_is_annotated() {
    let site = SiteTest::of_pages(&["index.html"]);
    let outcome = site
        .waypost(&["--github", "--base-url", "https://1a2b.site.pages.dev"])
        .ended_with(2);
    assert!(
        outcome
            .stdout
            .starts_with("::error title=waypost::`https://1a2b.site.pages.dev/`"),
        "{}",
        outcome.stdout
    );
}

#[test]
fn mistakes_in_the_settings_are_shown_and_annotated_in_their_file() {
    let mut site = SiteTest::of_pages(&["index.html", "docs/index.html"]);
    site.write(
        "docs/waypost.toml",
        "base_url = \"https://example.com/docs/\"\nurl_style = \"kept\"\n",
    );
    let workspace = site
        .root()
        .parent()
        .expect("the site has a parent directory")
        .display()
        .to_string();
    site.variable("GITHUB_WORKSPACE", &workspace);
    let outcome = site
        .waypost(&["--github", "docs"])
        .ended_with(2)
        .says("--> docs/waypost.toml:2:1");
    let expected = "::error file=site/docs/waypost.toml,line=2,title=waypost::";
    assert!(outcome.stdout.starts_with(expected), "{}", outcome.stdout);
    site.write("typed.toml", "url_style = \"kept\"\n");
    site.waypost(&["docs", "--config", "typed.toml"])
        .ended_with(2)
        .says("--> typed.toml:1:1");
    site.write(
        "docs/config.toml",
        "base_url = \"https://example.com/\"\n[extra.waypost]\nurl_style = \"kept\"\n",
    );
    site.write("config.toml", "# nothing\n");
    let both = site
        .waypost(&["docs", "--config", "config.toml"])
        .ended_with(2);
    both.says("--> docs/config.toml:3:1");
    site.write("docs/config.toml", "base_url = \"https://example.com/\"\n")
        .write("config.toml", "url_style = \"kept\"\n");
    site.waypost(&["docs", "--config", "config.toml"])
        .ended_with(2)
        .says("--> config.toml:1:1");
}
