//! Entries → plan → disk: the sitemaps, laid out, rendered on demand and put in place.
//!
//! `Plan::lay_out` decides which files there are; `place` brings them to disk in an order that never loses a page.

mod bridge;
mod changes;
mod conformance;
mod disk;
mod entry;
mod extras;
#[cfg(test)]
mod failing;
mod feed;
#[cfg(test)]
mod fixture;
mod gzip;
mod index;
#[cfg(test)]
mod interrupted;
mod layout;
mod looks;
mod mark;
mod moved;
mod names;
mod news;
mod place;
mod plan;
mod previous;
mod split;
mod stale;
mod text;
mod urlset;
mod video;
mod xml;

pub use changes::{Changes, Spelling};
pub use conformance::{Conformance, Flaw, FlawKind, conformance_of};
pub use disk::{DiskError, Effect, OutputFolder, append, make_folder, put_file, put_new_file};
pub use entry::{ByRule, Entry, Links};
pub use extras::{Extras, Newest, NewestPage, News, Video};
pub use gzip::hold_the_same;
pub use layout::MAX_IMAGES;
pub use moved::at_another_base;
pub use names::{group_of_child, is_name_of_set};
pub use place::{Placed, Surroundings, WrittenFile, place};
pub use plan::{Kind, Plan, PlannedFile, Role, Whereabouts};
pub use previous::{
    carries_mark, file_of as file_of_sitemap, read_entries, read_sitemap, read_sitemap_file,
};
pub use stale::leftovers;
pub use xml::{Details, Listed, Listing, SitemapReadError};
