//! The result of adding sitemaps to a robots.txt.

/// The result of editing a robots.txt.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RobotsEdit {
    /// The new content of the file, if it changes.
    pub text: Option<Vec<u8>>,
    /// The lines that it gains and loses.
    pub lines: RobotsLines,
    /// Why the file is not edited, with the remedy, or why crawlers do not read all of it.
    pub problem: Option<(String, Option<&'static str>)>,
}

/// Number of `Sitemap` lines that robots.txt gains and loses.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RobotsLines {
    /// Sitemaps that all crawlers find now and did not before.
    pub added: usize,
    /// Those that are gone.
    pub removed: usize,
}
