//! Where things are: paths below a folder, and the URLs at which a host serves them.
//!
//! Everything here is pure: no file is opened, no host is asked. The rules are RFC 3986 for what is written and the
//! WHATWG URL standard for what is read (browsers and crawlers use it to resolve an `href`).

mod base_url;
mod control_chars;
mod page_url;
mod percent;
mod shared_bytes;
mod site_path;

pub use base_url::{BaseUrl, BaseUrlError, is_of_this_machine};
pub use control_chars::{escaped, harmless_json, steers};
pub use page_url::{
    MAX_SITEMAP_BYTES, MAX_SITEMAP_ENTRIES, MAX_URL_CHARS, PageUrl, ResolveError, without_scheme,
};
pub use percent::{decode, encode_path, normalize};
pub use site_path::{HTML_EXTENSIONS, INDEX_FILES, SitePath};
