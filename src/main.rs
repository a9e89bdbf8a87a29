//! The binary: it hands the process over to the command line's room, and nothing else.

fn main() {}
