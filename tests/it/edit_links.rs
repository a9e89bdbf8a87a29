//! Whose "edit this page" links count: those of the repository of the site and of its submodules.

use crate::chain::{hugo, steps};
use crate::site_test::{SiteTest, pair};

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

/// Writes a page whose body has a link with this text.
fn link_as(site: &SiteTest, page: &str, url: &str, text: &str) {
    let body = format!("<!DOCTYPE html><title>t</title><body><a href=\"{url}\">{text}</a>");
    site.write(format!("public/{page}/index.html"), body);
}

fn link(site: &SiteTest, page: &str, url: &str) {
    link_as(site, page, url, "Edit this page");
}

/// The sources of the pages that links give one.
fn linked_sources(site: &SiteTest) -> Vec<String> {
    let steps = steps(site).into_iter();
    let linked = steps.filter_map(|step| Some(step.strip_suffix(" edit_link")?.to_owned()));
    linked.collect()
}

#[test]
fn a_link_to_another_repository_gives_no_source_even_if_its_file_exists_here() {
    let files = [
        "README.md",
        "SECURITY.md",
        "code-of-conduct.md",
        "docs/modules/ROOT/pages/index.adoc",
        "docs/a.md",
    ];
    for origin in [
        "https://github.com/acme/website",
        "git@github.com:acme/website.git",
    ] {
        let site = site_of(origin, &files);
        for (page, url) in [
            (
                "host",
                "https://gitlab.com/acme/website/-/edit/main/README.md",
            ),
            (
                "owner",
                "https://github.com/other/website/edit/main/README.md",
            ),
            (
                "name",
                "https://github.com/acme/websites/edit/main/README.md",
            ),
            (
                "both",
                "https://gitlab.com/other/project/-/edit/main/README.md",
            ),
            (
                "antora",
                "https://github.com/acme/lib/edit/main/docs/modules/ROOT/pages/index.adoc",
            ),
            (
                "remote",
                "https://github.com/acme/community/edit/main/code-of-conduct.md",
            ),
            (
                "port",
                "https://github.com.example:443/acme/website/edit/main/docs/a.md",
            ),
        ] {
            link(&site, page, url);
        }
        let policy = "https://github.com/acme/policies/blob/main/SECURITY.md";
        link_as(&site, "policy", policy, "Improve this policy");
        assert_eq!(linked_sources(&site), [""; 0], "{origin}");
        site.build().says_nothing_of("disagree");
        let mine = "https://github.com/Acme/Website/edit/main/docs/a.md";
        link(&site, "mine", mine);
        assert_eq!(linked_sources(&site), ["mine/index.html: docs/a.md"]);
    }
}

#[test]
fn the_repository_of_origin_is_recognized_in_every_notation_and_on_every_forge() {
    for (origin, own) in [
        ("https://github.com/o/r", "https://github.com/o/r/edit/main"),
        (
            "https://ci:secret@GitHub.com/O/R.git/",
            "https://github.com/o/r/blob/v1",
        ),
        (
            "git@github.com:o/r.git",
            "http://www.github.com/o/r/tree/main",
        ),
        (
            "ssh://git@ssh.github.com:443/o/r.git",
            "//github.com/o/r/edit/main",
        ),
        (
            "git@gitlab.com:g/s/p.git",
            "https://gitlab.com/g/s/p/-/edit/main",
        ),
        (
            "ssh://git@git.example.org:2222/g/p",
            "https://git.example.org:8443/g/p/-/blob/main",
        ),
        (
            "git@bitbucket.org:o/r.git",
            "https://bitbucket.org/o/r/src/main",
        ),
        (
            "https://codeberg.org/o/r.git",
            "https://codeberg.org/o/r/_edit/main",
        ),
        (
            "ssh://git@gitea.example.org/o/r",
            "https://gitea.example.org/o/r/src/branch/main",
        ),
    ] {
        let site = site_of(origin, &["docs/a.md"]);
        link(&site, "a", &format!("{own}/docs/a.md"));
        link(
            &site,
            "none",
            "https://forge.example/o/other/edit/main/docs/a.md",
        );
        assert_eq!(
            linked_sources(&site),
            ["a/index.html: docs/a.md"],
            "{origin}"
        );
    }
}

