//! `sitemap-news.xml`: news articles of the last two days, in separate files because they change
//! from hour to hour.
//!
//! Source: developers.google.com/search/docs/crawling-indexing/sitemaps/news-sitemap. The pages are
//! in the main sitemap as well, and remain there after the two days.

use super::extras::News;
use super::layout_input::LayoutInput;
use super::names::ENDING;
use super::plan::{PlannedFile, PlannedFileKind};
use super::split::{HashBits, HashedUrl, halve, url_hash};
use super::xml::{NAMESPACE, push_element};
use crate::group_name::NEWS;
use crate::lastmod::DateFormat;

/// Maximum number of `<news:news>` elements in a news sitemap.
const MAX_PER_FILE: usize = 1000;

const NEWS_NAMESPACE: &str = "http://www.google.com/schemas/sitemap-news/0.9";
const END: &str = "</urlset>\n";

/// Lays out one file if everything fits; otherwise parts, each named in robots.txt.
pub(super) fn lay_out(contents: &LayoutInput<'_>) -> Vec<PlannedFile> {
    let mut news: Vec<&News> = contents.extras.news.iter().collect();
    news.sort_by(|one, other| one.loc.cmp(&other.loc));
    let lines: Vec<String> = news.iter().map(|news| line_of(news)).collect();
    let beginning = format!(
        "{}<urlset xmlns=\"{NAMESPACE}\" xmlns:news=\"{NEWS_NAMESPACE}\">\n",
        contents.opening
    );
    let most = MAX_PER_FILE.min(contents.settings.max_urls);
    let fits = |part: &[HashedUrl]| {
        let bytes: usize = part
            .iter()
            .map(|&(_, number)| lines[number as usize].len())
            .sum();
        part.len() <= most && beginning.len() + bytes + END.len() <= contents.settings.max_bytes
    };
    let mut hashed: Vec<HashedUrl> = (0..)
        .zip(&news)
        .map(|(number, news)| (url_hash(news.loc.as_str()), number))
        .collect();
    hashed.sort_unstable();
    let mut files = Vec::new();
    halve(&hashed, HashBits::default(), &fits, &mut |bits, part| {
        let mut numbers: Vec<u32> = part.iter().map(|&(_, number)| number).collect();
        numbers.sort_unstable();
        let suffix = if bits.is_empty() {
            NEWS.to_owned()
        } else {
            format!("{NEWS}-{bits}")
        };
        let text: String = numbers
            .iter()
            .map(|&number| lines[number as usize].as_str())
            .collect();
        let text = format!("{beginning}{text}{END}");
        files.push(PlannedFile::ready(
            contents.file_name(&suffix, ENDING),
            PlannedFileKind::News,
            numbers.len(),
            text,
        ));
    });
    files
}

fn line_of(news: &News) -> String {
    let mut out = String::from("<url>");
    push_element("loc", news.loc.as_str(), &mut out);
    out.push_str("<news:news><news:publication>");
    push_element("news:name", &news.publication.name, &mut out);
    push_element("news:language", &news.publication.language, &mut out);
    out.push_str("</news:publication>");
    push_element(
        "news:publication_date",
        &news.published.to_text(DateFormat::Datetime),
        &mut out,
    );
    push_element("news:title", &news.title, &mut out);
    out.push_str("</news:news></url>\n");
    out
}

#[cfg(test)]
mod tests {
    use super::super::extras::EntryExtras;
    use super::super::fixture::{at_most, base, date, entry, plan_with, rendered};
    use super::*;
    use crate::publication::Publication;
    use crate::settings::SitemapSettings;

    fn news(path: &str) -> News {
        let publication = Publication::new("A & B", "en").expect("a publication");
        let published = date(1_700_000_000).expect("a date");
        News {
            loc: base().of_path(path.as_bytes()),
            publication,
            published,
            title: format!("On {path}"),
        }
    }

    #[test]
    fn news_are_written_to_a_separate_file() {
        let extras = EntryExtras {
            news: vec![news("b"), news("a")],
            ..EntryExtras::default()
        };
        let entries = ["a", "b", "c"].map(entry).to_vec();
        let files = rendered(&plan_with(entries, extras, &SitemapSettings::default()));
        let line = |name: &str| {
            format!(
                "<url><loc>https://example.com/{name}</loc>\
                 <news:news><news:publication><news:name>A &amp; B</news:name>\
                 <news:language>en</news:language></news:publication>\
                 <news:publication_date>2023-11-14T23:13:20+01:00</news:publication_date>\
                 <news:title>On {name}</news:title></news:news></url>\n"
            )
        };
        let expected = format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- waypost: sitemap.xml -->\n\
             <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" \
             xmlns:news=\"http://www.google.com/schemas/sitemap-news/0.9\">\n{}{}</urlset>\n",
            line("a"),
            line("b")
        );
        assert_eq!(files.len(), 2);
        assert_eq!(files[1], ("sitemap-news.xml".to_owned(), expected));
    }

    #[test]
    fn more_than_a_thousand_articles_are_split_and_every_file_is_a_root() {
        let check = |count: usize, settings: &SitemapSettings, expected: usize| {
            let all = (0..count).map(|number| news(&number.to_string())).collect();
            let plan = plan_with(
                vec![entry("a")],
                EntryExtras {
                    news: all,
                    ..EntryExtras::default()
                },
                settings,
            );
            let files: Vec<_> = plan
                .files()
                .iter()
                .filter(|file| file.kind == PlannedFileKind::News)
                .collect();
            assert_eq!(files.len(), expected, "{count}");
            assert_eq!(files.iter().map(|file| file.urls).sum::<usize>(), count);
            assert_eq!(plan.roots().count(), expected + 1);
        };
        check(1000, &SitemapSettings::default(), 1);
        check(1001, &SitemapSettings::default(), 2);
        check(0, &SitemapSettings::default(), 0);
        check(2, &at_most(1), 2);
    }
}
