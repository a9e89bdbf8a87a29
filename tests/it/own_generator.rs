//! Generators that a site describes in its own settings.

use crate::chain::steps;
use crate::site_test::SiteTest;

const NOTES: &str = "base_url = \"https://example.com/\"\n\
    [generator.notes]\n\
    title = \"Notes\"\n\
    detect = [{ file = \"waypost.toml\" }]\n\
    config = []\n\
    output = \"out\"\n\
    roots = [{ dir = \"text\" }]\n\
    extensions = [\"txt\"]\n\
    leaf_index = [\"index\"]\n\
    url_style = \"dir\"\n";

fn notes(settings: &str) -> SiteTest {
    let site = SiteTest::empty();
    site.write("text/a.txt", "a").write("text/b/index.txt", "b");
    site.index_pages("out", "a/ b/ tags/");
    site.write(".gitignore", "out/\n");
    site.write("waypost.toml", settings);
    site.commit("2024-05-06T07:08:09Z");
    site
}

#[test]
fn a_site_can_describe_its_own_generator() {
    let site = notes(NOTES);
    let expected = [
        "a/index.html: text/a.txt convention",
        "b/index.html: text/b/index.txt convention",
        "tags/index.html: - -",
    ];
    assert_eq!(steps(&site), expected);
    site.waypost(&["explain"])
        .succeeded()
        .says("2 of 3 listed pages have a source");
}

#[test]
fn a_mistake_in_such_a_table_is_shown_at_its_place() {
    let check = |right: &str, wrong: &str, said: &str| {
        let outcome = notes(&NOTES.replace(right, wrong)).waypost(&[]);
        outcome.ended_with(2).says(said);
    };
    check("leaf_index", "leaf_indices", "unknown field `leaf_indices`");
    check("leaf_index", "leaf_indices", "waypost.toml:9:1");
    check(
        "url_style = \"dir\"",
        "url_style = \"x\"",
        "unknown variant `x`",
    );
}
