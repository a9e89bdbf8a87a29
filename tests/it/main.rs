//! The integration suite: one binary, a module a capability.

mod history;
mod oracle_html;
