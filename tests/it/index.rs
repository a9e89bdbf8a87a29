//! Tests `waypost index` over the parts of a site, which are built one by one.

use std::path::Path;

use crate::site_test::SiteTest;

/// The entries in the XML files of a directory, sorted.
fn entries_in(site: &SiteTest, dir: &str) -> Vec<String> {
    let files = site.files().into_iter();
    let files = files.filter(|file| {
        file.starts_with(dir) && Path::new(file).extension() == Some("xml".as_ref())
    });
    let texts: Vec<String> = files.map(|file| site.read(&file)).collect();
    let entries = texts.iter().flat_map(|text| text.lines());
    let mut entries: Vec<String> = entries
        .filter(|line| line.starts_with("<url>"))
        .map(str::to_owned)
        .collect();
    entries.sort();
    entries
}

#[test]
fn the_parts_of_a_site_become_one_index_with_the_entries_of_a_single_build() {
    let site = SiteTest::empty();
    let sections = ["blog", "docs", "notes"];
    for (day, section) in (1..).zip(sections) {
        for number in 0..5 {
            site.page(format!("public/{section}/{number}.html"), "");
        }
        site.commit(&format!("2024-01-0{day}T03:04:05Z"));
    }
    let build = |name: &str, more: &str| {
        let base = "base_url = \"https://example.com/\"\n";
        let limits = "sitemap.max_urls = 2\n";
        let config = format!("{name}.toml");
        site.write(&config, format!("{base}{limits}{more}"));
        site.waypost(&["public", "--config", &config]).succeeded();
    };
    build("whole", "");
    let whole = entries_in(&site, "public/");
    assert_eq!(whole.len(), 15);
    site.git(&["clean", "--quiet", "--force", "public"]);
    for section in sections {
        let others = sections.iter().filter(|other| **other != section);
        let others: Vec<String> = others.map(|other| format!("'{other}/**'")).collect();
        let (others, file) = (others.join(", "), format!("sitemap-{section}.xml"));
        build(
            section,
            &format!("exclude = [{others}]\nsitemap.file = \"{file}\"\nrobots_txt.update = false"),
        );
    }
    let roots = sections.map(|section| format!("public/sitemap-{section}.xml"));
    let index = "index --to public/sitemap.xml --config whole.toml";
    let arguments = index.split(' ').chain(roots.iter().map(String::as_str));
    site.waypost(&arguments.collect::<Vec<_>>()).succeeded();
    assert_eq!(entries_in(&site, "public/"), whole);
    let sitemap = site.read("public/sitemap.xml");
    assert_eq!(sitemap.matches("<sitemap>").count(), 9);
    let checked = site.waypost(&["check", "public", "--config", "whole.toml"]);
    checked.succeeded();
}
