//! The checked and compiled settings of a run: the only form of them that leaves `config`, which
//! reads them.

mod guard;
mod rule;
mod source_template;
mod submit_key;

pub use guard::{GuardSettings, Share};
pub use rule::Rule;
pub use source_template::{SourceError, SourceTemplate};
pub use submit_key::{KeyLocation, MASK, SubmitKey};

use git_last_modified::{CommitTime, MinorChange};
use sitemaps::{DateFormat, SitemapSettings};
use std::collections::BTreeMap;
use std::path::PathBuf;

use site_paths::finding::{Code, Level};
use site_paths::glob::GlobPattern;
use site_paths::{BaseUrl, HTML_EXTENSIONS};

/// All settings of a run.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The URL at which the output directory is served, if set in a file, the environment or a
    /// flag.
    pub base_url: Option<BaseUrl>,
    /// The output directory, relative to the site root unless absolute, if set.
    pub output_dir: Option<PathBuf>,
    /// File extensions of pages, in lower case and without the dot.
    pub extensions: Vec<String>,
    /// The host that serves the site, one of `HOSTS`.
    pub host: Option<&'static str>,
    /// The form of URLs for pages without a canonical link.
    pub url_style: UrlStyle,
    /// The branches whose builds are production; empty if they are not known.
    pub production_branches: Vec<GlobPattern>,
    /// Mode of preview builds.
    pub preview: PreviewMode,
    /// Handling of pages whose source is not to be published.
    pub drafts: DraftPages,
    /// Source map files, relative to the site root unless absolute.
    pub source_map: Vec<PathBuf>,
    /// `[lastmod]`.
    pub lastmod: LastmodSettings,
    /// `[sitemap]`.
    pub sitemap: SitemapSettings,
    /// `sitemap.omitted`.
    pub omitted: OmittedPages,
    /// `[robots_txt]`.
    pub robots_txt: RobotsTxtSettings,
    /// `[guard]`.
    pub guard: GuardSettings,
    /// `[submit]`.
    pub submit: SubmitSettings,
    /// `[levels]`.
    pub levels: LevelOverrides,
    /// The `[[rule]]` tables in order, after one rule for each glob of `exclude`.
    pub rules: Vec<Rule>,
}

/// `url_style`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
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
    CleanSlashless,
    /// Without `.html` and with a trailing slash.
    CleanSlashed,
    /// File names unchanged, except that `x/index.html` becomes `x`. Set by hosts and sites only.
    KeepSlashless,
    /// File names unchanged, also of index files. Set by hosts only.
    Exact,
}

impl UrlStyle {
    /// The values as written in settings.
    pub const WORDS: [(&str, Self); 4] = [
        ("host", Self::Host),
        ("keep", Self::Keep),
        ("clean", Self::Clean),
        ("slash", Self::CleanSlashed),
    ];
}

/// The values of `host`: the `[host.*]` tables of `plugin-manifest.toml`.
pub const HOSTS: [(&str, &str); 11] = [
    ("amplify", "amplify"),
    ("cloudflare-pages", "cloudflare-pages"),
    ("cloudflare-workers", "cloudflare-workers"),
    ("firebase", "firebase"),
    ("github-pages", "github-pages"),
    ("gitlab-pages", "gitlab-pages"),
    ("netlify", "netlify"),
    ("readthedocs", "readthedocs"),
    ("render", "render"),
    ("static", "static"),
    ("vercel", "vercel"),
];

/// `preview`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PreviewMode {
    /// A preview build writes nothing.
    #[default]
    Skip,
    /// A preview build writes the sitemap for the production URL.
    ProductionUrls,
}

impl PreviewMode {
    /// The values as written in settings.
    pub const WORDS: [(&str, Self); 2] = [
        ("skip", Self::Skip),
        ("production-urls", Self::ProductionUrls),
    ];
}

/// `sitemap.omitted`: single pages that the generator's own sitemap omits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OmittedPages {
    /// Listed, with a finding.
    #[default]
    Warn,
    /// Excluded.
    Exclude,
}

impl OmittedPages {
    /// The values as written in settings.
    pub const WORDS: [(&str, Self); 2] = [("warn", Self::Warn), ("exclude", Self::Exclude)];
}

/// `drafts`: pages whose source is a draft.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DraftPages {
    /// Listed like any other page.
    Allow,
    /// Listed, with a finding.
    #[default]
    Warn,
    /// Excluded.
    Exclude,
}

