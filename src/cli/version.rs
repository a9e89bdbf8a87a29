//! `waypost --version`: the program that runs, for reports of problems.

/// The version, the commit if the program was built from a known one, the features and the target.
pub(super) const LONG_VERSION: &str = concat!(
    env!("CARGO_PKG_VERSION"),
    "\ncommit: ",
    env!("BUILD_COMMIT"),
    "\nfeatures: ",
    env!("BUILD_FEATURES"),
    "\ntarget: ",
    env!("BUILD_TARGET"),
);
