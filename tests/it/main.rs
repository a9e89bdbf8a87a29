//! The integration suite: one binary, a module a capability.

mod history;
mod fuzz_corpus;
mod oracle_html;
