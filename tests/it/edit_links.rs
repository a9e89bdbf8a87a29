//! Whose "edit this page" links count: those of the repository of the site and of its submodules.

use crate::chain::{hugo, steps};
use crate::dates_repositories::add_submodule;
use crate::site_test::{SiteTest, pair, rows};

const COMMITTED: &str = "2024-05-06T07:08:09Z";

/// A committed Hugo site with files that no convention makes the source of a page, and no remote.
fn site(files: &[&str]) -> SiteTest {
    let site = hugo("", &["content/own.md"], &["own/index.html"]);
    site.write(".gitignore", "/public\n");
    for file in files {
        site.write(file, "x");
    }
    site.commit(COMMITTED);
    site
}

/// The same site, cloned from this URL.
fn site_of(origin: &str, files: &[&str]) -> SiteTest {
    let site = site(files);
    site.git(&["remote", "add", "origin", origin]);
    site
}

/// Writes a page whose body links to its source.
fn link(site: &SiteTest, page: &str, url: &str) {
    let body = format!("<!DOCTYPE html><title>t</title><body><a href=\"{url}\">Edit this page</a>");
    site.write(format!("public/{page}/index.html"), body);
}

/// The sources of the pages that links give one.
fn linked_sources(site: &SiteTest) -> Vec<String> {
    let steps = steps(site).into_iter();
    let linked = steps.filter_map(|step| Some(step.strip_suffix(" edit_link")?.to_owned()));
    linked.collect()
}

#[test]
fn a_link_to_another_repository_gives_no_source_even_if_its_file_exists_here() {
    let antora = "docs/modules/ROOT/pages/index.adoc";
    let files = ["README.md", "code-of-conduct.md", antora, "docs/a.md"];
    for origin in [
        "https://github.com/acme/website",
        "git@github.com:acme/website.git",
    ] {
        let site = site_of(origin, &files);
        for [page, url] in rows(
            "host   | https://gitlab.com/acme/website/-/edit/main/README.md
             owner  | https://github.com/other/website/edit/main/README.md
             name   | https://github.com/acme/websites/edit/main/README.md
             both   | https://gitlab.com/other/project/-/edit/main/README.md
             antora | https://github.com/acme/lib/edit/main/docs/modules/ROOT/pages/index.adoc
             remote | https://github.com/acme/community/edit/main/code-of-conduct.md
             port   | https://github.com.example:443/acme/website/edit/main/docs/a.md
             policy | https://github.com/acme/policies/blob/main/README.md",
        ) {
            link(&site, page, url);
        }
        assert_eq!(linked_sources(&site), [""; 0], "{origin}");
        site.build().says_nothing_of("disagree");
        let mine = "https://github.com/Acme/Website/edit/main/docs/a.md";
        link(&site, "mine", mine);
        assert_eq!(linked_sources(&site), ["mine/index.html: docs/a.md"]);
    }
}

#[test]
fn the_repository_of_origin_is_recognized_in_every_notation_and_on_every_forge() {
    for [origin, own] in rows(
        "https://github.com/o/r                     | https://github.com/o/r/edit/main
         https://ci:secret@GitHub.com/O/R.git/      | https://github.com/o/r/blob/v1
         git@github.com:o/r.git                     | http://www.github.com/o/r/tree/main
         ssh://git@ssh.github.com:443/o/r.git       | //github.com/o/r/edit/main
         git@gitlab.com:g/s/p.git                   | https://gitlab.com/g/s/p/-/edit/main
         ssh://git@git.example.org:2222/g/p         | https://git.example.org:8443/g/p/-/blob/main
         git@bitbucket.org:o/r.git                  | https://bitbucket.org/o/r/src/main
         https://codeberg.org/o/r.git               | https://codeberg.org/o/r/_edit/main
         ssh://git@gitea.example.org/o/r            | https://gitea.example.org/o/r/src/branch/main",
    ) {
        let site = site_of(origin, &["docs/a.md"]);
        link(&site, "a", &format!("{own}/docs/a.md"));
        let other = "https://forge.example/o/other/edit/main/docs/a.md";
        link(&site, "none", other);
        let expected = ["a/index.html: docs/a.md"];
        assert_eq!(linked_sources(&site), expected, "{origin}");
    }
}

