//! Decides for every page whether it is listed or excluded, with one reason and its evidence. Opens
//! no file.
//!
//! `statements.rs` reads what one answer states of itself. It is the one judge of that: for files of
//! the output directory, for the sample of pages and for the responses of a server.
//!
//! `decide::judge` looks at one page alone, on any thread, in the order of the table of reasons.
//! `pages::compare` then looks at all pages together: canonical links to missing or excluded pages,
//! URLs that two files claim, language alternates that are not returned.
//! `hosts/url_form.rs` knows which URLs serve a file; it is the reason a canonical link may
//! say `/about` for `about.html`.
//!
//! The host's own files (`hosts/`) are matched by the URL under which the page would be listed;
//! a header or a redirect for another form of it does not apply. A redirect to another form of
//! the same page changes its URL to that form if the host serves the page there.
//! `site/site_host.rs` detects the host, and the verdicts are those of the hosts' own code. Of
//! Vercel's and Firebase's rules only literal paths and a wildcard at the end are read;
//! `hosts/rules.rs` counts the others in one finding. `site/preview.rs` decides whether a build
//! is a preview.

mod document;
mod host_headers;
mod hreflang;
mod page_case;
pub(crate) mod reason;
mod return_links;
mod robots_meta;
pub(crate) mod rules;
mod statements;
mod verdict;
mod without_effect;

pub use document::Document;
pub use host_headers::SentHeader;
pub use hreflang::is_language_code;
pub(crate) use hreflang::{INVALID_CODE_HINT, LanguageVersion, versions};
pub use page_case::{PageCase, SiteView, place_of};
pub use reason::{ALL as REASONS, judge, named as reason_named, names as reason_names};
pub use return_links::{LinkBack, ReturnLinks};
pub use statements::{Canonical, NoindexStatement, stated};
pub use verdict::{DecidedBy, Exclusion, Verdict};
