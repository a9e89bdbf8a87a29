//! Builds a small site into a directory and writes its sitemap, as a site generator would.
//!
//! ```text
//! cargo run --example publish_site -- /tmp/site
//! ```

use std::error::Error;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

use waypost::Site;

#[expect(
    clippy::disallowed_methods,
    reason = "a program of its own reads its arguments and prints"
)]
fn main() -> Result<(), Box<dyn Error>> {
    let dir = std::env::args_os().nth(1).ok_or("give a directory")?;
    publish_site(Path::new(&dir), &mut io::stdout().lock())
}

/// Renders the pages, then writes the sitemap and prints the changed files.
pub(crate) fn publish_site(dir: &Path, out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    render_pages(dir)?;
    let site = Site::open(dir)
        .base_url("https://docs.example.com/")
        .accept("base-url-placeholder"); // a real site has a real URL
    let written = site.write().map_err(|error| match error.hint() {
        Some(hint) => format!("{error} ({hint})"),
        None => error.to_string(),
    })?;
    for finding in written.findings {
        if finding.level == "warn" || finding.level == "deny" {
            writeln!(out, "{}: {}", finding.code, finding.message)?;
        }
    }
    for name in written.changed_files {
        writeln!(out, "wrote {name}")?;
    }
    Ok(())
}

/// Writes three pages, in place of a generator.
#[expect(
    clippy::disallowed_methods,
    reason = "a program of its own writes its files"
)]
fn render_pages(dir: &Path) -> io::Result<()> {
    fs::create_dir_all(dir.join("guide"))?;
    let page = |head: &str| {
        format!("<!DOCTYPE html><html><head>{head}</head><body><p>Text</p></body></html>")
    };
    fs::write(dir.join("index.html"), page("<title>Home</title>"))?;
    fs::write(dir.join("guide/index.html"), page("<title>Guide</title>"))?;
    let hidden = page("<title>Thanks</title><meta name=\"robots\" content=\"noindex\">");
    fs::write(dir.join("thanks.html"), hidden)
}
