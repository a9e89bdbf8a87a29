//! Mistakes of the first day in what a user types, and in the runs after the first.

use crate::site_test::{Outcome, SiteTest, rows};

const NO_LINK: &str = "<title>t</title>";
const BASE: [&str; 2] = ["--base-url", "https://site.example.com/"];
const SITEMAP: &str = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\
    <url><loc>https://site.example.com/docs/</loc></url>\
    <url><loc>https://site.example.com/docs/a/</loc></url></urlset>";

fn two_pages() -> SiteTest {
    let site = SiteTest::empty();
    site.write("index.html", NO_LINK)
        .write("a/index.html", "<title>a</title>");
    site
}

#[test]
fn a_base_url_from_the_generators_sitemap_is_kept_after_the_first_run() {
    let site = two_pages();
    site.write("sitemap.xml", SITEMAP);
    site.waypost(&[])
        .succeeded()
        .says("https://site.example.com/docs/ from the generator's sitemap.xml");
    let written = site.read("sitemap.xml");
    site.waypost(&[])
        .succeeded()
        .says("https://site.example.com/docs/ from waypost's earlier sitemap.xml");
    assert_eq!(site.read("sitemap.xml"), written);
    site.waypost(&["check"]).succeeded().says("no problems");
}

#[test]
fn settings_are_not_suggested_inside_the_published_pages() {
    let site = SiteTest::empty();
    site.write("public/index.html", NO_LINK);
    let hint = "set `base_url` in waypost.toml and run `waypost -o public`, or pass `--base-url";
    for arguments in [&["public"][..], &["public", "-o", "public"]] {
        site.waypost(arguments).ended_with(2).says(hint);
    }
    // Settings that the user has put there are named.
    site.write("public/waypost.toml", "");
    let outcome = site.waypost(&["public"]).ended_with(2);
    outcome.says("set `base_url` in public/waypost.toml");
}

#[test]
fn a_linked_output_directory_is_one_site() {
    let site = SiteTest::empty();
    site.write("dist/index.html", NO_LINK)
        .link("public", "dist");
    site.waypost(&BASE).succeeded().says("1 of 1 listed");
    assert_eq!(site.entries_of("dist/sitemap.xml").len(), 1);
}

#[test]
fn a_run_inside_the_output_finds_the_whole_site() {
    let site = SiteTest::empty();
    site.write("hugo.toml", "baseURL = 'https://site.example.com/'")
        .write("public/index.html", NO_LINK)
        .write("public/docs/index.html", NO_LINK);
    for dir in ["public", "public/docs"] {
        let mut command = site.waypost_command(&[]);
        command.current_dir(site.root().join(dir));
        let outcome = Outcome::of(command.output().expect("waypost runs"));
        outcome.succeeded().says("2 of 2 listed");
        assert!(!site.root().join("public/docs/sitemap.xml").exists());
    }
}

#[test]
fn a_previous_sitemap_that_is_not_one_is_reported() {
    let site = two_pages();
    let said = "`sitemap.xml` is neither XML nor a list of URLs";
    for text in ["garbage", ""] {
        site.write("sitemap.xml", text);
        site.waypost(&BASE).succeeded().says(said);
    }
    site.waypost(&BASE).succeeded().says_nothing_of(said);
}

#[test]
fn an_earlier_sitemap_gives_way_to_every_other_answer() {
    let site = two_pages();
    site.waypost(&BASE).succeeded();
    site.write("CNAME", "www.site.example.com");
    let said = "site  https://www.site.example.com/ from CNAME";
    let by_flag = ["--base-url", "https://www.site.example.com/"];
    for (arguments, said) in [(&[][..], said), (&by_flag, "from --base-url")] {
        let outcome = site.waypost(arguments).succeeded();
        outcome.says(said).says_nothing_of("base-url-disagreement");
    }
}

#[test]
fn a_base_url_that_names_a_file_is_refused() {
    let site = two_pages();
    for file in ["index.html", "sitemap.xml", "robots.txt", "docs/A.HTM"] {
        let url = format!("https://site.example.com/{file}");
        let outcome = site.waypost(&["--base-url", &url]).ended_with(2);
        outcome.says("names a file, but the base URL is a directory");
    }
    for dir in ["v1.0", "site.example", "index.html/"] {
        let url = format!("https://site.example.com/{dir}");
        site.waypost(&["--base-url", &url]).succeeded();
    }
}

