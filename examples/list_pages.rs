//! Lists every page of a built site, with its date and the reason for it.
//!
//! ```text
//! cargo run --example list_pages -- sample-site
//! ```

use std::error::Error;
use std::io::{self, Write};
use std::path::Path;

use waypost::{LastmodOrigin, PageStatus, Site};

#[expect(
    clippy::disallowed_methods,
    reason = "a program of its own reads its arguments and prints"
)]
fn main() -> Result<(), Box<dyn Error>> {
    let dir = std::env::args_os().nth(1).ok_or("give a directory")?;
    list_pages(&Site::open(Path::new(&dir))?, &mut io::stdout().lock())
}

/// Prints one line per page: `in` or `out`, the file, and the date with its origin or the reason.
pub(crate) fn list_pages(site: &Site, out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let sitemap = site.sitemap()?;
    for page in sitemap.pages() {
        if let PageStatus::Excluded { reason, evidence } = page.status() {
            writeln!(out, "out  {}: {reason}, {evidence}", page.file())?;
        } else {
            let date = page.lastmod().unwrap_or_else(|| "no date".to_owned());
            let origin = origin_text(&page.date_origin());
            writeln!(out, "in   {}: {date}, {origin}", page.file())?;
        }
    }
    Ok(())
}

fn origin_text(origin: &LastmodOrigin<'_>) -> String {
    match origin {
        LastmodOrigin::Commit(hash) => format!("commit {}", &hash[..10]),
        LastmodOrigin::NewestBelow(file) => format!("that of {file}"),
        LastmodOrigin::FrontMatter => "from its front matter".to_owned(),
        LastmodOrigin::Metadata => "from its metadata".to_owned(),
        LastmodOrigin::Mtime => "from its file".to_owned(),
        LastmodOrigin::Rule => "from the settings".to_owned(),
        LastmodOrigin::Missing(reason) => (*reason).to_owned(),
        _ => "from elsewhere".to_owned(),
    }
}
