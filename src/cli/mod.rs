//! The command line: the only room that reads arguments, environment and clock, and the only one that prints.

pub mod diagnose;
