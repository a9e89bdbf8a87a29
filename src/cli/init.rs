//! `waypost init`: writes commented settings for a site, and prints the step for its pipeline.
//!
//! Settings are never overwritten, and no other file is changed. Only a base URL from a flag or an
//! environment variable is set in the settings, because the next command would not find it.

use std::path::Path;

use super::command_error::{CommandError, EXIT_SUCCESS};
use super::environment::prepare;
use super::init_steps::step_texts;
use super::opts::SiteArgs;
use super::printer::Printer;
use super::settings::detected;
use super::text_layout::summary;
use crate::config::SETTINGS_FILE;
use crate::generators::Site;
use crate::publish::create_file;
use crate::site::{BaseUrlKind, FoundBaseUrl, LoadedSite, RunError};
use sitemaps::EntryExtent;
use sitemaps::site_paths::display_path;

/// The most common settings, each the default or an example.
const SETTINGS: &str = r#"
# [lastmod]
# from = ["git", "front_matter", "page"]  # date sources in order; also "mtime"; [] writes no dates
# ignore.revs_file = ".git-blame-ignore-revs"  # commits to ignore, such as reformatting

# [sitemap]
# gzip = "off"          # "also" writes sitemap.xml.gz as well

# [levels]
# canonical-not-listed = "deny"  # fail the build on it; accepts any finding or reason

# [[rule]]
# match = "blog/**"     # matches `blog/a/index.html` and `/blog/a/`
# group = "blog"        # a separate sitemap: sitemap-blog.xml

# [[rule]]
# match = "drafts/**"
# exclude = true
"#;

pub(super) fn init(args: &SiteArgs, printer: &Printer) -> Result<u8, CommandError> {
    let loaded = LoadedSite::load(prepare(args)?, EntryExtent::Sample)?;
    let (site, output_dir) = (&loaded.site, loaded.output_dir());
    let base = loaded.base_url();
    let steps = step_texts(&loaded, base.as_ref().ok());
    site.tree.check()?;
    let found = detected(&loaded).map(|(label, text)| (label, vec![text]));
    printer.say(&summary(found));
    let text = settings_text(site, output_dir, &base);
    let file = site.root.join(SETTINGS_FILE);
    let exists = site.tree.exists(&file);
    site.tree.check()?;
    let name = display_path(&file);
    let settings = if exists {
        (
            "settings",
            vec![format!("{name} exists and is not changed")],
        )
    } else {
        create_file(&file, text.as_bytes())?;
        ("wrote", vec![name])
    };
    printer.say(&summary([settings]));
    Printer::text(&steps)?;
    Ok(EXIT_SUCCESS)
}

/// The text of the settings.
fn settings_text(site: &Site, output_dir: &Path, base: &Result<FoundBaseUrl, RunError>) -> String {
    let generator = site
        .generator
        .map_or("a directory of HTML files", |generator| &generator.title);
    let base_url = match base {
        Ok(FoundBaseUrl { url, kind, origin }) if *kind == BaseUrlKind::User => {
            format!("base_url = \"{url}\"  # from {origin}")
        }
        Ok(FoundBaseUrl { url, origin, .. }) => {
            format!("# base_url = \"{url}\"  # found in {origin}")
        }
        Err(_) => {
            "# base_url = \"https://example.com/\"  # required: no base URL was found".to_owned()
        }
    };
    let output = output_dir.strip_prefix(&site.root).unwrap_or(output_dir);
    let output = if output.as_os_str().is_empty() {
        String::new()
    } else {
        format!("# output_dir = {:?}\n", output.display().to_string())
    };
    format!(
        "# Settings of waypost for {generator}. Each line in a comment is a default or an\n\
         # example. `waypost explain --settings` shows all settings and origins.\n\n\
         {base_url}\n{output}{SETTINGS}"
    )
}
