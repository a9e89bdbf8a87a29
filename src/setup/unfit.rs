//! Reasons that a pipeline's file is not patched.

use thiserror::Error;

/// Why a step is printed instead of inserted.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Unfit {
    /// The file is not valid.
    #[error("the file cannot be parsed: {0}")]
    Syntax(String),
    /// The file cannot be read.
    #[error("the file cannot be read: {0}")]
    Unread(String),
    /// A format that is not patched.
    #[error("waypost does not edit this format")]
    Format,
    /// The place of the step is in `[…]` or `{…}`, or has an anchor.
    #[error("the step belongs into a list or table in flow style or with an anchor")]
    Flow,
    /// A structure that is not understood.
    #[error("the file has a structure that waypost does not edit")]
    Style,
    /// An anchor or a merge key uses the same lines elsewhere.
    #[error("the step would also change other values, through an anchor or a merge key")]
    OtherValues,
    /// The command that builds the site has several lines.
    #[error("the build command has several lines")]
    SeveralLines,
    /// There is no command after which to run waypost.
    #[error("no command in the file builds the site with {0}")]
    NoBuild(String),
    /// The repository is not cloned by a known step.
    #[error("the job that builds the site has no step `actions/checkout`")]
    NoCheckout,
    /// The job runs in a container.
    #[error("the job runs in a container, which may lack Node.js")]
    Container,
    /// An image in which no way to install waypost is known.
    #[error("how to install waypost in the image `{0}` is unknown")]
    Image(String),
    /// The pipeline does not name an image.
    #[error("the file names no image, so how to install waypost is unknown")]
    NoImage,
    /// The command runs elsewhere than in the site or above it.
    #[error("the build command does not run in the directory of the site")]
    WorkingDir,
}
