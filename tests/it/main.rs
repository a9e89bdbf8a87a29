//! The integration suite: one binary, a module a capability.

mod cases;
mod history;
mod oracle_html;
mod site_test;
mod sitemap_xml;
