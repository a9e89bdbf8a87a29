//! The integration suite: one binary, a module a capability.

#[cfg(unix)] // names of any bytes, symbolic links
mod history;
