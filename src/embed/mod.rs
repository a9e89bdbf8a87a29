//! The library: waypost inside another program.
//!
//! A directory and a few settings come in, a [`Sitemap`] goes out. It runs the pipeline of the
//! command line and implements no step itself. It never prints, ends the process or reads an
//! environment variable.

mod error;
mod site;
mod site_finding;
mod site_page;
mod sitemap;
mod sitemap_file;
mod written_sitemap;

pub use error::Error;
pub use site::Site;
pub use site_finding::{FindingLevel, SiteFinding};
pub use site_page::{LastmodOrigin, PageStatus, SitePage};
pub use sitemap::Sitemap;
pub use sitemap_file::SitemapFile;
pub use written_sitemap::WrittenSitemap;
