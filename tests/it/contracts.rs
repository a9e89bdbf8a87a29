//! Contracts of the project: the documents agree with the program, and modules import only what the
//! design allows.

mod documents;
mod import_circles;
mod integrations;
mod library_surface;
#[cfg(unix)] // sh
mod major_tag;
pub(crate) mod manifest;
mod modules;
mod packaging;

pub(crate) use documents::readme;