#[test]
fn the_root_of_a_generators_site_is_not_its_output() {
    let site = SiteTest::empty();
    site.write("hugo.toml", "baseURL = 'https://site.example.com/'")
        .write("public/index.html", NO_LINK);
    let outcome = site.waypost(&["-o", "."]).ended_with(2);
    outcome.says("pass `-o public`, or no `-o`");
    // A landing page beside built documentation, all served from the root.
    site.write("index.html", NO_LINK);
    site.waypost(&["-o", "."]).succeeded();
    assert_eq!(site.entries_of("sitemap.xml").len(), 2);
}

#[test]
fn a_part_of_a_site_without_a_home_page_has_the_urls_of_the_whole_site() {
    let site = SiteTest::empty();
    site.write("public/blog/a/index.html", NO_LINK)
        .write("public/blog/b.html", NO_LINK)
        .write("notes/todo.txt", "");
    let root = site.root().display().to_string();
    for arguments in [&BASE[..], &["build", &root, BASE[0], BASE[1]]] {
        site.waypost(arguments).succeeded();
        let entries = site.entries_of("public/sitemap.xml").into_iter();
        let urls: Vec<String> = entries.map(|entry| entry.loc).collect();
        let expected = ["blog/a/", "blog/b.html"].map(|path| format!("{}{path}", BASE[1]));
        assert_eq!(urls, expected);
    }
    // Pages beside it: the directory is a part of this site.
    site.write("about/index.html", NO_LINK);
    site.write("waypost.toml", "base_url = \"https://site.example.com/\"\n");
    site.waypost(&[])
        .ended_with(2)
        .says("`waypost -o about`, `waypost -o public/blog`");
    site.waypost(&["-o", "."]).succeeded();
    assert_eq!(site.entries_of("sitemap.xml").len(), 3);
}

