//! The integration suite: one binary, a module a capability.

mod fuzz_corpus;
mod oracle_html;