#[test]
fn without_a_remote_the_service_names_the_repository() {
    let vercel = |provider| {
        vec![
            ("VERCEL", "1"),
            ("VERCEL_ENV", "production"),
            ("VERCEL_GIT_PROVIDER", provider),
            ("VERCEL_GIT_REPO_OWNER", "o"),
            ("VERCEL_GIT_REPO_SLUG", "r"),
        ]
    };
    let github = ("GITHUB_REPOSITORY", "o/r");
    for (variables, host) in [
        (vec![github], "github.com"),
        (
            vec![github, ("GITHUB_SERVER_URL", "https://codeberg.org")],
            "codeberg.org",
        ),
        (
            vec![
                ("CI_PROJECT_PATH", "o/r"),
                ("CI_SERVER_HOST", "git.example.org"),
            ],
            "git.example.org",
        ),
        (
            vec![("REPOSITORY_URL", "https://gitlab.com/o/r")],
            "gitlab.com",
        ),
        (vec![("REPOSITORY_URL", "git@github.com:o/r")], "github.com"),
        (vercel("github"), "github.com"),
        (vercel("gitlab"), "gitlab.com"),
        (vercel("bitbucket"), "bitbucket.org"),
    ] {
        let mut site = site(&["docs/a.md", "README.md"]);
        for (name, value) in &variables {
            site.variable(name, value);
        }
        link(
            &site,
            "a",
            &format!("https://{host}/o/r/edit/main/docs/a.md"),
        );
        for page in ["b", "c", "d"] {
            link(
                &site,
                page,
                "https://github.com/o/other/edit/main/README.md",
            );
        }
        let expected = ["a/index.html: docs/a.md"];
        assert_eq!(linked_sources(&site), expected, "{variables:?}");
        // The remote counts before them.
        site.git(&["remote", "add", "origin", "git@forge.example:o/r"]);
        assert_eq!(linked_sources(&site), [""; 0], "{variables:?}");
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
    for (file, text, output) in [
        (
            "mkdocs.yml",
            "site_url: https://example.com/\nrepo_url: https://github.com/o/r/\n",
            "site",
        ),
        (
            "zensical.toml",
            "[project]\nsite_url = \"https://example.com/\"\nrepo_url = \"https://github.com/o/r\"\n",
            "site",
        ),
        (
            "book.toml",
            "[output.html]\ncname = \"example.com\"\ngit-repository-url = \"https://github.com/o/r\"\n",
            "book",
        ),
        ("docusaurus.config.js", docusaurus, "build"),
        ("astro.config.mjs", starlight, "dist"),
        (
            "_config.yml",
            "url: https://example.com\nrepository: o/r\n",
            "_site",
        ),
        (
            "_quarto.yml",
            "website:\n  site-url: https://example.com/\n  repo-url: https://github.com/o/r\n",
            "_site",
        ),
        (
            ".vitepress/config.mts",
            "export default { sitemap: { hostname: 'https://example.com' },\n\
             themeConfig: { editLink: { pattern: 'https://github.com/o/r/edit/main/:path' } } }\n",
            ".vitepress/dist",
        ),
    ] {
        let site = SiteTest::empty();
        site.write(file, text)
            .write("data/a.csv", "x")
            .write("data/b.csv", "x")
            .commit(COMMITTED);
        let link = |page: &str, url: &str| {
            let body = format!("<!DOCTYPE html><title>t</title><body><a href=\"{url}\">Edit</a>");
            site.write(format!("{output}/{page}.html"), body);
        };
        link("a", "https://github.com/o/r/edit/main/data/a.csv");
        for page in ["b", "c", "d"] {
            link(page, "https://github.com/o/other/edit/main/data/b.csv");
        }
        assert_eq!(linked_sources(&site), ["a.html: data/a.csv"], "{file}");
    }
}

#[test]
fn without_any_name_the_repository_that_most_pages_link_to_counts_if_nine_of_ten_files_exist() {
    let files: Vec<String> = (0..9).map(|nth| format!("docs/{nth}.md")).collect();
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    let site = site(&[files.as_slice(), &["README.md"]].concat());
    for file in &files {
        let page = file.trim_end_matches(".md");
        link(
            &site,
            page,
            &format!("https://forge.example/o/r/edit/main/{file}"),
        );
    }
    link(
        &site,
        "gone",
        "https://forge.example/o/r/edit/main/docs/gone.md",
    );
    let policy = "https://forge.example/o/policies/edit/main/README.md";
    link_as(&site, "policy", policy, "Improve this policy");
    let sources = linked_sources(&site);
    assert_eq!(sources.len(), 9, "{sources:?}");
    assert_eq!(sources[0], "docs/0/index.html: docs/0.md");
    // Files that the build has copied are not committed here.
    site.write(".git/info/exclude", "/copied\n")
        .write("copied/new.md", "x");
    link(
        &site,
        "new",
        "https://forge.example/o/r/edit/main/copied/new.md",
    );
    assert_eq!(linked_sources(&site), [""; 0]);
}

#[test]
fn a_link_that_few_pages_have_names_no_repository() {
    let site = site(&["SECURITY.md"]);
    for page in ["a", "b", "c"] {
        site.page(format!("public/{page}/index.html"), "");
    }
    let policy = "https://github.com/acme/policies/blob/main/SECURITY.md";
    link_as(&site, "policy", policy, "Improve this policy");
    assert_eq!(linked_sources(&site), [""; 0]);
}

#[test]
fn in_the_clone_of_a_fork_the_links_of_the_original_count() {
    let site = site_of(
        "git@github.com:me/docs.git",
        &["docs/a.md", "docs/b.md", "README.md"],
    );
    link(
        &site,
        "a",
        "https://github.com/acme/docs/edit/main/docs/a.md",
    );
    link(
        &site,
        "b",
        "https://github.com/acme/docs/edit/main/docs/b.md",
    );
    link(
        &site,
        "c",
        "https://github.com/acme/handbook/edit/main/README.md",
    );
    link(
        &site,
        "own",
        "https://github.com/acme/docs/edit/main/content/own.md",
    );
    site.page("public/d/index.html", "");
    let expected = ["a/index.html: docs/a.md", "b/index.html: docs/b.md"];
    assert_eq!(linked_sources(&site), expected);
    // The fork's own links count as well.
    link(&site, "c", "https://github.com/me/docs/edit/main/README.md");
    assert_eq!(linked_sources(&site).len(), 3);
    // Another repository of this name has other files.
    link(
        &site,
        "b",
        "https://github.com/acme/docs/edit/main/docs/other.md",
    );
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
        for page in ["a", "b", "c"] {
            site.write(format!("docs/{page}.md"), "x");
            let url = format!("https://github.com/acme/docs/edit/main/docs/{page}.md");
            link(&site, page, &url);
        }
        link(
            &site,
            "start",
            "https://github.com/acme/docs/edit/main/README.md",
        );
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
    let url = module.root().display().to_string();
    let add = [
        "-c",
        "protocol.file.allow=always",
        "submodule",
        "--quiet",
        "add",
        &url,
        "spec",
    ];
    site.git(&add);
    let listed = "[submodule \"spec\"]\n\tpath = spec\n\turl = ../spec.git\n";
    site.write(".gitmodules", listed).commit(COMMITTED);
    link(
        &site,
        "api",
        "https://forge.example/o/spec/edit/main/docs/api.md",
    );
    link(
        &site,
        "other",
        "https://mirror.example/o/spec/edit/main/docs/api.md",
    );
    assert_eq!(linked_sources(&site), ["api/index.html: spec/docs/api.md"]);
    let dates = site.explained("lastmod");
    assert_eq!(dates[0], pair("api/index.html", "2023-01-02T00:00:00Z"));
    // The site may itself be in the submodule, whose remote is its own.
    site.git(&[
        "-C",
        "spec",
        "remote",
        "set-url",
        "origin",
        "git@forge.example:o/spec.git",
    ]);
    let below = |path: &str, text: &str| {
        site.write(format!("spec/{path}"), text);
    };
    below("hugo.toml", "baseURL = \"https://example.com/\"\n");
    let body = |url: &str| format!("<!DOCTYPE html><title>t</title><body><a href={url}>Edit</a>");
    let own = "https://forge.example/o/spec/edit/main/docs/api.md";
    below("public/api/index.html", &body(own));
    let above = "https://forge.example/o/site/edit/main/hugo.toml";
    below("public/above/index.html", &body(above));
    let explained = site
        .waypost(&["explain", "spec", "--json"])
        .succeeded()
        .stdout;
    assert!(
        explained.contains("\"source\":\"docs/api.md\""),
        "{explained}"
    );
    assert!(
        !explained.contains("\"source\":\"hugo.toml\""),
        "{explained}"
    );
}

#[test]
fn pages_that_differ_by_their_language_share_the_file_that_they_link_to() {
    let site = site_of(
        "https://github.com/o/r",
        &["docs/a.md", "docs/b.md", "src/[x].md"],
    );
    let to = |page: &str, file: &str| {
        link(
            &site,
            page,
            &format!("https://github.com/o/r/edit/main/{file}"),
        );
    };
    for page in ["docs/a", "fr/docs/a", "pt-BR/docs/a"] {
        to(page, "docs/a.md");
    }
    for page in ["de/docs/b", "zh_CN/docs/b"] {
        to(page, "docs/b.md");
    }
    for page in ["x", "y"] {
        to(page, "src/[x].md");
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