#[test]
fn a_table_in_package_json_is_not_read() {
    let site = SiteTest::empty();
    site.write("eleventy.config.js", "")
        .write("_site/index.html", NO_LINK)
        .write("package.json", r#"{"waypost": {"exclude": ["a/**"]}}"#);
    let outcome = site.waypost(&BASE).succeeded();
    outcome
        .says("warning[settings-ignored]: the table `waypost` is not read")
        .says("--> package.json");
    let package = r#"{"scripts": {"postbuild": "waypost"}, "devDependencies": {"waypost": "1"}}"#;
    site.write("package.json", package);
    let outcome = site.waypost(&BASE).succeeded();
    outcome.says_nothing_of("settings-ignored");
}

#[test]
fn a_variable_makes_every_run_strict() {
    let mut site = two_pages();
    site.write("waypost.toml", "exclude = [\"none/**\"]\n");
    for [value, command, code] in rows(
        "1 | build | 1
         1 | check | 1
         1 | explain | 0
         true | build | 1
         yes | build | 1
         0 | build | 0
         off | build | 0
           | build | 0
           | build --strict | 1",
    ) {
        site.variable("WAYPOST_STRICT", value);
        let arguments = command.split(' ').chain(BASE).collect::<Vec<_>>();
        let outcome = site.waypost(&arguments);
        assert_eq!(outcome.code.to_string(), code, "{value} {command}");
    }
}

#[test]
fn a_record_is_a_directory_that_may_be_empty() {
    let site = two_pages();
    site.write("other/notes", "");
    std::fs::create_dir(site.root().join("empty")).expect("a directory");
    for (record, code, said) in [
        ("index.html", 2, "`index.html` is not a directory"),
        ("none", 0, ""),
        ("empty", 0, ""),
        ("other", 2, "no sitemap found in `other`"),
    ] {
        let outcome = site.waypost(&[&BASE[..], &["--record", record]].concat());
        outcome.ended_with(code).says(said);
    }
}

#[test]
fn feeds_in_an_index_are_sitemaps_that_list_no_page() {
    let site = two_pages();
    site.waypost(&BASE).succeeded();
    let feed = "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel></channel></rss>";
    site.write("rss.xml", feed).write("cut.xml", &feed[..50]);
    for (feed, codes) in [("rss.xml", &[][..]), ("cut.xml", &["feed-broken"])] {
        let children = ["sitemap.xml", feed]
            .map(|child| format!("<sitemap><loc>{}{child}</loc></sitemap>", BASE[1]));
        let index = SITEMAP.split_once("<url>").expect("entries follow").0;
        let index = index.replace("urlset", "sitemapindex") + &children.concat();
        site.write("sitemap_index.xml", index + "</sitemapindex>");
        let outcome = site.waypost(&[&["check", "--json"], &BASE[..]].concat());
        let mut found = outcome.codes();
        found.retain(|code| code != "sitemap-stale");
        assert_eq!(found, codes);
    }
}

#[test]
fn the_language_of_a_feed_is_no_language_version_of_a_page() {
    let site = two_pages();
    let feed = "<link rel=alternate type=application/rss+xml hreflang=en href=/rss.xml>";
    site.write("index.html", feed).write("rss.xml", "");
    let outcome = site.waypost(&BASE).succeeded();
    outcome.says_nothing_of("hreflang-ignored");
}

#[test]
fn settings_above_the_site_are_not_read() {
    let site = SiteTest::empty();
    let hugo = "baseURL = 'https://site.example.com/'";
    site.write("waypost.toml", "exclude = [\"a/**\"]\n")
        .write("blog/hugo.toml", hugo)
        .write("blog/public/index.html", NO_LINK)
        .commit("2024-05-06T07:08:09Z");
    let outcome = site.waypost(&["blog"]).succeeded();
    outcome
        .says("warning[settings-ignored]: `waypost.toml`, above this site, is not read")
        .says("move it to `blog/waypost.toml`");
    let named = ["blog", "--config", "waypost.toml"];
    let outcome = site.waypost(&named).succeeded();
    outcome.says_nothing_of("settings-ignored");
    // The settings of another site.
    site.write("hugo.toml", hugo);
    let outcome = site.waypost(&["blog"]).succeeded();
    outcome.says_nothing_of("settings-ignored");
}

#[test]
fn a_url_in_cname_means_its_domain() {
    let said = "site  https://site.example.com/ from CNAME";
    for (cname, code, said) in [
        ("site.example.com", 0, said),
        ("https://site.example.com/\n", 0, said),
        ("SITE.example.com\r\n", 0, said),
        ("# site.example.com", 2, "no base URL found"),
    ] {
        let site = two_pages();
        site.write("CNAME", cname);
        site.waypost(&[]).ended_with(code).says(said);
    }
}

#[test]
fn an_error_shows_what_is_wrong_with_the_base_url_that_is_there() {
    for (given, expected) in [
        ("", "it is empty"),
        ("/", "`/` is not an absolute URL"),
        (
            "acme.example.com",
            "did you mean `https://acme.example.com/`?",
        ),
        ("htps://acme.example.com", "begins with `htps:`"),
    ] {
        let site = two_pages();
        let outcome = site.waypost(&["--base-url", given]).ended_with(2);
        outcome.says("`--base-url` is invalid").says(expected);
        site.write("hugo.toml", format!("baseURL = \"{given}\"\n"))
            .write("public/index.html", NO_LINK);
        let outcome = site.waypost(&[]).ended_with(2);
        outcome.says("`baseURL` is invalid").says(expected);
    }
}

#[test]
fn the_url_that_configure_pages_found_is_named_where_it_has_run() {
    let mut site = two_pages();
    site.variable("GITHUB_PAGES", "true");
    let outcome = site.waypost(&[]).ended_with(2);
    outcome.says("pass `--base-url ${{ steps.pages.outputs.base_url }}`");
}

#[test]
fn a_base_url_that_a_script_left_unfinished_is_refused() {
    let site = two_pages();
    for host in ["$DOMAIN", "{{host}}", "*.example.com", "%DOMAIN%", "<host>"] {
        let url = format!("https://{host}/");
        let outcome = site.waypost(&["--base-url", &url]).ended_with(2);
        outcome.says("`--base-url` is invalid");
    }
    for [given, used] in rows(
        "https://site.example.com//      | https://site.example.com/
         https://site.example.com/docs// | https://site.example.com/docs/
         https://my_site.example.com     | https://my_site.example.com/
         https://ä.example.com           | https://xn--4ca.example.com/
         http://[::1]:8000               | http://[::1]:8000/",
    ) {
        let outcome = site.waypost(&["--base-url", given]).succeeded();
        outcome.says(&format!("site  {used} from"));
    }
}

#[test]
fn canonical_links_that_all_name_the_home_page_are_reported() {
    for (copies, others, is_reported) in [(4, 3, true), (4, 4, false), (2, 2, false)] {
        let site = two_pages();
        let link = "<link rel=canonical href=https://site.example.com/>";
        for number in 0..copies {
            site.write(format!("copy{number}.html"), format!("{link}{number}"));
        }
        for number in 2..others {
            let text = format!("<!DOCTYPE html><p>{number}");
            site.write(format!("p{number}.html"), text);
        }
        let outcome = site.waypost(&BASE).succeeded();
        let found = outcome.stderr.contains("warning[canonical-home]");
        assert_eq!(found, is_reported, "{copies} and {others}");
    }
}
