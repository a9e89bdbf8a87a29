//! Files that several pages link to as their source, and files of submodules.

use crate::chain::{hugo, steps};
use crate::site_test::{SiteTest, pair};

/// A page whose body links to its source on a forge.
fn linking(link: &str) -> String {
    format!("<!DOCTYPE html><title>t</title><body><a href=\"https://{link}\">Edit this page</a>")
}

const ORIGINAL: &str = "2024-05-06T07:08:09Z";
const CATALOGUE: &str = "2024-02-16T00:00:00Z";

#[test]
fn a_catalogue_is_the_source_of_no_page_even_if_one_links_to_it() {
    let site = hugo("", &["content/a.md"], &[]);
    site.write("po/da.po", "").commit(CATALOGUE);
    site.write(
        "public/a/index.html",
        linking("forge.example/o/r/edit/main/content/a.md"),
    );
    site.write(
        "public/x/index.html",
        linking("forge.example/o/r/edit/main/po/da.po"),
    );
    assert_eq!(steps(&site)[1], "x/index.html: - -");
}

#[test]
fn a_file_that_several_pages_link_to_is_the_source_of_none_but_of_all_languages_of_one() {
    let site = SiteTest::empty();
    site.write(".gitignore", "public/\n")
        .write("docs/a.rst", "")
        .write("docs/pkg/[pkg].md", "")
        .commit(ORIGINAL);
    site.settings("output_dir = \"public\"\n");
    for (page, source) in [
        ("a", "docs/a.rst"),
        ("pkg/x", "docs/pkg/[pkg].md"),
        ("pkg/y", "docs/pkg/[pkg].md"),
        ("fr/a", "docs/a.rst"),
    ] {
        let link = format!("forge.example/o/r/edit/main/{source}");
        site.write(format!("public/{page}.html"), linking(&link));
    }
    let expected = [
        "a.html: docs/a.rst edit_link",
        "fr/a.html: docs/a.rst edit_link",
        "pkg/x.html: public/pkg/x.html itself",
        "pkg/y.html: public/pkg/y.html itself",
    ];
    assert_eq!(steps(&site), expected);
    let dates = site.explained("lastmod");
    assert_eq!(dates[0], pair("a.html", ORIGINAL));
    assert_eq!(dates[2], pair("pkg/x.html", None));
}

/// A Hugo site whose build copies content of a submodule into a directory that Git ignores.
fn site_with_submodule() -> SiteTest {
    let specification = SiteTest::empty();
    specification
        .write("docs/api.md", "---\ntitle: t\n---\n")
        .commit("2023-01-02T00:00:00Z");
    let site = hugo("", &["content/a.md"], &[]);
    let url = specification.root().display().to_string();
    let allowed = ["-c", "protocol.file.allow=always"];
    let add = ["submodule", "--quiet", "add", &url, "modules/spec"];
    site.git(&[&allowed[..], &add].concat());
    let listed = "[submodule \"modules/spec\"]\n\tpath = modules/spec\n\
                  \turl = https://forge.example/o/Spec.git\n";
    site.write(".gitmodules", listed)
        .write(".gitignore", "/content/copied\n/public\n")
        .commit(ORIGINAL);
    site.write("content/copied/api.md", "---\ntitle: t\n---\n")
        .write("content/copied/more.md", "---\ntitle: t\n---\n");
    site.write(
        "public/a/index.html",
        linking("forge.example/o/r/edit/main/content/a.md"),
    );
    site.write(
        "public/copied/api/index.html",
        linking("forge.example/o/spec/edit/main/docs/api.md"),
    );
    site.page("public/copied/more/index.html", "");
    site
}

#[test]
fn an_edit_link_into_a_submodule_replaces_a_source_that_the_build_copied() {
    let site = site_with_submodule();
    let expected = [
        "a/index.html: content/a.md convention",
        "copied/api/index.html: modules/spec/docs/api.md edit_link",
        "copied/more/index.html: content/copied/more.md convention",
    ];
    assert_eq!(steps(&site), expected);
    let dates = [
        pair("a/index.html", ORIGINAL),
        pair("copied/api/index.html", "2023-01-02T00:00:00Z"),
        pair("copied/more/index.html", None),
    ];
    assert_eq!(site.explained("lastmod"), dates);
    // A file with this path in another repository is not that of the submodule.
    site.write(
        "public/copied/api/index.html",
        linking("forge.example/o/other/edit/main/docs/api.md"),
    );
    assert_eq!(
        site.explained("lastmod")[1],
        pair("copied/api/index.html", None)
    );
}
