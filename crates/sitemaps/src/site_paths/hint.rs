//! The text of an error with its causes, and its remedy.

use std::borrow::Cow;
use std::error::Error;

/// An error that names its remedy, which is shown below it as `hint: …`.
///
/// Implementations match every variant by name, without `_`, so that an error without a
/// decision about its remedy does not compile.
pub trait Hint {
    /// The remedy, if there is one that the error itself does not name.
    fn hint(&self) -> Option<Cow<'static, str>>;
}

/// Formats an error with its causes, skipping a cause that the text already contains.
pub fn with_causes(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let shown = error.to_string();
        if !text.contains(&shown) {
            text = format!("{text}: {shown}");
        }
        cause = error.source();
    }
    text
}
