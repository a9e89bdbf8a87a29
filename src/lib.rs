//! Writes accurate sitemaps for a static site after its build.
//!
//! Most users run the program `waypost`. This library is for programs that build sites: generators,
//! deployment tools, plugins. It runs the same pipeline, and its results are those of the command
//! line.
//!
//! ```
//! # fn main() -> Result<(), waypost::Error> {
//! let site = waypost::Site::open("sample-site")
//!     .base_url("https://docs.example.com/")
//!     .accept("base-url-placeholder");
//! for page in site.sitemap()?.pages {
//!     match page.excluded {
//!         Some(reason) => println!("{} is not listed: {reason}", page.file),
//!         None => println!("{} {}", page.url, page.lastmod.unwrap_or_default()),
//!     }
//! }
//! // `site.write()` makes the same sitemap and writes its files.
//! # Ok(())
//! # }
//! ```
//!
//! [`Error`] is the only error; its [`hint`](Error::hint) names the remedy. Problems of the site are
//! [findings](SiteFinding), which never stop a run.
//!
//! The library never prints, ends the process or starts another, and it reads no environment
//! variables: [`Site::environment`] passes them. It writes only in [`Site::write`]. The same
//! files give the same bytes, on any number of threads.
//!
//! # Inside
//!
//! A run is a chain of plain values. Each module takes one and returns the next; nothing flows back.
//! `ARCHITECTURE.md` shows it, and lists the import rules and their reasons; a test checks the modules
//! against them.

#![cfg_attr(
    test,
    allow(
        clippy::disallowed_methods,
        clippy::disallowed_types,
        reason = "tests set up files and compare with the system"
    )
)]
#![expect(
    unreachable_pub,
    reason = "within a private module, `pub` marks what other modules may use"
)]

mod check;
mod cli;
mod clock;
mod config;
mod dates;
mod decide;
mod embed;
mod files;
mod findings;
mod generators;
mod hosts;
mod index;
mod memory;
mod pages;
mod progress;
mod publish;
mod release;
mod report;
mod run;
mod settings;
mod share;
mod site;
mod sources;
mod survey;
mod web;

pub use embed::{Error, Site, SiteFinding, SitePage, Sitemap};

/// Runs the command line. It reads arguments and environment and prints, so only the program
/// `waypost` calls it.
#[doc(hidden)]
pub use cli::run as command_line;

/// Parts for the benchmarks, fuzz targets and conformance tests of this project, which measure or
/// test one module alone. They may change in any version.
#[doc(hidden)]
pub mod internals {
    pub use crate::config::{Flags, LayerInputs, SettingOrigin, SettingsTable, load};
    pub use crate::decide::rules::RuleSet;
    pub use crate::decide::{PageCase, REASONS, SiteView, Verdict, judge};
    pub use crate::files::glob::{GlobPattern, PatternSet};
    pub use crate::files::located_values::Syntax;
    pub use crate::findings::{ALL, Code, Findings, Hint, Subject};
    pub use crate::generators::parse_settings;
    pub use crate::generators::source_map::{MdbookBook, parse_list};
    pub use crate::generators::{FrontMatter, GeneratorError, HostFileKind, HostServer};
    pub use crate::hosts::{HostFile, read as read_host_files};
    pub use crate::publish::{SurroundingFiles, publish};
    pub use crate::settings::{Rule, Settings, UrlStyle};
    pub use crate::survey::file_of_sitemap;
    pub use crate::web::Network;
}
