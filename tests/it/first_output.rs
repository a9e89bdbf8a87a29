//! Output of first runs: one example of each kind of finding, and the command to type instead of
//! arguments that name nothing.

use crate::site_test::SiteTest;

const NO_LINK: &str = "<title>t</title>";

#[test]
fn each_kind_of_finding_is_shown_once_with_how_many_more_there_are() {
    let site = SiteTest::empty();
    for name in ["a", "b", "c"] {
        let link = format!("<link rel=canonical href=http://site.example.com/{name}.html>");
        site.write(format!("public/{name}.html"), &link);
    }
    site.write("public/index.html", NO_LINK);
    let build = "--base-url https://site.example.com/ --accept base-url-contradicted";
    let build: Vec<&str> = build.split(' ').collect();
    let outcome = site.waypost(&build).succeeded();
    outcome
        .says("(and 2 more; `-v` shows all)\n --> public/a.html:1:1")
        .says_nothing_of("public/c.html");
    let outcome = site.waypost(&[&build[..], &["-v"]].concat()).succeeded();
    outcome
        .says(" --> public/c.html:1:1")
        .says_nothing_of("more;");
}

#[test]
fn a_missing_date_has_its_true_reason() {
    let site = SiteTest::empty();
    site.write(".gitignore", "public/\n")
        .write("public/index.html", NO_LINK);
    site.commit("2024-05-06T07:08:09Z");
    let build = ["--base-url", "https://site.example.com/"];
    let outcome = site.waypost(&build).succeeded();
    outcome.says("1 none: no generator found, and the page is not committed");

    let site = SiteTest::empty();
    let tagged = |tag: &str| format!("+++\n[taxonomies]\ntags = [\"{tag}\"]\n+++\n");
    let settings = "base_url = \"https://site.example.com\"\ntaxonomies = [{ name = \"tags\" }]\n";
    site.write("config.toml", settings)
        .write("content/_index.md", "+++\n+++\n")
        .write("content/hidden.md", tagged("one"));
    site.commit("2024-05-06T07:08:09Z");
    site.write("content/new.md", tagged("two"));
    let noindex = "<meta name=robots content=noindex>";
    site.page("public/hidden/index.html", noindex);
    site.index_pages("public", "/ new/ tags/one/ tags/two/");
    let outcome = site.waypost(&[]).succeeded();
    outcome
        .says("1 none: the source is not committed")
        .says("1 none: a page of the list is not committed")
        .says("2 none: lists of tags and other terms have no date of their own");
}

#[test]
fn a_taxonomy_of_hugos_defaults_without_terms_needs_no_source_map() {
    let site = SiteTest::empty();
    site.write("hugo.toml", "baseURL = \"https://site.example.com/\"\n")
        .write("content/a.md", "+++\n+++\n");
    site.index_pages("public", "/ a/ tags/ categories/");
    site.commit("2024-05-06T07:08:09Z");
    site.waypost(&[])
        .succeeded()
        .says("2 none: lists of tags and other terms have no date of their own")
        .says_nothing_of("hugo list all");
}
