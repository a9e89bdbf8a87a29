//! Writes a planned set of sitemaps to disk, in an order in which readers lose no page that keeps its
//! group.
//!
//! Takes a [`Plan`](sitemaps::Plan) and the output directory; returns what was written.
//! `disk` is the only module of the program that writes.
//!
//! `publish/place.rs` chooses an order in which a reader who starts at `sitemap.xml` sees whole
//! files at every moment, every URL that is in both the old and the new set, unless its page moves
//! to another group, and none that is in neither. `publish/disk` performs the steps by renames. Groups are split by the leading bits
//! of a fixed hash of the URL, so that adding one page rewrites one part. The output directory
//! is locked before robots.txt is read and until everything is written, so that no other run's
//! lines are lost. Existing sitemaps and feeds are opened through
//! `crate::files::tree::Tree`, which follows no link out of the site.

mod disk;
mod disk_error;
mod key_file;
mod place;
mod stale;

pub use disk::{LockedOutputDir, WriteMode, append, create_dir, create_file, write_file_with};
pub(crate) use key_file::key_to_write;
pub use key_file::published_key;
pub use place::{PublishReport, SurroundingFiles, WrittenFile, publish};
pub use stale::{OldFiles, sitemaps_of_old_base_url, written_names};
