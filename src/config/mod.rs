//! Settings: what is written in files, the environment and flags becomes one checked value.
//!
//! ```text
//!  waypost.toml, config.toml ─ syntax ─┐
//!  WAYPOST_* ──────────────────────────┼─► values ─ keys (by their shapes) ─► draft ─► Settings
//!  flags ──────────────────────────────┘                    └─► every mistake, with its place
//! ```
//!
//! Only [`Settings`] and what explains them leave this room, and no file but `file.rs` opens another.

mod draft;
mod file;
mod keys;
mod layers;
mod mistake;
mod page;
mod reader;
mod schema;
mod settings;
mod shape;
mod submit_key;
mod syntax;
#[cfg(test)]
mod trial;
mod value;
mod variable;

pub use draft::Explained;
pub(crate) use layers::OWN_FILE;
pub use layers::{Flags, Home, Inputs, Loaded, Spelling, load};
pub(crate) use mistake::nearest;
pub use mistake::{Mistake, Mistakes, Origin, Texts};
pub use page::{PageTable, PageWords, TableOwner, mistakes_of_page, page_words};
pub use schema::schema;
pub use settings::{
    CommitTime, DateSource, Format, Gzip, LastmodSettings, Levels, Lists, Preview,
    RobotsMetaSettings, RobotsTxtSettings, Settings, SitemapSettings, SubmitSettings, UrlForm,
};
pub use submit_key::{KeyLocation, MASK, SubmitKey};
pub use syntax::{Syntax, SyntaxError};
pub(crate) use value::TOML_DATE;
pub use value::{Data, Entry, Value};
