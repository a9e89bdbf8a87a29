//! What the project promises of itself: documents that agree with the program, and rooms that keep to their walls.

mod documents;
mod integrations;
mod manifest;
mod rooms;

pub(crate) use documents::readme;
