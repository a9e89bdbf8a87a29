//! Tables of all setting keys: name, description, shape and target field.
//!
//! Files, environment, flags, `explain --settings` and the schema all use these tables. To add a
//! setting, add an entry here and a field in `Settings`.

use serde_json::Value as Json;

use super::draft_settings::DraftSettings;
use super::overridden_values::PageOverrides;
use super::reader::LayerReader;
use super::shape::{
    AGENT_NAME, BaseUrlShape, BranchShape, COMMIT, COMMIT_PATTERN, CountShape, EXTENSION,
    FixedDateShape, FlagShape, GlobShape, GroupShape, ListLength, ListShape, OptionalShape,
    PriorityShape, SITEMAP_FILE, SecretShape, SecretUrlShape, Shape, ShareShape, SiteFileShape,
    SourcePathShape, WordShape,
};
use crate::settings::Rule;
use crate::settings::{
    COMMIT_TIMES, DateSource, DraftPages, HOSTS, ListDates, MINOR_CHANGES, OmittedPages,
    PreviewMode, UrlStyle,
};
use located_values::SettingValue;
use site_paths::MAX_SITEMAP_ENTRIES;
use sitemaps::ChangeFreq;
use sitemaps::DateFormat;
use sitemaps::{GzipMode, SitemapFormat};

