//! Files that content includes: the newest of them dates the page.

use crate::site_test::{SiteTest, page, text_at};
use crate::table::unescaped;

/// A generator's file of settings, its output directory, a content file, and the page made from that.
type Section<'a> = [&'a str; 4];

/// Checks that a later change of `included` dates the page with this text, or that it does not.
#[track_caller]
fn check(section: Section<'_>, settings: &str, text: &str, included: &str, counts: bool) {
    let [settings_file, output, content, made] = section;
    let site = SiteTest::empty();
    site.settings("")
        .write(settings_file, settings)
        .write(content, text)
        .write(format!("{output}/{made}"), page(""))
        .write(".gitignore", format!("/{output}\n.docusaurus\n"));
    if settings_file == "docusaurus.config.js" {
        site.docusaurus_page(&format!("/{made}"), content);
    }
    site.write(included, "a\n").commit("2024-01-01T00:00:00Z");
    site.write(included, "b\n").commit("2024-06-01T00:00:00Z");
    let dating = if counts { included } else { content };
    let explained = &site.explain()[made];
    let found = ["source", "dated_by", "lastmod"].map(|key| text_at(explained, key));
    let date = site.date_by_git(dating);
    let expected = [content, dating, &date].map(|text| Some(text.to_owned()));
    assert_eq!(found, expected, "{section:?} {settings}: {text}");
}

#[test]
fn an_included_file_dates_the_page_if_the_generator_includes_it() {
    let mut section = [""; 4];
    let mut settings = String::new();
    for line in include_str!("../cases/includes.txt").lines() {
        if let Some((_, files)) = line
            .strip_prefix('[')
            .and_then(|line| line.split_once("] "))
        {
            let files: Vec<&str> = files.split(' ').collect();
            section = files.try_into().expect("four files");
            settings.clear();
        } else if let Some(text) = line.strip_prefix("= ") {
            settings = unescaped(text) + "\n";
        } else if let Some((row, text)) = line.split_once(" | ")
            && let Some((sign, included)) = row.split_once(' ')
        {
            check(
                section,
                &settings,
                &(unescaped(text) + "\n"),
                included,
                sign == "+",
            );
        }
    }
}
