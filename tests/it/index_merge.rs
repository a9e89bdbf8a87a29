//! Tests `waypost index --merge`, which merges existing sitemaps into one set.

use std::collections::BTreeMap;
use std::fs;

use crate::index::{index_of, sitemap};
use crate::site_test::SiteTest;

/// Pages of a site: a blog and notes, in English and German, with images. The languages are
/// versions of each other.
fn pages() -> BTreeMap<String, String> {
    let mut pages = BTreeMap::new();
    for section in ["blog", "notes"] {
        for number in 0..7 {
            let links: String = ["en", "de"]
                .map(|code| {
                    format!(
                        "<link rel=alternate hreflang={code} href=/{section}/{number}/{code}.html>"
                    )
                })
                .concat();
            for code in ["en", "de"] {
                let body = format!("<body><img src='/{number} &amp; {code}.png'>{section}");
                let page = format!("<!DOCTYPE html><title>{number}</title>{links}{body}");
                pages.insert(format!("public/{section}/{number}/{code}.html"), page);
            }
        }
    }
    pages.insert(
        "public/index.html".to_owned(),
        "<!DOCTYPE html><title>home</title><p>home".to_owned(),
    );
    pages
}

/// The sitemaps and the robots.txt in a directory.
pub(crate) fn set_in(site: &SiteTest, dir: &str) -> BTreeMap<String, Vec<u8>> {
    let files = site.files().into_iter().filter_map(|file| {
        let name = file.strip_prefix(dir)?.strip_prefix('/')?.to_owned();
        let is_of_the_set = name == "robots.txt" || name.starts_with("sitemap");
        is_of_the_set.then(|| (name, site.bytes(&file)))
    });
    files.collect()
}

#[test]
fn parts_with_several_indexes_are_merged_completely() {
    let site = SiteTest::empty();
    for part in ["a", "b"] {
        for number in 0..6 {
            site.page(format!("out/{part}/p{number}.html"), "");
        }
        let config = format!("{part}.toml");
        let base = format!("base_url = \"https://example.com/{part}/\"\n");
        site.write(
            &config,
            base + "[sitemap]\nmax_urls = 1\nmax_sitemaps = 2\n",
        );
        site.waypost(&[&format!("out/{part}"), "--config", &config])
            .succeeded();
        assert!(
            site.files()
                .contains(&format!("out/{part}/sitemap-index-2.xml"))
        );
    }
    site.write("merged/keep", "");
    let (parts, to) = (
        ["out/a/sitemap.xml", "out/b/sitemap.xml"],
        "merged/sitemap.xml",
    );
    let base = ["--base-url", "https://example.com/"];
    site.waypost(&[
        "index", "--merge", parts[0], parts[1], "--to", to, base[0], base[1],
    ])
    .succeeded();
    assert_eq!(site.entries_of(to).len(), 12);
}

#[test]
fn a_merge_does_not_read_an_index_that_is_a_leftover() {
    let site = SiteTest::of_pages(&[]);
    site.write("a/sitemap.xml", sitemap(&[("a", "2024-01-01")]));
    let leftover = index_of(&["https://example.com/sitemap-0.xml"]);
    let mark = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- waypost: sitemap.xml -->\n";
    site.write("a/sitemap-index-2.xml", format!("{mark}{leftover}"));
    site.write("out/keep", "");
    let to = ["--to", "out/sitemap.xml"];
    site.waypost(&["index", "--merge", to[0], to[1], "a/sitemap.xml"])
        .succeeded();
    assert_eq!(site.entries_of("out/sitemap.xml").len(), 1);
}

#[test]
fn four_merged_shards_equal_a_single_run_byte_for_byte() {
    let check = |settings: &str| {
        let site = SiteTest::empty();
        site.settings(settings);
        for (number, (path, page)) in pages().into_iter().enumerate() {
            site.write(path, page);
            if number % 6 == 0 {
                site.commit(&format!("2024-01-{:02}T10:00:00+01:00", number + 1));
            }
        }
        site.commit("2024-03-01T10:00:00Z");
        site.waypost(&["public", "--config", "waypost.toml"])
            .succeeded();
        let whole = set_in(&site, "public");

        // Each shard has the whole repository and builds a quarter of the pages; versions of a page
        // stay together.
        let mut shards = Vec::new();
        for shard in 0..4 {
            let dir = format!("shard-{shard}");
            site.git(&["clone", "--quiet", ".", &dir]);
            for path in pages().keys() {
                let number = path.bytes().find(u8::is_ascii_digit).unwrap_or_default();
                if number % 4 != shard {
                    fs::remove_file(site.root().join(&dir).join(path)).expect("the clone has it");
                }
            }
            site.waypost(&[&format!("{dir}/public"), "--config", "waypost.toml"])
                .succeeded();
            shards.extend(
                set_in(&site, &format!("{dir}/public"))
                    .into_keys()
                    .map(|name| format!("{dir}/public/{name}")),
            );
        }
        shards.retain(|name| !name.ends_with("robots.txt"));
        fs::create_dir(site.root().join("merged")).expect("the directory is new");
        let mut arguments = vec![
            "index",
            "--merge",
            "--config",
            "waypost.toml",
            "--to",
            "merged/sitemap.xml",
        ];
        arguments.extend(shards.iter().map(String::as_str));
        site.waypost(&arguments).succeeded();
        let merged = set_in(&site, "merged");
        assert!(
            merged == whole,
            "{settings}: {:?} differ from {:?}",
            merged.keys(),
            whole.keys()
        );
        site.waypost(&arguments)
            .succeeded()
            .says("none since the previous sitemap")
            .says_nothing_of("written");
        // The roots lead to their children.
        let roots: Vec<&str> = arguments
            .iter()
            .copied()
            .filter(|name| !name.contains("/sitemap-"))
            .collect();
        site.waypost(&roots).succeeded().says_nothing_of("written");
    };
    check("");
    check("[sitemap]\nmax_urls = 4\nimages = true\n");
    check("[lastmod]\nformat = \"date\"\n[sitemap]\nmax_urls = 2\ngzip = \"only\"\n");
    check(
        "[sitemap]\nmax_urls = 3\ngzip = \"also\"\nformats = [\"xml\", \"txt\"]\nimages = true\n\
         [[rule]]\nmatch = \"blog/**\"\n\
         group = \"blog-2024\"\npriority = 0.35\nchangefreq = \"weekly\"\n",
    );
}

