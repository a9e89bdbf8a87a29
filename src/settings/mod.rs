//! The settings of a run. These structs document, parse, default and describe them: serde reads
//! them from the values that `config` has merged, `explain --settings` shows what it writes, and
//! schemars makes the JSON Schema.

mod checks;
mod rule;
#[cfg(test)]
mod schema;
mod submit_key;

pub(crate) use checks::fixed_date;
pub use rule::{Rule, SourceError, SourceTemplate};
pub use submit_key::{KeyLocation, SubmitKey};

use crate::generators::HostServer;
use git_last_modified::{CommitTime, MinorChange};
use serde::{Deserialize, Serialize};
use sitemaps::{DateFormat, GzipMode, SitemapFormat, SitemapSettings};
use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::files::glob::GlobPattern;
use crate::findings::{Code, Level};
use sitemaps::site_paths::{BaseUrl, HTML_EXTENSIONS};

/// Settings of waypost.
// The comments of the fields are the descriptions in the schema and in the documentation.
#[derive(Debug, Clone, Default, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// The URL at which the output directory is served, including its path:
    /// `https://example.com/docs/`.
    #[cfg_attr(test, schemars(schema_with = "schema::base_url"))]
    pub base_url: Option<BaseUrl>,
    /// The output directory, relative to the site root. The default is the directory that a file of the host
    /// or the pipeline names, if it has pages; otherwise the generator's. If no generator is detected, it is
    /// the root if it has an `index.html` and no `package.json`, or else the known output directory (`public`,
    /// `dist`, `_site`, `build`, `out`, …) that has an `index.html`.
    #[cfg_attr(test, schemars(schema_with = "schema::path"))]
    pub output_dir: Option<PathBuf>,
    /// Extensions of the files to list. Files other than HTML are listed and dated without being
    /// read. robots.txt and the sitemaps are never listed.
    #[cfg_attr(test, schemars(with = "Vec<String>", length(min = 1)))]
    pub extensions: Extensions,
    /// The host that serves the site: whose files and rules count, and in which form it serves URLs.
    /// Without this key, the host is detected by the environment, the base URL's domain, or files
    /// such as `wrangler.toml`. `static` is a server without rules.
    #[serde(deserialize_with = "checks::host")]
    #[cfg_attr(test, schemars(schema_with = "schema::host"))]
    pub host: Option<String>,
    /// The form of URLs of pages without a canonical link: `host` follows the detected host, or else
    /// the site's own URLs; `keep` uses file names unchanged, except that an index file becomes its
    /// directory; `clean` removes `.html`; `slash` replaces it by `/`.
    #[cfg_attr(test, schemars(schema_with = "schema::word::<UrlStyle>"))]
    pub url_style: UrlStyle,
    /// Whose server answers, once the host is detected.
    #[serde(skip)]
    pub server: HostServer,
    /// Globs of the branches whose builds are production, for services that do not report whether a
    /// build is one. A build of another branch is then a preview. Tags and builds outside a service
    /// are always production.
    #[cfg_attr(test, schemars(with = "Vec<String>"))]
    pub production_branches: Vec<GlobPattern>,
    /// What preview builds write: nothing (`skip`), or the sitemap for the production URL
    /// (`production-urls`).
    #[cfg_attr(test, schemars(schema_with = "schema::word::<PreviewMode>"))]
    pub preview: PreviewMode,
    /// What to do with a page whose source is a draft, such as one left from an earlier or a preview
    /// build: list it with the finding `draft-built` (`warn`), exclude it, or list it (`allow`).
    #[cfg_attr(test, schemars(schema_with = "schema::word::<DraftPages>"))]
    pub drafts: DraftPages,
    /// Files that map pages to their sources: the output of `hugo list all` or
    /// `eleventy --to=json`, the directory `.docusaurus`, or a table with the columns
    /// `page,source`.
    #[cfg_attr(test, schemars(schema_with = "schema::paths"))]
    pub source_map: Vec<PathBuf>,
    /// Globs of pages to exclude. Short for rules with `exclude = true`, placed before all other
    /// rules.
    #[cfg_attr(test, schemars(with = "Vec<String>"))]
    pub exclude: Vec<GlobPattern>,
    /// Dates.
    pub lastmod: LastmodSettings,
    /// The files to write.
    pub sitemap: SitemapTable,
    /// robots.txt.
    pub robots_txt: RobotsTxtSettings,
    /// IndexNow.
    pub submit: SubmitSettings,
    /// The level of a finding, or of a reason for excluding a page.
    #[cfg_attr(test, schemars(schema_with = "schema::levels"))]
    pub levels: LevelOverrides,
    /// Rules cascade as in CSS: the last matching rule that sets a key wins.
    // Before them, one rule for each glob of `exclude` is added when all are read.
    #[serde(rename = "rule")]
    pub rules: Vec<Rule>,
}

