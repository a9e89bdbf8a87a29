//! Facts that Git's index has about a checked-out file.

use super::object_id::ObjectId;

/// The index entry of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct IndexStamp {
    pub(super) id: ObjectId,
    /// File size in bytes.
    pub(super) size: u32,
    /// Modification time in seconds since 1970 UTC.
    pub(super) seconds: u32,
    /// Zero if Git does not record them.
    pub(super) nanoseconds: u32,
}
