//! The settings of a run, checked and compiled: the only shape of them that leaves this room.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::submit_key::{KeyLocation, SubmitKey};
use crate::dates::DateFormat;
use crate::finding::{Code, Level};
use crate::rules::Rule;
use crate::site_paths::{BaseUrl, HTML_EXTENSIONS};

/// Everything a run may be told.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The address of the output folder, where the settings, environment or flags name one.
    pub base_url: Option<BaseUrl>,
    /// The output folder, relative to the site root unless absolute, where it is named.
    pub output_dir: Option<PathBuf>,
    /// Endings of pages, in lower case without the dot.
    pub extensions: Vec<String>,
    /// The form of the URLs that no canonical link decides.
    pub url_style: UrlStyle,
    /// What a preview build writes.
    pub preview: PreviewMode,
    /// Lists of pages and their sources, relative to the site root unless absolute.
    pub source_map: Vec<PathBuf>,
    /// Whether an "edit this page" link may tell a page's source.
    pub edit_links: bool,
    /// `[lastmod]`.
    pub lastmod: LastmodSettings,
    /// `[sitemap]`.
    pub sitemap: SitemapSettings,
    /// `[robots_txt]`.
    pub robots_txt: RobotsTxtSettings,
    /// `[robots_meta]`.
    pub robots_meta: RobotsMetaSettings,
    /// `[submit]`.
    pub submit: SubmitSettings,
    /// `[levels]`.
    pub levels: LevelOverrides,
    /// `[[rule]]` in their order; `exclude = [...]` stands first, as rules that exclude.
    pub rules: Vec<Rule>,
}

/// `url_style`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum UrlStyle {
    /// As the pipeline at hand serves them; as they are where none is known.
    #[default]
    Host,
    /// Every name as it is, but `x/index.html` as `x/`.
    Keep,
    /// Without `.html`.
    Clean,
    /// Without `.html` and without a final slash; only hosts ask for it.
    CleanSlashless,
    /// Without `.html` and with a final slash; only hosts ask for it.
    CleanSlashed,
    /// Every name as it is, but `x/index.html` as `x`; only hosts ask for it.
    KeepSlashless,
}

impl UrlStyle {
    /// The words that stand in settings.
    pub const WORDS: [(&str, Self); 3] = [
        ("host", Self::Host),
        ("keep", Self::Keep),
        ("clean", Self::Clean),
    ];
}

/// `preview`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PreviewMode {
    /// A preview build writes nothing.
    #[default]
    Skip,
    /// A preview build writes the sitemap of the production address.
    ProductionUrls,
}

impl PreviewMode {
    /// The words that stand in settings.
    pub const WORDS: [(&str, Self); 2] = [
        ("skip", Self::Skip),
        ("production-urls", Self::ProductionUrls),
    ];
}

/// Where a date may come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DateSource {
    /// The last commit that changed the source file.
    Git,
    /// The source file's front matter.
    FrontMatter,
    /// What the page says of itself: `article:modified_time` and its like.
    Page,
    /// The source file's modification time; never unless asked for.
    Mtime,
}

impl DateSource {
    /// The words that stand in settings.
    pub const WORDS: [(&str, Self); 4] = [
        ("git", Self::Git),
        ("front_matter", Self::FrontMatter),
        ("page", Self::Page),
        ("mtime", Self::Mtime),
    ];
}

/// `lastmod.date`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CommitTime {
    /// When the commit reached this history.
    #[default]
    Committer,
    /// When its author wrote it.
    Author,
}

impl CommitTime {
    /// The words that stand in settings.
    pub const WORDS: [(&str, Self); 2] = [("committer", Self::Committer), ("author", Self::Author)];
}

/// `lastmod.lists`: pages without a source of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ListDates {
    /// The newest date of the pages below them.
    #[default]
    NewestBelow,
    /// Their own source's date, or none.
    Own,
    /// None.
    None,
}

impl ListDates {
    /// The words that stand in settings.
    pub const WORDS: [(&str, Self); 3] = [
        ("newest-below", Self::NewestBelow),
        ("own", Self::Own),
        ("none", Self::None),
    ];
}

/// `[lastmod]`.
#[derive(Debug, Clone)]
pub struct LastmodSettings {
    /// First that answers; empty writes no dates.
    pub from: Vec<DateSource>,
    /// Which of a commit's two dates.
    pub date: CommitTime,
    /// How dates are written.
    pub format: DateFormat,
    /// A file of commits to pass over, relative to the site root.
    pub ignore_revs_file: Option<PathBuf>,
    /// Commits to pass over: hashes or unique prefixes.
    pub ignore_revs: Vec<String>,
    /// Whether a pure move is no change.
    pub follow_renames: bool,
    /// Home, sections and terms.
    pub lists: ListDates,
}

/// `sitemap.formats`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SitemapFormat {
    /// `sitemap.xml`.
    Xml,
    /// `sitemap.txt`: one URL a line.
    Txt,
    /// RSS 2.0 of the newest pages.
    Rss,
    /// Atom 1.0 of the newest pages.
    Atom,
}

impl SitemapFormat {
    /// The words that stand in settings.
    pub const WORDS: [(&str, Self); 4] = [
        ("xml", Self::Xml),
        ("txt", Self::Txt),
        ("rss", Self::Rss),
        ("atom", Self::Atom),
    ];
}

