//! Files and directories that a run may not read or write.

use crate::platform::set_mode;
use crate::site_test::SiteTest;

fn built_site() -> SiteTest {
    let site = SiteTest::of_pages(&["index.html"]);
    site.build();
    site
}

#[test]
fn an_output_directory_that_is_not_writable_stops_the_run() {
    let site = built_site();
    site.write("sitemap.xml", "as it was");
    set_mode(site.root(), 0o555);
    // Modes do not bind root, and Windows has none: there is nothing to test then.
    let binds_us = std::fs::write(site.root().join("probe"), "").is_err();
    if binds_us {
        let outcome = site.waypost(&[]).ended_with(2);
        outcome.says("nothing was changed");
        assert_eq!(site.read("sitemap.xml"), "as it was");
    }
    set_mode(site.root(), 0o755);
}

#[test]
fn a_page_without_permission_is_a_finding_and_a_directory_an_error() {
    let check = |path: &str, code: i32, said: &str, is_kept: bool| {
        let site = SiteTest::of_pages(&["index.html", "a.html", "d/b.html"]);
        site.settings("").write("robots.txt", "User-agent: *\n");
        site.commit("2024-01-02T03:04:05Z");
        site.build();
        let old = site.read("sitemap.xml");
        site.page("c.html", "");
        let path = site.root().join(path);
        set_mode(&path, 0);
        // Modes do not bind root, and Windows has none: there is nothing to test then.
        let binds_us = std::fs::read(&path).is_err() && std::fs::read_dir(&path).is_err();
        let outcome = site.waypost(&[]);
        set_mode(&path, 0o755);
        if binds_us {
            outcome.ended_with(code).says(said);
            assert_eq!(site.read("sitemap.xml") == old, is_kept, "{path:?}");
        }
    };
    check("a.html", 1, "error[unreadable]", false);
    check("robots.txt", 0, "warning[robots-txt-refused]", false);
    check("d", 2, "cannot list `d`", true);
    check("waypost.toml", 2, "waypost.toml", true);
    check(".git", 2, "cannot read the repository", true);
    check(".git/objects", 2, "cannot read the repository", true);
}
