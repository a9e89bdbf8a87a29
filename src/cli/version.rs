//! `waypost --version`: the program that runs, for reports of problems.

/// The optional features of the program.
#[cfg(feature = "submit")]
macro_rules! features {
    () => {
        "submit"
    };
}
#[cfg(not(feature = "submit"))]
macro_rules! features {
    () => {
        "none"
    };
}

/// The version, the commit if the program was built from a known one, the features and the target.
pub(super) const LONG_VERSION: &str = concat!(
    env!("CARGO_PKG_VERSION"),
    "\ncommit: ",
    env!("BUILD_COMMIT"),
    "\nfeatures: ",
    features!(),
    "\ntarget: ",
    env!("BUILD_TARGET"),
);
