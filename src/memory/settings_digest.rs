//! A digest of the settings that a date depends on.

use std::path::Path;

use twox_hash::XxHash3_64;

use crate::settings::LastmodSettings;
use site_paths::containment::{MAX_FILE_BYTES, read};

/// Returns 16 hexadecimal digits that differ if a setting does by which the same commit gives
/// another date.
///
/// The order of `lastmod.from`, the format and the included files are not among them: they choose
/// between dates.
pub(super) fn of(settings: &LastmodSettings, site_root: &Path) -> String {
    let file = settings.ignore_revs_file.as_ref();
    // The history query reports a file that cannot be read.
    let listed = file.and_then(|file| read(&site_root.join(file), MAX_FILE_BYTES).ok());
    let parts = [
        format!("{:?}", settings.date),
        format!("{:?}", settings.follow_renames),
        format!("{:?}", listed.map(|bytes| digest(&bytes))),
        format!("{:?}", settings.ignore_revs),
        format!("{:?}", settings.ignore_authors),
        format!("{:?}", settings.ignore_messages),
        format!("{:?}", settings.ignore_trailer),
        format!("{:?}", settings.ignore_changes),
    ];
    digest(parts.join("\n").as_bytes())
}

/// Returns a digest that detects accidents, not forgery.
pub(super) fn digest(bytes: &[u8]) -> String {
    format!("{:016x}", XxHash3_64::oneshot(bytes))
}
