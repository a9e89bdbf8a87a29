//! Integration tests: one binary with a module for each feature.

#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "tests set up files, run programs and compare with the system"
)]

mod build;
mod build_changes;
mod bulk_commits;
mod cases;
mod chain;
mod check;
mod check_alike;
mod check_dates;
mod check_file;
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
mod drafts;
mod edge_site;
mod edit_links;
mod expected;
mod explain;
#[cfg(unix)] // strace and the shell
mod failing_paths;
mod faults;
mod feeds;
#[cfg(feature = "submit")]
mod fetch;
mod first_day;
#[cfg(target_os = "linux")] // sh
mod first_days;
mod first_mistakes;
mod first_output;
mod fuzz_corpus;
mod gate;
mod generator_output;
mod generator_sites;
mod generators;
mod github;
mod host_cases;
#[cfg(unix)] // Windows forbids the names of these files
mod hostile;
mod hostile_files;
mod hosts;
mod hugo;
mod hugo_dates;
mod includes;
mod index;
mod init;
#[cfg(feature = "submit")]
mod judged_alike;
#[cfg(unix)]
mod layouts;
mod library;
mod limits;
mod list_members;
mod lists;
#[cfg(feature = "submit")]
mod loopback;
#[cfg(unix)] // the shell sets the limits
mod lost_pages;
mod machine_limits;
mod mdbook;
mod memory;
mod other_sitemaps;
mod page_dates;
mod page_settings;
mod pages;
mod pages_excluded;
mod pipelines;
mod platform;
mod previews;
mod repeated_keys;
mod replaced;
mod replaced_losses;
mod report;
mod repository_pages;
mod results_schema;
mod round_trip;
mod rules;
mod sample_site;
mod serving;
mod settings_files;
mod shared_sources;
#[cfg(unix)] // Windows has other signals
mod signals;
mod site_test;
mod sitemap_xml;
mod source_dates;
mod source_maps;
#[cfg(feature = "submit")]
mod submit;
#[cfg(feature = "submit")]
mod submit_baseline;
mod submit_published;
mod txtar;
mod unusual_sites;
mod url_forms;
mod version;
mod where_it_lives;