/// `sitemap.gzip`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum GzipMode {
    /// No compressed file.
    #[default]
    Off,
    /// `sitemap.xml.gz` beside `sitemap.xml`.
    Also,
    /// `sitemap.xml.gz` alone.
    Only,
}

impl GzipMode {
    /// The words that stand in settings.
    pub const WORDS: [(&str, Self); 3] = [
        ("off", Self::Off),
        ("also", Self::Also),
        ("only", Self::Only),
    ];
}

/// `[sitemap]`.
#[derive(Debug, Clone)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a switch of its own in the settings"
)]
pub struct SitemapSettings {
    /// Name of the sitemap, or of the index, in the output folder; it ends in `.xml`.
    pub file: String,
    /// What is written, each at most once.
    pub formats: Vec<SitemapFormat>,
    /// How many pages the feeds among them list: 1 to 50,000.
    pub feed_pages: usize,
    /// Compressed files.
    pub gzip: GzipMode,
    /// URLs a file holds at most: 1 to 50,000 (sitemaps.org protocol).
    pub max_urls: usize,
    /// Uncompressed bytes a file holds at most: up to 52,428,800 (sitemaps.org protocol).
    pub max_bytes: usize,
    /// Sitemaps an index names at most: 1 to 50,000 (sitemaps.org protocol).
    pub max_sitemaps: usize,
    /// Whether language alternates are written.
    pub hreflang: bool,
    /// Whether images are written.
    pub images: bool,
    /// Whether videos are written.
    pub videos: bool,
    /// Whether the site's feeds are named in robots.txt.
    pub feeds: bool,
    /// Whether browsers are told how to show the XML files.
    pub stylesheet: bool,
}

impl SitemapSettings {
    /// The name of the file that people and programs are told of: of the first format, XML before all others, in one
    /// piece.
    pub fn main_file(&self) -> String {
        let stem = self.file.strip_suffix(".xml").unwrap_or(&self.file);
        let ending = match self.formats.iter().min() {
            None | Some(SitemapFormat::Xml) => ".xml",
            Some(SitemapFormat::Txt) => ".txt",
            Some(SitemapFormat::Rss) => ".rss",
            Some(SitemapFormat::Atom) => ".atom",
        };
        let packed = if self.gzip == GzipMode::Only {
            ".gz"
        } else {
            ""
        };
        format!("{stem}{ending}{packed}")
    }
}

/// `[robots_txt]`.
#[derive(Debug, Clone)]
pub struct RobotsTxtSettings {
    /// Whether the `Sitemap:` line is added.
    pub update: bool,
    /// Whether pages that it disallows to everyone are left out.
    pub obey: bool,
}

/// `[robots_meta]`.
#[derive(Debug, Clone)]
pub struct RobotsMetaSettings {
    /// Names of the robots tags that count, in lower case.
    pub names: Vec<String>,
    /// Whether they count in the body too.
    pub body: bool,
}

/// `[submit]`.
#[derive(Debug, Clone, Default)]
pub struct SubmitSettings {
    /// The key of IndexNow.
    pub key: Option<SubmitKey>,
    /// Where the file that holds it lies, if not where `build` writes it.
    pub key_location: Option<KeyLocation>,
}

/// `[levels]`: levels that differ from their code's own.
#[derive(Debug, Clone, Default)]
pub struct LevelOverrides(pub BTreeMap<String, Level>);

impl LevelOverrides {
    /// The level of a finding.
    pub fn of(&self, code: &Code) -> Level {
        self.0.get(code.name).copied().unwrap_or(code.level)
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            base_url: None,
            output_dir: None,
            extensions: HTML_EXTENSIONS.map(str::to_owned).to_vec(),
            url_style: UrlStyle::default(),
            preview: PreviewMode::default(),
            source_map: Vec::new(),
            edit_links: true,
            lastmod: LastmodSettings::default(),
            sitemap: SitemapSettings::default(),
            robots_txt: RobotsTxtSettings::default(),
            robots_meta: RobotsMetaSettings::default(),
            submit: SubmitSettings::default(),
            levels: LevelOverrides::default(),
            rules: Vec::new(),
        }
    }
}

impl Default for LastmodSettings {
    fn default() -> Self {
        Self {
            from: vec![DateSource::Git, DateSource::FrontMatter, DateSource::Page],
            date: CommitTime::default(),
            format: DateFormat::default(),
            ignore_revs_file: None,
            ignore_revs: Vec::new(),
            follow_renames: false,
            lists: ListDates::default(),
        }
    }
}

impl Default for SitemapSettings {
    fn default() -> Self {
        Self {
            file: "sitemap.xml".to_owned(),
            formats: vec![SitemapFormat::Xml],
            feed_pages: 500,
            gzip: GzipMode::default(),
            max_urls: 50_000,
            max_bytes: 10_485_760,
            max_sitemaps: 50_000,
            hreflang: true,
            images: false,
            videos: false,
            feeds: false,
            stylesheet: false,
        }
    }
}

impl Default for RobotsTxtSettings {
    fn default() -> Self {
        Self {
            update: true,
            obey: true,
        }
    }
}

impl Default for RobotsMetaSettings {
    fn default() -> Self {
        Self {
            names: vec!["robots".to_owned(), "googlebot".to_owned()],
            body: true,
        }
    }
}