#[test]
fn without_a_remote_the_service_names_the_repository() {
    let vercel = "VERCEL=1 VERCEL_ENV=production VERCEL_GIT_REPO_OWNER=o VERCEL_GIT_REPO_SLUG=r";
    for [variables, host] in rows(
        "GITHUB_REPOSITORY=o/r                                        | github.com
         GITHUB_REPOSITORY=o/r GITHUB_SERVER_URL=https://codeberg.org | codeberg.org
         CI_PROJECT_PATH=o/r CI_SERVER_HOST=git.example.org           | git.example.org
         REPOSITORY_URL=https://gitlab.com/o/r                        | gitlab.com
         REPOSITORY_URL=git@github.com:o/r                            | github.com
         ON_VERCEL VERCEL_GIT_PROVIDER=github                         | github.com
         ON_VERCEL VERCEL_GIT_PROVIDER=gitlab                         | gitlab.com
         ON_VERCEL VERCEL_GIT_PROVIDER=bitbucket                      | bitbucket.org",
    ) {
        let mut site = site(&["docs/a.md", "README.md"]);
        let variables = variables.replace("ON_VERCEL", vercel);
        for (name, value) in variables.split(' ').filter_map(|it| it.split_once('=')) {
            site.variable(name, value);
        }
        link(
            &site,
            "a",
            &format!("https://{host}/o/r/edit/main/docs/a.md"),
        );
        let other = "https://github.com/o/other/edit/main/README.md";
        for page in ["b", "c", "d"] {
            link(&site, page, other);
        }
        let expected = ["a/index.html: docs/a.md"];
        assert_eq!(linked_sources(&site), expected, "{variables}");
        // The remote counts before them.
        site.git(&["remote", "add", "origin", "git@forge.example:o/r"]);
        assert_eq!(linked_sources(&site), [""; 0], "{variables}");
    }
}

#[test]
fn without_a_remote_and_a_service_the_settings_of_the_generator_name_the_repository() {
    let docusaurus = "/** @type {import('@docusaurus/types').Config} */\nconst config = {\n\
        url: 'https://example.com',\n  presets: [\n    ['classic', /** @type {O} */ ({\n      \
        docs: { sidebarPath: './s.js', editUrl: 'https://github.com/o/r/tree/main/' },\n    })],\n  ],\n};\n\
        export default config;\n";
    let starlight = "import starlight from '@astrojs/starlight';\nexport default defineConfig({ site: 'https://example.com',\n\
        integrations: [starlight({ editLink: { baseUrl: 'https://github.com/o/r/edit/main/' } })] });\n";
    let vitepress = "export default { sitemap: { hostname: 'https://example.com' },\n\
        themeConfig: { editLink: { pattern: 'https://github.com/o/r/edit/main/:path' } } }\n";
    let mkdocs = "site_url: https://example.com/\nrepo_url: https://github.com/o/r/\n";
    let zensical =
        "[project]\nsite_url = \"https://example.com/\"\nrepo_url = \"https://github.com/o/r\"\n";
    let book =
        "[output.html]\ncname = \"example.com\"\ngit-repository-url = \"https://github.com/o/r\"\n";
    let jekyll = "url: https://example.com\nrepository: o/r\n";
    let quarto = "website:\n  site-url: https://example.com/\n  repo-url: https://github.com/o/r\n";
    for (file, text, output) in [
        ("mkdocs.yml", mkdocs, "site"),
        ("zensical.toml", zensical, "site"),
        ("book.toml", book, "book"),
        ("docusaurus.config.js", docusaurus, "build"),
        ("astro.config.mjs", starlight, "dist"),
        ("_config.yml", jekyll, "_site"),
        ("_quarto.yml", quarto, "_site"),
        (".vitepress/config.mts", vitepress, ".vitepress/dist"),
    ] {
        let site = SiteTest::empty();
        site.write(file, text)
            .write("data/a.csv", "x")
            .write("data/b.csv", "x")
            .commit(COMMITTED);
        for (page, linked) in [
            ("a", "r/edit/main/data/a.csv"),
            ("b", "other/edit/main/data/b.csv"),
            ("c", "other/edit/main/data/b.csv"),
            ("d", "other/edit/main/data/b.csv"),
        ] {
            let url = format!("https://github.com/o/{linked}");
            let body = format!("<!DOCTYPE html><title>t</title><body><a href=\"{url}\">Edit</a>");
            site.write(format!("{output}/{page}.html"), body);
        }
        assert_eq!(linked_sources(&site), ["a.html: data/a.csv"], "{file}");
    }
}

#[test]
fn without_any_name_the_repository_that_most_pages_link_to_counts_if_nine_of_ten_files_exist() {
    let files: Vec<String> = (0..9).map(|nth| format!("docs/{nth}.md")).collect();
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    let site = site(&[&files[..], &["README.md"]].concat());
    let own = "https://forge.example/o/r/edit/main";
    for file in files.iter().chain(&["docs/gone.md"]) {
        link(
            &site,
            file.trim_end_matches(".md"),
            &format!("{own}/{file}"),
        );
    }
    let policy = "https://forge.example/o/policies/edit/main/README.md";
    link(&site, "policy", policy);
    let sources = linked_sources(&site);
    assert_eq!(sources.len(), 9, "{sources:?}");
    assert_eq!(sources[0], "docs/0/index.html: docs/0.md");
    // Files that the build has copied are not committed here.
    site.write(".git/info/exclude", "/copied\n")
        .write("copied/new.md", "x");
    link(&site, "new", &format!("{own}/copied/new.md"));
    assert_eq!(linked_sources(&site), [""; 0]);
}

#[test]
fn a_link_that_few_pages_have_names_no_repository() {
    let site = site(&["SECURITY.md"]);
    site.index_pages("public", "a/ b/ c/");
    let policy = "https://github.com/acme/policies/blob/main/SECURITY.md";
    link(&site, "policy", policy);
    assert_eq!(linked_sources(&site), [""; 0]);
}

