//! waypost writes the sitemaps of a static site after its build, and every line of them is true.
//!
//! A run is a chain of plain values. Each room below takes one and returns the next; nothing flows back:
//!
//! ```text
//!  settings ────────────────(read by every room, changed by none)────────────────┐
//!                                                                                ▼
//!  output dir ─ discover ─► pages ─ read ─► facts ─ decide ─► verdicts ─┐
//!                             │                                         ├─ date ─ rule ─► ledger ─ write ─► plan ─► disk
//!  repository ─ history ──────┴─► dates of source files ────────────────┘
//! ```
//!
//! `ARCHITECTURE.md` holds the import rules and the reasons; a test holds the rooms against it.

mod bounds;
pub mod check;
pub mod cli;
pub mod config;
pub mod dates;
pub mod decide;
pub mod discover;
pub mod extension;
pub mod feed;
pub mod finding;
pub mod generator;
pub mod history;
pub mod hosts;
pub mod merge;
pub mod pipeline;
pub mod publish;
pub mod read;
pub mod report;
pub mod robots_txt;
pub mod rules;
pub mod site_paths;
pub mod sitemaps;
pub mod source_map;
pub mod submit;
