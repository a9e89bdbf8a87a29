//! Settings: what is written in files, the environment and flags becomes one checked value.

mod settings;

pub use settings::{
    CommitTime, DateSource, Format, Gzip, LastmodSettings, Levels, Lists, Preview, RobotsMetaSettings,
    RobotsTxtSettings, Settings, SitemapSettings, UrlForm,
};