#[test]
fn in_the_clone_of_a_fork_the_links_of_the_original_count() {
    let files = ["docs/a.md", "docs/b.md", "README.md"];
    let site = site_of("git@github.com:me/docs.git", &files);
    let to = |page: &str, repository: &str, file: &str| {
        let url = format!("https://github.com/{repository}/edit/main/{file}");
        link(&site, page, &url);
    };
    to("a", "acme/docs", "docs/a.md");
    to("b", "acme/docs", "docs/b.md");
    to("c", "acme/handbook", "README.md");
    to("own", "acme/docs", "content/own.md");
    site.page("public/d/index.html", "");
    let expected = ["a/index.html: docs/a.md", "b/index.html: docs/b.md"];
    assert_eq!(linked_sources(&site), expected);
    // The fork's own links count as well.
    to("c", "me/docs", "README.md");
    assert_eq!(linked_sources(&site).len(), 3);
    // Another repository of this name has other files.
    to("b", "acme/docs", "docs/other.md");
    assert_eq!(linked_sources(&site), ["c/index.html: README.md"]);
}

#[test]
fn a_repository_that_wraps_content_from_elsewhere_is_not_that_of_the_content() {
    for origin in [None, Some("https://github.com/acme/wrapper")] {
        let site = site(&["README.md", "LICENSE"]);
        if let Some(origin) = origin {
            site.git(&["remote", "add", "origin", origin]);
        }
        // The build clones the content beside the files of the wrapper.
        site.write(".git/info/exclude", "/docs\n");
        let content = "https://github.com/acme/docs/edit/main";
        for page in ["a", "b", "c"] {
            site.write(format!("docs/{page}.md"), "x");
            link(&site, page, &format!("{content}/docs/{page}.md"));
        }
        link(&site, "start", &format!("{content}/README.md"));
        assert_eq!(linked_sources(&site), [""; 0], "{origin:?}");
    }
}

#[test]
fn a_submodule_with_a_relative_url_is_next_to_the_repository() {
    let module = SiteTest::empty();
    module
        .write("docs/api.md", "x")
        .commit("2023-01-02T00:00:00Z");
    let site = site_of("git@forge.example:o/site.git", &[]);
    add_submodule(&site, &[&module.root().display().to_string(), "spec"]);
    let listed = "[submodule \"spec\"]\n\tpath = spec\n\turl = ../spec.git\n";
    site.write(".gitmodules", listed).commit(COMMITTED);
    let own = "forge.example/o/spec/edit/main/docs/api.md";
    let other = own.replace("forge", "mirror");
    link(&site, "api", &format!("https://{own}"));
    link(&site, "other", &format!("https://{other}"));
    assert_eq!(linked_sources(&site), ["api/index.html: spec/docs/api.md"]);
    let dates = site.explained("lastmod");
    assert_eq!(dates[0], pair("api/index.html", "2023-01-02T00:00:00Z"));
    // The site may itself be in the submodule, whose remote is its own.
    let remote = [
        "config",
        "remote.origin.url",
        "git@forge.example:o/spec.git",
    ];
    site.git(&[&["-C", "spec"], &remote[..]].concat());
    site.write("spec/hugo.toml", "baseURL = \"https://example.com/\"\n");
    let above = "forge.example/o/site/edit/main/hugo.toml";
    for (page, url) in [("api", own), ("above", above)] {
        let body = format!("<!DOCTYPE html><title>t</title><body><a href=https://{url}>Edit</a>");
        site.write(format!("spec/public/{page}/index.html"), body);
    }
    let explained = site.waypost(&["explain", "spec", "--json"]).stdout;
    let sources: Vec<_> = explained.split("\"source\":").skip(1).collect();
    assert!(sources[0].starts_with("null"), "{explained}");
    assert!(sources[1].starts_with("\"docs/api.md\""), "{explained}");
}

#[test]
fn pages_that_differ_by_their_language_share_the_file_that_they_link_to() {
    let files = ["docs/a.md", "docs/b.md", "src/[x].md"];
    let site = site_of("https://github.com/o/r", &files);
    for (pages, file) in [
        (&["docs/a", "fr/docs/a", "pt-BR/docs/a"][..], "docs/a.md"),
        (&["de/docs/b", "zh_CN/docs/b"], "docs/b.md"),
        (&["x", "y"], "src/[x].md"),
    ] {
        for page in pages {
            link(
                &site,
                page,
                &format!("https://github.com/o/r/edit/main/{file}"),
            );
        }
    }
    let expected = [
        "de/docs/b/index.html: docs/b.md",
        "docs/a/index.html: docs/a.md",
        "fr/docs/a/index.html: docs/a.md",
        "pt-BR/docs/a/index.html: docs/a.md",
        "zh_CN/docs/b/index.html: docs/b.md",
    ];
    assert_eq!(linked_sources(&site), expected);
}
