//! `[guard]`: how much of the earlier set a run may lose.

use serde::{Deserialize, Serialize};

/// `[guard]`.
#[derive(Debug, Clone, Copy, PartialEq, Default, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct GuardSettings {
    /// The largest share of the previous sitemap's URLs that may be missing from the new one. If more
    /// are missing, and more than ten, nothing is written (`set-shrunk`).
    #[cfg_attr(test, schemars(schema_with = "super::schema::share"))]
    pub max_dropped: Share,
    /// The largest share of the previous sitemap's dated pages that may lose their date. If more
    /// lose it, and more than ten, nothing is written (`dates-lost`).
    #[cfg_attr(test, schemars(schema_with = "super::schema::share"))]
    pub max_undated: Share,
}

/// A share of pages, from 0 to 1. The default is one half.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, Serialize)]
#[serde(try_from = "f64", into = "f64")]
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

impl TryFrom<f64> for Share {
    type Error = String;

    fn try_from(value: f64) -> Result<Self, String> {
        Self::new(value).ok_or_else(|| format!("must be a number from 0.0 to 1.0, not {value}"))
    }
}

impl From<Share> for f64 {
    fn from(share: Share) -> Self {
        share.0
    }
}

impl Default for Share {
    fn default() -> Self {
        Self(0.5)
    }
}