#[test]
fn a_merge_reads_sitemaps_of_any_tool_and_reports_what_it_drops() {
    let site = SiteTest::of_pages(&[]);
    let entry = "<url><loc>https://example.com/b</loc><changefreq>sometimes</changefreq>\
                 <priority>0.50</priority></url></urlset>";
    site.write(
        "one/sitemap.xml",
        sitemap(&[("b", "2024-01-01"), ("a", "2024-01-01")]),
    );
    site.write(
        "two/sitemap_index.xml",
        index_of(&[
            "https://example.com/maps/1.xml",
            "https://cdn.example.com/2.xml",
        ]),
    );
    site.write("two/maps/1.xml", sitemap(&[("b", "2024-02-02")]));
    site.write("two/2.xml", sitemap(&[]).replace("</urlset>", entry));
    site.write("out/keep", "");
    let arguments = [
        "index",
        "--merge",
        "--to",
        "out/sitemap.xml",
        "one/sitemap.xml",
        "two/sitemap_index.xml",
    ];
    let refused = site
        .waypost(&arguments)
        .ended_with(1)
        .says("error[loc-elsewhere]: `https://cdn.example.com/2.xml`");
    refused.says("error: nothing was written");
    site.write(
        "two/sitemap_index.xml",
        index_of(&[
            "https://example.com/maps/1.xml",
            "https://example.com/two/2.xml",
        ]),
    );
    let outcome = site.waypost(&arguments).succeeded();
    outcome.says(
        "warning[sitemap-value]: the changefreq `sometimes` is not valid, so it is dropped\n \
         --> two/2.xml:2:11",
    );
    let expected = "<url><loc>https://example.com/a</loc><lastmod>2024-01-01</lastmod></url>\n\
                    <url><loc>https://example.com/b</loc><lastmod>2024-02-02</lastmod></url>\n</urlset>\n";
    assert!(
        site.read("out/sitemap.xml").ends_with(expected),
        "{}",
        site.read("out/sitemap.xml")
    );
    let own = [
        "index",
        "--merge",
        "--to",
        "out/sitemap.xml",
        "out/sitemap.xml",
    ];
    site.waypost(&own)
        .ended_with(2)
        .says("error: `out/sitemap.xml` is both input and output");
    site.write(
        "out/all.xml",
        index_of(&["https://example.com/sitemap.xml"]),
    );
    let through_index = ["index", "--merge", "--to", "out/sitemap.xml", "out/all.xml"];
    site.waypost(&through_index)
        .ended_with(2)
        .says("error: `out/sitemap.xml` is both input and output");
    site.write(
        "one/sitemap.xml",
        sitemap(&[("b", "2024-01"), ("a", "1970-01-01")]),
    );
    let outcome = site.waypost(&arguments).succeeded();
    let outcome = outcome.says(
        "warning[lastmod-omitted]: `2024-01` is not a complete date, so it is ignored\n \
         --> one/sitemap.xml:",
    );
    outcome.says("warning[lastmod-omitted]: the date `1970-01-01` is 1970-01-01 or earlier");
    let video = "<url><loc>https://example.com/v</loc><v:video xmlns:v=\"v\">\
                 <v:title>t</v:title></v:video></url></urlset>";
    site.write("two/2.xml", sitemap(&[]).replace("</urlset>", video));
    site.waypost(&arguments)
        .succeeded()
        .says("warning[sitemap-value]: `<video>` is not supported in a merge");
    site.write(
        "two/sitemap_index.xml",
        index_of(&["https://example.com/maps/gone.xml"]),
    );
    site.waypost(&arguments)
        .ended_with(1)
        .says("error[sitemap-missing]: `two/sitemap_index.xml` names the sitemap");
    site.write(
        "two/sitemap_index.xml",
        index_of(&["https://example.com/two/2.xml"]),
    );
    site.write("two/2.xml", index_of(&["https://example.com/maps/1.xml"]));
    site.waypost(&arguments)
        .ended_with(1)
        .says("error[sitemap-missing]: `two/2.xml` is an index itself");
}
