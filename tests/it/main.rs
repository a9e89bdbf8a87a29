//! Integration tests: one binary with a module for each feature.

#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "tests set up files, run programs and compare with the system"
)]

mod archives;
mod build;
mod build_changes;
mod bulk_commits;
mod cases;
mod check;
mod check_alike;
mod check_url;
mod colors;
mod command_help;
mod completions;
mod conformance;
mod contracts;
mod dates;
mod dates_repositories;
mod deepening;
mod deployed_output;
mod docs;
mod edge_site;
mod expected;
mod explain;
#[cfg(unix)] // strace and the shell
mod failing_paths;
mod faults;
#[cfg(feature = "submit")]
mod fetch;
mod fuzz_corpus;
mod gate;
mod generator_sites;
mod github;
mod host_cases;
#[cfg(unix)] // Windows forbids the names of these files
mod hostile;
mod hostile_files;
mod hugo_dates;
mod includes;
mod index;
mod init;
#[cfg(feature = "submit")]
mod judged_alike;
mod library;
mod limits;
#[cfg(unix)] // links
mod list_places;
#[cfg(feature = "submit")]
mod loopback;
mod lost_pages;
#[cfg(unix)] // the shell sets the limits
mod machine_limits;
mod mdbook;
mod memory;
mod pipelines;
mod platform;
mod previews;
mod report;
mod repository_pages;
mod results_schema;
mod round_trip;
mod sample_site;
#[cfg(unix)] // Windows has other signals
mod signals;
mod site_test;
mod sitemap_xml;
mod source_dates;
#[cfg(feature = "submit")]
mod submit;
#[cfg(feature = "submit")]
mod submit_baseline;
mod submit_published;
mod table;
mod txtar;
mod version;
mod where_it_lives;
