//! A base URL with the place where it was found.

use std::fmt;

use sitemaps::site_paths::BaseUrl;

/// A base URL and its origin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundBaseUrl {
    /// The base URL.
    pub url: BaseUrl,
    /// Where it comes from.
    pub origin: BaseUrlOrigin,
}

/// Origin of a base URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BaseUrlOrigin {
    /// waypost's own setting, in a file.
    Setting,
    /// A flag or an environment variable, by its name; it applies to this run only.
    User(String),
    /// The canonical link of the home page.
    RootCanonical,
    /// The canonical links of pages: how many name it, and how many name any.
    Canonicals(usize, usize),
    /// A key in the generator's settings.
    Generator(String),
    /// The sitemap that the generator wrote.
    OwnSitemap(String),
    /// A `Sitemap` line of robots.txt.
    RobotsTxt,
    /// A `CNAME` file in the output directory.
    Cname,
    /// A `CNAME` file in the repository.
    RepositoryCname,
    /// An environment variable of the pipeline.
    Pipeline(String),
    /// The remote of the repository.
    Remote,
    /// The sitemap that an earlier run wrote.
    EarlierSitemap(String),
}

impl BaseUrlOrigin {
    /// Whether it is waypost's own setting, from a file, a flag or the environment.
    pub fn is_setting(&self) -> bool {
        matches!(self, Self::Setting | Self::User(_))
    }

    /// Whether the canonical links of the pages say it.
    pub(super) fn is_by_pages(&self) -> bool {
        matches!(self, Self::RootCanonical | Self::Canonicals(..))
    }

    /// Whether it states where the site is served, rather than where it could be.
    pub fn is_statement(&self) -> bool {
        !matches!(
            self,
            Self::Pipeline(_) | Self::Remote | Self::EarlierSitemap(_)
        )
    }
}

impl fmt::Display for BaseUrlOrigin {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Setting => out.write_str("the settings"),
            Self::User(name) => out.write_str(name),
            Self::RootCanonical => out.write_str("the canonical link of index.html"),
            Self::Canonicals(1, 1) => out.write_str("the canonical link of one page"),
            Self::Canonicals(named, of) if named == of => {
                write!(out, "the canonical links of {named} pages")
            }
            Self::Canonicals(named, of) => {
                write!(out, "the canonical links of {named} of {of} pages")
            }
            Self::Generator(key) => write!(out, "`{key}` in the generator's settings"),
            Self::OwnSitemap(name) => write!(out, "the generator's {name}"),
            Self::RobotsTxt => out.write_str("robots.txt"),
            Self::Cname => out.write_str("CNAME"),
            Self::RepositoryCname => out.write_str("CNAME in the repository"),
            Self::Pipeline(variable) => write!(out, "the pipeline's {variable}"),
            Self::EarlierSitemap(name) => write!(out, "waypost's earlier {name}"),
            Self::Remote => out.write_str("the repository's remote"),
        }
    }
}
