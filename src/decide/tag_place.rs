//! The place of a tag in the form that findings have.

use page_signals::TagPlace;
use sitemaps::site_paths::finding::Place;

/// The place of a tag, for a finding about it: the range is the same, but findings are about other
/// files too.
pub fn place_of(tag: TagPlace) -> Place {
    Place {
        start: tag.start,
        end: tag.end,
    }
}
