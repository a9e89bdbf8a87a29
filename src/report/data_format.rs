//! How the data of a report is found and recognized, by the script and by later reports.

/// The version of the data.
pub(super) const DATA_VERSION: u32 = 1;

/// Where the data begins in the HTML of a report.
pub(super) const DATA_START: &str = "<script type=\"application/json\" id=\"data\">";