impl DraftPages {
    /// The values as written in settings.
    pub const WORDS: [(&str, Self); 3] = [
        ("warn", Self::Warn),
        ("exclude", Self::Exclude),
        ("allow", Self::Allow),
    ];
}

/// A source of dates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DateSource {
    /// The last commit that changed the source file.
    Git,
    /// The source file's front matter.
    FrontMatter,
    /// The page's own metadata, such as `article:modified_time`.
    Page,
    /// The source file's modification time. Used only if configured.
    Mtime,
}

impl DateSource {
    /// The values as written in settings.
    pub const WORDS: [(&str, Self); 4] = [
        ("git", Self::Git),
        ("front_matter", Self::FrontMatter),
        ("page", Self::Page),
        ("mtime", Self::Mtime),
    ];
}

/// The values of `lastmod.date`.
pub const COMMIT_TIMES: [(&str, CommitTime); 3] = [
    ("committer", CommitTime::Committer),
    ("author", CommitTime::Author),
    ("landed", CommitTime::Landed),
];

/// The values of `lastmod.ignore.changes`.
pub const MINOR_CHANGES: [(&str, MinorChange); 2] = [
    ("whitespace", MinorChange::Whitespace),
    ("front-matter", MinorChange::FrontMatter),
];

/// `lastmod.lists`: the dates of list pages (home, sections and terms).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ListDates {
    /// The newest date of the pages below.
    #[default]
    NewestBelow,
    /// The date of the page's own source, if it has one.
    Own,
    /// No date.
    None,
}

impl ListDates {
    /// The values as written in settings.
    pub const WORDS: [(&str, Self); 3] = [
        ("newest-below", Self::NewestBelow),
        ("own", Self::Own),
        ("none", Self::None),
    ];
}

/// `[lastmod]`.
#[derive(Debug, Clone)]
pub struct LastmodSettings {
    /// Date sources in order of precedence. If empty, no dates are written.
    pub from: Vec<DateSource>,
    /// Which date of a change to use.
    pub date: CommitTime,
    /// The format of written dates.
    pub format: DateFormat,
    /// `[lastmod.ignore]`.
    pub ignore: IgnoreSettings,
    /// Whether to ignore pure renames, so that a moved file keeps its date.
    pub follow_renames: bool,
    /// Dates of the home page, sections and terms.
    pub lists: ListDates,
}

/// `[lastmod.ignore]`: commits that do not date a page.
#[derive(Debug, Clone, Default)]
pub struct IgnoreSettings {
    /// Patterns over their authors.
    pub authors: Vec<String>,
    /// Patterns over their subjects.
    pub messages: Vec<String>,
    /// Their hashes or unique prefixes.
    pub revs: Vec<String>,
    /// A file that lists them, relative to the site root.
    pub revs_file: Option<PathBuf>,
    /// Kinds of changes to ignore in any commit.
    pub changes: Vec<MinorChange>,
}

/// `[robots_txt]`.
#[derive(Debug, Clone)]
pub struct RobotsTxtSettings {
    /// Whether the `Sitemap:` line is added to robots.txt.
    pub update: bool,
    /// Whether pages that robots.txt disallows for all of `agents` are excluded.
    pub obey: bool,
    /// The crawlers whose rules count, by their product tokens; `*` is every crawler that robots.txt
    /// does not name.
    pub agents: Vec<String>,
}

/// `[submit]`.
#[derive(Debug, Clone, Default)]
pub struct SubmitSettings {
    /// The IndexNow key.
    pub key: Option<SubmitKey>,
    /// The URL of the key file, if it is not the one that `build` writes.
    pub key_location: Option<KeyLocation>,
}

/// `[levels]`: levels that override the default level of a code.
#[derive(Debug, Clone, Default)]
pub struct LevelOverrides(pub BTreeMap<String, Level>);

impl LevelOverrides {
    /// The level of findings with this code.
    pub fn level_of(&self, code: &Code) -> Level {
        self.0.get(code.name).copied().unwrap_or(code.level)
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            base_url: None,
            output_dir: None,
            extensions: HTML_EXTENSIONS.map(str::to_owned).to_vec(),
            host: None,
            url_style: UrlStyle::default(),
            production_branches: Vec::new(),
            preview: PreviewMode::default(),
            drafts: DraftPages::default(),
            source_map: Vec::new(),
            lastmod: LastmodSettings::default(),
            sitemap: SitemapSettings::default(),
            omitted: OmittedPages::default(),
            robots_txt: RobotsTxtSettings::default(),
            guard: GuardSettings::default(),
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
            ignore: IgnoreSettings::default(),
            follow_renames: false,
            lists: ListDates::default(),
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
