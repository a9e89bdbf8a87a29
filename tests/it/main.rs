//! The integration suite: one binary, a module a capability.

mod oracle_html;
