//! Small sites of Hugo: settings, languages and mounts decide which file is the source of a page.

use crate::generators::{fill, sources_are};
use crate::site_test::{SiteTest, pair};

#[test]
fn hugos_settings_may_be_yaml_in_a_config_directory() {
    let site = SiteTest::empty();
    site.write(
        "config/_default/hugo.yaml",
        "baseURL: https://example.com/sub/\npublishDir: out\n",
    );
    site.write(
        "config/_default/params.yaml",
        "waypost:\n  rule:\n    - match: '**'\n      priority: 0.7\n",
    );
    site.page("out/index.html", "").build();
    let entry = site.entries_of("out/sitemap.xml").remove(0);
    assert_eq!(
        (entry.loc.as_str(), entry.priority.as_deref()),
        ("https://example.com/sub/", Some("0.7"))
    );
}

#[test]
fn hugos_production_settings_override_others_case_insensitively() {
    let site = SiteTest::empty();
    site.write(
        "config/_default/hugo.toml",
        "baseURL = \"https://staging.example.com/\"\n",
    );
    site.write(
        "config/production/hugo.toml",
        "baseurl = \"https://example.com/\"\n",
    );
    site.page("public/index.html", "").build();
    assert_eq!(
        site.entries_of("public/sitemap.xml").remove(0).loc,
        "https://example.com/"
    );
}

#[test]
fn a_section_may_have_the_slug_of_its_directory_or_another() {
    let site = SiteTest::empty();
    site.write("hugo.toml", "baseURL = \"https://example.com/\"\n");
    let content = [
        (
            "content/blog/_index.md",
            "slug: blog",
            "public/blog/index.html",
        ),
        (
            "content/news/_index.md",
            "slug: updates",
            "public/updates/index.html",
        ),
    ];
    fill(&site, "---", &content);
    sources_are(&site, "public/", &content);
}

#[test]
fn a_single_file_mounted_by_hugo_has_the_name_of_its_target() {
    let site = SiteTest::empty();
    let mount = |source: &str, target: &str| {
        format!("[[module.mounts]]\nsource = \"{source}\"\ntarget = \"{target}\"\n")
    };
    let mounts = [
        mount("content", "content"),
        mount("README.markdown", "content/éabcde.md"),
        mount("LICENSE", "content/licence.md"),
        mount("NOTES.md", "content/notes"),
    ];
    site.write(
        "hugo.toml",
        format!("baseURL = \"https://example.com/\"\n{}", mounts.concat()),
    );
    let content = [
        ("content/a.md", "", "public/a/index.html"),
        ("README.markdown", "", "public/éabcde/index.html"),
        ("LICENSE", "", "public/licence/index.html"),
    ];
    fill(&site, "---", &content);
    site.write("NOTES.md", "");
    sources_are(&site, "public/", &content);
}

#[test]
fn two_files_mounted_at_one_path_make_the_source_ambiguous() {
    let site = SiteTest::empty();
    let mount =
        |source: &str| format!("[[module.mounts]]\nsource = \"{source}\"\ntarget = \"content\"\n");
    let mounts = [mount("content"), mount("base")].concat();
    site.write(
        "hugo.toml",
        format!("baseURL = \"https://example.com/\"\n{mounts}"),
    );
    site.write("content/a.md", "")
        .write("base/a.md", "")
        .page("public/a/index.html", "");
    site.write("base/b.md", "").page("public/b/index.html", "");
    assert_eq!(
        site.explained("source"),
        [
            pair("a/index.html", None),
            pair("b/index.html", "base/b.md")
        ]
    );
}

#[test]
fn two_files_of_one_name_in_a_language_directory_make_the_source_ambiguous() {
    let site = SiteTest::empty();
    site.write(
        "hugo.toml",
        "baseURL = \"https://example.com/\"\n[languages.en]\ncontentDir = \"content/en\"\n",
    );
    site.write("content/en/a.md", "")
        .write("content/en/a.html", "")
        .page("public/a/index.html", "");
    site.write("content/en/b.md", "")
        .page("public/b/index.html", "");
    assert_eq!(
        site.explained("source"),
        [
            pair("a/index.html", None),
            pair("b/index.html", "content/en/b.md")
        ]
    );
}
