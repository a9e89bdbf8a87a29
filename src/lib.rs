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
pub mod date;
pub mod decide;
pub mod discover;
pub mod extension;
pub mod feed;
pub mod finding;
pub mod gather;
pub mod generator;
pub mod history;
pub mod location;
pub mod read;
pub mod report;
pub mod road;
pub mod robots_txt;
pub mod rule;
pub mod serving;
pub mod submit;
pub mod truth;
pub mod write;
