//! Writes accurate sitemaps for a static site after its build.
//!
//! A run is a chain of plain values. Each module takes one and returns the next; nothing flows
//! back:
//!
//! ```text
//!  settings (read by every module, changed by none)
//!
//!  output dir ─ discover ─► pages ─ read ─► facts ─ decide ─► verdicts ─┐
//!                             │                                         ├─ dates, rules ─┐
//!  repository ─ history ──────┴─► dates of source files ────────────────┘                │
//!                                                                                        ▼
//!                              disk ◄─ publish ─ plan ◄─ sitemaps ─────────────── inventory
//! ```
//!
//! `ARCHITECTURE.md` lists the import rules and their reasons; a test checks the modules against
//! them.

#![cfg_attr(
    test,
    allow(
        clippy::disallowed_methods,
        clippy::disallowed_types,
        reason = "tests set up files and compare with the system"
    )
)]

pub mod check;
pub mod cli;
pub mod config;
pub mod dates;
pub mod decide;
pub mod discover;
pub mod extension;
pub mod feeds;
pub mod hosts;
pub mod inventory;
mod manifest;
pub mod merge;
pub mod pipeline;
pub mod publish;
pub mod reading;
pub mod report;
pub mod rules;
pub mod settings;
pub mod site;
pub mod sources;
pub mod submit;
