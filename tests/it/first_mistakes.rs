//! Mistakes of the first day in what a user types, and in the runs after the first.

use crate::site_test::{Outcome, SiteTest};

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
    site.write("public/waypost.toml", "")
        .waypost(&["public"])
        .ended_with(2)
        .says("set `base_url` in public/waypost.toml");
    std::fs::remove_file(site.root().join("public/waypost.toml")).expect("the file exists");
    site.write("waypost.toml", "base_url = \"https://site.example.com/\"\n");
    site.waypost(&["-o", "public"]).succeeded();
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
    for text in ["garbage", ""] {
        site.write("sitemap.xml", text);
        let outcome = site.waypost(&BASE).succeeded();
        outcome.says("`sitemap.xml` is neither XML nor a list of URLs");
    }
    site.waypost(&BASE)
        .succeeded()
        .says_nothing_of("neither XML");
}

#[test]
fn a_path_with_backslashes_in_the_settings_gets_the_remedy() {
    let site = two_pages();
    site.write("waypost.toml", "exclude = [\"a\\index.html\"]\n");
    site.waypost(&BASE)
        .ended_with(2)
        .says("separate the directories of a path by `/`");
}

#[test]
fn an_earlier_sitemap_gives_way_to_every_other_answer() {
    let site = two_pages();
    site.waypost(&BASE).succeeded();
    site.write("CNAME", "www.site.example.com");
    let outcome = site.waypost(&[]).succeeded();
    outcome
        .says("site  https://www.site.example.com/ from CNAME")
        .says_nothing_of("base-url-disagreement");
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
    let settings = "baseURL = 'https://site.example.com/'";
    site.write("hugo.toml", settings)
        .write("public/index.html", NO_LINK);
    let outcome = site.waypost(&["-o", "."]).ended_with(2);
    outcome
        .says("`.` is the root of a Hugo site, not its output")
        .says("pass `-o public`, or no `-o`");
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
    let urls = || -> Vec<String> {
        let entries = site.entries_of("public/sitemap.xml");
        entries.into_iter().map(|entry| entry.loc).collect()
    };
    let expected = ["blog/a/", "blog/b.html"].map(|path| format!("{}{path}", BASE[1]));
    site.waypost(&BASE).succeeded();
    assert_eq!(urls(), expected);
    let root = site.root().display().to_string();
    site.waypost(&["build", &root, BASE[0], BASE[1]])
        .succeeded();
    assert_eq!(urls(), expected);
    site.write("waypost.toml", "base_url = \"https://site.example.com/\"\n");
    site.waypost(&[]).succeeded();
    assert_eq!(urls(), expected);
    // Pages beside it: the directory is a part of this site.
    site.write("about/index.html", NO_LINK);
    site.waypost(&[]).succeeded();
    assert_eq!(site.entries_of("sitemap.xml").len(), 3);
}

#[test]
fn the_hint_for_a_missing_base_url_names_the_generators_key() {
    let site = SiteTest::empty();
    site.write(
        "_config.yml",
        "url: \"\" # the base hostname\nbaseurl: \"\"\n",
    )
    .write("_site/index.html", NO_LINK);
    site.waypost(&[])
        .ended_with(2)
        .says("set `url` in _config.yml, or pass `--base-url https://example.com/`");
}

