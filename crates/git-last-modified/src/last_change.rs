//! The commit that last changed a file.

use super::object_id::ObjectId;

/// A commit that changed a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct LastChange {
    /// The commit hash.
    pub commit: ObjectId,
    /// Its date in seconds since 1970 UTC; 0 if the date is unreadable.
    pub seconds: i64,
    /// The UTC offset of the date, in minutes.
    pub offset_minutes: i16,
}
