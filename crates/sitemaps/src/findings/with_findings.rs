//! A value together with the problems found while making it.

use super::Finding;

/// A value and the findings about it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[must_use]
pub struct WithFindings<T> {
    /// The value.
    pub value: T,
    /// The problems found while making it.
    pub findings: Vec<Finding>,
}

impl<T> WithFindings<T> {
    /// Joins a value and its findings.
    pub fn new(value: T, findings: Vec<Finding>) -> Self {
        Self { value, findings }
    }

    /// Converts the value and keeps the findings.
    pub fn map<U>(self, convert: impl FnOnce(T) -> U) -> WithFindings<U> {
        WithFindings::new(convert(self.value), self.findings)
    }

    /// Moves the findings into `all` and returns the value.
    pub fn take_into(self, all: &mut impl Extend<Finding>) -> T {
        all.extend(self.findings);
        self.value
    }
}

impl<T> From<T> for WithFindings<T> {
    /// A value without findings.
    fn from(value: T) -> Self {
        Self::new(value, Vec::new())
    }
}
