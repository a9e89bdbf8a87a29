//! Finds the site, its settings and its environment, before any page is read.
//!
//! [`LoadedSite`] is the result. `site_location.rs` decides the base URL by the evidence in
//! `base_evidence.rs`; the other files read what belongs to a whole site, such as its robots.txt and the
//! files of its host. `guard` returns the refusals that keep a false sitemap from being written.

mod base_evidence;
mod base_of_pages;
mod base_url_hints;
mod build_event;
mod exclusion_rules;
mod guard;
mod host_files;
mod host_settings;
mod loaded_site;
mod misplaced_settings;
mod output_dir;
mod pages_publication;
mod preview;
mod publication;
mod repository;
mod robots;
mod root_name;
mod run_error;
mod site_form;
mod site_host;
mod site_location;
mod site_sample;
mod site_settings;

pub use base_evidence::{BaseUrlKind, FoundBaseUrl};
pub use base_of_pages::PageBases;
pub(crate) use base_url_hints::slashed_setting;
pub use base_url_hints::{base_contradicted, base_path_twice, canonical_home, generator_setting};
pub(crate) use exclusion_rules::ExclusionRules;
pub use guard::{
    dates_lost, language_links_lost, refusals_first, set_replaced_shrunk, set_shrunk, stop_run,
};
pub use loaded_site::{LoadedSite, RunRequest};
pub use preview::{BuildKind, PreviewBuild};
pub(crate) use publication::{Publication, commands, jobs, package_scripts, workflows};
pub(crate) use repository::{listed_submodules, origin_of, pages_url_of, repository_around};
pub use robots::RobotsFile;
pub(crate) use robots::report_deviations;
pub use run_error::RunError;
pub(crate) use site_location::SiteLocation;
pub(crate) use site_sample::{linked_sitemap, page_metadata, read_again};
pub use site_settings::{kind_without_site, settings_without_site};

/// A base URL for paths whose host does not matter.
fn nowhere() -> sitemaps::site_paths::BaseUrl {
    sitemaps::site_paths::BaseUrl::parse("https://host.invalid/").expect("the URL is absolute")
}