/// `url_style`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum UrlStyle {
    /// The form that the detected host serves; without one, the form that the site itself names, or
    /// else `Keep`.
    #[default]
    Host,
    /// File names unchanged, except that `x/index.html` becomes `x/`.
    Keep,
    /// Without `.html`.
    Clean,
    /// Without `.html` and without a trailing slash. Set by hosts and sites only.
    #[serde(skip)]
    CleanSlashless,
    /// Without `.html` and with a trailing slash.
    #[serde(rename = "slash")]
    CleanSlashed,
    /// File names unchanged, except that `x/index.html` becomes `x`. Set by hosts and sites only.
    #[serde(skip)]
    KeepSlashless,
    /// File names unchanged, and `x/index.html` is `x/`, never `x`. Set by hosts only.
    #[serde(skip)]
    KeepSlashed,
    /// File names unchanged, also of index files. Set by hosts only.
    #[serde(skip)]
    Exact,
}

/// `preview`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum PreviewMode {
    /// A preview build writes nothing.
    #[default]
    Skip,
    /// A preview build writes the sitemap for the production URL.
    ProductionUrls,
}

/// `sitemap.omitted`: single pages that the generator's own sitemap omits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum OmittedPages {
    /// Listed, with a finding.
    #[default]
    Warn,
    /// Excluded.
    Exclude,
}

/// `drafts`: pages whose source is a draft.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum DraftPages {
    /// Listed like any other page.
    Allow,
    /// Listed, with a finding.
    #[default]
    Warn,
    /// Excluded.
    Exclude,
}

/// A source of dates.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DateSource {
    /// The last commit that changed the source file.
    Git,
    /// The source file's front matter.
    FrontMatter,
    /// The page's own metadata, such as `article:modified_time`.
    Page,
    /// The source file's modification time. Used only if configured.
    Mtime,
    /// A key of front matter. Only the generator's settings name one.
    #[serde(skip_deserializing)]
    Key(String),
    /// The date in the name of the source file, as the generator's settings ask for it.
    #[serde(skip_deserializing)]
    FileName,
}

/// `lastmod.lists`: the dates of list pages (home, sections and terms).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ListDates {
    /// The commit that last changed the page's own source, or added, removed or renamed a content
    /// file that the list shows. No date for terms.
    #[default]
    Members,
    /// The newest date of the pages below.
    NewestBelow,
    /// The date of the page's own source, if it has one.
    Own,
    /// No date.
    None,
}

/// `[lastmod]`.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct LastmodSettings {
    /// Sources of dates, in order of precedence: `git`, `front_matter`, `page` and `mtime` (the
    /// source file's modification time, which a checkout resets). An empty array disables dates.
    #[cfg_attr(test, schemars(schema_with = "schema::words::<DateSource>"))]
    pub from: Vec<DateSource>,
    /// Which date of a change to use: `committer` (when the commit was made), `author` (when it was
    /// written) or `landed` (when the branch got it: the commit on the first-parent line of `HEAD`,
    /// usually a merge).
    #[cfg_attr(test, schemars(schema_with = "schema::word::<CommitTime>"))]
    pub date: CommitTime,
    /// The format of dates: with time (`datetime`), or only the day in UTC (`date`).
    #[cfg_attr(test, schemars(schema_with = "schema::word::<DateFormat>"))]
    pub format: DateFormat,
    /// The date of the home page and sections: that of the last change of their own source, or of the
    /// last commit that added, removed or renamed a page below (`members`); the newest date of the
    /// pages below, also for terms (`newest-below`); the date of their own source (`own`); or no
    /// date (`none`).
    #[cfg_attr(test, schemars(schema_with = "schema::word::<ListDates>"))]
    pub lists: ListDates,
    /// The file of a memory of contents, relative to the site root: it keeps the dates of pages whose
    /// history a build does not see, as in a shallow clone, outside of Git or without sources.
    #[cfg_attr(test, schemars(schema_with = "schema::path"))]
    pub memory: Option<PathBuf>,
    /// Commits that do not date a page.
    pub ignore: IgnoreSettings,
}

/// `[lastmod.ignore]`.
#[derive(Debug, Clone, Default, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct IgnoreSettings {
    /// Commits to ignore, as full hashes.
    #[serde(deserialize_with = "checks::commits")]
    #[cfg_attr(
        test,
        schemars(inner(regex(pattern = "^([0-9A-Fa-f]{40}|[0-9A-Fa-f]{64})$")))
    )]
    pub revs: Vec<String>,
    /// A file of commits to ignore, one hash per line, like Git's `blame.ignoreRevsFile`.
    #[cfg_attr(test, schemars(schema_with = "schema::path"))]
    pub revs_file: Option<PathBuf>,
    /// Kinds of changes to ignore in any commit: `whitespace` and `front-matter`. The clone must
    /// contain the files of earlier commits.
    #[cfg_attr(test, schemars(schema_with = "schema::words::<MinorChange>"))]
    pub changes: Vec<MinorChange>,
}

