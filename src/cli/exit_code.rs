//! The exit codes of all commands.

/// Exit code for success.
pub(super) const EXIT_SUCCESS: u8 = 0;
/// Exit code for a run with findings that fail it, or with a rejected submission.
pub(super) const EXIT_FINDINGS: u8 = 1;
/// Exit code for a run that could not be completed, or a submission to try again later.
pub(super) const EXIT_FAILURE: u8 = 2;
