//! Finds the feeds of a site: those that pages link to, and those that robots.txt should name.

mod named_feeds;
mod site_feeds;

pub(crate) use named_feeds::NamedFeeds;
pub(crate) use site_feeds::{SiteFeeds, find};