/// `[sitemap]`.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct SitemapTable {
    /// The file name of the sitemap, or of the sitemap index, in the output directory. Unless it is
    /// set, the name that search engines know is kept.
    #[serde(deserialize_with = "checks::sitemap_file")]
    #[cfg_attr(test, schemars(regex(pattern = r"^[^./\\][^/\\]*\.xml$")))]
    pub file: String,
    /// The formats to write: `xml` and `txt` list every page, `rss` and `atom` the newest pages.
    #[serde(deserialize_with = "checks::at_least_one")]
    #[cfg_attr(test, schemars(schema_with = "schema::at_least_one::<SitemapFormat>"))]
    pub formats: Vec<SitemapFormat>,
    /// Whether to write gzip files: never (`off`), in addition to the plain files (`also`), or
    /// instead of them (`only`).
    #[cfg_attr(test, schemars(schema_with = "schema::word::<GzipMode>"))]
    pub gzip: GzipMode,
    /// The maximum number of URLs per file.
    #[serde(deserialize_with = "checks::urls_per_file")]
    #[cfg_attr(test, schemars(range(min = 1, max = 50_000)))]
    pub max_urls: usize,
    /// Whether to write the pages' language alternates (`rel=alternate hreflang`).
    pub hreflang: bool,
    /// Single pages with a known source that the generator's own sitemap omits: list them with a
    /// finding (`warn`), or exclude them.
    #[cfg_attr(test, schemars(schema_with = "schema::word::<OmittedPages>"))]
    pub omitted: OmittedPages,
    /// Globs of URL paths (`/app/**`) without a file, at which a server answers: the entries that the replaced
    /// sitemap has there are kept.
    #[cfg_attr(test, schemars(with = "Vec<String>"))]
    pub keep: Vec<GlobPattern>,
    /// Whether to list the site's RSS and Atom feeds in robots.txt.
    pub feeds: bool,
    /// Whether to add a stylesheet to the XML files, so that browsers show them as tables. It is omitted if a file
    /// of the host has a `Content-Security-Policy` that forbids it.
    pub stylesheet: bool,
}

impl SitemapTable {
    /// The settings of a set of these files.
    pub fn for_set(&self) -> SitemapSettings {
        SitemapSettings {
            file: self.file.clone(),
            formats: self.formats.clone(),
            gzip: self.gzip,
            max_urls: self.max_urls,
            hreflang: self.hreflang,
            stylesheet: self.stylesheet,
            ..SitemapSettings::default()
        }
    }
}

/// `[robots_txt]`.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct RobotsTxtSettings {
    /// Whether to add the `Sitemap:` line to robots.txt.
    pub update: bool,
    /// Whether to exclude pages that robots.txt disallows for all crawlers in `robots_txt.agents`.
    pub obey: bool,
    /// The crawlers whose rules in robots.txt count, for example `["Googlebot", "Bingbot"]`. `*` is
    /// every crawler that robots.txt does not name. A page is excluded if none of them may fetch it.
    #[serde(deserialize_with = "checks::at_least_one")]
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub agents: Vec<String>,
}

/// `[submit]`.
#[derive(Debug, Clone, Default, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct SubmitSettings {
    /// The IndexNow key, 8 to 128 letters, digits and hyphens. `build` writes the key file into the
    /// output directory, `submit` sends the key.
    #[cfg_attr(test, schemars(schema_with = "schema::submit_key"))]
    pub key: Option<SubmitKey>,
    /// The URL of the key file, if you host it elsewhere yourself. The key is then valid only for
    /// URLs in that file's directory and below.
    #[cfg_attr(test, schemars(schema_with = "schema::url"))]
    pub key_location: Option<KeyLocation>,
}

/// `[levels]`: levels that override the default level of a code.
#[derive(Debug, Clone, Default, Deserialize, Serialize)]
pub struct LevelOverrides(pub BTreeMap<String, Level>);

impl LevelOverrides {
    /// The level of findings with this code.
    pub fn level_of(&self, code: &Code) -> Level {
        self.0.get(code.name).copied().unwrap_or(code.level)
    }
}

/// `extensions`: in lower case and without a dot.
#[derive(Debug, Clone, Deserialize, Serialize)]
pub struct Extensions(#[serde(deserialize_with = "checks::extensions")] pub Vec<String>);

impl Default for Extensions {
    fn default() -> Self {
        Self(HTML_EXTENSIONS.map(str::to_owned).to_vec())
    }
}

impl Default for LastmodSettings {
    fn default() -> Self {
        Self {
            from: vec![DateSource::Git, DateSource::FrontMatter, DateSource::Page],
            date: CommitTime::default(),
            format: DateFormat::default(),
            ignore: IgnoreSettings::default(),
            lists: ListDates::default(),
            memory: None,
        }
    }
}

impl Default for SitemapTable {
    fn default() -> Self {
        let set = SitemapSettings::default();
        Self {
            file: set.file,
            formats: set.formats,
            gzip: set.gzip,
            max_urls: set.max_urls,
            hreflang: set.hreflang,
            omitted: OmittedPages::default(),
            keep: Vec::new(),
            feeds: false,
            stylesheet: true,
        }
    }
}

impl Default for RobotsTxtSettings {
    fn default() -> Self {
        Self {
            update: true,
            obey: true,
            agents: vec!["*".to_owned()],
        }
    }
}
