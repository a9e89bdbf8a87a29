//! The integration suite: one binary, a module a capability.

mod build;
mod cases;
mod dates;
mod explain;
mod faults;
mod fuzz_corpus;
mod generators;
mod history;
mod oracle_html;
mod rules;
mod site_test;
mod sitemap_xml;
