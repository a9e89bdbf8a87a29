//! Small sites of Hugo: settings, languages and mounts decide which file is the source of a page.

use crate::generators::{fill, sources_are};
use crate::site_test::{SiteTest, pair};

#[test]
fn hugos_settings_may_be_yaml_in_a_config_directory() {
    let site = SiteTest::of_files(
        "\
-- config/_default/hugo.yaml --
baseURL: https://example.com/sub/
publishDir: out
-- config/_default/params.yaml --
waypost:
  rule:
    - match: '**'
      priority: 0.7
",
    );
    site.page("out/index.html", "").build();
    let entry = site.entries_of("out/sitemap.xml").remove(0);
    assert_eq!(entry.loc, "https://example.com/sub/");
    assert_eq!(entry.priority.as_deref(), Some("0.7"));
}

#[test]
fn hugos_production_settings_override_others_case_insensitively() {
    let staging = "baseURL = \"https://staging.example.com/\"\n";
    let site = SiteTest::with(&[("config/_default/hugo.toml", staging)]);
    let production = "baseurl = \"https://example.com/\"\n";
    site.write("config/production/hugo.toml", production);
    site.page("public/index.html", "").build();
    let entry = site.entries_of("public/sitemap.xml").remove(0);
    assert_eq!(entry.loc, "https://example.com/");
}

#[test]
fn a_section_may_have_the_slug_of_its_directory_or_another() {
    let site = SiteTest::hugo("");
    let (blog, news) = ("content/blog/_index.md", "content/news/_index.md");
    let content = [
        (blog, "slug: blog", "public/blog/index.html"),
        (news, "slug: new", "public/new/index.html"),
    ];
    fill(&site, "---", &content);
    sources_are(&site, "public/", &content);
}

/// A site with these mounts, of a source and its target below `content`.
pub(crate) fn mounted(mounts: &[(&str, &str)]) -> SiteTest {
    let mount = |(source, target): &(&str, &str)| {
        format!("[[module.mounts]]\nsource = \"{source}\"\ntarget = \"content{target}\"\n")
    };
    let mounts: String = mounts.iter().map(mount).collect();
    SiteTest::hugo(&mounts)
}

#[test]
fn a_single_file_mounted_by_hugo_has_the_name_of_its_target() {
    let site = mounted(&[
        ("content", ""),
        ("README.markdown", "/éabcde.md"),
        ("LICENSE", "/licence.md"),
        ("NOTES.md", "/notes"),
    ]);
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
fn two_files_at_one_path_make_the_source_ambiguous() {
    let of_language = SiteTest::hugo("[languages.en]\ncontentDir = \"base\"\n");
    for (site, other) in [
        (mounted(&[("content", ""), ("base", "")]), "content/a.md"),
        (of_language, "base/a.html"),
    ] {
        site.write("base/a.md", "")
            .write(other, "")
            .write("base/b.md", "")
            .page("public/a/index.html", "")
            .page("public/b/index.html", "");
        let expected = [
            pair("a/index.html", None),
            pair("b/index.html", "base/b.md"),
        ];
        assert_eq!(site.explained("source"), expected, "{other}");
    }
}

/// Files with front matter, and settings, as real Hugo 0.168 found them (`hugo list all`).
#[test]
fn content_of_modules_and_themes_has_its_file_as_source_in_the_order_of_hugo() {
    let check = |settings: &str, files: &[&str], expected: &[(&str, &str)]| {
        let site = SiteTest::hugo(settings);
        for file in files {
            site.write(file, "---\ntitle: a\n---\n");
        }
        for (_, page) in expected {
            site.page(format!("public/{page}"), "");
        }
        let wanted = expected
            .iter()
            .map(|(source, page)| (page.to_string(), Some(source.to_string())));
        let found = site.explained("source");
        assert_eq!(found, wanted.collect::<Vec<_>>(), "{settings}");
    };
    let theme = [
        "content/a.md",
        "themes/t/content/a.md",
        "themes/t/content/b.md",
    ];
    let sources = [
        ("content/a.md", "a/index.html"),
        ("themes/t/content/b.md", "b/index.html"),
    ];
    check("theme = \"t\"\n", &theme, &sources);
    let both = ["themes/t/content/x.md", "themes/u/content/x.md"];
    check(
        "theme = [\"u\", \"t\"]\n",
        &both,
        &[("themes/u/content/x.md", "x/index.html")],
    );
    let import = "[[module.imports]]\npath = \"example.org/m\"\n";
    let vendored = "_vendor/example.org/m/content/x.md";
    check(
        import,
        &[vendored, "themes/example.org/m/content/x.md"],
        &[(vendored, "x/index.html")],
    );
    check(
        &format!(
            "{import}[[module.imports.mounts]]\nsource = \"docs\"\ntarget = \"content/lib\"\n"
        ),
        &[
            "_vendor/example.org/m/docs/x.md",
            "_vendor/example.org/m/content/y.md",
        ],
        &[("_vendor/example.org/m/docs/x.md", "lib/x/index.html")],
    );
    let replaced = "[module]\nreplacements = \"example.org/m -> ../mod\"\n";
    check(
        &format!("{replaced}{import}"),
        &["mod/content/x.md", vendored],
        &[("mod/content/x.md", "x/index.html")],
    );
    let mounted = "[[module.mounts]]\nsource = \"ext\"\ntarget = \"content/posts\"\n";
    let files = [
        "ext/q.md",
        "_vendor/example.org/m/content/posts/q.md",
        "_vendor/example.org/m/content/posts/r.md",
    ];
    let sources = [
        ("ext/q.md", "posts/q/index.html"),
        (files[2], "posts/r/index.html"),
    ];
    check(&format!("{mounted}{import}"), &files, &sources);
}
