//! The integration suite: one binary, a module a capability.

mod build;
mod cases;
mod check;
mod contracts;
mod dates;
mod expected;
mod explain;
mod faults;
mod formats;
mod fuzz_corpus;
mod generators;
#[cfg(unix)] // names of any bytes, symbolic links
mod history;
mod init;
mod oracle_html;
mod pages;
mod pipelines;
mod redirect_stubs;
mod report;
mod rules;
mod sample_site;
mod site_test;
mod sitemap_xml;
