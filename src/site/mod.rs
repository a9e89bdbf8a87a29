//! Finds the site, its settings and its environment, before any page is read.
//!
//! [`LoadedSite`] is the result; the other files read what belongs to a whole site: the evidence for
//! its base URL, its robots.txt and the files of its host. `guard` returns the refusals that keep a
//! false sitemap from being written.

mod base_url;
mod evidence;
mod found_base;
mod found_form;
mod guard;
mod host_dirs;
mod host_files;
mod ignored_settings;
mod loaded_site;
mod misplaced_settings;
mod named_base;
mod page_evidence;
mod placeholder;
mod remote;
mod robots;
mod run_error;
mod site_host;
mod site_sample;
mod url_form;
mod url_votes;

pub use found_base::{BaseUrlOrigin, FoundBaseUrl};
pub use guard::{
    EarlierSet, PageBases, PathClaim, Refusal, base_contradicted, dates_lost, is_refusal,
    path_contradicted, set_shrunk,
};
pub(crate) use host_files::read as read_host_files;
pub(crate) use ignored_settings::ignored_settings;
pub use loaded_site::{LoadedSite, RunRequest, SettingsFiles};
pub(crate) use misplaced_settings::misplaced_settings;
pub use robots::RobotsFile;
pub use run_error::RunError;
