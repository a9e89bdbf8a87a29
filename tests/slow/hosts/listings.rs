//! Lists the pages of many sites in one process, for the comparison with the hosts' own code.
//!
//! Reads one JSON object per line: `{"dir": "...", "environment": {"NAME": "value"}}`. Answers each
//! with one line: `{"pages": [{"file", "url", "reason"}]}` with `reason` for excluded pages, or
//! `{"error": "..."}`. A process per site would spend most of its time on its own start.

use std::error::Error;
use std::io::{self, BufRead, Write};
use std::path::PathBuf;

use serde_json::{Value, json};
use waypost::{Site, SitePage};

#[expect(
    clippy::disallowed_methods,
    reason = "a program of its own prints its answers"
)]
fn main() -> Result<(), Box<dyn Error>> {
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let request: Value = serde_json::from_str(&line?)?;
        let answer =
            listing(&request).unwrap_or_else(|error| json!({ "error": error.to_string() }));
        writeln!(out, "{answer}")?;
        out.flush()?;
    }
    Ok(())
}

fn listing(request: &Value) -> Result<Value, Box<dyn Error>> {
    let dir = PathBuf::from(request["dir"].as_str().ok_or("no `dir`")?);
    let variables = request["environment"].as_object().ok_or("no variables")?;
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let sitemap = Site::open(&dir)
        .base_url("https://example.org/")
        .output_dir(dir.join("public"))
        .environment(
            variables
                .iter()
                .map(|(name, value)| (name.clone(), text(value))),
        )
        .sitemap()?;
    let pages: Vec<Value> = sitemap.pages.iter().map(facts).collect();
    Ok(json!({ "pages": pages }))
}

fn facts(page: &SitePage) -> Value {
    json!({ "file": page.file, "url": page.url, "reason": page.excluded })
}