#[test]
fn a_table_in_package_json_is_not_read() {
    let site = SiteTest::empty();
    site.write("eleventy.config.js", "")
        .write("_site/index.html", NO_LINK);
    let check = |package: &str| {
        site.write("package.json", package);
        site.waypost(&BASE).succeeded()
    };
    check(r#"{"waypost": {"exclude": ["a/**"]}}"#)
        .says("warning[settings-ignored]: the table `waypost` is not read")
        .says("--> package.json");
    check(r#"{"scripts": {"postbuild": "waypost"}, "devDependencies": {"waypost": "1"}}"#)
        .says_nothing_of("settings-ignored");
}

#[test]
fn a_variable_makes_every_run_strict() {
    let check = |value: &str, arguments: &[&str], code: i32| {
        let mut site = two_pages();
        site.write("waypost.toml", "exclude = [\"none/**\"]\n");
        site.variable("WAYPOST_STRICT", value);
        site.waypost(&[arguments, &BASE].concat()).ended_with(code)
    };
    for command in [&[][..], &["build"], &["check"]] {
        check("1", command, 1);
        check("true", command, 1);
    }
    check("0", &[], 0);
    check("", &[], 0);
    check("", &["--strict"], 1);
    check("yes", &[], 1);
    check("off", &[], 0);
    check("1", &["explain"], 0);
}

#[test]
fn the_nearest_word_is_suggested_for_a_misspelt_one() {
    let site = two_pages();
    let check = |arguments: &[&str], suggestion: &str| {
        let hint = format!("hint: did you mean {suggestion}?");
        site.waypost(arguments).ended_with(2).says(&hint);
    };
    check(&["buid"], "the command `waypost build`");
    check(&["buid", "."], "the command `waypost build`");
}

#[test]
fn a_report_in_a_missing_directory_names_the_directory() {
    let site = two_pages();
    site.waypost(&["report", "--to", "a/b/report.html", BASE[0], BASE[1]])
        .ended_with(2)
        .says("hint: create the directory `a/b` first");
}

#[test]
fn a_record_is_a_directory_that_may_be_empty() {
    let site = two_pages();
    let check = |record: &str, code: i32| {
        site.waypost(&[&BASE[..], &["--record", record]].concat())
            .ended_with(code)
    };
    check("index.html", 2)
        .says("`index.html` is not a directory")
        .says("`--since FILE`");
    check("none", 0);
    std::fs::create_dir(site.root().join("empty")).expect("a directory");
    check("empty", 0);
    site.write("other/notes", "");
    check("other", 2).says("no sitemap found in `other`");
}

#[test]
fn feeds_in_an_index_are_sitemaps_that_list_no_page() {
    let site = two_pages();
    site.waypost(&BASE).succeeded();
    let index = |feed: &str| {
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
             <sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\
             <sitemap><loc>https://site.example.com/sitemap.xml</loc></sitemap>\
             <sitemap><loc>https://site.example.com/{feed}</loc></sitemap></sitemapindex>\n"
        )
    };
    let feed = "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel></channel></rss>";
    site.write("rss.xml", feed)
        .write("cut.xml", &feed[..50])
        .write("sitemap_index.xml", index("rss.xml"));
    let check = [&["check"], &BASE[..]].concat();
    let outcome = site.waypost(&check).succeeded();
    outcome
        .says_nothing_of("sitemap-invalid")
        .says_nothing_of("sitemap-invalid");
    site.write("sitemap_index.xml", index("cut.xml"));
    let outcome = site.waypost(&check);
    outcome
        .says("feed-broken")
        .says("the feed `cut.xml`: it is not well-formed");
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
        .write("blog/public/index.html", NO_LINK);
    site.commit("2024-05-06T07:08:09Z");
    let warning = "warning[settings-ignored]: `waypost.toml`, above this site, is not read";
    let outcome = site.waypost(&["blog"]).succeeded();
    outcome.says(warning).says("move it to `blog/waypost.toml`");
    site.waypost(&["blog", "--config", "waypost.toml"])
        .succeeded()
        .says_nothing_of("settings-ignored");
    // The settings of another site.
    site.write("hugo.toml", hugo);
    site.waypost(&["blog"])
        .succeeded()
        .says_nothing_of("settings-ignored");
}

#[test]
fn a_url_in_cname_means_its_domain() {
    for cname in [
        "site.example.com",
        "https://site.example.com/\n",
        "http://site.example.com",
        "SITE.example.com\r\n",
    ] {
        let site = two_pages();
        site.write("CNAME", cname);
        site.waypost(&[])
            .succeeded()
            .says("site  https://site.example.com/ from CNAME");
    }
    let site = two_pages();
    site.write("CNAME", "# site.example.com");
    site.waypost(&[]).ended_with(2).says("no base URL found");
}

#[test]
fn a_base_url_that_cname_contradicts_is_reported_wherever_it_comes_from() {
    let text = "but the site also names `https://docs.example.com/` from CNAME";
    let site = two_pages();
    site.write("CNAME", "docs.example.com");
    site.waypost(&["--base-url", "https://docs.example.com/"])
        .says_nothing_of("base-url-disagreement");
    site.waypost(&BASE).succeeded().says(text);
    site.write("waypost.toml", "base_url = \"https://site.example.com/\"\n");
    site.waypost(&[]).succeeded().says(text);
}

#[test]
fn an_error_shows_what_is_wrong_with_the_base_url_that_is_there() {
    let acme = "did you mean `https://acme.example.com/`?";
    for (given, expected) in [
        ("", "it is empty"),
        ("/", "`/` is not an absolute URL"),
        ("acme.example.com", acme),
        (
            "htps://acme.example.com",
            "begins with `htps:`, but sitemaps list only `http:` and `https:` URLs",
        ),
    ] {
        let site = two_pages();
        let outcome = site.waypost(&["--base-url", given]).ended_with(2);
        outcome.says("`--base-url` is invalid").says(expected);
        let site = SiteTest::empty();
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
    for (given, used) in [
        ("https://site.example.com//", "https://site.example.com/"),
        (
            "https://site.example.com/docs//",
            "https://site.example.com/docs/",
        ),
        (
            "https://my_site.example.com",
            "https://my_site.example.com/",
        ),
        ("https://ä.example.com", "https://xn--4ca.example.com/"),
        ("http://[::1]:8000", "http://[::1]:8000/"),
    ] {
        let outcome = site.waypost(&["--base-url", given]).succeeded();
        outcome.says(&format!("site  {used} from"));
    }
}

#[test]
fn canonical_links_that_all_name_the_home_page_are_reported() {
    let check = |copies: usize, others: usize| {
        let site = two_pages();
        let link = "<link rel=canonical href=https://site.example.com/>";
        for number in 0..copies {
            site.write(format!("copy{number}.html"), format!("{link}{number}"));
        }
        for number in 2..others {
            site.write(
                format!("p{number}.html"),
                format!("<!DOCTYPE html><p>{number}"),
            );
        }
        site.waypost(&BASE).succeeded()
    };
    check(4, 3).says(
        "warning[canonical-home]: 4 of 7 pages have the home page `https://site.example.com/` as \
         canonical link",
    );
    check(4, 4).says_nothing_of("canonical-home");
    check(2, 2).says_nothing_of("canonical-home");
}
