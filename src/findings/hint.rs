//! The text of an error with its causes, and its remedy.

use std::borrow::Cow;
use std::error::Error;
use std::fmt::{self, Display};

/// An error that names its remedy, which is shown below it as `hint: …`.
///
/// Implementations match every variant by name, without `_`, so that an error without a
/// decision about its remedy does not compile.
pub trait Hint {
    /// The remedy, if there is one that the error itself does not name.
    fn hint(&self) -> Option<Cow<'static, str>>;
}

/// An error with its remedy, as text. It is not an [`Error`], so that any error becomes one by `?`.
#[derive(Debug, Clone)]
pub struct HintedError {
    message: String,
    hint: Option<Cow<'static, str>>,
}

impl HintedError {
    /// An error with its remedy.
    pub fn new(message: impl Into<String>, hint: impl Into<Cow<'static, str>>) -> Self {
        Self::with_hint(message, Some(hint.into()))
    }

    /// An error whose remedy may be unknown.
    pub fn with_hint(message: impl Into<String>, hint: Option<Cow<'static, str>>) -> Self {
        Self {
            message: message.into(),
            hint,
        }
    }
}

impl<E: Error + Hint> From<E> for HintedError {
    fn from(error: E) -> Self {
        Self::with_hint(with_causes(&error), error.hint())
    }
}

impl Display for HintedError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.message)
    }
}

impl Hint for HintedError {
    fn hint(&self) -> Option<Cow<'static, str>> {
        self.hint.clone()
    }
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
