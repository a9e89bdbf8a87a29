//! The remedy for an error.

use std::borrow::Cow;

/// An error that names its remedy, which is shown below it as `hint: …`.
///
/// Implementations match every variant by name, without `_`, so that an error without a
/// decision about its remedy does not compile.
pub trait Hint {
    /// The remedy, if there is one that the error itself does not name.
    fn hint(&self) -> Option<Cow<'static, str>>;
}
