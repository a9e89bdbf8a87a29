//! Output of first runs: one example of each kind of finding, and the command to type instead of
//! arguments that name nothing.

use crate::site_test::SiteTest;

const NO_LINK: &str = "<title>t</title>";

#[test]
fn each_kind_of_finding_is_shown_once_with_how_many_more_there_are() {
    let site = SiteTest::empty();
    for name in ["a", "b", "c"] {
        let text = format!("<link rel=canonical href=http://site.example.com/{name}.html>");
        site.write(format!("public/{name}.html"), &text);
    }
    site.write("public/index.html", NO_LINK);
    let build = [
        "--base-url",
        "https://site.example.com/",
        "--accept",
        "base-url-contradicted",
    ];
    let outcome = site.waypost(&build).succeeded();
    let outcome = outcome.says(
        "warning[canonical-other-scheme]: the canonical link names \
         `http://site.example.com/a.html`, but the site is at `https://site.example.com/` \
         (and 2 more; `-v` shows all)\n --> public/a.html:1:1",
    );
    outcome.says_nothing_of("c.html");
    let outcome = site.waypost(&[&build[..], &["-v"]].concat()).succeeded();
    outcome
        .says(" --> public/c.html:1:1")
        .says_nothing_of("more;");
}

#[test]
fn arguments_that_name_nothing_get_the_command_to_type() {
    let site = SiteTest::empty();
    site.write("blog/public/index.html", NO_LINK)
        .write("blog/public/a.html", NO_LINK);
    let says = |arguments: &str, message: &str, hint: &str| {
        let arguments: Vec<&str> = arguments.split_whitespace().collect();
        let outcome = site.waypost(&arguments).ended_with(2);
        outcome.says(message).says(hint);
    };
    says(
        "validate blog",
        "no command named `validate`",
        "`waypost help` lists all commands",
    );
    says(
        "builds blog",
        "no command named `builds`",
        "did you mean the command `waypost build`?",
    );
    says(
        "blog -o public",
        "cannot open the output directory",
        "hint: ",
    );
    says("blog --threads 0", "--threads", "0 is not in 1..=1024");
    says(
        "explain blog/public a.htm --base-url https://site.example.com/",
        "no page matches `a.htm`",
        "did you mean `a.html`?",
    );
}

#[test]
fn explain_takes_a_page_of_the_site_in_the_working_directory() {
    let site = SiteTest::empty();
    site.write("public/index.html", NO_LINK)
        .write("public/a.html", NO_LINK);
    let base = ["--base-url", "https://site.example.com/"];
    for page in ["public/a.html", "a.html", "https://site.example.com/a.html"] {
        let outcome = site.waypost(&[&["explain", page], &base[..]].concat());
        let shown = outcome.succeeded().stdout;
        assert!(shown.contains("https://site.example.com/a.html"), "{shown}");
    }
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
    for (page, text) in [
        ("", NO_LINK),
        ("hidden/", noindex),
        ("new/", NO_LINK),
        ("tags/one/", NO_LINK),
        ("tags/two/", NO_LINK),
    ] {
        site.write(format!("public/{page}index.html"), text);
    }
    let outcome = site.waypost(&[]).succeeded();
    outcome
        .says("1 none: the source is not committed")
        .says("1 none: a page of the list is not committed")
        .says("2 none: `lastmod.lists` gives pages of tags and other terms no date");
}

#[test]
fn a_taxonomy_without_terms_does_not_need_a_source_map() {
    let site = SiteTest::empty();
    site.write("hugo.toml", "baseURL = \"https://site.example.com/\"\n")
        .write("content/a.md", "+++\n+++\n");
    for page in ["", "a/", "tags/", "categories/"] {
        site.write(format!("public/{page}index.html"), NO_LINK);
    }
    site.commit("2024-05-06T07:08:09Z");
    let outcome = site.waypost(&[]).succeeded();
    outcome
        .says("2 none: `lastmod.lists` gives pages of tags and other terms no date")
        .says_nothing_of("hugo list all");
}
