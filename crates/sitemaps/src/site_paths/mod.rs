//! Paths below a directory, and the URLs at which a host serves them.
//!
//! Opens no file and contacts no host. Paths are encoded by RFC 3986; URLs are
//! parsed by the WHATWG URL standard, by which browsers and crawlers resolve an `href`.

mod base_url;
mod control_chars;
mod literal_index;
mod page_url;
mod percent;
mod shared_bytes;
mod site_path;

pub use base_url::{BaseUrl, BaseUrlError, is_local_url};
pub use control_chars::{display_path, escape_json, escaped, is_control_or_bidi, quoted};
pub use literal_index::LiteralIndex;
pub use page_url::{
    MAX_SITEMAP_BYTES, MAX_SITEMAP_ENTRIES, MAX_URL_CHARS, PageUrl, has_web_scheme, without_scheme,
};
pub use percent::{UrlPart, decode, encode_path, normalize};
pub use site_path::{HTML_EXTENSIONS, INDEX_FILES, SitePath, extension_of, is_html};
