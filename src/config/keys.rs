//! Every key of the settings: its name, what it is for, its shape, and where its value goes.
//!
//! Files, environment, flags, `explain --settings` and the schema all go by these two tables; a new key is a new entry
//! here and a new field in `Settings`.

use serde_json::Value as Json;

use super::draft::DraftSettings;
use super::page_overrides::PageOverrides;
use super::reader::LayerReader;
use super::settings::{
    CommitTime, DateSource, GzipMode, ListDates, PreviewMode, SitemapFormat, UrlStyle,
};
use super::shape::{
    BaseUrlShape, COMMIT, CountShape, EXTENSION, FixedDateShape, FlagShape, GlobShape, GroupShape,
    ListLength, ListShape, META_NAME, OptionalShape, PriorityShape, PublicationTable, SITEMAP_FILE,
    SecretShape, SecretUrlShape, Shape, SiteFileShape, SourcePathShape, WordShape,
};
use super::value::SettingValue;
use crate::dates::DateFormat;
use crate::rules::{ChangeFreq, Rule};
use crate::site_paths::{MAX_SITEMAP_BYTES, MAX_SITEMAP_ENTRIES};

/// One key, and the field of `T` that it sets.
pub(super) struct SettingKey<T> {
    /// Its full name: `sitemap.file`.
    pub(super) name: &'static str,
    /// What it is for: the description in the schema.
    pub(super) about: &'static str,
    /// Reads a value into its field, or records why not; tells whether the field was set.
    pub(super) set: fn(&mut T, &SettingValue, &mut LayerReader<'_>) -> bool,
    /// The field's value as it would be written.
    pub(super) show: fn(&T) -> String,
    /// The shape of the value as JSON Schema.
    pub(super) schema: fn() -> Json,
}

macro_rules! keys {
    ($target:ty: $($(#[doc = $line:literal])+ $name:literal => $($field:ident).+: $shape:expr;)+) => {
        &[$(SettingKey {
            name: $name,
            about: concat!($($line),+),
            set: |target: &mut $target, value, reader| {
                let checked = $shape.read(value, reader);
                let is_set = checked.is_some();
                if let Some(checked) = checked {
                    target.$($field).+ = checked;
                }
                is_set
            },
            show: |target: &$target| $shape.show(&target.$($field).+),
            schema: || $shape.schema(),
        }),+]
    };
}

/// The frame of a file with all its namespaces takes some 300 bytes; below this there is no room for an address.
const LEAST_BYTES: usize = 1_000;

const DATE_SOURCES: ListShape<WordShape<DateSource>> = ListShape {
    of: WordShape(&DateSource::WORDS),
    length: ListLength::Any,
};

/// The keys of the settings, in the order in which they are documented; `[levels]` and `[[rule]]` stand after them.
pub(super) const KEYS: &[SettingKey<DraftSettings>] = keys! { DraftSettings:
    /// The address at which the output folder is served, with its path: `https://example.com/docs/`.
    "base_url" => settings.base_url: OptionalShape(BaseUrlShape);
    /// The output folder, from the site root. Without a generator it is the root itself where that has an `index.html` and no
    /// `package.json`, else the first of `public`, `dist`, `_site`, `site`, `build`, `out`, `book`, `_build/html` and
    /// `docs/_build/html` that has one, else the root.
    "output_dir" => settings.output_dir: OptionalShape(SiteFileShape);
    /// Endings of the files that are listed. Files other than HTML are listed and dated, but not read.
    /// robots.txt and the sitemaps are never listed.
    "extensions" => settings.extensions: ListShape { of: EXTENSION, length: ListLength::NotEmpty };
    /// The form of addresses: `host` as the pipeline serves them, `keep` every name as it is but for index files, which are
    /// their folder, `clean` without `.html`.
    "url_style" => settings.url_style: WordShape(&UrlStyle::WORDS);
    /// What a preview build writes: nothing (`skip`), or the sitemap of the production address (`production-urls`).
    "preview" => settings.preview: WordShape(&PreviewMode::WORDS);
    /// Lists that say which source each page was made from: what `hugo list all` or `eleventy --to=json` prints, the folder
    /// `.docusaurus`, or two columns, `page,source`.
    "source_map" => settings.source_map: ListShape { of: SiteFileShape, length: ListLength::Any };
    /// Whether a page's "edit this page" link tells its source where nothing else does.
    "edit_links" => settings.edit_links: FlagShape;
    /// Globs of pages that are left out: short for rules with `exclude = true` before all others.
    "exclude" => exclude: ListShape { of: ExcludeGlob, length: ListLength::Any };
    /// Where dates come from, the first that answers: `git`, `front_matter`, `page`, `mtime` (the source file's, which a
    /// checkout sets anew). An empty list writes no dates.
    "lastmod.from" => settings.lastmod.from: DATE_SOURCES;
    /// Which of a commit's two dates counts: `committer`, when it landed, or `author`, when it was written.
    "lastmod.date" => settings.lastmod.date: WordShape(&CommitTime::WORDS);
    /// Whether dates are written with their time (`datetime`) or as a day in UTC (`date`).
    "lastmod.format" => settings.lastmod.format: WordShape(&[("datetime", DateFormat::Datetime), ("date", DateFormat::Date)]);
    /// A file of commits to pass over, one hash a line, as git's `blame.ignoreRevsFile`.
    "lastmod.ignore_revs_file" => settings.lastmod.ignore_revs_file: OptionalShape(SiteFileShape);
    /// Commits to pass over: hashes, or prefixes that only one commit has.
    "lastmod.ignore_revs" => settings.lastmod.ignore_revs: ListShape { of: COMMIT, length: ListLength::Any };
    /// Whether a pure move of a file is no change of it.
    "lastmod.follow_renames" => settings.lastmod.follow_renames: FlagShape;
    /// The date of home, sections and terms: the newest of the pages below (`newest-below`), their own source's (`own`),
    /// or none (`none`).
    "lastmod.lists" => settings.lastmod.lists: WordShape(&ListDates::WORDS);
    /// The name of the sitemap, or of the index, in the output folder.
    "sitemap.file" => settings.sitemap.file: SITEMAP_FILE;
    /// What is written: `xml` and `txt` list every page, `rss` and `atom` the newest.
    "sitemap.formats" => settings.sitemap.formats: ListShape { of: WordShape(&SitemapFormat::WORDS), length: ListLength::NotEmpty };
    /// How many pages `rss` and `atom` list.
    "sitemap.feed_pages" => settings.sitemap.feed_pages:
        CountShape { from: 1, to: MAX_SITEMAP_ENTRIES, why: "the sitemaps.org protocol allows 50,000 URLs in a file" };
    /// Compressed files: none (`off`), beside the plain ones (`also`), or instead of them (`only`).
    "sitemap.gzip" => settings.sitemap.gzip: WordShape(&GzipMode::WORDS);
    /// How many URLs a file holds at most.
    "sitemap.max_urls" => settings.sitemap.max_urls:
        CountShape { from: 1, to: MAX_SITEMAP_ENTRIES, why: "the sitemaps.org protocol allows 50,000 URLs in a file" };
    /// How many bytes a file has at most before it is compressed.
    "sitemap.max_bytes" => settings.sitemap.max_bytes: CountShape {
        from: LEAST_BYTES,
        to: MAX_SITEMAP_BYTES,
        why: "the sitemaps.org protocol allows 50 MiB, and below 1,000 bytes a file has no room for an address",
    };
    /// How many sitemaps an index names at most.
    "sitemap.max_sitemaps" => settings.sitemap.max_sitemaps:
        CountShape { from: 1, to: MAX_SITEMAP_ENTRIES, why: "the sitemaps.org protocol allows 50,000 sitemaps in an index" };
    /// Whether the pages' own language alternates (`rel=alternate hreflang`) are written.
    "sitemap.hreflang" => settings.sitemap.hreflang: FlagShape;
    /// Whether the pages' images are written.
    "sitemap.images" => settings.sitemap.images: FlagShape;
    /// Whether the pages' videos are written, by their JSON-LD (`VideoObject`) or `og:video`.
    "sitemap.videos" => settings.sitemap.videos: FlagShape;
    /// Whether the site's RSS and Atom feeds are named in robots.txt.
    "sitemap.feeds" => settings.sitemap.feeds: FlagShape;
    /// Whether browsers show the XML files as tables, by a style sheet that each carries.
    "sitemap.stylesheet" => settings.sitemap.stylesheet: FlagShape;
    /// Whether the `Sitemap:` line is added to robots.txt.
    "robots_txt.update" => settings.robots_txt.update: FlagShape;
    /// Whether pages that robots.txt disallows to everyone are left out.
    "robots_txt.obey" => settings.robots_txt.obey: FlagShape;
    /// Names of the robots tags that count.
    "robots_meta.names" => settings.robots_meta.names: ListShape { of: META_NAME, length: ListLength::Any };
    /// Whether robots tags count in the body too, as they do for search engines; `false` reads heads only.
    "robots_meta.body" => settings.robots_meta.body: FlagShape;
    /// The key of IndexNow, 8 to 128 letters, digits and hyphens: `build` writes its file into the output folder, `submit`
    /// sends it. It is never shown.
    "submit.key" => settings.submit.key: OptionalShape(SecretShape);
    /// The address of the file that holds the key, where you put it somewhere else yourself; the key then speaks only for
    /// the pages of that folder.
    "submit.key_location" => settings.submit.key_location: OptionalShape(SecretUrlShape);
};

/// The keys of a `[[rule]]`, in the order in which they are documented.
pub(super) const RULE_KEYS: &[SettingKey<Rule>] = keys! { Rule:
    /// Globs over the page's path in the output (`blog/a/index.html`) or its URL path (`/blog/a/`). `*` stays within a
    /// path segment, `**` crosses them.
    "match" => patterns: ListShape { of: GlobShape, length: ListLength::NotEmptyOrAlone };
    /// The value of `<priority>`.
    "priority" => priority: OptionalShape(PriorityShape);
    /// The value of `<changefreq>`.
    "changefreq" => changefreq: OptionalShape(WordShape(&ChangeFreq::WORDS));
    /// A fixed date.
    "lastmod" => lastmod: OptionalShape(FixedDateShape);
    /// Where the dates of these pages come from, instead of `lastmod.from`.
    "lastmod_from" => lastmod_from: OptionalShape(DATE_SOURCES);
    /// The source of these pages, from the site root; `{n}` stands for what the n-th wildcard matched.
    "source" => source: OptionalShape(SourcePathShape);
    /// Further sources, from the site root: the newest date wins.
    "also" => also: OptionalShape(ListShape { of: SourcePathShape, length: ListLength::Any });
    /// The child sitemap that these pages go into: `blog` makes `sitemap-blog.xml`.
    "group" => group: OptionalShape(GroupShape);
    /// The publication that these pages are news of, `{ name = "…", language = "en" }`: those of the last two days go into
    /// `sitemap-news.xml` too.
    "news" => news: OptionalShape(PublicationTable);
    /// Whether these pages are left out.
    "exclude" => exclude: OptionalShape(FlagShape);
};

/// What a page may say of itself in its front matter.
pub(super) const PAGE_KEYS: &[SettingKey<PageOverrides>] = keys! { PageOverrides:
    /// The value of `<priority>`.
    "priority" => priority: OptionalShape(PriorityShape);
    /// The value of `<changefreq>`.
    "changefreq" => changefreq: OptionalShape(WordShape(&ChangeFreq::WORDS));
    /// A fixed date.
    "lastmod" => lastmod: OptionalShape(FixedDateShape);
    /// Whether the page is left out.
    "exclude" => exclude: OptionalShape(FlagShape);
};

/// A glob of `exclude`, which becomes a rule of its own.
struct ExcludeGlob;

impl Shape for ExcludeGlob {
    type Checked = Rule;

    fn read(&self, value: &SettingValue, reader: &mut LayerReader<'_>) -> Option<Rule> {
        let pattern = GlobShape.read(value, reader)?;
        let written_in = reader.place_in_file(value.place);
        Some(Rule {
            patterns: vec![pattern],
            exclude: Some(true),
            written_in,
            ..Rule::default()
        })
    }

    fn show(&self, checked: &Rule) -> String {
        checked
            .patterns
            .iter()
            .map(|pattern| GlobShape.show(pattern))
            .collect()
    }

    fn schema(&self) -> Json {
        GlobShape.schema()
    }
}

#[cfg(test)]
mod tests {
    use crate::config::settings_test::read;
    use crate::config::{ExplainedSetting, SettingOrigin};

    use proptest::prelude::*;

    const WRITTEN: &str = r#"base_url = "https://example.com/docs/"
output_dir = "out/html"
extensions = ["html", "pdf"]
url_style = "clean"
preview = "production-urls"
source_map = ["sources.csv", "pages.tsv"]
edit_links = false
exclude = ["drafts/**"]
lastmod.from = ["mtime", "page", "front_matter", "git"]
lastmod.date = "author"
lastmod.format = "date"
lastmod.ignore_revs_file = ".git-blame-ignore-revs"
lastmod.ignore_revs = ["abcd", "0123456789abcdef0123456789abcdef01234567"]
lastmod.follow_renames = true
lastmod.lists = "own"
sitemap.file = "pages.xml"
sitemap.formats = ["txt", "rss", "atom", "xml"]
sitemap.feed_pages = 20
sitemap.gzip = "only"
sitemap.max_urls = 50000
sitemap.max_bytes = 52428800
sitemap.max_sitemaps = 1
sitemap.hreflang = false
sitemap.images = true
sitemap.videos = true
sitemap.feeds = true
sitemap.stylesheet = true
robots_txt.update = false
robots_txt.obey = false
robots_meta.names = ["robots"]
robots_meta.body = false
levels.noindex = "deny"
"#;

    const RULE: &str = r#"match = ["blog/**", "/news/*.html"], priority = 0.8, changefreq = "weekly", lastmod_from = ["front_matter"], source = "content/blog/{1}.md", also = ["data/prices.toml"], group = "blog", news = { name = "A \"B\"", language = "zh-cn" }, exclude = false"#;

    /// Keys and values, a line each, as `explain --settings` shows them.
    fn shown(explained: &[ExplainedSetting]) -> String {
        explained
            .iter()
            .map(|key| format!("{} = {}", key.key, key.value))
            .collect::<Vec<_>>()
            .join("\n")
            + "\n"
    }

    /// Keys that are never shown as they were written.
    const SECRET: &str = "submit.key = not set\nsubmit.key_location = not set\n";

    /// What is shown is TOML, so it is compared with what was written, and can be read again.
    #[test]
    fn every_key_is_read_and_shown_as_it_was_written() {
        let loaded = read(format!("rule = [{{ {RULE} }}]\n{WRITTEN}")).expect("no mistake");
        let (rule, keys) = loaded.explained.split_last().expect("there are settings");
        assert_eq!(shown(keys).replace(SECRET, ""), WRITTEN);
        assert_eq!(
            (rule.key.as_str(), rule.value.as_str()),
            ("rule[1]", format!("{{ {RULE} }}").as_str())
        );
        assert_eq!(
            shown(&read(WRITTEN).expect("no mistake").explained).replace(SECRET, ""),
            WRITTEN
        );
    }

    #[test]
    fn the_defaults_are_those_of_the_documentation() {
        let loaded = read("").expect("no mistake");
        let expected = r#"base_url = not set
output_dir = not set
extensions = ["html", "htm", "xhtml"]
url_style = "host"
preview = "skip"
source_map = []
edit_links = true
exclude = []
lastmod.from = ["git", "front_matter", "page"]
lastmod.date = "committer"
lastmod.format = "datetime"
lastmod.ignore_revs_file = not set
lastmod.ignore_revs = []
lastmod.follow_renames = false
lastmod.lists = "newest-below"
sitemap.file = "sitemap.xml"
sitemap.formats = ["xml"]
sitemap.feed_pages = 500
sitemap.gzip = "off"
sitemap.max_urls = 50000
sitemap.max_bytes = 10485760
sitemap.max_sitemaps = 50000
sitemap.hreflang = true
sitemap.images = false
sitemap.videos = false
sitemap.feeds = false
sitemap.stylesheet = false
robots_txt.update = true
robots_txt.obey = true
robots_meta.names = ["robots", "googlebot"]
robots_meta.body = true
submit.key = not set
submit.key_location = not set
"#;
        assert_eq!(shown(&loaded.explained), expected);
        assert!(
            loaded
                .explained
                .iter()
                .all(|key| key.origin == SettingOrigin::Default)
        );
    }

    proptest! {
        #[test]
        fn settings_with_any_damage_are_read_to_their_end(
            at in 0..WRITTEN.len(), length in 0..30_usize, damage in r#"[\[\]{}=."', \na-z0-9é]{0,12}"#,
        ) {
            let mut text = format!("{WRITTEN}[[rule]]\nmatch = \"a\"\n");
            text.replace_range(at..(at + length).min(text.len()), &damage);
            if let Err(mistakes) = read(&text) {
                for mistake in &mistakes.list {
                    let place = mistake.origin.place().expect("every mistake in TOML has its place");
                    prop_assert!(text.get(place.start as usize..place.end as usize).is_some(), "{mistake:?} in {text}");
                }
            }
        }
    }
}
