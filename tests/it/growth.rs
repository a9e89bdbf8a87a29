//! Inputs of any length take linear time: four times as many entries take at most seven times the
//! processor time, where quadratic time would take sixteen times.

use crate::site_test::SiteTest;

/// Processor time that does not depend on the input, in seconds.
const ANY_RUN: f64 = 0.3;

/// Returns the processor time of a build in seconds, measured by the shell. Other programs on the
/// machine do not count.
fn processor_time(site: &SiteTest) -> f64 {
    let script = "\"$@\" >/dev/null; code=$?; times; exit $code";
    let arguments = [
        "--quiet",
        "--threads",
        "1",
        "--base-url",
        "https://example.com/",
    ];
    let done = site.shell_command(script, &arguments).output();
    let done = done.expect("the shell can be run");
    assert!(
        done.status.success(),
        "{}",
        String::from_utf8_lossy(&done.stderr)
    );
    let printed = String::from_utf8(done.stdout).expect("the shell prints text");
    let of_children = printed.lines().nth(1).expect("the times of its children");
    let seconds = |time: &str| {
        let (minutes, seconds) = time
            .trim_end_matches('s')
            .split_once('m')
            .expect("`0m0.1s`");
        let number = |text: &str| text.parse::<f64>().expect("a number");
        number(minutes) * 60.0 + number(seconds)
    };
    of_children.split_whitespace().map(seconds).sum()
}

/// Checks that the time of a build grows with the entries that `write` puts into a site.
#[track_caller]
fn grows_linearly(entries: usize, write: impl Fn(&SiteTest, usize)) {
    let time = |entries: usize| {
        let site = SiteTest::of_pages(&["public/index.html"]);
        write(&site, entries);
        processor_time(&site)
    };
    let (one, four) = (time(entries), time(4 * entries));
    assert!(
        four <= 7.0 * one + ANY_RUN,
        "{entries} entries take {one} s, four times as many take {four} s"
    );
}

fn lines(entries: usize, line: impl Fn(usize) -> String) -> String {
    (0..entries).map(line).collect()
}

#[test]
fn settings_of_a_generator_with_many_keys_take_linear_time() {
    let keys = |site: &SiteTest, entries: usize| {
        site.write("hugo.toml", lines(entries, |key| format!("key{key} = 1\n")));
    };
    grows_linearly(8_000, keys);
    let tables = |site: &SiteTest, entries: usize| {
        site.write(
            "hugo.toml",
            lines(entries, |key| format!("[table{key}]\na = 1\n")),
        );
    };
    grows_linearly(4_000, tables);
    let yaml = |site: &SiteTest, entries: usize| {
        site.write("hugo.yaml", lines(entries, |key| format!("key{key}: 1\n")));
    };
    grows_linearly(8_000, yaml);
}

#[test]
fn many_headers_of_a_host_take_linear_time() {
    let rules_of_one_literal = |site: &SiteTest, entries: usize| {
        let rule = |_| "/literal/*\n  X-Robots-Tag: noarchive\n".to_owned();
        site.write("public/_headers", lines(entries, rule));
    };
    grows_linearly(8_000, rules_of_one_literal);
    let rules = |site: &SiteTest, entries: usize| {
        let rule = |number| format!("/{number}/*\n  X-Robots-Tag: noarchive\n");
        site.write("public/_headers", lines(entries, rule));
    };
    grows_linearly(8_000, rules);
    let lines_of_one_rule = |site: &SiteTest, entries: usize| {
        let headers = lines(entries, |_| "  X-Robots-Tag: noarchive\n".to_owned());
        site.write("public/_headers", format!("/literal/*\n{headers}"));
    };
    grows_linearly(8_000, lines_of_one_rule);
}

#[test]
fn a_page_of_many_tags_takes_linear_time() {
    let check = |tag: &str| {
        grows_linearly(50_000, |site, entries| {
            let head = "<!DOCTYPE html><title>a</title><body><a rel=alternate href=x>";
            let tags = tag.repeat(entries);
            let page = format!("{head}{tags}<link rel=canonical href=/>");
            site.write("public/index.html", page);
        });
    };
    check("<");
    check("<p>");
}

#[test]
fn many_boundary_commits_take_linear_time() {
    // All of them begin alike, as no hashes do by chance.
    grows_linearly(10_000, |site, entries| {
        site.commit("2024-01-02T03:04:05Z");
        let boundary = lines(entries, |number| format!("{:024}{number:016x}\n", 0));
        site.write(".git/shallow", boundary);
    });
}

#[test]
fn too_many_alternates_and_a_huge_configuration_of_git_are_refused() {
    let check = |file: &str, text: String, expected: &str| {
        let site = SiteTest::of_pages(&["index.html"]);
        site.settings("").commit("2024-01-02T03:04:05Z");
        site.write(file, text);
        site.build().says("history-incomplete").says(expected);
        assert!(site.dates().iter().all(|(_, date)| date.is_none()));
    };
    let alternates = lines(1_001, |number| format!("/no/such/directory{number}\n"));
    let expected = "it borrows objects from more than 1000 directories";
    check(".git/objects/info/alternates", alternates, expected);
    let sections = "[a]\n".repeat(600_000);
    check(".git/config", sections, "it is larger than 2 MiB");
}

#[test]
fn an_old_index_of_missing_sitemaps_gets_few_messages() {
    let site = SiteTest::of_pages(&["index.html"]);
    let child =
        |number| format!("<sitemap><loc>https://example.com/sitemap-{number}.xml</loc></sitemap>");
    let open = "<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">";
    let children = lines(5_000, child);
    site.settings("")
        .write("sitemap.xml", format!("{open}{children}</sitemapindex>"));
    let outcome = site.waypost(&["--verbose"]).succeeded();
    let printed = outcome.stderr.lines().count();
    assert!(printed < 60, "{printed} lines: {:.2000}", outcome.stderr);
    outcome.says("more sitemaps could not be read completely");
}
