//! How large a share of the pages must be before it tells something about the site.

/// As many pages may well change, move or lack something each for its own reason.
pub(crate) const FEW: usize = 10;

/// Whether a part is more than half of the whole.
pub(crate) fn is_most(part: usize, whole: usize) -> bool {
    part * 2 > whole
}

/// Whether a part is nine tenths of the whole or more.
pub(crate) fn is_nearly_all(part: usize, whole: usize) -> bool {
    part * 10 >= whole * 9
}
