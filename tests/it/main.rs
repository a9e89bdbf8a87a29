//! Integration tests: one binary with a module for each feature.

mod build;
mod cases;
mod chain;
mod check;
mod contracts;
mod dates;
mod expected;
mod explain;
mod extensions;
mod faults;
mod feeds;
#[cfg(feature = "submit")]
mod fetch;
mod formats;
mod fuzz_corpus;
mod generator_sites;
mod generators;
mod github;
#[cfg(unix)] // arbitrary bytes in names, symbolic links
mod history;
mod hostile;
mod index;
mod init;
mod limits;
mod lists;
#[cfg(feature = "submit")]
mod loopback;
mod mdbook;
mod oracle_html;
mod page_settings;
mod pages;
mod pipelines;
mod redirect_stubs;
mod report;
mod rules;
mod sample_site;
mod serving;
mod site_test;
mod sitemap_xml;
#[cfg(feature = "submit")]
mod submit;
mod unusual_sites;
