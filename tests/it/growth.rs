//! Inputs of any length take linear time: four times as many entries take at most seven times the
//! processor time, where quadratic time would take sixteen times.

use std::fs;

use serde_json::Value;

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

/// Writes a file with a line or item for each entry.
fn file_of<'a>(
    file: &'a str,
    open: &'a str,
    item: impl Fn(usize) -> String + 'a,
    close: &'a str,
) -> impl Fn(&SiteTest, usize) + 'a {
    move |site, entries| {
        site.write(file, format!("{open}{}{close}", lines(entries, &item)));
    }
}

#[test]
fn many_redirects_of_a_host_take_linear_time() {
    let cloudflare = |number| format!("/a/:x/{number}/* /b{number} 301!\n");
    grows_linearly(8_000, file_of("public/_redirects", "", cloudflare, ""));
    let netlify = |number| format!("[[redirects]]\nfrom=\"/a{number}/*\"\nto=\"/b\"\nforce=true\n");
    grows_linearly(4_000, file_of("netlify.toml", "", netlify, ""));
    let vercel = |number| format!("{{\"source\":\"/a{number}/:x*\",\"destination\":\"/b\"}},\n");
    let last = "{\"source\":\"/a\",\"destination\":\"/b\"}]}";
    grows_linearly(
        1_000,
        file_of("vercel.json", "{\"redirects\":[", vercel, last),
    );
    let firebase = |number| format!("{{\"target\":\"t{number}\",\"cleanUrls\":true}},\n");
    let open = "{\"hosting\":[";
    grows_linearly(8_000, file_of("firebase.json", open, firebase, "{}]}"));
}

#[test]
fn many_rules_of_the_settings_take_linear_time() {
    let rule = |number| format!("[[rule]]\nmatch = \"x{number}/**\"\npriority = 0.5\n");
    grows_linearly(4_000, file_of("waypost.toml", "", rule, ""));
    let matching = |_| "[[rule]]\nmatch = \"**\"\npriority = 0.5\n".to_owned();
    grows_linearly(2_000, file_of("waypost.toml", "", matching, ""));
    let excluded = |number| format!("\"x{number}/**\",\n");
    grows_linearly(8_000, file_of("waypost.toml", "exclude = [", excluded, "]"));
    let json = |number| format!("\"key{number}\":1,\n");
    grows_linearly(8_000, file_of("hugo.json", "{", json, "\"last\":1}"));
}

#[test]
fn many_lines_of_robots_txt_take_linear_time() {
    let rule = |number| format!("Disallow: /a{number}*b\n");
    grows_linearly(
        10_000,
        file_of("public/robots.txt", "User-agent: *\n", rule, ""),
    );
    let agent = |number| format!("User-agent: a{number}\nDisallow: /\n\n");
    grows_linearly(10_000, file_of("public/robots.txt", "", agent, ""));
    let sitemap = |number| format!("Sitemap: https://example.com/s{number}.xml\n");
    grows_linearly(4_000, file_of("public/robots.txt", "", sitemap, ""));
}

#[test]
fn an_old_index_of_many_children_takes_linear_time() {
    let child = |number| format!("<sitemap><loc>https://example.com/s{number}.xml</loc></sitemap>");
    let open = "<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">";
    let index = file_of("public/sitemap.xml", open, child, "</sitemapindex>");
    grows_linearly(5_000, index);
}

#[test]
fn a_source_map_of_many_lines_takes_linear_time() {
    grows_linearly(8_000, |site, entries| {
        site.write("waypost.toml", "source_map = [\"map.csv\"]\n");
        site.write("source.md", "text");
        let line = |number| format!("p{number}/index.html,source{number}.md\n");
        let text = lines(entries, line);
        site.write(
            "map.csv",
            format!("page,source\n{text}index.html,source.md\n"),
        );
    });
}

#[test]
fn many_links_of_a_page_take_linear_time() {
    let check = |link: &dyn Fn(usize) -> String| {
        grows_linearly(5_000, |site, entries| {
            let links = lines(entries, link);
            let page = format!("<!DOCTYPE html><title>a</title>{links}");
            site.write("public/index.html", page);
        });
    };
    check(&|number| format!("<link rel=alternate hreflang=en href=/p{number}.html>"));
    check(&|_| "<link rel=alternate hreflang=de href=/>".to_owned());
    check(&|number| format!("<link rel=canonical href=/p{number}.html>"));
    check(&|number| format!("<meta name=robots content=a{number}>"));
}

#[test]
fn many_entries_in_the_files_of_git_take_linear_time() {
    let check = |entries: usize, file: &str, entry: &dyn Fn(usize) -> String| {
        grows_linearly(entries, |site, entries| {
            site.commit("2024-01-02T03:04:05Z");
            let path = site.root().join(file);
            let before = fs::read_to_string(path).unwrap_or_default();
            site.write(file, before + &lines(entries, entry));
        });
    };
    check(8_000, ".git/config", &|number| {
        format!("[a{number}]\n\tb = c\n")
    });
    check(8_000, ".git/config", &|number| {
        format!("[remote \"a{number}\"]\n\turl = x\n")
    });
    let reference = |number| format!("{number:040x} refs/tags/t{number:08}\n");
    check(20_000, ".git/packed-refs", &reference);
    check(200, ".git/objects/info/alternates", &|number| {
        format!("/no/dir{number}\n")
    });
    let submodule = |number| format!("[submodule \"a{number}\"]\n\tpath = a{number}\n\turl = x\n");
    check(5_000, ".gitmodules", &submodule);
}

#[test]
fn many_commits_to_ignore_take_linear_time() {
    grows_linearly(4_000, |site, entries| {
        site.write(
            "waypost.toml",
            "[lastmod.ignore]\nrevs_file = \"revisions\"\n",
        );
        site.commit("2024-01-02T03:04:05Z");
        site.write(
            "revisions",
            lines(entries, |number| format!("{number:040x}\n")),
        );
    });
}

#[test]
fn a_flood_of_findings_is_only_counted() {
    let site = SiteTest::of_pages(&["index.html"]);
    let rule = |number| format!("[[rule]]\nmatch = \"x{number}\"\n");
    site.settings(&lines(3_000, rule));
    for command in ["build", "check"] {
        let printed = site.waypost(&[command, "--json"]).succeeded().stdout;
        assert!(printed.len() < 2_000_000, "{command}");
        let result: Value = serde_json::from_str(&printed).expect("stdout is JSON");
        let findings = result["findings"].as_array().expect("an array");
        let unused = findings
            .iter()
            .filter(|one| one["code"] == "setting-unused");
        assert_eq!(unused.count(), 1_001, "{command}");
        let more = "2000 more findings of this kind are not shown";
        assert!(printed.contains(more), "{command}");
        let shown = site.waypost(&[command]).succeeded();
        shown.says("(and 2,999 more; `-v` shows the first 1,000)");
        let verbose = site.waypost(&[command, "--verbose"]).succeeded().says(more);
        assert!(verbose.stderr.len() < 500_000, "{command}");
    }
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
