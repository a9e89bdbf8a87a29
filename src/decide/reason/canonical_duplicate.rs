//! The reason `canonical-duplicate`.
//!
//! Two files can claim one URL through their canonical links (`x.html` and `x/index.html` as
//! `/x/`); the one whose own name gives that URL is listed. mdBook writes its first chapter twice,
//! as `index.html` and under its own name; only `/` is listed then.
//!
//! Decided in the second pass, when all pages are known (`src/decide/resolve.rs`).

use crate::decide::exclusion_reason::{FoundEvidence, define_reason};
use crate::decide::page_case::PageCase;

define_reason! {
    /// Another page already has this page's URL, or is identical byte for byte and has a better
    /// URL.
    "canonical-duplicate", Allow, "has the URL or the content of another page", judge
}

/// Never applies to a page alone: duplicates are found in the second pass.
fn judge(_: &PageCase<'_>) -> FoundEvidence {
    None.into()
}