/// A key and the field of `T` that it sets.
pub(super) struct SettingKey<T> {
    /// The full name, such as `sitemap.file`.
    pub(super) name: &'static str,
    /// The description, also used in the schema.
    pub(super) about: &'static str,
    /// Reads a value into the field, or records the mistake. Returns whether the field was set.
    pub(super) set: fn(&mut T, &SettingValue, &mut LayerReader<'_>) -> bool,
    /// The field's value in TOML syntax.
    pub(super) show: fn(&T) -> String,
    /// The JSON Schema of the value.
    pub(super) schema: fn() -> Json,
}

macro_rules! keys {
    ($target:ty:
        $($(#[doc = $line:literal])+ $name:literal => $($field:ident).+: $shape:expr;)+) => {
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

const URLS_PER_FILE: &str = "the sitemaps.org protocol allows 50,000 URLs per file";

const DATE_SOURCES: ListShape<WordShape<DateSource>> = ListShape {
    of: WordShape(&DateSource::WORDS),
    length: ListLength::Any,
};

/// The keys of the settings in documented order, without `[levels]` and `[[rule]]`, which follow
/// them.
pub(super) const KEYS: &[SettingKey<DraftSettings>] = keys! { DraftSettings:
    /// The URL at which the output directory is served, including its path:
    /// `https://example.com/docs/`.
    "base_url" => settings.base_url: OptionalShape(BaseUrlShape);
    /// The output directory, relative to the site root. If no generator is detected, the default is
    /// the root if it has an `index.html` and no `package.json`; otherwise the known output
    /// directory (`public`, `dist`, `_site`, `build`, `out`, …) that has an `index.html`.
    "output_dir" => settings.output_dir: OptionalShape(SiteFileShape);
    /// Extensions of the files to list. Files other than HTML are listed and dated without being
    /// read. robots.txt and the sitemaps are never listed.
    "extensions" => settings.extensions: ListShape { of: EXTENSION, length: ListLength::NotEmpty };
    /// The host that serves the site: whose files and rules count, and in which form it serves URLs.
    /// Without this key, the host is detected by the environment, the base URL's domain, or files
    /// such as `wrangler.toml`. `static` is a server without rules.
    "host" => settings.host: OptionalShape(WordShape(&HOSTS));
    /// The form of URLs of pages without a canonical link: `host` follows the detected host, or else
    /// the site's own URLs; `keep` uses file names unchanged, except that an index file becomes its
    /// directory; `clean` removes `.html`; `slash` replaces it by `/`.
    "url_style" => settings.url_style: WordShape(&UrlStyle::WORDS);
    /// Globs of the branches whose builds are production, for services that do not report whether a
    /// build is one. A build of another branch is then a preview. Tags and builds outside a service
    /// are always production.
    "production_branches" => settings.production_branches:
        ListShape { of: BranchShape, length: ListLength::Any };
    /// What preview builds write: nothing (`skip`), or the sitemap for the production URL
    /// (`production-urls`).
    "preview" => settings.preview: WordShape(&PreviewMode::WORDS);
    /// What to do with a page whose source is a draft, such as one left from an earlier or a preview
    /// build: list it with the finding `draft-built` (`warn`), exclude it, or list it (`allow`).
    "drafts" => settings.drafts: WordShape(&DraftPages::WORDS);
    /// Files that map pages to their sources: the output of `hugo list all` or
    /// `eleventy --to=json`, the directory `.docusaurus`, or a table with the columns
    /// `page,source`.
    "source_map" => settings.source_map: ListShape { of: SiteFileShape, length: ListLength::Any };
    /// Globs of pages to exclude. Short for rules with `exclude = true`, placed before all other
    /// rules.
    "exclude" => exclude: ListShape { of: ExcludeGlob, length: ListLength::Any };
    /// Sources of dates, in order of precedence: `git`, `front_matter`, `page` and `mtime` (the
    /// source file's modification time, which a checkout resets). An empty array disables dates.
    "lastmod.from" => settings.lastmod.from: DATE_SOURCES;
    /// Which date of a change to use: `committer` (when the commit was made), `author` (when it was
    /// written) or `landed` (when the branch got it: the commit on the first-parent line of `HEAD`,
    /// usually a merge).
    "lastmod.date" => settings.lastmod.date: WordShape(&COMMIT_TIMES);
    /// The format of dates: with time (`datetime`), or only the day in UTC (`date`).
    "lastmod.format" => settings.lastmod.format:
        WordShape(&[("datetime", DateFormat::Datetime), ("date", DateFormat::Date)]);
    /// Whether to ignore pure renames, so that a moved file keeps its date.
    "lastmod.follow_renames" => settings.lastmod.follow_renames: FlagShape;
    /// The date of the home page, sections and terms: the newest date of the pages below
    /// (`newest-below`), the date of their own source (`own`), or no date (`none`).
    "lastmod.lists" => settings.lastmod.lists: WordShape(&ListDates::WORDS);
    /// Patterns over the authors of commits to ignore, as `Name <mail>`. `*` and `?` are the only
    /// wildcards; case is ignored: `renovate[bot] *`.
    "lastmod.ignore.authors" => settings.lastmod.ignore.authors:
        ListShape { of: COMMIT_PATTERN, length: ListLength::Any };
    /// Patterns over the subjects of commits to ignore, with the same wildcards: `style: *`.
    "lastmod.ignore.messages" => settings.lastmod.ignore.messages:
        ListShape { of: COMMIT_PATTERN, length: ListLength::Any };
    /// Commits to ignore, as hashes or unique prefixes.
    "lastmod.ignore.revs" => settings.lastmod.ignore.revs:
        ListShape { of: COMMIT, length: ListLength::Any };
    /// A file of commits to ignore, one hash per line, like Git's `blame.ignoreRevsFile`.
    "lastmod.ignore.revs_file" => settings.lastmod.ignore.revs_file: OptionalShape(SiteFileShape);
    /// Kinds of changes to ignore in any commit: `whitespace` and `front-matter`. The clone must
    /// contain the files of earlier commits.
    "lastmod.ignore.changes" => settings.lastmod.ignore.changes:
        ListShape { of: WordShape(&MINOR_CHANGES), length: ListLength::Any };
    /// The file name of the sitemap, or of the sitemap index, in the output directory. Unless it is
    /// set, the name that search engines know is kept.
    "sitemap.file" => settings.sitemap.file: SITEMAP_FILE;
    /// The formats to write: `xml` and `txt` list every page, `rss` and `atom` the newest pages.
    "sitemap.formats" => settings.sitemap.formats:
        ListShape { of: WordShape(&SitemapFormat::WORDS), length: ListLength::NotEmpty };
    /// Whether to write gzip files: never (`off`), in addition to the plain files (`also`), or
    /// instead of them (`only`).
    "sitemap.gzip" => settings.sitemap.gzip: WordShape(&GzipMode::WORDS);
    /// The maximum number of URLs per file.
    "sitemap.max_urls" => settings.sitemap.max_urls:
        CountShape { from: 1, to: MAX_SITEMAP_ENTRIES, why: URLS_PER_FILE };
    /// Whether to write the pages' language alternates (`rel=alternate hreflang`).
    "sitemap.hreflang" => settings.sitemap.hreflang: FlagShape;
    /// Whether to write the pages' images. Those of a generator's own sitemap are always kept.
    "sitemap.images" => settings.sitemap.images: FlagShape;
    /// Single pages with a known source that the generator's own sitemap omits: list them with a
    /// finding (`warn`), or exclude them.
    "sitemap.omitted" => settings.omitted: WordShape(&OmittedPages::WORDS);
    /// Whether to list the site's RSS and Atom feeds in robots.txt.
    "sitemap.feeds" => settings.sitemap.feeds: FlagShape;
    /// Whether to add a stylesheet to the XML files, so that browsers show them as tables.
    "sitemap.stylesheet" => settings.sitemap.stylesheet: FlagShape;
    /// Whether to add the `Sitemap:` line to robots.txt.
    "robots_txt.update" => settings.robots_txt.update: FlagShape;
    /// Whether to exclude pages that robots.txt disallows for all crawlers in `robots_txt.agents`.
    "robots_txt.obey" => settings.robots_txt.obey: FlagShape;
    /// The crawlers whose rules in robots.txt count, for example `["Googlebot", "Bingbot"]`. `*` is
    /// every crawler that robots.txt does not name. A page is excluded if none of them may fetch it.
    "robots_txt.agents" => settings.robots_txt.agents:
        ListShape { of: AGENT_NAME, length: ListLength::NotEmpty };
    /// The largest share of the previous sitemap's URLs that may be missing from the new one. If more
    /// are missing, and more than ten, nothing is written (`set-shrunk`).
    "guard.max_dropped" => settings.guard.max_dropped: ShareShape;
    /// The largest share of the previous sitemap's dated pages that may lose their date. If more
    /// lose it, and more than ten, nothing is written (`dates-lost`).
    "guard.max_undated" => settings.guard.max_undated: ShareShape;
    /// The IndexNow key, 8 to 128 letters, digits and hyphens. `build` writes the key file into the
    /// output directory, `submit` sends the key. It is never printed.
    "submit.key" => settings.submit.key: OptionalShape(SecretShape);
    /// The URL of the key file, if you host it elsewhere yourself. The key is then valid only for
    /// URLs in that file's directory and below.
    "submit.key_location" => settings.submit.key_location: OptionalShape(SecretUrlShape);
};

/// The keys of a `[[rule]]` in documented order.
pub(super) const RULE_KEYS: &[SettingKey<Rule>] = keys! { Rule:
    /// Globs that match the page's path in the output (`blog/a/index.html`) or its URL path
    /// (`/blog/a/`). `*` matches within a path segment, `**` across segments.
    "match" => patterns: ListShape { of: GlobShape, length: ListLength::NotEmptyOrSingle };
    /// The value of `<priority>`.
    "priority" => priority: OptionalShape(PriorityShape);
    /// The value of `<changefreq>`.
    "changefreq" => changefreq: OptionalShape(WordShape(&ChangeFreq::WORDS));
    /// A fixed date.
    "lastmod" => lastmod: OptionalShape(FixedDateShape);
    /// Sources of dates for these pages, instead of `lastmod.from`.
    "lastmod_from" => lastmod_from: OptionalShape(DATE_SOURCES);
    /// The source of these pages, relative to the site root; `{n}` is replaced by what the n-th
    /// wildcard matched.
    "source" => source: OptionalShape(SourcePathShape);
    /// Additional sources, relative to the site root: files, directories with all their files, or globs
    /// such as `inc/**/*.html`. Hidden files do not count, and the newest date is used.
    "also" => also: OptionalShape(ListShape { of: SourcePathShape, length: ListLength::Any });
    /// The child sitemap for these pages: `blog` creates `sitemap-blog.xml`.
    "group" => group: OptionalShape(GroupShape);
    /// Whether to exclude these pages.
    "exclude" => exclude: OptionalShape(FlagShape);
};

/// The keys that a page may set in its front matter.
pub(super) const PAGE_KEYS: &[SettingKey<PageOverrides>] = keys! { PageOverrides:
    /// The value of `<priority>`.
    "priority" => priority: OptionalShape(PriorityShape);
    /// The value of `<changefreq>`.
    "changefreq" => changefreq: OptionalShape(WordShape(&ChangeFreq::WORDS));
    /// A fixed date.
    "lastmod" => lastmod: OptionalShape(FixedDateShape);
    /// Whether to exclude the page.
    "exclude" => exclude: OptionalShape(FlagShape);
};

/// A glob of `exclude`, which becomes one rule.
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
    use crate::config::draft::ExplainedSetting;
    use crate::config::settings_test::read;

    use proptest::prelude::*;

    const WRITTEN: &str = r#"base_url = "https://example.com/docs/"
output_dir = "out/html"
extensions = ["html", "pdf"]
host = "static"
url_style = "clean"
production_branches = ["main", "release/*"]
preview = "production-urls"
drafts = "exclude"
source_map = ["sources.csv", "pages.tsv"]
exclude = ["drafts/**"]
lastmod.from = ["mtime", "page", "front_matter", "git"]
lastmod.date = "landed"
lastmod.format = "date"
lastmod.follow_renames = true
lastmod.lists = "own"
lastmod.ignore.authors = ["renovate[bot] *"]
lastmod.ignore.messages = ["style: *", "*prettier*"]
lastmod.ignore.revs = ["abcd", "0123456789abcdef0123456789abcdef01234567"]
lastmod.ignore.revs_file = ".git-blame-ignore-revs"
lastmod.ignore.changes = ["whitespace", "front-matter"]
sitemap.file = "pages.xml"
sitemap.formats = ["txt", "rss", "atom", "xml"]
sitemap.gzip = "only"
sitemap.max_urls = 50000
sitemap.hreflang = false
sitemap.images = true
sitemap.omitted = "exclude"
sitemap.feeds = true
sitemap.stylesheet = true
robots_txt.update = false
robots_txt.obey = false
robots_txt.agents = ["Googlebot"]
guard.max_dropped = 0.25
guard.max_undated = 1.0
levels.noindex = "deny"
"#;

    const RULE: &str = concat!(
        r#"match = ["blog/**", "/news/*.html"], priority = 0.8, changefreq = "weekly", "#,
        r#"lastmod_from = ["front_matter"], source = "content/blog/{1}.md", "#,
        r#"also = ["data/prices.toml"], group = "blog", exclude = false"#,
    );

    /// Keys and values, one per line, as shown by `explain --settings`.
    fn shown(explained: &[ExplainedSetting]) -> String {
        explained
            .iter()
            .map(|key| format!("{} = {}", key.key, key.value))
            .collect::<Vec<_>>()
            .join("\n")
            + "\n"
    }

    /// Keys whose values are never shown.
    const SECRET: &str = "submit.key = not set\nsubmit.key_location = not set\n";

    /// The shown values are TOML, so they are compared with the input and can be read again.
    #[test]
    fn every_key_is_read_and_shown_as_it_was_written() {
        let loaded = read(format!("rule = [{{ {RULE} }}]\n{WRITTEN}")).expect("no mistake");
        let (rule, keys) = loaded
            .explained
            .split_last()
            .expect("settings are explained");
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

    proptest! {
        #[test]
        fn damaged_settings_never_panic_and_every_mistake_has_a_place(
            at in 0..WRITTEN.len(),
            length in 0..30_usize,
            damage in r#"[\[\]{}=."', \na-z0-9é]{0,12}"#,
        ) {
            let mut text = format!("{WRITTEN}[[rule]]\nmatch = \"a\"\n");
            text.replace_range(at..(at + length).min(text.len()), &damage);
            if let Err(mistakes) = read(&text) {
                for mistake in &mistakes.list {
                    let place =
                        mistake.origin.place().expect("every mistake in TOML has a place");
                    let bytes = text.get(place.start as usize..place.end as usize);
                    prop_assert!(bytes.is_some(), "{mistake:?} in {text}");
                }
            }
        }
    }
}
