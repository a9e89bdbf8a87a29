//! `build --github`: annotations, outputs and summary of a GitHub Actions step.

use crate::site_test::SiteTest;

#[test]
fn findings_are_annotated_on_the_sources_and_counts_are_outputs() {
    let mut site = SiteTest::zola("");
    site.write("content/a.md", "")
        .write("outputs", "before=1\n");
    let tag = "<meta property=robots content='::error::x'>";
    site.page("public/a/index.html", tag);
    site.page("public/b/index.html", "<meta name=robots content=noindex>");
    for (variable, file) in [
        ("GITHUB_OUTPUT", "outputs"),
        ("GITHUB_STEP_SUMMARY", "summary"),
        ("GITHUB_WORKSPACE", ""),
    ] {
        let path = site.root().join(file).display().to_string();
        site.variable(variable, &path);
    }
    let outcome = site.waypost(&["--github"]).succeeded();
    let annotation = "::warning file=content/a.md,line=1,title=robots-tag-ignored::\
        `property=\"robots\"` is not a robots tag, so `::error::x` is ignored%0A\
        hint: write `name=\"robots\"`\n";
    assert_eq!(outcome.stdout, annotation);
    let expected = "before=1\nsitemap-path=public/sitemap.xml\nurl-count=1\n\
                    excluded-count=1\nchanged-count=1\n";
    assert_eq!(site.read("outputs"), expected);
    let summary = site.read("summary");
    let head = "### 1 of 2 pages in the sitemap\n\n";
    assert!(summary.starts_with(head), "{summary}");
    let finding = "\nwarning[robots-tag-ignored]: 'property=\"robots\"' is not a robots tag, so \
                   '::error::x' is ignored\n--> content/a.md\n";
    assert!(summary.contains(finding), "{summary}");
}

#[test]
fn an_annotation_names_the_line_of_a_page_that_is_its_own_source_and_no_file_without_a_source() {
    let head = "\n\n<meta property=robots content=noindex>";
    for (settings, page, place) in [
        ("waypost.toml", "a.html", "file=a.html,line=3,"),
        ("config.toml", "public/a/index.html", ""),
    ] {
        let mut site = SiteTest::empty();
        site.write(settings, "base_url = \"https://example.com\"\n")
            .page(page, head);
        let workspace = site.root().display().to_string();
        site.variable("GITHUB_WORKSPACE", &workspace);
        let stdout = site.waypost(&["--github"]).succeeded().stdout;
        let expected = format!("::warning {place}title=robots-tag-ignored::");
        assert!(stdout.contains(&expected), "{stdout}");
    }
}

#[test]
fn annotations_stay_within_the_limit_of_github() {
    let site = SiteTest::of_pages(&["index.html"]);
    for number in 0..12 {
        let head = "<meta property=robots content=noindex>";
        site.page(format!("{number}.html"), head);
    }
    let stdout = site.waypost(&["--github"]).succeeded().stdout;
    assert_eq!(stdout.matches("::warning ").count(), 10, "{stdout}");
    assert!(
        stdout.contains("\n::notice title=waypost::2 more"),
        "{stdout}"
    );
}

#[test]
fn the_sitemap_path_output_names_a_written_file() {
    for (settings, expected) in [
        ("", "sitemap.xml"),
        ("sitemap.gzip = \"only\"\n", "sitemap.xml.gz"),
        ("sitemap.formats = [\"txt\", \"xml\"]\n", "sitemap.xml"),
        (
            "sitemap = { formats = [\"txt\"], file = \"map.xml\" }\n",
            "map.txt",
        ),
        ("sitemap.formats = [\"rss\"]\n", "sitemap.rss"),
    ] {
        let mut site = SiteTest::of_pages(&["index.html", "a.html"]);
        let outputs = site.settings(settings).root().join("outputs");
        site.variable("GITHUB_OUTPUT", &outputs.display().to_string());
        site.waypost(&["--github"]).succeeded();
        let named = format!("sitemap-path={expected}\n");
        assert!(site.read("outputs").starts_with(&named), "{expected}");
        assert!(site.root().join(expected).exists());
    }
}

#[test]
fn the_sitemap_path_output_is_empty_if_no_sitemap_is_written() {
    for (arguments, context) in [
        (&["--github"][..], "deploy-preview"),
        (&["--github", "--dry-run"], "production"),
    ] {
        let mut site = SiteTest::of_pages(&["index.html"]);
        let outputs = site.root().join("outputs").display().to_string();
        site.variable("GITHUB_OUTPUT", &outputs)
            .variable("NETLIFY", "true")
            .variable("CONTEXT", context);
        site.waypost(arguments).succeeded();
        let written = site.read("outputs");
        assert!(written.starts_with("sitemap-path=\nurl-count=1\n"));
    }
}

#[test]
fn an_error_that_stops_the_run_is_annotated() {
    let site = SiteTest::of_pages(&["index.html"]);
    let preview = "https://1a2b.site.pages.dev";
    let outcome = site.waypost(&["--github", "--base-url", preview]);
    let stdout = outcome.ended_with(2).stdout;
    assert!(stdout.starts_with("::error title=waypost::"), "{stdout}");
}

#[test]
fn mistakes_in_the_settings_are_shown_and_annotated_in_their_file() {
    let (base, mistake) = (
        "base_url = \"https://example.com/\"\n",
        "url_style = \"kept\"\n",
    );
    for (of_site, named, place) in [
        (
            format!("{base}[extra.waypost]\n{mistake}"),
            "# nothing\n",
            "docs/config.toml:3",
        ),
        (base.to_owned(), mistake, "config.toml:1"),
    ] {
        let mut site = SiteTest::of_pages(&["docs/index.html"]);
        site.write("docs/config.toml", of_site)
            .write("docs/content/a.md", "")
            .page("docs/public/index.html", "")
            .write("config.toml", named);
        let workspace = site.root().parent().expect("a directory").display();
        let workspace = workspace.to_string();
        site.variable("GITHUB_WORKSPACE", &workspace);
        let arguments = ["--github", "docs", "--config", "config.toml"];
        let outcome = site.waypost(&arguments).ended_with(2);
        let outcome = outcome.says(&format!("--> {place}:1"));
        let (file, line) = place.split_once(':').expect("a line");
        let expected = format!("::error file=site/{file},line={line},title=waypost::");
        assert!(outcome.stdout.starts_with(&expected), "{}", outcome.stdout);
    }
}
