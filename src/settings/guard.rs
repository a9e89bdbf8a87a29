//! `[guard]`: how much of the earlier set a run may lose.

/// `[guard]`.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct GuardSettings {
    /// The share of the previous sitemap's URLs that may be missing from the new one.
    pub max_dropped: Share,
    /// The share of the previous sitemap's dated pages that may have no date in the new one.
    pub max_undated: Share,
}

/// A share of pages, from 0 to 1. The default is one half.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Share(f64);

impl Share {
    /// Returns `None` unless the number is from 0 to 1. NaN is rejected.
    pub fn new(value: f64) -> Option<Self> {
        (0.0..=1.0).contains(&value).then_some(Self(value))
    }

    /// The value as a number.
    pub fn value(self) -> f64 {
        self.0
    }
}

impl Default for Share {
    fn default() -> Self {
        Self(0.5)
    }
}
